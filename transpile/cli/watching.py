"""`hot2tf check --watch`: looks at the named files again and again, and checks when a file has changed.

Invariant: between two checks only the size and the time of files are read. Ctrl-C ends it at any time, as it ends every
command.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from typing import NoReturn

from transpile import checking
from transpile.checking import CheckedFiles
from transpile.cli import findings, options
from transpile.discover_files import status_of
from transpile.repository import nearby
from transpile.settings import Finder
from transpile.settings.all_options import CONTRIBUTED
from transpile.settings.table import PATH

PAUSE = 0.5  # seconds between two looks
CLEAR = "\033[2J\033[3J\033[H"

State = dict[str, tuple[int, int]]


def watch_paths(
    paths: Sequence[str], finder: Callable[[], Finder], jobs: int, show: Callable[[CheckedFiles], object]
) -> NoReturn:
    """Checks, and again after each change. `finder`: makes a finder for the current configurations."""
    while True:
        configured = checking.ConfiguredRequests(finder())
        before = file_states(paths, configured.finder)
        nearby.forget_directories()
        checked = checking.check_files(paths, configured, jobs)
        if findings.is_terminal(sys.stdout):
            sys.stdout.write(CLEAR)
        show(checked)
        sys.stdout.flush()
        options.tell_user("Watching for changes; Ctrl-C ends it.")
        while file_states(paths, configured.finder) == before:
            time.sleep(PAUSE)


def file_states(paths: Sequence[str], finder: Finder) -> State:
    """The size and time of all checked files, and of the files that the command line and configurations name."""
    states: State = {}
    settings = finder.for_directory(options.common_directory(list(paths)))
    contributed = [row.name for row in CONTRIBUTED if row.kind == PATH]
    named = (*settings.text_values("environments"), *filter(None, map(settings.get, contributed)))
    for path in (*(file.path for file in checking.files_to_check(paths, finder)), *named):
        if (status := status_of(path)) is not None:
            states[path] = (status.st_mtime_ns, status.st_size)
    return states
