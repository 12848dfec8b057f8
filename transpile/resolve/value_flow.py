"""The value flow of a stack and those nested in it: from where each parameter, output and attribute has its value.

A node of the graph is a place that has a value. An edge says that a value goes from one node to another, and has the
reference that carries it. For example, of `net: {get_attr: [v, value]}` in the properties of a resource of the type
`node.yaml` there is an edge from the attribute `value` of `v` to the parameter `net` of that template. An analysis asks
the graph for the edges of a node, and `Analysis` (analysis.py) solves its equation for each node.

Invariant: this is the only module that says which node a reference reads, through nested stacks, members of groups and
OS::Heat::Value. A template that several resources call has one node for each of its parameters and outputs, with the
edges of all calls.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import final

from transpile.model import heat_types, ir
from transpile.model.attribute_paths import (
    TEMPLATE,
    AttributeList,
    AttributeMap,
    Computed,
    Everything,
    GroupMember,
    Outputs,
    Path,
    ReferenceList,
    ReferenceMap,
    ResourceAttribute,
    parse_attribute_path,
)
from transpile.resolve.flow_nodes import (
    ANY,
    ARGUMENT,
    ATTRIBUTE,
    CONDITION,
    IDENTITY,
    MEMBER,
    OUTPUT,
    PARAMETER,
    REFERENCE,
    RESOURCE,
    VALUE,
    CallSite,
    Definition,
    Flow,
    FlowNode,
    Read,
)
from transpile.resolve.groups import GROUPS, list_branches, member_properties, nested_parameter_values
from transpile.resolve.origins import list_default_values
from transpile.resolve.stack import Stack

MEMBERS = (*GROUPS, heat_types.RESOURCE_CHAIN)
DECIDING = ("equals", "and", "or", "not", "Fn::Equals", "Fn::And", "Fn::Or", "Fn::Not")  # their operands go nowhere


@final
class ValueFlow:
    """The graph. `stacks`: the stack itself and those nested in it, each once. A nested stack is looked up by template
    and registry, so that `others` may have changed copies of nested stacks, which are used in place of the linked ones.
    """

    def __init__(self, stack: Stack, others: Iterable[Stack] = ()) -> None:
        self.stacks: list[Stack] = []
        self.calls: list[list[CallSite]] = []  # of each stack: the calls that lead to it
        self.calls_of_resource: list[dict[str, list[CallSite]]] = []  # of each stack: the calls that it makes
        self.numbers: dict[tuple[int, int], int] = {}
        for first in (stack, *others):
            self.add_stack(first)
        self.add_nested_stacks()
        self.incoming: dict[FlowNode, list[Flow]] | None = None
        self.outgoing: dict[FlowNode, list[Flow]] = {}
        self.leaving: dict[CallSite, list[Flow]] = {}
        self.attributes: dict[tuple[int, str], dict[FlowNode, None]] = {}  # that are read, by stack and resource

    def add_stack(self, stack: Stack) -> int:
        key = id(stack.template.source), id(stack.registry)
        if key not in self.numbers:
            self.numbers[key] = len(self.stacks)
            self.stacks.append(stack)
            self.calls.append([])
            self.calls_of_resource.append({})
        return self.numbers[key]

    def add_nested_stacks(self) -> None:
        """Adds the stacks that a stack calls, and the calls."""
        number = 0
        while number < len(self.stacks):
            stack = self.stacks[number]
            for (name, written), nested in stack.nested.items():
                inner = self.add_stack(nested.stack)
                resource = stack.template.resources[name]
                call = CallSite(stack, resource, call_arguments(resource, written), written)
                self.calls[inner].append(call)
                self.calls_of_resource[number].setdefault(name, []).append(call)
            number += 1

    def number_of(self, stack: Stack) -> int:
        return self.numbers[id(stack.template.source), id(stack.registry)]

    def stack_inside(self, call: CallSite) -> Stack:
        """The nested stack of a call."""
        return self.stacks[self.number_of(call.stack.nested[call.resource.name, call.written].stack)]

    # the nodes that a reference reads

    def parameter(self, stack: Stack, name: str) -> FlowNode:
        return FlowNode(self.number_of(stack), PARAMETER, name)

    def output(self, stack: Stack, name: str) -> FlowNode:
        return FlowNode(self.number_of(stack), OUTPUT, name)

    def attribute(self, stack: Stack, name: str, attribute: str = REFERENCE) -> FlowNode:
        return FlowNode(self.number_of(stack), ATTRIBUTE, name, attribute)

    def reads(self, stack: Stack, ref: ir.Expr) -> list[Read]:
        """Returns the nodes that a reference reads; empty for another expression, or for an undeclared name."""
        template = stack.template
        match ref:
            case ir.ParamRef(name, path) if name in template.parameters:
                return [Read(self.parameter(stack, name), path)]
            case ir.ConditionRef(name) if name in template.conditions:
                return [Read(FlowNode(self.number_of(stack), CONDITION, name))]
            case ir.ResourceRef(name) if name in template.resources:
                own = [call for call in self.calls_inside(stack, name) if call.is_resource]
                identity = [read for call in own for read in self.reads_in_output(call, IDENTITY)]
                return identity or [Read(self.attribute(stack, name))]
            case ir.AttrRef(name, path) if name in template.resources:
                return list(dict.fromkeys(self.attribute_reads(stack, template.resources[name], path)))
            case ir.Call("get_param"):  # the name has to be evaluated
                return [Read(self.parameter(stack, name), whole=False) for name in template.parameters]
        return []

    def calls_inside(self, stack: Stack, name: str) -> Sequence[CallSite]:
        """The calls that a resource makes."""
        return self.calls_of_resource[self.number_of(stack)].get(name, ())

    def attribute_reads(self, stack: Stack, resource: ir.Resource, path: Path) -> Iterator[Read]:
        calls = self.calls_inside(stack, resource.name)
        own = next((call for call in calls if call.is_resource), None)
        if own is not None:
            yield from self.reads_in_nested_stack(own, path)
            return
        kind, grouped = stack.types[resource.name], stack.types[resource.name] in MEMBERS
        match parse_attribute_path(kind, path):
            case Outputs(inner) if calls:
                yield from self.reads_in_nested_stack(calls[0], inner)
            case Everything() | Computed() if grouped:
                yield from self.reads_of_members(stack, resource, (), whole=False)
            case Everything() | Computed() if calls:
                yield from self.reads_in_nested_stack(calls[0], ())
            case Everything() | Computed() if is_value(resource):
                yield Read(self.attribute(stack, resource.name, VALUE), whole=False)
            case ReferenceList() | ReferenceMap():
                yield from self.references_to_members(stack, resource, whole=False)
            case GroupMember(_, ()):
                yield from self.references_to_members(stack, resource, whole=True)
            case GroupMember(_, inner):
                yield from self.reads_of_members(stack, resource, inner, whole=True)
            case AttributeList(inner) | AttributeMap(inner):
                yield from self.reads_of_members(stack, resource, inner, whole=False)
            case ResourceAttribute(word, rest):
                yield Read(self.attribute(stack, resource.name, word), rest)
                if grouped:  # Heat may find it in the members
                    yield from self.reads_of_members(stack, resource, path, whole=False)
            case _:
                yield Read(self.attribute(stack, resource.name, ANY), whole=False)

    def references_to_members(self, stack: Stack, group: ir.Resource, *, whole: bool) -> Iterator[Read]:
        calls = self.calls_inside(stack, group.name)
        for call in calls:
            yield from [read._replace(whole=whole) for read in self.reads_in_output(call, IDENTITY)]
        if not calls or any(IDENTITY not in self.stack_inside(call).template.outputs for call in calls):
            yield Read(FlowNode(self.number_of(stack), MEMBER, group.name, REFERENCE), whole=whole)

    def reads_of_members(self, stack: Stack, group: ir.Resource, path: Path, *, whole: bool) -> Iterator[Read]:
        """Yields the nodes that a path reads in the members of a group. Members of a chain may have several types."""
        calls = self.calls_inside(stack, group.name)
        for call in calls:
            for read in self.reads_in_nested_stack(call, path):
                yield read._replace(whole=whole and read.whole)
        if not calls or group.kind == heat_types.RESOURCE_CHAIN:
            word = str(path[0].value) if path and isinstance(path[0], ir.Lit) else ANY
            node = FlowNode(self.number_of(stack), MEMBER, group.name, word)
            yield Read(node, path[1:], whole and word != ANY)

    def reads_in_nested_stack(self, call: CallSite, path: Path) -> Iterator[Read]:
        """Yields the nodes that a path reads in a nested stack: an output, a resource, or all outputs."""
        inner = self.stack_inside(call)
        match parse_attribute_path(TEMPLATE, path):
            case ResourceAttribute(word, rest):
                outputs = self.reads_in_output(call, word, rest)
                yield from outputs or [Read(self.attribute(call.stack, call.resource.name, word), rest)]
            case GroupMember(name, rest):
                ref = ir.AttrRef(name, rest) if rest else ir.ResourceRef(name)
                yield from [read._replace(call=call) for read in self.reads(inner, ref)]
            case _:
                for word in inner.template.outputs:
                    yield Read(self.output(inner, word), whole=False, call=call)

    def reads_in_output(self, call: CallSite, word: str, path: Path = ()) -> list[Read]:
        inner = self.stack_inside(call)
        return [Read(self.output(inner, word), path, call=call)] if word in inner.template.outputs else []

    # the definition of a node

    def definitions(self, node: FlowNode) -> Iterator[Definition]:
        """The expressions that a node has its value from, one for each call; none for a parameter of the first stack,
        and for an attribute that a service decides.
        """
        stack = self.stacks[node.stack]
        template = stack.template
        if node.kind == PARAMETER and (param := template.parameters.get(node.name)) is not None:
            for call in self.calls[node.stack]:
                argument = call.arguments.get(node.name)
                if argument is not None:
                    yield Definition(call.stack, argument, call)
                else:
                    yield from (Definition(call.stack, value, call) for value in list_default_values(stack, param))
        elif node.kind == OUTPUT:
            yield Definition(stack, template.outputs[node.name].value)
        elif node.kind == CONDITION:
            yield Definition(stack, template.conditions[node.name].value)
        elif node.kind == ATTRIBUTE and node.attribute == VALUE and (resource := template.resources.get(node.name)):
            value = resource.find_property(VALUE) if is_value(resource) else None
            if value is not None:
                yield Definition(stack, value)

    # edges

    def flows_to(self, node: FlowNode) -> Sequence[Flow]:
        """The edges that end at a node."""
        return self.edges_by_target().get(node, ())

    def flows_from(self, node: FlowNode) -> Sequence[Flow]:
        """The edges that begin at a node."""
        self.edges_by_target()
        return self.outgoing.get(node, ())

    def nodes_read(self) -> Sequence[FlowNode]:
        """The nodes at which edges begin, parameters aside."""
        self.edges_by_target()
        return [node for node in self.outgoing if node.kind != PARAMETER]

    def edges_by_target(self) -> Mapping[FlowNode, Sequence[Flow]]:
        """All edges, made at first use."""
        if self.incoming is None:
            self.incoming = {}
            for stack in self.stacks:
                for flow in self.flows_of_stack(stack):
                    self.incoming.setdefault(flow.target, []).append(flow)
                    self.outgoing.setdefault(flow.source, []).append(flow)
                    if flow.source.kind in (ATTRIBUTE, MEMBER):
                        resource = flow.source.stack, flow.source.name
                        self.attributes.setdefault(resource, {})[flow.source] = None
                    if flow.into is not None:
                        argument = self.argument(flow.into, flow.target.name)
                        self.incoming.setdefault(argument, []).append(flow)
                    if flow.out_of is not None and flow.source.kind == OUTPUT:
                        self.leaving.setdefault(flow.out_of, []).append(flow)
        return self.incoming

    def attributes_read(self, resource: FlowNode) -> Iterable[FlowNode]:
        """The attributes of a resource that an expression reads."""
        self.edges_by_target()
        return self.attributes.get((resource.stack, resource.name), ())

    def argument(self, call: CallSite, parameter: str) -> FlowNode:
        return FlowNode(self.number_of(call.stack), ARGUMENT, call.resource.name, parameter)

    def flows_of_stack(self, stack: Stack) -> Iterator[Flow]:
        number, template = self.number_of(stack), stack.template
        for resource in template.resources.values():
            if resource.refs:
                yield from self.flows_of_resource(stack, resource)
        for output in template.outputs.values():
            yield from self.flows_of_value(stack, output.value, FlowNode(number, OUTPUT, output.name))
        for condition in template.conditions.values():
            yield from self.flows_of_value(stack, condition.value, FlowNode(number, CONDITION, condition.name))

    def flows_of_resource(self, stack: Stack, resource: ir.Resource) -> Iterator[Flow]:
        target = FlowNode(self.number_of(stack), RESOURCE, resource.name)
        calls = self.calls_inside(stack, resource.name)
        maps = {id(values): values for call in calls if (values := call_values(call)).entries}
        members = member_properties(resource) if resource.kind in MEMBERS else ir.NO_PROPERTIES
        maps[id(members)] = members
        for entry in resource.entries:
            if id(resource.properties) in maps:
                continue
            is_content = entry.key == VALUE and is_value(resource)
            to = self.attribute(stack, resource.name, VALUE) if is_content else target
            yield from self.flows_of_value(stack, entry.value, to, entry.key, without=maps)
        for values in maps.values():
            inside = values is members
            takers = [call for call in calls if call_values(call) is values]
            for entry in values.entries:
                declaring = [c for c in takers if entry.key in self.stack_inside(c).template.parameters]
                for call in declaring:
                    parameter = self.parameter(self.stack_inside(call), entry.key)
                    for flow in self.flows_of_value(stack, entry.value, parameter, entry.key):
                        yield flow._replace(into=call, inside=inside)
                if not declaring or resource.kind == heat_types.RESOURCE_CHAIN:
                    for flow in self.flows_of_value(stack, entry.value, target, entry.key):
                        yield flow._replace(inside=inside)
        for name, part in resource.parts.items():
            if name not in ("properties", "deletion_policy"):
                yield from self.flows_of_value(stack, part, target)

    def flows_of_value(
        self, stack: Stack, expr: ir.Expr, target: FlowNode, key: str = "", without: Mapping[int, ir.Expr] | None = None
    ) -> Iterator[Flow]:
        """The edges of an expression. without: parts that have edges of their own, by id()."""
        branches = {id(branch) for branch in list_branches(expr)}
        todo = [(expr, False)]
        while todo:
            part, decides = todo.pop()
            if without is not None and id(part) in without:
                continue
            for read in self.reads(stack, part):
                whole = id(part) in branches and read.whole
                yield Flow(read.node, target, part, whole, decides, key, out_of=read.call)
            todo += [(child, decides or is_decision(part, child)) for child in reversed(ir.children(part))]


def is_decision(part: ir.Expr, child: ir.Expr) -> bool:
    """Whether a part of an expression only decides which value it has: a condition, or a step of a path."""
    match part:
        case ir.If(condition):
            return child is condition
        case ir.ParamRef() | ir.AttrRef():
            return True
        case ir.Call(fn):
            return fn in DECIDING
    return False


def is_value(resource: ir.Resource) -> bool:
    return resource.kind == heat_types.VALUE


def call_values(call: CallSite) -> ir.Map:
    return nested_parameter_values(call.resource, call.written)


def call_arguments(resource: ir.Resource, written: str) -> dict[str, ir.Expr]:
    """The values that a resource, or a group's member definition, sets for the parameters of a nested stack."""
    return {entry.key: entry.value for entry in nested_parameter_values(resource, written).entries}
