"""Which NICs of a server are given by port, and which need a port resource."""

from __future__ import annotations

from emitters.hcl.resources.writer import Writer
from transpile.model import ir


def is_given_by_port(item: ir.Expr) -> bool:
    """Whether a NIC is given by its port."""
    return isinstance(item, ir.Map) and item.get("port") not in (None, ir.NULL, ir.Lit(""))


def needs_port(item: ir.Expr) -> bool:
    """Whether Heat creates a port for a NIC."""
    return (
        isinstance(item, ir.Map)
        and item.get("port") is None
        and (item.get("subnet") is not None or item.get("port_extra_properties") is not None)
    )


def has_groups_beside_ports(writer: Writer) -> bool:
    """Whether a server has security groups, and some of its NICs are given by port. `allocate_network` needs no NIC."""
    groups, networks = writer.entries.get("security_groups"), writer.entries.get("networks")
    return (
        groups is not None
        and groups.value not in (ir.NULL, ir.Seq(()))
        and networks is not None
        and isinstance(networks.value, ir.Seq)
        and any(map(is_given_by_port, networks.value.items))
        and all(isinstance(item, ir.Map) for item in networks.value.items)
    )
