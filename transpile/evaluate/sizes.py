"""Bounds the size of a function's result before it is computed, in characters and in items of lists and maps.

Invariant: a bound is never less than the size of the result. Each function of `pure.py` has a bound, so that the budget
pays for its result before memory is used.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from transpile.evaluate.placeholders import parted

Pay: TypeAlias = Callable[[int], None]
ESCAPED = 6  # characters of JSON for one of a text


def weight(value: Any) -> int:
    """The number of characters and items of a value: 1 for each item, entry and scalar, and 1 for each character."""
    if isinstance(value, str):
        return 1 + len(value)
    if isinstance(value, dict):
        return 1 + sum(weight(key) + weight(item) for key, item in value.items())
    return 1 + sum(map(weight, value)) if isinstance(value, list) else 1


def shown(value: Any) -> int:
    """The number of characters that a value takes in a text; for lists and maps, at most that many, as JSON."""
    if isinstance(value, str):
        return len(value)
    return ESCAPED * weight(value) if isinstance(value, (list, dict)) else len(str(value))


def replace(arg: Any, pay: Pay) -> int:
    template, params = (arg["template"], arg["params"]) if isinstance(arg, dict) else (arg[1], arg[0])
    inserted = {str(key): shown(value) for key, value in params.items()}
    parts = parted(template, inserted, pay)
    return len(template) + sum(map(inserted.__getitem__, parts[1::2]))


def join(arg: Any, pay: Pay) -> int:
    delimiter, *lists = arg
    return sum(len(delimiter) + shown(item) for one in lists for item in one or ())


def split(arg: Any, pay: Pay) -> int:
    return int(len(arg[1]) + arg[1].count(arg[0]))


def concat(arg: Any, pay: Pay) -> int:
    return sum(len(one) for one in arg if one is not None)


def whole(arg: Any, pay: Pay) -> int:
    return weight(arg)


def part(arg: Any, pay: Pay) -> int:
    """The result is a part of the argument, or a boolean: it takes no new memory."""
    return 0


SIZES: dict[str, Callable[[Any, Pay], int]] = {
    **dict.fromkeys(("str_replace", "str_replace_strict", "str_replace_vstrict", "Fn::Replace"), replace),
    **dict.fromkeys(("list_join", "Fn::Join"), join),
    **dict.fromkeys(("str_split", "Fn::Split"), split),
    **dict.fromkeys(("list_concat", "map_merge"), concat),
    **dict.fromkeys(
        ("list_concat_unique", "filter", "map_replace", "Fn::MemberListToMap", "digest", "make_url"), whole
    ),
    **dict.fromkeys(("contains", "equals", "Fn::Base64", "Fn::Equals", "Fn::Select"), part),
}


def size(fn: str, arg: Any, pay: Pay) -> int:
    """An upper bound for the size of a function's result; 0 for arguments that the function refuses. `pay` is called
    with the number of steps that computing the bound takes.
    """
    try:
        return SIZES[fn](arg, pay)
    except (TypeError, ValueError, LookupError, AttributeError):
        return 0
