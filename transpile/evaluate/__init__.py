"""The reference interpreter: the values that Heat computes for expressions.

Invariant: a value here is Heat's; where a target differs, the target reports it.
"""

from transpile.evaluate.interpreter import ABSENT, Interpreter, World, evaluate_parameters
from transpile.evaluate.placeholders import replacement_order, sort_placeholders, split_at_placeholders
from transpile.evaluate.pure import (
    FUNCTIONS,
    EvaluationError,
    NotKnown,
    NoValue,
    dump_json,
    fold_call,
    format_replacement,
)

__all__ = [
    "ABSENT",
    "FUNCTIONS",
    "EvaluationError",
    "Interpreter",
    "NoValue",
    "NotKnown",
    "World",
    "dump_json",
    "evaluate_parameters",
    "fold_call",
    "format_replacement",
    "replacement_order",
    "sort_placeholders",
    "split_at_placeholders",
]
