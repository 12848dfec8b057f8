"""Runs units in this process, or in processes of this machine. `cluster.py` has other machines.

Invariant: a process that is killed costs only time. A unit that ends its process a second time, then alone, gets
`ProcessLost` as its result.
"""

from __future__ import annotations

import concurrent.futures
import gc
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures.process import BrokenProcessPool
from typing import Protocol, final

from transpile import targets
from transpile.migrate.unit import MigrationUnit, UnitResult, convert_unit

UNITS_PER_START = 32  # units that are converted in the time that starting a process takes
UNITS_IN_FLIGHT = 4  # units in flight for each process
ALLOCATIONS = 50_000  # between two garbage collections; half of those of the command, which converts one stack


class ProcessLost(Exception):
    """A unit that ended its process."""


class NoCluster(Exception):
    """The cluster cannot be used; the message says why."""


class Executor(Protocol):
    """Runs units and gives results as they come, in any order; each with its unit, a result or the reason why there is
    none. It takes a new unit only when it has room for it.
    """

    def run_units(self, units: Iterable[MigrationUnit]) -> Iterator[tuple[MigrationUnit, UnitResult | Exception]]: ...

    def close(self) -> None:
        """Ends all processes when they have finished their units, and starts no new one."""
        ...


@final
class InlineExecutor:
    """One unit after the other, in this process."""

    def run_units(self, units: Iterable[MigrationUnit]) -> Iterator[tuple[MigrationUnit, UnitResult | Exception]]:
        for unit in units:
            try:
                yield unit, convert_unit(unit)
            except Exception as e:  # a defect in the conversion of this unit
                yield unit, e

    def close(self) -> None:
        """There is nothing to end."""


def prepare_process() -> None:
    """Prepares a process of a pool. Ctrl-C reaches all processes of a terminal, but only the first one handles it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.set_threshold(ALLOCATIONS)


@final
class ProcessExecutor:
    """Processes of this machine. `work`: the function that they run for a unit."""

    def __init__(self, processes: int, target: str, work: Callable[[MigrationUnit], UnitResult] = convert_unit) -> None:
        self.processes, self.work = processes, work
        methods = multiprocessing.get_all_start_methods()
        self.context = multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")
        if "forkserver" in methods:
            self.context.set_forkserver_preload([__name__, targets.BUILT_IN.get(target, __name__)])
        self.pool = self.start_pool(processes)

    def start_pool(self, processes: int) -> concurrent.futures.ProcessPoolExecutor:
        return concurrent.futures.ProcessPoolExecutor(processes, self.context, initializer=prepare_process)

    def run_units(self, units: Iterable[MigrationUnit]) -> Iterator[tuple[MigrationUnit, UnitResult | Exception]]:
        lost: list[MigrationUnit] = []
        in_flight: dict[concurrent.futures.Future[UnitResult], MigrationUnit] = {}
        waiting = iter(units)
        ended = False
        while in_flight or not ended:
            while not ended and len(in_flight) < UNITS_IN_FLIGHT * self.processes:
                unit = next(waiting, None)
                if unit is None:
                    ended = True
                    break
                try:
                    in_flight[self.pool.submit(self.work, unit)] = unit
                except BrokenProcessPool:
                    lost.append(unit)
                    self.pool = self.start_pool(self.processes)
            if not in_flight:
                continue
            done, _ = concurrent.futures.wait(in_flight, return_when=concurrent.futures.FIRST_COMPLETED)
            broken = False
            for future in done:
                unit = in_flight.pop(future)
                try:
                    result = future.result()
                except BrokenProcessPool:
                    lost.append(unit)
                    broken = True
                except Exception as e:  # a defect in the conversion of this unit
                    yield unit, e
                else:
                    yield unit, result
            if broken:
                lost += in_flight.values()
                in_flight.clear()
                self.pool.shutdown(wait=False, cancel_futures=True)
                self.pool = self.start_pool(self.processes)
        yield from self.run_alone(lost)

    def run_alone(self, units: list[MigrationUnit]) -> Iterator[tuple[MigrationUnit, UnitResult | Exception]]:
        """Converts the units that were in flight when a process ended: each alone, to find the one that ends it."""
        for unit in units:
            with self.start_pool(1) as pool:
                try:
                    yield unit, pool.submit(self.work, unit).result()
                except BrokenProcessPool:
                    yield unit, ProcessLost("its process was killed; perhaps the memory was not enough")
                except Exception as e:
                    yield unit, e

    def close(self) -> None:
        """Waits for the units that run, and cancels the others.

        The pool cancels only while it is referenced. Without waiting, a unit that was sent halfway when Ctrl-C came
        would never end.
        """
        self.pool.shutdown(wait=True, cancel_futures=True)


def choose_executor(jobs: int, units: int, target: str) -> Executor:
    """The executor for so many processes (0: one for each processor), units, and the name of the target."""
    processes = min(jobs or count_processors(), (units + UNITS_PER_START - 1) // UNITS_PER_START)
    return ProcessExecutor(processes, target) if processes > 1 else InlineExecutor()


def count_processors() -> int:
    """The processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
