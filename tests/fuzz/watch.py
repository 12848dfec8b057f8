"""Limits for one input: time of the processor, and memory.

Invariant: an input that takes too long is stopped by an exception, so that its place is known.
"""

from __future__ import annotations

import contextlib
import pathlib
import resource
import signal
from collections.abc import Iterator
from types import FrameType

SECONDS = 5.0  # of the processor
MEMORY = 1 << 30  # bytes more than the process has at its beginning


class TooSlow(BaseException):
    """An input took more than SECONDS. Not an Exception, which code of ours might handle."""


def stop(number: int, frame: FrameType | None) -> None:
    raise TooSlow


@contextlib.contextmanager
def limited() -> Iterator[None]:
    """Raises TooSlow in its body after SECONDS of the processor."""
    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, SECONDS, 0.5)  # again and again, if somebody handles the first
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def limit_memory() -> None:
    """From here on, this process gets MEMORY more than it has."""
    pages = int(pathlib.Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def peak() -> int:
    """The most memory that this process has had, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
