"""JSON documents that Heat and its client write, with the place of every value.

Invariant: what has another form than Heat's is a diagnostic at its place, and the reader goes on with nothing in its
stead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, final

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from transpile.front import json_reader, nodes
from transpile.model.source import Source

if TYPE_CHECKING:
    from collections.abc import Iterator

    from transpile.diagnostics.model import Sink

WRONG = "HOT711"


class NotJson(Exception):
    """The text is not JSON; the diagnostic is in the sink."""


@final
class Part:
    """A value in a document. `what`: what diagnostics call it."""

    def __init__(self, sink: Sink, node: Node, what: str) -> None:
        self.sink, self.node, self.what = sink, node, what

    @property
    def at(self) -> int:
        index: int = self.node.start_mark.index
        return index

    @property
    def end(self) -> int:
        index: int = self.node.end_mark.index
        return index

    def wrong(self, message: str, code: str = WRONG, hint: str = "") -> None:
        """Reports what is wrong here. Excerpts show one line at most, so the place is only where the value begins."""
        end = self.end if isinstance(self.node, ScalarNode) else self.at + 1
        self.sink.say(code, message, self.at, end, hint)

    def is_map(self) -> bool:
        return isinstance(self.node, MappingNode)

    def is_list(self) -> bool:
        return isinstance(self.node, SequenceNode)

    def items(self) -> Iterator[tuple[str, Part, Part]]:
        """The entries of a map, each with its key; a key that is there twice is reported."""
        if not isinstance(self.node, MappingNode):
            if not self.empty():
                self.wrong(f"{self.what} must be a map.")
            return
        seen = set[str]()
        for key, value in self.node.value:
            word = str(key.value)
            if word in seen:
                Part(self.sink, key, word).wrong(f"{self.what} has {word} twice.")
                continue
            seen.add(word)
            yield word, Part(self.sink, key, word), Part(self.sink, value, word)

    def entries(self) -> dict[str, Part]:
        return {word: value for word, _, value in self.items()}

    def each(self) -> Iterator[Part]:
        """The items of a list."""
        if isinstance(self.node, SequenceNode):
            for item in self.node.value:
                yield Part(self.sink, item, f"an item of {self.what}")
        elif not self.empty():
            self.wrong(f"{self.what} must be a list.")

    def empty(self) -> bool:
        """Whether this is null."""
        return isinstance(self.node, ScalarNode) and self.node.tag == nodes.NULL

    def text(self) -> str:
        """A string; "" for null, and for what is none, which is reported."""
        if isinstance(self.node, ScalarNode) and self.node.tag == nodes.STR:
            return str(self.node.value)
        if not self.empty():
            self.wrong(f"{self.what} must be a string.")
        return ""

    def data(self) -> Any:
        """The value as Python data."""
        return data(self.node)

    def source(self, name: str) -> Source:
        """The text of the value, whose places lead into the document."""
        whole = self.sink.source
        assert whole is not None
        text = whole.text[self.at : self.end]
        return Source(name, text, (whole, [(0, self.at, True)]), whole.budget)


def data(node: Node) -> Any:
    """A node as Python data."""
    if isinstance(node, MappingNode):
        return {str(key.value): data(value) for key, value in node.value}
    if isinstance(node, SequenceNode):
        return [data(item) for item in node.value]
    assert isinstance(node, ScalarNode)
    return nodes.scalar(node)


def read(source: Source, sink: Sink) -> Part:
    """The document in a text. Raises NotJson, with the reason in the sink."""
    text = source.text
    if text.lstrip()[:1] not in ("{", "["):
        sink.say("HOT710", "This is not JSON.", 0, 1)
        raise NotJson
    try:
        return Part(sink, json_reader.compose(sink, text), source.name)
    except nodes.Unreadable:
        raise NotJson from None
