"""JSON text as a tree of YAML nodes.

Invariant: strict JSON, as Python's `json` reads it, because Heat reads every text that begins with `{` that way.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from json import JSONDecodeError, JSONDecoder
from typing import ClassVar, final

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from transpile.diagnostics import codes
from transpile.diagnostics.model import Sink
from transpile.front.nodes import (
    BOOL,
    FLOAT,
    INT,
    MAX_DEPTH,
    MAX_DIGITS,
    NULL,
    STR,
    TAG,
    UnreadableDocument,
    budget_limit,
    find_jinja,
    refuse_deep_nesting,
    refuse_large_document,
    report_long_integer,
    report_unrendered,
)
from transpile.model.span import Span

SHARE = 2  # a document may have half the values of one in YAML, because this reader is not written in C
STRICT = JSONDecoder()


def compose_json(sink: Sink, text: str) -> Node:
    """The root node of a text. Raises UnreadableDocument, with the reason in the sink."""
    return JsonReader(sink, text).read_document()


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
        self.max_values = budget_limit(sink, "values") // SHARE

    def read_document(self) -> Node:
        try:
            json.loads(self.text)
        except JSONDecodeError as e:
            if find_jinja(self.text) is not None:
                report_unrendered(self.sink, 0, is_wrong_yaml=False)
            else:
                self.sink.add(
                    codes.NOT_YAML_OR_JSON, f"The text begins with {{ but is not valid JSON: {e.msg}.", Span(e.pos)
                )
            raise UnreadableDocument from None
        except RecursionError:  # json.loads recurses in C, and gives up before MAX_DEPTH could be checked below
            refuse_deep_nesting(self.sink)
        except ValueError:  # Python's limit of digits
            at = next((m.start() for m in re.finditer(rf"\d{{{MAX_DIGITS},}}", self.text)), 0)
            report_long_integer(self.sink, at)
            raise UnreadableDocument from None
        return self.read_value(0)[0]

    BLANK = re.compile(r"[ \t\r\n]*")
    ATOM = re.compile(r"-?Infinity|NaN|null|true|false|-?\d+(\.\d+)?([eE][-+]?\d+)?")
    TAGS: ClassVar[Mapping[str, str]] = {"null": NULL, "true": BOOL, "false": BOOL}

    def skip_blanks(self, at: int) -> int:
        match = self.BLANK.match(self.text, at)
        return match.end() if match else at

    def read_value(self, at: int) -> tuple[Node, int]:
        at = self.skip_blanks(at)
        self.count += 1
        self.sink.budget.check_time()
        if self.count > self.max_values:
            refuse_large_document(self.sink, "values", at, share=SHARE)
        char = self.text[at]
        if char == '"':
            text, end = STRICT.raw_decode(self.text, at)
            if not text.isascii() and any("\ud800" <= c <= "\udfff" for c in text):
                self.sink.add(
                    codes.INVALID_CHARACTER,
                    "The text contains a lone surrogate, which is not a valid character.",
                    Span(at, end),
                )
                raise UnreadableDocument
            return ScalarNode(STR, text, Mark(at), Mark(end), style='"'), end
        if char in "{[":
            return self.read_collection(at, char)
        match = self.ATOM.match(self.text, at)
        assert match
        text, end = match[0], match.end()
        if text in self.TAGS:
            return ScalarNode(self.TAGS[text], text, Mark(at), Mark(end)), end
        if text.lstrip("-").isdigit():
            return ScalarNode(INT, str(int(text)), Mark(at), Mark(end)), end
        value = {"NaN": ".nan", "Infinity": ".inf", "-Infinity": "-.inf"}.get(text) or repr(float(text)).replace(
            "inf", ".inf"
        )
        return ScalarNode(FLOAT, value, Mark(at), Mark(end)), end

    def read_collection(self, start: int, char: str) -> tuple[Node, int]:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            refuse_deep_nesting(self.sink, start)
        pairs: list[tuple[Node, Node]] = []
        items: list[Node] = []
        at = self.skip_blanks(start + 1)
        while self.text[at] not in "}]":
            if self.text[at] == ",":
                at = self.skip_blanks(at + 1)
            node, at = self.read_value(at)
            if char == "{":
                value_node, at = self.read_value(self.skip_blanks(at) + 1)
                pairs.append((node, value_node))
            else:
                items.append(node)
            at = self.skip_blanks(at)
        self.depth -= 1
        if char == "{":
            return MappingNode(TAG + "map", pairs, Mark(start), Mark(at + 1), flow_style=True), at + 1
        return SequenceNode(TAG + "seq", items, Mark(start), Mark(at + 1), flow_style=True), at + 1
