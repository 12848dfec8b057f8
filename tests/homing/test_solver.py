"""The solver finds what trying all assignments finds."""

from __future__ import annotations

import random

import pytest

from tests.homing import problems
from transpile.homing import solver
from transpile.homing.network import Work


@pytest.mark.parametrize("block", range(25))
def test_the_best_and_all_ties_are_those_of_trying_everything(block: int) -> None:
    """2,500 problems of up to 4 demands and 5 candidates, with constraints and objectives of all kinds."""
    solved = 0
    for number in range(100):
        rng = random.Random(f"problem {block} {number}")
        given = problems.generated(rng)
        wanted = problems.reference(given)
        work = Work(200_000)
        one = solver.Solver(given, work)
        one.prepare()
        found = []
        least = None
        for parts in one.solutions():
            value = sum(part.value for part in parts)
            if least is not None and value != least:
                break
            least = value
            found.append({name: chosen.id for name, chosen in one.solution(parts).assignment.items()})
        assert sorted(map(repr, found)) == sorted(map(repr, wanted)), (block, number)
        answer = solver.solve(given)
        assert answer.tie is (len(wanted) > 1 if wanted else None), (block, number)
        solved += bool(wanted)
    assert solved > 20
