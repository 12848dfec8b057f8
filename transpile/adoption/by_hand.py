"""Comparisons that need several objects or resources: rules, routes, NICs, pool members and router interfaces.

Invariant: an object that another resource of the stack has made is no difference, at any depth of nesting. If the IDs
of these resources are not known, the comparison raises CannotTell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from transpile.adoption.api_comparisons import (
    CannotTell,
    CloudObjects,
    Finding,
    are_equal,
    display_value,
    get_field,
    normalize_address,
    normalize_network,
    normalize_route,
    report_set_difference,
    require_list,
    require_map,
    require_maps,
)
from transpile.adoption.family import ComparedResource
from transpile.evaluate.interpreter import ABSENT
from transpile.model import heat_types
from transpile.model.lazy_patterns import compile_lazily

PROTOCOLS = {"any": None, "": None, "0": None, "6": "tcp", "17": "udp", "1": "icmp", "icmpv6": "ipv6-icmp"}
IPV6 = {"icmp": "ipv6-icmp", "58": "ipv6-icmp"}
ALL_PORTS = ((None, None), (1, 65535))

INTERFACE_OWNERS = (
    "network:router_interface",
    "network:router_interface_distributed",
    "network:ha_router_replicated_interface",
)
EXTRA_ROUTE_ID = compile_lazily(
    r"([^:]+):(.+/\d+):(.+)"
)  # the physical ID of an extra route: router, destination, next hop
GATEWAY_ID = compile_lazily(r"([^:]+):(.+)")  # the physical ID of a router gateway
INTERFACE_ID = compile_lazily(r"([^:]+):(subnet_id|port_id)=(.+)")  # the physical ID of a router interface


def compare_gateway(resource: ComparedResource) -> Iterator[Finding]:
    """The gateway of a router: its own property, or a resource RouterGateway."""
    live = require_map(resource.object.get("external_gateway_info") or {})
    network_id = live.get("network_id")
    expected_network, snat = None, None
    if resource.expected not in (ABSENT, None):
        expected_network = get_field(resource.expected, "network") or resource.expected.get("network_id")
        snat = resource.expected.get("enable_snat")
    else:
        expected_network = next(
            (
                rest
                for (rest,) in resource.index.attachment_parts(
                    resource.object_id, GATEWAY_ID, heat_types.NEUTRON_ROUTER_GATEWAY
                )
            ),
            None,
        )
    if expected_network is None and network_id:
        yield Finding(live=f"a gateway to the network {network_id}", added=True)
    elif not resource.objects.is_named("network", network_id, expected_network):
        yield Finding(display_value(expected_network), display_value(network_id))
    elif snat is not None and bool(live.get("enable_snat")) != (str(snat).lower() == "true"):
        yield Finding(f"enable_snat {snat}".lower(), f"enable_snat {live.get('enable_snat')}".lower())


def compare_router_routes(resource: ComparedResource) -> Iterator[Finding]:
    """The routes of a router. Only the resources ExtraRoute and ExtraRouteSet add any."""
    expected: dict[tuple[str, str], Any] = {}
    for destination, hop in resource.index.attachment_parts(
        resource.object_id, EXTRA_ROUTE_ID, heat_types.NEUTRON_EXTRA_ROUTE
    ):
        expected[normalize_network(destination), normalize_address(hop)] = f"{destination} via {hop}"
    for other in resource.index.resources_of_types(heat_types.NEUTRON_EXTRA_ROUTE_SET):
        if other.live.physical_id == resource.object_id:
            expected |= {
                normalize_route(item): format_route(item) for item in require_list(other.evaluate_property("routes"))
            }
    live = {normalize_route(item): format_route(item) for item in require_list(resource.object.get("routes"))}
    yield from report_set_difference(expected, live)


def format_route(route: Mapping[str, Any]) -> str:
    return f"{route.get('destination')} via {route.get('nexthop')}"


def find_extra_interfaces(resource: ComparedResource) -> Iterator[Finding]:
    """The interfaces of a router that no resource has made."""
    managed_interfaces = set(
        resource.index.attachment_parts(resource.object_id, INTERFACE_ID, heat_types.NEUTRON_ROUTER_INTERFACE)
    )
    for port in resource.objects.look_up_rows("port", device_id=resource.object_id):
        if port.get("device_owner") not in INTERFACE_OWNERS:
            continue
        places = {("subnet_id", str(ip.get("subnet_id"))) for ip in require_maps(port.get("fixed_ips"))}
        if not managed_interfaces & {("port_id", str(port.get("id"))), *places}:
            subnets = ", ".join(sorted(place for _, place in places))
            yield Finding(live=f"an interface on the subnet {subnets}", added=True)


def compare_nics(resource: ComparedResource) -> Iterator[Finding]:
    """The ports of a server. Each NIC of the template has one; a port without a NIC was attached later."""
    if resource.expected in (ABSENT, None):
        raise CannotTell("Nova has chosen the networks")
    expected_nics = require_list(resource.expected)
    if any(get_field(nic, "allocate_network") for nic in expected_nics):
        raise CannotTell("Nova has chosen the networks")
    unmatched = list(resource.objects.look_up_rows("port", device_id=resource.object_id))
    for nic in expected_nics:
        match = next((port for port in unmatched if matches_nic(resource.objects, port, nic)), None)
        if match is None:
            yield Finding(expected=f"a NIC with {display_value({k: v for k, v in nic.items() if v})}", missing=True)
        else:
            unmatched.remove(match)
    for port in unmatched:
        text = f"the port {port.get('id')} on the network {port.get('network_id')}"
        yield Finding(live=text, added=True)


def matches_nic(objects: CloudObjects, port: Mapping[str, Any], nic: Mapping[str, Any]) -> bool:
    if name_or_id := nic.get("port"):
        return objects.is_named("port", port.get("id"), name_or_id)
    ips = require_maps(port.get("fixed_ips"))
    if (fixed := nic.get("fixed_ip")) and normalize_address(fixed) not in {
        normalize_address(ip.get("ip_address")) for ip in ips
    }:
        return False
    if subnet := nic.get("subnet"):
        return any(objects.is_named("subnet", ip.get("subnet_id"), subnet) for ip in ips)
    name_or_id = nic.get("network") or nic.get("uuid")
    return bool(name_or_id) and objects.is_named("network", port.get("network_id"), name_or_id)


def compare_server_security_groups(resource: ComparedResource) -> Iterator[Finding]:
    """The security groups of a server whose ports Nova has made. Ports that are resources have their own comparison."""
    networks = resource.paired.evaluate_property("networks")
    if networks not in (ABSENT, None):
        for nic in require_list(networks):
            if get_field(nic, "port") or nic.get("allocate_network"):
                raise CannotTell("ports have security groups of their own")
    template_groups = [] if resource.expected in (ABSENT, None) else require_list(resource.expected)
    ports = resource.objects.look_up_rows("port", device_id=resource.object_id)
    if not ports:
        raise CannotTell("the server has no ports")
    ids = [str(id) for port in ports for id in require_list(port.get("security_groups"))]
    names = {id: str(resource.objects.look_up_object("security group", id).get("name")) for id in dict.fromkeys(ids)}
    expected = [str(group) for group in template_groups] or ["default"]
    for group in expected:
        if group not in names and group not in names.values():
            yield Finding(expected=group, missing=True)
    for id, name in names.items():
        if id not in expected and name not in expected:
            yield Finding(live=f"{id} ({name})", added=True)


def compare_port_security_groups(resource: ComparedResource) -> Iterator[Finding]:
    """The security groups of a port. Without any in the template, Neutron has taken the project's default group."""
    ids = [str(id) for id in require_list(resource.object.get("security_groups"))]
    names = {id: str(resource.objects.look_up_object("security group", id).get("name")) for id in ids}
    if resource.expected is ABSENT:
        expected = ["default"] if resource.object.get("port_security_enabled", True) else []
    else:  # null means an empty list here
        expected = [str(group) for group in require_list(resource.expected)]
    for group in expected:
        if group not in ids and group not in names.values():
            yield Finding(expected=group, missing=True)
    for id, name in names.items():
        if id not in expected and name not in expected:
            yield Finding(live=f"{id} ({name})", added=True)


