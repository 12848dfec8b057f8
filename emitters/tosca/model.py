"""Collects the nodes and node types of a template, and the uses that determine their properties.

Invariant: a type is collected from all of its uses before anything is written, and only types in use are declared.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, final

from emitters.tosca import names
from emitters.tosca.shapes import Shape, of_paths
from transpile.model import heat_types, ir
from transpile.model.records import field, record
from transpile.model.span import Span
from transpile.resolve.groups import GROUPS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from emitters.tosca.inputs import Inputs
    from emitters.tosca.shapes import Shapes
    from transpile.resolve.stack import NestedStack, Stack

SERVER, NET, PORT = heat_types.NOVA_SERVER, heat_types.NEUTRON_NET, heat_types.NEUTRON_PORT
ROOT = "openstack.nodes.Root"
PARENTS = {SERVER: "tosca.nodes.Compute", NET: "tosca.nodes.network.Network"}
NORMATIVE = {  # attributes that the normative parents define
    SERVER: ("networks", "private_address", "public_address", "ports"),
    NET: ("network_name", "network_id", "segmentation_id"),
}
MEMBER_KEYS = frozenset(("type", "properties", "metadata"))
Path = tuple[Any, ...]


@final
@record
class NodeType:
    """A node type: the Heat type it represents, and what the template uses of it."""

    name: str
    kind: str  # the Heat type, or the file of a nested template
    hot_type: str
    parent: str = ROOT
    facts: Mapping[str, Any] = field(default_factory=dict)
    uses: dict[str, list[ir.Expr]] = field(default_factory=dict)
    paths: dict[str, dict[Path, None]] = field(default_factory=dict)
    nodes: int = 0
    member: bool = False  # a group creates several nodes of the type
    links: bool = False  # a port's requirement for a network
    hosted: bool = False
    metadata: bool = False
    external: bool = False
    nested: NestedStack | None = None
    shapes: dict[str, Shape] = field(default_factory=dict)
    attributes: dict[str, Shape | None] = field(default_factory=dict)  # None: no shape has all the paths
    member_property: str = ""
    alias_of: NodeType | None = None
    operated: bool = False  # its nodes have operations
    actions: dict[str, None] = field(default_factory=dict)  # Heat actions that have scripts
    inputs: dict[str, Any] = field(default_factory=dict)  # inputs of those operations
    outputs: tuple[str, ...] = ()

    @property
    def real(self) -> NodeType:
        return self.alias_of or self


@final
@record
class Node:
    """A node template before it is written. `path` is the prefix of its properties inside the resource."""

    name: str
    resource: ir.Resource
    type: NodeType
    properties: tuple[ir.Entry, ...]
    path: str = ""
    member_of: str = ""
    member: Node | None = None
    skipped: str = ""  # the property that the member node replaces


@final
class Model:
    """The nodes and node types of one template."""

    def __init__(self, stack: Stack, inputs: Inputs, type_names: Mapping[int, str]) -> None:
        self.stack, self.inputs, self.stack_names = stack, inputs, type_names
        self.names, self.type_names = names.Names(), names.Names()
        self.types: dict[tuple[str, str], NodeType] = {}
        self.nodes: dict[str, Node] = {}  # by resource name
        self.conditions: dict[str, str] = {}
        self.own: dict[str, str] = {}  # name of the node template by resource name
        self.update_shapes: dict[str, Shape] = {}
        self.data_types: dict[str, Shape] = {}
        resources = stack.template.resources
        kept = {name for name in resources if names.good(name)}
        self.names.taken |= kept
        for name in resources:
            self.own[name] = name if name in kept else self.names.take(names.node(name))
        for name in stack.template.conditions:
            self.conditions[name] = self.names.take(f"condition_{names.part(name)}")
        for name, resource in resources.items():
            self.nodes[name] = self.node(resource)
        for expr in expressions(stack.template):
            self.refer(expr)

    # nodes

    def node(self, resource: ir.Resource) -> Node:
        node_type = self.type_of(resource, resource.type, resource.kind)
        entries = resource.properties.entries if resource.properties is not None else ()
        node = Node(self.own[resource.name], resource, node_type, entries)
        real = node_type.real
        real.nodes += 1
        real.metadata |= resource.metadata is not None
        real.external |= resource.external_id is not None
        key = GROUPS.get(real.kind)
        if key is not None and (made := self.member(node, key)) is not None:
            node.member, node.skipped = made, key
            real.member_property = key
        for entry in entries:
            if entry.key != node.skipped:
                real.uses.setdefault(entry.key, []).append(entry.value)
        return node

    def member(self, group: Node, key: str) -> Node | None:
        """Creates the node for a group's member, if the member definition is a suitable literal. Otherwise returns
        None.
        """
        definition = next((e.value for e in group.properties if e.key == key), None)
        if not isinstance(definition, ir.Map):
            return None
        kind, properties = definition.get("type"), definition.get("properties")
        if not isinstance(kind, ir.Lit) or not isinstance(kind.value, str) or not isinstance(properties, ir.Map | None):
            return None
        if not {e.key for e in definition.entries} <= MEMBER_KEYS:
            return None
        metadata = definition.get("metadata")
        resource = ir.Resource(group.resource.name, kind.value, properties, metadata, span=Span(definition.at))
        found = (
            self.stack.registry.child_registry(group.resource.name, None).resolve_type(kind.value, "0")
            if self.stack.registry
            else None
        )
        real_kind = found.kind if found is not None else self.stack.canonical_type(kind.value)
        node_type = self.type_of(group.resource, kind.value, real_kind)
        entries = properties.entries if properties is not None else ()
        made = Node(
            self.names.take(f"{group.name}_member"), resource, node_type, entries, f"{key}.properties.", group.name
        )
        real = node_type.real
        real.nodes += 1
        real.member = True
        real.metadata |= metadata is not None
        for entry in entries:
            real.uses.setdefault(entry.key, []).append(entry.value)
        return made

    # types

    def type_of(self, resource: ir.Resource, written: str, kind: str) -> NodeType:
        nested = self.stack.nested.get((resource.name, written))
        if nested is not None:
            return self.stack_type(nested, written)
        real = self.heat_type(kind)
        if written == kind:
            return real
        key = (kind, written)
        if key not in self.types:
            name = self.type_names.take(names.of_type(written))
            self.types[key] = NodeType(name, kind, written, real.name, alias_of=real)
        return self.types[key]

    def heat_type(self, kind: str) -> NodeType:
        key = (kind, "")
        if key not in self.types:
            name = self.type_names.take(names.of_type(kind))
            facts = self.stack.catalog.find_type(kind) or {}
            self.types[key] = NodeType(name, kind, kind, PARENTS.get(kind, ROOT), facts)
        return self.types[key]

    def stack_type(self, nested: NestedStack, written: str) -> NodeType:
        key = (self.stack_names[id(nested.stack)], written)
        if key not in self.types:
            name = self.type_names.take(f"hot.nodes.stacks.{key[0]}")
            self.types[key] = NodeType(name, nested.file, written, "hot.nodes.Stack", nested.facts, nested=nested)
        return self.types[key]

    # attributes

    def refer(self, expr: ir.Expr) -> None:
        """Records the attributes and pseudo parameters that an expression uses."""
        for one in ir.walk(expr):
            if isinstance(one, ir.AttrRef) and one.name in self.nodes:
                attribute, path = literal_path(one)
                if attribute is not None:
                    real = self.nodes[one.name].type.real
                    real.paths.setdefault(attribute, {})[path if path is not None else ()] = None
            elif isinstance(one, ir.ParamRef) and one.name not in self.stack.template.parameters:
                self.inputs.pseudo(one.name)

    def settle(self, shapes: Shapes) -> None:
        """Determines the shapes of all properties and attributes, and turns parameters into floats where needed."""
        self.infer(shapes)
        while self.inputs.widen(shapes.floats):
            self.infer(shapes)  # other properties with the same value are floats now
        for node_type in self.types.values():
            if node_type.alias_of is None:
                self.name_records(node_type.name, node_type.shapes, node_type.attributes)
        self.name_records("hot.nodes.policies.Update", self.update_shapes, {})

    def infer(self, shapes: Shapes) -> None:
        for node_type in self.types.values():
            if node_type.alias_of is not None:
                continue
            facts = node_type.facts
            known = {} if facts.get("any") else facts.get("properties", {})
            for key, uses in node_type.uses.items():
                node_type.shapes[key] = shapes.infer(known.get(key), uses)
            for name, paths in node_type.paths.items():
                if name == "id" or (name in NORMATIVE.get(node_type.kind, ()) and not shapes.nests):
                    continue
                known_attributes = facts.get("attributes", {})
                node_type.attributes[name] = of_paths(paths, known_attributes, name, shapes.nests)
        updates: dict[str, list[ir.Expr]] = {}
        for resource in self.stack.template.resources.values():
            if isinstance(resource.update_policy, ir.Map):
                for entry in resource.update_policy.entries:
                    updates.setdefault(entry.key, []).append(entry.value)
            elif resource.update_policy is not None:  # the whole policy is a function
                updates.setdefault("update_policy", []).append(resource.update_policy)
        self.update_shapes = {key: shapes.infer(None, found) for key, found in updates.items()}

    def name_records(self, owner: str, *found: Mapping[str, Shape | None]) -> None:
        """Names the data types of properties and attributes."""
        for prefix, shapes in zip(("", "attribute."), found, strict=True):
            for key, shape in shapes.items():
                if shape is None:
                    continue
                for path, data_type in [*shape.records(), *([("", shape)] if shape.kind == "record" else [])]:
                    data_type.name = self.type_names.take(names.of_data(owner, f"{prefix}{key}.{path}"))
                    self.data_types[data_type.name] = data_type


def literal_path(ref: ir.AttrRef) -> tuple[str | None, Path | None]:
    """Returns the attribute and the path into it. Parts that are known only at run time are None."""
    if not ref.path or not isinstance(ref.path[0], ir.Lit) or not isinstance(ref.path[0].value, str):
        return None, None
    steps = []
    for step in ref.path[1:]:
        if not isinstance(step, ir.Lit) or isinstance(step.value, bool) or not isinstance(step.value, (str, int)):
            return ref.path[0].value, None
        steps.append(int(step.value) if str(step.value).isdecimal() else step.value)
    return ref.path[0].value, tuple(steps)


def expressions(template: ir.Template) -> Iterator[ir.Expr]:
    """Yields all expressions of a template."""
    for condition in template.conditions.values():
        yield condition.value
    for resource in template.resources.values():
        parts = (
            resource.properties,
            resource.metadata,
            resource.update_policy,
            resource.deletion_policy,
            resource.external_id,
            resource.condition,
        )
        yield from (p for p in parts if p is not None)
    for output in template.outputs.values():
        yield output.value
        if output.condition is not None:
            yield output.condition
