"""What is known of a value before there is a stack: the parts that nothing else decides.

The easy rule to break: a function is known as a whole or not at all, for what it makes of a part is not known; lists
and maps are known in their parts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from transpile.evaluate.interpreter import ABSENT, Interpreter, World
from transpile.evaluate.pure import NotKnown
from transpile.model import ir
from transpile.schema.properties import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Mapping


def _nobody_knows(*_: Any) -> Any:
    raise NotKnown("Only a stack can tell")


def before_creation(parameters: Mapping[str, Any]) -> World:
    """A world in which there are values of parameters, but no resource yet, and no file is read."""
    return World(parameters, reference=_nobody_knows, attribute=_nobody_knows, file=_nobody_knows)


def partial(interpreter: Interpreter, expr: ir.Expr) -> Any:
    """What an expression comes to, UNKNOWN for the parts that only a stack decides; raises EvaluationError where a
    function fails.
    """
    if isinstance(expr, ir.Lit):
        return expr.value
    if isinstance(expr, ir.Seq):
        return [v for item in expr.items if (v := partial(interpreter, item)) is not ABSENT]
    if isinstance(expr, ir.Map):
        return {e.key: v for e in expr.entries if (v := partial(interpreter, e.value)) is not ABSENT}
    if isinstance(expr, (ir.ResourceRef, ir.AttrRef, ir.FileRef)):
        return UNKNOWN
    try:
        if isinstance(expr, ir.If):
            branch = expr.then if interpreter.chosen(expr.condition) else expr.orelse
            return ABSENT if branch is None else partial(interpreter, branch)
        return interpreter.value(expr)
    except NotKnown:
        return UNKNOWN
