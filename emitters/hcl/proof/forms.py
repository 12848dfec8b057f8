"""Heat's values in the form of Terraform's types, and conditions that compare them.

Invariant: numbers and booleans stand for their texts, and a map for its JSON, as the report says. What has no such form
is not compared.
"""

from __future__ import annotations

import hashlib
import json
import math
from typing import TYPE_CHECKING, Any, Final, final

from emitters.hcl.evaluation.functions import text_of, written
from emitters.hcl.tree.nodes import Expr, Fn, Op, expression_from_data
from emitters.hcl.tree.types import ANY, LISTS, HclType
from transpile.schema import parameters

if TYPE_CHECKING:
    from collections.abc import Callable

LONGEST = 160  # characters of a text that is written out


@final
class _Misfit:
    """The value has no form of the type."""


MISFIT: Final = _Misfit()


def fitted(found: Any, kind: HclType) -> Any:
    """A value of Heat's as a value of the type; MISFIT if it has no such form."""
    match kind.kind:
        case "string":
            if isinstance(found, (dict, list)):
                return written(found)
            return text_of(found) if found is not None else MISFIT
        case "number":
            number = parameters.str_to_num(found) if not isinstance(found, bool) else None
            if number is None or not math.isfinite(number):
                return MISFIT
            return int(number) if number == int(number) else number
        case "bool":
            if isinstance(found, bool):
                return found
            word = str(found).lower()
            return True if word in parameters.TRUE else False if word in parameters.FALSE else MISFIT
        case "list" | "set":
            if not isinstance(found, list):
                return MISFIT
            items = [fitted(one, kind.of or ANY) for one in found]
            return MISFIT if MISFIT in items else items
        case "map":
            if not isinstance(found, dict):
                return MISFIT
            values = {str(key): fitted(one, kind.of or ANY) for key, one in found.items()}
            return MISFIT if MISFIT in values.values() else values
    return found


def like(found: Any, other: Any) -> Any:
    """A value of Heat's in the form that another value has, which Terraform computes; MISFIT if it has no such form."""
    if isinstance(other, bool):
        return fitted(found, HclType("bool"))
    if isinstance(other, (int, float)):
        return fitted(found, HclType("number"))
    if isinstance(other, str):
        return fitted(found, HclType("string"))
    if isinstance(other, list) and isinstance(found, list) and len(other) == len(found):
        items = [like(a, b) for a, b in zip(found, other, strict=True)]
        return MISFIT if MISFIT in items else items
    if isinstance(other, dict) and isinstance(found, dict) and other.keys() == found.keys():
        values = {key: like(one, other[key]) for key, one in found.items()}
        return MISFIT if MISFIT in values.values() else values
    return found if other is None and found is None else MISFIT


def same(found: Any, other: Any, kind: HclType) -> bool:
    """Whether two values of a type are equal."""
    if kind.kind == "set" and isinstance(found, list) and isinstance(other, list):
        return sorted(map(repr, found)) == sorted(map(repr, other))
    if isinstance(found, str) and isinstance(other, str) and found != other:
        try:
            return isinstance(one := json.loads(found), (dict, list)) and one == json.loads(other)
        except (ValueError, RecursionError):
            return False
    if isinstance(found, bool) is not isinstance(other, bool):
        return False
    return bool(found == other)


def equals(found: Any, kind: HclType) -> Callable[[Expr], Expr]:
    """A check that an expression of a type has a value. A long text is compared by its hash."""

    def check(expr: Expr) -> Expr:
        if isinstance(found, (list, dict)) and kind.kind in (*LISTS, "map") and not found:
            return Op("==", Fn("length", (expr,)), 0)
        if isinstance(found, list) and kind.kind in ("list", "set") and kind.of is not None and scalars(found):
            return Op("==", expr, Fn("toset" if kind.kind == "set" else "tolist", (expression_from_data(found),)))
        if isinstance(found, dict) and kind.kind == "map" and scalars(list(found.values())):
            return Op("==", expr, Fn("tomap", (expression_from_data(found),)))
        if isinstance(found, (list, dict)):
            return Op("==", Fn("jsonencode", (expr,)), Fn("jsonencode", (expression_from_data(found),)))
        if isinstance(found, str) and (len(found) > LONGEST or "\n" in found):
            digest = hashlib.sha256(found.encode("utf-8", "surrogatepass")).hexdigest()
            return Op("==", Fn("sha256", (expr,)), digest)
        return Op("==", expr, found)

    return check


def scalars(found: list[Any]) -> bool:
    return all(isinstance(one, (str, int, float, bool)) for one in found)
