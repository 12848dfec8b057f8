"""The rules of security groups: those of a template, compared with those that Neutron shows.

Invariant: rules are compared in the form in which Neutron stores them. The rules that every group has count only if the
template has no egress rules, for Heat removes them otherwise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from transpile.adoption.api_comparisons import CannotTell, Finding, field, maps, network
from transpile.evaluate.interpreter import ABSENT
from transpile.model import heat_types

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from transpile.adoption.api_comparisons import Objects
    from transpile.adoption.family import Subject

PROTOCOLS = {"any": None, "": None, "0": None, "6": "tcp", "17": "udp", "1": "icmp", "icmpv6": "ipv6-icmp"}
IPV6 = {"icmp": "ipv6-icmp", "58": "ipv6-icmp"}
EVERY = ((None, None), (1, 65535))


def rules(one: Subject) -> Iterator[Finding]:
    """The rules of a security group, less those that are resources of their own."""
    live = one.object.get("security_group_rules")
    if live is None:
        live = one.objects.ask("security group rule", security_group_id=one.id)
    own = one.family.ids(heat_types.NEUTRON_SECURITY_GROUP_RULE)
    left = [rule for rule in maps(live) if str(rule.get("id")) not in own]
    given = [] if one.given is ABSENT else maps(one.given)
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
