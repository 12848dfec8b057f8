"""Finds out whether a resource outside of a nested template needs one of its outputs.

An output of a nested template can be null without Heat if only outputs of the callers read it. It cannot if a resource
needs its value.
"""

from __future__ import annotations

from transpile.resolve.flow_nodes import ATTRIBUTE, OUTPUT, PARAMETER, FlowNode
from transpile.resolve.value_flow import ValueFlow

PASSING = (ATTRIBUTE, OUTPUT, PARAMETER)  # these only pass a value on


def is_needed_by_resource(flow: ValueFlow, output: FlowNode) -> bool:
    """Whether the value of an output reaches a resource or a condition, through callers and other nested templates."""
    reached, todo = {output}, [output]
    while todo:
        for edge in flow.flows_from(todo.pop()):
            if edge.target.kind not in PASSING:
                return True
            if edge.target not in reached:
                reached.add(edge.target)
                todo.append(edge.target)
    return False
