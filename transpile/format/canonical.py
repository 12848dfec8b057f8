"""Formats one text canonically and proves that its meaning is unchanged.

Invariant: each result has been read again and compared: the same document, template and comments, and the same text
when it is formatted again. A text that fails this is left unchanged, with a diagnostic.
"""

from __future__ import annotations

from collections.abc import Sequence

from yaml.nodes import MappingNode, Node, ScalarNode

from transpile import document_kinds
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, Sink, TooManyErrors
from transpile.format import hot
from transpile.front import comments, documents, nodes
from transpile.front import template as templates
from transpile.front.environment import SECTIONS
from transpile.front.expressions import ExpressionReader
from transpile.model.intrinsics import HOT, VERSION_KEYS, look_up_template_version
from transpile.model.ir import Comment, Map, Template
from transpile.model.records import record, replace
from transpile.model.source import Source
from transpile.model.span import word_at

TEMPLATE, ENVIRONMENT = "template", "environment"


@record
class Formatted:
    """The result for a text. `text`: the canonical text, or the original one if it cannot be formatted; `kind`:
    TEMPLATE, ENVIRONMENT, the name of another kind of documents, or "" for other texts.
    """

    text: str
    kind: str
    diagnostics: Sequence[Diagnostic] = ()


@record
class CommentedDocument:
    """A text as it was read: its data in canonical order, its comments, and its YAML nodes. `in_order`: the text
    already has the canonical order.
    """

    kind: str
    data: Map
    in_order: bool
    comments: tuple[Comment, ...]
    root: Node

    def parse_template(self, source: Source) -> tuple[Template | None, list[str]]:
        """The template in the document, and the codes of its diagnostics; None and no codes for other documents."""
        if self.kind != TEMPLATE:
            return None, []
        sink = Sink(source)
        try:
            template = templates.read_template_document(sink, self.root, commented=False)
        except nodes.UnreadableDocument:
            template = None
        except TooManyErrors as e:
            template, sink = None, e.sink
        return template, sorted(d.code for d in sink.diagnostics)


class NotFormatted(Exception):
    """The text cannot be formatted. `diagnostics` say why; they are empty for a text that is not Heat's."""

    def __init__(self, kind: str, diagnostics: Sequence[Diagnostic]) -> None:
        super().__init__()
        self.kind, self.diagnostics = kind, diagnostics


def format_text(source: Source) -> Formatted:
    """The canonical form of a text: a template (HOT), an environment, or a document of another kind."""
    if key := document_kinds.claiming_key(source):
        return format_document(key, source)
    try:
        document = read_document(source)
        text = print_document(document, source)
        if text != source.text:
            verify_meaning(document, source, Source(source.name, text, budget=source.budget))
    except NotFormatted as e:
        return Formatted(source.text, e.kind, e.diagnostics)
    return Formatted(text, document.kind)


def format_document(key: str, source: Source) -> Formatted:
    """The canonical form of a document of another kind; one that is not formatted is not touched."""
    kind = document_kinds.find_kind(key)
    if kind.format is None:
        return Formatted(source.text, "")
    text, diagnostics = kind.format(source)
    return Formatted(text, kind.name, diagnostics)


def print_document(document: CommentedDocument, source: Source) -> str:
    return hot.show(document.data, document.comments, source.text, is_template=document.kind == TEMPLATE)


