"""Runs many inputs in forked processes, and watches them.

A process runs a batch of inputs and is then replaced, so that nothing that one input leaves behind grows. It writes
what it finds as lines of JSON. One that says nothing for too long is stopped.

All processes are forks of this one, which has run some inputs itself, so that they begin with all modules and tables.

Invariant: the number of an input is said before it runs, so an input that ends its process is known.
"""

from __future__ import annotations

import collections
import dataclasses
import functools
import gc
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

from tests.fuzz import inputs, judge, seeds, watch
from tests.fuzz.runner import Box

BATCH = 2000
FIRST = 100  # inputs that this process runs, and does not judge, before it forks
SILENCE = 90.0  # seconds that a process may say nothing
AGAIN = 20  # of so many inputs one runs again, in another process with other hashes


@dataclasses.dataclass
class Found:
    """A failure: its key, the number of its input, and the exception."""

    key: str
    number: int
    trace: str = ""


@dataclasses.dataclass
class Figures:
    """The figures of a run. again: inputs that ran twice. peak: the highest use of memory."""

    inputs: int = 0
    again: int = 0
    slowest: float = 0.0
    slowest_number: int = -1
    peak: int = 0
    commands: collections.Counter[str] = dataclasses.field(default_factory=collections.Counter)
    failures: dict[str, list[int]] = dataclasses.field(default_factory=dict)

    @property
    def failed(self) -> int:
        return sum(map(len, self.failures.values()))


@functools.cache
def warm_up() -> None:
    """Loads the modules, tables and templates that most inputs need."""
    seeds.every()
    box = Box()
    try:
        for number in range(FIRST):
            case = inputs.make(0, number)
            judge.failures(case, box.run(case))
    finally:
        box.close()
    gc.collect()
    gc.freeze()


def batch(seed: int, numbers: range, say: Callable[[Any], None]) -> None:
    """Runs inputs in this process, and reports the beginning and the outcome of each."""
    watch.limit_memory()
    box = Box()
    before = watch.peak()
    try:
        for number in numbers:
            say(["begin", number])
            case = inputs.make(seed, number)
            outcome = box.run(case)
            keys = judge.failures(case, outcome)
            if watch.peak() - before > watch.MEMORY * 0.9:
                keys.append(f"{case.argv[0]}: memory")
            digest = outcome.digest() if number % AGAIN == 0 and not keys else ""
            label = f"{case.argv[0]} {outcome.status}"
            say(["end", number, label, keys, round(outcome.seconds, 3), digest, outcome.trace if keys else ""])
            before = max(before, watch.peak()) if keys else before
        say(["peak", watch.peak()])
    finally:
        box.close()


class Worker:
    """A forked process with a batch."""

    def __init__(self, seed: int, numbers: range) -> None:
        reader, writer = os.pipe()
        self.numbers, self.heard, self.current = numbers, time.monotonic(), -1
        sys.stdout.flush()
        self.process = os.fork()
        if self.process == 0:
            status = 1
            try:
                signal.signal(signal.SIGTERM, signal.SIG_DFL)  # only the parent ends with figures
                os.close(reader)
                with os.fdopen(writer, "w", encoding="utf-8") as stream:

                    def say(message: Any) -> None:
                        stream.write(json.dumps(message) + "\n")
                        stream.flush()

                    batch(seed, numbers, say)
                status = 0
            finally:
                os._exit(status)
        os.close(writer)
        self.pipe, self.rest = reader, b""

    def lines(self) -> Iterator[Any]:
        """The messages of the worker since the last call. A last `None` means that it has ended."""
        data = os.read(self.pipe, 1 << 16)
        self.heard = time.monotonic()
        *whole, self.rest = (self.rest + data).split(b"\n")
        yield from (json.loads(line) for line in whole)
        if not data:
            os.close(self.pipe)
            os.waitpid(self.process, 0)
            yield None

    def kill(self) -> None:
        os.kill(self.process, signal.SIGKILL)


class Twin:
    """Another interpreter, with other hashes of texts, that runs some inputs again."""

    def __init__(self, seed: int) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.fuzz.twin", str(seed)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONHASHSEED": "20260517"},
            text=True,
        )
        self.asked: collections.deque[tuple[int, str]] = collections.deque()

    def ask(self, number: int, digest: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{number}\n")
        self.process.stdin.flush()
        self.asked.append((number, digest))

    def differing(self, most: int) -> Iterator[int]:
        """Reads answers until no more than `most` are open. Yields the inputs that came out differently."""
        assert self.process.stdout is not None
        while len(self.asked) > most:
            number, digest = self.asked.popleft()
            if self.process.stdout.readline().strip() != digest:
                yield number

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def run(
    seed: int, numbers: range, *, jobs: int, seconds: float, on_failure: Callable[[Found], None] = lambda _: None
) -> Figures:
    """Runs inputs until there are no more, or the time is over. Calls `on_failure` for each failure with a new key."""
    warm_up()
    figures, ends = Figures(), time.monotonic() + seconds
    left = iter([numbers[i : i + BATCH] for i in range(0, min(len(numbers), 10**9), BATCH)])
    twin, workers = Twin(seed), list[Worker]()

    def failed(key: str, number: int, trace: str = "") -> None:
        new = key not in figures.failures
        figures.failures.setdefault(key, []).append(number)
        if new:
            on_failure(Found(key, number, trace))

    while True:
        while len(workers) < jobs and time.monotonic() < ends and (part := next(left, None)) is not None:
            workers.append(Worker(seed, part))
        if not workers:
            break
        try:
            ready, _, _ = select.select([w.pipe for w in workers], [], [], 1.0)
        except KeyboardInterrupt:  # the figures are still wanted
            for worker in workers:
                worker.kill()
            break
        for worker in list(workers):
            if worker.pipe not in ready:
                if time.monotonic() - worker.heard > SILENCE:
                    worker.kill()
                continue
            for line in worker.lines():
                if line is None:
                    workers.remove(worker)
                    if worker.current >= 0:  # it ended in the middle of an input
                        failed("the process ended, or said nothing", worker.current)
                        rest = range(worker.current + 1, worker.numbers.stop)
                        if rest:
                            workers.append(Worker(seed, rest))
                elif line[0] == "begin":
                    worker.current = line[1]
                elif line[0] == "peak":
                    figures.peak = max(figures.peak, line[1])
                else:
                    worker.current = -1
                    _, number, label, keys, taken, digest, trace = line
                    figures.inputs += 1
                    figures.commands[label] += 1
                    if taken > figures.slowest:
                        figures.slowest, figures.slowest_number = taken, number
                    for key in keys:
                        failed(key, number, trace)
                    if digest:
                        twin.ask(number, digest)
                        figures.again += 1
        for number in twin.differing(50):
            failed("a second run differs", number)
    for number in twin.differing(0):
        failed("a second run differs", number)
    twin.close()
    return figures
