"""Diagnostics for people: code, place, message, the source line with a caret, and a hint.

Invariant: a diagnostic fits a terminal, whatever the source contains. Long lines are cut around the caret, characters
that cannot be seen are shown as dots, and a build server that reads the log takes no line for a command. The secret
parts of a line are never shown.
"""

from __future__ import annotations

from collections.abc import Sequence

from transpile.diagnostics.model import MASK, Diagnostic
from transpile.model.printable import make_log_line as log_line
from transpile.model.printable import make_printable
from transpile.model.source import Source

WIDTH = 110
LONGEST = 1000  # length limit of a message, which may contain names from the template


def render(diagnostics: Sequence[Diagnostic]) -> str:
    """All diagnostics, with blank lines between them."""
    return "\n\n".join("\n".join(map(log_line, diagnostic_lines(d))) for d in diagnostics) + "\n" if diagnostics else ""


def diagnostic_lines(d: Diagnostic, width: int = WIDTH) -> list[str]:
    """The lines of a diagnostic, as they are. `width`: of the source line, at most."""
    lines = [f"{d.severity} {d.code}: {shorten_message(d.message)}"]
    if d.source is not None:
        place = d.source.start_and_end(d)
        lines[0] = f"{d.source.name}:{place[0]}:{place[1]}: {lines[0]}"
        if d.source.text:
            lines += render_excerpt(d.source, place, width)
    if hint := d.help():
        lines.append(f"  = {hint}")
    return lines


def shorten_message(sentence: str) -> str:
    """A message with its middle removed if it is very long."""
    half = LONGEST // 2
    return sentence if len(sentence) <= LONGEST else f"{sentence[:half]} … {sentence[-half:]}"


def render_excerpt(source: Source, place: tuple[int, int, int, int], width: int) -> list[str]:
    """The source line with a caret below the location."""
    line, column, end_line, end_column = place
    text = source.line_text(line)
    if secret := source.secret_columns(line):
        text, (column, end_column) = mask_secrets(text, secret, (column, end_column))
    length = end_column - column if end_line == line else len(text.rstrip()) - column + 1
    start = 0
    if len(text) > width:
        start = max(0, min(column - width // 3, len(text) - width))
        text = text[start : start + width]
    text = make_printable(text)
    gutter = " " * len(str(line))
    marks = " " * (column - 1 - start) + "^" * max(1, min(length, width - (column - 1 - start)))
    return [f" {gutter} |", f" {line} | {text}", f" {gutter} | {marks}"]


def mask_secrets(text: str, secret: Sequence[tuple[int, int]], columns: tuple[int, int]) -> tuple[str, tuple[int, int]]:
    """A line with a mask for each secret part, and the two columns, which count from 1, moved accordingly. All masks
    have the same length, so that they do not reveal the length of a secret.
    """
    pieces: list[str] = []
    done, first, last = 0, columns[0] - 1, columns[1] - 1
    moved_first, moved_last = first, last
    for at, end in secret:
        pieces += [text[done:at], MASK]
        done = end
        shorter = end - at - len(MASK)
        before = sum(map(len, pieces)) - len(MASK)
        moved_first = moved_first - shorter if first >= end else before if first > at else moved_first
        moved_last = moved_last - shorter if last >= end else before + len(MASK) if last > at else moved_last
    return "".join([*pieces, text[done:]]), (moved_first + 1, moved_last + 1)
