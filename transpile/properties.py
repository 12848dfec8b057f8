"""Whether what is written out can be the value of a property of Heat's.

The easy rule to break: only what Heat refuses for sure. What a function makes, and what a schema says nothing of, may
be anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from transpile import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from transpile import catalog


def misfit(schema: catalog.Property, expr: ir.Expr, bound: tuple[str, ...]) -> ir.Expr | None:
    """The first part that is written out and cannot have the type that Heat's schema wants."""
    kind = schema.get("type", "any")  # nothing is said of what is inside: Heat takes anything
    if isinstance(expr, ir.Lit):
        value = expr.value
        if value in (None, "") or any(word in str(value) for word in bound):
            return None
        return None if SHAPES[kind](value) else expr
    if isinstance(expr, ir.Map):
        if kind != "map":
            return expr if kind != "any" else None
        fields = schema.get("fields", {})
        return next((m for e in expr.entries if (m := misfit(fields.get(e.key, {}), e.value, bound)) is not None), None)
    if isinstance(expr, ir.Seq):
        if kind != "list":
            return expr if kind != "any" else None
        return next((m for i in expr.items if (m := misfit(schema.get("items", {}), i, bound)) is not None), None)
    return None


def is_number(value: Any) -> bool:
    try:
        float(value)
    except ValueError:
        return False
    return True


SHAPES: Mapping[str, Callable[[Any], bool]] = {
    "string": lambda value: True,
    "integer": is_number,
    "number": is_number,
    "boolean": lambda value: str(value).lower() in ("true", "false"),
    "list": lambda value: False,
    "map": lambda value: False,
    "any": lambda value: True,
}
