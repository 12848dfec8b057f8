"""Converts Heat's values to Terraform's types, and makes conditions that compare them.

Invariant: a number or boolean equals its text, and a map equals its JSON, as in the report. A value that does not fit
the type is not compared.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable
from typing import Any, Final, final

from emitters.hcl.evaluation.functions import call_jsonencode, convert_to_text
from emitters.hcl.tree.nodes import Expr, Fn, Op, expression_from_data
from emitters.hcl.tree.types import ANY, LISTS, HclType
from transpile.schema import parameters

LONGEST = 160  # characters of a text; longer texts are compared by hash


@final
class _Misfit:
    """The type of MISFIT: the value cannot be converted to the type."""


MISFIT: Final = _Misfit()


def fit_to_type(value: Any, kind: HclType) -> Any:
    """Heat's value as a value of a type, for example "1" as the number 1; MISFIT if it cannot be converted."""
    match kind.kind:
        case "string":
            if isinstance(value, (dict, list)):
                return call_jsonencode(value)
            return convert_to_text(value) if value is not None else MISFIT
        case "number":
            number = parameters.str_to_num(value) if not isinstance(value, bool) else None
            if number is None or (isinstance(number, float) and not math.isfinite(number)):
                return MISFIT
            return int(number) if number == int(number) else number
        case "bool":
            if isinstance(value, bool):
                return value
            word = str(value).lower()
            return True if word in parameters.TRUE else False if word in parameters.FALSE else MISFIT
        case "list" | "set":
            if not isinstance(value, list):
                return MISFIT
            items = [fit_to_type(item, kind.of or ANY) for item in value]
            return MISFIT if MISFIT in items else items
        case "map":
            if not isinstance(value, dict):
                return MISFIT
            values = {str(key): fit_to_type(item, kind.of or ANY) for key, item in value.items()}
            return MISFIT if MISFIT in values.values() else values
    return value


def fit_to_value(value: Any, other: Any) -> Any:
    """Heat's value in the type of `other`, a value from Terraform; MISFIT if it cannot be converted."""
    if isinstance(other, bool):
        return fit_to_type(value, HclType("bool"))
    if isinstance(other, (int, float)):
        return fit_to_type(value, HclType("number"))
    if isinstance(other, str):
        return fit_to_type(value, HclType("string"))
    if isinstance(other, list) and isinstance(value, list) and len(other) == len(value):
        items = [fit_to_value(a, b) for a, b in zip(value, other, strict=True)]
        return MISFIT if MISFIT in items else items
    if isinstance(other, dict) and isinstance(value, dict) and other.keys() == value.keys():
        values = {key: fit_to_value(item, other[key]) for key, item in value.items()}
        return MISFIT if MISFIT in values.values() else values
    return value if other is None and value is None else MISFIT


def are_equal_values(value: Any, other: Any, kind: HclType) -> bool:
    """Whether two values of a type are equal."""
    if kind.kind == "set" and isinstance(value, list) and isinstance(other, list):
        return sorted(map(repr, value)) == sorted(map(repr, other))
    if isinstance(value, str) and isinstance(other, str) and value != other:
        try:
            return isinstance(data := json.loads(value), (dict, list)) and data == json.loads(other)
        except (ValueError, RecursionError):
            return False
    if isinstance(value, bool) is not isinstance(other, bool):
        return False
    return bool(value == other)


def equality_check(value: Any, kind: HclType) -> Callable[[Expr], Expr]:
    """A check that an expression of a type has a value. A long text is compared by its hash."""

    def compare_expression(expr: Expr) -> Expr:
        if isinstance(value, (list, dict)) and kind.kind in (*LISTS, "map") and not value:
            return Op("==", Fn("length", (expr,)), 0)
        if isinstance(value, list) and kind.kind in ("list", "set") and kind.of is not None and are_scalars(value):
            return Op("==", expr, Fn("toset" if kind.kind == "set" else "tolist", (expression_from_data(value),)))
        if isinstance(value, dict) and kind.kind == "map" and are_scalars(list(value.values())):
            return Op("==", expr, Fn("tomap", (expression_from_data(value),)))
        if isinstance(value, (list, dict)):
            return Op("==", Fn("jsonencode", (expr,)), Fn("jsonencode", (expression_from_data(value),)))
        if isinstance(value, str) and (len(value) > LONGEST or "\n" in value):
            digest = hashlib.sha256(value.encode("utf-8", "surrogatepass")).hexdigest()
            return Op("==", Fn("sha256", (expr,)), digest)
        return Op("==", expr, value)

    return compare_expression


def are_scalars(items: list[Any]) -> bool:
    return all(isinstance(item, (str, int, float, bool)) for item in items)
