"""Numbers as templates and inventories spell them."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any


def finite_number(value: Any) -> float | None:
    """A finite number, or the number that a text spells; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str, Fraction)):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def is_finite_number(value: Any) -> bool:
    return finite_number(value) is not None
