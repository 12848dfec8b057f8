"""Bounds the size of a function's result before it is computed, in characters and in items of lists and maps.

Invariant: a bound is never less than the size of the result. Each function of `pure.py` has a bound, so that the budget
pays for its result before memory is used.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any, TypeAlias

from transpile.evaluate.placeholders import split_at_placeholders

Pay: TypeAlias = Callable[[int], None]
ESCAPED = 6  # characters of JSON for one of a text


def measure_value(value: Any) -> int:
    """The number of characters and items of a value: 1 for each item, entry and scalar, and 1 for each character."""
    return add_sizes(value, {}, len)


def count_items(value: Any) -> int:
    """The number of items and entries of a value, without the characters of its texts."""
    return add_sizes(value, {}, lambda text: 0)


def add_sizes(value: Any, sizes: dict[int, int], measure_text: Callable[[str], int]) -> int:
    """The size of a value. A part that occurs many times counts as often, but is measured once: `sizes` has those of
    lists and maps, by id(). So a few values, each with the one before it twice, are measured in no time.
    """
    if isinstance(value, str):
        return 1 + measure_text(value)
    if not isinstance(value, (dict, list)):
        return 1
    if (size := sizes.get(id(value))) is None:
        items = itertools.chain.from_iterable(value.items()) if isinstance(value, dict) else value
        size = sizes[id(value)] = 1 + sum([add_sizes(item, sizes, measure_text) for item in items])
    return size


def measure_as_text(value: Any) -> int:
    """The number of characters that a value takes in a text; for lists and maps, at most that many, as JSON."""
    if isinstance(value, str):
        return len(value)
    return ESCAPED * measure_value(value) if isinstance(value, (list, dict)) else len(str(value))


def bound_str_replace(arg: Any, pay: Pay) -> int:
    template, params = (arg["template"], arg["params"]) if isinstance(arg, dict) else (arg[1], arg[0])
    inserted = {str(key): measure_as_text(value) for key, value in params.items()}
    parts = split_at_placeholders(template, inserted, pay)
    return len(template) + sum(map(inserted.__getitem__, parts[1::2]))


def bound_list_join(arg: Any, pay: Pay) -> int:
    delimiter, *lists = arg
    return sum(len(delimiter) + measure_as_text(item) for items in lists for item in items or ())


def bound_str_split(arg: Any, pay: Pay) -> int:
    return int(len(arg[1]) + arg[1].count(arg[0]))


def bound_concatenation(arg: Any, pay: Pay) -> int:
    return sum(len(items) for items in arg if items is not None)


def bound_by_argument(arg: Any, pay: Pay) -> int:
    return measure_value(arg)


def bound_by_zero(arg: Any, pay: Pay) -> int:
    """The result is a part of the argument, or a boolean: it takes no new memory."""
    return 0


SIZES: dict[str, Callable[[Any, Pay], int]] = {
    **dict.fromkeys(("str_replace", "str_replace_strict", "str_replace_vstrict", "Fn::Replace"), bound_str_replace),
    **dict.fromkeys(("list_join", "Fn::Join"), bound_list_join),
    **dict.fromkeys(("str_split", "Fn::Split"), bound_str_split),
    **dict.fromkeys(("list_concat", "map_merge"), bound_concatenation),
    **dict.fromkeys(
        ("list_concat_unique", "filter", "map_replace", "Fn::MemberListToMap", "digest", "make_url"), bound_by_argument
    ),
    **dict.fromkeys(("contains", "equals", "Fn::Base64", "Fn::Equals", "Fn::Select"), bound_by_zero),
}


def bound_result_size(fn: str, arg: Any, pay: Pay) -> int:
    """An upper bound for the size of a function's result; 0 for arguments that the function refuses. `pay` is called
    with the number of steps that computing the bound takes.
    """
    try:
        return SIZES[fn](arg, pay)
    except (TypeError, ValueError, LookupError, AttributeError):
        return 0
