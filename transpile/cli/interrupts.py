"""The effect of Ctrl-C.

Invariant: a process that ignores Ctrl-C, such as a background job of a shell, is not ended by it. Only the command
changes the handling of Ctrl-C, never the library.
"""

from __future__ import annotations

import os
import signal

STATUS = 130  # the exit status after Ctrl-C, as shells have it


def end_at_once() -> None:
    """Lets Ctrl-C end the process at once and without a message. The next run repairs files that are half written."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, end_process)


def end_process(number: int, frame: object) -> None:
    os._exit(STATUS)


def raise_it() -> None:
    """Lets Ctrl-C raise KeyboardInterrupt again, for commands that clean up or print something then."""
    if signal.getsignal(signal.SIGINT) is end_process:
        signal.signal(signal.SIGINT, signal.default_int_handler)
