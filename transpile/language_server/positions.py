"""Converts between the protocol's lines and columns and offsets into a text.

Invariant: all results lie inside the text, also for wrong positions of a client.
"""

from __future__ import annotations

import bisect
from typing import final

from transpile.model.lazy_patterns import compile_lazily

UTF8, UTF16, UTF32 = "utf-8", "utf-16", "utf-32"  # the protocol's names for the units in which it counts columns
LINE_END = compile_lazily(r"\r\n|\n|\r")


def count_units(text: str, encoding: str) -> int:
    """How many units of an encoding a text has."""
    if encoding == UTF32 or text.isascii():
        return len(text)
    if encoding == UTF8:
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text) + sum(char > "\uffff" for char in text)


@final
class Positions:
    """The lines of one text."""

    __slots__ = ("encoding", "starts", "text")

    def __init__(self, text: str, encoding: str = UTF16) -> None:
        self.text, self.encoding = text, encoding
        self.starts = [0, *(line_end.end() for line_end in LINE_END.finditer(text))]

    def line_at(self, offset: int) -> int:
        """The line of an offset, from 0."""
        return bisect.bisect_right(self.starts, max(offset, 0)) - 1

    def line_text(self, number: int) -> str:
        """The text of a line, without its end."""
        end = self.starts[number + 1] if number + 1 < len(self.starts) else len(self.text)
        return self.text[self.starts[number] : end].rstrip("\r\n")

    def position_at(self, offset: int) -> tuple[int, int]:
        """The line and column of an offset, both from 0."""
        offset = min(max(offset, 0), len(self.text))
        line = self.line_at(offset)
        start = self.starts[line]
        return line, count_units(self.text[start : min(offset, start + len(self.line_text(line)))], self.encoding)

    def offset_at(self, line: int, column: int) -> int:
        """The offset of a line and column. A column beyond the end of its line is that end."""
        if line < 0:
            return 0
        if line >= len(self.starts):
            return len(self.text)
        start, text = self.starts[line], self.line_text(line)
        if self.encoding == UTF32 or text.isascii():
            return start + min(max(column, 0), len(text))
        at = 0
        for count, char in enumerate(text):
            if at >= column:
                return start + count
            at += count_units(char, self.encoding)
            if at > column:  # inside a character
                return start + count
        return start + len(text)
