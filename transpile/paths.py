"""The files that a command over many files was given, and the processes that go through them.

The easy rule to break: files come in one order whatever the file system's, each once, and so do the results,
whoever finished first.
"""

from __future__ import annotations

import os
import pathlib
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

TEMPLATES = (".yaml", ".yml", ".template", ".hot")  # of what is looked for in directories
FEW = 100  # files that are done before other processes would have started

Job = TypeVar("Job")
Result = TypeVar("Result")


def given(
    paths: Iterable[str], suffixes: tuple[str, ...] = TEMPLATES, *, deep: bool = True
) -> Iterator[tuple[str, bool]]:
    """The files, each once, and whether they were met in a directory. `deep`: directories inside others count, too."""
    seen: set[object] = set()
    for one in paths:
        for path, found in walk(one, suffixes, deep=deep) if pathlib.Path(one).is_dir() else [(one, False)]:
            if (which := same(path)) not in seen:
                seen.add(which)
                yield path, found


def same(path: str) -> object:
    """What is equal for two paths to one file."""
    try:
        status = pathlib.Path(path).stat()
    except (OSError, ValueError):
        return path
    return (status.st_dev, status.st_ino) if status.st_nlink == 1 else os.path.realpath(path)


def walk(directory: str, suffixes: tuple[str, ...], *, deep: bool = True) -> Iterator[tuple[str, bool]]:
    """The files below a directory that end so, in order; hidden ones are left out."""
    for where, names, files in os.walk(directory):
        names[:] = sorted(n for n in names if deep and not n.startswith("."))
        for name in sorted(files):
            if name.endswith(suffixes) and not name.startswith("."):
                yield str(pathlib.Path(where, name)), True


def each(work: Callable[[Job], Result], todo: Sequence[Job], jobs: int) -> Iterator[Result]:
    """The results, in order; `jobs`: processes at most, of which there are more than one where there is much to do."""
    if jobs < 2 or len(todo) < FEW:
        yield from map(work, todo)
        return
    from concurrent import futures  # slow to import, and few need it

    with futures.ProcessPoolExecutor(min(jobs, len(todo) // (FEW // 2))) as pool:
        yield from pool.map(work, todo, chunksize=8)
