"""Expressions as the JSON form of HOT, as stored in expression nodes.

Invariant: the text is plain HOT, so any HOT implementation can evaluate it. Nothing is simplified.
"""

from __future__ import annotations

import json
from typing import Any

from transpile.model import ir


def to_json_line(value: Any) -> str:
    """Returns one line of JSON, in the order of the template."""
    return json.dumps(value, ensure_ascii=False)


def expression_json(expr: ir.Expr) -> str:
    """Returns an expression as JSON text."""
    return to_json_line(expression_data(expr))


def expression_data(expr: ir.Expr) -> Any:
    """Returns an expression as the maps and lists that HOT writes it as."""
    if isinstance(expr, ir.Lit):
        return expr.value
    if isinstance(expr, ir.Seq):
        return [expression_data(item) for item in expr.items]
    if isinstance(expr, ir.Map):
        return {e.key: expression_data(e.value) for e in expr.entries}
    if isinstance(expr, ir.ParamRef):
        return {expr.fn: [expr.name, *map(expression_data, expr.path)] if expr.path else expr.name}
    if isinstance(expr, ir.ResourceRef):
        return {expr.fn: expr.name}
    if isinstance(expr, ir.AttrRef):
        return {expr.fn: [expr.name, *map(expression_data, expr.path)]}
    if isinstance(expr, ir.ConditionRef):
        return expr.name
    if isinstance(expr, ir.FileRef):
        return {"get_file": expr.name}
    if isinstance(expr, ir.If):
        branches = [expr.condition, *expr.branches]
        return {expr.fn: [expression_data(b) for b in branches]}
    if isinstance(expr, ir.Repeat):
        out = {
            "for_each": {e.key: expression_data(e.value) for e in expr.for_each},
            "template": expression_data(expr.template),
        }
        if expr.permutations is not None:
            out["permutations"] = expression_data(expr.permutations)
        return {"repeat": out}
    if isinstance(expr, ir.Call):
        return {expr.fn: expression_data(expr.arg)}
    return None if expr.data is None else expression_data(expr.data)


def capabilities_json(template: ir.Template) -> str:
    """Returns a template's capabilities."""
    return to_json_line({name: expression_data(entry.value) for name, entry in template.capabilities.items()})
