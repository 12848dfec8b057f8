"""Evaluates whole stacks: the values of a linked template and of the stacks nested in it, as Heat computes them.

No conversion needs this package. It is the model against which the tests compare the targets.
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
