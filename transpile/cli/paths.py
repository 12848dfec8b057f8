"""The files that a command over many files was given, and the processes that go through them.

The easy rule to break: files come in one order whatever the file system's, each once, and so do the results,
whoever finished first.
"""

from __future__ import annotations

import marshal
import os
import pathlib
import stat
from typing import TYPE_CHECKING, ClassVar, Generic, NoReturn, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

TEMPLATES = (".yaml", ".yml", ".template", ".hot")  # of what is looked for in directories
FEW = 16  # files that are done before another process would have started

Job = TypeVar("Job")
Result = TypeVar("Result")


def given(
    paths: Iterable[str], suffixes: tuple[str, ...] = TEMPLATES, *, deep: bool = True
) -> Iterator[tuple[str, bool, int]]:
    """The files, each once, whether they were met in a directory, and their bytes, as far as they have any. `deep`:
    directories inside others count, too.
    """
    seen: set[object] = set()
    for one in paths:
        status = asked(one)
        inside = status is not None and stat.S_ISDIR(status.st_mode)
        files = ((path, asked(path)) for path in walk(one, suffixes, deep=deep)) if inside else [(one, status)]
        for path, status in files:
            if (which := same(path, status)) not in seen:
                seen.add(which)
                yield path, inside, status.st_size if status is not None else 0


def asked(path: str) -> os.stat_result | None:
    """What the system knows of a file; None where that is nothing."""
    try:
        return os.stat(path)
    except (OSError, ValueError):
        return None


def same(path: str, status: os.stat_result | None) -> object:
    """What is equal for two paths to one file."""
    if status is None:
        return path
    return (status.st_dev, status.st_ino) if status.st_nlink == 1 else os.path.realpath(path)


def walk(directory: str, suffixes: tuple[str, ...], *, deep: bool = True) -> Iterator[str]:
    """The files below a directory that end so, in order; hidden ones are left out."""
    for where, names, files in os.walk(directory):
        names[:] = sorted(n for n in names if deep and not n.startswith("."))
        for name in sorted(files):
            if name.endswith(suffixes) and not name.startswith("."):
                yield str(pathlib.Path(where, name))


def each(work: Callable[[Job], Result], todo: Sequence[Job], jobs: int, sizes: Sequence[int] = ()) -> Iterator[Result]:
    """The results, in order, which are such data as `marshal` takes; `jobs`: processes at most, of which there are more
    than one where there is much to do, and the system can fork; `sizes`: of each, for what is large is begun with.

    Not with an executor, nor with pickle: to import them and to start workers takes as long as to check many a file.
    """
    count = min(jobs, len(todo) // FEW)
    if count < 2 or not hasattr(os, "fork"):
        yield from map(work, todo)
        return
    order = sorted(range(len(todo)), key=sizes.__getitem__, reverse=True) if sizes else range(len(todo))
    heap = Heap(order)
    others = [Share(lambda: heap.done(work, todo)) for _ in range(1, count)]
    done = heap.done(work, todo)
    for share in others:
        done |= share.result()
    for i in range(len(todo)):
        yield done[i] if i in done else work(todo[i])


class Heap:
    """Jobs that several processes take from, each when it is done with what it had. They are in a pipe, which has room
    for more than there are numbers in a byte: where there are more jobs, each number means several.
    """

    def __init__(self, order: Sequence[int]) -> None:
        self.parts = [order[i::256] for i in range(min(len(order), 256))]
        self.pipe, writer = os.pipe()
        os.write(writer, bytes(range(len(self.parts))))
        os.close(writer)

    def done(self, work: Callable[[Job], Result], todo: Sequence[Job]) -> dict[int, Result]:
        """What this process took, by its place."""
        out = {}
        while part := os.read(self.pipe, 1):
            for i in self.parts[part[0]]:
                out[i] = work(todo[i])
        os.close(self.pipe)
        return out


class Share(Generic[Result]):
    """A part of the work, in a process of its own. Nobody waits for the process to end, but for what it tells: to take
    its memory apart takes the system as long as to check some templates.
    """

    ended: ClassVar[list[int]] = []  # processes that have told all, and that the system remembers until they are asked

    def __init__(self, work: Callable[[], dict[int, Result]]) -> None:
        self.ended[:] = [process for process in self.ended if not reaped(process)]
        self.pipe, writer = os.pipe()
        self.process = os.fork()
        if self.process == 0:
            self.do(work, writer)
        os.close(writer)

    def do(self, work: Callable[[], dict[int, Result]], writer: int) -> NoReturn:
        """What the process does; nothing of the first one's runs in it afterwards, whatever happens."""
        try:
            told = marshal.dumps(work())
            with os.fdopen(writer, "wb") as stream:
                stream.write(told)
        finally:
            os._exit(0)

    def result(self) -> dict[int, Result]:
        """What came of it; nothing where it did not come to its end."""
        with os.fdopen(self.pipe, "rb") as stream:
            told = stream.read()
        self.ended.append(self.process)
        try:
            found: dict[int, Result] = marshal.loads(told)
        except (EOFError, ValueError, TypeError):
            return {}
        return found


def reaped(process: int) -> bool:
    """Whether a process of ours is no more, or not ours to ask about."""
    try:
        return os.waitpid(process, os.WNOHANG)[0] == process
    except ChildProcessError:
        return True
