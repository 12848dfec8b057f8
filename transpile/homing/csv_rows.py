"""CSV with the place of each cell.

A column with a dot in its name is a member: `capacity.vCPU`, `zones.disaster`. A cell may have a list or a map in JSON;
the names in `demands` may be separated by spaces or semicolons. An empty cell says nothing.

Source: RFC 4180.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from transpile.model.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from transpile.diagnostics.model import Sink
    from transpile.model.source import Source

CELL = re.compile(r'[ \t]*"((?:[^"]|"")*)"[ \t]*|([^,\r\n]*)')
END = re.compile(r"\r\n|\r|\n|\Z")
NAMES = "demands"


class CsvCell(NamedTuple):
    """A cell: its column, its text, and its place."""

    column: str
    text: str
    span: Span


def is_csv(source: Source, column: str) -> bool:
    """Whether a text is CSV: by its name, or because its first line is a header with a column."""
    if source.name.lower().endswith(".csv"):
        return True
    first = source.text.lstrip("\ufeff").partition("\n")[0]
    return ":" not in first and "," in first and column in [one.strip().strip('"') for one in first.split(",")]


def split_lines(source: Source) -> Iterator[list[tuple[str, Span]]]:
    """The cells of each line that is not empty: text and place."""
    text = source.text
    at = 1 if text.startswith("\ufeff") else 0
    while at < len(text):
        cells: list[tuple[str, Span]] = []
        while True:
            found = CELL.match(text, at)
            assert found is not None
            value = found[2].strip() if found[1] is None else found[1].replace('""', '"')
            cells.append((value, Span(at, found.end())))
            at = found.end()
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
    """The cells of each candidate that are not empty. Lines that do not fit the header are reported and left out."""
    header: list[str] = []
    for cells in split_lines(source):
        if not header:
            header = [value for value, _ in cells]
            for number, (value, span) in enumerate(cells):
                if not value or value in header[:number]:
                    what = f"There is another column {value}." if value else "This column has no name."
                    sink.say("HOT840", what, span)
            continue
        if len(cells) > len(header):
            _, span = cells[len(header)]
            sink.say("HOT840", f"This line has {len(cells)} cells; there are {len(header)} columns.", span)
            continue
        found = [CsvCell(column, *cell) for column, cell in zip(header, cells, strict=False) if cell[0] != ""]
        if found:
            yield found


def row_data(cells: Sequence[CsvCell]) -> dict[str, Any]:
    """A line as data."""
    found: dict[str, Any] = {}
    for one in cells:
        name, dot, member = one.column.partition(".")
        if dot and name and member and isinstance(found.setdefault(name, {}), dict):
            found[name][member] = cell_value(one.text)
        elif one.column == NAMES and not one.text.startswith("["):
            found[NAMES] = [each for each in re.split(r"[\s;]+", one.text) if each]
        else:
            found[one.column] = cell_value(one.text)
    return found


def cell_value(text: str) -> Any:
    """The value of a cell: a list or a map in JSON, else its text."""
    if text[:1] in ("{", "["):
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return text
    return text
