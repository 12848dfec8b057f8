"""VPCs and their parts: a network with a router of the same name, subnets, more routers, and gateways.

Invariant: a VPC and everything attached to it are all native, or none are. A subnet has an interface on the router of
its VPC until a route table takes it over, and an attached gateway goes to the routers of the route tables, not to the
router of the VPC.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import attribute_hook, finish_hook, members, prepare_hook, property_hook, write_hook
from emitters.hcl.hooks.values import prop
from emitters.hcl.lowering.rewrites import is_not
from emitters.hcl.namespace import snake
from emitters.hcl.plan.planner import by_type
from emitters.hcl.resources.handles import Native, Nothing
from emitters.hcl.tree.nodes import Argument, Attr, Block, Cond, Expr, Index, Name
from emitters.hcl.tree.types import NULL as NOTHING
from emitters.hcl.tree.types import STRING, Value
from transpile.diagnostics import codes
from transpile.model import heat_types, ir
from transpile.report import NOT_IMPLEMENTED, fate

if TYPE_CHECKING:
    from emitters.hcl.emission import Emission
    from emitters.hcl.lowering.lowering import Handle, Lowering
    from emitters.hcl.plan.planner import Plan
    from emitters.hcl.resources.handles import Select
    from emitters.hcl.resources.writer import Writer
    from emitters.hcl.tables.mapping import Kind, Rule
    from transpile.resolve.stack import Stack

ROUTER = "openstack_networking_router_v2"
INTERFACE = "openstack_networking_router_interface_v2"


# Extra resources of a resource of the template, such as the router of a VPC. Other blocks may refer to one before it
# is written, so its label depends only on the resource.


def beside_label(emission: Emission, kind: str, name: str) -> str:
    """The label of the extra resource that a resource of the template has of a type."""
    return emission.names.label_of((kind, name), kind, snake(name))


def beside(writer: Writer, kind: str) -> Block:
    """Adds the block of an extra resource, without its arguments."""
    resource = writer.resource
    block = Block("resource", (kind, beside_label(writer.emission, kind, resource.name)), span=resource.span)
    if (repeated := writer.lowering.scope.repeated) is not None:
        block.body.append(Argument(repeated.name, repeated.value))  # the comments are on the main block
    writer.blocks.append(block)
    return block


def made_beside(emission: Emission, kind: str, name: str) -> Expr:
    """The address of an extra resource, as other blocks refer to it."""
    address = Name((kind, beside_label(emission, kind, name)))
    return Index(address, 0) if emission.unit.counted(emission.unit.template.resources[name]) else address


def own(emission: Emission, expr: ir.Expr | None, *kinds: str) -> str | None:
    """The native resource of one of the given types that an expression refers to, if any."""
    if isinstance(expr, ir.ResourceRef) and emission.unit.plan.is_native(expr.name):
        return expr.name if emission.unit.stack.types[expr.name] in kinds else None
    return None


def by_reference(plan: Plan, kind: str, name: str) -> dict[str, list[ir.Resource]]:
    """Indexes the resources of a type by the resource that one of their properties refers to."""
    found: dict[str, list[ir.Resource]] = {}
    for resource in plan.index(by_type).get(kind, ()):
        expr = value_of(resource, name)
        if isinstance(expr, ir.ResourceRef):
            found.setdefault(expr.name, []).append(resource)
    return found


def table_associations(plan: Plan) -> dict[str, list[ir.Resource]]:
    """Associations of route tables, by subnet."""
    return by_reference(plan, heat_types.AWS_SUBNET_ROUTE_TABLE_ASSOCIATION, "SubnetId")


def vpc_attachments(plan: Plan) -> dict[str, list[ir.Resource]]:
    """Attachments of gateways, by VPC."""
    return by_reference(plan, heat_types.AWS_VPC_GATEWAY_ATTACHMENT, "VpcId")


def route_tables(plan: Plan) -> dict[str, list[ir.Resource]]:
    """Route tables, by VPC."""
    return by_reference(plan, heat_types.AWS_ROUTE_TABLE, "VpcId")


def addresses_given(plan: Plan) -> dict[str, list[ir.Resource]]:
    """Associations of allocated addresses, by the VPC of the resource that gets the address."""
    found: dict[str, list[ir.Resource]] = {}
    for association in plan.index(by_type).get(heat_types.AWS_EIP_ASSOCIATION, ()):
        if value_of(association, "AllocationId") is not None and not plan.embeds(association.name):
            subnet = subnet_of(plan.stack, association)
            vpc = value_of(subnet, "VpcId") if subnet is not None else None
            if isinstance(vpc, ir.ResourceRef):
                found.setdefault(vpc.name, []).append(association)
    return found


def strange_tables(plan: Plan) -> bool:
    """Whether a route table whose VPC is unknown stays with Heat: it may be a table of any VPC."""
    return any(
        plan.embeds(table.name) and not isinstance(value_of(table, "VpcId"), ir.ResourceRef)
        for table in plan.index(by_type).get(heat_types.AWS_ROUTE_TABLE, ())
    )


def associations_of(emission: Emission, subnet: str) -> list[ir.Resource]:
    """The associations that put a native subnet into a route table."""
    if own(emission, ir.ResourceRef(subnet), heat_types.AWS_SUBNET) is None:
        return []
    return emission.unit.plan.index(table_associations).get(subnet, [])


def value_of(resource: ir.Resource, name: str) -> ir.Expr | None:
    """The value of a property that is set and not null."""
    entry = prop(resource, name)
    return entry.value if entry is not None else None


def vpc_of(writer: Writer, entry: ir.Entry) -> str:
    """The native VPC that a property refers to."""
    found = own(writer.emission, entry.value, heat_types.AWS_VPC)
    if found is None:
        why = "Heat finds the router of the VPC by name, and the VPC is not in Terraform"
        raise CannotSay(codes.KEPT_IN_HEAT, why, entry.value)
    return found


# the VPC


@finish_hook("vpc")
def finish_vpc(writer: Writer) -> None:
    """Writes the router of the same name, with a gateway if a resource behind it gets an address."""
    emission = writer.emission
    block = beside(writer, ROUTER)
    block.set("name", writer.written("name", "name"))
    name = writer.resource.name
    found = emission.unit.plan.index(addresses_given).get(name)
    if found and own(emission, ir.ResourceRef(name), heat_types.AWS_VPC) is not None:
        network = network_of_address(writer, value_of(found[0], "AllocationId"))
        block.set("external_network_id", gateway(writer.emission, writer.lowering, [found[0]], network))


def network_of_address(writer: Writer, allocated: ir.Expr | None) -> Expr:
    """The network that a floating IP comes from."""
    emission = writer.emission
    name = own(emission, allocated, heat_types.NEUTRON_FLOATING_IP)
    floating = emission.unit.template.resources[name] if name is not None else None
    given = (value_of(floating, "floating_network") or value_of(floating, "floating_network_id")) if floating else None
    if given is None:
        return Name(("data", *emission.shared.external_network(), "id"))
    found, _ = emission.data.one(writer.lowering, given, writer.lookups["network"], "id", "network")
    return found.expr


def gateway(emission: Emission, lowering: Lowering, askers: list[ir.Resource], found: Expr) -> Expr:
    """The external network for a router, or null if it needs none. askers: the resources that need it if they exist."""
    if any(not emission.unit.counted(asker) for asker in askers):
        return found
    value: Expr = None
    for asker in askers:
        assert asker.condition is not None
        value = Cond(lowering.condition(asker.condition), found, value)
    return value


def subnet_of(stack: Stack, resource: ir.Resource) -> ir.Resource | None:
    """The subnet of the template that a port, an instance or an association is in."""
    for name in ("NetworkInterfaceId", "InstanceId", "SubnetId"):
        expr = value_of(resource, name)
        if isinstance(expr, ir.ResourceRef) and expr.name in stack.template.resources:
            found = stack.template.resources[expr.name]
            return found if stack.types[expr.name] == heat_types.AWS_SUBNET else subnet_of(stack, found)
    listed = value_of(resource, "NetworkInterfaces")
    first = listed.items[0] if isinstance(listed, ir.Seq) and listed.items else None
    if isinstance(first, ir.Map):
        first = first.get("NetworkInterfaceId")
    if isinstance(first, ir.ResourceRef) and first.name in stack.template.resources:
        return subnet_of(stack, stack.template.resources[first.name])
    return None


# subnets


@property_hook("subnet_vpc")
def subnet_vpc(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    vpc_of(writer, entry)
    writer.block.set("network_id", writer.lowering.expr(entry.value, STRING), entry)
    writer.is_value(entry.key, "network_id", "reference")


@finish_hook("vpc_subnet")
def finish_subnet(writer: Writer) -> None:
    """Writes the interface on the VPC's router, unless the subnet is in a route table."""
    emission = writer.emission
    # A route table takes the subnet over from the router of the VPC. One with a condition does so only if that holds.
    others = associations_of(emission, writer.resource.name)
    if any(not emission.unit.counted(a) for a in others):
        return
    block = beside(writer, INTERFACE)
    block.set("router_id", Attr(made_beside(emission, ROUTER, vpc_of(writer, writer.given["VpcId"])), "id"))
    block.set("subnet_id", writer.self_reference("id"))
    for other in others:
        assert other.condition is not None
        members.only_if(writer, [block], is_not(writer.lowering.condition(other.condition)))


