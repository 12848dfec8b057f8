"""Types of HCL expressions, and conversion of a value to a type.

Invariant: where the implicit conversions of Heat and Terraform differ, the output contains an explicit conversion.
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
    """The type of an HCL expression, as far as it is known when the output is written.

    kind: string, number, bool, list, set, map, tuple, object, json, null or any. of: the type of the elements.
    """

    kind: str
    of: Any = None  # HclType | None, but mypy knows no recursive NamedTuple


STRING, NUMBER, BOOL, NULL, ANY = (Type(k) for k in ("string", "number", "bool", "null", "any"))
STRINGS, MAP_OF_STRINGS = Type("list", STRING), Type("map", STRING)
TUPLE, OBJECT = Type("tuple"), Type("object")
JSON = Type("json")  # a list or a map, known only at run time
SCALARS = ("string", "number", "bool")
LISTS = ("list", "set", "tuple")
MAPS = ("map", "object")
COLLECTIONS = (*LISTS, *MAPS, "json")
OPEN = ("any", "json")  # may be a list or a map at run time


class Value(NamedTuple):
    """An expression, its type, and whether it may be null."""

    expr: Expr
    type: Type = ANY
    null: bool = False


def literal(expr: Expr) -> bool:
    """Whether an expression is a scalar literal."""
    return expr is None or isinstance(expr, (str, bool, int, float))


def heat_text(value: Any) -> str:
    """A scalar as Heat prints it: Python's str(), and "" for None."""
    return "" if value is None else value if isinstance(value, str) else str(value)


def number_of(text: str) -> int | float | None:
    """The integer that a text denotes: `"+7"` -> 7. None if Terraform would not convert the text to this number."""
    try:
        return int(text) if text.strip() == text and text.lstrip("+-").isdigit() and text.isascii() else None
    except ValueError:
        return None


def spelled(number: Any) -> bool:
    """Whether Heat and Terraform print a number differently."""
    found = parameters.str_to_num(number)
    return isinstance(found, float) and (found.is_integer() or "e" in str(found))


def fit(value: Value, want: Type) -> Value:
    """Converts a value to the type of an argument as Heat would: `true` -> "True" for a string, " 7 " -> 7 for a
    number. A value that cannot be converted stays as it is; Terraform then reports it.
    """
    expr, kind = value.expr, value.type.kind
    if expr is None or want.kind in ("any", kind):
        return value
    if want.kind == "string":
        if isinstance(expr, (bool, int, float)):
            return Value(heat_text(expr), STRING)
        if kind == "bool":
            return Value(Fn("title", (expr,)), STRING, value.null)
        if kind in COLLECTIONS:
            return Value(encoded(expr), STRING, value.null)
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
        if kind == "bool":
            return Value(Cond(expr, 1, 0), NUMBER, value.null)
        if isinstance(expr, Text):
            return Value(stripped(expr), NUMBER, value.null)
        return Value(expr, NUMBER, value.null)
    if want.kind == "bool":
        if isinstance(expr, str):
            text = expr.strip().lower()
            return Value(text == "true", BOOL) if text in ("true", "false") else value
        if kind == "string":
            return Value(Fn("lower", (expr,)), BOOL, value.null)
        return Value(expr, BOOL, value.null)
    return value


def stripped(text: Text) -> Expr:
    """A text without white space around it, which Heat ignores in a number and Terraform does not."""
    first, *rest = text.parts
    parts = [first.lstrip() if isinstance(first, str) else first, *rest]
    last = parts[-1]
    parts[-1] = last.rstrip() if isinstance(last, str) else last
    kept = tuple(part for part in parts if part != "")
    return kept[0] if len(kept) == 1 else Text(kept)


def encoded(expr: Expr) -> Expr:
    """A list or map as JSON. Null stays null, and does not become the text "null"."""
    if isinstance(expr, Cond) and None in (expr.yes, expr.no):
        yes, no = (None if branch is None else encoded(branch) for branch in (expr.yes, expr.no))
        return Cond(expr.test, yes, no)
    return Fn("jsonencode", (expr,))


def simple(expr: Expr) -> bool:
    """Whether an expression is simple enough to be interpolated: a reference, or one call with references."""
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
    """Whether an expression inside a text should become a local, for readability."""
    return isinstance(expr, (Cond, ForTuple, ForObject, Object, Tuple, Op, Text)) or (
        isinstance(expr, Fn) and not simple(expr) and any(composite(a) for a in expr.args)
    )
