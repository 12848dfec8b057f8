"""Diagnostics for people and editors: one line each, with place, severity, code and message.

Invariant: a diagnostic is one line, and a build server that reads the log takes no line for a command.
"""

from __future__ import annotations

from collections.abc import Sequence

from transpile.diagnostics.model import Diagnostic
from transpile.diagnostics.render.text import shorten_message
from transpile.model.printable import make_log_line


def render(diagnostics: Sequence[Diagnostic]) -> str:
    return "".join(f"{make_log_line(render_on_one_line(d))}\n" for d in diagnostics)


def render_on_one_line(d: Diagnostic) -> str:
    summary = f"{d.severity} {d.code}: {shorten_message(d.message)}"
    if d.source is None:
        return summary
    row, column, *_ = d.source.start_and_end(d)
    return f"{d.source.name}:{row}:{column}: {summary}"
