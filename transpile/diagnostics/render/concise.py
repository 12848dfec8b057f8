"""Diagnostics for people and editors: one line each, with place, severity, code and message.

Invariant: a diagnostic is one line, and a build server that reads the log takes no line for a command.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from transpile.diagnostics.render.text import short
from transpile.model.printable import line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from transpile.diagnostics.model import Diagnostic


def render(diagnostics: Sequence[Diagnostic]) -> str:
    return "".join(f"{line(one(d))}\n" for d in diagnostics)


def one(d: Diagnostic) -> str:
    said = f"{d.severity} {d.code}: {short(d.message)}"
    if d.source is None:
        return said
    row, column, *_ = d.source.positions(d)
    return f"{d.source.name}:{row}:{column}: {said}"
