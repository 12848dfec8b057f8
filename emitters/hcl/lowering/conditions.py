"""Lowers conditions: `equals`, `not`, `and`, `or` and any value that may be one.

Invariant: `==` gives the result of Python's equality, although Terraform's is strictly typed. Terraform's `&&` and `||`
evaluate both sides, so an operand that can fail needs `?:`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emitters.hcl.errors import CannotSay
from emitters.hcl.lowering.rewrites import is_not
from emitters.hcl.tree.nodes import Cond, Expr, Fn, Op, Tuple
from emitters.hcl.tree.types import BOOL, LISTS, MAPS, STRING, STRINGS, Value, fit, literal
from transpile.diagnostics import codes
from transpile.evaluate import fold
from transpile.model import ir

if TYPE_CHECKING:
    from emitters.hcl.lowering.lowering import Lowering


STACK_IDS = ("OS::stack_id", "AWS::StackId")


def lower(lowering: Lowering, expr: ir.Expr) -> Expr:
    """A condition as an expression of type bool."""
    if isinstance(expr, ir.Lit):
        return bool(expr.value)
    if isinstance(expr, ir.ConditionRef):
        known = lowering.known(expr) if lowering.scope.facts else None
        return known if known is not None else lowering.named_condition(expr)
    if isinstance(expr, ir.Call):
        name = expr.fn.removeprefix("Fn::").lower()
        if name == "not":
            inner = expr.arg.items[0] if expr.fn == "Fn::Not" and isinstance(expr.arg, ir.Seq) else expr.arg
            return is_not(lower(lowering, inner))
        if name in ("and", "or") and isinstance(expr.arg, ir.Seq):
            sign = "&&" if name == "and" else "||"
            first, *rest = (lower(lowering, item) for item in expr.arg.items)
            for other in rest:
                first = Op(sign, first, other)
            return first
        if name == "equals":
            folded = fold(expr, lowering.template.source)
            return bool(folded.value) if isinstance(folded, ir.Lit) else equals(lowering, expr)
    found = lowering.value(expr)
    if found.type == STRING and not literal(found.expr):
        raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, "the name of a condition is known only at run time", expr)
    return fit(found, BOOL).expr


def equals(lowering: Lowering, expr: ir.Call) -> Expr:
    """Lowers `equals`, which is Python's `==`: True == 1 == 1.0, a string never equals a number, lists are compared
    item by item.
    """
    if not isinstance(expr.arg, ir.Seq):
        raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, "equals compares two values", expr)
    for one, other in (expr.arg.items, expr.arg.items[::-1]):
        if isinstance(one, ir.ParamRef) and one.name in STACK_IDS:
            if isinstance(other, ir.Lit):  # the ID is made at the apply
                return False
            raise CannotSay(codes.UUID_AS_STACK_ID, "a condition depends on the stack's ID, which the apply makes", one)
    left, right = (lowering.value(item) for item in expr.arg.items)
    return equal(lowering, left, right, expr)


def equal(lowering: Lowering, left: Value, right: Value, where: ir.Expr) -> Expr:
    """An expression for Python's equality of two values. where: the position for diagnostics."""
    kinds = {left.type.kind, right.type.kind}
    if kinds == {"bool", "number"}:
        boolean, number = (left, right) if left.type.kind == "bool" else (right, left)
        if literal(number.expr):
            return boolean.expr if number.expr == 1 else is_not(boolean.expr) if number.expr == 0 else False
        if literal(boolean.expr):
            return Op("==", number.expr, int(bool(boolean.expr)))
        return Op("==", Cond(boolean.expr, 1, 0), number.expr)
    if kinds == {"bool"}:
        for one, other in ((left, right), (right, left)):
            if isinstance(one.expr, bool):
                return other.expr if one.expr else is_not(other.expr)
    if any(k in LISTS for k in kinds):
        return equal_lists(left, right)
    if any(k in MAPS or k == "json" for k in kinds) or kinds == {"any"}:
        return Op("==", Fn("jsonencode", (left.expr,)), Fn("jsonencode", (right.expr,)))
    if kinds == {"any", "bool"} or (kinds == {"any", "number"} and {left.expr, right.expr} & {0, 1}):
        loose(lowering, where)
    return Op("==", left.expr, right.expr)


def loose(lowering: Lowering, where: ir.Expr) -> None:
    """Reports that an untyped value is compared with a number or boolean."""
    message = "In Heat, 1 equals true and 0 equals false; in Terraform, a number never equals a boolean."
    lowering.differs(codes.COMPARISON_OF_MIXED_TYPES, message, where)


def mixed(value: Value) -> bool:
    """Whether a list may have items other than strings."""
    return bool(value.type.of != STRING)


def equal_lists(left: Value, right: Value) -> Expr:
    """An expression for the equality of two values, of which at least one is a list. Terraform's `==` is false for
    values of different types, even an empty tuple and an empty list. So both get the same type, or are compared as
    JSON.
    """
    if left.type == right.type == STRINGS:
        return Op("==", left.expr, right.expr)
    for one, other in ((left, right), (right, left)):
        if (
            one.type == STRINGS
            and isinstance(other.expr, Tuple)
            and other.expr.items
            and all(isinstance(i, str) for i in other.expr.items)
        ):
            return Op("==", one.expr, Fn("tolist", (other.expr,)))
        if one.type == STRINGS and isinstance(other.expr, Tuple) and not other.expr.items:
            return Op("==", Fn("length", (one.expr,)), 0)
    return Op("==", Fn("jsonencode", (left.expr,)), Fn("jsonencode", (right.expr,)))
