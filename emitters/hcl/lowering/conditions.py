"""Lowers conditions: `equals`, `not`, `and`, `or` and any value that may be one.

Invariant: `==` gives the result of Python's equality, although Terraform's is strictly typed. Terraform's `&&` and `||`
evaluate both sides, so an operand that can fail needs `?:`.
"""

from __future__ import annotations

from emitters.hcl.errors import CannotSay
from emitters.hcl.lowering.lowering import HclLowering
from emitters.hcl.lowering.rewrites import negate_expression
from emitters.hcl.tree.nodes import Cond, Expr, Fn, Op, Tuple
from emitters.hcl.tree.types import BOOL, LISTS, MAPS, STRING, STRINGS, TypedValue, convert_to_type, is_scalar_literal
from transpile.diagnostics import codes
from transpile.evaluate import fold_call
from transpile.model import ir

STACK_IDS = ("OS::stack_id", "AWS::StackId")


def lower_condition(lowering: HclLowering, expr: ir.Expr) -> Expr:
    """A condition as an expression of type bool."""
    if isinstance(expr, ir.Lit):
        return bool(expr.value)
    if isinstance(expr, ir.ConditionRef):
        decided = lowering.decide_condition(expr) if lowering.scope.facts else None
        return decided if decided is not None else lowering.lower_named_condition(expr)
    if isinstance(expr, ir.Call):
        name = expr.fn.removeprefix("Fn::").lower()
        if name == "not":
            inner = expr.arg.items[0] if expr.fn == "Fn::Not" and isinstance(expr.arg, ir.Seq) else expr.arg
            return negate_expression(lower_condition(lowering, inner))
        if name in ("and", "or") and isinstance(expr.arg, ir.Seq):
            first = lower_condition(lowering, expr.arg.items[0])
            for item in expr.arg.items[1:]:
                first = combine_conditions(name, first, lower_condition(lowering, item), is_boolean(lowering, item))
            return first
        if name == "equals":
            folded = fold_call(expr, lowering.template.source)
            return bool(folded.value) if isinstance(folded, ir.Lit) else lower_equals(lowering, expr)
    value = lowering.lower_value(expr)
    if value.type == STRING and not is_scalar_literal(value.expr):
        raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, "the name of a condition is known only at run time", expr)
    return convert_to_type(value, BOOL).expr


def combine_conditions(name: str, first: Expr, other: Expr, boolean: bool) -> Expr:
    """`and` or `or` of two conditions. Heat looks at the second only if the first does not decide. If the second may be
    no boolean, `?:` does the same: Terraform reports errors only of the branch that it takes.
    """
    if boolean:
        return Op("&&" if name == "and" else "||", first, other)
    other = Fn("tobool", (other,))
    return Cond(first, other, False) if name == "and" else Cond(first, True, other)


def is_boolean(lowering: HclLowering, expr: ir.Expr, seen: set[str] | None = None) -> bool:
    """Whether a condition has a boolean value for all values of the parameters. seen: the conditions that were looked
    at, each of them once.
    """
    seen = set() if seen is None else seen
    if isinstance(expr, ir.ConditionRef):
        condition = lowering.template.conditions.get(expr.name)
        if condition is None or expr.name in seen:
            return True
        seen.add(expr.name)
        return is_boolean(lowering, condition.value, seen)
    if isinstance(expr, ir.Call):
        name = expr.fn.removeprefix("Fn::").lower()
        if name in ("not", "and", "or"):
            return all(is_boolean(lowering, item, seen) for item in ir.children(expr))
        if name in ("equals", "contains"):
            return True
    if isinstance(expr, ir.Seq):
        return all(is_boolean(lowering, item, seen) for item in expr.items)
    return lowering.lower_value(expr).type == BOOL


def lower_equals(lowering: HclLowering, expr: ir.Call) -> Expr:
    """Lowers `equals`, which is Python's `==`: True == 1 == 1.0, a string never equals a number, lists are compared
    item by item.
    """
    if not isinstance(expr.arg, ir.Seq):
        raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, "equals compares two values", expr)
    for first, second in (expr.arg.items, expr.arg.items[::-1]):
        if isinstance(first, ir.ParamRef) and first.name in STACK_IDS:
            if isinstance(second, ir.Lit):  # the ID is made at the apply
                return False
            raise CannotSay(
                codes.UUID_AS_STACK_ID, "a condition depends on the stack's ID, which is known only after apply", first
            )
    left, right = (lowering.lower_value(item) for item in expr.arg.items)
    return compare_values(lowering, left, right, expr)


def compare_values(lowering: HclLowering, left: TypedValue, right: TypedValue, where: ir.Expr) -> Expr:
    """An expression for Python's equality of two values. where: the position for diagnostics."""
    kinds = {left.type.kind, right.type.kind}
    if kinds == {"bool", "number"}:
        boolean, number = (left, right) if left.type.kind == "bool" else (right, left)
        if is_scalar_literal(number.expr):
            return boolean.expr if number.expr == 1 else negate_expression(boolean.expr) if number.expr == 0 else False
        if is_scalar_literal(boolean.expr):
            return Op("==", number.expr, int(bool(boolean.expr)))
        return Op("==", Cond(boolean.expr, 1, 0), number.expr)
    if kinds == {"bool"}:
        for first, second in ((left, right), (right, left)):
            if isinstance(first.expr, bool):
                return second.expr if first.expr else negate_expression(second.expr)
    if any(k in LISTS for k in kinds):
        return compare_lists(left, right)
    if any(k in MAPS or k == "json" for k in kinds) or kinds == {"any"}:
        return Op("==", Fn("jsonencode", (left.expr,)), Fn("jsonencode", (right.expr,)))
    if kinds == {"any", "bool"} or (kinds == {"any", "number"} and {left.expr, right.expr} & {0, 1}):
        report_loose_comparison(lowering, where)
    return Op("==", left.expr, right.expr)


def report_loose_comparison(lowering: HclLowering, where: ir.Expr) -> None:
    """Reports that an untyped value is compared with a number or boolean."""
    message = "In Heat, 1 equals true and 0 equals false; in Terraform, a number never equals a boolean."
    lowering.differs(codes.COMPARISON_OF_MIXED_TYPES, message, where)


def has_mixed_items(value: TypedValue) -> bool:
    """Whether a list may have items other than strings."""
    return bool(value.type.of != STRING)


def compare_lists(left: TypedValue, right: TypedValue) -> Expr:
    """An expression for the equality of two values, of which at least one is a list. Terraform's `==` is false for
    values of different types, even an empty tuple and an empty list. So both get the same type, or are compared as
    JSON.
    """
    if left.type == right.type == STRINGS:
        return Op("==", left.expr, right.expr)
    for first, second in ((left, right), (right, left)):
        if (
            first.type == STRINGS
            and isinstance(second.expr, Tuple)
            and second.expr.items
            and all(isinstance(i, str) for i in second.expr.items)
        ):
            return Op("==", first.expr, Fn("tolist", (second.expr,)))
        if first.type == STRINGS and isinstance(second.expr, Tuple) and not second.expr.items:
            return Op("==", Fn("length", (first.expr,)), 0)
    return Op("==", Fn("jsonencode", (left.expr,)), Fn("jsonencode", (right.expr,)))
