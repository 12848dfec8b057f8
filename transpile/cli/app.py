"""The command `hot2tf`: its arguments, its exit status, and its streams, which may be closed, full, or pipes that
nobody reads.

Invariant: the exit status is 0, 1 (errors in the input) or 2 (wrong usage), and there is never a traceback. Results
that cannot be written raise `LostOutput`, once. A closed standard output behaves like /dev/null. A failure to write to
standard error does not change the exit status.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, final

from transpile.model import printable
from transpile.version import __version__

VERSION_FLAGS = ("-V", "--version")
SIZE = 1 << 16  # bytes that are written together


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
    prepare_streams()
    try:
        run_to_the_end(run_command_line)
    except LostOutput as e:
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


class LostOutput(Exception):
    """Standard output does not accept the results. `quiet`: the reader of a pipe has closed it, as `head` does."""

    def __init__(self, why: str, *, quiet: bool = False) -> None:
        super().__init__(why)
        self.quiet = quiet


@final
class Descriptor(io.RawIOBase):
    """The descriptor that a stream writes to. `inner`: None if it is closed. `results`: whether a failure to write is
    raised.
    """

    def __init__(self, inner: Any, *, results: bool) -> None:
        self.inner, self.results, self.lost = inner, results, inner is None

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        if self.inner is None:
            raise OSError(errno.EBADF, "it is closed")
        return int(self.inner.fileno())

    def isatty(self) -> bool:
        return self.inner is not None and bool(self.inner.isatty())

    def write(self, data: Any) -> int:
        if self.lost:
            return len(data)
        try:
            while (written := self.inner.write(data)) is None:  # None: a non-blocking pipe is full
                wait_until_writable(self.inner.fileno())
            return int(written)
        except OSError as e:
            self.lost = True  # later writes do nothing, so that none fails when the process ends
            if self.results:
                raise LostOutput(e.strerror or str(e), quiet=e.errno == errno.EPIPE) from None
            return len(data)


def wait_until_writable(number: int) -> None:
    import select  # rarely needed

    select.select([], [number], [])


def prepare_streams() -> None:
    """Replaces the process's own standard streams by `Descriptor` streams in UTF-8. Streams that a caller has installed
    stay.
    """
    if None in (sys.__stdin__, sys.__stdout__, sys.__stderr__):
        occupy_descriptors()
    for name, results in (("stdout", True), ("stderr", False)):
        stream, own = getattr(sys, name), getattr(sys, f"__{name}__")
        if stream is own and (own is None or hasattr(own, "buffer")):
            buffer = own.buffer if own is not None else None
            raw = Descriptor(getattr(buffer, "raw", buffer), results=results)  # python -u has no buffer
            made = io.TextIOWrapper(
                io.BufferedWriter(raw, SIZE),
                encoding="utf-8",
                errors="replace",
                newline="\n",
                line_buffering=raw.isatty() or not results,
            )
            setattr(sys, name, made)
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace", newline="\n")


def occupy_descriptors() -> None:
    """Opens the standard descriptors that are closed. Otherwise a file opened later could get the number of standard
    output.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number


def run_to_the_end(run: Callable[[], None]) -> None:
    """Runs a command, and flushes its output. Raises LostOutput."""
    try:
        run()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
