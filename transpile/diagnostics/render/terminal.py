"""Diagnostics for a terminal: the text form in colours, and as wide as the terminal is.

Invariant: every line has been made printable before it gets colours, and no part of it is read as markup. The words are
those of the text form; only where lines break differs.
"""

from __future__ import annotations

import io
import textwrap
from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.text import Text

from transpile.diagnostics.model import Diagnostic
from transpile.diagnostics.render import text
from transpile.diagnostics.render.causes import group_by_cause
from transpile.model.printable import make_log_line as log_line

STYLES = {"error": "bold red", "warning": "bold yellow", "info": "bold cyan"}
NARROWEST, WIDEST = 40, 100_000


def render(diagnostics: Sequence[Diagnostic], width: int = 0, *, colors: bool = True) -> str:
    """All diagnostics, with blank lines between them. `width`: the columns of the terminal, 0 for no limit."""
    out = io.StringIO()
    console = Console(
        file=out,
        width=max(width, NARROWEST) if width else WIDEST,
        color_system="standard" if colors else None,
        force_terminal=colors,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
        _environ={},
    )
    for number, group in enumerate(group_by_cause(diagnostics)):
        if number:
            console.print()
        for line in render_lines(group, width):
            console.print(line, overflow="fold", soft_wrap=not width)
    return out.getvalue()


def render_lines(group: Sequence[Diagnostic], width: int) -> Iterator[Text]:
    """The lines of a group of diagnostics. An excerpt is cut to the width; sentences are wrapped."""
    d = group[0]
    gutter = len(str(d.source.start_and_end(d)[0])) + 4 if d.source is not None else 0
    room = min(text.WIDTH, max(width, NARROWEST) - gutter) if width else text.WIDTH
    for kind, words in text.group_lines(group, room):
        line = log_line(words)
        if kind == text.HEADLINE:
            yield style_headline(d, line)
        elif kind == text.EXCERPT:
            yield style_excerpt(line)
        elif kind == text.HINT:
            yield Text(wrap_sentence(line, width), style="cyan")
        else:
            yield Text(line, style=STYLES[d.severity])


def wrap_sentence(line: str, width: int) -> str:
    """A hint, broken between words, and indented as its first line is."""
    if not width:
        return line
    room = max(width, NARROWEST)
    return textwrap.fill(line, room, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)


def style_headline(d: Diagnostic, line: str) -> Text:
    """The place in bold, and the severity in its colour."""
    styled = Text(line)
    mark = f"{d.severity} {d.code}: "
    at = line.find(mark)
    if at >= 0:
        styled.stylize("bold", 0, at)
        styled.stylize(STYLES[d.severity], at, at + len(mark) - 2)
    return styled


def style_excerpt(line: str) -> Text:
    """A line of the source, with its number dimmed."""
    styled = Text(line)
    styled.stylize("dim", 0, line.find("|") + 1)
    return styled
