"""Formats one text canonically and proves that its meaning is unchanged.

Invariant: each result has been read again and compared: the same document, template and comments, and the same text
when it is formatted again. A text that fails this is left unchanged, with a diagnostic.
"""

from __future__ import annotations

import functools
import importlib
from typing import TYPE_CHECKING, Any

from yaml.nodes import MappingNode, Node, ScalarNode

from transpile import document_kinds
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, Sink, TooMany
from transpile.front import comments, documents, nodes
from transpile.front import template as templates
from transpile.front.environment import SECTIONS
from transpile.front.expressions import Expressions
from transpile.model.intrinsics import HOT, VERSION_KEYS, version
from transpile.model.ir import Map
from transpile.model.records import record, replace
from transpile.model.source import Source
from transpile.model.span import word_at

if TYPE_CHECKING:
    from collections.abc import Sequence

    from transpile.model.ir import Comment, Template

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
class Document:
    """A text as it was read: its data in canonical order, its comments, and its YAML nodes. `in_order`: the text
    already has the canonical order.
    """

    kind: str
    data: Map
    in_order: bool
    comments: tuple[Comment, ...]
    root: Node

    def template(self, source: Source) -> tuple[Template | None, list[str]]:
        """The template in the document, and the codes of its diagnostics; None and no codes for other documents."""
        if self.kind != TEMPLATE:
            return None, []
        sink = Sink(source)
        try:
            found = templates.of(sink, self.root, commented=False)
        except nodes.Unreadable:
            found = None
        except TooMany as e:
            found, sink = None, e.sink
        return found, sorted(d.code for d in sink.found)


class LeftAlone(Exception):
    """The text cannot be formatted. `diagnostics` say why; they are empty for a text that is not Heat's."""

    def __init__(self, kind: str, found: Sequence[Diagnostic]) -> None:
        super().__init__()
        self.kind, self.found = kind, found


@functools.cache
def canonical() -> Any:
    """The printer of canonical HOT. This room may not import emitters, and one module loads faster than the target."""
    return importlib.import_module("emitters.hot.document")


def format_text(source: Source) -> Formatted:
    """The canonical form of a text: a template (HOT), an environment, or a document of another kind."""
    if (key := document_kinds.claiming_key(source)) is not None:
        return format_document(key, source)
    try:
        read = document(source)
        text = show(read, source)
        if text != source.text:
            prove(read, source, Source(source.name, text, budget=source.budget))
    except LeftAlone as e:
        return Formatted(source.text, e.kind, e.found)
    return Formatted(text, read.kind)


def format_document(key: str, source: Source) -> Formatted:
    """The canonical form of a document of another kind; one that is not formatted is not touched."""
    kind = document_kinds.find_kind(key)
    if kind.format is None:
        return Formatted(source.text, "")
    text, diagnostics = kind.format(source)
    return Formatted(text, kind.name, diagnostics)


def show(read: Document, source: Source) -> str:
    text: str = canonical().show(read.data, read.comments, source.text, is_template=read.kind == TEMPLATE)
    return text


def document(source: Source) -> Document:
    """Reads a text. Raises NotFormatted."""
    text = source.text
    guessed = kind = TEMPLATE if any(key in text for key in VERSION_KEYS) else ENVIRONMENT
    sink = Sink(source)
    try:
        root = documents.compose(sink, source.name, trimmed=guessed == TEMPLATE)
        kind = kind_of(root)
        if kind == ENVIRONMENT != guessed:  # Heat strips the white space around templates, not around environments
            root = documents.compose(sink, source.name)
        if kind not in (TEMPLATE, ENVIRONMENT):
            raise LeftAlone("", other(source, root, kind))
        data = Expressions(sink, version("2013-05-23"), frozenset()).plain(root)
        if sink.found or not isinstance(data, Map):
            raise LeftAlone(kind, [not_kept(d) for d in sink.found])
    except nodes.Unreadable:
        raise unread(kind, sink) from None
    except TooMany as e:
        raise LeftAlone(kind, e.sink.found) from None
    ordered = canonical().template(data) if kind == TEMPLATE else canonical().environment(data)
    return Document(kind, ordered, ordered is data, comments.read(text, root), root)


def unread(kind: str, sink: Sink) -> LeftAlone:
    """The reason for a text that cannot be parsed: an error only if it has the version key of a template."""
    if kind != TEMPLATE:
        return LeftAlone("", ())
    if any(d.code == codes.JINJA_NOT_RENDERED for d in sink.found):
        said = [replace(d, code=codes.FILE_CANNOT_BE_FORMATTED, forced="info") for d in sink.found]
        return LeftAlone("", said)
    return LeftAlone(kind, sink.found)


def kind_of(root: Node) -> str:
    """The kind of a document by its top-level keys: template, environment, the key of another dialect, or ""."""
    if not isinstance(root, MappingNode):
        return ""
    keys = [key.value for key, _ in root.value if isinstance(key, ScalarNode)]
    for key in VERSION_KEYS:
        if key in keys:
            return TEMPLATE if key == HOT else key
    return ENVIRONMENT if keys and all(key in SECTIONS for key in keys) else ""


def other(source: Source, root: Node, kind: str) -> list[Diagnostic]:
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


def not_kept(found: Diagnostic) -> Diagnostic:
    """The reason for a text that can be parsed: for example, a key occurs twice, and formatting would lose one."""
    if found.severity == "error":
        return found
    return Diagnostic(codes.FILE_CANNOT_BE_FORMATTED, found.message, found.source, found.span, found.hint)


def prove(before: Document, was: Source, source: Source) -> None:
    """Raises NotFormatted unless the canonical text means the same when it is read, and formatting keeps it."""
    try:
        after = document(source)
    except LeftAlone as e:
        raise changed(before.kind, source, "it cannot be read again") from e
    if after.data != before.data:
        raise changed(before.kind, source, "it contains different values")
    in_order = before.in_order and after.in_order  # same data in the same order: the same template
    if not in_order and after.template(source) != before.template(was):
        raise changed(before.kind, source, "it is a different template")
    if sorted(c.text.strip() for c in after.comments) != sorted(c.text.strip() for c in before.comments):
        raise changed(before.kind, source, "a comment is lost")
    if show(after, source) != source.text:
        raise changed(before.kind, source, "formatting it again changes it")


def changed(kind: str, source: Source, why: str) -> LeftAlone:
    message = f"The formatted text of {source.name} failed verification: {why}."
    return LeftAlone(kind, [Diagnostic(codes.OUTPUT_FAILED_VERIFICATION, message)])
