"""Diagnostics for people: the name of each file once, and below it a line for each of its diagnostics.

Invariant: files and their diagnostics keep their order. A build server that reads the log takes no line for a command.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from transpile.diagnostics.render.text import short
from transpile.model.printable import line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from transpile.diagnostics.model import Diagnostic

SEVERITY = len("warning")


def render(diagnostics: Sequence[Diagnostic]) -> str:
    """The groups, with blank lines between them. Diagnostics without a file come first."""
    groups: dict[str, list[Diagnostic]] = {}
    for d in diagnostics:
        groups.setdefault(d.source.name if d.source is not None else "", []).append(d)
    ordered = sorted(groups.items(), key=lambda group: bool(group[0]))
    return "\n".join("".join(f"{line(one)}\n" for one in lines(name, found)) for name, found in ordered)


def lines(name: str, found: Sequence[Diagnostic]) -> list[str]:
    places = []
    for d in found:
        row, column, *_ = d.source.positions(d) if d.source is not None else (0, 0)
        places.append(f"{row}:{column}" if row else "")
    width = max(map(len, places))
    rows = [
        f"  {place:>{width}}  {d.severity:{SEVERITY}}  {d.code}  {short(d.message)}"
        for place, d in zip(places, found, strict=True)
    ]
    return [name, *rows] if name else [row.replace("  ", "", 1).lstrip() for row in rows]
