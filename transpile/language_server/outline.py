"""The outline of a document: its sections and declarations."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from yaml.nodes import MappingNode

from transpile.front.nodes import span_of
from transpile.language_server import tree
from transpile.language_server.documents import ENVIRONMENT, TEMPLATE, TextDocument
from transpile.model.printable import make_printable
from transpile.model.records import node
from transpile.model.span import Span, WithSpan

if TYPE_CHECKING:
    from yaml.nodes import Node, ScalarNode


@final
@node
class OutlineEntry(WithSpan):
    """A name in the outline. `span`: the place of the name; `stop`: the offset at which its declaration ends."""

    name: str
    kind: str
    detail: str
    span: Span
    stop: int
    inside: tuple[OutlineEntry, ...] = ()


def outline_document(document: TextDocument) -> list[OutlineEntry]:
    """The sections of a document, with their entries."""
    if document.kind not in (TEMPLATE, ENVIRONMENT):
        return []
    sections = document.version.dialect.sections if document.kind == TEMPLATE else {}
    entries = []
    for key, value in tree.key_value_pairs(document.root):
        word = sections.get(str(key.value), str(key.value))
        inside = [make_outline_entry(document, k, v, word.removesuffix("s")) for k, v in tree.key_value_pairs(value)]
        entries.append(make_outline_entry(document, key, value, "section", tuple(inside)))
    return entries


def make_outline_entry(
    document: TextDocument, key: ScalarNode, value: Node, kind: str, inside: tuple[OutlineEntry, ...] = ()
) -> OutlineEntry:
    detail = ""
    if isinstance(value, MappingNode) and kind in ("resource", "parameter"):
        words = ("type", "Type")
        detail = next(
            (str(v.value) for k, v in tree.key_value_pairs(value) if k.value in words and isinstance(v.value, str)), ""
        )
    span = span_of(key)
    last = max(
        [
            tree.end_offset(value) if tree.start_offset(value) >= span.at else span.end,
            span.end,
            *(nested.stop for nested in inside),
        ]
    )
    stop = span.at + len(document.text[span.at : last].rstrip())
    name = make_printable(str(key.value)) or "''"  # the protocol wants a name
    return OutlineEntry(name, kind, make_printable(detail), span, max(stop, span.end), inside)