def read_document(source: Source) -> CommentedDocument:
    """Reads a text. Raises NotFormatted."""
    text = source.text
    guessed = kind = TEMPLATE if any(key in text for key in VERSION_KEYS) else ENVIRONMENT
    sink = Sink(source)
    try:
        root = documents.compose_document(sink, source.name, trimmed=guessed == TEMPLATE)
        kind = detect_kind(root)
        if kind == ENVIRONMENT != guessed:  # Heat strips the white space around templates, not around environments
            root = documents.compose_document(sink, source.name)
        if kind not in (TEMPLATE, ENVIRONMENT):
            raise NotFormatted("", diagnose_foreign_text(source, root, kind))
        data = ExpressionReader(sink, look_up_template_version("2013-05-23"), frozenset()).read_plain_value(root)
        if sink.diagnostics or not isinstance(data, Map):
            raise NotFormatted(kind, [explain_loss(d) for d in sink.diagnostics])
    except nodes.UnreadableDocument:
        raise explain_unreadable(kind, sink) from None
    except TooManyErrors as e:
        raise NotFormatted(kind, e.sink.diagnostics) from None
    ordered = hot.template(data) if kind == TEMPLATE else hot.environment(data)
    return CommentedDocument(kind, ordered, ordered is data, comments.read_comments(text, root), root)


def explain_unreadable(kind: str, sink: Sink) -> NotFormatted:
    """The reason for a text that cannot be parsed: an error only if it has the version key of a template."""
    if kind != TEMPLATE:
        return NotFormatted("", ())
    if any(d.code == codes.JINJA_NOT_RENDERED for d in sink.diagnostics):
        diagnostics = [replace(d, code=codes.FILE_CANNOT_BE_FORMATTED, forced="info") for d in sink.diagnostics]
        return NotFormatted("", diagnostics)
    return NotFormatted(kind, sink.diagnostics)


def detect_kind(root: Node) -> str:
    """The kind of a document by its top-level keys: template, environment, the key of another dialect, or ""."""
    if not isinstance(root, MappingNode):
        return ""
    keys = [key.value for key, _ in root.value if isinstance(key, ScalarNode)]
    for key in VERSION_KEYS:
        if key in keys:
            return TEMPLATE if key == HOT else key
    return ENVIRONMENT if keys and all(key in SECTIONS for key in keys) else ""


def diagnose_foreign_text(source: Source, root: Node, kind: str) -> list[Diagnostic]:
    """The diagnostics for a text that is neither a HOT template nor an environment."""
    if not kind:
        return []
    at = next(key.start_mark.index for key, _ in root.value if key.value == kind)
    hint = "hot2tf convert --to hot converts it to HOT."
    return [
        Diagnostic(
            codes.FILE_CANNOT_BE_FORMATTED,
            f"This is a CFN template ({kind}), which fmt does not format.",
            source,
            word_at(at, kind),
            hint,
            "info",
        )
    ]


def explain_loss(diagnostic: Diagnostic) -> Diagnostic:
    """The reason for a text that can be parsed: for example, a key occurs twice, and formatting would lose one."""
    if diagnostic.severity == "error":
        return diagnostic
    return Diagnostic(
        codes.FILE_CANNOT_BE_FORMATTED, diagnostic.message, diagnostic.source, diagnostic.span, diagnostic.hint
    )


def verify_meaning(before: CommentedDocument, old_source: Source, source: Source) -> None:
    """Raises NotFormatted unless the canonical text means the same when it is read, and formatting keeps it."""
    try:
        after = read_document(source)
    except NotFormatted as e:
        raise verification_failure(before.kind, source, "it cannot be read again") from e
    if after.data != before.data:
        raise verification_failure(before.kind, source, "it contains different values")
    in_order = before.in_order and after.in_order  # same data in the same order: the same template
    if not in_order and after.parse_template(source) != before.parse_template(old_source):
        raise verification_failure(before.kind, source, "it is a different template")
    if sorted(c.text.strip() for c in after.comments) != sorted(c.text.strip() for c in before.comments):
        raise verification_failure(before.kind, source, "a comment is lost")
    if print_document(after, source) != source.text:
        raise verification_failure(before.kind, source, "formatting it again changes it")


def verification_failure(kind: str, source: Source, why: str) -> NotFormatted:
    message = f"The formatted text of {source.name} failed verification: {why}."
    return NotFormatted(kind, [Diagnostic(codes.OUTPUT_FAILED_VERIFICATION, message)])
