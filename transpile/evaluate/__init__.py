"""What Heat makes of expressions: the pure functions, and the interpreter of whole templates.

The easy rule to break: what stands here is Heat's answer, not a target's; where a target differs, the target says so.
"""

from transpile.evaluate.interpreter import ABSENT, Interpreter, World, parameters
from transpile.evaluate.pure import (
    FUNCTIONS,
    EvaluationError,
    NotKnown,
    NoValue,
    dumps,
    fold,
    in_order,
    replace_keys,
    replacement,
)

__all__ = [
    "ABSENT",
    "FUNCTIONS",
    "EvaluationError",
    "Interpreter",
    "NoValue",
    "NotKnown",
    "World",
    "dumps",
    "fold",
    "in_order",
    "parameters",
    "replace_keys",
    "replacement",
]
