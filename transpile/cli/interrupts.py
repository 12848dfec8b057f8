"""What Ctrl-C does.

Invariant: who ignores it, as background jobs of shells do, is not ended by it. Only the command changes this, never the
library.
"""

from __future__ import annotations

import os
import signal

STATUS = 130  # the exit status after Ctrl-C, as shells have it


def end_at_once() -> None:
    """From now on it ends the process, wherever it is, without a word: the next run puts right what is half written."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, end_process)


def end_process(number: int, frame: object) -> None:
    os._exit(STATUS)


def raise_it() -> None:
    """From now on it raises KeyboardInterrupt again, for commands that have something to do or to say then."""
    if signal.getsignal(signal.SIGINT) is end_process:
        signal.signal(signal.SIGINT, signal.default_int_handler)
