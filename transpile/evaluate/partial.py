"""Evaluates an expression as far as that is possible before the stack exists.

Invariant: the value of a function is known as a whole or not at all; of a list or map, each item may be UNKNOWN.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any

from transpile.evaluate.interpreter import ABSENT, Interpreter, World
from transpile.evaluate.pure import NotKnown
from transpile.model import ir
from transpile.schema.properties import UNKNOWN


def _refuse_reference(*_: Any) -> Any:
    """Stands in for references, attributes and files: before the stack exists, each of them is unknown."""
    raise NotKnown("The value is known only in a stack")


def world_before_creation(parameters: Mapping[str, Any]) -> World:
    """A world with parameter values, but without resources and files."""
    return World(parameters, reference=_refuse_reference, attribute=_refuse_reference, file=_refuse_reference)


def evaluate_partially(interpreter: Interpreter, expr: ir.Expr, named: Container[str] = ()) -> Any:
    """The value of an expression, with UNKNOWN for parts that only a stack decides; raises EvaluationError if a
    function fails.

    named: resources of which a reference is the name, as in Heat before the resource exists.
    """
    if type(expr) is ir.Lit:
        return expr.value
    if type(expr) is ir.Seq:
        return [v for item in expr.items if (v := evaluate_partially(interpreter, item, named)) is not ABSENT]
    if type(expr) is ir.Map:
        return {e.key: v for e in expr.entries if (v := evaluate_partially(interpreter, e.value, named)) is not ABSENT}
    if isinstance(expr, (ir.ResourceRef, ir.AttrRef)):
        return expr.name if isinstance(expr, ir.ResourceRef) and expr.name in named else UNKNOWN
    try:
        if isinstance(expr, ir.If):
            branch = expr.then if interpreter.takes_first_branch(expr.condition) else expr.orelse
            return ABSENT if branch is None else evaluate_partially(interpreter, branch, named)
        return interpreter.evaluate(expr)
    except NotKnown:
        return UNKNOWN
