"""AWS::EC2::NetworkInterface, and other ports in a subnet that is given by ID.

Heat accepts only IDs of subnets here, and takes the network from the subnet. An empty list of groups means no groups;
null means the default group.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emitters.hcl.hooks import attribute_hook, finish_hook, property_hook
from emitters.hcl.hooks.aws_network import own
from emitters.hcl.hooks.server import listed
from emitters.hcl.lowering.data_sources import with_attribute
from emitters.hcl.namespace import snake
from emitters.hcl.resources.arguments import how_written
from emitters.hcl.tree.nodes import Attr, Expr, Index, Name
from emitters.hcl.tree.types import STRING, Value
from transpile.model import heat_types, ir
from transpile.report import fate

if TYPE_CHECKING:
    from emitters.hcl.lowering.lowering import Lowering
    from emitters.hcl.resources.handles import Native, Select
    from emitters.hcl.resources.writer import Writer
    from emitters.hcl.tables.mapping import Rule


def how_of(expr: ir.Expr) -> str:
    """The fate of a value that is written unchanged."""
    return how_written(expr)


def network_of_subnet(writer: Writer, expr: ir.Expr) -> Expr:
    """The network of a subnet given by ID."""
    emission, lowering = writer.emission, writer.lowering
    found = lowering.expr(expr, STRING)
    if own(emission, expr, heat_types.AWS_SUBNET, heat_types.NEUTRON_SUBNET) and isinstance(found, (Attr, Name)):
        return with_attribute(found, "network_id")
    label = snake(expr.name) if isinstance(expr, (ir.ParamRef, ir.ResourceRef)) else f"{lowering.scope.owner}_subnet"
    address = emission.data.source(lowering, writer.lookups["subnet"], ("id", found), {"subnet_id": found}, label)
    return emission.data.attribute(lowering, address, "network_id")


@property_hook("interface_subnet")
def interface_subnet(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """Writes the network. The finish hook writes the subnet with the address."""
    writer.block.set("network_id", network_of_subnet(writer, entry.value))
    writer.is_value(entry.key, "fixed_ip.0.subnet_id", how_of(entry.value))


@property_hook("interface_groups")
def interface_groups(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """Writes security groups. An empty list means no groups."""
    if entry.value == ir.NULL:
        writer.fate(entry.key, fate("implied", why="null means the default group, in Heat and in Terraform"))
        return
    if entry.value == ir.Seq(()):
        writer.block.set("no_security_groups", True, entry)
        writer.is_value(entry.key, "no_security_groups", "derived", why="an empty list means no security groups")
        return
    lookup = writer.lookups["security_group"]
    value, hows = writer.emission.data.many(writer.lowering, entry.value, lookup, "id", "security_group")
    writer.block.set("security_group_ids", value.expr, entry)
    listed(writer, entry, "security_group_ids", hows)


@property_hook("interface_address")
def interface_address(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    if entry.value in (ir.NULL, ir.Lit("")):
        writer.fate(entry.key, fate("implied", why="the default is any address of the subnet"))
    else:
        writer.is_value(entry.key, "fixed_ip.0.ip_address", how_of(entry.value))


@finish_hook("interface")
def finish(writer: Writer) -> None:
    """Writes the subnet and the address."""
    subnet, address = writer.given["SubnetId"], writer.given.get("PrivateIpAddress")
    block = writer.block.block("fixed_ip", where=subnet)
    block.set("subnet_id", writer.lowering.expr(subnet.value, STRING), subnet)
    if address is not None and address.value not in (ir.NULL, ir.Lit("")):
        block.set("ip_address", writer.lowering.expr(address.value, STRING), address)


@attribute_hook("interface_private_address")
def interface_private_address(lowering: Lowering, native: Native, ref: ir.AttrRef, rest: tuple[ir.Expr, ...]) -> Select:
    return lambda base: Value(Index(Attr(base, "all_fixed_ips"), 0), STRING)
