"""Work over many files: what comes back, and in which order, whatever becomes of the processes.

The easy rule to break: one process that fails is not to be seen from outside, unless the work itself fails.
"""

from __future__ import annotations

import os

import pytest

from transpile import paths

MANY = list(range(4 * paths.FEW + 3))
HERE = os.getpid()


def doubled(number: int) -> tuple[int, int]:
    return 2 * number, os.getpid()


def killed(number: int) -> int:
    """Ends a process other than the test's."""
    if number == paths.FEW and os.getpid() != HERE:
        os._exit(9)
    return 2 * number


def failing(number: int) -> int:
    if number == paths.FEW + 1:
        raise ValueError(number)
    return number


@pytest.mark.parametrize("jobs", [1, 2, 3, 64])
def test_results_come_in_order(jobs: int) -> None:
    found = list(paths.each(doubled, MANY, jobs))
    assert [n for n, _ in found] == [2 * n for n in MANY]
    assert len({pid for _, pid in found}) == min(jobs, len(MANY) // paths.FEW)


def test_few_files_need_no_second_process() -> None:
    assert {pid for _, pid in paths.each(doubled, range(2 * paths.FEW - 1), 8)} == {HERE}


@pytest.mark.parametrize("jobs", [2, 3, 4])
def test_what_a_lost_process_had_is_done_again(jobs: int) -> None:
    assert list(paths.each(killed, MANY, jobs)) == [2 * n for n in MANY]


@pytest.mark.parametrize("jobs", [1, 2, 3, 4])
def test_work_that_fails_fails_here(jobs: int) -> None:
    with pytest.raises(ValueError, match=str(paths.FEW + 1)):
        list(paths.each(failing, MANY, jobs))
