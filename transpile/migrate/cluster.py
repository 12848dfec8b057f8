"""Runs units on a Dask cluster, whose workers share no file system with this machine.

Invariant: a worker reads no files of its own. It gets the content of the files that a stack reads, and returns the
names of missing ones. The number of units in flight is bounded. Dask is imported only if the user names a cluster.
"""

from __future__ import annotations

import contextlib
import importlib
import itertools
import pathlib
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, final

from transpile.migrate.executors import NoCluster, ProcessLost
from transpile.migrate.shipping import FileShipping
from transpile.migrate.unit import MigrationUnit, UnitResult, convert_unit, find_missing_reads
from transpile.model.records import replace
from transpile.version import __version__

UNITS_PER_TASK = 16  # units of one task: a task costs the scheduler about a millisecond
MOST_ROUNDS = 64  # how often a unit may ask for more files; each round is one level of nested files
SECONDS = 30  # to reach the scheduler


def read_worker_version() -> str:
    """The version of hot2tf that a worker has."""
    from transpile.version import __version__

    return __version__


def convert_batch(units: Sequence[MigrationUnit], files: Mapping[str, bytes]) -> list[UnitResult | Exception]:
    """Converts a batch on a worker, which has only these files of the source, by path from the root."""
    results: list[UnitResult | Exception] = []
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
                results.append(convert_unit(replace(unit, root=root)))
            except Exception as e:  # a defect in the conversion of this unit
                results.append(RuntimeError(f"{type(e).__name__}: {e}"))
    return results


class UnitBatch(NamedTuple):
    """A batch, with the files that it gets. rounds: how often it asked for more."""

    units: list[MigrationUnit]
    files: Mapping[str, bytes]
    rounds: int


@final
class ClusterExecutor:
    """The workers of a scheduler. Raises NoCluster if there are none, or if they have another version of hot2tf."""

    def __init__(self, address: str, shipping: FileShipping) -> None:
        self.shipping = shipping
        try:
            self.distributed: Any = importlib.import_module("distributed")
        except ImportError:
            raise NoCluster("--cluster needs the extra cluster of hot2tf (docs/install.md)") from None
        try:
            self.client: Any = self.distributed.Client(address, timeout=SECONDS, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as e:
            raise NoCluster(f"there is no scheduler at {address}: {e}") from None
        try:
            self.check_workers()
        except BaseException:
            self.close()
            raise

    def check_workers(self) -> None:
        """Raises NoCluster unless all workers have this version of hot2tf."""
        if not self.client.scheduler_info()["workers"]:
            raise NoCluster("the cluster has no workers")
        versions: dict[str, Any] = self.client.run(read_worker_version, on_error="return")
        for worker, version in sorted(versions.items()):
            if isinstance(version, BaseException):
                raise NoCluster(f"the worker {worker} cannot use hot2tf: {version}")
            if version != __version__:
                raise NoCluster(
                    f"the worker {worker} has hot2tf {version}, and this is {__version__}: install the same one"
                )

    def run_units(self, units: Iterable[MigrationUnit]) -> Iterator[tuple[MigrationUnit, UnitResult | Exception]]:
        waiting = split_batches(units)
        in_flight: dict[str, UnitBatch] = {}
        done = self.distributed.as_completed(loop=self.client.loop)

        def submit_batch(task: UnitBatch) -> None:
            future = self.client.submit(convert_batch, task.units, task.files, pure=False)
            in_flight[future.key] = task
            done.add(future)

        ended = False
        while in_flight or not ended:
            while not ended and len(in_flight) < self.count_allowed_tasks():
                batch = next(waiting, None)
                if batch is None:
                    ended = True
                else:
                    submit_batch(UnitBatch(batch, self.shipping.collect_likely_files(batch), 0))
            if not in_flight:
                break
            future = next(done)
            task = in_flight.pop(future.key)
            try:
                results: list[UnitResult | Exception] = future.result()
            except self.distributed.KilledWorker:
                if len(task.units) == 1:
                    yield task.units[0], ProcessLost("its workers were killed; perhaps the memory was not enough")
                else:
                    for unit in task.units:
                        submit_batch(task._replace(units=[unit]))
                continue
            finally:
                future.release()
            again: list[MigrationUnit] = []
            more: dict[str, bytes] = {}
            for unit, result in zip(task.units, results, strict=True):
                if missing := self.find_missing_files(task, result):
                    again.append(unit)
                    more |= missing
                else:
                    yield unit, result
            if again:
                submit_batch(UnitBatch(again, {**task.files, **more}, task.rounds + 1))

    def find_missing_files(self, task: UnitBatch, result: UnitResult | Exception) -> dict[str, bytes]:
        """The files that a conversion asked for and that exist."""
        if isinstance(result, Exception) or task.rounds >= MOST_ROUNDS:
            return {}
        return self.shipping.read_contents(find_missing_reads(result, task.files))

    def count_allowed_tasks(self) -> int:
        """How many tasks may be in flight: two for each thread, so that no worker waits."""
        threads: int = sum(worker["nthreads"] for worker in self.client.scheduler_info()["workers"].values())
        return 2 * threads

    def close(self) -> None:
        with contextlib.suppress(Exception):
            self.client.close(timeout=5)


def split_batches(units: Iterable[MigrationUnit]) -> Iterator[list[MigrationUnit]]:
    """Units in batches, one after the other."""
    waiting = iter(units)
    while batch := list(itertools.islice(waiting, UNITS_PER_TASK)):
        yield batch
