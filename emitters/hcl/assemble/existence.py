"""Finds the conditions under which an output has a value: the resources that `get_resource` in it names must exist.

Invariant: a reference in a branch of `if` counts only if the branch is taken, as Heat resolves no other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from emitters.hcl.lowering.lowering import HclLowering
from emitters.hcl.lowering.rewrites import negate_condition
from transpile.model import ir

NEVER = ir.Lit(False)


def find_tests(lowering: HclLowering, expr: ir.Expr, path: tuple[ir.Expr, ...] = ()) -> Iterator[ir.Expr]:
    """The conditions that must hold for all references of an expression to name resources that exist, without those
    that are known to hold. `path`: the conditions of the branches around the expression.
    """
    if isinstance(expr, ir.If):
        yield from find_tests(lowering, expr.condition, path)
        taken = lowering.decide_condition(expr.condition)
        branches = ((expr.condition, expr.then, taken is False), (negate_condition(expr.condition), expr.orelse, taken))
        for condition, branch, skipped in branches:
            if branch is None or skipped:
                continue
            inner = path if taken is not None else (*path, condition)
            yield from find_tests(lowering.with_fact(condition), branch, inner)
        return
    if isinstance(expr, ir.ResourceRef):
        resource = lowering.template.resources.get(expr.name)
        for own in resource.conditions if resource is not None else ():
            exists = lowering.decide_condition(own)
            if exists is not True:
                alternatives = [*map(negate_condition, path), *([own] if exists is None else [])]
                yield join_conditions("or", alternatives) if alternatives else NEVER
    for child in ir.children(expr):
        if not (isinstance(expr, ir.AttrRef) and isinstance(child, ir.ResourceRef)):
            yield from find_tests(lowering, child, path)


def join_conditions(function: str, conditions: Sequence[ir.Expr]) -> ir.Expr:
    """Several conditions joined by `and` or `or`, without repetitions."""
    different = tuple(dict.fromkeys(conditions))
    return different[0] if len(different) == 1 else ir.Call(function, ir.Seq(different))


def is_choice_of_references(expr: ir.Expr) -> bool:
    """Whether an expression is a reference, or `if` that chooses between references and plain values."""
    if isinstance(expr, ir.If):
        return all(map(is_choice_of_references, expr.branches))
    return isinstance(expr, (ir.ResourceRef, ir.Lit, ir.ParamRef))
