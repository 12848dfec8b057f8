"""Whole problems with their answers, from an exhaustive search that shares no code with hot2tf."""

from __future__ import annotations

import json
from typing import Any

import pytest

import transpile
from tests.support import oracles

CASES = oracles.SHARED / "homing" / "solver_cases.jsonl"
ALL = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()] if CASES.is_file() else []

needs_cases = pytest.mark.skipif(not ALL, reason="HOT2TF_SHARED leads to no homing problems")


@needs_cases
@pytest.mark.parametrize("case", ALL, ids=lambda case: case["id"])
def test_the_optimum_and_all_ties_are_those_of_the_case(case: dict[str, Any]) -> None:
    expected = case["best"]
    placement = transpile.home(
        case["template"], case["inventory"], top=len(expected.get("optima", ())) + 1, engine="has"
    )
    assert placement.answer is not None, placement.diagnostics
    if "optima" not in expected:
        assert not placement.answer.has_solution
        assert placement.clash is not None
        assert list(placement.clash.constraints) == expected["why"]["smallest_clash"]
        for left in placement.answer.domains:
            why = expected["why"]["demands"][left.demand.name]
            assert [candidate.id for candidate in left.demand.candidates] == why["candidates"]
            assert {name: list(ids) for name, ids in left.removed.items()} == why["removed_by"]
            assert [candidate.id for candidate in left.candidates] == why["left"]
        return
    best = placement.answer.solutions[0]
    assert best.value == (None if expected["value"] is None else pytest.approx(expected["value"], abs=1e-6))
    assert placement.answer.tie is expected["tie"]
    tied = [
        solution
        for solution in placement.answer.solutions
        if abs((solution.value or 0.0) - (best.value or 0.0)) <= 1e-6
    ]
    ids = [{name: candidate.id for name, candidate in each.assignment.items()} for each in tied]
    assert sorted(map(repr, ids)) == sorted(map(repr, expected["optima"]))


def test_the_cases_are_there() -> None:
    if not ALL:
        pytest.skip("HOT2TF_SHARED leads to no homing problems")
    assert len(ALL) >= 97
