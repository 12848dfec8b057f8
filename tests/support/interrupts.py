"""Ctrl-C for the child processes of tests."""

from __future__ import annotations

import signal


def accept_interrupts() -> None:
    """Makes a child process stop at SIGINT. A runner that was started in the background (`nohup … &`, some CI agents)
    ignores this signal, and its children inherit that. To be called as the `preexec_fn` of `subprocess.Popen`.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
