"""Diagnostics for people: the name of each file once, and below it a line for each of its diagnostics.

Invariant: files and their diagnostics keep their order. A build server that reads the log takes no line for a command.
"""

from __future__ import annotations

from collections.abc import Sequence

from transpile.diagnostics.model import Diagnostic
from transpile.diagnostics.render.text import shorten_message
from transpile.model.printable import make_log_line

SEVERITY = len("warning")


def render(diagnostics: Sequence[Diagnostic]) -> str:
    """The groups, with blank lines between them. Diagnostics without a file come first."""
    groups: dict[str, list[Diagnostic]] = {}
    for d in diagnostics:
        groups.setdefault(d.source.name if d.source is not None else "", []).append(d)
    ordered = sorted(groups.items(), key=lambda group: bool(group[0]))
    return "\n".join("".join(f"{make_log_line(row)}\n" for row in render_group(name, group)) for name, group in ordered)


def render_group(name: str, diagnostics: Sequence[Diagnostic]) -> list[str]:
    places = []
    for d in diagnostics:
        row, column, *_ = d.source.start_and_end(d) if d.source is not None else (0, 0)
        places.append(f"{row}:{column}" if row else "")
    width = max(map(len, places))
    rows = [
        f"  {place:>{width}}  {d.severity:{SEVERITY}}  {d.code}  {shorten_message(d.message)}"
        for place, d in zip(places, diagnostics, strict=True)
    ]
    return [name, *rows] if name else [row.replace("  ", "", 1).lstrip() for row in rows]
