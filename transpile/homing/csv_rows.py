"""Reads CSV with the place of each cell.

A column with a dot in its name is a member of a map: `capacity.vCPU`, `zones.disaster`. A cell may contain a list or a
map in JSON. The names in `demands` may be separated by spaces or semicolons. An empty cell means that nothing is known.

Source: RFC 4180.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from transpile.diagnostics import codes
from transpile.diagnostics.model import Sink
from transpile.model.lazy_patterns import compile_lazily
from transpile.model.source import Source
from transpile.model.span import Span

CELL = compile_lazily(r'[ \t]*"((?:[^"]|"")*)"[ \t]*|([^,\r\n]*)')
END = compile_lazily(r"\r\n|\r|\n|\Z")
NAMES = "demands"


class CsvCell(NamedTuple):
    """A cell: its column, its text, and its place."""

    column: str
    text: str
    span: Span


def is_csv(source: Source, column: str) -> bool:
    """Whether a text is CSV: its name says so, or its first line is a header that has the column."""
    if source.name.lower().endswith(".csv"):
        return True
    first = source.text.lstrip("\ufeff").partition("\n")[0]
    return ":" not in first and "," in first and column in [cell.strip().strip('"') for cell in first.split(",")]


def split_lines(source: Source) -> Iterator[list[tuple[str, Span]]]:
    """The cells of each line that is not empty, as texts with their places."""
    text = source.text
    at = 1 if text.startswith("\ufeff") else 0
    while at < len(text):
        cells: list[tuple[str, Span]] = []
        while True:
            match = CELL.match(text, at)
            assert match is not None
            value = match[2].strip() if match[1] is None else match[1].replace('""', '"')
            cells.append((value, Span(at, match.end())))
            at = match.end()
            if text[at : at + 1] != ",":
                break
            at += 1
        end = END.match(text, at)
        if end is None:  # something after a quoted cell
            rest = re.compile(r"[^\r\n]*").match(text, at)
            assert rest is not None
            cells.append((rest[0], Span(at, rest.end())))
            end = END.match(text, rest.end())
            assert end is not None
        at = max(end.end(), at + 1) if end.end() < len(text) else len(text)
        if any(value for value, _ in cells):
            yield cells


def read_rows(sink: Sink, source: Source) -> Iterator[list[CsvCell]]:
    """The non-empty cells of each candidate. Lines that do not fit the header are reported and left out."""
    header: list[str] = []
    for cells in split_lines(source):
        if not header:
            header = [value for value, _ in cells]
            for number, (value, span) in enumerate(cells):
                if not value or value in header[:number]:
                    what = f"There is another column {value}." if value else "This column has no name."
                    sink.add(codes.NOT_AN_INVENTORY, what, span)
            continue
        if len(cells) > len(header):
            _, span = cells[len(header)]
            sink.add(
                codes.NOT_AN_INVENTORY, f"This line has {len(cells)} cells; there are {len(header)} columns.", span
            )
            continue
        row_cells = [CsvCell(column, *cell) for column, cell in zip(header, cells, strict=False) if cell[0] != ""]
        if row_cells:
            yield row_cells


def row_data(cells: Sequence[CsvCell]) -> dict[str, Any]:
    """The data of a line, by column."""
    columns: dict[str, Any] = {}
    for cell in cells:
        name, dot, member = cell.column.partition(".")
        if dot and name and member and isinstance(columns.setdefault(name, {}), dict):
            columns[name][member] = cell_value(cell.text)
        elif cell.column == NAMES and not cell.text.startswith("["):
            columns[NAMES] = [each for each in re.split(r"[\s;]+", cell.text) if each]
        else:
            columns[cell.column] = cell_value(cell.text)
    return columns


def cell_value(text: str) -> Any:
    """The value of a cell: a list or a map if it is JSON, else its text."""
    if text[:1] in ("{", "["):
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return text
    return text
