"""Coerces scalar property values to integer, number, string or boolean, as Heat's plug-ins read them.

Invariant: these are not the conversions of parameters (`transpile.schema.parameters`): 5.7 becomes the integer 5, 1.5
is not a string and "yes" is not a boolean. Null becomes the type's zero. A refused value raises ValueError, TypeError
or OverflowError.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from transpile.schema import parameters


def coerce_integer(value: Any) -> int:
    return 0 if value is None else int(value)


def coerce_number(value: Any) -> float:
    if isinstance(value, (int, float)):
        return value
    if value is None:
        return 0
    if not isinstance(value, str):
        raise TypeError
    try:
        return int(value)
    except ValueError:
        return float(value)


def coerce_string(value: Any) -> str:
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, int):  # includes booleans, but not fractions
        return str(value)
    raise TypeError


def coerce_boolean(value: Any) -> bool:
    if value is None or isinstance(value, bool):
        return bool(value)
    if not isinstance(value, str) or value.lower() not in ("true", "false"):
        raise ValueError
    return value.lower() == "true"


def convert_integer_limit(limit: Any) -> int:
    """An allowed value of an integer property, as Heat converts it: 5.7 is refused here, unlike a property value."""
    number = parameters.str_to_num(limit)
    if not isinstance(number, int):
        raise ValueError
    return number


SCALARS: Mapping[str, Callable[[Any], Any]] = {
    "integer": coerce_integer,
    "number": coerce_number,
    "string": coerce_string,
    "boolean": coerce_boolean,
}
NOUNS = {"integer": "an integer", "number": "a number", "string": "a string", "boolean": "true or false"}
ALLOWED: Mapping[str, Callable[[Any], Any]] = {
    "integer": convert_integer_limit,
    "number": parameters.str_to_num,
    "string": str,
    "boolean": lambda limit: parameters.convert_value("boolean", limit),
}
