"""Reads the values in the text of a configuration with tomllib.

Invariant: for every text, the time grows only linearly with its length, because texts that take tomllib longer are
rejected first. An error of tomllib becomes a finding with a place.
"""

from __future__ import annotations

from typing import Any

from transpile.diagnostics import codes
from transpile.diagnostics.model import Sink
from transpile.model.lazy_patterns import compile_lazily
from transpile.model.span import Span
from transpile.settings import toml_places

PLACE = compile_lazily(r" \(at line (\d+), column (\d+)\)$| \(at end of document\)$")


class Unparsed(Exception):
    """The text is not valid TOML. The reason is in the sink."""


def parse_toml(sink: Sink) -> Any:
    """Returns the values in a text. Raises Unparsed."""
    import tomllib  # imported here because runs without a configuration do not need it

    text = sink.source.text
    if (long := toml_places.DOTTED.search(text)) is not None:
        sink.add(
            codes.MALFORMED_CONFIGURATION, f"A key has more than {toml_places.MOST_PARTS} parts.", Span(*long.span())
        )
        raise Unparsed
    try:
        return tomllib.loads(text)
    except RecursionError:
        sink.add(codes.MALFORMED_CONFIGURATION, "Values are nested too deeply.")
    except ValueError as e:
        message = str(e)
        place = PLACE.search(message)
        at = len(text)
        if place is None:
            at = 0
        elif place[1]:
            at = offset_of_line(text, int(place[1]), int(place[2]))
        mistake = message[: place.start()] if place is not None else message
        sink.add(
            codes.MALFORMED_CONFIGURATION, f"This is not valid TOML: {mistake[:1].lower()}{mistake[1:]}.", Span(at)
        )
    raise Unparsed


def offset_of_line(text: str, line: int, column: int) -> int:
    """Returns the offset of a line and column, both counted from 1. tomllib counts `\\r\\n` as one character."""
    at = 0
    for _ in range(line - 1):
        at = text.find("\n", at) + 1
    return min(at + column - 1, len(text))
