"""Evaluates whole stacks: the values of a linked template and of the stacks nested in it, as Heat computes them.

Each conversion to Terraform is compared with these values before it is written, and the tests compare with them, too.
"""

from transpile.stack_evaluation.evaluation import StackEvaluation
from transpile.stack_evaluation.outside import Outside
from transpile.stack_evaluation.plugin_properties import follow_path
from transpile.stack_evaluation.results import EvaluatedOutput, EvaluatedResource, EvaluatedStack, evaluate_stack

__all__ = [
    "EvaluatedOutput",
    "EvaluatedResource",
    "EvaluatedStack",
    "Outside",
    "StackEvaluation",
    "evaluate_stack",
    "follow_path",
]
