"""Standard output and standard error, which may be closed, full, or pipes that nobody reads.

Invariant: results that cannot be written raise `LostOutput`, once. If the caller has closed standard output, it behaves
like /dev/null. A failure to write to standard error does not change the exit status.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Callable
from typing import Any, final

SIZE = 1 << 16  # bytes that are written together


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
