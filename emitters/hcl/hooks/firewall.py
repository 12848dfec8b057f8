"""Hooks of firewalls: an FWaaS v1 firewall as an FWaaS v2 group.

A v1 firewall protects routers: all of the project's if none are named. A v2 group protects ports: here, those of the
interfaces that the template adds to these routers. A group without ports protects nothing, so such a firewall stays
with Heat.
"""

from __future__ import annotations

from operator import itemgetter

from emitters.hcl.errors import CannotSay, only_at_run_time
from emitters.hcl.hooks import finish_hook, property_hook
from emitters.hcl.plan.planner import ConversionPlan, dependent_resources, resources_by_type
from emitters.hcl.resources.arguments import how_written
from emitters.hcl.resources.handles import NativeHandle
from emitters.hcl.resources.writer import Writer
from emitters.hcl.resources.written import Written, join_written
from emitters.hcl.tree.nodes import Attr, Expr, Fn, Index, Splat, Traversal, Tuple
from emitters.hcl.tree.types import STRING
from transpile.diagnostics import codes
from transpile.model import heat_types, ir
from transpile.resolve import graph

ROUTERS = "router_ids"


@property_hook("firewall_policy")
def write_firewall_policy(writer: Writer, entry: ir.Entry) -> Written:
    """Writes the policy for both directions."""
    value = writer.lowering.lower_expression(entry.value, STRING)
    ingress = Written.value(entry, "ingress_firewall_policy_id", value, how_written(entry.value))
    return ingress + Written.argument("egress_firewall_policy_id", value)


@property_hook("firewall_routers")
def record_firewall_routers(writer: Writer, entry: ir.Entry) -> Written:
    """The fates of value_specs. The finish hook determines the ports."""
    if not isinstance(entry.value, ir.Map):
        raise only_at_run_time("the routers that the firewall protects are", entry.value, writer.resource.name)
    why, ports = "FWaaS v2 groups have no equivalent", "the ports of these routers' interfaces"
    return join_written(
        Written.fate(f"{entry.key}.{field.key}", "ports", "derived", ports)
        if field.key == ROUTERS
        else writer.drop_property(field, codes.PROPERTY_WITHOUT_COUNTERPART, why, entry.key)
        for field in entry.value.entries
    )


def protected_routers(writer: Writer) -> tuple[ir.Expr, ...] | None:
    """The routers that the firewall protects. None means all routers of the project."""
    specs = writer.value_of("value_specs")
    listed = specs.value_of(ROUTERS) if isinstance(specs, ir.Map) else ir.NULL
    if listed == ir.NULL:
        return None
    if not isinstance(listed, ir.Seq):
        raise only_at_run_time("the routers that the firewall protects are", listed, writer.resource.name)
    return listed.items


def interfaces_by_router(plan: ConversionPlan) -> dict[ir.Expr, list[tuple[int, ir.Resource]]]:
    """Router interfaces by router, each with its position in the template."""
    interfaces: dict[ir.Expr, list[tuple[int, ir.Resource]]] = {}
    for place, interface in enumerate(plan.get_index(resources_by_type).get(heat_types.NEUTRON_ROUTER_INTERFACE, ())):
        if (router := interface.find_property("router", "router_id")) is not None:
            interfaces.setdefault(router, []).append((place, interface))
    return interfaces


@finish_hook("firewall")
def finish_firewall(writer: Writer) -> None:
    """Writes the ports of the interfaces that the template adds to the routers."""
    emission, resource = writer.emission, writer.resource
    chosen = protected_routers(writer)
    met: set[ir.Expr] = set()
    later = graph.reachable_nodes(
        emission.unit.plan.get_index(dependent_resources), [resource.name]
    )  # waits for the firewall
    plain: list[Expr] = []
    optional: list[Expr] = []
    interfaces = emission.unit.plan.get_index(interfaces_by_router)
    routers_of = dict.fromkeys(chosen) if chosen is not None else interfaces
    for _, interface in sorted(
        (pair for router in routers_of for pair in interfaces.get(router, ())), key=itemgetter(0)
    ):
        name, router = interface.name, interface.find_property("router", "router_id")
        assert router is not None
        handle = emission.handles[name] if emission.unit.plan.is_native(name) else None
        if not isinstance(handle, NativeHandle) or name in later:
            why = f"the port of {name} does not exist when the firewall is created"
            raise CannotSay(codes.KEPT_IN_HEAT, why, resource.name_span, resource.name)
        met.add(router)
        base = Traversal(handle.address)
        if not handle.counted:
            plain.append(Attr(base, "port_id"))
        elif interface.is_conditional and writer.lowering.is_assumed(interface.condition):
            plain.append(Attr(Index(base, 0), "port_id"))
        else:
            optional.append(Attr(Splat(base), "port_id"))
    if any(router not in met for router in chosen or ()) or not met:
        why = "FWaaS v2 protects ports, and only Neutron knows the ports of these routers"
        raise CannotSay(codes.KEPT_IN_HEAT, why, resource.name_span, resource.name)
    listed: Expr = Tuple(tuple(plain))
    writer.block.add_argument("ports", Fn("concat", (listed, *optional)) if optional else listed)
