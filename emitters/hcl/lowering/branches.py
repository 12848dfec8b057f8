"""Lowers `if` as a value: its two branches, which Terraform converts to one type and Heat does not."""

from __future__ import annotations

from emitters.hcl.lowering import paths
from emitters.hcl.lowering.lowering import HclLowering
from emitters.hcl.lowering.rewrites import have_same_shape, negate_condition, negate_expression
from emitters.hcl.tree.nodes import Cond, Fn
from emitters.hcl.tree.types import (
    ANY,
    BOOL,
    COLLECTIONS,
    JSON,
    LISTS,
    NULL,
    OPEN,
    SCALARS,
    STRING,
    STRINGS,
    HclType,
    TypedValue,
)
from transpile.diagnostics import codes
from transpile.model import ir


def lower_if(lowering: HclLowering, expr: ir.If, want: HclType) -> TypedValue:
    """`if` as a value. Terraform converts both branches to one type, and Heat does not. So branches without a common
    type go through JSON: `jsondecode(test ? jsonencode(a) : jsonencode(b))`.
    """
    decided = lowering.decide_condition(expr.condition)
    if decided is not None:
        branch = expr.then if decided else expr.orelse
        return TypedValue(None, NULL, True) if branch is None else lowering.lower_value(branch, want)
    test = lowering.lower_condition(expr.condition)
    then = lowering.with_fact(expr.condition).lower_value(expr.then, want)
    other = TypedValue(None, NULL, True)
    if expr.orelse is not None:
        other = lowering.with_fact(negate_condition(expr.condition)).lower_value(expr.orelse, want)
    null = then.null or other.null
    if then.expr is True and other.expr is False:
        return TypedValue(test, BOOL)
    if then.expr is False and other.expr is True:
        return TypedValue(negate_expression(test), BOOL)
    for first, second in ((then, other), (other, then)):
        if first.is_null:
            return TypedValue(Cond(test, then.expr, other.expr), second.type, True)
    if then.type.kind == other.type.kind and then.type.kind in SCALARS:
        return TypedValue(Cond(test, then.expr, other.expr), then.type, null)
    if want.kind in SCALARS and all(v.type.kind in (*SCALARS, "any") for v in (then, other)):
        return TypedValue(Cond(test, then.expr, other.expr), want, null)
    if want in (STRINGS, HclType("set", STRING)) and all(v.type.kind in (*LISTS, *OPEN) for v in (then, other)):
        return TypedValue(Cond(test, then.expr, other.expr), STRINGS, null)
    if have_same_shape(then.expr, other.expr):
        return TypedValue(Cond(test, then.expr, other.expr), then.type, null)
    if (
        "any" in (then.type.kind, other.type.kind)
        and want.kind == "any"
        and {then.type.kind, other.type.kind} <= {*SCALARS, "any"}
        and may_be_same_scalar(lowering, expr, then.type, other.type)
    ):
        return TypedValue(Cond(test, then.expr, other.expr), ANY, null)
    kind = then.type if then.type.kind == other.type.kind else ANY
    if kind == ANY and {then.type.kind, other.type.kind} <= {*COLLECTIONS}:
        kind = JSON  # a list or a map, whichever
    return TypedValue(
        Fn("jsondecode", (Cond(test, Fn("jsonencode", (then.expr,)), Fn("jsonencode", (other.expr,))),)), kind, null
    )


def may_be_same_scalar(lowering: HclLowering, expr: ir.If, then: HclType, other: HclType) -> bool:
    """Whether two branches, at least one of them untyped, may be treated as the same scalar type: nothing known
    contradicts that.
    """
    kinds = {kind.kind for kind in (then, other) if kind != ANY}
    for branch, kind in zip(expr.branches, (then, other), strict=False):
        values = paths.values_of_expression(lowering, branch) if kind == ANY else ()
        kinds |= {paths.common_type_of([value]).kind for value in values}
        if len(kinds) > 1 or kinds & {"any", "json"}:
            return False
        if not values or isinstance(branch, ir.ParamRef):
            once = ("branch", branch.name) if isinstance(branch, ir.ParamRef) else None
            message = "Terraform converts both branches to one type: if one is a string, so is the other."
            lowering.say(codes.UNTYPED_VALUE_AS_TEXT, message, branch, once=once)
    return True
