"""Dependencies that Heat's plug-ins add and that Terraform would not infer.

Invariant: both resources are in the template. Whether a reference implies the dependency already is checked when
`depends_on` is written. Where Heat has to over-approximate (a server with only a port waits for every subnet), the
port's own dependency is enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import final

from transpile.model import heat_types, ir
from transpile.model.records import replace
from transpile.resolve.groups import member_types, nested_parameter_values
from transpile.resolve.stack import Stack

FLOATING = (
    heat_types.NEUTRON_FLOATING_IP,
    heat_types.NEUTRON_FLOATING_IP_ASSOCIATION,
    heat_types.NEUTRON_FLOATING_IP_PORT_FORWARD,
)
PLUGGED = (heat_types.NEUTRON_PORT, heat_types.NOVA_SERVER)
BARE = "A port that is created before the subnets of its network has no address"


@final
class ResourcesByValue:
    """Resources by a property, compared as written. exact: an `if` is one value; else each branch is."""

    def __init__(
        self, resources: Iterable[ir.Resource], find_value: Callable[[ir.Resource], ir.Expr | None], *, exact: bool
    ) -> None:
        self.exact = exact
        self.by_value: dict[ir.Expr, list[ir.Resource]] = {}
        for resource in resources:
            for key in self.split(find_value(resource)):
                self.by_value.setdefault(key, []).append(resource)

    def split(self, expr: ir.Expr | None) -> Iterator[ir.Expr]:
        """The values that an expression may have."""
        if isinstance(expr, ir.If) and not self.exact:
            yield from self.split(expr.then)
            yield from self.split(expr.orelse)
        elif expr is not None and not isinstance(expr, (ir.Seq, ir.Map)):
            yield expr

    def find(self, expr: ir.Expr | None) -> list[ir.Resource]:
        """The resources whose property may have the value of an expression."""
        return [resource for value in self.split(expr) for resource in self.by_value.get(value, ())]


def find_network(resource: ir.Resource) -> ir.Expr | None:
    """The network of a port, a subnet or a gateway."""
    info = resource.find_property("external_gateway_info")
    if info is None:
        return resource.find_property("network", "network_id")
    return info.get("network") if isinstance(info, ir.Map) else None


def find_server_networks(resource: ir.Resource) -> list[ir.Expr]:
    listed = resource.find_property("networks")
    items = listed.items if isinstance(listed, ir.Seq) else ()
    return [
        n for item in items if isinstance(item, ir.Map) and (n := item.get("network") or item.get("uuid")) is not None
    ]


def find_implicit_dependencies(stack: Stack, *, exact: bool = False) -> Iterator[tuple[str, str, str]]:
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
        r for r in by_kind.get(heat_types.NEUTRON_ROUTER, []) if r.find_property("external_gateway_info") is not None
    ]
    in_network = ResourcesByValue(subnets, find_network, exact=exact)
    into = ResourcesByValue(interfaces, lambda i: i.find_property("subnet", "subnet_id"), exact=exact)
    of_router = ResourcesByValue(
        interfaces + by_kind.get(heat_types.NEUTRON_ROUTER_GATEWAY, []),
        lambda i: i.find_property("router", "router_id"),
        exact=exact,
    )
    outward = ResourcesByValue(gateways, find_network, exact=exact)
    policies = [] if exact else by_kind.get(heat_types.NEUTRON_RBAC_POLICY, [])
    sharing = ResourcesByValue(policies, lambda r: r.find_property("object_id"), exact=exact)
    if not subnets and not interfaces and not gateways and not policies:
        return
    why = "Heat creates the subnets of a network before its ports"
    within = {} if exact or not subnets else networks_within(stack, in_network)
    for name, kind in kinds.items():
        resource = resources[name]
        for rbac in sharing.find(resource.find_property("qos_policy")):
            yield name, rbac.name, "Neutron does not remove the sharing of a QoS policy in use"
        for inner in within.get(name, ()):
            for subnet in in_network.find(inner):
                yield name, subnet.name, BARE
        if kind == heat_types.NEUTRON_PORT:
            for subnet in in_network.find(find_network(resource)):
                yield name, subnet.name, why
        elif kind == heat_types.NOVA_SERVER:
            if not isinstance(resource.find_property("networks"), (ir.Seq, type(None))):
                for subnet in subnets:  # which of them is unknown
                    yield name, subnet.name, "Heat creates all subnets before a server whose networks are unknown"
            nics = resource.find_property("networks")
            if exact and isinstance(nics, ir.Seq) and len(find_server_networks(resource)) < len(nics.items):
                for subnet in subnets:
                    yield name, subnet.name, "Heat creates all subnets before a server that has a port"
            for network in find_server_networks(resource):
                for subnet in in_network.find(network):
                    yield name, subnet.name, why
        elif kind == heat_types.NEUTRON_ROUTER:
            info = resource.find_property("external_gateway_info")
            for subnet in in_network.find(info.get("network") if isinstance(info, ir.Map) else None):
                yield name, subnet.name, "Heat creates the subnets of a network before a gateway in it"
        elif kind in FLOATING and not (exact and kind.endswith("Association")):
            yield from find_floating_ip_dependencies(resource, stack, in_network, into, outward)
        elif kind in (heat_types.NEUTRON_EXTRA_ROUTE, heat_types.NEUTRON_EXTRA_ROUTE_SET):
            for interface in of_router.find(resource.find_property("router", "router_id")):
                if (
                    kind == heat_types.NEUTRON_EXTRA_ROUTE
                    or kinds[interface.name] == heat_types.NEUTRON_ROUTER_INTERFACE
                ):
                    yield name, interface.name, "The next hop must be in a network that the router is connected to"


def networks_within(stack: Stack, in_network: ResourcesByValue) -> dict[str, list[ir.Expr]]:
    """The networks of this template in which members of a group, or resources of a nested stack, may have ports, by the
    resource that contains them. Heat does not wait for their subnets, but takes longer to create a nested stack.
    """
    networks_by_resource: dict[str, list[ir.Expr]] = {}
    for name, kind in stack.types.items():
        resource = stack.template.resources[name]
        for written, _, _ in member_types(resource, kind):
            if stack.canonical_type(written) in PLUGGED:
                member = replace(resource, properties=nested_parameter_values(resource, written))
                network = find_network(member)
                networks = [*find_server_networks(member), *([network] if network is not None else [])]
                networks_by_resource.setdefault(name, []).extend(n for n in networks if in_network.find(n))
    has_ports: dict[tuple[str, int], bool] = {}
    for (name, written), nested in stack.nested.items():
        key = nested.file, id(nested.stack.registry)
        if key not in has_ports:
            has_ports[key] = contains_ports(nested.stack)
        properties = nested_parameter_values(stack.template.resources[name], written)
        if has_ports[key]:
            values = (value for entry in properties.entries for value in in_network.split(entry.value))
            networks_by_resource.setdefault(name, []).extend(
                value for value in values if isinstance(value, ir.ResourceRef) and in_network.find(value)
            )
    return networks_by_resource


def contains_ports(stack: Stack, depth: int = 8) -> bool:
    """Whether a stack, or one nested in it, has ports."""
    if any(kind in PLUGGED for kind in stack.types.values()):
        return True
    named = ((stack.template.resources[name], kind) for name, kind in stack.types.items())
    if any(
        stack.canonical_type(word) in PLUGGED for resource, kind in named for word, _, _ in member_types(resource, kind)
    ):
        return True
    return depth > 0 and any(contains_ports(nested.stack, depth - 1) for nested in stack.nested.values())


def find_floating_ip_dependencies(
    resource: ir.Resource, stack: Stack, in_network: ResourcesByValue, into: ResourcesByValue, outward: ResourcesByValue
) -> Iterator[tuple[str, str, str]]:
    """A floating IP depends on the router's interface in its port's subnet, and on the router's gateway in its own
    network.
    """
    outside = resource.find_property("floating_network", "floating_network_id")
    for gateway in outward.find(outside):
        yield resource.name, gateway.name, "Heat creates the gateway of a router before a floating IP in its network"
    interfaces: dict[str, ir.Resource] = {}
    for port in into.split(resource.find_property("port_id", "internal_port")):
        if not isinstance(port, ir.ResourceRef) or stack.types.get(port.name) != heat_types.NEUTRON_PORT:
            continue
        plug = stack.template.resources[port.name]
        subnets = list(find_port_subnets(plug, into)) or [
            ir.ResourceRef(subnet.name) for subnet in in_network.find(find_network(plug))
        ]
        interfaces |= {interface.name: interface for subnet in subnets for interface in into.find(subnet)}
    for interface in sorted(interfaces.values(), key=lambda i: i.at):
        yield resource.name, interface.name, "The floating IP can reach the port only through this router interface"


def find_port_subnets(port: ir.Resource, into: ResourcesByValue) -> Iterator[ir.Expr]:
    """The subnets of the addresses that a port is given."""
    listed = port.find_property("fixed_ips")
    branches = [listed.then, listed.orelse] if isinstance(listed, ir.If) and not into.exact else [listed]
    for branch in branches:
        for item in branch.items if isinstance(branch, ir.Seq) else ():
            subnet = item.get("subnet") or item.get("subnet_id") if isinstance(item, ir.Map) else None
            if subnet is not None:
                yield subnet
