"""JSON documents that Heat and its client write, with the place of every value.

Invariant: a value in another form than Heat writes is a diagnostic at its place, and counts as missing from then on.
Places are computed only for the values that are asked for, because an export can be large: each nested stack repeats
the files of the outermost one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from json import JSONDecodeError, JSONDecoder
from typing import Any, final

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from transpile.diagnostics import codes
from transpile.diagnostics.model import Sink
from transpile.front.nodes import read_scalar_node, report_deep_nesting, report_long_integer
from transpile.model.lazy_patterns import compile_lazily
from transpile.model.source import Source
from transpile.model.span import Span, WithSpan
from transpile.text.source import lone_surrogate

WRONG_FORM = codes.MALFORMED_RUNNING_STACK
BLANK = compile_lazily(r"[ \t\r\n]*")
DECODER = JSONDecoder()


class NotJson(Exception):
    """The text is not JSON; the diagnostic is in the sink."""


@final
class JsonValue(WithSpan):
    """A value in a document. `what`: its name in diagnostics."""

    __slots__ = ("label", "sink", "span", "value")

    def __init__(self, sink: Sink, span: Span, value: Any, label: str) -> None:
        self.sink, self.span, self.value, self.label = sink, span, value, label

    @property
    def document(self) -> Source:
        return self.sink.source

    def report_problem(self, message: str, code: str = WRONG_FORM, hint: str = "") -> None:
        """Reports a problem with this value. Excerpts show one line at most, so the place is only the beginning of the
        value.
        """
        end = self.at + 1 if isinstance(self.value, (dict, list)) else self.end
        self.sink.add(code, message, Span(self.at, end), hint)

    def is_map(self) -> bool:
        return isinstance(self.value, dict)

    def is_null(self) -> bool:
        """Whether this is null."""
        return self.value is None

    def walk_entries(self) -> Iterator[tuple[str, JsonValue, JsonValue]]:
        """The entries of a map: word, key, value. A duplicate key is reported.

        The text is decoded once more here, because `json.loads` returns no offsets.
        """
        if not isinstance(self.value, dict):
            if not self.is_null():
                self.report_problem(f"{self.label} must be a map.")
            return
        seen = set[str]()
        text, at = self.document.text, self.skip_blanks(self.at + 1)
        while text[at] != "}":
            word, end = DECODER.raw_decode(text, at)
            begin = self.skip_blanks(self.skip_blanks(end) + 1)  # behind the colon
            value, stop = DECODER.raw_decode(text, begin)
            key = JsonValue(self.sink, Span(at, end), word, word)
            if word in seen:
                key.report_problem(f"{self.label} has {word} twice.")
            else:
                seen.add(word)
                yield word, key, JsonValue(self.sink, Span(begin, stop), value, word)
            at = self.skip_comma(stop)

    def entries(self) -> dict[str, JsonValue]:
        return {word: value for word, _, value in self.walk_entries()}

    def walk_items(self) -> Iterator[JsonValue]:
        """The items of a list."""
        if not isinstance(self.value, list):
            if not self.is_null():
                self.report_problem(f"{self.label} must be a list.")
            return
        text, at = self.document.text, self.skip_blanks(self.at + 1)
        while text[at] != "]":
            value, stop = DECODER.raw_decode(text, at)
            yield JsonValue(self.sink, Span(at, stop), value, f"an item of {self.label}")
            at = self.skip_comma(stop)

    def skip_blanks(self, at: int) -> int:
        """The offset after white space."""
        match = BLANK.match(self.document.text, at)
        return match.end() if match else at

    def skip_comma(self, at: int) -> int:
        """The offset of the next item, or of the end of the collection."""
        at = self.skip_blanks(at)
        return self.skip_blanks(at + 1) if self.document.text[at] == "," else at

    def read_text(self) -> str:
        """A string; "" for null. Any other value is reported, and gives "", too."""
        if isinstance(self.value, str):
            if lone_surrogate(self.value) < 0:
                return self.value
            self.report_problem(
                "The text contains a lone surrogate, which is not a valid character.", codes.INVALID_CHARACTER
            )
        elif not self.is_null():
            self.report_problem(f"{self.label} must be a string.")
        return ""

    def as_data(self) -> Any:
        """The value as Python data."""
        return self.value

    def as_source(self, name: str) -> Source:
        """The text of the value, as a source whose spans lead back into the document."""
        whole = self.document
        return Source(name, whole.text[self.at : self.end], (whole, [(0, self.at, True)]), budget=whole.budget)


def read_yaml_data(node: Node) -> Any:
    """A node of a YAML document as Python data."""
    if isinstance(node, MappingNode):
        return {str(key.value): read_yaml_data(value) for key, value in node.value}
    if isinstance(node, SequenceNode):
        return [read_yaml_data(item) for item in node.value]
    assert isinstance(node, ScalarNode)
    return read_scalar_node(node)


def read_json(source: Source, sink: Sink) -> JsonValue:
    """The document in a text. Raises NotJson, with the reason in the sink."""
    text = source.text
    begin = BLANK.match(text)
    at = begin.end() if begin else 0
    if text[at : at + 1] not in ("{", "["):
        sink.add(codes.NOT_A_RUNNING_STACK, "This is not JSON.", Span(0, 1))
        raise NotJson
    try:
        value = json.loads(text)
    except JSONDecodeError as e:
        sink.add(codes.NOT_YAML_OR_JSON, f"This is not valid JSON: {e.msg}.", Span(e.pos))
        raise NotJson from None
    except RecursionError:
        report_deep_nesting(sink, at)
        raise NotJson from None
    except ValueError:  # Python's limit of digits
        report_long_integer(sink, at)
        raise NotJson from None
    return JsonValue(sink, Span(at, len(text.rstrip(" \t\r\n"))), value, source.name)
