"""Lists, for the report, the rules of security groups that let everybody in, with their places in the templates.

A linter sees a rule whose source is written as `0.0.0.0/0`, and no rule without a source, which means the same.

Invariant: a rule is listed only if it lets everybody in where it exists. The text has no value of a hidden parameter.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping

from emitters.hcl.assemble.origin import base_name
from emitters.hcl.emission import Emission
from emitters.hcl.tree.nodes import Argument, Block, Expr, Traversal
from transpile.model import ir

KIND = "openstack_networking_secgroup_rule_v2"
GROUPS = ("remote_group_id", "remote_address_group_id")
SOURCE = "remote_ip_prefix"
WITH_PORTS = ("tcp", "udp", "sctp", "dccp", "udplite")


def list_open_rules(emission: Emission) -> list[dict[str, str]]:
    """The rules of one directory: the address of each, the traffic that it lets in, and its place."""
    entries = []
    source = emission.unit.template.source
    module = emission.unit.module
    for block in emission.blocks.main:
        if not isinstance(block, Block) or block.type != "resource" or block.labels[0] != KIND:
            continue
        arguments = {item.name: item.value for item in block.body if isinstance(item, Argument)}
        if why := explain_open_rule(emission, arguments):
            address = emission.blocks.written_address(block)
            address = address if module.is_root else f"{module.folder}: {address}"
            line = source.start_and_end(block)[0]
            place = f"{base_name(source.name) or source.name}:{line}"
            entries.append({"address": address, "what": f"{describe_traffic(arguments)}, {why}", "place": place})
    return entries


def explain_open_rule(emission: Emission, arguments: Mapping[str, Expr]) -> str:
    """Why a rule lets everybody in; empty if it does not, or if that is not known."""
    if arguments.get("direction") != "ingress" or any(arguments.get(name) is not None for name in GROUPS):
        return ""
    value = arguments.get(SOURCE)
    if value is None:
        return "without a source"
    if isinstance(value, str):
        return f"from {value}" if is_everywhere(value) else ""
    if isinstance(value, Traversal) and value.parts[0] == "var" and len(value.parts) == 2:
        known = find_known_value(emission, value.parts[1])
        if is_everywhere(known):
            return f"from {known}, the value of {'.'.join(value.parts)}"
    return ""


def find_known_value(emission: Emission, label: str) -> str:
    """The value of a variable that is written to a file; empty if there is none."""
    unit = emission.unit
    name = emission.symbols.parameters_by_variable.get(label, "")
    parameter = unit.template.parameters.get(name)
    if parameter is None or parameter.hidden:
        return ""
    if unit.module.is_root and name in unit.stack.bindings:
        return str(unit.stack.bindings[name].value)
    return str(parameter.default.value) if isinstance(parameter.default, ir.Lit) else ""


def is_everywhere(prefix: str) -> bool:
    """Whether a prefix has all addresses, however it is spelled."""
    try:
        return ipaddress.ip_network(prefix, strict=False).prefixlen == 0
    except ValueError:
        return False


def describe_traffic(arguments: Mapping[str, Expr]) -> str:
    """The traffic that a rule lets in, in words: a protocol, and its ports if they are known."""
    protocol, low, high = (arguments.get(name) for name in ("protocol", "port_range_min", "port_range_max"))
    if protocol is None:
        return "all traffic"
    if not isinstance(protocol, str):
        return "a protocol that is computed"
    if protocol not in WITH_PORTS:
        return protocol
    if isinstance(low, int) and isinstance(high, int):
        return f"{protocol} {low}" if low == high else f"{protocol} {low} to {high}"
    return f"{protocol} on all ports" if low is None and high is None else f"{protocol} on ports that are computed"
