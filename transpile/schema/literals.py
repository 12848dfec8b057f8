"""Checks the literal parts of a value, and the shape that it certainly has, against a property's type.

Invariant: only values that Heat certainly refuses are reported. The result of a function, and a value without a schema,
may be anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from transpile.model import ir
from transpile.model.budget import Budget
from transpile.schema import catalog, properties

SCALAR, LIST, MAP = "scalar", "list", "map"
PROPERTY_SHAPES = {"list": LIST, "map": MAP, **dict.fromkeys(("string", "integer", "number", "boolean"), SCALAR)}
PARAMETER_SHAPES = {"comma_delimited_list": LIST, **dict.fromkeys(("string", "number", "boolean"), SCALAR)}
FUNCTION_SHAPES = {
    **dict.fromkeys(("Fn::Base64", "Fn::Join", "digest", "get_file", "list_join"), SCALAR),
    **dict.fromkeys(("str_replace", "str_replace_strict", "str_replace_vstrict"), SCALAR),
    **dict.fromkeys(("Fn::Split", "list_concat", "list_concat_unique", "str_split"), LIST),
}


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
    if type(expr) is ir.Lit:
        return properties.UNKNOWN if any(word in str(expr.value) for word in bound) else expr.value
    if type(expr) is ir.Map:
        return {e.key: read_literal(e.value, bound) for e in expr.entries}
    if type(expr) is ir.Seq:
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


def find_misshapen(
    schema: catalog.PropertySchema, expr: ir.Expr, parameters: Mapping[str, ir.Param]
) -> ir.Seq | ir.Map | ir.ParamRef | ir.ResourceRef | ir.FileRef | ir.Call | None:
    """The first part of a value whose shape differs from that of its property or field; None if all shapes fit."""
    if type(expr) is ir.Lit:  # most are
        return None
    if type(expr) is ir.If:
        return next((wrong for branch in expr.branches if (wrong := find_misshapen(schema, branch, parameters))), None)
    expected = PROPERTY_SHAPES.get(schema.get("type", ""), "")
    if type(expr) is ir.Seq:
        if expected not in ("", LIST):
            return expr
        items = schema.get("items", {})
        return next((wrong for item in expr.items if (wrong := find_misshapen(items, item, parameters))), None)
    if type(expr) is ir.Map:
        if expected not in ("", MAP):
            return expr
        fields = schema.get("fields", {})
        parts = ((fields.get(e.key, {}), e.value) for e in expr.entries)
        return next((wrong for inner, value in parts if (wrong := find_misshapen(inner, value, parameters))), None)
    if not isinstance(expr, (ir.ParamRef, ir.ResourceRef, ir.FileRef, ir.Call)):
        return None
    return expr if expected and infer_shape(expr, parameters) not in ("", expected) else None


def infer_shape(expr: ir.ParamRef | ir.ResourceRef | ir.FileRef | ir.Call, parameters: Mapping[str, ir.Param]) -> str:
    """The shape of a value, or "" if it may have any."""
    if isinstance(expr, (ir.ResourceRef, ir.FileRef)):
        return SCALAR
    if isinstance(expr, ir.Call):
        if expr.fn == "str_split" and isinstance(expr.arg, ir.Seq) and len(expr.arg.items) > 2:
            return SCALAR  # with an index, it is one of the parts
        return FUNCTION_SHAPES.get(expr.fn, "")
    param = parameters.get(expr.name)
    return PARAMETER_SHAPES.get(param.type, "") if param is not None and not expr.path else ""
