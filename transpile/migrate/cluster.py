"""Runs units on a Dask cluster, whose workers share no file system with this machine.

Invariant: a worker reads nothing of its own: it gets the content of all files that a stack reads, and asks for what is
missing. Only a bounded number of units is on its way. Nothing of Dask is imported unless a cluster is named.
"""

from __future__ import annotations

import contextlib
import importlib
import itertools
import pathlib
import tempfile
from typing import TYPE_CHECKING, Any, NamedTuple, final

from transpile.migrate.executors import Lost, NoCluster
from transpile.migrate.unit import Result, Unit, convert, wanted
from transpile.model.records import replace
from transpile.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from transpile.migrate.shipping import Shipping

BATCH = 16  # units of one task: a task costs the scheduler about a millisecond
ROUNDS = 64  # how often a unit may ask for more files; each round is one level of nested files
SECONDS = 30  # to reach the scheduler


def version() -> str:
    """The version of hot2tf that a worker has."""
    from transpile.version import __version__

    return __version__


def convert_all(units: Sequence[Unit], files: Mapping[str, bytes]) -> list[Result | Exception]:
    """Converts a batch on a worker, which has only these files of the source, by path from the root."""
    out: list[Result | Exception] = []
    with tempfile.TemporaryDirectory(prefix="hot2tf-") as root:
        folders: set[pathlib.Path] = set()
        for name, data in files.items():
            path = pathlib.Path(root, name)
            if path.parent not in folders:
                path.parent.mkdir(parents=True, exist_ok=True)
                folders.add(path.parent)
            path.write_bytes(data)
        for unit in units:
            try:
                out.append(convert(replace(unit, root=root)))
            except Exception as e:  # a defect in the conversion of this unit
                out.append(RuntimeError(f"{type(e).__name__}: {e}"))
    return out


class Task(NamedTuple):
    """A batch, with the files that it gets. rounds: how often it asked for more."""

    units: list[Unit]
    files: Mapping[str, bytes]
    rounds: int


@final
class Cluster:
    """The workers of a scheduler. Raises NoCluster if there are none, or if they have another version of hot2tf."""

    def __init__(self, address: str, shipping: Shipping) -> None:
        self.shipping = shipping
        try:
            self.distributed: Any = importlib.import_module("distributed")
        except ImportError:
            raise NoCluster('--cluster needs the extra: pip install "hot2tf[cluster]"') from None
        try:
            self.client: Any = self.distributed.Client(address, timeout=SECONDS, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as e:
            raise NoCluster(f"there is no scheduler at {address}: {e}") from None
        try:
            self.check()
        except BaseException:
            self.close()
            raise

    def check(self) -> None:
        """Raises NoCluster unless all workers have this version of hot2tf."""
        if not self.client.scheduler_info()["workers"]:
            raise NoCluster("the cluster has no workers")
        found: dict[str, Any] = self.client.run(version, on_error="return")
        for worker, has in sorted(found.items()):
            if isinstance(has, BaseException):
                raise NoCluster(f"the worker {worker} cannot use hot2tf: {has}")
            if has != __version__:
                raise NoCluster(
                    f"the worker {worker} has hot2tf {has}, and this is {__version__}: install the same one"
                )

    def run(self, units: Iterable[Unit]) -> Iterator[tuple[Unit, Result | Exception]]:
        waiting = batches(units)
        flying: dict[str, Task] = {}
        done = self.distributed.as_completed(loop=self.client.loop)

        def submit(task: Task) -> None:
            future = self.client.submit(convert_all, task.units, task.files, pure=False)
            flying[future.key] = task
            done.add(future)

        ended = False
        while flying or not ended:
            while not ended and len(flying) < self.room():
                batch = next(waiting, None)
                if batch is None:
                    ended = True
                else:
                    submit(Task(batch, self.shipping.seeming(batch), 0))
            if not flying:
                break
            future = next(done)
            task = flying.pop(future.key)
            try:
                results: list[Result | Exception] = future.result()
            except self.distributed.KilledWorker:
                if len(task.units) == 1:
                    yield task.units[0], Lost("its workers were killed; perhaps the memory was not enough")
                else:
                    for unit in task.units:
                        submit(task._replace(units=[unit]))
                continue
            finally:
                future.release()
            again: list[Unit] = []
            more: dict[str, bytes] = {}
            for unit, result in zip(task.units, results, strict=True):
                if missing := self.missing(task, result):
                    again.append(unit)
                    more |= missing
                else:
                    yield unit, result
            if again:
                submit(Task(again, {**task.files, **more}, task.rounds + 1))

    def missing(self, task: Task, result: Result | Exception) -> dict[str, bytes]:
        """The files that a conversion asked for and that exist."""
        if isinstance(result, Exception) or task.rounds >= ROUNDS:
            return {}
        return self.shipping.contents(wanted(result, task.files))

    def room(self) -> int:
        """The number of tasks that may be on their way."""
        threads: int = sum(worker["nthreads"] for worker in self.client.scheduler_info()["workers"].values())
        return 2 * threads

    def close(self) -> None:
        with contextlib.suppress(Exception):
            self.client.close(timeout=5)


def batches(units: Iterable[Unit]) -> Iterator[list[Unit]]:
    """Units in batches, one after the other."""
    waiting = iter(units)
    while batch := list(itertools.islice(waiting, BATCH)):
        yield batch
