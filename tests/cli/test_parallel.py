"""Jobs in several processes: the results come in order and are complete, also if processes die."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
import threading
import time
from collections.abc import Callable

import pytest

from transpile import parallel

MANY = list(range(4 * parallel.FEW + 3))
HERE = os.getpid()
ROOT = pathlib.Path(__file__).parents[2]
PATIENCE = 60  # seconds


def together(place: pathlib.Path, count: int) -> Callable[[int], tuple[int, int]]:
    """Work that waits until so many processes are at it; otherwise one of them might do all of it."""

    def doubled(number: int) -> tuple[int, int]:
        (place / str(os.getpid())).touch()
        until = time.monotonic() + PATIENCE
        while len(list(place.iterdir())) < count and time.monotonic() < until:
            time.sleep(0.001)
        return 2 * number, os.getpid()

    return doubled


def failing(number: int) -> int:
    if number == parallel.FEW + 1:
        raise ValueError(number)
    return number


def in_order(processes: int, place: pathlib.Path) -> None:
    count = min(processes, len(MANY) // parallel.FEW)
    results = list(parallel.run_in_parallel(together(place, count), MANY, processes))
    assert [n for n, _ in results] == [2 * n for n in MANY]
    assert len({pid for _, pid in results}) == count


def few(processes: int, place: pathlib.Path) -> None:
    jobs = range(2 * parallel.FEW - 1)
    assert {pid for _, pid in parallel.run_in_parallel(lambda n: (n, os.getpid()), jobs, processes)} == {HERE}


def lost(processes: int, place: pathlib.Path) -> None:
    working = together(place, processes)

    def killed(number: int) -> int:
        doubled, pid = working(number)
        if pid != HERE:
            os._exit(9)
        return doubled

    assert list(parallel.run_in_parallel(killed, MANY, processes)) == [2 * n for n in MANY]
    assert len(list(place.iterdir())) == processes  # all of them were at work


def largest_first(processes: int, place: pathlib.Path) -> None:
    sizes = [n % 7 for n in MANY]
    done: list[int] = []  # by this process; the other one has a copy of the list
    assert list(parallel.run_in_parallel(done.append, MANY, processes, sizes)) == [None] * len(MANY)
    assert [sizes[n] for n in done] == sorted((sizes[n] for n in done), reverse=True)


def alone(job: Callable[[int, pathlib.Path], None], processes: int, place: pathlib.Path) -> None:
    """Runs one of the functions above in a process with one thread, as the command is; the workers of pytest-xdist
    have more. Nothing in it is deprecated, forks included.
    """
    program = f"import pathlib; from {__name__} import *; {job.__name__}({processes}, pathlib.Path({str(place)!r}))"
    command = [sys.executable, "-W", "error::DeprecationWarning", "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("processes", [1, 2, 3, 64])
def test_results_come_in_order(processes: int, tmp_path: pathlib.Path) -> None:
    alone(in_order, processes, tmp_path)


def test_few_files_need_no_second_process(tmp_path: pathlib.Path) -> None:
    alone(few, 8, tmp_path)


@pytest.mark.parametrize("processes", [2, 3, 4])
def test_jobs_of_a_lost_process_are_done_again(processes: int, tmp_path: pathlib.Path) -> None:
    alone(lost, processes, tmp_path)


def test_large_jobs_are_started_first(tmp_path: pathlib.Path) -> None:
    alone(largest_first, 2, tmp_path)


def test_a_process_with_threads_is_not_forked(monkeypatch: pytest.MonkeyPatch) -> None:
    """The child would have the locks of the other threads, and nobody who opens them."""
    end = threading.Event()
    other = threading.Thread(target=end.wait)
    other.start()
    try:
        monkeypatch.setattr(os, "fork", lambda: pytest.fail("forked"))
        assert list(parallel.run_in_parallel(lambda n: 2 * n, MANY, 2)) == [2 * n for n in MANY]
    finally:
        end.set()
        other.join()


@pytest.mark.parametrize("processes", [1, 2, 3, 4])
def test_work_that_fails_fails_here(processes: int) -> None:
    with pytest.raises(ValueError, match=str(parallel.FEW + 1)):
        list(parallel.run_in_parallel(failing, MANY, processes))


@pytest.mark.parametrize("count", [1, 255, 256, 257, 1000])
def test_each_number_is_taken_once(count: int) -> None:
    assert sorted(parallel.Queue(range(count))) == list(range(count))
