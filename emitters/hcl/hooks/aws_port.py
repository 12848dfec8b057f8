"""AWS::EC2::NetworkInterface, and other ports in a subnet that is given by ID.

Heat accepts only IDs of subnets here, and takes the network from the subnet. An empty list of groups means no groups;
null means the default group.
"""

from __future__ import annotations

from emitters.hcl.hooks import attribute_hook, finish_hook, property_hook
from emitters.hcl.hooks.aws_network import find_native_name
from emitters.hcl.hooks.names import write_names
from emitters.hcl.lowering.data_sources import with_attribute
from emitters.hcl.namespace import snake_case
from emitters.hcl.resources.arguments import how_written
from emitters.hcl.resources.handles import AttributeRead, Selector
from emitters.hcl.resources.writer import Writer
from emitters.hcl.resources.written import Written
from emitters.hcl.tree.nodes import Attr, Expr, Index, Traversal
from emitters.hcl.tree.types import STRING, TypedValue
from transpile.model import heat_types, ir


def network_of_subnet_id(writer: Writer, expr: ir.Expr) -> Expr:
    """The network of a subnet given by ID."""
    emission, lowering = writer.emission, writer.lowering
    subnet_id = lowering.lower_expression(expr, STRING)
    if find_native_name(emission, expr, heat_types.AWS_SUBNET, heat_types.NEUTRON_SUBNET) and isinstance(
        subnet_id, (Attr, Traversal)
    ):
        return with_attribute(subnet_id, "network_id")
    label = (
        snake_case(expr.name) if isinstance(expr, (ir.ParamRef, ir.ResourceRef)) else f"{lowering.scope.owner}_subnet"
    )
    address = emission.data.find_or_add_source(
        lowering, writer.lookups["subnet"], ("id", subnet_id), {"subnet_id": subnet_id}, label
    )
    return emission.data.attribute_of_source(lowering, address, "network_id")


@property_hook("interface_subnet")
def write_interface_subnet(writer: Writer, entry: ir.Entry) -> Written:
    """Writes the network. The finish hook writes the subnet with the address."""
    network = Written.argument("network_id", network_of_subnet_id(writer, entry.value))
    return network + Written.fate(entry.key, "fixed_ip.0.subnet_id", how_written(entry.value))


@property_hook("interface_groups")
def write_interface_groups(writer: Writer, entry: ir.Entry) -> Written:
    """Writes security groups. An empty list means no groups."""
    if entry.value == ir.NULL:
        return Written.implied(entry.key, "null means the default group, in Heat and in Terraform")
    if entry.value == ir.Seq(()):
        return Written.value(entry, "no_security_groups", True, "derived", "an empty list means no security groups")
    return write_names(writer, entry, "security_group_ids", "security_group", "id")


@property_hook("interface_address")
def record_interface_address(_: Writer, entry: ir.Entry) -> Written:
    return Written.fate(entry.key, "fixed_ip.0.ip_address", how_written(entry.value))


@finish_hook("interface")
def finish_interface(writer: Writer) -> None:
    """Writes the subnet and the address."""
    subnet, address = writer.entries["SubnetId"], writer.find_set("PrivateIpAddress")
    block = writer.block.add_block("fixed_ip", where=subnet)
    block.add_argument("subnet_id", writer.lowering.lower_expression(subnet.value, STRING), subnet)
    if address is not None:
        block.add_argument("ip_address", writer.lowering.lower_expression(address.value, STRING), address)


@attribute_hook("interface_private_address")
def read_interface_address(read: AttributeRead) -> Selector:
    return lambda base: TypedValue(Index(Attr(base, "all_fixed_ips"), 0), STRING)
