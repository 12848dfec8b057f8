"""VPCs and their parts: a network with a router of the same name, subnets, more routers, and gateways.

Invariant: a VPC and everything attached to it are all native, or none are. A subnet has an interface on the router of
its VPC until a route table takes it over. An attached gateway goes to the routers of the route tables, not to the
router of the VPC.
"""

from __future__ import annotations

from emitters.hcl.emission import Emission
from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import Prepared, attribute_hook, finish_hook, members, property_hook, resource_hook
from emitters.hcl.lowering.lowering import HclLowering
from emitters.hcl.lowering.rewrites import negate_expression
from emitters.hcl.namespace import snake_case
from emitters.hcl.plan.planner import ConversionPlan, resources_by_type
from emitters.hcl.resources.handles import AttributeRead, NativeHandle, NoneHandle, Selector
from emitters.hcl.resources.writer import Writer
from emitters.hcl.resources.written import Written
from emitters.hcl.tree.nodes import Attr, Block, Cond, Expr, Index, Traversal
from emitters.hcl.tree.types import STRING
from transpile.diagnostics import codes
from transpile.model import heat_types, ir
from transpile.report import NOT_IMPLEMENTED, make_fate
from transpile.resolve.stack import Stack

ROUTER = "openstack_networking_router_v2"
INTERFACE = "openstack_networking_router_interface_v2"


# Extra resources of a resource of the template, such as the router of a VPC. Other blocks may refer to one before it
# is written, so its label depends only on the resource.


def extra_resource_label(emission: Emission, kind: str, name: str) -> str:
    """The label of the extra resource that a resource of the template has of a type."""
    return emission.names.shared_label((kind, name), kind, snake_case(name))


def make_extra_block(writer: Writer, kind: str) -> Block:
    """Makes the block of an extra resource, without its arguments."""
    resource = writer.resource
    return writer.make_block((kind, extra_resource_label(writer.emission, kind, resource.name)), resource)


def extra_resource_address(emission: Emission, kind: str, name: str) -> Expr:
    """The address of an extra resource, as other blocks refer to it."""
    address = Traversal((kind, extra_resource_label(emission, kind, name)))
    return Index(address, 0) if emission.unit.has_count(emission.unit.template.resources[name]) else address


def find_native_name(emission: Emission, expr: ir.Expr | None, *kinds: str) -> str:
    """The native resource of one of the given types that an expression refers to; empty if there is none."""
    if not isinstance(expr, ir.ResourceRef) or not emission.unit.plan.is_native(expr.name):
        return ""
    return expr.name if emission.unit.stack.types[expr.name] in kinds else ""


def index_by_reference(plan: ConversionPlan, kind: str, name: str) -> dict[str, list[ir.Resource]]:
    """Indexes the resources of a type by the resource that one of their properties refers to."""
    referrers: dict[str, list[ir.Resource]] = {}
    for resource in plan.get_index(resources_by_type).get(kind, ()):
        expr = resource.find_value(name)
        if isinstance(expr, ir.ResourceRef):
            referrers.setdefault(expr.name, []).append(resource)
    return referrers


def associations_by_subnet(plan: ConversionPlan) -> dict[str, list[ir.Resource]]:
    """Associations of route tables, by subnet."""
    return index_by_reference(plan, heat_types.AWS_SUBNET_ROUTE_TABLE_ASSOCIATION, "SubnetId")


def attachments_by_vpc(plan: ConversionPlan) -> dict[str, list[ir.Resource]]:
    """Attachments of gateways, by VPC."""
    return index_by_reference(plan, heat_types.AWS_VPC_GATEWAY_ATTACHMENT, "VpcId")


def route_tables_by_vpc(plan: ConversionPlan) -> dict[str, list[ir.Resource]]:
    """Route tables, by VPC."""
    return index_by_reference(plan, heat_types.AWS_ROUTE_TABLE, "VpcId")


def address_associations_by_vpc(plan: ConversionPlan) -> dict[str, list[ir.Resource]]:
    """Associations of allocated addresses, by the VPC of the resource that gets the address."""
    associations: dict[str, list[ir.Resource]] = {}
    for association in plan.get_index(resources_by_type).get(heat_types.AWS_EIP_ASSOCIATION, ()):
        if association.find_value("AllocationId") is not None and not plan.is_embedded(association.name):
            subnet = find_template_subnet(plan.stack, association)
            vpc = subnet and subnet.find_value("VpcId")
            if isinstance(vpc, ir.ResourceRef):
                associations.setdefault(vpc.name, []).append(association)
    return associations


