"""JSON documents that Heat and its client write, with the place of every value.

Invariant: what has another form than Heat's is a diagnostic at its place, and the reader goes on with nothing in its
stead. Only the parts that are asked for are looked through one by one: an export repeats the files of a stack in each
one that is nested in it.
"""

from __future__ import annotations

import json
import re
from json import JSONDecodeError, JSONDecoder
from typing import TYPE_CHECKING, Any, final

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from transpile.diagnostics import codes
from transpile.front.nodes import MAX_DEPTH, MAX_DIGITS, scalar
from transpile.model.source import Source
from transpile.model.span import Placed, Span
from transpile.text.source import lone_surrogate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from transpile.diagnostics.model import Sink

WRONG = codes.MALFORMED_RUNNING_STACK
BLANK = re.compile(r"[ \t\r\n]*")
DECODER = JSONDecoder()


class NotJson(Exception):
    """The text is not JSON; the diagnostic is in the sink."""


@final
class Part(Placed):
    """A value in a document. `what`: what diagnostics call it."""

    __slots__ = ("found", "sink", "span", "what")

    def __init__(self, sink: Sink, span: Span, found: Any, what: str) -> None:
        self.sink, self.span, self.found, self.what = sink, span, found, what

    @property
    def document(self) -> Source:
        assert self.sink.source is not None
        return self.sink.source

    def wrong(self, message: str, code: str = WRONG, hint: str = "") -> None:
        """Reports what is wrong here. Excerpts show one line at most, so the place is only where the value begins."""
        end = self.at + 1 if isinstance(self.found, (dict, list)) else self.end
        self.sink.say(code, message, Span(self.at, end), hint)

    def is_map(self) -> bool:
        return isinstance(self.found, dict)

    def empty(self) -> bool:
        """Whether this is null."""
        return self.found is None

    def items(self) -> Iterator[tuple[str, Part, Part]]:
        """The entries of a map, each with its key; a key that is there twice is reported."""
        if not isinstance(self.found, dict):
            if not self.empty():
                self.wrong(f"{self.what} must be a map.")
            return
        seen = set[str]()
        text, at = self.document.text, self.after(self.at + 1)
        while text[at] != "}":
            word, end = DECODER.raw_decode(text, at)
            begin = self.after(self.after(end) + 1)  # behind the colon
            value, stop = DECODER.raw_decode(text, begin)
            key = Part(self.sink, Span(at, end), word, word)
            if word in seen:
                key.wrong(f"{self.what} has {word} twice.")
            else:
                seen.add(word)
                yield word, key, Part(self.sink, Span(begin, stop), value, word)
            at = self.following(stop)

    def entries(self) -> dict[str, Part]:
        return {word: value for word, _, value in self.items()}

    def each(self) -> Iterator[Part]:
        """The items of a list."""
        if not isinstance(self.found, list):
            if not self.empty():
                self.wrong(f"{self.what} must be a list.")
            return
        text, at = self.document.text, self.after(self.at + 1)
        while text[at] != "]":
            value, stop = DECODER.raw_decode(text, at)
            yield Part(self.sink, Span(at, stop), value, f"an item of {self.what}")
            at = self.following(stop)

    def after(self, at: int) -> int:
        """The offset after white space."""
        found = BLANK.match(self.document.text, at)
        return found.end() if found else at

    def following(self, at: int) -> int:
        """The offset of the next item, or of the end of the collection."""
        at = self.after(at)
        return self.after(at + 1) if self.document.text[at] == "," else at

    def text(self) -> str:
        """A string; "" for null, and for what is none, which is reported."""
        if isinstance(self.found, str):
            if lone_surrogate(self.found) < 0:
                return self.found
            self.wrong("The text contains a lone surrogate, which is not a valid character.", codes.INVALID_CHARACTER)
        elif not self.empty():
            self.wrong(f"{self.what} must be a string.")
        return ""

    def data(self) -> Any:
        """The value as Python data."""
        return self.found

    def source(self, name: str) -> Source:
        """The text of the value, whose places lead into the document."""
        whole = self.document
        return Source(name, whole.text[self.at : self.end], (whole, [(0, self.at, True)]), whole.budget)


def data(node: Node) -> Any:
    """A node of a YAML document as Python data."""
    if isinstance(node, MappingNode):
        return {str(key.value): data(value) for key, value in node.value}
    if isinstance(node, SequenceNode):
        return [data(item) for item in node.value]
    assert isinstance(node, ScalarNode)
    return scalar(node)


def read(source: Source, sink: Sink) -> Part:
    """The document in a text. Raises NotJson, with the reason in the sink."""
    text = source.text
    begin = BLANK.match(text)
    at = begin.end() if begin else 0
    if text[at : at + 1] not in ("{", "["):
        sink.say(codes.NOT_A_RUNNING_STACK, "This is not JSON.", Span(0, 1))
        raise NotJson
    try:
        found = json.loads(text)
    except JSONDecodeError as e:
        sink.say(codes.NOT_YAML_OR_JSON, f"This is not valid JSON: {e.msg}.", Span(e.pos))
        raise NotJson from None
    except RecursionError:
        sink.say(codes.NESTED_TOO_DEEPLY, f"Collections are nested more than {MAX_DEPTH} levels deep.", Span(at))
        raise NotJson from None
    except ValueError:  # Python's limit of digits
        sink.say(
            codes.INVALID_VALUE_OR_KEY,
            f"Heat cannot read this value: an integer of more than {MAX_DIGITS} digits.",
            Span(at),
        )
        raise NotJson from None
    return Part(sink, Span(at, len(text.rstrip(" \t\r\n"))), found, source.name)
