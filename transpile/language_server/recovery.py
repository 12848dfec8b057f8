"""Parses a text that is being typed, and so is invalid YAML most of the time.

Lines that cannot be parsed are replaced by blank ones of the same length, so that everything else keeps its offset:
first the line that was edited last, then the lines of the parser's errors, and at last everything from the error on.

Invariant: a text is parsed at most ATTEMPTS + 3 times, and the offsets of the tree are those of the original text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from transpile.diagnostics import codes
from transpile.diagnostics.model import Sink
from transpile.front import documents, nodes
from transpile.language_server.positions import Positions
from transpile.model.source import Source

if TYPE_CHECKING:
    from yaml.nodes import Node


ATTEMPTS = 4  # how many lines with errors are left out one by one


def recover_tree(source: Source, positions: Positions, edited: int | None = None) -> tuple[Node | None, str, Sink]:
    """The tree of a text (None if it has none), the text with the left-out lines blank, and the diagnostics of the
    original text. `edited`: the line that was edited last.
    """
    first = Sink(source)
    root = compose_trimmed(first)
    if root is not None or not first.diagnostics or first.diagnostics[-1].code != codes.NOT_YAML_OR_JSON:
        return root, source.text, first
    text, sink = source.text, first
    left_out: set[int] = set()
    if edited is not None and edited < len(positions.starts):
        left_out.add(edited)
        text = blank_lines(text, positions, edited, edited + 1)
        root, sink = compose_again(source, text)
    for _ in range(ATTEMPTS):
        if root is not None or not sink.diagnostics:
            return root, text, first
        line = find_line_to_blank(positions, text, sink.diagnostics[-1].at, left_out)
        left_out.add(line)
        text = blank_lines(text, positions, line, line + 1)
        root, sink = compose_again(source, text)
    if root is None and sink.diagnostics:
        line = find_line_to_blank(positions, text, sink.diagnostics[-1].at, set())
        text = blank_lines(text, positions, line, len(positions.starts))
        root, _ = compose_again(source, text)
    return root, text, first


def compose_trimmed(sink: Sink) -> Node | None:
    """The root node of the sink's source, parsed as a template; None if it cannot be parsed."""
    try:
        return documents.compose_document(sink, sink.source.name, trimmed=True)
    except nodes.UnreadableDocument:
        return None


def compose_again(source: Source, text: str) -> tuple[Node | None, Sink]:
    sink = Sink(Source(source.name, text, budget=source.budget))
    return compose_trimmed(sink), sink


def find_line_to_blank(positions: Positions, text: str, at: int, left_out: set[int]) -> int:
    """The line to leave out next: the one at the error, or the nearest line above it that still has a text."""
    line = positions.line_at(min(at, len(text)))
    while line > 0 and (line in left_out or is_blank_line(line, positions, text)):
        line -= 1
    return line


def is_blank_line(line: int, positions: Positions, text: str) -> bool:
    begin = positions.starts[line]
    stop = positions.starts[line + 1] if line + 1 < len(positions.starts) else len(text)
    return not text[begin:stop].strip()


def blank_lines(text: str, positions: Positions, first: int, last: int) -> str:
    """The text with spaces in place of the lines from `first` up to `last`, which is not included."""
    begin = positions.starts[first]
    stop = positions.starts[last] if last < len(positions.starts) else len(text)
    return text[:begin] + "".join(c if c in "\r\n" else " " for c in text[begin:stop]) + text[stop:]
