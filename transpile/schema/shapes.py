"""Compares the shape that a value certainly has (scalar, list or map) with the shape that its property takes.

Invariant: only values that Heat certainly refuses are reported. Heat never converts a text to a list, or a list to a
text.
"""

from __future__ import annotations

from collections.abc import Mapping

from transpile.model import ir
from transpile.schema import catalog

SCALAR, LIST, MAP = "scalar", "list", "map"
PROPERTY_SHAPES = {"list": LIST, "map": MAP, **dict.fromkeys(("string", "integer", "number", "boolean"), SCALAR)}
PARAMETER_SHAPES = {"comma_delimited_list": LIST, **dict.fromkeys(("string", "number", "boolean"), SCALAR)}
FUNCTION_SHAPES = {
    **dict.fromkeys(("Fn::Base64", "Fn::Join", "digest", "get_file", "list_join"), SCALAR),
    **dict.fromkeys(("str_replace", "str_replace_strict", "str_replace_vstrict"), SCALAR),
    **dict.fromkeys(("Fn::Split", "list_concat", "list_concat_unique", "str_split"), LIST),
}


def find_misshapen(
    schema: catalog.PropertySchema, expr: ir.Expr, parameters: Mapping[str, ir.Param]
) -> ir.Seq | ir.Map | ir.ParamRef | ir.ResourceRef | ir.FileRef | ir.Call | None:
    """The first part of a value whose shape differs from that of its property or field; None if all shapes fit."""
    if isinstance(expr, ir.If):
        return next((wrong for branch in expr.branches if (wrong := find_misshapen(schema, branch, parameters))), None)
    expected = PROPERTY_SHAPES.get(schema.get("type", ""), "")
    if isinstance(expr, ir.Seq):
        if expected not in ("", LIST):
            return expr
        items = schema.get("items", {})
        return next((wrong for item in expr.items if (wrong := find_misshapen(items, item, parameters))), None)
    if isinstance(expr, ir.Map):
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
