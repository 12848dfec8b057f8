"""Jobs in several processes: the results come in order and are complete, whatever becomes of the processes."""

from __future__ import annotations

import os

import pytest

from transpile.cli import parallel

MANY = list(range(4 * parallel.FEW + 3))
HERE = os.getpid()


def doubled(number: int) -> tuple[int, int]:
    return 2 * number, os.getpid()


def failing(number: int) -> int:
    if number == parallel.FEW + 1:
        raise ValueError(number)
    return number


@pytest.mark.parametrize("processes", [1, 2, 3, 64])
def test_results_come_in_order(processes: int) -> None:
    found = list(parallel.run(doubled, MANY, processes))
    assert [n for n, _ in found] == [2 * n for n in MANY]
    assert len({pid for _, pid in found}) == min(processes, len(MANY) // parallel.FEW)


def test_few_files_need_no_second_process() -> None:
    few = range(2 * parallel.FEW - 1)
    assert {pid for _, pid in parallel.run(lambda n: (n, os.getpid()), few, 8)} == {HERE}


@pytest.mark.parametrize("processes", [2, 3, 4])
def test_what_a_lost_process_had_is_done_again(processes: int) -> None:
    def killed(number: int) -> int:
        if os.getpid() != HERE:
            os._exit(9)
        return 2 * number

    assert list(parallel.run(killed, MANY, processes)) == [2 * n for n in MANY]


@pytest.mark.parametrize("processes", [1, 2, 3, 4])
def test_work_that_fails_fails_here(processes: int) -> None:
    with pytest.raises(ValueError, match=str(parallel.FEW + 1)):
        list(parallel.run(failing, MANY, processes))


@pytest.mark.parametrize("count", [1, 2, 3, 8])
@pytest.mark.parametrize("sizes", [[], [5], [9, 1, 1, 1, 1, 1, 1, 1, 1], [0, 0, 0], [3, 1, 2, 3, 1, 2]])
def test_every_job_is_in_one_share(sizes: list[int], count: int) -> None:
    found = parallel.shares(sizes, count)
    assert len(found) == count
    assert sorted(i for share in found for i in share) == list(range(len(sizes)))
    totals = [sum(sizes[i] for i in share) for share in found]
    assert max(totals) - min(totals) <= max(sizes, default=0)


def test_a_large_job_gets_a_share_of_its_own() -> None:
    assert parallel.shares([1, 9, 1, 1, 1], 2) == [[1], [0, 2, 3, 4]]
