"""Tells the NICs of a server that name a port from those that need a port resource."""

from __future__ import annotations

from emitters.hcl.resources.writer import Writer
from transpile.model import ir


def is_given_by_port(item: ir.Expr) -> bool:
    """Whether a NIC is given by its port."""
    return isinstance(item, ir.Map) and item.value_of("port") not in ir.UNSET


def needs_port(item: ir.Expr) -> bool:
    """Whether Heat creates a port for a NIC."""
    return isinstance(item, ir.Map) and "port" not in item and ("subnet" in item or "port_extra_properties" in item)


def has_groups_beside_ports(writer: Writer) -> bool:
    """Whether a server has security groups, and some of its NICs are given by port. `allocate_network` needs no NIC."""
    networks = ir.items_of(writer.value_of("networks"))
    has_groups = writer.value_of("security_groups") not in ir.UNSET
    return has_groups and any(map(is_given_by_port, networks)) and all(isinstance(item, ir.Map) for item in networks)