@attribute_hook("subnet_zone")
def subnet_zone(lowering: Lowering, native: Native, ref: ir.AttrRef, rest: tuple[ir.Expr, ...]) -> Select:
    """The value of the property."""
    given = value_of(native.resource, "AvailabilityZone")
    found = lowering.value(given, STRING) if given is not None else Value(None, NOTHING, True)
    return lambda base: found


# route tables


@property_hook("route_table_vpc")
def route_table_vpc(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """Writes the gateway of the router: the VPC determines it."""
    vpc, emission = vpc_of(writer, entry), writer.emission
    attached = [a for a in attachments(emission, vpc) if not emission.unit.plan.embeds(a.name)]
    if not attached:
        writer.fate(entry.key, fate("implied", why="it only selects the gateway of the router, and there is none"))
        return
    external = Name(("data", *emission.shared.external_network(), "id"))
    value = gateway(emission, writer.lowering, attached, external)
    writer.block.set("external_network_id", value, entry)
    writer.is_value(entry.key, "external_network_id", "derived", why="the gateway that is attached to the VPC")


@property_hook("association_subnet")
def association_subnet(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    if own(writer.emission, entry.value, heat_types.AWS_SUBNET) is None:
        why = "Heat detaches the subnet from the router of its VPC, and that router is not in Terraform"
        raise CannotSay(codes.KEPT_IN_HEAT, why, entry.value)
    writer.block.set("subnet_id", writer.lowering.expr(entry.value, STRING), entry)
    writer.is_value(entry.key, "subnet_id", "reference")


# gateways


def attachments(emission: Emission, vpc: str) -> list[ir.Resource]:
    return emission.unit.plan.index(vpc_attachments).get(vpc, [])


@prepare_hook("internet_gateway", "vpc_gateway_attachment")
def prepare(emission: Emission, resource: ir.Resource, kind: Kind) -> Handle:
    return Nothing(resource)


@write_hook("internet_gateway")
def write_gateway(emission: Emission, resource: ir.Resource, kind: Kind) -> None:
    each = fate("implied", why=NOT_IMPLEMENTED)
    emission.log.resource_report(resource).became_nothing(resource, kind.why, each)


@write_hook("vpc_gateway_attachment")
def write_attachment(emission: Emission, resource: ir.Resource, kind: Kind) -> None:
    """Reports the attachment as part of the routers of the VPC's route tables."""
    expr = value_of(resource, "VpcId")
    vpc = own(emission, expr, heat_types.AWS_VPC)
    span = resource.name_span
    if vpc is None or expr is None:
        raise CannotSay(codes.KEPT_IN_HEAT, "the routers of its VPC are not in Terraform", span)
    tables = [t for t in emission.unit.plan.index(route_tables).get(vpc, ()) if value_of(t, "VpcId") == expr]
    if emission.unit.plan.index(strange_tables) or any(emission.unit.plan.embeds(t.name) for t in tables):
        raise CannotSay(codes.KEPT_IN_HEAT, "some of the routers that get the gateway stay with Heat", span, vpc)
    report = emission.log.resource_report(resource)
    addresses = [".".join(t.address) for r in tables if isinstance(t := emission.handles.get(r.name), Native)]
    report.treatment, report.addresses, report.why = (
        "folded",
        addresses,
        "" if addresses else "the VPC has no route tables",
    )
    for entry in resource.properties.entries if resource.properties is not None else ():
        if entry.key == "VpnGatewayId":
            report.properties[entry.key] = fate("dropped", code=codes.PROPERTY_WITHOUT_COUNTERPART, why=NOT_IMPLEMENTED)
            message = f"{entry.key} of {resource.name} is lost: {NOT_IMPLEMENTED}."
            emission.log.say(codes.PROPERTY_WITHOUT_COUNTERPART, message, entry)
        elif entry.key == "VpcId" or not addresses:
            report.properties[entry.key] = fate("implied", why="it selects the routers that get the gateway")
        else:
            report.properties[entry.key] = fate(
                "derived", addresses[0], "external_network_id", "the one external network"
            )
