"""Reads a text as a `HomingDocument`: a homing template, or the API request around one.

Invariant: everything that the texts print as valid is read, even where YAML refuses it: a threshold without quotes that
begins with `>`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, final

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, Sink, TooManyErrors
from transpile.front import comments, documents, nodes, yaml_reader
from transpile.front.expressions import ExpressionReader
from transpile.homing import words
from transpile.homing.findings import REFUSES, TAKES, HomingFindings
from transpile.homing.model import HomingDocument
from transpile.homing.words import KEY
from transpile.model.intrinsics import HOT, look_up_template_version
from transpile.model.ir import NULL, Entry, Expr, FileRef, Lit, Map, ParamRef, Seq, replace_errors_by_null
from transpile.model.lazy_patterns import compile_lazily
from transpile.model.records import replace
from transpile.model.source import Source
from transpile.model.span import Span

if TYPE_CHECKING:
    from yaml.nodes import Node


UNQUOTED = compile_lazily(  # a threshold that YAML takes for the head of a block scalar
    r"(?P<key>\b(?:bandwidth|distance|latency)[\"']?[ \t]*:[ \t]+)>(?=[ \t]*=?[ \t]*[0-9.][^\n]*[^\s0-9+-])"
)
STAND_IN = "\ue000"  # for its >, so that all offsets stay
DATE = compile_lazily(r"\d{4}-\d\d-\d\d")


class NoHomingTemplate(Exception):
    """The text is not a homing template. The diagnostics are in the findings."""


def read_document(source: Source, findings: HomingFindings) -> HomingDocument | None:
    """The template in a text; None if it cannot be read, and the findings say why."""
    try:
        return DocumentReader(source, findings).read_root()
    except (NoHomingTemplate, nodes.UnreadableDocument, TooManyErrors):
        findings.failed = True
        return None


def contains_homing_template(source: Source) -> bool:
    """Whether a text that contains the version key somewhere is a homing template or a request."""
    try:
        return is_homing_document(compose_document(Sink(source)))
    except (nodes.UnreadableDocument, TooManyErrors):
        return False


def compose_document(sink: Sink) -> Node:
    """The root node of the sink's source. Raises UnreadableDocument.

    A text that begins with `{` and is not valid JSON may still be YAML in flow style: Heat would not read that, but
    HAS's client does.
    """
    first = Sink(sink.source)
    try:
        return documents.compose_document(first, sink.source.name)
    except nodes.UnreadableDocument:
        if sink.source.text.lstrip("\ufeff \t\r\n").startswith("{"):
            try:
                return yaml_reader.compose_yaml(Sink(sink.source), sink.source.text)
            except nodes.UnreadableDocument:
                pass
        sink.diagnostics += first.diagnostics
        raise


def is_homing_document(root: Node) -> bool:
    """Whether a document is a homing template or a request, by its keys."""
    top = node_members(root)
    if KEY in top:
        return True
    inner = top.get("template")
    if inner is None:
        return False
    return KEY in node_members(inner) or (
        not isinstance(inner.value, list) and KEY in str(inner.value) and HOT not in top
    )


def node_members(node: Node) -> dict[str, Node]:
    pairs = node.value if node.tag == nodes.MAP and isinstance(node.value, list) else []
    return {key.value: value for key, value in pairs if isinstance(key.value, str)}


@final
class DocumentReader:
    """Reads one document."""

    def __init__(self, source: Source, findings: HomingFindings) -> None:
        self.source, self.findings = source, findings

    def compose_tolerantly(self) -> tuple[Node, frozenset[int]]:
        """The root node, and the offsets of each `>` that has no quotes."""
        text = self.source.text
        sink = Sink(self.source)
        try:
            return compose_document(sink), frozenset()
        except nodes.UnreadableDocument:
            pass
        places = [match.end("key") for match in UNQUOTED.finditer(text)]
        if places:
            quiet = Source(self.source.name, UNQUOTED.sub(rf"\g<key>{STAND_IN}", text), budget=self.source.budget)
            try:
                root = compose_document(Sink(quiet))
            except nodes.UnreadableDocument:
                root = None
            if root is not None:
                for at in places:
                    self.findings.report_difference(
                        codes.UNQUOTED_THRESHOLD,
                        "An unquoted > begins a folded text in YAML, so HAS's client refuses the file.",
                        Span(at, at + 1),
                        'Quote the threshold: "> …". hot2tf fmt does.',
                        REFUSES,
                    )
                return root, frozenset(places)
        self.findings.sink.diagnostics += map(reword_for_has, sink.diagnostics)
        raise NoHomingTemplate

    def plain_document(self, root: Node, unquoted: frozenset[int]) -> Expr:
        """The document as data. A key that occurs twice is an error: HAS refuses it, and the texts do not say which one
        counts.
        """
        sink = Sink(self.source)
        try:
            data = ExpressionReader(sink, look_up_template_version("2013-05-23"), frozenset()).read_plain_value(root)
        except nodes.UnreadableDocument:
            self.findings.sink.diagnostics += map(reword_for_has, sink.diagnostics)
            raise NoHomingTemplate from None
        for diagnostic in sink.diagnostics:
            if diagnostic.code == codes.DUPLICATE_KEY:
                name = self.source.text[diagnostic.at : diagnostic.end]
                message = f"The key {name} occurs twice, which HAS refuses; nothing says which of the two counts."
                self.findings.report_wrong(codes.NOT_A_HOMING_TEMPLATE, message, Lit(None, diagnostic.span))
            else:
                self.findings.failed = True
                self.findings.sink.diagnostics.append(reword_for_has(diagnostic))
        if sink.diagnostics and replace_errors_by_null(data) != data:  # such as a number with too many digits
            raise NoHomingTemplate
        return restore_stand_ins(data) if unquoted else data

    def read_root(self) -> HomingDocument:
        root_node, unquoted = self.compose_tolerantly()
        root = self.plain_document(root_node, unquoted)
        if not isinstance(root, Map):
            raise self.refuse_other_than_map(root)
        written = comments.read_comments(self.source.text, root_node)
        if KEY not in root and "template" in root:
            return self.read_request(root, written)
        return self.read_template(root, written)

    def refuse_other_than_map(self, node: Expr) -> NoHomingTemplate:
        self.findings.report_wrong(codes.NOT_A_HOMING_TEMPLATE, "A homing template is a map.", node)
        return NoHomingTemplate()

    def read_request(self, root: Map, written: tuple[object, ...]) -> HomingDocument:
        """The template in an API request `{name, template, …}`."""
        members = {entry.key: entry for entry in root.entries}
        for entry in root.entries:
            if entry.key in words.OTHER_REQUEST:
                message = f"HAS refuses the member {entry.key}, which requests of its documentation have."
                read = f"It reads {words.OTHER_REQUEST[entry.key]}."
                self.findings.report(codes.INVALID_REQUEST, message, entry, read, REFUSES, "info")
            elif entry.key not in words.REQUEST:
                hint = self.findings.guess_name(entry.key, words.REQUEST)
                self.findings.report_wrong(codes.INVALID_REQUEST, f"A request has no member {entry.key}.", entry, hint)
        number = members.get("num_solution")
        if number is not None and not is_text(number.value):
            message = 'num_solution must be a text: a number in quotes, or "all".'
            self.findings.report_wrong(codes.INVALID_REQUEST, message, number.value)
        for name in ("timeout", "limit"):
            limit_entry = members.get(name)
            if limit_entry and not (isinstance(limit_entry.value, Lit) and type(limit_entry.value.value) is int):
                self.findings.report_wrong(codes.INVALID_REQUEST, f"{name} must be a whole number.", limit_entry.value)
        files = members.get("files")
        if files is not None and not isinstance(files.value, Map):
            self.findings.report_wrong(codes.INVALID_REQUEST, "files must be a map of names to contents.", files.value)
        if "name" not in members:
            message = "The request has no name, which HAS needs in practice."
            self.findings.report_note(codes.INVALID_REQUEST, message, root.entries[0], severity="warning")
        template = members["template"].value
        if is_text(template):
            self.findings.report_difference(
                codes.VERSION_REFUSED_BY_HAS,
                "The template is a text inside the request: the API takes it, and then HAS fails on it.",
                members["template"],
                "Put the template itself there.",
                REFUSES,
            )
            assert isinstance(template, Lit)
            inside = Source(f"{self.source.name}, template", str(template.value), budget=self.source.budget)
            self.findings.sink.source = inside
            return replace(DocumentReader(inside, self.findings).read_root(), request=members)
        if not isinstance(template, Map):
            raise self.refuse_other_than_map(template)
        return self.read_template(template, written, members)

    def read_template(
        self, root: Map, written: tuple[object, ...], request: Mapping[str, Entry] | None = None
    ) -> HomingDocument:
        sections: dict[str, Entry] = {}
        unknown: dict[str, Entry] = {}
        for entry in root.entries:
            if entry.key in words.SECTIONS:
                self.keep_section(entry, sections)
            elif entry.key != KEY:
                unknown[entry.key] = entry
        for entry in unknown.values():
            self.report_unknown_section(entry)
        version_name = self.read_version(root)
        parameters = sections.pop("parameters", None)
        named = parameters.value.entries if parameters is not None and isinstance(parameters.value, Map) else ()
        if "demands" not in sections or sections["demands"].value == Map(()):
            self.findings.report_wrong(
                codes.NOT_A_HOMING_TEMPLATE,
                "The template has no demands.",
                sections.get("demands") or self.version_entry(root),
            )
        return HomingDocument(
            self.source,
            version_name,
            root,
            {entry.key: Entry(entry.key, parse_calls(entry.value), entry.at) for entry in named},
            {name: Entry(name, parse_calls(entry.value), entry.at) for name, entry in sections.items()},
            unknown,
            request or {},
            written,  # type: ignore[arg-type]
        )

    def version_entry(self, root: Map) -> Expr | Entry:
        return next((entry for entry in root.entries if entry.key == KEY), root)

    def keep_section(self, entry: Entry, sections: dict[str, Entry]) -> None:
        """Keeps a section that has the right shape, and reports one that has not."""
        name, value = entry.key, entry.value
        if name == "reservations":
            self.findings.report_difference(
                codes.RESERVATION_IGNORED_BY_HAS,
                "HAS never reads reservations: its code has the key reservation. Nothing would be reserved.",
                entry,
            )
        if isinstance(value, Map):
            sections[name] = entry
        elif value == NULL:
            message = f"The section {name} is empty, which HAS refuses."
            if name == "demands":
                self.findings.report_wrong(codes.NOT_A_HOMING_TEMPLATE, message, entry)
            else:
                engine = TAKES if name == "reservations" else REFUSES
                self.findings.report_difference(
                    codes.EMPTY_HOMING_SECTION, message, entry, f"Remove it, or write {name}: {{}}.", engine
                )
        elif name == "reservations":
            self.findings.report_wrong(
                codes.NOT_A_HOMING_TEMPLATE,
                f"The section {name} must be a map; HAS never reads it.",
                value,
                engine=TAKES,
            )
        else:
            self.findings.report_wrong(codes.NOT_A_HOMING_TEMPLATE, f"The section {name} must be a map.", value)

    def report_unknown_section(self, entry: Entry) -> None:
        """Reports a section that no text describes and HAS ignores."""
        name = entry.key
        if name == "description":
            return
        if name == "reservations":
            return
        hint = self.findings.sink.guess_name(name, (KEY, *words.SECTIONS))
        message = f"HAS ignores the section {name}, which templates do not have."
        self.findings.report_wrong(codes.UNKNOWN_HOMING_SECTION, message, entry, hint, TAKES)

    def read_version(self, root: Map) -> str:
        """The version of the template as text."""
        version_value = root.get(KEY)
        if version_value is None:
            known_versions = f"The versions are {', '.join(words.VERSIONS)}."
            self.findings.report_wrong(
                codes.NOT_A_HOMING_TEMPLATE,
                f"There is no {KEY}.",
                root.entries[0] if root.entries else root,
                known_versions,
            )
            return words.VERSIONS[1]
        name = version_value.value if isinstance(version_value, Lit) else None
        if name in words.VERSIONS:
            return str(name)
        hint = f"HAS knows {', '.join(words.VERSIONS)}."
        if isinstance(name, str) and DATE.fullmatch(name) and name > words.VERSIONS[1]:
            message = f"HAS refuses the version {name}. The specifications allow later dates."
            self.findings.report_difference(codes.VERSION_REFUSED_BY_HAS, message, version_value, hint, REFUSES)
            return name
        displayed = f'"{name}"' if isinstance(name, (str, int, float)) else "of this kind"
        self.findings.report_wrong(
            codes.NOT_A_HOMING_TEMPLATE, f"There is no version {displayed}.", version_value, hint
        )
        return words.VERSIONS[1]


def reword_for_has(diagnostic: Diagnostic) -> Diagnostic:
    """A diagnostic of the YAML reader, which speaks of Heat, in words about HAS."""
    return replace(diagnostic, message=diagnostic.message.replace("Heat", "HAS"))


def is_text(expr: Expr) -> bool:
    return isinstance(expr, Lit) and isinstance(expr.value, str)


def restore_stand_ins(expr: Expr) -> Expr:
    """The values of a text that was read with stand-ins for its unquoted `>`."""
    match expr:
        case Lit(str() as value, span):
            return Lit(value.replace(STAND_IN, ">"), span) if STAND_IN in value else expr
        case Map(entries, span):
            return Map(tuple([Entry(e.key, restore_stand_ins(e.value), e.at) for e in entries]), span)
        case Seq(items, span):
            return Seq(tuple([restore_stand_ins(item) for item in items]), span)
    return expr


def parse_calls(expr: Expr) -> Expr:
    """Data with its calls as references: a map whose only key is `get_param` or `get_file`. A call with a wrong
    argument stays a map, which `references` reports.
    """
    match expr:
        case Map((Entry("get_param", Lit(str() as name)),), span):
            return ParamRef(name, (), "get_param", span)
        case Map((Entry("get_param", Seq((Lit(str() as name), *path))),), span) if all(map(is_path_step, path)):
            return ParamRef(name, tuple(path), "get_param[]", span)
        case Map((Entry("get_file", Lit(str() as name)),), span) if name:
            return FileRef(name, span)
        case Map(entries, span):
            return Map(tuple([Entry(e.key, parse_calls(e.value), e.at) for e in entries]), span)
        case Seq(items, span):
            return Seq(tuple([parse_calls(item) for item in items]), span)
    return expr


def is_path_step(expr: Expr) -> bool:
    """Whether an expression is a key or an index."""
    return isinstance(expr, Lit) and (type(expr.value) is str or type(expr.value) is int)
