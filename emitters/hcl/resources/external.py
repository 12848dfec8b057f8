"""Converts existing resources (`external_id`).

Invariant: an existing resource is only read. It becomes a data source if the provider has one that searches by ID, and
otherwise a local with the ID. A server, trunk or key pair becomes a data source only if an attribute of it is read. A
resource that needs further attributes stays with Heat. With `--prefer native` it does not: floating IPs have data
sources as well, and variables hold the attributes that a data source does not read.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias, final

from emitters.hcl.emission import Emission
from emitters.hcl.errors import CannotSay
from emitters.hcl.lowering import lookup_variables, paths
from emitters.hcl.lowering.lowering import HclLowering
from emitters.hcl.namespace import snake_case
from emitters.hcl.resources.keys import write_resource_keys
from emitters.hcl.resources.made_ports import find_made_port, network_in_path
from emitters.hcl.tables.mapping import NO_ATTRIBUTE, AttributeRule
from emitters.hcl.tree.nodes import (
    Attr,
    Block,
    Cond,
    Expr,
    Fn,
    ForObject,
    ForTuple,
    Index,
    Object,
    Op,
    Splat,
    Traversal,
    Tuple,
    count_if,
)
from emitters.hcl.tree.types import BOOL, OBJECT, STRING, STRINGS, TUPLE, HclType, TypedValue
from transpile.diagnostics import codes
from transpile.model import heat_types, ir
from transpile.report import attribute_path, make_fate

Path: TypeAlias = Sequence[ir.Expr]
Reader: TypeAlias = "Callable[[HclLowering, Expr, Path], TypedValue | None]"
GATEWAY_PARTS = {"network_id": "external_network_id", "enable_snat": "enable_snat"}

SERVER, PORT = heat_types.NOVA_SERVER, heat_types.NEUTRON_PORT
FIRST_PORT = ((ir.Lit(0), ir.Lit("port")), (ir.Lit("0"), ir.Lit("port")))  # of the addresses on a network


@final
class ExternalSource(NamedTuple):
    """A data source for an existing resource, and the argument that gets its ID, or its address."""

    data: str
    argument: str
    address: bool = False


# In addition to the data sources of the lookups. Without --prefer native, a data source is made only for attributes
# that are read, and none by address, because that asks for a variable.
PREFERRED = {
    SERVER: ExternalSource("openstack_compute_instance_v2", "id"),
    heat_types.NEUTRON_FLOATING_IP: ExternalSource("openstack_networking_floatingip_v2", "address", address=True),
    heat_types.NEUTRON_TRUNK: ExternalSource("openstack_networking_trunk_v2", "trunk_id"),
    heat_types.NOVA_FLOATING_IP: ExternalSource("openstack_networking_floatingip_v2", "address", address=True),
    heat_types.NOVA_KEY_PAIR: ExternalSource("openstack_compute_keypair_v2", "name"),
}


def find_external_source(emission: Emission, resource: ir.Resource) -> ExternalSource | None:
    """The data source that reads an existing resource; None if there is none, so that only its ID is known."""
    kind = resource.kind
    for lookup in emission.unit.tables.lookups.values():
        if kind in lookup.of and lookup.id:
            return ExternalSource(lookup.data, lookup.id)
    source = PREFERRED.get(kind)
    if source is None or emission.unit.policy.accepts_differences:
        return source
    return source if not source.address and has_read_attribute(emission.unit.template, resource.name) else None


def has_read_attribute(template: ir.Template, name: str) -> bool:
    """Whether the template reads an attribute of a resource."""
    owners: Sequence[ir.Resource | ir.Output] = [*template.resources.values(), *template.outputs.values()]
    return any(isinstance(ref, ir.AttrRef) and ref.name == name for owner in owners for ref in owner.refs)


@final
class ExternalHandle:
    """The handle of an existing resource: a data source, or only its ID."""

    def __init__(self, emission: Emission, resource: ir.Resource, base: Expr, source: ExternalSource | None) -> None:
        self.emission, self.resource, self.base, self.source = emission, resource, base, source
        self.mapping = emission.unit.plan.kinds[resource.name]

    def lower_reference(self, lowering: HclLowering, ref: ir.Expr) -> TypedValue:
        id_expr = Attr(self.base, "id") if self.source is not None else self.base
        self.emission.log.resource_report(self.resource).reference = self.emission.log.reported_text(id_expr)
        return TypedValue(id_expr, STRING)

    def lower_attribute(self, lowering: HclLowering, ref: ir.AttrRef) -> TypedValue:
        word = attribute_path(ref.path)
        row = self.mapping.attributes.get(word, NO_ATTRIBUTE)
        if self.reads(row):
            value = TypedValue(self.read_argument(row), row.type)
        else:
            value = self.lower_preferred(lowering, ref)
        self.emission.log.resource_report(self.resource).attributes[word] = self.emission.log.reported_text(value.expr)
        return value

    @functools.cached_property
    def facts(self) -> Mapping[str, Any]:
        """The arguments of the data source, with the facts that the provider states."""
        if self.source is None:
            return {}
        schema = self.emission.unit.tables.providers.find_schema(f"data.{self.source.data}")
        arguments: Mapping[str, Any] = schema.get("arguments", {})
        return arguments

    def reads(self, row: AttributeRule) -> bool:
        """Whether the data source reads the attribute of a row of the table."""
        return bool(row.to) and row.to in self.facts

    def read_argument(self, row: AttributeRule) -> Expr:
        """Reads the argument of a table's row from the data source, in the type that Heat returns."""
        return read_as_heat_type(Attr(self.base, row.to), self.facts[row.to].get("type"), row.type)

    def row_of_show(self, path: Sequence[ir.Expr]) -> AttributeRule:
        """The row of a field of `show`, if the data source reads it."""
        field = str(path[0].value) if path and isinstance(path[0], ir.Lit) else ""
        own = AttributeRule(field, STRING) if field in ("id", "name") else NO_ATTRIBUTE
        row = self.mapping.show.get(field, own)
        if row.only_if_set or not self.reads(row):
            return NO_ATTRIBUTE
        # An argument that only narrows the search has no value after it. Those of attributes are read.
        read = field == "name" or any(row.to == other.to for other in self.mapping.attributes.values())
        return row if read or self.facts[row.to].get("computed") else NO_ATTRIBUTE

    def find_port(self, lowering: HclLowering, path: Sequence[ir.Expr]) -> TypedValue | None:
        """`[addresses, NETWORK, 0, port]` of a server."""
        if len(path) != 3 or tuple(path[1:]) not in FIRST_PORT or lowering.scope.bound:
            return None
        network = network_in_path(self.emission, lowering, self.resource.name, path[0])
        return find_made_port(self.emission, self.resource, self.base, network, 0) if network is not None else None

    def unread_attribute(self, ref: ir.AttrRef) -> CannotSay:
        """The error for an attribute that the data source does not read."""
        attributes = f"the attribute {attribute_path(ref.path)}" if ref.path else "all attributes"
        why = f"Terraform does not read {attributes} of {self.resource.name}"
        return CannotSay(codes.NOT_POSSIBLE_IN_HCL, why, ref, self.resource.name)

    def lower_preferred(self, lowering: HclLowering, ref: ir.AttrRef) -> TypedValue:
        """The value of an attribute that has no plain counterpart: computed from attributes of the data source, or a
        variable. Raises CannotSay if there is neither.
        """
        first, *rest = ref.path or (None,)
        kind, word = self.resource.kind, first.value if isinstance(first, ir.Lit) else None
        row = self.mapping.attributes.get(str(word), NO_ATTRIBUTE)
        native = self.mapping.treatment == "native"  # a type that exists only in Heat stays there
        by_show = self.row_of_show(rest) if word == "show" else NO_ATTRIBUTE
        read = READERS.get((kind, str(word))) if self.source is not None else None
        if read is not None and (value := read(lowering, self.base, rest)) is not None:
            return value
        if by_show.to:
            value, rest = TypedValue(self.read_argument(by_show), by_show.type), rest[1:]
        elif (kind, word) == (SERVER, "addresses") and (port := self.find_port(lowering, rest)) is not None:
            return port
        elif (kind, word) == (SERVER, "networks"):
            message = f"Heat's networks of {ref.name} also have entries by ID, and the floating IPs; these are only "
            lowering.differs(codes.NETWORKS_OF_SERVER, f"{message}the fixed ones.", ref)
            return addresses_by_network(lowering, self.base, rest)
        elif (kind, word, rest) == (SERVER, "first_address", []):
            message = f"Heat takes first_address of {ref.name} from the network whose name sorts last; Terraform takes "
            lowering.differs(codes.SIMILAR_ATTRIBUTE, f"{message}it from the first NIC.", ref)
            return TypedValue(Attr(self.base, "access_ip_v4"), STRING)
        elif (kind, word) == (SERVER, "name") and not rest:
            return TypedValue(Attr(self.base, "name"), STRING)
        elif (kind, word) == (PORT, "fixed_ips") and len(rest) == 2 and rest[1] == ir.Lit("ip_address"):
            return paths.lower_attribute_path(lowering, TypedValue(Attr(self.base, "all_fixed_ips"), STRINGS), rest[:1])
        elif (kind, word) == (PORT, "security_groups"):
            value = TypedValue(Fn("tolist", (Attr(self.base, "all_security_group_ids"),)), STRINGS)
        elif self.reads(row):
            whole = self.read_argument(row)
            value = TypedValue(Fn("tolist", (whole,)) if row.type.kind == "set" else whole, row.type)
        else:
            reason = self.unread_attribute(ref)
            variable = lookup_variables.variable_for_attribute(lowering, ref, reason, exists=True) if native else None
            if variable is None:
                raise reason
            return variable
        return paths.lower_attribute_path(lowering, value, rest) if rest else value


