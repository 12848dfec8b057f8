"""The outline of a document: its sections and what they declare."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from yaml.nodes import MappingNode

from transpile.front.nodes import span_of
from transpile.language_server import tree
from transpile.language_server.documents import ENVIRONMENT, TEMPLATE
from transpile.model.printable import printable
from transpile.model.records import node
from transpile.model.span import Placed, Span

if TYPE_CHECKING:
    from yaml.nodes import Node, ScalarNode

    from transpile.language_server.documents import Document


@final
@node
class Entry(Placed):
    """A name in the outline. `span`: the place of the name; `stop`: the offset at which its declaration ends."""

    name: str
    kind: str
    detail: str
    span: Span
    stop: int
    inside: tuple[Entry, ...] = ()


def outline(document: Document) -> list[Entry]:
    """The sections of a document, with their entries."""
    if document.kind not in (TEMPLATE, ENVIRONMENT):
        return []
    sections = document.version.dialect.sections if document.kind == TEMPLATE else {}
    found = []
    for key, value in tree.pairs(document.root):
        word = sections.get(str(key.value), str(key.value))
        inside = [entry(document, k, v, word.removesuffix("s")) for k, v in tree.pairs(value)]
        found.append(entry(document, key, value, "section", tuple(inside)))
    return found


def entry(document: Document, key: ScalarNode, value: Node, kind: str, inside: tuple[Entry, ...] = ()) -> Entry:
    detail = ""
    if isinstance(value, MappingNode) and kind in ("resource", "parameter"):
        words = ("type", "Type")
        detail = next((str(v.value) for k, v in tree.pairs(value) if k.value in words and isinstance(v.value, str)), "")
    span = span_of(key)
    last = max([tree.end(value) if tree.start(value) >= span.at else span.end, span.end, *(one.stop for one in inside)])
    stop = span.at + len(document.text[span.at : last].rstrip())
    name = printable(str(key.value)) or "''"  # the protocol wants a name
    return Entry(name, kind, printable(detail), span, max(stop, span.end), inside)