def compare_floating_ip_port(resource: ComparedResource) -> Iterator[Finding]:
    """The port of a floating IP: its own property, or that of an association."""
    live = resource.object.get("port_id")
    expected_port: Any = None if resource.expected is ABSENT else resource.expected
    for other in resource.index.resources_of_types(heat_types.NEUTRON_FLOATING_IP_ASSOCIATION):
        if other.evaluate_property("floatingip_id") == resource.object_id:
            expected_port = other.evaluate_property("port_id")
    for other in resource.index.resources_of_types(heat_types.NOVA_FLOATING_IP_ASSOCIATION):
        if other.evaluate_property("floating_ip") == resource.object_id:
            raise CannotTell("Nova has chosen the port")
    for server in resource.index.resources_of_types(heat_types.NOVA_SERVER):
        networks = server.evaluate_property("networks")
        if any(
            get_field(nic, "floating_ip") == resource.object_id
            for nic in ([] if networks is ABSENT else require_list(networks))
        ):
            raise CannotTell("Nova has chosen the port")
    expected_port = None if expected_port is ABSENT else expected_port
    if not expected_port and live:
        yield Finding(live=f"an association with the port {live}", added=True)
    elif not resource.objects.is_named("port", live, expected_port):
        yield Finding(display_value(expected_port), display_value(live))


