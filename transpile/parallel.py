"""Runs a function over many jobs in several processes.

Each process is a fork of this one, so it starts with all modules imported and all jobs at hand, and sends its results
back pickled, through a pipe. `multiprocessing` and `concurrent.futures` would do the same, but importing one and
starting its pool takes about 30 ms, as long as checking 100 templates.

Invariant: the results come in the order of the jobs, whichever process finishes first. A process with several threads
is not forked: it does all jobs itself.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Generic, NoReturn, TypeVar

FEW = 16  # jobs that a process finishes in the time that starting another one takes

Job = TypeVar("Job")
Result = TypeVar("Result")


def run_in_parallel(
    work: Callable[[Job], Result], jobs: Sequence[Job], processes: int, sizes: Sequence[int] | None = None
) -> Iterator[Result]:
    """The result of each job. `processes`: the maximum; few jobs run in this process alone. `sizes`: the relative
    duration of each job; long ones are started first.

    If a child process is killed or a job raises an exception in it, this process repeats its jobs.
    """
    count = min(processes, len(jobs) // FEW)
    if count < 2 or not hasattr(os, "fork") or count_threads() > 1:
        yield from map(work, jobs)
        return
    order = sorted(range(len(jobs)), key=sizes.__getitem__, reverse=True) if sizes else range(len(jobs))
    queue = Queue(order)
    children = [Child(lambda: {i: work(jobs[i]) for i in queue}) for _ in range(1, count)]
    results = {i: work(jobs[i]) for i in queue}
    for child in children:
        results |= child.results()
    for i, job in enumerate(jobs):
        yield results[i] if i in results else work(job)


def count_threads() -> int:
    """The number of threads of this process. A fork copies only one thread, and waits forever for a lock that another
    thread held.
    """
    try:
        with os.scandir("/proc/self/task") as tasks:  # this also counts threads that Python did not start
            return len(list(tasks))
    except OSError:  # not Linux
        return len(sys._current_frames())


class Queue:
    """A work queue of numbers, shared by several processes. Each process takes the next batch when it has finished one,
    so slower processes do less.

    The numbers are split into at most 256 batches. One byte for each batch waits in a pipe, which the processes read.
    """

    def __init__(self, numbers: Sequence[int]) -> None:
        self.batches = [numbers[i::256] for i in range(min(len(numbers), 256))]
        self.pipe, writer = os.pipe()
        os.write(writer, bytes(range(len(self.batches))))
        os.close(writer)

    def __iter__(self) -> Iterator[int]:
        while batch := os.read(self.pipe, 1):
            yield from self.batches[batch[0]]
        os.close(self.pipe)


class Child(Generic[Result]):
    """A forked process that runs some of the jobs."""

    def __init__(self, work: Callable[[], dict[int, Result]]) -> None:
        self.pipe, writer = os.pipe()
        self.process = os.fork()
        if self.process == 0:
            self.run_work(work, writer)
        os.close(writer)

    def run_work(self, work: Callable[[], dict[int, Result]], writer: int) -> NoReturn:
        """Runs in the child process and exits it."""
        import pickle  # takes 4 ms to import

        try:
            results = pickle.dumps(work())
            with os.fdopen(writer, "wb") as stream:
                stream.write(results)
        finally:
            os._exit(0)  # as is usual in a fork: exit handlers and buffered output belong to the parent

    def results(self) -> dict[int, Result]:
        """The results by the number of the job; none if the child failed."""
        import pickle

        with os.fdopen(self.pipe, "rb") as stream:
            sent = stream.read()
        os.waitpid(self.process, 0)
        try:
            results_by_index: dict[int, Result] = pickle.loads(sent)
        except (EOFError, pickle.UnpicklingError):
            return {}
        return results_by_index
