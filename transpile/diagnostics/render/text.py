"""Diagnostics for people: code, place, message, the source line with a caret, and a hint.

Findings of one cause are shown once, with the first source line and all places.

Invariant: a diagnostic fits a terminal, whatever the source contains. Long lines are cut around the caret, characters
that cannot be seen are shown as dots, and a build server that reads the log takes no line for a command. The secret
parts of a line are never shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from transpile.diagnostics.model import MASK, Diagnostic
from transpile.diagnostics.render.causes import group_by_cause, list_further_places
from transpile.model.printable import make_log_line as log_line
from transpile.model.printable import make_printable
from transpile.model.source import Source

HEADLINE, EXCERPT, CARET, HINT = "headline", "excerpt", "caret", "hint"
WIDTH = 110
LONGEST = 1000  # length limit of a message, which may contain names from the template


def render(diagnostics: Sequence[Diagnostic]) -> str:
    """All diagnostics, with blank lines between them."""
    blocks = (group_lines(group) for group in group_by_cause(diagnostics))
    return "\n\n".join("\n".join(log_line(line.text) for line in lines) for lines in blocks) + "\n" * bool(diagnostics)


class DiagnosticLine(NamedTuple):
    """A line of a diagnostic, as it is. `kind`: HEADLINE, EXCERPT, CARET or HINT."""

    kind: str
    text: str


def group_lines(group: Sequence[Diagnostic], width: int = WIDTH) -> list[DiagnosticLine]:
    """The lines of a group of diagnostics. `width`: of the source line, at most."""
    d = group[0]
    headline = f"{d.severity} {d.code}: {shorten_message(d.message)}"
    excerpt: list[str] = []
    if d.source is not None:
        place = d.source.start_and_end(d)
        headline = f"{d.source.name}:{place[0]}:{place[1]}: {headline}"
        if d.source.text:
            excerpt = render_excerpt(d.source, place, width)
    lines = [DiagnosticLine(HEADLINE, headline)]
    lines += [DiagnosticLine(kind, line) for kind, line in zip((EXCERPT, EXCERPT, CARET), excerpt, strict=False)]
    lines += [DiagnosticLine(HINT, f"  = {line}") for line in (d.help(), list_further_places(group)) if line]
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
