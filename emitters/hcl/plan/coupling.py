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
from transpile.model import ir
from transpile.model.attribute_paths import (
    TEMPLATE,
    AttributeList,
    AttributeMap,
    Everything,
    GroupMember,
    Outputs,
    ReferenceList,
    ReferenceMap,
    ResourceAttribute,
    parse_attribute_path,
)
from transpile.resolve import graph
from transpile.resolve.groups import INSIDE
from transpile.resolve.lifecycle import DEPLOYMENTS
from transpile.resolve.stack import Stack
from transpile.resolve.value_flow import call_arguments

Ties = frozenset[str]
Released: TypeAlias = "Callable[[Stack], bool]"
IDENTITY = "OS::stack_id"  # the output that a reference to a nested template means


def is_never_released(stack: Stack) -> bool:
    """The answer for a faithful output: no nested template does without Heat."""
    return False


def find_coupled_resources(
    stack: Stack,
    tables: Tables,
    free: Collection[str] = (),
    released: Released = is_never_released,
    deployed: Released = is_never_released,
) -> dict[str, str]:
    """The resources that stay with Heat because of coupling across nested templates, each with its partner.

    free: receivers of signals and deployments of this stack that do not need Heat. released: whether the receivers of
    signals in a nested template need no Heat; deployed: whether its deployments need none.
    """
    if not stack.nested:
        return {}
    flow, place = (
        DataFlow(stack, tables, released, deployed),
        {name: i for i, name in enumerate(stack.template.resources)},
    )
    partners: dict[str, str] = {}
    for name, written in stack.nested:
        resource = stack.template.resources[name]
        for param, expr in call_arguments(resource, written).items():
            inside = flow.flow_inside(name, written).types_using_parameter(param)
            for other in sorted(flow.source_resources(expr), key=place.__getitem__):
                if other not in free and are_tied(tables, inside, flow.types_behind_resource(other, expr)):
                    partners.setdefault(name, other)
                    partners.setdefault(other, name)
    for name, resource in stack.template.resources.items():
        for ref in (
            dict.fromkeys(flow.references_of(resource))
            if flow.has_no_nested_template(name) and name not in free
            else ()
        ):
            if are_tied(tables, frozenset((stack.types[name],)), flow.types_behind_reference(ref)):
                partners.setdefault(name, ref.name)
                partners.setdefault(ref.name, name)
    return partners


def are_tied(tables: Tables, some: Ties, others: Ties) -> bool:
    return any(tables.must_stay_together(kind, other_kind) for kind in some for other_kind in others)


