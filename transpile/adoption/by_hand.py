"""Comparisons that need more than one object or resource: routes, NICs, members and interfaces added by hand.

Invariant: what another resource of the stack has made is no difference, wherever in the stack it is. If it is not known
what these resources have made, there is no comparison.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from transpile.adoption.api_comparisons import (
    CannotTell,
    Finding,
    address,
    equal,
    field,
    listed,
    mapped,
    maps,
    network,
    route,
    sets,
    shown,
)
from transpile.adoption.security_rules import rules
from transpile.evaluate.interpreter import ABSENT
from transpile.model import heat_types

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from transpile.adoption.api_comparisons import Objects
    from transpile.adoption.family import Subject

INTERFACES = (
    "network:router_interface",
    "network:router_interface_distributed",
    "network:ha_router_replicated_interface",
)
ROUTE = re.compile(r"([^:]+):(.+/\d+):(.+)")  # the physical ID of an extra route: router, destination, next hop
GATEWAY = re.compile(r"([^:]+):(.+)")  # the physical ID of a router gateway
PORT_OF = re.compile(r"([^:]+):(subnet_id|port_id)=(.+)")  # the physical ID of a router interface


def gateway(one: Subject) -> Iterator[Finding]:
    """The gateway of a router: its own property, or a resource RouterGateway."""
    live = mapped(one.object.get("external_gateway_info") or {})
    has = live.get("network_id")
    wanted, snat = None, None
    if one.given not in (ABSENT, None):
        wanted = field(one.given, "network") or one.given.get("network_id")
        snat = one.given.get("enable_snat")
    else:
        wanted = next((rest for (rest,) in one.family.beside(one.id, GATEWAY, heat_types.NEUTRON_ROUTER_GATEWAY)), None)
    if wanted is None and has:
        yield Finding(live=f"a gateway to the network {has}", added=True)
    elif not one.objects.is_named("network", has, wanted):
        yield Finding(shown(wanted), shown(has))
    elif snat is not None and bool(live.get("enable_snat")) != (str(snat).lower() == "true"):
        yield Finding(f"enable_snat {snat}".lower(), f"enable_snat {live.get('enable_snat')}".lower())


def routes(one: Subject) -> Iterator[Finding]:
    """The routes of a router: those of the resources that add some."""
    wanted: dict[tuple[str, str], Any] = {}
    for destination, hop in one.family.beside(one.id, ROUTE, heat_types.NEUTRON_EXTRA_ROUTE):
        wanted[network(destination), address(hop)] = f"{destination} via {hop}"
    for other in one.family.find(heat_types.NEUTRON_EXTRA_ROUTE_SET):
        if other.live.physical_id == one.id:
            wanted |= {route(item): text_of(item) for item in listed(other.property("routes"))}
    live = {route(item): text_of(item) for item in listed(one.object.get("routes"))}
    yield from sets(wanted, live)


def text_of(item: Mapping[str, Any]) -> str:
    return f"{item.get('destination')} via {item.get('nexthop')}"


def interfaces(one: Subject) -> Iterator[Finding]:
    """The interfaces of a router that no resource has made."""
    known = set(one.family.beside(one.id, PORT_OF, heat_types.NEUTRON_ROUTER_INTERFACE))
    for port in one.objects.ask("port", device_id=one.id):
        if port.get("device_owner") not in INTERFACES:
            continue
        places = {("subnet_id", str(ip.get("subnet_id"))) for ip in maps(port.get("fixed_ips"))}
        if not known & {("port_id", str(port.get("id"))), *places}:
            subnets = ", ".join(sorted(place for _, place in places))
            yield Finding(live=f"an interface on the subnet {subnets}", added=True)


def nics(one: Subject) -> Iterator[Finding]:
    """The ports of a server. Each NIC of the template has one; a port without a NIC was attached later."""
    if one.given in (ABSENT, None):
        raise CannotTell("Nova has chosen the networks")
    given = listed(one.given)
    if any(field(nic, "allocate_network") for nic in given):
        raise CannotTell("Nova has chosen the networks")
    left = list(one.objects.ask("port", device_id=one.id))
    for nic in given:
        found = next((port for port in left if is_nic(one.objects, port, nic)), None)
        if found is None:
            yield Finding(given=f"a NIC with {shown({k: v for k, v in nic.items() if v})}", missing=True)
        else:
            left.remove(found)
    for port in left:
        text = f"the port {port.get('id')} on the network {port.get('network_id')}"
        yield Finding(live=text, added=True)


def is_nic(objects: Objects, port: Mapping[str, Any], nic: Mapping[str, Any]) -> bool:
    if wanted := nic.get("port"):
        return objects.is_named("port", port.get("id"), wanted)
    ips = maps(port.get("fixed_ips"))
    if (fixed := nic.get("fixed_ip")) and address(fixed) not in {address(ip.get("ip_address")) for ip in ips}:
        return False
    if subnet := nic.get("subnet"):
        return any(objects.is_named("subnet", ip.get("subnet_id"), subnet) for ip in ips)
    wanted = nic.get("network") or nic.get("uuid")
    return bool(wanted) and objects.is_named("network", port.get("network_id"), wanted)


def server_groups(one: Subject) -> Iterator[Finding]:
    """The security groups of a server whose ports are its own; ports of the template are compared by themselves."""
    networks = one.member.property("networks")
    if networks not in (ABSENT, None):
        for nic in listed(networks):
            if field(nic, "port") or nic.get("allocate_network"):
                raise CannotTell("ports have security groups of their own")
    given = [] if one.given in (ABSENT, None) else listed(one.given)
    ports = one.objects.ask("port", device_id=one.id)
    if not ports:
        raise CannotTell("the server has no ports")
    ids = [str(id) for port in ports for id in listed(port.get("security_groups"))]
    known = {id: str(one.objects.one("security group", id).get("name")) for id in dict.fromkeys(ids)}
    wanted = [str(group) for group in given] or ["default"]
    for group in wanted:
        if group not in known and group not in known.values():
            yield Finding(given=group, missing=True)
    for id, name in known.items():
        if id not in wanted and name not in wanted:
            yield Finding(live=f"{id} ({name})", added=True)


def port_groups(one: Subject) -> Iterator[Finding]:
    """The security groups of a port. Without any in the template, Neutron has taken the project's default group."""
    ids = [str(id) for id in listed(one.object.get("security_groups"))]
    names = {id: str(one.objects.one("security group", id).get("name")) for id in ids}
    if one.given is ABSENT:
        wanted = ["default"] if one.object.get("port_security_enabled", True) else []
    else:  # null means an empty list here
        wanted = [str(group) for group in listed(one.given)]
    for group in wanted:
        if group not in ids and group not in names.values():
            yield Finding(given=group, missing=True)
    for id, name in names.items():
        if id not in wanted and name not in wanted:
            yield Finding(live=f"{id} ({name})", added=True)


