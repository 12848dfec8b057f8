"""JSON text as a tree of YAML nodes.

Invariant: strict JSON, as Python's `json` reads it, because Heat reads every text that begins with `{` that way.
"""

from __future__ import annotations

import json
import re
from json import JSONDecodeError, JSONDecoder
from typing import TYPE_CHECKING, ClassVar, final

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from transpile.diagnostics import codes
from transpile.front.nodes import (
    BOOL,
    FLOAT,
    INT,
    MAX_DEPTH,
    MAX_DIGITS,
    NULL,
    STR,
    TAG,
    Unreadable,
    jinja,
    most,
    too_deep,
    too_large,
)
from transpile.model.span import Span

if TYPE_CHECKING:
    from collections.abc import Mapping

    from transpile.diagnostics.model import Sink

SHARE = 2  # a document may have half the values of one in YAML, because this reader is not written in C
STRICT = JSONDecoder()


def compose(sink: Sink, text: str) -> Node:
    """The root node of a text. Raises UnreadableDocument, with the reason in the sink."""
    return JsonReader(sink, text).document()


@final
class Mark(yaml.Mark):
    """A place in JSON text, in the form that YAML's nodes have."""

    def __init__(self, index: int) -> None:
        self.index = index


@final
class JsonReader:
    """Reads JSON with the places of all values. `json.loads` has checked the text before, which keeps this simple."""

    def __init__(self, sink: Sink, text: str) -> None:
        self.sink, self.text, self.depth, self.count = sink, text, 0, 0
        self.most = most(sink, "values") // SHARE

    def document(self) -> Node:
        try:
            json.loads(self.text)
        except JSONDecodeError as e:
            if jinja(self.text) is not None:
                self.sink.say(codes.JINJA_NOT_RENDERED, "This is a Jinja2 source, not a template.")
            else:
                self.sink.say(
                    codes.NOT_YAML_OR_JSON, f"The text begins with {{ but is not valid JSON: {e.msg}.", Span(e.pos)
                )
            raise Unreadable from None
        except RecursionError:  # json.loads recurses in C, and gives up before MAX_DEPTH could be checked below
            too_deep(self.sink)
        except ValueError:  # Python's limit of digits
            at = next((m.start() for m in re.finditer(rf"\d{{{MAX_DIGITS},}}", self.text)), 0)
            self.sink.say(
                codes.INVALID_VALUE_OR_KEY,
                f"Heat cannot read this value: an integer of more than {MAX_DIGITS} digits.",
                Span(at),
            )
            raise Unreadable from None
        return self.value(0)[0]

    BLANK = re.compile(r"[ \t\r\n]*")
    ATOM = re.compile(r"-?Infinity|NaN|null|true|false|-?\d+(\.\d+)?([eE][-+]?\d+)?")
    TAGS: ClassVar[Mapping[str, str]] = {"null": NULL, "true": BOOL, "false": BOOL}

    def skip(self, at: int) -> int:
        found = self.BLANK.match(self.text, at)
        return found.end() if found else at

    def value(self, at: int) -> tuple[Node, int]:
        at = self.skip(at)
        self.count += 1
        self.sink.budget.check_time()
        if self.count > self.most:
            too_large(self.sink, "values", at, share=SHARE)
        char = self.text[at]
        if char == '"':
            text, end = STRICT.raw_decode(self.text, at)
            if not text.isascii() and any("\ud800" <= c <= "\udfff" for c in text):
                self.sink.say(
                    codes.INVALID_CHARACTER,
                    "The text contains a lone surrogate, which is not a valid character.",
                    Span(at, end),
                )
                raise Unreadable
            return ScalarNode(STR, text, Mark(at), Mark(end), style='"'), end
        if char in "{[":
            return self.collection(at, char)
        found = self.ATOM.match(self.text, at)
        assert found
        text, end = found[0], found.end()
        if text in self.TAGS:
            return ScalarNode(self.TAGS[text], text, Mark(at), Mark(end)), end
        if text.lstrip("-").isdigit():
            return ScalarNode(INT, str(int(text)), Mark(at), Mark(end)), end
        value = {"NaN": ".nan", "Infinity": ".inf", "-Infinity": "-.inf"}.get(text) or repr(float(text)).replace(
            "inf", ".inf"
        )
        return ScalarNode(FLOAT, value, Mark(at), Mark(end)), end

    def collection(self, start: int, char: str) -> tuple[Node, int]:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            too_deep(self.sink, start)
        pairs: list[tuple[Node, Node]] = []
        items: list[Node] = []
        at = self.skip(start + 1)
        while self.text[at] not in "}]":
            if self.text[at] == ",":
                at = self.skip(at + 1)
            one, at = self.value(at)
            if char == "{":
                two, at = self.value(self.skip(at) + 1)
                pairs.append((one, two))
            else:
                items.append(one)
            at = self.skip(at)
        self.depth -= 1
        if char == "{":
            return MappingNode(TAG + "map", pairs, Mark(start), Mark(at + 1), flow_style=True), at + 1
        return SequenceNode(TAG + "seq", items, Mark(start), Mark(at + 1), flow_style=True), at + 1
