"""What Heat makes of expressions: the pure functions, and the interpreter of templates and of whole stacks.

The easy rule to break: what stands here is Heat's answer, not a target's; where a target differs, the target says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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

if TYPE_CHECKING:
    from transpile.evaluate.inputs import Outside
    from transpile.evaluate.plugin_properties import select
    from transpile.evaluate.results import Evaluated, EvaluatedOutput, EvaluatedResource
    from transpile.evaluate.stacks import Evaluation, evaluate_stack

LATER = {  # what only whole stacks need, imported when it is first used
    "select": "plugin_properties",
    "Outside": "inputs",
    "Evaluated": "results",
    "EvaluatedOutput": "results",
    "EvaluatedResource": "results",
    "Evaluation": "stacks",
    "evaluate_stack": "stacks",
}

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


def __getattr__(name: str) -> Any:
    if name in LATER:
        import importlib

        return getattr(importlib.import_module(f"transpile.evaluate.{LATER[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
