"""Evaluation of whole stacks: the values of a linked template and of the stacks nested in it, as Heat computes them.

Nothing that converts templates needs this package; it is the model that targets are tested against.
"""

from transpile.stack_evaluation.evaluation import Evaluation
from transpile.stack_evaluation.outside import Outside
from transpile.stack_evaluation.plugin_properties import select
from transpile.stack_evaluation.results import Evaluated, EvaluatedOutput, EvaluatedResource, evaluate_stack

__all__ = [
    "Evaluated",
    "EvaluatedOutput",
    "EvaluatedResource",
    "Evaluation",
    "Outside",
    "evaluate_stack",
    "select",
]
