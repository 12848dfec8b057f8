"""Runs a function over many jobs in several processes.

Each process is a fork of this one, so it starts with all modules imported and all jobs at hand, and sends its results
back pickled, through a pipe. `multiprocessing` and `concurrent.futures` would do the same, but importing one and
starting its pool takes about 30 ms, as long as checking 100 templates.

Invariant: the results come in the order of the jobs, whichever process finishes first.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Generic, NoReturn, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

FEW = 16  # jobs that one process does in the time that it takes to start another

Job = TypeVar("Job")
Result = TypeVar("Result")


def run(
    work: Callable[[Job], Result], jobs: Sequence[Job], processes: int, sizes: Sequence[int] | None = None
) -> Iterator[Result]:
    """The result of each job. `processes`: how many at most; few jobs are done by this one alone. `sizes`: how long
    each job will take compared with the others.

    What a process fails to send, because it was killed or because a job raised an exception, is done here.
    """
    count = min(processes, len(jobs) // FEW)
    if count < 2 or not hasattr(os, "fork"):
        yield from map(work, jobs)
        return
    own, *others = shares(sizes or [1] * len(jobs), count)
    children = [Child(work, jobs, share) for share in others]
    results = {i: work(jobs[i]) for i in own}
    for child in children:
        results |= child.results()
    for i, job in enumerate(jobs):
        yield results[i] if i in results else work(job)


def shares(sizes: Sequence[int], count: int) -> list[list[int]]:
    """The indexes of all jobs in shares of about the same size: each job, the largest first, goes to the smallest
    share so far.
    """
    totals = [0] * count
    out: list[list[int]] = [[] for _ in totals]
    for i in sorted(range(len(sizes)), key=sizes.__getitem__, reverse=True):
        smallest = totals.index(min(totals))
        totals[smallest] += sizes[i]
        out[smallest].append(i)
    return out


class Child(Generic[Job, Result]):
    """A forked process that does a share of the jobs."""

    def __init__(self, work: Callable[[Job], Result], jobs: Sequence[Job], share: Sequence[int]) -> None:
        self.pipe, writer = os.pipe()
        self.process = os.fork()
        if self.process == 0:
            self.work(work, jobs, share, writer)
        os.close(writer)

    def work(self, work: Callable[[Job], Result], jobs: Sequence[Job], share: Sequence[int], writer: int) -> NoReturn:
        """Runs in the child, and ends it."""
        import pickle  # takes 4 ms, which commands over few files can save

        try:
            results = pickle.dumps({i: work(jobs[i]) for i in share})
            with os.fdopen(writer, "wb") as stream:
                stream.write(results)
        finally:
            os._exit(0)  # as is usual in a fork: exit handlers and buffered output belong to the parent

    def results(self) -> dict[int, Result]:
        """The results by index; none if the child failed."""
        import pickle

        with os.fdopen(self.pipe, "rb") as stream:
            sent = stream.read()
        os.waitpid(self.process, 0)
        try:
            found: dict[int, Result] = pickle.loads(sent)
        except (EOFError, pickle.UnpicklingError):
            return {}
        return found
