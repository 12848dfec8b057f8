"""Literals are equal if a template cannot tell them apart: by type and value, in both directions."""

from __future__ import annotations

import math

import pytest

from transpile.model.ir import Lit

VALUES = [None, True, False, 0, 1, 0.0, 1.0, -0.5, math.inf, -math.inf, float("nan"), "", "1", "nan"]


@pytest.mark.parametrize("left", range(len(VALUES)))
@pytest.mark.parametrize("right", range(len(VALUES)))
def test_only_the_same_value_of_the_same_type_is_equal(left: int, right: int) -> None:
    assert (Lit(VALUES[left]) == Lit(VALUES[right])) is (left == right)


def test_two_literals_that_are_not_a_number_are_one_key() -> None:
    """Each `.nan` of a template is another object."""
    assert len({Lit(float("nan")), Lit(float("nan"))}) == 1
