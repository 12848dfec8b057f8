"""Dependencies that Heat's plug-ins add, and that Terraform would not infer.

The easy rule to break: only where both ends stand in the template, and only what no reference says already (that is
looked at when `depends_on` is written). Where Heat cannot tell (a server that has only a port waits for every subnet)
the port's own dependency is enough.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from transpile import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from transpile.link import Stack


def given(resource: ir.Resource, *names: str) -> ir.Expr | None:
    properties = resource.properties
    if properties is None:
        return None
    return next((found for name in names if (found := properties.get(name)) is not None), None)


def same(one: ir.Expr | None, two: ir.Expr | None) -> bool:
    """Whether two properties mean the same thing, as far as the text tells."""
    return one is not None and one == two and not isinstance(one, (ir.Seq, ir.Map))


def networks_of(resource: ir.Resource) -> list[ir.Expr]:
    listed = given(resource, "networks")
    items = listed.items if isinstance(listed, ir.Seq) else ()
    return [
        n for item in items if isinstance(item, ir.Map) and (n := item.get("network") or item.get("uuid")) is not None
    ]


def dependencies(stack: Stack) -> Iterator[tuple[str, str, str]]:
    """Who needs whom, and why, in the order of the template (SEMANTICS: dependencies added by plug-ins)."""
    kinds = stack.types
    resources = stack.template.resources
    by_kind: dict[str, list[ir.Resource]] = {}
    for name, kind in kinds.items():
        by_kind.setdefault(kind, []).append(resources[name])
    subnets = by_kind.get("OS::Neutron::Subnet", [])
    interfaces = by_kind.get("OS::Neutron::RouterInterface", [])
    gateways = by_kind.get("OS::Neutron::RouterGateway", []) + [
        r for r in by_kind.get("OS::Neutron::Router", []) if given(r, "external_gateway_info") is not None
    ]
    in_network: dict[ir.Expr, list[ir.Resource]] = {}
    for subnet in subnets:
        network = given(subnet, "network", "network_id")
        if network is not None and not isinstance(network, (ir.Seq, ir.Map)):
            in_network.setdefault(network, []).append(subnet)
    if not in_network and not interfaces and not gateways:
        return
    why = "Heat makes the subnets of a network before what is plugged into it"
    for name, kind in kinds.items():
        resource = resources[name]
        if kind == "OS::Neutron::Port":
            network = given(resource, "network", "network_id")
            for subnet in in_network.get(network, []) if network is not None else []:
                yield name, subnet.name, why
        elif kind == "OS::Nova::Server":
            if not isinstance(given(resource, "networks"), (ir.Seq, type(None))):
                for subnet in subnets:  # nothing tells which
                    yield name, subnet.name, "Heat makes all subnets before a server whose networks it cannot tell"
            for network in networks_of(resource):
                for subnet in in_network.get(network, []):
                    yield name, subnet.name, why
        elif kind == "OS::Neutron::Router":
            info = given(resource, "external_gateway_info")
            network = info.get("network") if isinstance(info, ir.Map) else None
            for subnet in in_network.get(network, []) if network is not None else []:
                yield name, subnet.name, "Heat makes the subnets of a network before the gateway in it"
        elif kind in ("OS::Neutron::FloatingIP", "OS::Neutron::FloatingIPAssociation"):
            yield from floating(name, resource, stack, subnets, interfaces, gateways)


def floating(
    name: str,
    resource: ir.Resource,
    stack: Stack,
    subnets: list[ir.Resource],
    interfaces: list[ir.Resource],
    gateways: list[ir.Resource],
) -> Iterator[tuple[str, str, str]]:
    """A floating IP needs the router's interface in the subnet of its port, and the router's gateway in its own
    network.
    """
    outside = given(resource, "floating_network", "floating_network_id")
    for gateway in gateways:
        info = given(gateway, "external_gateway_info")
        network = (
            given(gateway, "network", "network_id")
            if info is None
            else info.get("network")
            if isinstance(info, ir.Map)
            else None
        )
        if same(network, outside):
            yield name, gateway.name, "Heat makes the router's gateway before an address of its network"
    port = given(resource, "port_id")
    if not isinstance(port, ir.ResourceRef) or stack.types.get(port.name) != "OS::Neutron::Port":
        return
    plug = stack.template.resources[port.name]
    listed = given(plug, "fixed_ips")
    wanted = [
        s
        for item in (listed.items if isinstance(listed, ir.Seq) else ())
        if isinstance(item, ir.Map) and (s := item.get("subnet") or item.get("subnet_id")) is not None
    ]
    network = given(plug, "network", "network_id")
    if not wanted:
        wanted = [ir.ResourceRef(s.name) for s in subnets if same(given(s, "network", "network_id"), network)]
    for interface in interfaces:
        subnet = given(interface, "subnet", "subnet_id")
        if any(same(subnet, one) for one in wanted):
            yield name, interface.name, "The port is reached through the router only once it has this interface"
