"""Translates a plug-in's schema of a property to TOSCA: a description, a default and constraints.

Invariant: all literal values of the template satisfy the constraints. The description has the facts that TOSCA cannot
express.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from emitters.tosca.patterns import is_python_only_pattern
from transpile.model import ir
from transpile.model.budget import Budget
from transpile.model.records import field, record
from transpile.schema import catalog, coercion, constraints, documentation

BOUNDS = {"min": "greater_or_equal", "max": "less_or_equal"}


@record
class SchemaNotes:
    """`description`: empty if there is none. `default`: None if there is none. `clauses`: the constraints of TOSCA 1.3,
    such as `{"in_range": [5, 10]}`.
    """

    description: str = ""
    default: Any = None
    clauses: list[dict[str, Any]] = field(default_factory=list)


def describe_schema(
    schema: catalog.PropertySchema,
    kind: str,
    uses: Sequence[ir.Expr],
    fit: Callable[[str, ir.Scalar], Any],
    budget: Budget,
) -> SchemaNotes:
    """The notes on a property of a kind. `fit`: the value of a scalar in that kind; it raises ValueError. `budget`:
    pays for patterns.
    """
    notes, others = SchemaNotes(), []
    for name, limits, *words in schema.get("constraints", ()):
        satisfied = literals_satisfy(schema, name, limits, uses, budget)
        clauses = translate_limits(name, limits, kind, fit, budget) if satisfied else []
        notes.clauses += clauses
        if words or not clauses:
            others.append(documentation.describe_constraint(name, limits, *words))
    default = schema.get("default")
    if isinstance(default, (str, int, float)):
        try:
            notes.default = fit(kind, default)
        except ValueError:
            others.append(f"default {documentation.format_json_value(default)}")
    elif default is not None:
        others.append(f"default {documentation.format_json_value(default)}")
    text = schema.get("doc", "").strip()
    notes.description = "; ".join([text.rstrip("."), *others]) if text and others else text or "; ".join(others)
    return notes


def literals_satisfy(
    schema: catalog.PropertySchema, name: str, limits: Any, uses: Sequence[ir.Expr], budget: Budget
) -> bool:
    """Whether all literal values satisfy a constraint; Heat refuses the others when it creates the stack."""
    convert = coercion.ALLOWED.get(schema["type"], lambda limit: limit)
    try:
        return all(
            not constraints.explain_failure(name, limits, convert(ir.to_data(use)), convert, budget=budget)
            for use in uses
            if ir.is_plain_data(use) and use != ir.NULL
        )
    except (TypeError, ValueError):
        return False


def translate_limits(
    name: str, limits: Any, kind: str, fit: Callable[[str, ir.Scalar], Any], budget: Budget
) -> list[dict[str, Any]]:
    """The clauses for a constraint; none if TOSCA cannot express it."""
    try:
        if name == "range" and kind in ("integer", "float"):
            return translate_range({key: fit(kind, bound) for key, bound in limits.items()})
        if name == "length" and kind in ("string", "list"):
            return [{f"{key}_length": bound} for key, bound in limits.items()]
        if name == "allowed_values" and limits:
            return [{"valid_values": [fit(kind, value) for value in limits]}]
    except ValueError:
        return []
    if name == "allowed_pattern" and kind == "string" and not is_python_only_pattern(limits, budget):
        return [{"pattern": limits}]
    return []


def translate_range(bounds: Mapping[str, int | float]) -> list[dict[str, Any]]:
    """The clauses for a minimum and a maximum."""
    if set(bounds) == {"min", "max"} and bounds["min"] <= bounds["max"]:
        return [{"in_range": [bounds["min"], bounds["max"]]}]
    return [{BOUNDS[key]: bound} for key, bound in bounds.items()]