def floating_port(one: Subject) -> Iterator[Finding]:
    """The port of a floating IP: its own property, or that of an association."""
    live = one.object.get("port_id")
    wanted: Any = None if one.given is ABSENT else one.given
    for other in one.family.find(heat_types.NEUTRON_FLOATING_IP_ASSOCIATION):
        if other.property("floatingip_id") == one.id:
            wanted = other.property("port_id")
    for other in one.family.find(heat_types.NOVA_FLOATING_IP_ASSOCIATION):
        if other.property("floating_ip") == one.id:
            raise CannotTell("Nova has chosen the port")
    for server in one.family.find(heat_types.NOVA_SERVER):
        networks = server.property("networks")
        if any(field(nic, "floating_ip") == one.id for nic in ([] if networks is ABSENT else listed(networks))):
            raise CannotTell("Nova has chosen the port")
    wanted = None if wanted is ABSENT else wanted
    if not wanted and live:
        yield Finding(live=f"an association with the port {live}", added=True)
    elif not one.objects.is_named("port", live, wanted):
        yield Finding(shown(wanted), shown(live))


def sub_ports(one: Subject) -> Iterator[Finding]:
    """The subports of a trunk."""
    left = maps(one.object.get("sub_ports"))
    for wanted in [] if one.given is ABSENT else listed(one.given):
        port, number = field(wanted, "port"), wanted.get("segmentation_id")
        found = next(
            (
                had
                for had in left
                if equal(had.get("segmentation_id"), number) and one.objects.is_named("port", had.get("port_id"), port)
            ),
            None,
        )
        if found is None:
            yield Finding(given=f"the port {port} as {number}", missing=True)
        else:
            left.remove(found)
    for extra in left:
        yield Finding(live=f"the port {extra.get('port_id')} as {extra.get('segmentation_id')}", added=True)


def default_pool(one: Subject) -> Iterator[Finding]:
    """The default pool of a listener: its own property, or the pool that names the listener."""
    live = one.object.get("default_pool_id")
    wanted: Any = None if one.given is ABSENT else one.given
    if wanted is None:
        for other in one.family.find(heat_types.OCTAVIA_POOL):
            if (listener := other.property("listener")) is not ABSENT and listener in (one.id, one.object.get("name")):
                wanted = other.live.physical_id
    if not one.objects.is_named("loadbalancer pool", live, wanted):
        yield Finding(shown(wanted), shown(live))


def members(one: Subject) -> Iterator[Finding]:
    """The members of a pool that no resource has made."""
    known = one.family.ids(heat_types.OCTAVIA_POOL_MEMBER)
    for member in listed(one.object.get("members")):
        id = str(member.get("id") if isinstance(member, dict) else member)
        if id not in known:
            yield Finding(live=f"the member {id}", added=True)


BY_HAND: Mapping[str, Callable[[Subject], Iterable[Finding]]] = {
    "rules": rules,
    "gateway": gateway,
    "router_routes": routes,
    "interfaces": interfaces,
    "nics": nics,
    "server_groups": server_groups,
    "port_groups": port_groups,
    "floating_port": floating_port,
    "default_pool": default_pool,
    "sub_ports": sub_ports,
    "members": members,
}
