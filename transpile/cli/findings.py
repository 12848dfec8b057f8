"""How findings leave a command: the format, where they go, and colours on a terminal.

Invariant: away from a terminal, nothing depends on the environment: the same findings are the same bytes. What is a
program's to read is never coloured or wrapped.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, TextIO

from transpile.diagnostics import render

if TYPE_CHECKING:
    from collections.abc import Sequence

    from transpile.diagnostics.model import Diagnostic

COLORS = ("auto", "always", "never")


def print_diagnostics(
    diagnostics: Sequence[Diagnostic],
    form: str,
    paths: Sequence[str] = (),
    *,
    results: bool = False,
    color: str = "auto",
) -> None:
    """Writes diagnostics. `paths`: the files that the user named; `results`: they are what the command is for."""
    stream = sys.stdout if results else sys.stderr
    if form == "text" and diagnostics and (is_terminal(stream) or is_colored(stream, color)):
        from transpile.diagnostics.render import terminal as terminals  # rich takes long to import

        stream.write(terminals.render(diagnostics, terminal_width(stream), colors=is_colored(stream, color)))
        return
    stream.write(render_diagnostics(diagnostics, form, paths))


def render_diagnostics(diagnostics: Sequence[Diagnostic], form: str, paths: Sequence[str] = ()) -> str:
    """Diagnostics in a format, as a file has them."""
    return render.load_renderer(form)(
        render.restore_file_paths(diagnostics, paths) if form in render.LOCATED else diagnostics
    )


def is_terminal(stream: TextIO) -> bool:
    """Whether a person looks at a stream."""
    try:
        return stream.isatty() and os.environ.get("TERM") != "dumb"
    except ValueError:  # it is closed
        return False


def is_colored(stream: TextIO, color: str) -> bool:
    """Whether a stream gets colours. An option counts more than the environment, and NO_COLOR more than FORCE_COLOR."""
    if color != "auto":
        return color == "always"
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or is_terminal(stream)


def terminal_width(stream: TextIO) -> int:
    """The columns of a terminal; 0 for anything else, where lines are as long as they are."""
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
