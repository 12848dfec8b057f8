"""A source text, with the line and column of each offset."""

from __future__ import annotations

import bisect
import io
import itertools
from collections.abc import Sequence
from typing import final

from transpile.model.budget import Budget
from transpile.model.span import Located


class Source:
    """A text and the name that diagnostics give it. A position in it is one character offset.

    `rendered_from`: the source that the text was rendered from, and for each piece its offset in the text, its offset
    in that source, and whether it was copied verbatim. Lines and columns are then those of that source.
    `secret_ranges`: the offsets where secret parts begin and end; excerpts do not show them. `budget`: of the run that
    the text is read for.
    """

    __slots__ = ("_starts", "budget", "name", "rendered_from", "secret_ranges", "text")

    def __init__(
        self,
        name: str,
        text: str,
        made_of: tuple[Source, Sequence[tuple[int, int, bool]]] | None = None,
        *,
        budget: Budget,
    ) -> None:
        self.name, self.text, self.rendered_from = name, text, made_of
        self.budget = budget
        self._starts: list[int] | None = None
        self.secret_ranges: set[tuple[int, int]] = set()

    def with_name(self, name: str) -> Source:
        """The same text under another name."""
        other = Source(name, self.text, self.rendered_from, budget=self.budget)
        other.secret_ranges = self.secret_ranges
        return other

    def mark_secret(self, where: Located) -> None:
        """Keeps a part of the text out of excerpts. White space at its end is not secret: block scalars include it."""
        first, start = self.origin_of_offset(where.at)
        _, stop = self.origin_of_offset(where.at + len(self.text[where.at : where.end].rstrip()))
        first.secret_ranges.add((start, max(stop, start)))

    def secret_columns(self, number: int) -> list[tuple[int, int]]:
        """The secret parts of a line, counted from 1, as columns from 0, in order and without overlaps."""
        if self.rendered_from is not None:
            return self.rendered_from[0].secret_columns(number)
        if not self.secret_ranges:
            return []
        text = self.line_text(number)
        assert self._starts is not None
        start = self._starts[number - 1]
        columns: list[tuple[int, int]] = []
        for at, end in sorted(self.secret_ranges):
            first, last = max(at - start, 0), min(end - start, len(text))
            if columns and first <= columns[-1][1]:
                before = columns.pop()
                first, last = before[0], max(last, before[1])
            if first < last:
                columns.append((first, last))
        return columns

    def start_and_end(self, where: Located) -> tuple[int, int, int, int]:
        """Line and column of the start and of the end; the end is never before the start."""
        first = self.line_and_column(where.at)
        return *first, *max(first, self.line_and_column(max(where.at, where.end)))

    def origin_of_offset(self, offset: int) -> tuple[Source, int]:
        """The source and offset that an offset was rendered from; the same ones if the text was not rendered."""
        if self.rendered_from is None:
            return self, offset
        source, places = self.rendered_from
        index = bisect.bisect_right(places, max(offset, 0), key=lambda place: place[0]) - 1
        if index < 0:
            return source, 0
        begin, at, is_verbatim = places[index]
        return source, at + (offset - begin if is_verbatim else 0)

    def line_and_column(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both from 1. A byte order mark counts no column."""
        if self.rendered_from is not None:
            source, at = self.origin_of_offset(offset)
            return source.line_and_column(at)
        if self._starts is None:
            lines = io.StringIO(self.text, newline="")  # splits at \n, \r and \r\n, and keeps them
            self._starts = list(itertools.accumulate(map(len, lines), initial=0))
            if len(self._starts) > 1 and not self.text.endswith(("\n", "\r")):
                self._starts.pop()
        line = bisect.bisect_right(self._starts, max(offset, 0))
        unseen = int(line == 1 and offset > 0 and self.text.startswith("\ufeff"))
        return line, max(offset, 0) - self._starts[line - 1] + 1 - unseen

    def line_text(self, number: int) -> str:
        """The text of a line, counted from 1, without its end."""
        if self.rendered_from is not None:
            return self.rendered_from[0].line_text(number)
        self.line_and_column(0)
        assert self._starts is not None
        end = self._starts[number] if number < len(self._starts) else len(self.text)
        return self.text[self._starts[number - 1] : end].rstrip("\r\n")


def name_file(name: str) -> Source:
    """A file that a diagnostic names without a place in its text. Nothing of it is read, so no run pays for it."""
    return Source(name, "", budget=Budget())


@final
class PlaceInReport(Source):
    """The file of a diagnostic that a report says, with its place. It has no text."""

    __slots__ = ("place",)

    def __init__(self, name: str, place: tuple[int, int, int, int]) -> None:
        super().__init__(name, "", budget=Budget())
        self.place = place

    def with_name(self, name: str) -> PlaceInReport:
        return PlaceInReport(name, self.place)

    def start_and_end(self, where: Located) -> tuple[int, int, int, int]:
        return self.place
