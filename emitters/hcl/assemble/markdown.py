"""Markdown: the texts of others as text, and tables.

Invariant: no text becomes markup. A backslash stands before each character that could, and what is code is between more
backquotes than it contains.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from transpile.model.printable import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MARKUP = re.compile(r"[\\`*_{}\[\]<>#|~&!$@]|(?<=:)/(?=/)|(?:(?<=^)|(?<=\n))(?:[-+=]|\d+(?=[.)]))")
TICKS = re.compile(r"`+")
LINES = re.compile(r"\s*\n\s*")


def text(words: str) -> str:
    """A text as it is, on one line. Bare addresses do not become links."""
    line = printable(LINES.sub(" ", words.strip()))
    return MARKUP.sub(lambda found: "".join(f"\\{c}" if not c.isalnum() else c for c in found[0]), line)


def code(words: str) -> str:
    """A piece of code on one line, also in a cell of a table."""
    line = printable(words).replace("|", "\\|")
    fence = "`" * (1 + max(map(len, TICKS.findall(line)), default=0))
    space = " " if line[:1] in ("`", " ") or line[-1:] in ("`", " ") else ""
    return f"{fence}{space}{line}{space}{fence}" if line else ""


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """The lines of a table. The cells are Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return [f"| {' | '.join(cells)} |" for cells in lines]
