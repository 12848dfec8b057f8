"""The reference interpreter: the values that Heat computes for expressions.

Invariant: a value here is Heat's; where a target differs, the target reports it.
"""

from transpile.evaluate.interpreter import ABSENT, Interpreter, World, parameter_values
from transpile.evaluate.placeholders import in_order, met, parted
from transpile.evaluate.pure import (
    FUNCTIONS,
    EvaluationError,
    NotKnown,
    NoValue,
    dumps,
    fold,
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
    "met",
    "parameter_values",
    "parted",
    "replacement",
]
