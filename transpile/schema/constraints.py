"""What a value has to satisfy: the constraints of parameters and of properties alike, told in plain words.

The easy rule to break: each is asked as Heat asks it (`heat.engine.constraints`), oddities included, of a value that
already has its type; what a cloud alone can answer holds.
"""

from __future__ import annotations

import re
import warnings
from typing import TYPE_CHECKING, Any

from transpile.schema import formats

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

PATTERN_SECONDS = 1.0
STEPS = 10_000  # at most, of a pattern without groups: places in the text for each thing repeated
SHOWN = 60  # characters of a value in a message


def failure(
    kind: str, limits: Any, value: Any, convert: Callable[[Any], Any] = lambda value: value, *, secret: bool = False
) -> str | None:
    """Why a value does not satisfy a constraint; None when it does.

    `limits`: what the constraint says, as plain data; `convert` makes of a value, and of those that are allowed, what
    is compared (ValueError, TypeError: nothing is equal); `secret`: the value is not shown.
    """
    why = unmet(kind, limits, value, convert)
    if why is None:
        return None
    what = f"the length {len(value)}" if kind == "length" else "the value" if secret else shown(value)
    return f"{what} {why}"


def unmet(kind: str, limits: Any, value: Any, convert: Callable[[Any], Any]) -> str | None:
    """What a value is not, or does not; None when it satisfies the constraint."""
    if kind == "range":
        return beyond(value, limits)
    if kind == "length":
        return beyond(len(value), limits)
    if kind == "modulo":
        step, offset = limits.get("step"), limits.get("offset")
        if not step or offset is None or value % step == offset:
            return None
        return f"is not a multiple of {step}" + (f" plus {offset}" if offset else "")
    if kind == "allowed_values":
        return None if allowed(limits, value, convert) else f"is none of {', '.join(map(str, limits))}"
    if kind == "allowed_pattern":
        held = not isinstance(value, str) or matches(str(limits), value)
        return None if held else f"does not match the pattern {limits}"
    return named(str(limits), value) if kind == "custom_constraint" else None


def named(name: str, value: Any) -> str | None:
    """What a value is not that a custom constraint asks for; None when it is."""
    known = formats.NAMED.get(name)
    if known is None:
        return None
    check, noun = known
    try:
        held = check(value)
    except (ValueError, TypeError, AttributeError, OverflowError, OSError):  # it takes texts, and gets anything
        held = False
    return None if held else f"is not {noun}"


def beyond(measured: float, limits: Mapping[str, float | None]) -> str | None:
    low, high = limits.get("min"), limits.get("max")
    below, above = low is not None and measured < low, high is not None and measured > high
    if not below and not above:
        return None
    if low is not None and high is not None:
        return f"is not between {low} and {high}"
    return f"is less than {low}" if below else f"is more than {high}"


def allowed(limits: list[Any], value: Any, convert: Callable[[Any], Any]) -> bool:
    """A list may hold what is allowed, as it is written; another value has to be one of those, each converted. Where
    one of them cannot be, nothing is allowed.
    """
    if isinstance(value, list):
        return all(item in limits for item in value)
    try:
        return convert(value) in list(map(convert, limits))
    except (ValueError, TypeError):
        return False


def matches(pattern: str, value: str) -> bool:
    """`re.match` that ends at the end, as Heat asks it.

    A pattern that takes too long, or is none, is given the benefit of the doubt.
    """
    repeats = sum(map(pattern.count, "*+{?"))
    if "(" not in pattern and "|" not in pattern and len(value) ** repeats <= STEPS:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of what other versions of Python may read otherwise
            try:
                quick = re.match(pattern, value)
            except (re.error, OverflowError, RecursionError):
                return True
        return quick is not None and quick.end() == len(value)
    import regex  # can be told to stop; slow to import

    try:
        found = regex.match(pattern, value, timeout=PATTERN_SECONDS)
    except (regex.error, TimeoutError):
        return True
    return found is not None and found.end() == len(value)


def shown(value: Any) -> str:
    """A value as a message shows it: as Python writes it, not too much of it."""
    text = repr(value)
    return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."
