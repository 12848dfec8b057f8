"""Writes the findings of a command: in a format, to a stream, and in colours on a terminal.

Invariant: if the output is not a terminal, it does not depend on the environment: the same findings give the same
bytes. Output for programs is never coloured or wrapped.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any, TextIO

from transpile.diagnostics import render
from transpile.diagnostics.model import Diagnostic
from transpile.diagnostics.registry import SEVERITIES
from transpile.model.words import count_noun

COLORS = ("auto", "always", "never")


def print_diagnostics(
    diagnostics: Sequence[Diagnostic],
    form: str,
    paths: Sequence[str] = (),
    *,
    folder: str | None = None,
    results: bool = False,
    color: str = "auto",
    min_severity: str = "info",
) -> None:
    """Writes diagnostics. `paths`: the files that the user named. `folder`: the directory to which the names of other
    files are relative. `results`: whether the diagnostics are the result of the command.
    """
    stream = sys.stdout if results else sys.stderr
    if is_terminal(stream) and form in render.PEOPLE:  # the last lines are those that a person sees
        diagnostics = sorted(diagnostics, key=lambda diagnostic: diagnostic.severity == "error")
    if form == "text" and diagnostics and (is_terminal(stream) or is_colored(stream, color)):
        from transpile.diagnostics.render import terminal as terminals  # rich takes long to import

        diagnostics = render.restore_file_paths(render.select_severe(diagnostics, min_severity), paths, folder)
        stream.write(terminals.render(diagnostics, terminal_width(stream), colors=is_colored(stream, color)))
        return
    stream.write(render_diagnostics(diagnostics, form, paths, folder, min_severity))


def render_diagnostics(
    diagnostics: Sequence[Diagnostic],
    form: str,
    paths: Sequence[str] = (),
    folder: str | None = None,
    min_severity: str = "info",
) -> str:
    """The text of diagnostics in a format, as it is written to a file."""
    if form in render.SELECTIVE:
        diagnostics = render.select_severe(diagnostics, min_severity)
    if form in render.LOCATED:
        diagnostics = render.restore_file_paths(diagnostics, paths, folder)
    return render.load_renderer(form)(diagnostics)


def hidden_findings(diagnostics: Sequence[Mapping[str, Any]], min_severity: str) -> str:
    """A phrase that counts the findings below a severity; empty if there are none."""
    lower = SEVERITIES[SEVERITIES.index(min_severity) + 1 :]
    counts = [(sum(d["severity"] == severity for d in diagnostics), severity) for severity in lower]
    words = " and ".join(count_noun(count, severity) for count, severity in counts if count)
    return f"{words} not shown (-v shows all)" if words else ""


def is_terminal(stream: TextIO) -> bool:
    """Whether a person looks at a stream."""
    try:
        return stream.isatty() and os.environ.get("TERM") != "dumb"
    except ValueError:  # it is closed
        return False


def is_colored(stream: TextIO, color: str) -> bool:
    """Whether a stream gets colours. Options count more than the environment, NO_COLOR more than FORCE_COLOR."""
    if color != "auto":
        return color == "always"
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or is_terminal(stream)


def terminal_width(stream: TextIO) -> int:
    """The columns of a terminal; 0 for any other stream, where lines are not wrapped."""
    if not is_terminal(stream):
        return 0
    try:
        return int(os.environ.get("COLUMNS", "")) or os.get_terminal_size(stream.fileno()).columns
    except ValueError:
        try:
            return os.get_terminal_size(stream.fileno()).columns
        except OSError:
            return 0
    except OSError:
        return 0
