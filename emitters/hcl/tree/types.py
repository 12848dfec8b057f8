"""Types of HCL expressions, and conversion of a value to a type.

Invariant: where the implicit conversions of Heat and Terraform differ, the output contains an explicit conversion.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeGuard

from emitters.hcl.tree.nodes import (
    Attr,
    Cond,
    Expr,
    Fn,
    ForObject,
    ForTuple,
    Index,
    Object,
    Op,
    Splat,
    StringTemplate,
    Traversal,
    Tuple,
)
from transpile.schema import parameters


class HclType(NamedTuple):
    """The type of an HCL expression, as far as it is known when the output is written.

    kind: string, number, bool, list, set, map, tuple, object, json, null or any. of: the type of the elements.
    """

    kind: str
    of: Any = None  # HclType | None, but mypy knows no recursive NamedTuple


STRING, NUMBER, BOOL, NULL, ANY = (HclType(k) for k in ("string", "number", "bool", "null", "any"))
STRINGS, MAP_OF_STRINGS = HclType("list", STRING), HclType("map", STRING)
TUPLE, OBJECT = HclType("tuple"), HclType("object")
JSON = HclType("json")  # a list or a map, known only at run time
SCALARS = ("string", "number", "bool")
LISTS = ("list", "set", "tuple")
MAPS = ("map", "object")
COLLECTIONS = (*LISTS, *MAPS, "json")
SCALAR_LITERALS = frozenset((str, bool, int, float, type(None)))  # of expressions
OPEN = ("any", "json")  # may be a list or a map at run time


class TypedValue(NamedTuple):
    """An expression, its type, and whether it may be null."""

    expr: Expr
    type: HclType = ANY
    null: bool = False

    @property
    def is_null(self) -> bool:
        """Whether it is null itself."""
        return self.expr is None


def is_scalar_literal(expr: Expr) -> TypeGuard[str | int | float | None]:
    """Whether an expression is a scalar literal."""
    return type(expr) in SCALAR_LITERALS


def format_as_heat(value: Any) -> str:
    """A scalar as Heat prints it: Python's str(), and "" for None."""
    return "" if value is None else value if isinstance(value, str) else str(value)


def parse_integer(text: str) -> int | float | None:
    """The integer that a text denotes: `"+7"` -> 7. None if Terraform would not convert the text to this number."""
    try:
        return int(text) if text.strip() == text and text.lstrip("+-").isdigit() and text.isascii() else None
    except ValueError:
        return None


def prints_differently(value: Any) -> bool:
    """Whether Heat and Terraform print a number differently."""
    number = parameters.str_to_num(value)
    return isinstance(number, float) and (number.is_integer() or "e" in str(number))


def convert_to_type(value: TypedValue, target: HclType) -> TypedValue:
    """Converts a value to the type of an argument as Heat would: `true` -> "True" for a string, " 7 " -> 7 for a
    number. A value that cannot be converted stays as it is; Terraform then reports it.
    """
    expr, kind = value.expr, value.type.kind
    if expr is None or target.kind in ("any", kind):
        return value
    if target.kind == "string":
        if isinstance(expr, (bool, int, float)):
            return TypedValue(format_as_heat(expr), STRING)
        if kind == "bool":
            return TypedValue(Fn("title", (expr,)), STRING, value.null)
        if kind in COLLECTIONS:
            return TypedValue(encode_json(expr), STRING, value.null)
        return TypedValue(expr, STRING, value.null)
    if target.kind == "number":
        if isinstance(expr, bool):
            return TypedValue(int(expr), NUMBER)
        if isinstance(expr, str):
            number = parse_integer(expr.strip())
            if number is None:
                try:
                    real = float(expr)
                    number = int(real) if real == int(real) else real
                except (ValueError, OverflowError):
                    return value
            return TypedValue(number, NUMBER)
        if kind == "bool":
            return TypedValue(Cond(expr, 1, 0), NUMBER, value.null)
        if isinstance(expr, StringTemplate):
            return TypedValue(strip_literal_ends(expr), NUMBER, value.null)
        return TypedValue(expr, NUMBER, value.null)
    if target.kind == "bool":
        if isinstance(expr, str):
            text = expr.strip().lower()
            return TypedValue(text == "true", BOOL) if text in ("true", "false") else value
        if kind == "string":
            return TypedValue(Fn("lower", (expr,)), BOOL, value.null)
        return TypedValue(expr, BOOL, value.null)
    return value


def strip_literal_ends(text: StringTemplate) -> Expr:
    """A text without white space around it, which Heat ignores in a number and Terraform does not."""
    first, *rest = text.parts
    parts = [first.lstrip() if isinstance(first, str) else first, *rest]
    last = parts[-1]
    parts[-1] = last.rstrip() if isinstance(last, str) else last
    kept = tuple(part for part in parts if part != "")
    return kept[0] if len(kept) == 1 else StringTemplate(kept)


def encode_json(expr: Expr) -> Expr:
    """A list or map as JSON. Null stays null, and does not become the text "null"."""
    if isinstance(expr, Cond) and None in (expr.yes, expr.no):
        yes, no = (None if branch is None else encode_json(branch) for branch in (expr.yes, expr.no))
        return Cond(expr.test, yes, no)
    return Fn("jsonencode", (expr,))


def is_simple_expression(expr: Expr) -> bool:
    """Whether an expression is simple enough to be interpolated: a reference, or one call with references."""
    if is_scalar_literal(expr) or isinstance(expr, Traversal):
        return True
    if isinstance(expr, (Attr, Splat)):
        return is_simple_expression(expr.of)
    if isinstance(expr, Index):
        return is_simple_expression(expr.of) and is_simple_expression(expr.key)
    if isinstance(expr, Fn):
        return all(
            is_scalar_literal(a) or (isinstance(a, (Traversal, Attr, Index, Splat)) and is_simple_expression(a))
            for a in expr.args
        )
    return False


def needs_local(expr: Expr) -> bool:
    """Whether an expression inside a text should become a local, for readability."""
    return isinstance(expr, (Cond, ForTuple, ForObject, Object, Tuple, Op, StringTemplate)) or (
        isinstance(expr, Fn) and not is_simple_expression(expr) and any(needs_local(a) for a in expr.args)
    )
