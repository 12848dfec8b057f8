"""Attributes of existing resources that a data source reads in another form than Heat returns them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from emitters.hcl.lowering import paths
from emitters.hcl.lowering.lowering import HclLowering
from emitters.hcl.tree.nodes import Attr, Cond, Expr, Fn, ForTuple, Index, Object, Op, Traversal
from emitters.hcl.tree.types import BOOL, OBJECT, STRING, STRINGS, TUPLE, HclType, TypedValue
from transpile.model import heat_types, ir

Path: TypeAlias = Sequence[ir.Expr]
Reader: TypeAlias = "Callable[[HclLowering, Expr, Path], TypedValue | None]"
GATEWAY_PARTS = {"network_id": "external_network_id", "enable_snat": "enable_snat"}


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
