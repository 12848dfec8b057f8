"""The numbers of examples and of parameters of a test: all with `--long`, and a part of them otherwise.

Tests that take minutes even so are thinned out: `HOT2TF_SWEEP=1 pytest --long` runs all, for a release or by night.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import settings

ALL, SOME = "long", "quick"  # the profiles
settings.register_profile(ALL, deadline=None, derandomize=True, max_examples=100)  # so slow machines do not fail, and
settings.register_profile(SOME, deadline=None, derandomize=True, max_examples=20)  # each run draws the same


def examples(count: int) -> int:
    """The share of `count` that the profile takes of 100."""
    return max(1, count * settings().max_examples // 100)


def thinned(parameters: Iterable[Any], every: int) -> list[Any]:
    """The first of each `every` parameters; all of them with HOT2TF_SWEEP=1."""
    return list(parameters)[:: 1 if os.environ.get("HOT2TF_SWEEP") else every]


def sampled(parameters: Iterable[Any], every: int) -> list[Any]:
    """The parameters of a long test, of which a short run takes the first of each `every`. A tuple is several."""
    return [
        pytest.param(
            *(parameter if isinstance(parameter, tuple) else [parameter]),
            marks=[pytest.mark.long] if number % every else [],
        )
        for number, parameter in enumerate(parameters)
    ]
