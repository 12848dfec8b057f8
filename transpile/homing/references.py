"""Replaces get_param and get_file by their values.

Invariant: every reference is charged for the size of its value, so nested parameters cannot exhaust time or memory.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, final

from transpile.diagnostics import codes
from transpile.diagnostics.model import Sink
from transpile.front import documents, nodes
from transpile.front.expressions import ExpressionReader
from transpile.homing.document import parse_calls
from transpile.homing.findings import REFUSES, TAKES, HomingFindings
from transpile.homing.model import NEW, HomingDocument, Path
from transpile.model.intrinsics import look_up_template_version
from transpile.model.ir import Entry, Expr, FileRef, Lit, Map, ParamRef, Seq, from_data, to_data
from transpile.model.meter import check_limit, spend_budget
from transpile.model.source import Source
from transpile.model.span import Span
from transpile.text.source import Root, UnreadableFile, lone_surrogate

MAX_CHAIN = 60  # parameters that refer to one another


@final
class ReferenceResolver:
    """Replaces the references of one template. `by_path`: the references that were replaced; `used`: the names of the
    referenced parameters.
    """

    def __init__(
        self, document: HomingDocument, overlay: Mapping[str, Any], root: Root | None, findings: HomingFindings
    ) -> None:
        self.document, self.root, self.findings = document, root, findings
        self.by_path: dict[Path, ParamRef | FileRef] = {}
        self.used: set[str] = set()
        self.written: dict[str, Expr] = {name: entry.value for name, entry in document.parameters.items()}
        for name, value in overlay.items():
            self.written[name] = overlay_value(self.written.get(name), value, document.source)
        self.values: dict[str, Expr] = {}
        self.sizes: dict[str, int] = {}
        self.chain: list[str] = []
        self.files: dict[str, str] = {}
        files = document.request.get("files")
        if files is not None and isinstance(files.value, Map):
            for entry in files.value.entries:
                if isinstance(entry.value, Lit) and isinstance(entry.value.value, str):
                    self.files[entry.key] = entry.value.value

    def resolve_expression(self, expr: Expr, path: Path) -> Expr:
        """An expression as data. A reference without a known value stays a call, as in HAS."""
        match expr:
            case ParamRef():
                self.by_path[path] = expr
                return self.resolve_parameter(expr, path)
            case FileRef():
                self.by_path[path] = expr
                return self.resolve_file(expr, path)
            case Map(entries, span):
                if len(entries) == 1 and entries[0].key in ("get_param", "get_file"):
                    self.report_misshapen_call(entries[0], path)
                return Map(
                    tuple([Entry(e.key, self.resolve_expression(e.value, (*path, e.key)), e.at) for e in entries]), span
                )
            case Seq(items, span):
                return Seq(tuple([self.resolve_expression(item, (*path, i)) for i, item in enumerate(items)]), span)
        return expr

    def report_misshapen_call(self, entry: Entry, path: Path) -> None:
        expected = (
            "the name of a parameter, or a list with the name and a path" if entry.key == "get_param" else "a path"
        )
        engine = TAKES if entry.key == "get_file" or is_ignored_path(path) else REFUSES
        self.findings.report_senseless(
            codes.MALFORMED_HOMING_CALL, f"{entry.key} takes {expected}.", entry.value, engine=engine
        )

    def resolve_parameter(self, ref: ParamRef, path: Path) -> Expr:
        self.report_restricted_call(ref, path)
        if ref.name not in self.written:
            hint = (
                self.findings.guess_name(ref.name, list(self.written)) or "Give it a value with --parameter NAME=VALUE."
            )
            message = f"The parameter {ref.name} is not defined."
            self.findings.report_senseless(
                codes.UNKNOWN_HOMING_PARAMETER, message, ref, hint, TAKES if is_ignored_path(path) else REFUSES
            )
            return self.leave_unresolved(ref)
        self.used.add(ref.name)
        value = self.parameter_value(ref.name, ref)
        for step in ref.path:
            key = step.value if isinstance(step, Lit) else None
            inner: Expr | None = None
            if isinstance(value, Map):
                inner = value.get(str(key))
            elif isinstance(value, Seq) and (index := as_index(key)) is not None and index < len(value.items):
                inner = value.items[index]
            if inner is None:
                message = f"The parameter {ref.name} has nothing at {key}."
                hint = (
                    self.findings.guess_name(str(key), [e.key for e in value.entries]) if isinstance(value, Map) else ""
                )
                self.findings.report_senseless(
                    codes.UNKNOWN_HOMING_PARAMETER, message, step if step.at >= 0 else ref, hint, REFUSES
                )
                return self.leave_unresolved(ref)
            value = inner
        spend_budget("steps", self.count_values(value), self.document.source, ref)
        return move_expression(value, ref.span)

    def leave_unresolved(self, ref: ParamRef) -> Expr:
        self.findings.unresolved.add(ref.span)
        return Lit(None, ref.span)

    def parameter_value(self, name: str, ref: ParamRef) -> Expr:
        """The value of a parameter, which may refer to others."""
        if name in self.values:
            return self.values[name]
        if name in self.chain or len(self.chain) > MAX_CHAIN:
            self.findings.report_wrong(codes.MALFORMED_HOMING_CALL, f"The parameter {name} refers to itself.", ref)
            return Lit(None, ref.span)
        self.chain.append(name)
        value = self.resolve_expression(self.written[name], ("parameters", name))
        self.chain.pop()
        check_limit("values", self.count_values(value), self.document.source, ref)
        self.values[name] = value
        return value

    def count_values(self, expr: Expr) -> int:
        """The number of values in data, at most one more than a document may have."""
        return count_values(expr, self.document.source.budget.limits["values"])

    def unused_parameter_value(self, name: str) -> Expr:
        """The value of a parameter that need not be used by anything."""
        return self.values.get(name) or calls_as_maps(self.written[name])

    def report_restricted_call(self, ref: ParamRef, path: Path) -> None:
        """Reports calls at places where the texts allow them and HAS does not replace them."""
        where, listed = path[0], ref.fn != "get_param"
        if where == "reservations":
            return
        if where == "parameters":
            message = "HAS does not look into values of parameters: this call would stay as it is."
            self.findings.report_difference(codes.PARAMETER_NOT_REPLACED_BY_HAS, message, ref)
        elif where == "optimization":
            if self.document.arrangement == NEW or any(
                part in ("distance_between", "latency_between") for part in path
            ):
                message = "HAS replaces no parameters in optimization, and refuses the call here."
                self.findings.report_difference(
                    codes.PARAMETER_NOT_REPLACED_BY_HAS, message, ref, "Write the value.", REFUSES
                )
            else:
                message = "HAS replaces no parameters in optimization. It would take 1.0 for the weight, silently."
                self.findings.report_difference(codes.PARAMETER_NOT_REPLACED_BY_HAS, message, ref, "Write the number.")
        elif is_unresolved_path(path):
            message = "HAS checks this before it replaces parameters, and refuses the call."
            self.findings.report_difference(
                codes.PARAMETER_NOT_REPLACED_BY_HAS, message, ref, "Write the value.", REFUSES
            )
        elif listed:
            message = "HAS refuses the list form of get_param, which the specifications describe."
            self.findings.report_difference(
                codes.PARAMETER_NOT_REPLACED_BY_HAS, message, ref, "Make the part a parameter of its own.", REFUSES
            )

    def resolve_file(self, ref: FileRef, path: Path) -> Expr:
        """The content of a file. If it cannot be read, the call stays, as all file calls do in HAS."""
        call = Map((Entry("get_file", Lit(ref.name, ref.span), ref.at),), ref.span)
        text = self.files.get(ref.name)
        if text is None:
            try:
                if self.root is None:
                    raise UnreadableFile("outside", "the directory of the template is unknown")
                text = self.root.read_file(ref.name).decode_text()
            except UnreadableFile as e:
                message = f"The file {ref.name} was not read: {e.detail}. The call stays as data, as HAS leaves all."
                self.findings.report_wrong(codes.FILE_IN_HOMING_TEMPLATE, message, ref, e.hint, TAKES)
                return call
        spend_budget("steps", 1 + len(text) // 16, self.document.source, ref)
        message = "HAS has no get_file: the call would stay as data, and the file unread."
        self.findings.report_difference(codes.FILE_IN_HOMING_TEMPLATE, message, ref)
        return Lit(text, ref.span)


def calls_as_maps(expr: Expr) -> Expr:
    """Data in which calls are maps again."""
    match expr:
        case ParamRef(name, path, _, span):
            arg: Expr = Seq((Lit(name, span), *path), span) if path else Lit(name, span)
            return Map((Entry("get_param", arg, span.at),), span)
        case FileRef(name, span):
            return Map((Entry("get_file", Lit(name, span), span.at),), span)
        case Map(entries, span):
            return Map(tuple([Entry(e.key, calls_as_maps(e.value), e.at) for e in entries]), span)
        case Seq(items, span):
            return Seq(tuple([calls_as_maps(item) for item in items]), span)
    return expr


def is_ignored_path(path: Path) -> bool:
    """Whether HAS never looks at the value at a path."""
    return path[0] in ("optimization", "reservations", "parameters")


def is_unresolved_path(path: Path) -> bool:
    """Whether HAS checks the value at a path before it replaces parameters."""
    if path[0] == "locations":
        return len(path) <= 2
    if path[0] == "constraints":
        return len(path) <= 2 or path[2] == "demands" or path[2:4] == ("properties", "location")
    return False


def as_index(key: object) -> int | None:
    """The index of a list that a key stands for."""
    if type(key) is int:
        return key if key >= 0 else None
    return int(key) if isinstance(key, str) and key.isdecimal() and len(key) < 10 else None


def count_values(expr: Expr, most: int) -> int:
    """The number of values in data. Counting stops above `most`."""
    total = 0
    todo = [expr]
    while todo and total <= most:
        node = todo.pop()
        total += 1
        if isinstance(node, Map):
            todo += [entry.value for entry in node.entries]
        elif isinstance(node, Seq):
            todo += node.items
    return total


def move_expression(expr: Expr, span: Span) -> Expr:
    """The same data with the place of a reference."""
    match expr:
        case Lit(value):
            return Lit(value, span)
        case Map(entries):
            return Map(entries, span)
        case Seq(items):
            return Seq(items, span)
    return expr


def overlay_value(written: Expr | None, value: Any, source: Source) -> Expr:
    """A value from outside that replaces the template's. A text that replaces another kind of value is read as YAML."""
    if isinstance(value, str) and written is not None and not (isinstance(written, Lit) and type(written.value) is str):
        inside = Source("the value", value, budget=source.budget)
        sink = Sink(inside)
        try:
            if lone_surrogate(value) < 0:
                parsed = ExpressionReader(sink, look_up_template_version("2013-05-23"), frozenset()).read_plain_value(
                    documents.compose_document(sink, "value")
                )
                if not sink.diagnostics:
                    return from_data(to_data(parsed))
        except (nodes.UnreadableDocument, ValueError):
            pass
    return parse_calls(from_data(value))