def addresses_by_network(
    lowering: HclLowering, base: Expr, path: Sequence[ir.Expr], *, with_ids: bool = False
) -> TypedValue:
    """The fixed addresses of a server, or of a data source for one, by the name of their network; or those at a path
    into that, which may begin with the name or ID of a network. with_ids: the map has entries by ID, too, as Heat's
    has, and IPv6 addresses have no brackets, in which older versions of the provider put them.
    """
    nics, nic, name = Attr(base, "network"), Traversal(("nic",)), Traversal(("name",))
    six = Attr(nic, "fixed_ip_v6")
    both = Tuple((Attr(nic, "fixed_ip_v4"), Fn("trim", (six, "[]")) if with_ids else six))

    def addresses_where(test: Expr) -> Expr:
        return Fn("compact", (Fn("flatten", (ForTuple(("nic",), nics, both, test),)),))

    def is_called(network: Expr) -> Expr:
        return Fn("contains", (Tuple((Attr(nic, "name"), Attr(nic, "uuid"))), network))

    if not path:
        listed, test = Splat(nics, ("name",)), Op("==", Attr(nic, "name"), name)
        every = Fn("concat", (listed, Splat(nics, ("uuid",)))) if with_ids else listed
        addresses = addresses_where(is_called(name) if with_ids else test)
        return TypedValue(ForObject(("name",), Fn("distinct", (every,)), name, addresses), OBJECT)
    addresses = addresses_where(is_called(lowering.lower_expression(path[0], STRING)))
    rest = path[1:]
    return (
        paths.lower_attribute_path(lowering, TypedValue(addresses, STRINGS), rest)
        if rest
        else TypedValue(addresses, STRINGS)
    )