def has_unplaced_route_table(plan: ConversionPlan) -> bool:
    """Whether a route table whose VPC is unknown stays with Heat: it may be a table of any VPC."""
    return any(
        plan.is_embedded(table.name) and not isinstance(table.find_value("VpcId"), ir.ResourceRef)
        for table in plan.get_index(resources_by_type).get(heat_types.AWS_ROUTE_TABLE, ())
    )


def associations_of_subnet(emission: Emission, subnet: str) -> list[ir.Resource]:
    """The associations that put a native subnet into a route table."""
    if not find_native_name(emission, ir.ResourceRef(subnet), heat_types.AWS_SUBNET):
        return []
    return emission.unit.plan.get_index(associations_by_subnet).get(subnet, [])


def native_vpc_name(writer: Writer, entry: ir.Entry) -> str:
    """The native VPC that a property refers to."""
    vpc = find_native_name(writer.emission, entry.value, heat_types.AWS_VPC)
    if not vpc:
        why = "Heat finds the router of the VPC by name, and the VPC is not in Terraform"
        raise CannotSay(codes.KEPT_IN_HEAT, why, entry.value)
    return vpc


# the VPC


@finish_hook("vpc")
def finish_vpc(writer: Writer) -> None:
    """Writes the router of the same name, with a gateway if a resource behind it gets an address."""
    emission = writer.emission
    block = make_extra_block(writer, ROUTER)
    writer.blocks.append(block)
    block.add_argument("name", writer.written_value("name", "name"))
    name = writer.resource.name
    associations = emission.unit.plan.get_index(address_associations_by_vpc).get(name)
    if associations and find_native_name(emission, ir.ResourceRef(name), heat_types.AWS_VPC):
        network = network_of_address(writer, associations[0].find_value("AllocationId"))
        block.add_argument(
            "external_network_id", lower_gateway_network(writer.emission, writer.lowering, [associations[0]], network)
        )


def network_of_address(writer: Writer, allocated: ir.Expr | None) -> Expr:
    """The network that a floating IP comes from."""
    emission = writer.emission
    name = find_native_name(emission, allocated, heat_types.NEUTRON_FLOATING_IP)
    floating = emission.unit.template.resources.get(name)
    network = floating.find_value("floating_network", "floating_network_id") if floating else None
    if network is None:
        return Traversal(("data", *emission.shared.external_network(), "id"))
    network_id, _ = emission.data.resolve_name(writer.lowering, network, writer.lookups["network"], "id", "network")
    return network_id.expr


def lower_gateway_network(emission: Emission, lowering: HclLowering, askers: list[ir.Resource], network: Expr) -> Expr:
    """The external network for a router, or null if it needs none. askers: the resources that need it if they exist."""
    if any(not emission.unit.has_count(asker) for asker in askers):
        return network
    value: Expr = None
    for asker in askers:
        value = Cond(lowering.lower_condition(asker.condition), network, value)
    return value


def find_template_subnet(stack: Stack, resource: ir.Resource) -> ir.Resource | None:
    """The subnet of the template that a port, an instance or an association is in."""
    for name in ("NetworkInterfaceId", "InstanceId", "SubnetId"):
        expr = resource.find_value(name)
        if isinstance(expr, ir.ResourceRef) and expr.name in stack.template.resources:
            target = stack.template.resources[expr.name]
            return target if stack.types[expr.name] == heat_types.AWS_SUBNET else find_template_subnet(stack, target)
    interface_list = resource.find_value("NetworkInterfaces")
    first = interface_list.items[0] if isinstance(interface_list, ir.Seq) and interface_list.items else None
    if isinstance(first, ir.Map):
        first = first.get("NetworkInterfaceId")
    if isinstance(first, ir.ResourceRef) and first.name in stack.template.resources:
        return find_template_subnet(stack, stack.template.resources[first.name])
    return None


# subnets


@property_hook("subnet_vpc")
def write_subnet_vpc(writer: Writer, entry: ir.Entry) -> Written:
    native_vpc_name(writer, entry)
    return Written.value(entry, "network_id", writer.lowering.lower_expression(entry.value, STRING), "reference")


@finish_hook("vpc_subnet")
def finish_subnet(writer: Writer) -> None:
    """Writes the interface on the VPC's router, unless the subnet is in a route table."""
    emission = writer.emission
    # A route table takes the subnet over from the router of the VPC. One with a condition does so only if that holds.
    others = associations_of_subnet(emission, writer.resource.name)
    if any(not emission.unit.has_count(a) for a in others):
        return
    block = make_extra_block(writer, INTERFACE)
    writer.blocks.append(block)
    block.add_argument(
        "router_id",
        Attr(extra_resource_address(emission, ROUTER, native_vpc_name(writer, writer.entries["VpcId"])), "id"),
    )
    block.add_argument("subnet_id", writer.self_reference("id"))
    for other in others:
        members.restrict_blocks(writer, [block], negate_expression(writer.lowering.lower_condition(other.condition)))


