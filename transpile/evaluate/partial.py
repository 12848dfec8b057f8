"""Evaluates an expression as far as that is possible before the stack exists.

Invariant: the value of a function is known as a whole or not at all; of a list or map, each item may be UNKNOWN.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from transpile.evaluate.interpreter import ABSENT, Interpreter, World
from transpile.evaluate.pure import NotKnown
from transpile.model import ir
from transpile.schema.properties import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Mapping


def _not_known_yet(*_: Any) -> Any:
    """Stands in for references, attributes and files: before the stack exists, each of them is unknown."""
    raise NotKnown("The value is known only in a stack")


def before_creation(parameters: Mapping[str, Any]) -> World:
    """A world with parameter values, but without resources and files."""
    return World(parameters, reference=_not_known_yet, attribute=_not_known_yet, file=_not_known_yet)


def partial(interpreter: Interpreter, expr: ir.Expr) -> Any:
    """The value of an expression, with UNKNOWN for parts that only a stack decides; raises EvaluationError if a
    function fails.
    """
    if isinstance(expr, ir.Lit):
        return expr.value
    if isinstance(expr, ir.Seq):
        return [v for item in expr.items if (v := partial(interpreter, item)) is not ABSENT]
    if isinstance(expr, ir.Map):
        return {e.key: v for e in expr.entries if (v := partial(interpreter, e.value)) is not ABSENT}
    if isinstance(expr, (ir.ResourceRef, ir.AttrRef)):
        return UNKNOWN
    try:
        if isinstance(expr, ir.If):
            branch = expr.then if interpreter.chosen(expr.condition) else expr.orelse
            return ABSENT if branch is None else partial(interpreter, branch)
        return interpreter.value(expr)
    except NotKnown:
        return UNKNOWN
