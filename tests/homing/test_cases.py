"""Whole problems with their answers: what an exhaustive search that shares nothing with hot2tf finds."""

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
@pytest.mark.parametrize("case", ALL, ids=lambda one: one["id"])
def test_the_optimum_and_all_ties_are_those_of_the_case(case: dict[str, Any]) -> None:
    wanted = case["best"]
    found = transpile.home(case["template"], case["inventory"], top=len(wanted.get("optima", ())) + 1)
    assert found.answer is not None, found.diagnostics
    if "optima" not in wanted:
        assert not found.answer.has_solution
        assert found.clash is not None
        assert list(found.clash.constraints) == wanted["why"]["smallest_clash"]
        for left in found.answer.domains:
            why = wanted["why"]["demands"][left.demand.name]
            assert [one.id for one in left.demand.candidates] == why["candidates"]
            assert {name: list(ids) for name, ids in left.removed.items()} == why["removed_by"]
            assert [one.id for one in left.candidates] == why["left"]
        return
    best = found.answer.solutions[0]
    assert best.value == (None if wanted["value"] is None else pytest.approx(wanted["value"], abs=1e-6))
    assert found.answer.tie is wanted["tie"]
    tied = [one for one in found.answer.solutions if abs((one.value or 0.0) - (best.value or 0.0)) <= 1e-6]
    ids = [{name: one.id for name, one in each.assignment.items()} for each in tied]
    assert sorted(map(repr, ids)) == sorted(map(repr, wanted["optima"]))


def test_the_cases_are_there() -> None:
    if not ALL:
        pytest.skip("HOT2TF_SHARED leads to no homing problems")
    assert len(ALL) >= 97
