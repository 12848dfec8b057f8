"""Diagnostics for people: code, place, sentence, the source with a caret, and a hint.

The easy rule to break: a diagnostic fits a terminal, whatever the source has: long lines are cut around the caret,
control characters are shown as dots.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from transpile.diagnostics import Diagnostic

WIDTH = 110
LONGEST = 1000  # characters of a sentence, which may name what a template names


def render(diagnostics: Sequence[Diagnostic]) -> str:
    """All of them, with a blank line between."""
    return "\n\n".join(one(d) for d in diagnostics) + "\n" if diagnostics else ""


def one(d: Diagnostic) -> str:
    if d.source is None:
        lines = [f"{d.severity} {d.code}: {short(d.message)}"]
        return "\n".join(lines + ([f"  = {printable(d.help())}"] if d.help() else []))
    line, column = d.source.position(d.at)
    lines = [f"{d.source.name}:{line}:{column}: {d.severity} {d.code}: {short(d.message)}"]
    if d.source.text:
        lines += excerpt(d, line, column)
    if hint := d.help():
        lines.append(f"  = {printable(hint)}")
    return "\n".join(lines)


def short(sentence: str) -> str:
    """A sentence, without its middle where it is very long."""
    half = LONGEST // 2
    return printable(sentence if len(sentence) <= LONGEST else f"{sentence[:half]} … {sentence[-half:]}")


def printable(text: str) -> str:
    return text if text.isprintable() else "".join(c if c.isprintable() else " " if c == "\t" else "·" for c in text)


def excerpt(d: Diagnostic, line: int, column: int) -> list[str]:
    """The line of the source, and a caret below what is meant."""
    assert d.source is not None
    text = printable(d.source.line(line))
    _, _, end_line, end_column = d.source.span(d.at, d.end)
    length = end_column - column if end_line == line else len(text.rstrip()) - column + 1
    start = 0
    if len(text) > WIDTH:
        start = max(0, min(column - WIDTH // 3, len(text) - WIDTH))
        text = text[start : start + WIDTH]
    gutter = " " * len(str(line))
    marks = " " * (column - 1 - start) + "^" * max(1, min(length, WIDTH - (column - 1 - start)))
    return [f" {gutter} |", f" {line} | {text}", f" {gutter} | {marks}"]
