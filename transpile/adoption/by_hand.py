"""Comparisons that need more than one object or resource: rules, routes, NICs, members and interfaces added by hand.

Invariant: what another resource of the stack has made is no difference, wherever in the stack it is. If it is not known
what these resources have made, there is no comparison.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, final

from transpile.adoption.api_comparisons import CannotTell, Finding, address, field, listed, network, route, sets, shown
from transpile.evaluate.interpreter import ABSENT
from transpile.evaluate.pure import EvaluationError
from transpile.model.records import node

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from transpile.adoption.api_comparisons import Objects
    from transpile.adoption.live import LiveResource
    from transpile.adoption.live_fields import Field
    from transpile.stack_evaluation.evaluation import Evaluation

INTERFACES = (
    "network:router_interface",
    "network:router_interface_distributed",
    "network:ha_router_replicated_interface",
)
ROUTE = re.compile(r"([^:]+):(.+/\d+):(.+)")  # the physical ID of an extra route: router, destination, next hop
PORT_OF = re.compile(r"([^:]+):(subnet_id|port_id)=(.+)")  # the physical ID of a router interface
PROTOCOLS = {"any": None, "": None, "0": None, "6": "tcp", "17": "udp", "1": "icmp", "icmpv6": "ipv6-icmp"}
IPV6 = {"icmp": "ipv6-icmp", "58": "ipv6-icmp"}
EVERY = ((None, None), (1, 65535))


@final
@node
class Member:
    """A resource of the stack or of a stack inside, with what evaluates its properties."""

    path: tuple[str, ...]
    type: str
    evaluation: Evaluation
    live: LiveResource

    @property
    def name(self) -> str:
        return self.path[-1]

    def property(self, key: str) -> Any:
        """A property by its name or an alias of it; ABSENT if the template does not set it. Raises CannotTell."""
        schema = self.evaluation.facts(self.name).get("properties", {})
        for name in (key, *(other for other, facts in schema.items() if facts.get("alias") == key)):
            try:
                found = self.evaluation.property(self.name, name)
            except EvaluationError:
                raise CannotTell("a value of the template is not known") from None
            if found is not ABSENT:
                return found
        return ABSENT


@final
class Family:
    """All resources of a stack and the stacks inside."""

    def __init__(self, members: Iterable[Member]) -> None:
        self.of_type: dict[str, list[Member]] = {}
        for one in members:
            self.of_type.setdefault(one.type, []).append(one)

    def find(self, *types: str) -> list[Member]:
        return [one for kind in types for one in self.of_type.get(kind, ())]

    def ids(self, *types: str) -> set[str | None]:
        return {one.live.physical_id for one in self.find(*types)}

    def beside(self, id: str, form: re.Pattern[str], *types: str) -> Iterator[tuple[str, ...]]:
        """The parts of the physical IDs of resources that Heat made on an object and that have no ID of their own."""
        for one in self.find(*types):
            found = form.fullmatch(one.live.physical_id or "")
            if found is None:
                raise CannotTell("the physical ID of another resource is missing")
            if found[1] == id:
                yield found.groups()[1:]


@final
@node
class Subject:
    """A resource whose field is compared. `given`: the property; ABSENT if the template does not set it, None if it is
    null there. `object`: the object of the API.
    """

    member: Member
    field: Field
    given: Any
    object: Mapping[str, Any]
    family: Family
    objects: Objects

    @property
    def id(self) -> str:
        return str(self.object.get("id"))


def rules(one: Subject) -> Iterator[Finding]:
    """The rules of a security group, less those that are resources of their own."""
    live = one.object.get("security_group_rules")
    if live is None:
        live = one.objects.ask("security group rule", security_group_id=one.id)
    own = one.family.ids("OS::Neutron::SecurityGroupRule")
    left = [rule for rule in live if rule.get("id") not in own]
    given = [] if one.given is ABSENT else listed(one.given)
    wanted = [(rule, wanted_rule(rule, one.id)) for rule in given]
    if all(form["direction"] != "egress" for _, form in wanted):  # Heat has left the rules that every group has
        for version in ("IPv4", "IPv6"):
            default = {"direction": "egress", "ethertype": version}
            wanted.append((default, wanted_rule(default, one.id)))
    for rule, form in wanted:
        found = next((had for had in left if is_rule(one.objects, had, form)), None)
        if found is None:
            yield Finding(given=rule_text(rule), missing=True)
        else:
            left.remove(found)
    yield from (Finding(live=rule_text(extra), added=True) for extra in left)


def wanted_rule(rule: Any, group: str) -> dict[str, Any]:
    """A rule of a template, as Neutron stores it."""
    mode = field(rule, "remote_mode") or "remote_ip_prefix"
    version = {"ipv6": "IPv6"}.get(str(rule.get("ethertype") or "").lower(), "IPv4")
    return {
        "direction": rule.get("direction") or "ingress",
        "ethertype": version,
        "protocol": protocol(rule.get("protocol"), version),
        "ports": ports(rule.get("port_range_min"), rule.get("port_range_max")),
        "prefix": network(rule.get("remote_ip_prefix")) if mode == "remote_ip_prefix" else "",
        "group": (rule.get("remote_group_id") or group) if mode == "remote_group_id" else None,
    }


def is_rule(objects: Objects, live: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    version = str(live.get("ethertype"))
    return (
        live.get("direction") == wanted["direction"]
        and version == wanted["ethertype"]
        and protocol(live.get("protocol"), version) == wanted["protocol"]
        and ports(live.get("port_range_min"), live.get("port_range_max")) == wanted["ports"]
        and network(live.get("remote_ip_prefix")) == wanted["prefix"]
        and objects.is_named("security group", live.get("remote_group_id"), wanted["group"])
    )


def protocol(value: Any, version: str) -> str | None:
    said = PROTOCOLS.get(str(value or "").lower(), str(value or "").lower())
    return IPV6.get(said, said) if version == "IPv6" and said is not None else said


def ports(low: Any, high: Any) -> tuple[int | None, int | None]:
    """A range of ports; all of them are the same as none."""
    try:
        found = tuple(None if end in (None, "") else int(end) for end in (low, high))
    except (ValueError, TypeError):
        raise CannotTell("a port is no number") from None
    return (None, None) if found in EVERY else (found[0], found[1])


def rule_text(rule: Mapping[str, Any]) -> str:
    """A rule in a message."""
    said = [str(rule.get("direction") or "ingress")]
    said += [str(rule[key]) for key in ("ethertype", "protocol") if rule.get(key)]
    low, high = rule.get("port_range_min"), rule.get("port_range_max")
    said += [f"{low}-{high}"] if low is not None and low != high else [str(low)] if low is not None else []
    said += [str(rule[key]) for key in ("remote_ip_prefix", "remote_group_id") if rule.get(key)]
    return " ".join(said)


def gateway(one: Subject) -> Iterator[Finding]:
    """The gateway of a router: its own property, or a resource RouterGateway."""
    live = one.object.get("external_gateway_info") or {}
    has = live.get("network_id")
    wanted, snat = None, None
    if one.given not in (ABSENT, None):
        wanted = field(one.given, "network") or one.given.get("network_id")
        snat = one.given.get("enable_snat")
    else:
        wanted = next((rest for (rest,) in one.family.beside(one.id, GATEWAY, "OS::Neutron::RouterGateway")), None)
    if wanted is None and has:
        yield Finding(live=f"a gateway to the network {has}", added=True)
    elif not one.objects.is_named("network", has, wanted):
        yield Finding(shown(wanted), shown(has))
    elif snat is not None and bool(live.get("enable_snat")) != (str(snat).lower() == "true"):
        yield Finding(f"enable_snat {snat}".lower(), f"enable_snat {live.get('enable_snat')}".lower())


GATEWAY = re.compile(r"([^:]+):(.+)")  # the physical ID of a router gateway


def routes(one: Subject) -> Iterator[Finding]:
    """The routes of a router: those of the resources that add some."""
    wanted: dict[tuple[str, str], Any] = {}
    for destination, hop in one.family.beside(one.id, ROUTE, "OS::Neutron::ExtraRoute"):
        wanted[network(destination), address(hop)] = f"{destination} via {hop}"
    for other in one.family.find("OS::Neutron::ExtraRouteSet"):
        if other.live.physical_id == one.id:
            wanted |= {route(item): text_of(item) for item in listed(other.property("routes"))}
    live = {route(item): text_of(item) for item in listed(one.object.get("routes"))}
    yield from sets(wanted, live)


def text_of(item: Mapping[str, Any]) -> str:
    return f"{item.get('destination')} via {item.get('nexthop')}"


def interfaces(one: Subject) -> Iterator[Finding]:
    """The interfaces of a router that no resource has made."""
    known = set(one.family.beside(one.id, PORT_OF, "OS::Neutron::RouterInterface"))
    for port in one.objects.ask("port", device_id=one.id):
        if port.get("device_owner") not in INTERFACES:
            continue
        places = {("subnet_id", str(ip.get("subnet_id"))) for ip in port.get("fixed_ips") or ()}
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
    ips = port.get("fixed_ips") or ()
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
    for other in one.family.find("OS::Neutron::FloatingIPAssociation"):
        if other.property("floatingip_id") == one.id:
            wanted = other.property("port_id")
    for other in one.family.find("OS::Nova::FloatingIPAssociation"):
        if other.property("floating_ip") == one.id:
            raise CannotTell("Nova has chosen the port")
    for server in one.family.find("OS::Nova::Server"):
        networks = server.property("networks")
        if any(field(nic, "floating_ip") == one.id for nic in ([] if networks is ABSENT else listed(networks))):
            raise CannotTell("Nova has chosen the port")
    wanted = None if wanted is ABSENT else wanted
    if not wanted and live:
        yield Finding(live=f"an association with the port {live}", added=True)
    elif not one.objects.is_named("port", live, wanted):
        yield Finding(shown(wanted), shown(live))


def default_pool(one: Subject) -> Iterator[Finding]:
    """The default pool of a listener: its own property, or the pool that names the listener."""
    live = one.object.get("default_pool_id")
    wanted: Any = None if one.given is ABSENT else one.given
    if wanted is None:
        for other in one.family.find("OS::Octavia::Pool"):
            if (listener := other.property("listener")) is not ABSENT and listener in (one.id, one.object.get("name")):
                wanted = other.live.physical_id
    if not one.objects.is_named("loadbalancer pool", live, wanted):
        yield Finding(shown(wanted), shown(live))


def members(one: Subject) -> Iterator[Finding]:
    """The members of a pool that no resource has made."""
    known = one.family.ids("OS::Octavia::PoolMember")
    for member in listed(one.object.get("members")):
        id = member.get("id") if isinstance(member, dict) else member
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
    "members": members,
}
