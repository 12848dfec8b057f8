"""What Heat makes of expressions: the pure functions, and the interpreter of templates and of whole stacks.

The easy rule to break: what stands here is Heat's answer, not a target's; where a target differs, the target says so.
"""

from transpile.evaluate.coercion import select
from transpile.evaluate.inputs import Outside
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
from transpile.evaluate.results import Evaluated, EvaluatedOutput, EvaluatedResource
from transpile.evaluate.stacks import Evaluation, evaluate_stack

__all__ = [
    "ABSENT",
    "FUNCTIONS",
    "Evaluated",
    "EvaluatedOutput",
    "EvaluatedResource",
    "Evaluation",
    "EvaluationError",
    "Interpreter",
    "NoValue",
    "NotKnown",
    "Outside",
    "World",
    "dumps",
    "evaluate_stack",
    "fold",
    "in_order",
    "parameters",
    "replace_keys",
    "replacement",
    "select",
]
