"""Checks the literal parts of a value against a property's type.

Invariant: only values that Heat certainly refuses are reported. The result of a function, and a value without a schema,
may be anything.
"""

from __future__ import annotations

from typing import Any

from transpile.model import ir
from transpile.model.budget import Budget
from transpile.schema import catalog, properties


def find_misfit(facts: catalog.PropertySchema, expr: ir.Expr, bound: tuple[str, ...], budget: Budget) -> ir.Expr | None:
    """The first literal part that does not have the type in the schema, or None. `bound`: placeholders that will be
    replaced; a text that holds one may become anything. `budget`: of the run.
    """
    value = read_literal(expr, bound)
    if value is properties.UNKNOWN:
        return None
    _, problems = properties.read_typed_value(facts, value, checked=False, budget=budget)
    return next((part_at_path(expr, p.path) for p in problems if p.kind == "type"), None)


def read_literal(expr: ir.Expr, bound: tuple[str, ...]) -> Any:
    """The value of an expression, with UNKNOWN for each part that is not literal."""
    if isinstance(expr, ir.Lit):
        return properties.UNKNOWN if any(word in str(expr.value) for word in bound) else expr.value
    if isinstance(expr, ir.Map):
        return {e.key: read_literal(e.value, bound) for e in expr.entries}
    if isinstance(expr, ir.Seq):
        return [read_literal(item, bound) for item in expr.items]
    return properties.UNKNOWN


def part_at_path(expr: ir.Expr, path: tuple[properties.Step, ...]) -> ir.Expr:
    """The part of an expression at a path; of a key that is missing, the map that lacks it."""
    for step in path:
        if isinstance(expr, ir.Map):
            expr = next((e.value for e in expr.entries if e.key == step), expr)
        elif isinstance(expr, ir.Seq) and isinstance(step, int):
            expr = expr.items[step]
    return expr
