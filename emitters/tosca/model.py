"""Collects the nodes and node types of a template, and the uses that determine their properties.

Invariant: a type is collected from all of its uses before anything is written, and only types in use are declared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, final

from emitters.tosca import names
from emitters.tosca.inputs import TemplateInputs
from emitters.tosca.shapes import Shape, ShapeInference, shape_of_paths
from transpile.model import heat_types, ir
from transpile.model.records import field, record
from transpile.model.span import Span
from transpile.resolve.groups import GROUPS
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
    """A node type: the Heat type it represents, and the properties and attributes that the template uses."""

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
    attributes: dict[str, Shape] = field(default_factory=dict)
    member_property: str = ""
    alias_of: NodeType | None = None
    operated: bool = False  # its nodes have operations
    actions: dict[str, None] = field(default_factory=dict)  # Heat actions that have scripts
    inputs: dict[str, Any] = field(default_factory=dict)  # inputs of those operations
    outputs: tuple[str, ...] = ()

    @property
    def aliased_type(self) -> NodeType:
        return self.alias_of or self


@final
@record
class PlannedNode:
    """A node template before it is written.

    `path`: the prefix of its properties inside the resource; for a member of a group, for example
    "resource.properties.". `member_of`: the name of its group. `member`: the node of the group's member.
    """

    name: str
    resource: ir.Resource
    type: NodeType
    properties: tuple[ir.Entry, ...]
    path: str = ""
    member_of: str = ""
    member: PlannedNode | None = None
    skipped: str = ""  # the property that the member node replaces


@final
class NodeModel:
    """The nodes and node types of one template."""

    def __init__(self, stack: Stack, inputs: TemplateInputs, type_names: Mapping[int, str]) -> None:
        self.stack, self.inputs, self.stack_names = stack, inputs, type_names
        self.names, self.type_names = names.ReservedNames(), names.ReservedNames()
        self.types: dict[tuple[str, str], NodeType] = {}
        self.nodes: dict[str, PlannedNode] = {}  # by resource name
        self.conditions: dict[str, str] = {}
        self.node_names: dict[str, str] = {}  # name of the node template by resource name
        self.update_shapes: dict[str, Shape] = {}
        self.data_types: dict[str, Shape] = {}
        resources = stack.template.resources
        kept = {name for name in resources if names.is_portable_name(name)}
        self.names.taken |= kept
        for name in resources:
            self.node_names[name] = name if name in kept else self.names.reserve_tosca_name(names.node_name(name))
        for name in stack.template.conditions:
            self.conditions[name] = self.names.reserve_tosca_name(f"condition_{names.name_part(name)}")
        for name, resource in resources.items():
            self.nodes[name] = self.add_node(resource)
        for expr in template_expressions(stack.template):
            self.record_references(expr)

    # nodes

    def add_node(self, resource: ir.Resource) -> PlannedNode:
        node_type = self.node_type_of(resource, resource.type, resource.kind)
        entries = resource.entries
        node = PlannedNode(self.node_names[resource.name], resource, node_type, entries)
        real = node_type.aliased_type
        real.nodes += 1
        real.metadata |= resource.metadata is not None
        real.external |= resource.is_existing
        key = GROUPS.get(real.kind)
        if key is not None and (member := self.add_member_node(node, key)) is not None:
            node.member, node.skipped = member, key
            real.member_property = key
        for entry in entries:
            if entry.key != node.skipped:
                real.uses.setdefault(entry.key, []).append(entry.value)
        return node

    def add_member_node(self, group: PlannedNode, key: str) -> PlannedNode | None:
        """Creates the node for a group's member, if the member definition is a suitable literal. Otherwise returns
        None.
        """
        definition = next((e.value for e in group.properties if e.key == key), None)
        if not isinstance(definition, ir.Map):
            return None
        kind, properties = definition.get("type"), definition.get("properties") or ir.NO_PROPERTIES
        if not isinstance(kind, ir.Lit) or not isinstance(kind.value, str) or not isinstance(properties, ir.Map):
            return None
        if not {e.key for e in definition.entries} <= MEMBER_KEYS:
            return None
        metadata = definition.get("metadata")
        resource = ir.Resource(group.resource.name, kind.value, properties, metadata, span=Span(definition.at))
        resolution = self.stack.registry.child_registry(group.resource.name, None).resolve_type(kind.value, "0")
        real_kind = resolution.kind if resolution.is_known else self.stack.canonical_type(kind.value)
        node_type = self.node_type_of(group.resource, kind.value, real_kind)
        entries = properties.entries
        member = PlannedNode(
            self.names.reserve_tosca_name(f"{group.name}_member"),
            resource,
            node_type,
            entries,
            f"{key}.properties.",
            group.name,
        )
        real = node_type.aliased_type
        real.nodes += 1
        real.member = True
        real.metadata |= metadata is not None
        for entry in entries:
            real.uses.setdefault(entry.key, []).append(entry.value)
        return member

    # types

    def node_type_of(self, resource: ir.Resource, written: str, kind: str) -> NodeType:
        nested = self.stack.nested.get((resource.name, written))
        if nested is not None:
            return self.node_type_for_stack(nested, written)
        real = self.node_type_for_heat(kind)
        if written == kind:
            return real
        key = (kind, written)
        if key not in self.types:
            name = self.type_names.reserve_tosca_name(names.node_type_name(written))
            self.types[key] = NodeType(name, kind, written, real.name, alias_of=real)
        return self.types[key]

    def node_type_for_heat(self, kind: str) -> NodeType:
        key = (kind, "")
        if key not in self.types:
            name = self.type_names.reserve_tosca_name(names.node_type_name(kind))
            facts = self.stack.catalog.find_type(kind)
            self.types[key] = NodeType(name, kind, kind, PARENTS.get(kind, ROOT), facts)
        return self.types[key]

    def node_type_for_stack(self, nested: NestedStack, written: str) -> NodeType:
        key = (self.stack_names[id(nested.stack)], written)
        if key not in self.types:
            name = self.type_names.reserve_tosca_name(f"hot.nodes.stacks.{key[0]}")
            self.types[key] = NodeType(name, nested.file, written, "hot.nodes.Stack", nested.facts, nested=nested)
        return self.types[key]

    # attributes

    def record_references(self, expr: ir.Expr) -> None:
        """Records the attributes and pseudo parameters that an expression uses."""
        for reference in ir.walk(expr):
            if isinstance(reference, ir.AttrRef) and reference.name in self.nodes:
                attribute, path = literal_path(reference)
                if attribute is not None:
                    real = self.nodes[reference.name].type.aliased_type
                    real.paths.setdefault(attribute, {})[path if path is not None else ()] = None
            elif isinstance(reference, ir.ParamRef) and reference.name not in self.stack.template.parameters:
                self.inputs.declare_pseudo_parameter(reference.name)

    def settle_shapes(self, shapes: ShapeInference) -> None:
        """Determines the shapes of all properties and attributes, and turns parameters into floats where needed."""
        self.infer_shapes(shapes)
        while self.inputs.widen_to_float(shapes.floats):
            self.infer_shapes(shapes)  # other properties with the same value are floats now
        for node_type in self.types.values():
            if node_type.alias_of is None:
                self.name_records(node_type.name, node_type.shapes, node_type.attributes)
        self.name_records("hot.nodes.policies.Update", self.update_shapes, {})

    def infer_shapes(self, shapes: ShapeInference) -> None:
        for node_type in self.types.values():
            if node_type.alias_of is not None:
                continue
            facts = node_type.facts
            of_plugin = node_type.kind in self.stack.catalog.plugin_types
            schemas = {} if facts.get("any") else facts.get("properties", {})
            for key, uses in node_type.uses.items():
                node_type.shapes[key] = shapes.infer_shape(schemas.get(key), uses, annotates=of_plugin)
            for name, paths in node_type.paths.items():
                if name == "id" or (name in NORMATIVE.get(node_type.kind, ()) and not shapes.nests):
                    continue
                known_attributes = facts.get("attributes", {})
                node_type.attributes[name] = shape_of_paths(paths, known_attributes, name, shapes.nests)
        updates: dict[str, list[ir.Expr]] = {}
        for resource in self.stack.template.resources.values():
            if isinstance(resource.update_policy, ir.Map):
                for entry in resource.update_policy.entries:
                    updates.setdefault(entry.key, []).append(entry.value)
            elif resource.update_policy is not None:  # the whole policy is a function
                updates.setdefault("update_policy", []).append(resource.update_policy)
        self.update_shapes = {key: shapes.infer_shape(None, values) for key, values in updates.items()}

    def name_records(self, owner: str, *shapes_by_kind: Mapping[str, Shape]) -> None:
        """Gives names to the data types of the records in properties and attributes."""
        for prefix, shapes in zip(("", "attribute."), shapes_by_kind, strict=True):
            for key, shape in shapes.items():
                for path, data_type in [*shape.inner_records(), *([("", shape)] if shape.kind == "record" else [])]:
                    data_type.name = self.type_names.reserve_tosca_name(
                        names.data_type_name(owner, f"{prefix}{key}.{path}")
                    )
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


def template_expressions(template: ir.Template) -> Iterator[ir.Expr]:
    """Yields all expressions of a template."""
    for condition in template.conditions.values():
        yield condition.value
    for resource in template.resources.values():
        yield from resource.parts.values()
    for output in template.outputs.values():
        yield output.value
        yield from output.conditions
