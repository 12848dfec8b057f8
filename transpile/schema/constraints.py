"""Checks values against the constraints of parameters and properties, and explains a violation.

Invariant: each check agrees with Heat's (`heat.engine.constraints`), oddities included, for a value that already has
its type. A constraint that only a cloud can check counts as satisfied.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from transpile.guarded.patterns import InvalidPattern, NotCompared, match_pattern
from transpile.model.budget import Budget
from transpile.schema import formats

SHOWN = 60  # characters of a value in messages


def explain_failure(
    kind: str,
    limits: Any,
    value: Any,
    convert: Callable[[Any], Any] = lambda value: value,
    *,
    secret: bool = False,
    budget: Budget,
) -> str:
    """Explains why a value violates a constraint: `9 is more than 5`. Empty if it satisfies the constraint.

    `limits`: the constraint as plain data; `convert`: applied to the value and to each allowed value before they are
    compared (if it raises ValueError or TypeError, the value is not allowed); `secret`: the text does not show the
    value; `budget`: pays for patterns.
    """
    violation = describe_violation(kind, limits, value, convert, budget)
    if not violation:
        return ""
    subject = f"the length {len(value)}" if kind == "length" else "the value" if secret else shorten_repr(value)
    return f"{subject} {violation}"


def describe_violation(kind: str, limits: Any, value: Any, convert: Callable[[Any], Any], budget: Budget) -> str:
    """The violation as a phrase, such as `is more than 5`; empty if the value satisfies the constraint."""
    if kind == "range":
        return describe_range_violation(value, limits)
    if kind == "length":
        return describe_range_violation(len(value), limits)
    if kind == "modulo":
        step, offset = limits.get("step"), limits.get("offset")
        if not step or offset is None or value % step == offset:
            return ""
        return f"is not a multiple of {step}" + (f" plus {offset}" if offset else "")
    if kind == "allowed_values":
        return "" if is_allowed(limits, value, convert) else f"is not one of {', '.join(map(str, limits))}"
    if kind == "allowed_pattern":
        is_match = not isinstance(value, str) or matches_pattern(str(limits), value, budget)
        return "" if is_match else f"does not match the pattern {limits}"
    return check_custom_constraint(str(limits), value) if kind == "custom_constraint" else ""


def check_custom_constraint(name: str, value: Any) -> str:
    """The violation of a custom constraint as a phrase, such as `is not a CIDR`; empty if the value satisfies it, or if
    only a cloud can check it.
    """
    if name not in formats.CUSTOM_CONSTRAINTS:
        return ""
    check, noun = formats.CUSTOM_CONSTRAINTS[name]
    try:
        is_valid = check(value)
    except (
        ValueError,
        TypeError,
        AttributeError,
        OverflowError,
        OSError,
    ):  # checks expect a text, but the value may be anything
        is_valid = False
    return "" if is_valid else f"is not {noun}"


def describe_range_violation(measured: float, limits: Mapping[str, float | None]) -> str:
    """The violation of a minimum or maximum as a phrase; empty if there is none."""
    low, high = limits.get("min"), limits.get("max")
    below, above = low is not None and measured < low, high is not None and measured > high
    if not below and not above:
        return ""
    if low is not None and high is not None:
        return f"is not between {low} and {high}"
    return f"is less than {low}" if below else f"is more than {high}"


def is_allowed(limits: list[Any], value: Any, convert: Callable[[Any], Any]) -> bool:
    """Whether a value is among the allowed ones. The items of a list are compared as they are, any other value after
    conversion. As in Heat, nothing is allowed if one of the allowed values cannot be converted.
    """
    if isinstance(value, list):
        return all(item in limits for item in value)
    try:
        return convert(value) in list(map(convert, limits))
    except (ValueError, TypeError):
        return False


def matches_pattern(pattern: str, value: str, budget: Budget) -> bool:
    """Whether a pattern matches the whole value, as Heat checks it (`re.match`, whose match must end with the value).

    An invalid pattern counts as matching. So does one that takes too long; the budget then skips further patterns.
    """
    try:
        match = match_pattern(pattern, value, budget)
    except (InvalidPattern, NotCompared):
        return True
    return match is not None and match.end == len(value)


def shorten_repr(value: Any) -> str:
    """A value as messages show it: its repr, shortened."""
    text = repr(value)
    return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."
