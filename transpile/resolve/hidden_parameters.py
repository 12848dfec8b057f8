"""Finds the parameters whose value is secret because a declaration that it reaches says `hidden`.

Invariant: in a linked stack, and in the stacks nested in it, `hidden` of a parameter is true if its own declaration
says so, if an environment gives the same entry to a hidden parameter of another template, or if its value is passed on
to one, directly, inside a function, or through OS::Heat::Value and outputs. So `hidden` alone has the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import final

from transpile.model.ir import If
from transpile.model.records import replace
from transpile.resolve.analysis import Analysis
from transpile.resolve.flow_nodes import PARAMETER, Definition, FlowNode
from transpile.resolve.stack import Stack, walk_stacks
from transpile.resolve.value_flow import ValueFlow

ENTRY = "entry"  # of an environment: a node that gives its value to parameters of several templates
Place = tuple[int, int]  # a template and the registry that resolves its types, by identity
Hidden = Mapping[tuple[Place, str], str]  # by place and parameter: the template that declares its value hidden


def hide_secret_parameters(stack: Stack) -> Stack:
    """The stack, and those nested in it, with `hidden` for each parameter whose value is secret."""
    if not stack.nested or not has_hidden_parameters(stack):
        return stack
    hidden = HiddenParameters(ValueFlow(stack)).find_undeclared()
    return StackRewriter(hidden).rewrite_stack(stack) if hidden else stack


def find_hidden_definitions(stack: Stack | None) -> Iterator[Definition]:
    """The expressions that give hidden parameters of nested stacks their values: arguments, and the expressions behind
    them in outputs and OS::Heat::Value.
    """
    if stack is None or not stack.nested or not has_hidden_parameters(stack):
        return
    flow = ValueFlow(stack)
    hiding = HiddenParameters(flow).hiding
    parameters = (flow.parameter(each, name) for each in flow.stacks for name in each.template.parameters)
    for node in (*parameters, *flow.nodes_read()):
        if hiding.value_of(node):
            for definition in flow.definitions(node):
                if definition.call is None or node.name in definition.call.arguments:  # no default
                    yield definition


def has_hidden_parameters(stack: Stack) -> bool:
    return any(param.hidden for each in walk_stacks(stack) for param in each.template.parameters.values())


def place_of(stack: Stack) -> Place:
    return id(stack.template.source), id(stack.registry)


@final
class HiddenParameters:
    """Which values are hidden because a parameter that gets them is."""

    def __init__(self, flow: ValueFlow) -> None:
        self.flow = flow
        self.entries: dict[FlowNode, FlowNode] = {}  # by parameter: the entry of an environment that sets it
        self.parameters: dict[FlowNode, list[FlowNode]] = {}  # by entry: the parameters that it sets
        for number, stack in enumerate(flow.stacks):
            for name in stack.bindings:
                if self.may_get_entry(number, name):
                    node, entry = flow.parameter(stack, name), FlowNode(0, ENTRY, name)
                    self.entries[node] = entry
                    self.parameters.setdefault(entry, []).append(node)
        self.hiding = Analysis(self.takers_of, self.hiding_template, start="")

    def may_get_entry(self, number: int, name: str) -> bool:
        """Whether a stack is called without this argument. An `if` may pass nothing."""
        calls = self.flow.calls[number]
        return not calls or any(isinstance(call.arguments.get(name), (If, type(None))) for call in calls)

    def find_undeclared(self) -> Hidden:
        """The parameters that are hidden although their own declaration does not say so."""
        return {
            (place_of(stack), param.name): hiding
            for stack in self.flow.stacks
            for param in stack.template.parameters.values()
            if not param.hidden and (hiding := self.hiding.value_of(self.flow.parameter(stack, param.name)))
        }

    def takers_of(self, node: FlowNode) -> list[FlowNode]:
        """The nodes that get the value of a node, or a value that contains it."""
        if node.kind == ENTRY:
            return self.parameters[node]
        takers = [flow.target for flow in self.flow.flows_from(node) if not flow.decides]
        return [*takers, self.entries[node]] if node in self.entries else takers

    def hiding_template(self, node: FlowNode, look_up: Callable[[FlowNode], str]) -> str:
        """The template that hides the value of a node, the first in the alphabet; "" if none does."""
        stack = self.flow.stacks[node.stack]
        if node.kind == PARAMETER and (param := stack.template.parameters[node.name]).hidden:
            return param.hidden_by or stack.template.source.name
        return min(filter(None, map(look_up, self.takers_of(node))), default="")


@final
class StackRewriter:
    """Makes stacks in which the parameters in `hidden` are hidden. A stack that others share is shared again."""

    def __init__(self, hidden: Hidden) -> None:
        self.hidden = hidden
        self.rewritten: dict[int, Stack] = {}

    def rewrite_stack(self, stack: Stack) -> Stack:
        if id(stack) not in self.rewritten:
            place = place_of(stack)
            parameters = {
                name: replace(param, hidden=True, hidden_by=self.hidden[place, name])
                if not param.hidden and (place, name) in self.hidden
                else param
                for name, param in stack.template.parameters.items()
            }
            nested = {key: replace(inner, stack=self.rewrite_stack(inner.stack)) for key, inner in stack.nested.items()}
            template = replace(stack.template, parameters=parameters)
            self.rewritten[id(stack)] = replace(stack, template=template, nested=nested)
        return self.rewritten[id(stack)]
