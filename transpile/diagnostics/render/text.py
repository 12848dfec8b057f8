"""Diagnostics for people: code, place, message, the source line with a caret, and a hint.

Invariant: a diagnostic fits a terminal, whatever the source contains. Long lines are cut around the caret, and control
characters are shown as dots.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from transpile.diagnostics.model import Diagnostic
    from transpile.model.source import Source

WIDTH = 110
LONGEST = 1000  # length limit of a message, which may contain names from the template


def render(diagnostics: Sequence[Diagnostic]) -> str:
    """All diagnostics, with blank lines between them."""
    return "\n\n".join(one(d) for d in diagnostics) + "\n" if diagnostics else ""


def one(d: Diagnostic) -> str:
    if d.source is None:
        lines = [f"{d.severity} {d.code}: {short(d.message)}"]
        return "\n".join(lines + ([f"  = {printable(d.help())}"] if d.help() else []))
    place = d.source.span(d.at, d.end)
    line, column = place[:2]
    lines = [f"{d.source.name}:{line}:{column}: {d.severity} {d.code}: {short(d.message)}"]
    if d.source.text:
        lines += excerpt(d.source, place)
    if hint := d.help():
        lines.append(f"  = {printable(hint)}")
    return "\n".join(lines)


def short(sentence: str) -> str:
    """A message with its middle removed if it is very long."""
    half = LONGEST // 2
    return printable(sentence if len(sentence) <= LONGEST else f"{sentence[:half]} … {sentence[-half:]}")


def printable(text: str) -> str:
    return text if text.isprintable() else "".join(c if c.isprintable() else " " if c == "\t" else "·" for c in text)


def excerpt(source: Source, place: tuple[int, int, int, int]) -> list[str]:
    """The source line with a caret below the location."""
    line, column, end_line, end_column = place
    text = printable(source.line(line))
    length = end_column - column if end_line == line else len(text.rstrip()) - column + 1
    start = 0
    if len(text) > WIDTH:
        start = max(0, min(column - WIDTH // 3, len(text) - WIDTH))
        text = text[start : start + WIDTH]
    gutter = " " * len(str(line))
    marks = " " * (column - 1 - start) + "^" * max(1, min(length, WIDTH - (column - 1 - start)))
    return [f" {gutter} |", f" {line} | {text}", f" {gutter} | {marks}"]
