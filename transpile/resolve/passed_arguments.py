"""The arguments of a call that come out of it again, because the nested stack only passes them on.

Invariant: what one call gets comes out of that call alone, although all calls of a template share its nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import final

from transpile.resolve.analysis import Analysis
from transpile.resolve.flow_nodes import ARGUMENT, ATTRIBUTE, OUTPUT, PARAMETER, CallSite, Flow, FlowNode
from transpile.resolve.value_flow import ValueFlow


@final
class PassedArguments:
    """Which arguments come out of which call of a graph."""

    def __init__(self, flow: ValueFlow) -> None:
        self.flow = flow
        self.parameters = Analysis(self.sources_of, self.parameters_behind, frozenset[str]())

    def passed_on(self, call: CallSite, parameter: str) -> Iterator[Flow]:
        """The edges by which an argument of a call comes out of that call again: from outputs of the nested stack that
        the parameter reaches.
        """
        self.flow.edges_by_target()
        inner = self.flow.number_of(self.flow.stack_inside(call))
        for flow in self.flow.leaving.get(call, ()):
            if flow.source.stack == inner and parameter in self.parameters.value_of(flow.source):
                yield flow

    def passed_from(self, flow: Flow) -> Iterator[FlowNode]:
        """The arguments of a call that an edge out of it has the values of."""
        call = flow.out_of
        if (
            call is not None
            and flow.source.kind == OUTPUT
            and flow.source.stack == self.flow.number_of(self.flow.stack_inside(call))
        ):
            for name in sorted(self.parameters.value_of(flow.source)):
                yield self.flow.argument(call, name)

    def sources_of(self, node: FlowNode) -> Iterator[FlowNode]:
        for flow in self.flow.flows_to(node) if node.kind in (OUTPUT, ATTRIBUTE, ARGUMENT) else ():
            if flow.out_of is None:
                yield flow.source
            yield from self.passed_from(flow)

    def parameters_behind(self, node: FlowNode, look_up: Callable[[FlowNode], frozenset[str]]) -> frozenset[str]:
        """The parameters of its own stack that reach a node, directly or through OS::Heat::Value and nested stacks."""
        if node.kind == PARAMETER:
            return frozenset((node.name,))
        return frozenset[str]().union(*map(look_up, self.sources_of(node)))