def compare_subports(resource: ComparedResource) -> Iterator[Finding]:
    """The subports of a trunk."""
    unmatched = require_maps(resource.object.get("sub_ports"))
    for expected in [] if resource.expected is ABSENT else require_list(resource.expected):
        port, number = get_field(expected, "port"), expected.get("segmentation_id")
        match = next(
            (
                candidate
                for candidate in unmatched
                if are_equal(candidate.get("segmentation_id"), number)
                and resource.objects.is_named("port", candidate.get("port_id"), port)
            ),
            None,
        )
        if match is None:
            yield Finding(expected=f"the port {port} as {number}", missing=True)
        else:
            unmatched.remove(match)
    for extra in unmatched:
        yield Finding(live=f"the port {extra.get('port_id')} as {extra.get('segmentation_id')}", added=True)


def compare_default_pool(resource: ComparedResource) -> Iterator[Finding]:
    """The default pool of a listener: its own property, or the pool that names the listener."""
    live = resource.object.get("default_pool_id")
    expected_pool: Any = None if resource.expected is ABSENT else resource.expected
    if expected_pool is None:
        for other in resource.index.resources_of_types(heat_types.OCTAVIA_POOL):
            if (listener := other.evaluate_property("listener")) is not ABSENT and listener in (
                resource.object_id,
                resource.object.get("name"),
            ):
                expected_pool = other.live.physical_id
    if not resource.objects.is_named("loadbalancer pool", live, expected_pool):
        yield Finding(display_value(expected_pool), display_value(live))


def find_extra_members(resource: ComparedResource) -> Iterator[Finding]:
    """The members of a pool that no resource has made."""
    managed_ids = resource.index.physical_ids(heat_types.OCTAVIA_POOL_MEMBER)
    for member in require_list(resource.object.get("members")):
        id = str(member.get("id") if isinstance(member, dict) else member)
        if id not in managed_ids:
            yield Finding(live=f"the member {id}", added=True)


