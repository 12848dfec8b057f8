"""A tree for a text that is being written, and so is not YAML most of the time.

Lines that keep the text from being read are taken for blank ones of the same length, so that everything else keeps its
place: first the line that was edited last, then the one that the reader complains about, then all from there on.

Invariant: a text is read a bounded number of times, and a tree's offsets are those of the text as it was given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from transpile.diagnostics.model import Sink
from transpile.front import documents, nodes
from transpile.model.source import Source

if TYPE_CHECKING:
    from yaml.nodes import Node

    from transpile.language_server.positions import Positions

ATTEMPTS = 4  # at lines that the reader complains about


def tree(source: Source, positions: Positions, edited: int | None = None) -> tuple[Node | None, str, Sink]:
    """The tree of a text, the text without the lines that had to be left out, and what the reader said of the text as
    it is. `edited`: the line that was edited last.
    """
    first = Sink(source)
    root = attempt(first)
    if root is not None or not first.found or first.found[-1].code != "HOT101":
        return root, source.text, first
    text, sink = source.text, first
    left_out: set[int] = set()
    if edited is not None and edited < len(positions.starts):
        left_out.add(edited)
        text = blanked(text, positions, edited, edited + 1)
        root, sink = again(source, text)
    for _ in range(ATTEMPTS):
        if root is not None or not sink.found:
            return root, text, first
        line = culprit(positions, text, sink.found[-1].at, left_out)
        left_out.add(line)
        text = blanked(text, positions, line, line + 1)
        root, sink = again(source, text)
    if root is None and sink.found:
        line = culprit(positions, text, sink.found[-1].at, set())
        text = blanked(text, positions, line, len(positions.starts))
        root, _ = again(source, text)
    return root, text, first


def attempt(sink: Sink) -> Node | None:
    """The root of the sink's source, trimmed as a template is; None if there is none."""
    assert sink.source is not None
    try:
        return documents.compose(sink, sink.source.name, trimmed=True)
    except nodes.Unreadable:
        return None


def again(source: Source, text: str) -> tuple[Node | None, Sink]:
    sink = Sink(Source(source.name, text, budget=source.budget))
    return attempt(sink), sink


def culprit(positions: Positions, text: str, at: int, left_out: set[int]) -> int:
    """The line to leave out next: the one at the error, or the nearest before it that has any text left."""
    line = positions.line_at(min(at, len(text)))
    while line > 0 and (line in left_out or blank(line, positions, text)):
        line -= 1
    return line


def blank(line: int, positions: Positions, text: str) -> bool:
    begin = positions.starts[line]
    stop = positions.starts[line + 1] if line + 1 < len(positions.starts) else len(text)
    return not text[begin:stop].strip()


def blanked(text: str, positions: Positions, first: int, last: int) -> str:
    """The text with spaces in place of some lines; their ends stay."""
    begin = positions.starts[first]
    stop = positions.starts[last] if last < len(positions.starts) else len(text)
    return text[:begin] + "".join(c if c in "\r\n" else " " for c in text[begin:stop]) + text[stop:]