@final
class DataFlow:
    """The data flow of one stack: where values go and come from. Folded resources are transparent: a value that passes
    through an OS::Heat::Value comes from where that one has it.
    """

    def __init__(self, stack: Stack, tables: Tables, released: Released, deployed: Released) -> None:
        self.stack, self.template, self.tables = stack, stack.template, tables
        self.released, self.deployed = released, deployed
        self.inner_flows: dict[int, DataFlow] = {}
        self.types_by_parameter: dict[str, Ties] = {}
        self.written: dict[str, list[str]] = {}  # the types of nested templates, by resource
        for name, written in stack.nested:
            self.written.setdefault(name, []).append(written)

    def is_folded(self, name: str) -> bool:
        """Whether the output has no resource for this one, only its value."""
        kind = self.tables.find_mapping(self.stack.types[name])
        return kind is not None and kind.treatment == "folded"

    def has_no_nested_template(self, name: str) -> bool:
        """Whether a resource, or its members, have no nested template."""
        return name not in self.written

    def flow_inside(self, name: str, written: str) -> DataFlow:
        """The data flow inside a nested template. written: its key beside the resource."""
        inner = self.stack.nested[name, written].stack
        if id(inner) not in self.inner_flows:
            self.inner_flows[id(inner)] = DataFlow(inner, self.tables, self.released, self.deployed)
        return self.inner_flows[id(inner)]

    def referred_resources(self, name: str) -> set[str]:
        """The resources that a resource refers to, directly or through folded ones."""
        return graph.reachable_nodes(self.stack.needs, [name], self.is_folded)

    def source_resources(self, expr: ir.Expr) -> set[str]:
        """The resources that an expression refers to, directly or through folded ones."""
        direct = [e.name for e in ir.walk(expr) if isinstance(e, (ir.ResourceRef, ir.AttrRef))]
        here = [n for n in direct if n in self.template.resources]
        return set(here) | graph.reachable_nodes(
            self.stack.needs, [n for n in here if self.is_folded(n)], self.is_folded
        )

    def references_of(self, owner: ir.Resource | ir.Output) -> Iterator[ir.ResourceRef | ir.AttrRef]:
        """The references of a resource or output, directly or through folded resources."""
        names = {r.name for r in owner.refs if isinstance(r, (ir.ResourceRef, ir.AttrRef))}
        resource_names = self.template.resources.keys() & names
        through = {n for n in resource_names if self.is_folded(n)}
        through |= {n for n in graph.reachable_nodes(self.stack.needs, through, self.is_folded) if self.is_folded(n)}
        for referrer in (owner, *(self.template.resources[n] for n in through)):
            yield from (r for r in referrer.refs if isinstance(r, (ir.ResourceRef, ir.AttrRef)))

    def types_behind_resource(self, name: str, expr: ir.Expr) -> Ties:
        """The types behind a resource in an expression: its own, or those behind the outputs of its nested template."""
        if self.has_no_nested_template(name):
            return frozenset((self.stack.types[name],))
        mine = [e for e in ir.walk(expr) if isinstance(e, (ir.ResourceRef, ir.AttrRef)) and e.name == name]
        return frozenset().union(*(self.types_behind_reference(ref) for ref in mine))

    def types_behind_reference(self, ref: ir.ResourceRef | ir.AttrRef) -> Ties:
        """The types behind a reference to a nested template or a group of them: to an attribute, or to its identity."""
        types: set[str] = set()
        for written in self.written.get(ref.name, ()):
            inner = self.flow_inside(ref.name, written)
            lost = RECEIVERS if self.released(inner.stack) else ()
            for output in self.outputs_read(ref, written):
                types |= inner.types_behind_output(output).difference(lost)
        return frozenset(types)

    def outputs_read(self, ref: ir.ResourceRef | ir.AttrRef, written: str) -> Iterable[str]:
        """The outputs of a nested template, or of each member of a group, that a reference reads."""
        resource = self.template.resources[ref.name]
        if isinstance(ref, ir.ResourceRef):
            return (IDENTITY,) if written in (INSIDE, resource.type) else ()
        selection = parse_attribute_path(TEMPLATE if written == resource.type else self.stack.types[ref.name], ref.path)
        match selection:
            case ResourceAttribute(name) if written == resource.type:
                return (name,)
            case Outputs((ir.Lit(name), *_)) | AttributeList((ir.Lit(name), *_)) | AttributeMap((ir.Lit(name), *_)):
                return (str(name),)
            case Outputs(()) | Everything():
                return self.flow_inside(ref.name, written).template.outputs
            case GroupMember(_, (ir.Lit(name), *_)) if written != resource.type:
                return (str(name),)
            case ReferenceList() | ReferenceMap() | GroupMember():
                return (IDENTITY,)
        return ()

    def types_using_parameter(self, param: str) -> Ties:
        """The types of the resources that use a parameter's value."""
        if param not in self.types_by_parameter:
            self.types_by_parameter[param] = frozenset()  # ends the recursion if templates nest in each other
            types: set[str] = set()
            users = {n for n, r in self.template.resources.items() if uses_parameter(r, param)}
            through = {n for n in users if self.is_folded(n)}
            lost = DEPLOYMENTS if self.deployed(self.stack) else ()
            for name, resource in self.template.resources.items():
                if name in users or self.referred_resources(name) & through:
                    types.update({self.stack.types[name]}.difference(lost))
                    for written in self.written.get(name, ()):
                        for inner, expr in call_arguments(resource, written).items():
                            if any(isinstance(e, ir.ParamRef) and e.name == param for e in ir.walk(expr)):
                                types |= self.flow_inside(name, written).types_using_parameter(inner)
            self.types_by_parameter[param] = frozenset(types)
        return self.types_by_parameter[param]

    def types_behind_output(self, output: str) -> Ties:
        """The types of the resources that an output's value comes from."""
        declared = self.template.outputs.get(output)
        if declared is None:
            return frozenset()
        types = {self.stack.types[name] for name in self.source_resources(declared.value)}
        for ref in self.references_of(declared):
            if ref.name in self.template.resources and not self.has_no_nested_template(ref.name):
                types |= self.types_behind_reference(ref)
        return frozenset(types)


def uses_parameter(resource: ir.Resource, param: str) -> bool:
    return any(isinstance(r, ir.ParamRef) and r.name == param for r in resource.refs)
