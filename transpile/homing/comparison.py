"""Compares values of templates and inventories, by one table for all tests.

| | a value that is not a list | a list | nothing, or a map |
|---|---|---|---|
| `eq`, `lt`, `gt`, `lte`, `gte`, `regex` | compared | compared if it has exactly one item, else false | false |
| `ne` | not `eq` | not `eq` | true |
| `any` | equals one of the operands | some item does | false |
| `all` | equals all operands | each operand equals some item | false |

So a value is the same as a list of this value alone. A number equals its text (`2` and `"2.0"`), and a boolean its text
in any case (`true` and `"True"`); other texts are equal only if they are the same. A boolean is no number. Items of a
list that are lists or maps themselves are left out.

Source: the texts propose the operators for "any object", and HAS evaluates `any` and `all` alone, on texts. The rest of
the table is chosen so that both a solver and Terraform can compute it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

from transpile.guarded.patterns import InvalidPattern, NotCompared, match_pattern
from transpile.model.budget import Budget
from transpile.model.lazy_patterns import compile_lazily

LONG = 10_000  # characters of a value: longer ones are not compared with patterns
LARGEST = 400  # characters of a number
NUMBER = compile_lazily(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?")
BOOLEANS = ("true", "false")
ORDERS: dict[str, Callable[[Decimal, Decimal], bool]] = {
    "lt": lambda a, b: a < b,
    "gt": lambda a, b: a > b,
    "lte": lambda a, b: a <= b,
    "gte": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
}


def is_scalar(value: Any) -> bool:
    return isinstance(value, (str, int, float))


def text_of(value: Any) -> str | None:
    """A scalar as a text; None for anything else."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if is_scalar(value) else None


def number_of(value: Any) -> Decimal | None:
    """The number that a scalar is or spells, as Terraform reads it; None if it is none."""
    if isinstance(value, bool):
        return None
    text = text_of(value)
    return None if text is None or len(text) > LARGEST or not NUMBER.fullmatch(text) else Decimal(text)


def items_of(value: Any) -> Sequence[Any] | None:
    """The scalars of a list, or a scalar alone; None if the value is missing or a map."""
    if isinstance(value, (list, tuple)):
        return [item for item in value if is_scalar(item)]
    return [value] if is_scalar(value) else None


def only_item(value: Any) -> Any:
    """The item of a value that has exactly one, else None."""
    items = items_of(value)
    return items[0] if items is not None and len(items) == 1 else None


def comparable(value: Any) -> Any:
    """A key that is the same for values that are equal."""
    if isinstance(value, dict):
        return frozenset((str(key), comparable(each)) for key, each in value.items())
    if isinstance(value, (list, tuple)):
        return comparable(value[0]) if len(value) == 1 and is_scalar(value[0]) else tuple(map(comparable, value))
    text = text_of(value)
    if text is None:
        return None
    if text.lower() in BOOLEANS:
        return text.lower()
    number = number_of(value)
    return text if number is None else number


def values_equal(value: Any, operand: Any) -> bool:
    """Whether the value of a column equals an operand."""
    have = only_item(value) if is_scalar(operand) else value
    return have is not None and comparable(have) == comparable(operand)


def includes(value: Any, operands: Sequence[Any], *, every: bool) -> bool:
    """Whether some item of a value equals one of the operands; with `every`, whether each operand equals some item."""
    items = items_of(value)
    if items is None or not operands:
        return items is not None
    have = {comparable(item) for item in items}
    results = [values_equal(value, each) if not is_scalar(each) else comparable(each) in have for each in operands]
    return all(results) if every else any(results)


def numbers_compare(operator: str, value: Any, operand: Any) -> bool | None:
    """Whether a comparison of numbers holds; None if one of them is missing."""
    first, second = number_of(only_item(value)), number_of(operand)
    return None if first is None or second is None else ORDERS[operator](first, second)


# patterns


def search_pattern(pattern: str, flags: str, value: Any, budget: Budget) -> bool | None:
    """Whether a pattern occurs in a value; None if the search takes too long, which the budget remembers."""
    text = text_of(only_item(value))
    if text is None:
        return False
    if len(text) > LONG:
        budget.exceeded_optional_limits["patterns"] = None
        return None
    try:
        return match_pattern(pattern, text, budget, flags=re.IGNORECASE if flags else 0, search=True) is not None
    except (InvalidPattern, NotCompared):
        return None
