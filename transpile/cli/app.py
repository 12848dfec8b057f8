"""The command `hot2tf`: its arguments and its exit status.

Invariant: the exit status is 0, 1 (errors in the input) or 2 (wrong usage), and there is never a traceback.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any

from transpile.cli import streams
from transpile.model import printable
from transpile.version import __version__

VERSION_FLAGS = ("-V", "--version")


def read_words_as_flags(words: Sequence[str]) -> list[str]:
    """The words of the command line, in which `help`, `help convert` and `version` are the flags that they mean."""
    if words[:1] == ["help"]:
        return [*words[1:2], "--help"]
    return ["--version"] if words == ["version"] else list(words)


def run_command_line() -> None:
    """Runs the command that the arguments name. If arguments are wrong, the messages of typer repeat them."""
    words = read_words_as_flags(sys.argv[1:])
    if words[:1] and words[0] in VERSION_FLAGS:  # answered here, because the import of typer takes longer than that
        sys.stdout.write(f"hot2tf {__version__}\n")
        sys.exit(0)
    import typer

    from transpile.cli.application import make_application

    try:
        status = make_application(words[0] if words else "")(words, standalone_mode=False)
    except typer.Abort:
        status = 1
    except Exception as e:
        wrong: Any = e
        if not hasattr(wrong, "format_message"):
            raise
        if any(printable.make_log_line(argument) != argument for argument in sys.argv):
            message = printable.make_log_line(wrong.format_message())
            wrong.format_message = lambda: message
        wrong.show()
        status = wrong.exit_code
    sys.exit(status or 0)


def main() -> None:
    """Runs the command, and never shows a traceback."""
    streams.prepare_streams()
    try:
        streams.run_to_the_end(run_command_line)
    except streams.LostOutput as e:
        if not e.quiet:
            sys.stderr.write(f"hot2tf: standard output cannot be written: {e}\n")
        sys.exit(1)
    except Exception as e:
        if os.environ.get("HOT2TF_DEBUG"):
            raise
        sys.stderr.write(
            f"{printable.make_log_line(f'error HOT900: hot2tf failed: {type(e).__name__}: {e}')}\n"
            "  = Please report it, with the template if you can. Set HOT2TF_DEBUG=1 for a traceback.\n"
        )
        sys.exit(1)