def prepare_external(emission: Emission, resource: ir.Resource) -> ExternalHandle:
    """Makes the handle of an existing resource, and reserves the name of its data source or local."""
    source = find_external_source(emission, resource)
    if source is None:
        label = emission.names.locals.reserve_name(f"{snake_case(resource.name)}_id")
        return ExternalHandle(emission, resource, Traversal(("local", label)), None)
    address = emission.names.reserve_data_source(source.data, snake_case(resource.name))
    name = Traversal(("data", *address))
    return ExternalHandle(emission, resource, Index(name, 0) if emission.unit.has_count(resource) else name, source)


def lower_external_id(lowering: HclLowering, expr: ir.Expr) -> Expr:
    return lowering.lower_expression(expr, STRING)


def write_external(emission: Emission, resource: ir.Resource) -> None:
    """Writes the data source or the local for an existing resource. Like Heat, it ignores properties."""
    handle = emission.handles[resource.name]
    assert isinstance(handle, ExternalHandle)
    assert resource.external_id is not None
    report = emission.log.resource_report(resource)
    lowering = emission.lowering.with_owner(snake_case(resource.name), resource=resource.name)
    by_address = handle.source is not None and handle.source.address
    value = (lookup_variables.floating_ip_address if by_address else lower_external_id)(lowering, resource.external_id)
    if handle.source is not None:
        base = handle.base.of if isinstance(handle.base, Index) else handle.base
        assert isinstance(base, Traversal)
        block = Block("data", base.parts[1:], span=resource.span)
        if emission.unit.has_count(resource) and resource.is_conditional:
            block.add_argument("count", count_if(emission.lowering.lower_condition(resource.condition)))
        block.add_argument(handle.source.argument, value)
        emission.blocks.data.append(block)
        report.treatment, report.addresses = "data", [".".join(base.parts)]
        blocks = [block]
    else:
        assert isinstance(handle.base, Traversal)
        emission.blocks.add_local(handle.base.parts[1], value, resource)
        report.treatment, report.addresses, blocks = "folded", [".".join(handle.base.parts)], []
    for entry in resource.entries:
        report.properties[entry.key] = make_fate(
            "implied", report.addresses[0], why="Heat ignores the properties of an existing resource"
        )
    for word in resource.keys:
        if emission.unit.template.version.dialect.resource.get(word) == "deletion_policy":
            report.keys[word] = make_fate("implied", why="a resource that is only read is never deleted")
    write_resource_keys(emission, resource, blocks)