def compare_security_rules(resource: ComparedResource) -> Iterator[Finding]:
    """The rules of a security group, except those that are separate resources."""
    live = resource.object.get("security_group_rules")
    if live is None:
        live = resource.objects.look_up_rows("security group rule", security_group_id=resource.object_id)
    own = resource.index.physical_ids(heat_types.NEUTRON_SECURITY_GROUP_RULE)
    unmatched = [rule for rule in require_maps(live) if str(rule.get("id")) not in own]
    template_rules = [] if resource.expected is ABSENT else require_maps(resource.expected)
    expected = [(rule, normalize_rule(rule, resource.object_id)) for rule in template_rules]
    if all(form["direction"] != "egress" for _, form in expected):  # Heat has left the rules that every group has
        for version in ("IPv4", "IPv6"):
            default = {"direction": "egress", "ethertype": version}
            expected.append((default, normalize_rule(default, resource.object_id)))
    for rule, form in expected:
        match = next((candidate for candidate in unmatched if matches_rule(resource.objects, candidate, form)), None)
        if match is None:
            yield Finding(expected=format_rule(rule), missing=True)
        else:
            unmatched.remove(match)
    yield from (Finding(live=format_rule(extra), added=True) for extra in unmatched)


def normalize_rule(rule: Any, group: str) -> dict[str, Any]:
    """A rule of a template, as Neutron stores it."""
    mode = get_field(rule, "remote_mode") or "remote_ip_prefix"
    version = {"ipv6": "IPv6"}.get(str(rule.get("ethertype") or "").lower(), "IPv4")
    return {
        "direction": rule.get("direction") or "ingress",
        "ethertype": version,
        "protocol": normalize_protocol(rule.get("protocol"), version),
        "ports": normalize_port_range(rule.get("port_range_min"), rule.get("port_range_max")),
        "prefix": normalize_network(rule.get("remote_ip_prefix")) if mode == "remote_ip_prefix" else "",
        "group": (rule.get("remote_group_id") or group) if mode == "remote_group_id" else None,
    }


def matches_rule(objects: CloudObjects, live: Mapping[str, Any], expected: Mapping[str, Any]) -> bool:
    version = str(live.get("ethertype"))
    return (
        live.get("direction") == expected["direction"]
        and version == expected["ethertype"]
        and normalize_protocol(live.get("protocol"), version) == expected["protocol"]
        and normalize_port_range(live.get("port_range_min"), live.get("port_range_max")) == expected["ports"]
        and normalize_network(live.get("remote_ip_prefix")) == expected["prefix"]
        and objects.is_named("security group", live.get("remote_group_id"), expected["group"])
    )


def normalize_protocol(value: Any, version: str) -> str | None:
    name = PROTOCOLS.get(str(value or "").lower(), str(value or "").lower())
    return IPV6.get(name, name) if version == "IPv6" and name is not None else name


def normalize_port_range(low: Any, high: Any) -> tuple[int | None, int | None]:
    """A range of ports. All ports (1 to 65535) are the same as no range: `(None, None)`."""
    try:
        port_range = tuple(None if end in (None, "") else int(end) for end in (low, high))
    except (ValueError, TypeError):
        raise CannotTell("a port is no number") from None
    return (None, None) if port_range in ALL_PORTS else (port_range[0], port_range[1])


def format_rule(rule: Mapping[str, Any]) -> str:
    """A rule in a message."""
    words = [str(rule.get("direction") or "ingress")]
    words += [str(rule[key]) for key in ("ethertype", "protocol") if rule.get(key)]
    low, high = rule.get("port_range_min"), rule.get("port_range_max")
    words += [f"{low}-{high}"] if low is not None and low != high else [str(low)] if low is not None else []
    words += [str(rule[key]) for key in ("remote_ip_prefix", "remote_group_id") if rule.get(key)]
    return " ".join(words)


RESOURCE_COMPARISONS: Mapping[str, Callable[[ComparedResource], Iterable[Finding]]] = {
    "rules": compare_security_rules,
    "gateway": compare_gateway,
    "router_routes": compare_router_routes,
    "interfaces": find_extra_interfaces,
    "nics": compare_nics,
    "server_groups": compare_server_security_groups,
    "port_groups": compare_port_security_groups,
    "floating_port": compare_floating_ip_port,
    "default_pool": compare_default_pool,
    "sub_ports": compare_subports,
    "members": find_extra_members,
}
