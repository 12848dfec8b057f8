"""Dependencies that Heat's plug-ins add and that Terraform would not infer.

Invariant: both resources are in the template. Whether a reference implies the dependency already is checked when
`depends_on` is written. Where Heat has to over-approximate (a server with only a port waits for every subnet), the
port's own dependency is enough.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from transpile.model import heat_types, ir
from transpile.model.records import replace
from transpile.resolve.groups import members, passed_on

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from transpile.resolve.stack import Stack


def given(resource: ir.Resource, *names: str) -> ir.Expr | None:
    properties = resource.properties
    if properties is None:
        return None
    return next((found for name in names if (found := properties.get(name)) is not None), None)


FLOATING = (
    heat_types.NEUTRON_FLOATING_IP,
    heat_types.NEUTRON_FLOATING_IP_ASSOCIATION,
    heat_types.NEUTRON_FLOATING_IP_PORT_FORWARD,
)
PLUGGED = (heat_types.NEUTRON_PORT, heat_types.NOVA_SERVER)
BARE = "A port that is created before the subnets of its network has no address"
Found = dict[ir.Expr, list[ir.Resource]]


def by(resources: Iterable[ir.Resource], what: Callable[[ir.Resource], ir.Expr | None]) -> Found:
    """Resources indexed by a property, compared as written."""
    out: Found = {}
    for resource in resources:
        key = what(resource)
        if key is not None and not isinstance(key, (ir.Seq, ir.Map)):
            out.setdefault(key, []).append(resource)
    return out


def network_of(resource: ir.Resource) -> ir.Expr | None:
    """The network of a port, a subnet or a gateway."""
    info = given(resource, "external_gateway_info")
    if info is None:
        return given(resource, "network", "network_id")
    return info.get("network") if isinstance(info, ir.Map) else None


def networks_of(resource: ir.Resource) -> list[ir.Expr]:
    listed = given(resource, "networks")
    items = listed.items if isinstance(listed, ir.Seq) else ()
    return [
        n for item in items if isinstance(item, ir.Map) and (n := item.get("network") or item.get("uuid")) is not None
    ]


def dependencies(stack: Stack, *, exact: bool = False) -> Iterator[tuple[str, str, str]]:
    """Triples of resource, dependency and reason, in template order. `exact`: those of Heat, including its
    over-approximations, and no others.
    """
    kinds = stack.types
    resources = stack.template.resources
    by_kind: dict[str, list[ir.Resource]] = {}
    for name, kind in kinds.items():
        by_kind.setdefault(kind, []).append(resources[name])
    subnets = by_kind.get(heat_types.NEUTRON_SUBNET, [])
    interfaces = by_kind.get(heat_types.NEUTRON_ROUTER_INTERFACE, [])
    gateways = by_kind.get(heat_types.NEUTRON_ROUTER_GATEWAY, []) + [
        r for r in by_kind.get(heat_types.NEUTRON_ROUTER, []) if given(r, "external_gateway_info") is not None
    ]
    in_network = by(subnets, network_of)
    into = by(interfaces, lambda i: given(i, "subnet", "subnet_id"))
    of_router = by(
        interfaces + by_kind.get(heat_types.NEUTRON_ROUTER_GATEWAY, []), lambda i: given(i, "router", "router_id")
    )
    outward = by(gateways, network_of)
    sharing = {} if exact else by(by_kind.get(heat_types.NEUTRON_RBAC_POLICY, []), lambda r: given(r, "object_id"))
    if not in_network and not interfaces and not gateways and not sharing:
        return
    why = "Heat creates the subnets of a network before its ports"
    within = {} if exact or not in_network else networks_within(stack, in_network)
    for name, kind in kinds.items():
        resource = resources[name]
        if sharing and (policy := given(resource, "qos_policy")) is not None:
            for rbac in sharing.get(policy, ()):
                yield name, rbac.name, "Neutron does not remove what shares a QoS policy that is in use"
        for inner in within.get(name, ()):
            for subnet in in_network[inner]:
                yield name, subnet.name, BARE
        if kind == heat_types.NEUTRON_PORT:
            network = network_of(resource)
            for subnet in in_network.get(network, []) if network is not None else []:
                yield name, subnet.name, why
        elif kind == heat_types.NOVA_SERVER:
            if not isinstance(given(resource, "networks"), (ir.Seq, type(None))):
                for subnet in subnets:  # which of them is unknown
                    yield name, subnet.name, "Heat creates all subnets before a server whose networks are unknown"
            nics = given(resource, "networks")
            if exact and isinstance(nics, ir.Seq) and len(networks_of(resource)) < len(nics.items):
                for subnet in subnets:
                    yield name, subnet.name, "Heat creates all subnets before a server that has a port"
            for network in networks_of(resource):
                for subnet in in_network.get(network, []):
                    yield name, subnet.name, why
        elif kind == heat_types.NEUTRON_ROUTER:
            info = given(resource, "external_gateway_info")
            network = info.get("network") if isinstance(info, ir.Map) else None
            for subnet in in_network.get(network, []) if network is not None else []:
                yield name, subnet.name, "Heat creates the subnets of a network before a gateway in it"
        elif kind in FLOATING and not (exact and kind.endswith("Association")):
            yield from floating(resource, stack, in_network, into, outward)
        elif kind in (heat_types.NEUTRON_EXTRA_ROUTE, heat_types.NEUTRON_EXTRA_ROUTE_SET):
            router = given(resource, "router", "router_id")
            for interface in of_router.get(router, []) if router is not None else []:
                if (
                    kind == heat_types.NEUTRON_EXTRA_ROUTE
                    or kinds[interface.name] == heat_types.NEUTRON_ROUTER_INTERFACE
                ):
                    yield name, interface.name, "The next hop must be in a network that the router is connected to"


def networks_within(stack: Stack, in_network: Found) -> dict[str, list[ir.Expr]]:
    """The networks of this template in which members of a group, or resources of a nested stack, may have ports, by the
    resource that contains them. Heat does not wait for their subnets, but takes longer to create a nested stack.
    """
    found: dict[str, list[ir.Expr]] = {}
    for name, kind in stack.types.items():
        resource = stack.template.resources[name]
        for written, _, _ in members(resource, kind):
            if stack.type_of(written) in PLUGGED:
                member = replace(resource, properties=passed_on(resource, written))
                one = network_of(member)
                networks = [*networks_of(member), *([one] if one is not None else [])]
                found.setdefault(name, []).extend(n for n in networks if n in in_network)
    has_ports: dict[tuple[str, int], bool] = {}
    for (name, written), nested in stack.nested.items():
        key = nested.file, id(nested.stack.registry)
        if key not in has_ports:
            has_ports[key] = plugs(nested.stack)
        properties = passed_on(stack.template.resources[name], written)
        if has_ports[key] and properties is not None:
            found.setdefault(name, []).extend(
                e.value for e in properties.entries if isinstance(e.value, ir.ResourceRef) and e.value in in_network
            )
    return found


def plugs(stack: Stack, depth: int = 8) -> bool:
    """Whether a stack, or one nested in it, has ports."""
    if any(kind in PLUGGED for kind in stack.types.values()):
        return True
    named = ((stack.template.resources[name], kind) for name, kind in stack.types.items())
    if any(stack.type_of(word) in PLUGGED for resource, kind in named for word, _, _ in members(resource, kind)):
        return True
    return depth > 0 and any(plugs(nested.stack, depth - 1) for nested in stack.nested.values())


def floating(
    resource: ir.Resource, stack: Stack, in_network: Found, into: Found, outward: Found
) -> Iterator[tuple[str, str, str]]:
    """A floating IP depends on the router's interface in its port's subnet, and on the router's gateway in its own
    network.
    """
    outside = given(resource, "floating_network", "floating_network_id")
    for gateway in outward.get(outside, ()) if outside is not None else ():
        yield resource.name, gateway.name, "Heat creates the gateway of a router before a floating IP in its network"
    port = given(resource, "port_id", "internal_port")
    if not isinstance(port, ir.ResourceRef) or stack.types.get(port.name) != heat_types.NEUTRON_PORT:
        return
    plug = stack.template.resources[port.name]
    listed, network = given(plug, "fixed_ips"), network_of(plug)
    wanted = [
        s
        for item in (listed.items if isinstance(listed, ir.Seq) else ())
        if isinstance(item, ir.Map) and (s := item.get("subnet") or item.get("subnet_id")) is not None
    ]
    if not wanted and network is not None:
        wanted = [ir.ResourceRef(subnet.name) for subnet in in_network.get(network, ())]
    found = {interface.name: interface for subnet in wanted for interface in into.get(subnet, ())}
    for interface in sorted(found.values(), key=lambda i: i.at):
        yield resource.name, interface.name, "The floating IP can reach the port only through this router interface"
