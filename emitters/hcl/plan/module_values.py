"""The analyses of the values of a stack and its modules, all over one graph, each made at its first use.

Invariant: an answer is about the stacks at its first use. Code that changes the stacks makes another object.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import final

from emitters.hcl.plan.late_values import LateValues
from emitters.hcl.plan.modules import Modules
from emitters.hcl.plan.name_forms import NameForms
from emitters.hcl.plan.named_resources import NamedResources
from emitters.hcl.plan.passed_values import PassedValues
from transpile.resolve.analysis import Analysis
from transpile.resolve.flow_nodes import ATTRIBUTE, OUTPUT, PARAMETER, FlowNode
from transpile.resolve.origins import Origins
from transpile.resolve.stack import Stack
from transpile.resolve.value_flow import ValueFlow

PASSING = (ATTRIBUTE, OUTPUT, PARAMETER)  # these only pass a value on


@final
class ModuleValues:
    """The analyses by name. late: values known only after apply. passed: known values. forms: names and IDs. named:
    the resource whose name a value is. read: the outputs that somebody reads.
    """

    def __init__(self, modules: Modules) -> None:
        self.modules, self.origins = modules, Origins()
        self.named = NamedResources(self.origins)

    @functools.cached_property
    def flow(self) -> ValueFlow:
        return self.modules.value_flow_of(self.modules.root.stack)

    @functools.cached_property
    def late(self) -> LateValues:
        return LateValues(self.flow, self.origins)

    @functools.cached_property
    def passed(self) -> PassedValues:
        return PassedValues(self.flow, self.origins)

    @functools.cached_property
    def forms(self) -> NameForms:
        return NameForms(self.modules, self.flow, self.named, self.late, self.passed)

    @functools.cached_property
    def read(self) -> ReadOutputs:
        return ReadOutputs(self.flow)


@final
class ReadOutputs:
    """The outputs that somebody reads: all of the root, and those of nested templates that reach something written.
    An uncertain read counts as one. An output that nobody reads keeps no resource with Heat. flow: the graph, with
    the root first.
    """

    def __init__(self, flow: ValueFlow) -> None:
        self.flow = flow
        self.read = Analysis(self.targets_of, self.is_read_node, start=False)

    def is_read(self, stack: Stack, name: str) -> bool:
        return self.read.value_of(self.flow.output(stack, name))

    def targets_of(self, node: FlowNode) -> Iterator[FlowNode]:
        for flow in self.flow.flows_from(node) if node.kind == OUTPUT else ():
            yield flow.target

    def is_read_node(self, node: FlowNode, look_up: Callable[[FlowNode], bool]) -> bool:
        return node.kind != OUTPUT or node.stack == 0 or any(map(look_up, self.targets_of(node)))


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
