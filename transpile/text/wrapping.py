"""Wraps lines.

Invariant: the result is that of `textwrap`, which takes a line apart into words even if it fits as it is.
"""

from __future__ import annotations

import textwrap


def wrap_line(line: str, width: int, *, break_long_words: bool = True, break_on_hyphens: bool = True) -> list[str]:
    """The lines of at most `width` characters that a line becomes; none for a line of blanks."""
    if 0 < len(line) <= width and line.isprintable() and line[-1] != " ":
        return [line]
    return textwrap.wrap(line, width, break_long_words=break_long_words, break_on_hyphens=break_on_hyphens)
