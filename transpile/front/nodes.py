"""The parts that the readers of YAML and JSON share: tags of nodes, values of scalars, and limits of documents.

Invariant: scalars are read as Heat reads them: YAML 1.1 as in PyYAML, but dates stay texts.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable
from typing import Any, NoReturn

from yaml.nodes import Node, ScalarNode

from transpile.diagnostics import codes
from transpile.diagnostics.model import Sink, hint_to_raise_limit
from transpile.diagnostics.registry import message_of_rule
from transpile.model.ir import Scalar
from transpile.model.lazy_patterns import compile_lazily
from transpile.model.span import Span

TAG = "tag:yaml.org,2002:"
MAP, SEQ = TAG + "map", TAG + "seq"
STR, INT, FLOAT, BOOL, NULL, MERGE, TIMESTAMP = (
    TAG + t for t in ("str", "int", "float", "bool", "null", "merge", "timestamp")
)
BINARY, SET, *PAIRS = (TAG + t for t in ("binary", "set", "omap", "pairs"))
MAX_DEPTH = 80  # nested collections
MAX_DIGITS = 4300  # of an integer, as Python's own limit
JINJA_STATEMENT = r"\{%-?\s*\w"
BOOLS = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}


class UnreadableDocument(Exception):
    """The text cannot be read at all. Its diagnostic is already in the sink."""


GO_STATEMENT = compile_lazily(
    r"\{\{-?\s*(?:(?:range|if|with|else if|define|template|block)\s|(?:end|else)\s*-?\}\}|\.[A-Za-z_]|\$[.\w])"
)


def report_unrendered(sink: Sink, at: int, *, is_wrong_yaml: bool) -> None:
    """Reports a source of a template engine. `is_wrong_yaml`: whether a text that was read as YAML is not YAML."""
    why = ": it contains {{ }} or {% %} and is not valid YAML" * is_wrong_yaml
    if GO_STATEMENT.search(sink.source.text):
        message = f"This is a source of Go's template language, as in Helm charts, not a template{why}."
        sink.add(codes.JINJA_NOT_RENDERED, message, Span(at), "Render it first, for example with helm template.")
    else:
        sink.add(codes.JINJA_NOT_RENDERED, f"This is a Jinja2 source, not a template{why}.", Span(at))


def find_jinja(text: str) -> int | None:
    """The offset of the first statement or expression of Jinja2 in a text; None if there is none."""
    match = re.search(JINJA_STATEMENT, text)
    statement = len(text) if match is None else match.start()
    at = 0
    while (begin := text.find("{{", at, statement)) >= 0:
        line = text.find("\n", begin)
        line = len(text) if line < 0 else line
        if text.find("}}", begin, line) >= 0:
            return begin
        at = line
    return None if match is None else statement


def read_sexagesimal(digits: str, kind: Callable[[str], Any]) -> Any:
    total = kind("0")
    for part in digits.split(":"):
        total = total * 60 + kind(part)
    return total


def read_yaml_integer(text: str) -> int:
    """An integer of YAML 1.1, where `1_000` is 1000, `010` is 8 and `1:30` is 90. Raises ValueError."""
    if text.isdecimal() and text.isascii() and text[0] != "0" and len(text) <= MAX_DIGITS // 2:
        return int(text)
    value = text.replace("_", "")
    sign = -1 if value[:1] == "-" else 1
    value = value.lstrip("+-")
    if not value:
        raise ValueError("an integer without digits")
    if len(value) > MAX_DIGITS // 2:  # in base 60 twice as many would do
        raise ValueError(f"an integer of more than {MAX_DIGITS // 2} digits")
    if value.startswith("0b"):
        return sign * int(value[2:], 2)
    if value.startswith("0x"):
        return sign * int(value[2:], 16)
    if ":" in value:
        return sign * int(read_sexagesimal(value, int))
    if value[0] == "0" and value != "0":
        return sign * int(value, 8)
    return sign * int(value)


def read_yaml_float(text: str) -> float:
    """A float of YAML 1.1, where `1:30.5` is 90.5. Raises ValueError."""
    value = text.replace("_", "").lower()
    sign = -1.0 if value[:1] == "-" else 1.0
    value = value.lstrip("+-")
    if not value:
        raise ValueError("a number without digits")
    if value in (".inf", ".nan"):
        return sign * float(value[1:])
    if ":" in value:
        return sign * float(read_sexagesimal(value, float))
    return sign * float(value)


def read_yaml_boolean(text: str) -> bool:
    """A boolean of YAML 1.1, such as `yes` or `Off`. Raises ValueError."""
    if text.lower() not in BOOLS:
        raise ValueError(f"{text} is not a boolean")
    return BOOLS[text.lower()]


def read_yaml_binary(text: str) -> str:
    """Bytes as Heat's client sends them: as UTF-8 text."""
    return base64.b64decode("".join(text.split()), validate=True).decode("utf-8")


SCALARS: dict[str, Callable[[str], Scalar]] = {
    STR: lambda v: v,
    INT: read_yaml_integer,
    FLOAT: read_yaml_float,
    BOOL: read_yaml_boolean,
    NULL: lambda v: None,
    TIMESTAMP: lambda v: v,
    BINARY: read_yaml_binary,
}


def read_scalar_node(node: ScalarNode) -> Scalar:
    """The value of a scalar. Raises ValueError if Heat refuses the tag or if the text does not fit it."""
    read = SCALARS.get(node.tag)
    if read is None:
        raise ValueError(f"unsupported tag {node.tag.replace(TAG, '!!')}")
    return read(node.value)


def span_of(node: Node) -> Span:
    """The place of a node."""
    return Span(node.start_mark.index, node.end_mark.index)


def key_text(value: Scalar) -> str:
    """A key as Heat sees it: templates are sent as JSON, whose keys are strings."""
    return value if isinstance(value, str) else json.dumps(value)


def report_deep_nesting(sink: Sink, at: int) -> None:
    sink.add(codes.NESTED_TOO_DEEPLY, message_of_rule(codes.NESTED_TOO_DEEPLY, limit=str(MAX_DEPTH)), Span(at))


def report_long_integer(sink: Sink, at: int) -> None:
    """Reports an integer with more digits than Python converts, which Heat cannot read either."""
    message = f"Heat cannot read this value: an integer of more than {MAX_DIGITS} digits."
    sink.add(codes.INVALID_VALUE_OR_KEY, message, Span(at))


def refuse_deep_nesting(sink: Sink, at: int = 0) -> NoReturn:
    report_deep_nesting(sink, at)
    raise UnreadableDocument


def budget_limit(sink: Sink, name: str) -> int:
    """The limit of this name in the budget of the run."""
    return sink.budget.limits[name]


def refuse_large_document(sink: Sink, name: str, at: int = 0, *, aliases: bool = False, share: int = 1) -> NoReturn:
    """Reports that the document exceeds a limit, or its part `1 / share`, and raises UnreadableDocument."""
    start, limit = "With its aliases written out, the" if aliases else "The", budget_limit(sink, name)
    sink.add(
        codes.DOCUMENT_TOO_LARGE,
        f"{start} document has more than {limit // share:,} {name}.",
        Span(at),
        hint=hint_to_raise_limit(name, limit),
    )
    raise UnreadableDocument
