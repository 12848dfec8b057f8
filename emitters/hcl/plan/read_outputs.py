"""Decides which outputs somebody reads: all of the root, and those of nested templates that reach something written.

For example, the output `interface` of a nested template is read if a resource of the caller gets it, and also if an
output of the caller returns it that is read itself. An output that nobody reads keeps no resource with Heat.

Invariant: what is not certain counts as read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import final

from transpile.resolve.analysis import Analysis
from transpile.resolve.flow_nodes import OUTPUT, FlowNode
from transpile.resolve.stack import Stack
from transpile.resolve.value_flow import ValueFlow


@final
class ReadOutputs:
    """The outputs that are read, of a root and the templates nested in it. flow: the graph, with the root first."""

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
