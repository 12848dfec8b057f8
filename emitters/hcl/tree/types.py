"""What is known of an expression's type, and the fitting of one type to another.

The easy rule to break: Terraform converts where Heat does not and the other way round, so a conversion is written out
wherever the two differ.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from emitters.hcl.tree.nodes import (
    Attr,
    Cond,
    Expr,
    Fn,
    ForObject,
    ForTuple,
    Index,
    Name,
    Object,
    Op,
    Splat,
    Text,
    Tuple,
)
from transpile.schema import parameters


class Type(NamedTuple):
    """`kind`: string, number, bool, list, set, map, tuple, object, null or any; `of`: of what a list, set or map is."""

    kind: str
    of: Any = None  # Type | None; a recursive NamedTuple is beyond mypy


STRING, NUMBER, BOOL, NULL, ANY = (Type(k) for k in ("string", "number", "bool", "null", "any"))
STRINGS, MAP_OF_STRINGS = Type("list", STRING), Type("map", STRING)
TUPLE, OBJECT = Type("tuple"), Type("object")
JSON = Type("json")  # a list or a map, and only the run tells which
SCALARS = ("string", "number", "bool")
LISTS = ("list", "set", "tuple")
MAPS = ("map", "object")
COLLECTIONS = (*LISTS, *MAPS, "json")
OPEN = ("any", "json")  # what a run may find to be a list, or a map


class Value(NamedTuple):
    """An expression, its type, and whether it may be null."""

    expr: Expr
    type: Type = ANY
    null: bool = False


def literal(expr: Expr) -> bool:
    """Whether an expression is data."""
    return expr is None or isinstance(expr, (str, bool, int, float))


def heat_text(value: Any) -> str:
    """Heat's text of a scalar: Python's."""
    return "" if value is None else value if isinstance(value, str) else str(value)


def number_of(text: str) -> int | float | None:
    """The number that a text is; None where Terraform would not take it for one."""
    try:
        return int(text) if text.strip() == text and text.lstrip("+-").isdigit() and text.isascii() else None
    except ValueError:
        return None


def spelled(number: Any) -> bool:
    """Whether Heat's text of a number, which is Python's, is another than Terraform's."""
    found = parameters.str_to_num(number)
    return isinstance(found, float) and (found.is_integer() or "e" in str(found))


def fit(value: Value, want: Type) -> Value:
    """The value in the form in which an argument of that type takes it, as Heat's own coercion would have it."""
    expr, kind = value.expr, value.type.kind
    if expr is None or want.kind in ("any", kind):
        return value
    if want.kind == "string":
        if isinstance(expr, (bool, int, float)):
            return Value(heat_text(expr), STRING)
        if kind == "bool":
            return Value(Fn("title", (expr,)), STRING, value.null)
        if kind in COLLECTIONS:
            return Value(Fn("jsonencode", (expr,)), STRING)
        return Value(expr, STRING, value.null)
    if want.kind == "number":
        if isinstance(expr, bool):
            return Value(int(expr), NUMBER)
        if isinstance(expr, str):
            found = number_of(expr.strip())
            if found is None:
                try:
                    real = float(expr)
                    found = int(real) if real == int(real) else real
                except (ValueError, OverflowError):
                    return value
            return Value(found, NUMBER)
        return Value(expr, NUMBER, value.null)
    if want.kind == "bool":
        if isinstance(expr, str):
            text = expr.strip().lower()
            return Value(text == "true", BOOL) if text in ("true", "false") else value
        if kind == "string":
            return Value(Fn("lower", (expr,)), BOOL, value.null)
        return Value(expr, BOOL, value.null)
    return value


def simple(expr: Expr) -> bool:
    """Whether an expression is short enough to stand inside a string: a reference, or one call of something with
    references.
    """
    if literal(expr) or isinstance(expr, Name):
        return True
    if isinstance(expr, (Attr, Splat)):
        return simple(expr.of)
    if isinstance(expr, Index):
        return simple(expr.of) and simple(expr.key)
    if isinstance(expr, Fn):
        return all(literal(a) or (isinstance(a, (Name, Attr, Index, Splat)) and simple(a)) for a in expr.args)
    return False


def composite(expr: Expr) -> bool:
    """Whether an expression is better given a name of its own inside a text."""
    return isinstance(expr, (Cond, ForTuple, ForObject, Object, Tuple, Op, Text)) or (
        isinstance(expr, Fn) and not simple(expr) and any(composite(a) for a in expr.args)
    )
