"""Forks of the process that runs the tests, for work that must be stopped in the middle."""

from __future__ import annotations

import os
import warnings


def fork() -> int:
    """Like `os.fork`. From Python 3.12 on it warns where there are several threads, and the workers of pytest-xdist
    have one that waits for messages. Our children take no lock that it could hold: they run a few functions of the
    program and end without cleaning up.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()
