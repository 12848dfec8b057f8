"""Decides which values Terraform knows only after apply: those that come from objects that it creates.

Invariant: a value that the user gives, and passes on through OS::Heat::Value and nested stacks, is known at plan.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import final

from transpile.model import ir
from transpile.resolve.analysis import Analysis
from transpile.resolve.flow_nodes import ANY, ATTRIBUTE, MEMBER, FlowNode
from transpile.resolve.origins import Origins
from transpile.resolve.stack import Stack
from transpile.resolve.value_flow import ValueFlow


@final
class LateValues:
    """The values of a stack, and of those nested in it, that are known only after apply."""

    def __init__(self, flow: ValueFlow, origins: Origins) -> None:
        self.flow, self.origins = flow, origins
        self.late = Analysis(self.sources_of, self.is_late, start=False)

    def contains_late(self, stack: Stack, expr: ir.Expr) -> bool:
        """Whether an expression contains a value that is known only after apply."""
        return any(map(self.late.value_of, self.nodes_in(stack, expr)))

    def nodes_in(self, stack: Stack, expr: ir.Expr) -> Iterator[FlowNode]:
        """The nodes that an expression reads. For an attribute that only passes a value on, the source of the value
        is read. So a nested stack may pass on an early value of one call and a late one of another.
        """
        todo = [expr]
        while todo:
            part = todo.pop()
            if (origin := self.origins.trace_origin(stack, part)) is not part:
                todo.append(origin)
                continue
            for read in self.flow.reads(stack, part):
                if read.call is None or read.call.is_resource:
                    yield read.node
                else:  # a group or an OS::Heat::Stack may stay with Heat
                    yield self.flow.attribute(read.call.stack, read.call.resource.name, ANY)
            todo += ir.children(part)

    def sources_of(self, node: FlowNode) -> Iterator[FlowNode]:
        for definition in self.flow.definitions(node):
            yield from self.nodes_in(definition.stack, definition.value)

    def is_late(self, node: FlowNode, look_up: Callable[[FlowNode], bool]) -> bool:
        is_created = node.kind in (ATTRIBUTE, MEMBER) and not any(self.flow.definitions(node))
        return is_created or any(map(look_up, self.sources_of(node)))
