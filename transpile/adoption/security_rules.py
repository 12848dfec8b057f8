"""The rules of security groups: those of a template, compared with those that Neutron shows.

Invariant: rules are compared in the form in which Neutron stores them. The default rules of a new group are expected
only if the template has no egress rules, because Heat removes them otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from transpile.adoption.api_comparisons import (
    CannotTell,
    CloudObjects,
    Finding,
    get_field,
    normalize_network,
    require_maps,
)
from transpile.adoption.family import ComparedResource
from transpile.evaluate.interpreter import ABSENT
from transpile.model import heat_types

PROTOCOLS = {"any": None, "": None, "0": None, "6": "tcp", "17": "udp", "1": "icmp", "icmpv6": "ipv6-icmp"}
IPV6 = {"icmp": "ipv6-icmp", "58": "ipv6-icmp"}
ALL_PORTS = ((None, None), (1, 65535))


def compare_security_rules(resource: ComparedResource) -> Iterator[Finding]:
    """The rules of a security group, less those that are resources of their own."""
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
