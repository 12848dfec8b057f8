"""Elastic IPs: floating IPs of the one external network, and their associations.

A reference to an elastic IP is its address. An instance gets the address on its first port, which works only after the
port's subnet has an interface on a router.
"""

from __future__ import annotations

from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import aws_network, finish_hook, floating_ips, property_hook
from emitters.hcl.hooks.aws_instance import PORT, interface_ports
from emitters.hcl.namespace import snake_case
from emitters.hcl.ordering import Wait
from emitters.hcl.resources.arguments import how_written
from emitters.hcl.resources.writer import Writer
from emitters.hcl.resources.written import Written
from emitters.hcl.tree.nodes import Attr, Expr
from emitters.hcl.tree.types import STRING
from transpile.diagnostics import codes
from transpile.model import heat_types, ir

INTERFACE = "The port is reached through the router only once it has this interface"


def find_first_port(writer: Writer, expr: ir.Expr) -> Expr:
    """The port that gets the address: the one in the template, or else the server's only port."""
    emission, lowering = writer.emission, writer.lowering
    name = aws_network.find_native_name(emission, expr, heat_types.AWS_INSTANCE)
    if name:
        instance = emission.unit.template.resources[name]
        interface_list = instance.find_value("NetworkInterfaces", unset=ir.UNSET)
        if interface_list is not None:
            return lowering.lower_expression(interface_ports(interface_list)[0][1], STRING)
        if instance.find_value("SubnetId", unset=ir.UNSET) is not None:
            return Attr(aws_network.extra_resource_address(emission, PORT, name), "id")
    elif aws_network.find_native_name(emission, expr, heat_types.NOVA_SERVER):
        return floating_ips.port_of_server(writer, expr)
    value = lowering.lower_expression(expr, STRING)
    label = snake_case(expr.name) if isinstance(expr, (ir.ResourceRef, ir.ParamRef)) else f"{lowering.scope.owner}_port"
    address = emission.data.find_or_add_source(
        lowering, writer.lookups["port"], ("server", value), {"device_id": value}, label
    )
    return emission.data.attribute_of_source(lowering, address, "id")


@property_hook("elastic_ip_instance")
def write_instance_port(writer: Writer, entry: ir.Entry) -> Written:
    if writer.find_set("NetworkInterfaceId") and not writer.find_set("EIP"):
        return Written.implied(entry.key, "Heat uses the network interface if both are set")
    writer.lowering.lower_value(entry.value)  # records the reference in the report
    return Written.value(entry, "port_id", find_first_port(writer, entry.value), "derived", "the port of the instance")


@property_hook("elastic_ip_port")
def write_address_port(writer: Writer, entry: ir.Entry) -> Written:
    if writer.find_set("EIP"):
        return Written.implied(entry.key, "with EIP, Heat uses only the instance")
    return Written.value(
        entry, "port_id", writer.lowering.lower_expression(entry.value, STRING), how_written(entry.value)
    )


@property_hook("elastic_ip_allocation")
def write_allocated_address(writer: Writer, entry: ir.Entry) -> Written:
    """Writes the address for an ID: the provider requires the address."""
    expr, emission = entry.value, writer.emission
    if aws_network.find_template_subnet(emission.unit.stack, writer.resource) is None:
        if not emission.unit.policy.accepts_differences:
            why = "Heat adds a gateway to the router of the port's VPC, and the port's subnet is not in the template"
            raise CannotSay(codes.KEPT_IN_HEAT, why, expr, avoidable=True)
        message = "Heat adds a gateway to the router of the port's VPC; Terraform does not: the router must have one."
        writer.lowering.differs(codes.ASSOCIATION_WITHOUT_GATEWAY, message, expr)
    if (
        isinstance(expr, ir.AttrRef)
        and expr.path == (ir.Lit("AllocationId"),)
        and emission.unit.plan.is_native(expr.name)
        and emission.unit.stack.types[expr.name] == heat_types.AWS_EIP
    ):
        writer.lowering.lower_value(expr)  # records the attribute in the report
        value = writer.lowering.lower_expression(ir.ResourceRef(expr.name, span=expr.span), STRING)
    else:
        value = floating_ips.lower_floating_address(writer, expr)
    return Written.value(entry, "floating_ip", value, "derived", "the address of the floating IP with this ID")


@finish_hook("elastic_ip")
def finish_address(writer: Writer) -> None:
    """Takes the address from the one external network."""
    floating_ips.finish_pool(writer)
    wait_for_router_interface(writer)


@finish_hook("elastic_ip_association")
def finish_address_association(writer: Writer) -> None:
    wait_for_router_interface(writer)


def wait_for_router_interface(writer: Writer) -> None:
    """Depends on the router interface of the port's subnet."""
    subnet = aws_network.find_template_subnet(writer.emission.unit.stack, writer.resource)
    if subnet is not None and writer.emission.unit.plan.is_native(subnet.name):
        interfaces_of = [
            subnet.name,
            *(a.name for a in aws_network.associations_of_subnet(writer.emission, subnet.name)),
        ]
        writer.emission.ordering.waiting.append(
            Wait(writer.block, writer.resource.name, interfaces_of, "", INTERFACE, True)
        )
