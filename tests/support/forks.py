"""Work that is stopped in the middle: in forks of the process that runs the tests, and at a chosen step."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable
from typing import Any


def fork() -> int:
    """Like `os.fork`. From Python 3.12 on it warns where there are several threads, and the workers of pytest-xdist
    have one that waits for messages. Our children take no lock that it could hold: they run a few functions of the
    program and end without cleaning up.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


def stop_at(
    step: int,
    functions: Iterable[tuple[Any, str]],
    end: Callable[[], Any],
    *,
    after: bool = False,
    change: Callable[[Any, str, Any], None] = setattr,
) -> None:
    """Makes functions, each given by its owner and its name, call `end` before the given step; with `after`, the moment
    after each call is a step, too.
    """
    done = 0

    def pass_step() -> None:
        nonlocal done
        done += 1
        if done == step:
            end()

    def counted(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **more: Any) -> Any:
            pass_step()
            result = function(*args, **more)
            if after:
                pass_step()
            return result

        return call

    for owner, name in functions:
        change(owner, name, counted(getattr(owner, name)))


def is_killed_at(step: int, functions: Iterable[tuple[Any, str]], run: Callable[[], Any], *, after: bool) -> bool:
    """Runs in a process that is killed at a step. Returns whether there was such a step."""
    if (child := fork()) == 0:
        try:
            stop_at(step, functions, lambda: os._exit(9), after=after)
            run()
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