@attribute_hook("subnet_zone")
def read_subnet_zone(read: AttributeRead) -> Selector:
    """The value of the property."""
    value = read.lowering.lower_value(read.resource.value_of("AvailabilityZone"), STRING)
    return lambda base: value


# route tables


@property_hook("route_table_vpc")
def write_route_table_vpc(writer: Writer, entry: ir.Entry) -> Written:
    """Writes the gateway of the router: the VPC determines it."""
    vpc, emission = native_vpc_name(writer, entry), writer.emission
    attached = [a for a in attachments_of_vpc(emission, vpc) if not emission.unit.plan.is_embedded(a.name)]
    if not attached:
        return Written.implied(entry.key, "it only selects the gateway of the router, and there is none")
    external = Traversal(("data", *emission.shared.external_network(), "id"))
    value = lower_gateway_network(emission, writer.lowering, attached, external)
    return Written.value(entry, "external_network_id", value, "derived", "the gateway that is attached to the VPC")


@property_hook("association_subnet")
def write_association_subnet(writer: Writer, entry: ir.Entry) -> Written:
    if not find_native_name(writer.emission, entry.value, heat_types.AWS_SUBNET):
        why = "Heat detaches the subnet from the router of its VPC, and that router is not in Terraform"
        raise CannotSay(codes.KEPT_IN_HEAT, why, entry.value)
    return Written.value(entry, "subnet_id", writer.lowering.lower_expression(entry.value, STRING), "reference")


# gateways


def attachments_of_vpc(emission: Emission, vpc: str) -> list[ir.Resource]:
    return emission.unit.plan.get_index(attachments_by_vpc).get(vpc, [])


@resource_hook("internet_gateway")
def prepare_internet_gateway(emission: Emission, resource: ir.Resource) -> Prepared:
    def report_gateway() -> None:
        why, each = emission.mapping_of(resource).why, make_fate("implied", why=NOT_IMPLEMENTED)
        emission.log.resource_report(resource).became_nothing(resource, why, each)

    return Prepared(NoneHandle(resource), report_gateway)


@resource_hook("vpc_gateway_attachment")
def prepare_gateway_attachment(emission: Emission, resource: ir.Resource) -> Prepared:
    return Prepared(NoneHandle(resource), lambda: write_gateway_attachment(emission, resource))


def write_gateway_attachment(emission: Emission, resource: ir.Resource) -> None:
    """Reports the attachment as part of the routers of the VPC's route tables."""
    expr = resource.value_of("VpcId")
    vpc = find_native_name(emission, expr, heat_types.AWS_VPC)
    span = resource.name_span
    if not vpc:
        raise CannotSay(codes.KEPT_IN_HEAT, "the routers of its VPC are not in Terraform", span)
    tables = [
        t for t in emission.unit.plan.get_index(route_tables_by_vpc).get(vpc, ()) if t.find_value("VpcId") == expr
    ]
    if emission.unit.plan.get_index(has_unplaced_route_table) or any(
        emission.unit.plan.is_embedded(t.name) for t in tables
    ):
        raise CannotSay(codes.KEPT_IN_HEAT, "some of the routers that get the gateway stay with Heat", span, vpc)
    report = emission.log.resource_report(resource)
    addresses = [".".join(t.address) for r in tables if isinstance(t := emission.handles.get(r.name), NativeHandle)]
    report.treatment, report.addresses, report.why = (
        "folded",
        addresses,
        "" if addresses else "the VPC has no route tables",
    )
    for entry in resource.entries:
        if entry.key == "VpnGatewayId":
            report.properties[entry.key] = make_fate(
                "dropped", code=codes.PROPERTY_WITHOUT_COUNTERPART, why=NOT_IMPLEMENTED
            )
            message = f"{entry.key} of {resource.name} is lost: {NOT_IMPLEMENTED}."
            emission.log.add_diagnostic(codes.PROPERTY_WITHOUT_COUNTERPART, message, entry)
        elif entry.key == "VpcId" or not addresses:
            report.properties[entry.key] = make_fate("implied", why="it selects the routers that get the gateway")
        else:
            report.properties[entry.key] = make_fate(
                "derived", addresses[0], "external_network_id", "the one external network"
            )
