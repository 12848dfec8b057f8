"""Writes Markdown: escapes texts that come from templates, and prints code and tables.

Invariant: no text becomes markup. Each character that could be markup gets a backslash, and code is between more
backquotes than it contains.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from transpile.model.lazy_patterns import compile_lazily
from transpile.model.printable import make_printable

MARKUP = compile_lazily(r"[\\`*_{}\[\]<>#|~&!$@]|(?<=:)/(?=/)|(?:(?<=^)|(?<=\n))(?:[-+=]|\d+(?=[.)]))")
BAR, BACKSLASH_BAR = compile_lazily(r"(?<!\\)\|"), r"\\|"
PROSE_MARKUP = compile_lazily(r"([\\`*\[\]<|])")
TICKS = compile_lazily(r"`+")
LINES = compile_lazily(r"\s*\n\s*")


def escape_markdown_line(words: str) -> str:
    """A text on one line, escaped so that it is shown as it is. Bare URLs do not become links."""
    line = make_printable(LINES.sub(" ", words.strip()))
    return MARKUP.sub(lambda match: "".join(f"\\{c}" if not c.isalnum() else c for c in match[0]), line)


def write_comment(text: str) -> str:
    """A text inside a comment. Any `>` in it is replaced, so that it cannot end the comment."""
    return text.replace(">", "›")


def format_code(words: str) -> str:
    """A piece of code on one line."""
    line = make_printable(words)
    fence = "`" * (1 + max(map(len, TICKS.findall(line)), default=0))
    space = " " if line[:1] in ("`", " ") or line[-1:] in ("`", " ") else ""
    return f"{fence}{space}{line}{space}{fence}" if line else ""


def format_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """The lines of a table. The cells are Markdown; a `|` in them, in code too, gets a backslash."""
    lines = [head, ["---"] * len(head), *rows]
    return [f"| {' | '.join(map(write_cell, cells))} |" for cells in lines]


def write_cell(markdown: str) -> str:
    """Markdown as a cell of a table."""
    return BAR.sub(BACKSLASH_BAR, markdown)


def escape_prose(prose: str) -> str:
    """A sentence of ours, in which all but emphasis inside a word is shown as it is."""
    return PROSE_MARKUP.sub(r"\\\1", prose)


def format_block(text: str, language: str = "") -> str:
    """A block of code."""
    fence = "`" * max(3, 1 + max(map(len, TICKS.findall(text)), default=0))
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"
