"""`hot2tf check --watch`: looks at the named files again and again, and checks when one of them has changed.

Invariant: only the size and the time of files are looked at between two checks. Ctrl-C ends it at any time, as
it ends every command.
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, NoReturn

from transpile.cli import check, findings, options
from transpile.cli.discover_files import status_of
from transpile.repository import nearby

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

PAUSE = 0.5  # seconds between two looks
CLEAR = "\033[2J\033[3J\033[H"

State = dict[str, tuple[int, int]]


def run(paths: Sequence[str], how: check.Options, once: Callable[[], object]) -> NoReturn:
    """Checks, and again after each change."""
    while True:
        before = state(paths, how)
        nearby.forget()
        if findings.terminal(sys.stdout):
            sys.stdout.write(CLEAR)
        once()
        sys.stdout.flush()
        options.tell("Watching for changes; Ctrl-C ends it.")
        while state(paths, how) == before:
            time.sleep(PAUSE)


def state(paths: Sequence[str], how: check.Options) -> State:
    """The size and time of all files that may matter: those named, those below named directories, and environments."""
    found: State = {}
    for path in (*(file.path for file in check.files(paths)), *how.environments, *filter(None, (how.inventory,))):
        if (status := status_of(path)) is not None:
            found[path] = (status.st_mtime_ns, status.st_size)
    return found
