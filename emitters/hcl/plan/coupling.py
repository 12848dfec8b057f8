"""Finds coupled resources across nested templates, such as a deployment and its server or a handle and its sender.

Coupling follows the data flow. A value passed into or out of a nested template couples two resources as if both were in
one template. The nested template then stays with Heat as a whole, in the stack of its partner: Heat gives credentials
only to servers of the same stack, and waits before it returns a value.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import TypeAlias, final

from emitters.hcl.plan.signals import RECEIVERS
from emitters.hcl.tables.tables import Tables
from transpile.resolve.analysis import Analysis
from transpile.resolve.flow_nodes import (
    ARGUMENT,
    ATTRIBUTE,
    MEMBER,
    OUTPUT,
    PARAMETER,
    RESOURCE,
    CallSite,
    Flow,
    FlowNode,
)
from transpile.resolve.lifecycle import DEPLOYMENTS
from transpile.resolve.stack import Stack
from transpile.resolve.value_flow import ValueFlow

Ties = frozenset[str]
Origins: TypeAlias = "frozenset[tuple[str, str]]"  # names of resources in the node's stack, each with a type behind it
Released: TypeAlias = "Callable[[Stack], bool]"
NONE: Ties = frozenset()


def is_never_released(stack: Stack) -> bool:
    """The answer for a faithful output: no nested template does without Heat."""
    return False


def find_coupled_resources(
    stack: Stack,
    flow: ValueFlow,
    tables: Tables,
    free: Collection[str] = (),
    released: Released = is_never_released,
    deployed: Released = is_never_released,
) -> dict[str, str]:
    """The resources that stay with Heat because of coupling across nested templates, each with its partner.

    free: receivers of signals and deployments of this stack that do not need Heat. released: whether the receivers of
    signals in a nested template need no Heat; deployed: whether its deployments need none.
    """
    if not stack.nested or not has_ties(flow, tables):
        return {}
    number = flow.number_of(stack)
    types = CoupledTypes(flow, tables, number, free, released, deployed)
    place = {name: i for i, name in enumerate(stack.template.resources)}
    partners: dict[str, str] = {}

    def tie(name: str, users: Ties, origins: Origins, others: Iterable[str]) -> None:
        for other in sorted(others, key=place.__getitem__):
            if are_tied(tables, users, frozenset(kind for owner, kind in origins if owner == other)):
                partners.setdefault(name, other)
                partners.setdefault(other, name)

    for name, resource in stack.template.resources.items():
        for call in flow.calls_inside(stack, name):
            for parameter in call.arguments:
                argument = flow.argument(call, parameter)
                origins = types.origins.value_of(argument)
                others = {other for other, _ in origins if other not in free and other != name}
                if others:
                    tie(name, types.users_of_argument(argument), origins, others)
        if name not in free and not flow.calls_inside(stack, name):
            for origins in types.origins_of_references(FlowNode(number, RESOURCE, name)):
                nested = {other for other, _ in origins if flow.calls_inside(stack, other)}
                tie(name, frozenset((resource.kind,)), origins, nested)
    return partners


def has_ties(flow: ValueFlow, tables: Tables) -> bool:
    """Whether any two resources work only together."""
    kinds = frozenset(kind for stack in flow.stacks for kind in stack.types.values())
    return are_tied(tables, kinds, kinds)


def are_tied(tables: Tables, some: Ties, others: Ties) -> bool:
    return any(tables.must_stay_together(kind, other_kind) for kind in some for other_kind in others)


@final
class CoupledTypes:
    """The types of the resources that use a value, and of those that it comes from. Folded resources are transparent: a
    value that passes through an OS::Heat::Value comes from where that one has it.
    """

    def __init__(
        self,
        flow: ValueFlow,
        tables: Tables,
        number: int,
        free: Collection[str],
        released: Released,
        deployed: Released,
    ) -> None:
        self.flow, self.tables, self.number, self.free = flow, tables, number, free
        self.passed = PassedArguments(flow)
        self.released, self.deployed = released, deployed
        self.origins = Analysis(self.sources_of, self.origins_of, frozenset[tuple[str, str]]())
        self.users = Analysis(self.targets_of, self.users_of, NONE)

    def kind_of(self, node: FlowNode) -> str:
        return self.flow.stacks[node.stack].types[node.name]

    def is_folded(self, node: FlowNode) -> bool:
        """Whether the output has no resource for this one, only its value."""
        return self.tables.find_mapping(self.kind_of(node)).treatment == "folded"

    # from where a value comes

    def sources_of(self, node: FlowNode) -> Iterator[FlowNode]:
        if node.kind in (ATTRIBUTE, MEMBER) and self.is_folded(node):
            yield FlowNode(node.stack, RESOURCE, node.name)
        for flow in self.flow.flows_to(node) if node.kind != PARAMETER else ():
            yield flow.source
            yield from self.passed.passed_from(flow)

    def origins_of(self, node: FlowNode, look_up: Callable[[FlowNode], Origins]) -> Origins:
        origins: set[tuple[str, str]] = set()
        if node.kind in (ATTRIBUTE, MEMBER):
            origins.add((node.name, self.kind_of(node)))
            if self.is_folded(node):
                origins |= look_up(FlowNode(node.stack, RESOURCE, node.name))
        for flow in self.flow.flows_to(node) if node.kind != PARAMETER else ():
            origins |= self.origins_of_flow(flow, look_up)
        return frozenset(origins)

    def origins_of_flow(self, flow: Flow, look_up: Callable[[FlowNode], Origins]) -> Origins:
        """The origins of a value that an edge carries. An output of a nested template has its caller as its origin."""
        if flow.out_of is None:
            return look_up(flow.source)
        kinds = {kind for _, kind in look_up(flow.source)}
        if self.released(self.flow.stacks[flow.source.stack]):
            kinds.difference_update(RECEIVERS)
        passed = frozenset[tuple[str, str]]().union(*map(look_up, self.passed.passed_from(flow)))
        kinds.update(kind for _, kind in passed)
        return passed | {(flow.out_of.resource.name, kind) for kind in kinds}

    def origins_of_references(self, node: FlowNode) -> Iterator[Origins]:
        """The origins of each value that a resource gets."""
        for flow in self.flow.flows_to(node):
            for source in (flow.source, *self.passed.passed_from(flow)):
                self.origins.value_of(source)
            yield self.origins_of_flow(flow, self.origins.value_of)

    # where a value goes

    def targets_of(self, node: FlowNode) -> Iterator[FlowNode]:
        for flow in self.flows_onward(node):
            yield self.next_node(flow)

    def flows_onward(self, node: FlowNode) -> Iterator[Flow]:
        """The edges by which a value goes on from a node, through folded resources and through calls."""
        if node.kind == ARGUMENT:
            for call in self.flow.calls_inside(self.flow.stacks[node.stack], node.name):
                inner = self.flow.parameter(self.flow.stack_inside(call), node.attribute)
                yield from self.flow.flows_from(inner)
                yield from self.passed.passed_on(call, node.attribute)
        elif node.kind == RESOURCE:
            for attribute in self.flow.attributes_read(node) if self.is_folded(node) else ():
                yield from self.flow.flows_from(attribute)
        elif node.kind == ATTRIBUTE:  # of an OS::Heat::Value
            yield from self.flow.flows_from(node)

    def users_of_argument(self, argument: FlowNode) -> Ties:
        """The types of the resources that use an argument of a call, without the calling resource."""
        return NONE.union(*map(self.users.value_of, self.targets_of(argument)))

    def next_node(self, flow: Flow) -> FlowNode:
        """The node that says who uses the value of an edge."""
        return flow.target if flow.into is None else self.flow.argument(flow.into, flow.target.name)

    def users_of(self, node: FlowNode, look_up: Callable[[FlowNode], Ties]) -> Ties:
        users: set[str] = set()
        if node.kind in (RESOURCE, ATTRIBUTE, ARGUMENT) and not (node.stack == self.number and node.name in self.free):
            stack = self.flow.stacks[node.stack]
            users.update({self.kind_of(node)}.difference(DEPLOYMENTS if self.deployed(stack) else ()))
        return frozenset(users.union(*map(look_up, self.targets_of(node))))


@final
class PassedArguments:
    """The arguments that come out of each call of a graph."""

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
        """The arguments of a call whose values an edge out of the call carries."""
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
