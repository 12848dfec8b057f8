"""The files that a command over many files was given, and the processes that go through them.

The easy rule to break: files come in one order whatever the file system's, each once, and so do the results,
whoever finished first.
"""

from __future__ import annotations

import os
import pathlib
from typing import TYPE_CHECKING, Generic, NoReturn, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

TEMPLATES = (".yaml", ".yml", ".template", ".hot")  # of what is looked for in directories
FEW = 16  # files that are done before another process would have started

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
    """The results, in order; `jobs`: processes at most, of which there are more than one where there is much to do, and
    the system can fork.

    Not with an executor: to import one and to start its workers takes as long as to check a hundred files.
    """
    count = min(jobs, len(todo) // FEW)
    if count < 2 or not hasattr(os, "fork"):
        yield from map(work, todo)
        return
    others = [Share(work, todo[i::count]) for i in range(1, count)]
    done = [[work(job) for job in todo[::count]], *(share.results() for share in others)]
    for i in range(len(todo)):
        yield done[i % count][i // count]


class Share(Generic[Job, Result]):
    """A part of the jobs, which a process of its own does."""

    def __init__(self, work: Callable[[Job], Result], jobs: Sequence[Job]) -> None:
        self.work, self.jobs = work, jobs
        self.pipe, writer = os.pipe()
        self.process = os.fork()
        if self.process == 0:
            self.do(writer)
        os.close(writer)

    def do(self, writer: int) -> NoReturn:
        """What the process does; nothing of the first one's runs in it afterwards, whatever happens."""
        import pickle  # slow, and few need it

        status = 1
        try:
            with os.fdopen(writer, "wb") as stream:
                pickle.dump([self.work(job) for job in self.jobs], stream, pickle.HIGHEST_PROTOCOL)
            status = 0
        finally:
            os._exit(status)

    def results(self) -> list[Result]:
        """What came of it; where nothing did, it is done here, and fails here."""
        import pickle

        with os.fdopen(self.pipe, "rb") as stream:
            told = stream.read()
        _, status = os.waitpid(self.process, 0)
        return pickle.loads(told) if status == 0 else [self.work(job) for job in self.jobs]
