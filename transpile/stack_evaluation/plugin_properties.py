"""Converts properties as the plug-ins of types do that create nested stacks.

Invariant: these are not the conversions of parameters (`transpile.schema.parameters`): "yes" is not a boolean here,
null becomes the default or the zero of the type, and only properties that are parameters of a template accept texts for
lists and maps.
"""

from __future__ import annotations

import json
from typing import Any

from transpile.evaluate.pure import EvaluationError
from transpile.schema import parameters

ZEROS: dict[str, Any] = {"string": "", "integer": 0, "number": 0, "boolean": False, "list": [], "map": {}}
OF_PARAMETER = {
    "string": "string",
    "number": "number",
    "boolean": "boolean",
    "comma_delimited_list": "list",
    "json": "map",
}


def read(kind: str, value: Any, default: Any = None, *, converts: bool = False) -> Any:
    """A property's value as its plug-in reads it (`heat.engine.properties.Property.get_value`). Raises EvaluationError
    for a value of the wrong type.

    `converts`: whether the property is a parameter of a template, which accepts texts for lists and maps.
    """
    if kind not in ZEROS:
        return value
    if value is None:
        value = default or ZEROS[kind]
    found = CONVERSIONS[kind](value, converts)
    if found is None:
        raise EvaluationError(f"{value!r} is not of type {kind}")
    return found


def _string(value: Any, converts: bool) -> str | None:
    return value if isinstance(value, str) else str(value) if isinstance(value, int) else None


def _integer(value: Any, converts: bool) -> int | None:
    try:
        return int(value)
    except (ValueError, TypeError, OverflowError):
        return None


def _number(value: Any, converts: bool) -> int | float | None:
    return None if isinstance(value, (list, dict)) else parameters.str_to_num(value)


def _boolean(value: Any, converts: bool) -> bool | None:
    if isinstance(value, bool):
        return value
    return {"true": True, "false": False}.get(value.lower()) if isinstance(value, str) else None


def _list(value: Any, converts: bool) -> list[Any] | None:
    if converts and isinstance(value, str):
        return value.split(",") if value else []
    return list(value) if isinstance(value, list) else None


def _map(value: Any, converts: bool) -> Any:
    if isinstance(value, dict):
        return dict(value)
    if converts and isinstance(value, str):
        return value
    return json.dumps(value) if converts and isinstance(value, list) else None


CONVERSIONS = {
    "string": _string,
    "integer": _integer,
    "number": _number,
    "boolean": _boolean,
    "list": _list,
    "map": _map,
}


class Stub(str):
    """A placeholder for an attribute that only a real stack has. Each further step of a path extends its text."""

    __slots__ = ()


def select(value: Any, path: Any) -> Any:
    """The value at a path inside an attribute's value; null if there is none
    (`heat.engine.attributes.select_from_attribute`).
    """
    for step in path:
        if isinstance(value, Stub):
            value = Stub(f"{value}:{step}")
            continue
        if not isinstance(value, (dict, list, str)) or not isinstance(step, (str, int)):
            return None
        try:
            value = value[step]  # type: ignore[index]  # a text as the index of a list raises TypeError, as in Heat
        except (LookupError, TypeError):
            return None
    return value
