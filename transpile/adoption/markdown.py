"""Texts, commands and tables in the Markdown of ADOPT.md.

Invariant: a name is code, so nothing in it is taken for Markdown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from transpile.model import printable

MOST_ROWS = 40  # resources that are listed one by one


def format_code(name: str) -> str:
    """A text as code in Markdown."""
    printable_name = printable.make_printable(name)
    ticks = "`" * (1 + max(map(len, re.findall("`+", printable_name)), default=0))
    space = " " if printable_name.startswith("`") or printable_name.endswith("`") else ""
    return f"{ticks}{space}{printable_name}{space}{ticks}"


def format_shell_block(*commands: str) -> tuple[str, ...]:
    """Commands, each on a line."""
    return ("", "```sh", *map(printable.make_printable, commands), "```", "")


def format_table(heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    yield "| " + " | ".join(heads) + " |"
    yield "|" + " --- |" * len(heads)
    for row in rows:
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"


def format_count(number: int, singular: str, plural: str = "") -> str:
    return f"{number} {singular if number == 1 else plural or singular + 's'}"
