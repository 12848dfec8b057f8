"""Inputs that once made hot2tf fail, found by the fuzzer or by people, no longer do."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.fuzz import failures, judge
from tests.fuzz.runner import Box

CASES = failures.every()


@pytest.fixture(scope="module")
def box() -> Iterator[Box]:
    made = Box()
    yield made
    made.close()


@pytest.mark.parametrize("name", CASES)
def test_a_past_failure_stays_mended(name: str, box: Box) -> None:
    outcome = box.run(CASES[name])
    assert judge.failures(CASES[name], outcome, thorough=True) == [], outcome.trace
    assert outcome.digest() == box.run(CASES[name]).digest()