def read_inside(lowering: HclLowering, value: TypedValue, path: Path) -> TypedValue:
    return paths.lower_attribute_path(lowering, value, path) if path else value


def read_subnets(lowering: HclLowering, base: Expr, path: Path) -> TypedValue:
    return read_inside(lowering, TypedValue(Attr(base, "subnets"), STRINGS), path)


def read_allocation_pools(lowering: HclLowering, base: Expr, path: Path) -> TypedValue:
    return read_inside(lowering, TypedValue(Attr(base, "allocation_pools"), TUPLE), path)


def read_host_routes(lowering: HclLowering, base: Expr, path: Path) -> TypedValue:
    route = Traversal(("route",))
    fields = (("destination", Attr(route, "destination_cidr")), ("nexthop", Attr(route, "next_hop")))
    routes = ForTuple(("route",), Attr(base, "host_routes"), Object(fields))
    return read_inside(lowering, TypedValue(routes, TUPLE), path)


def read_gateway(lowering: HclLowering, base: Expr, path: Path) -> TypedValue | None:
    """The gateway of a router, or a part of it; null if it has none."""
    words = [str(step.value) if isinstance(step, ir.Lit) else "" for step in path]
    addresses = Attr(base, "external_fixed_ip")
    value: Expr
    kind: HclType
    match words:
        case []:
            parts = [(word, Attr(base, argument)) for word, argument in GATEWAY_PARTS.items()]
            value, kind = Object((*parts, ("external_fixed_ips", addresses))), OBJECT
        case [("network_id" | "enable_snat") as word]:
            value, kind = Attr(base, GATEWAY_PARTS[word]), STRING if word == "network_id" else BOOL
        case ["external_fixed_ips"]:
            value, kind = addresses, TUPLE
        case ["external_fixed_ips", number, ("ip_address" | "subnet_id") as word] if number.isdecimal():
            value, kind = Attr(Index(addresses, int(number)), word), STRING
        case _:
            return None
    return TypedValue(Cond(Op("==", Attr(base, "external_network_id"), ""), None, value), kind, True)


def read_monitor_id(lowering: HclLowering, base: Expr, path: Path) -> TypedValue | None:
    monitor = Attr(base, "healthmonitor_id")
    return None if path else TypedValue(Cond(Op("==", monitor, ""), None, monitor), STRING, True)


def read_network_id(lowering: HclLowering, base: Expr, path: Path) -> TypedValue | None:
    """`[port, network, id]`."""
    return TypedValue(Attr(base, "network_id"), STRING) if tuple(path) == (ir.Lit("id"),) else None


READERS: Mapping[tuple[str, str], Reader] = {
    (heat_types.NEUTRON_NET, "subnets"): read_subnets,
    (heat_types.NEUTRON_PROVIDER_NET, "subnets"): read_subnets,
    (heat_types.NEUTRON_SUBNET, "allocation_pools"): read_allocation_pools,
    (heat_types.NEUTRON_SUBNET, "host_routes"): read_host_routes,
    (heat_types.NEUTRON_ROUTER, "external_gateway_info"): read_gateway,
    (heat_types.NEUTRON_PORT, "network"): read_network_id,
    (heat_types.OCTAVIA_POOL, "healthmonitor_id"): read_monitor_id,
}


def read_as_heat_type(value: Expr, type_in_provider: object, kind: HclType) -> Expr:
    """A value converted to the type that Heat returns: some data sources have texts for booleans."""
    return Fn("tobool", (value,)) if type_in_provider == "string" and kind == BOOL else value
