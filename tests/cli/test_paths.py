"""Work on many files: the results and their order, whatever happens to the processes.

It is random which process does what. A test that needs several processes makes them wait for each other; otherwise one
might do all the work.
"""

from __future__ import annotations

import os
import pathlib
import time
from collections.abc import Callable

import pytest

from transpile.cli import paths

MANY = list(range(4 * paths.FEW + 3))
HERE = os.getpid()
PATIENCE = 60  # seconds


def together(place: pathlib.Path, count: int) -> Callable[[int], tuple[int, int]]:
    """Work that continues only when the given number of processes is running it."""

    def doubled(number: int) -> tuple[int, int]:
        (place / str(os.getpid())).touch()
        until = time.monotonic() + PATIENCE
        while len(list(place.iterdir())) < count and time.monotonic() < until:
            time.sleep(0.001)
        return 2 * number, os.getpid()

    return doubled


def failing(number: int) -> int:
    if number == paths.FEW + 1:
        raise ValueError(number)
    return number


@pytest.mark.parametrize("jobs", [1, 2, 3, 64])
def test_results_come_in_order(jobs: int, tmp_path: pathlib.Path) -> None:
    count = min(jobs, len(MANY) // paths.FEW)
    found = list(paths.each(together(tmp_path, count), MANY, jobs))
    assert [n for n, _ in found] == [2 * n for n in MANY]
    assert len({pid for _, pid in found}) == count


def test_few_files_need_no_second_process() -> None:
    few = range(2 * paths.FEW - 1)
    assert {pid for _, pid in paths.each(lambda n: (n, os.getpid()), few, 8)} == {HERE}


@pytest.mark.parametrize("jobs", [2, 3, 4])
def test_what_a_lost_process_had_is_done_again(jobs: int, tmp_path: pathlib.Path) -> None:
    working = together(tmp_path, jobs)

    def killed(number: int) -> int:
        doubled, pid = working(number)
        if pid != HERE:
            os._exit(9)
        return doubled

    assert list(paths.each(killed, MANY, jobs)) == [2 * n for n in MANY]
    assert len(list(tmp_path.iterdir())) == jobs  # this many were running, and all but one were lost


@pytest.mark.parametrize("jobs", [1, 2, 3, 4])
def test_work_that_fails_fails_here(jobs: int) -> None:
    with pytest.raises(ValueError, match=str(paths.FEW + 1)):
        list(paths.each(failing, MANY, jobs))


@pytest.mark.parametrize("count", [1, 255, 256, 257, 1000])
def test_a_heap_has_each_job_once(count: int) -> None:
    done: list[int] = []

    def noted(number: int) -> int:
        done.append(number)
        return -number

    assert paths.Heap(range(count)).done(noted, range(count)) == {n: -n for n in range(count)}
    assert sorted(done) == list(range(count))


def test_a_heap_keeps_its_order() -> None:
    done: list[str] = []
    paths.Heap([2, 0, 1]).done(done.append, ["middle", "small", "large"])
    assert done == ["large", "middle", "small"]


def test_what_is_known_of_files(tmp_path: pathlib.Path) -> None:
    """Each file once, whatever its name. A path that is not a file counts as unreadable."""
    (tmp_path / "a.yaml").write_text("four")
    (tmp_path / "b.yaml").symlink_to("a.yaml")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "c.yaml").hardlink_to(tmp_path / "a.yaml")
    (tmp_path / "in" / "d.txt").touch()
    a, b, inside, none = (str(tmp_path / name) for name in ("a.yaml", "b.yaml", "in", "none"))
    found = list(paths.given([b, a, none, "\0", inside, none]))
    assert found == [(b, False, 4), (none, False, 0), ("\0", False, 0), (f"{inside}/c.yaml", True, 4)]


def test_what_is_large_is_begun_with() -> None:
    sizes = [n % 7 for n in MANY]
    done: list[int] = []  # in this process; the other one has its own list
    assert list(paths.each(done.append, MANY, 2, sizes)) == [None] * len(MANY)
    assert [sizes[n] for n in done] == sorted((sizes[n] for n in done), reverse=True)
