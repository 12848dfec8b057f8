"""Security group rules in the form in which Neutron stores them.

The provider reads the stored form back, and replaces a rule that was written in another one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from emitters.hcl.resources import stored_forms
from emitters.hcl.tree.nodes import Cond, Expr, Fn, Object, Op
from emitters.hcl.tree.types import literal
from transpile.model import ir

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from emitters.hcl.lowering.lowering import Lowering
    from emitters.hcl.tree.nodes import Block

IPV6 = {"icmp": "ipv6-icmp", "icmpv6": "ipv6-icmp", "1": "58"}  # in rules for IPv6
PORTS = {"port_range_min": 1, "port_range_max": 65535}
ALL_PORTS = "Neutron stores a rule for all ports as a rule without ports"
ICMP = "Neutron's name for ICMP over IPv6"
NOTHING: Mapping[str, ir.Expr] = {}


def rewrite(
    lowering: Lowering, block: Block, given: Mapping[str, ir.Entry], items: Mapping[str, ir.Expr] = NOTHING
) -> Iterator[tuple[str, str]]:
    """Rewrites the arguments of a rule in place. Yields the names of those that changed, and why.

    fields: of the rule in the template. items: the lists whose items replace the placeholders of the rule.
    Example: `protocol = "icmp"` with `ethertype = "IPv6"` becomes `protocol = "ipv6-icmp"`.
    """
    known = {name: evidence(lowering, entry.value, items) for name, entry in given.items()}
    if "protocol" in given and icmp(block, known["protocol"]):
        yield "protocol", ICMP
    if all(name in given for name in PORTS) and all_ports(block, known):
        yield from ((name, ALL_PORTS) for name in PORTS)
    prefix, ethertype = block.argument("remote_ip_prefix"), block.argument("ethertype")
    if "remote_ip_prefix" in given and prefix is not None:
        of = ethertype.value if ethertype is not None else None
        full = stored_forms.with_prefix(given["remote_ip_prefix"].value, prefix.value, known["remote_ip_prefix"], of)
        if full != prefix.value:
            prefix.value = full
            yield "remote_ip_prefix", stored_forms.WORDS["prefix"]


def evidence(lowering: Lowering, expr: ir.Expr, items: Mapping[str, ir.Expr]) -> list[str] | None:
    """The known values of a field, as texts; None if it may have others.

    A field that is a placeholder, `port: "%port%"`, has the values of the list for this placeholder.
    """
    placed = [over for key, over in items.items() if isinstance(expr, ir.Lit) and key in str(expr.value)]
    if len(placed) > 1:  # "%low%-%high%": the values are combinations, which are not made here
        return None
    if not placed:
        return [str(expr.value)] if isinstance(expr, ir.Lit) else stored_forms.evidence(lowering, expr)
    (over,) = placed
    found: list[str] = []
    for item in over.items if isinstance(over, ir.Seq) else (over,):
        known = lowering.unit.traced_values(item)
        if not known:
            return None
        for value in known:
            found += [str(v) for v in (value if isinstance(value, list) else str(value).split(","))]
    return found


def listed(lowering: Lowering, expr: ir.Expr) -> list[dict[str, Any]]:
    """The known rules of a list that Terraform computes: literal ones, and those in known values of parameters. A field
    that is not literal is None.
    """
    found: list[Any] = []
    for one in ir.walk(expr):
        if isinstance(one, ir.Map):
            found.append({e.key: e.value.value if isinstance(e.value, ir.Lit) else None for e in one.entries})
        for value in (lowering.unit.traced_values(one) or ()) if isinstance(one, ir.ParamRef) else ():
            found += value if isinstance(value, list) else [value]
    return [rule for rule in found if isinstance(rule, dict)]


class Listed(NamedTuple):
    """What the rules of a computed list may contain.

    Fields: icmp for rules for IPv6 with a protocol, all_ports for rules for all ports; both are also true if no rule is
    known. addresses: the known prefixes, if any of them is an address without a length; else none.
    """

    icmp: bool
    all_ports: bool
    addresses: list[str]


def may_be(lowering: Lowering, expr: ir.Expr) -> Listed:
    """What must be expected of the rules of a computed list."""
    rules = listed(lowering, expr)
    low, high = PORTS
    prefixes = [str(r["remote_ip_prefix"]) for r in rules if r.get("remote_ip_prefix")]
    return Listed(
        not rules or any(r.get("ethertype", "IPv4") != "IPv4" and r.get("protocol") for r in rules),
        not rules or any(r.get(low, 0) in (1, "1", None) and r.get(high, 0) in (65535, "65535", None) for r in rules),
        prefixes if any("/" not in one for one in prefixes) else [],
    )


def icmp(block: Block, known: list[str] | None) -> bool:
    """Writes Neutron's name of the protocol of a rule for IPv6. Returns whether the argument changed."""
    protocol, ethertype = block.argument("protocol"), block.argument("ethertype")
    if protocol is None or ethertype is None or ethertype.value == "IPv4":
        return False
    value = protocol.value
    if isinstance(value, str):
        shown: Expr = IPV6.get(value, value)
    elif literal(value) or (known is not None and not IPV6.keys() & {k.lower() for k in known}):
        return False
    else:
        shown = Fn("lookup", (Object(tuple(IPV6.items())), value, value))
    if shown == value:
        return False
    six = ethertype.value == "IPv6"
    protocol.value = shown if six else Cond(Op("==", ethertype.value, "IPv6"), shown, value)
    return True


def all_ports(block: Block, known: Mapping[str, list[str] | None]) -> bool:
    """Removes the ports of a rule for all ports, or makes them null if that depends on values that Terraform computes.
    Returns whether it changed the rule.
    """
    low, high = (block.argument(name) for name in PORTS)
    if low is None or high is None or low.value == high.value:  # equal ends are one port, whatever its value is
        return False
    for (name, end), argument in zip(PORTS.items(), (low, high), strict=True):
        values = known[name]
        if argument.value != end and (literal(argument.value) or (values is not None and str(end) not in values)):
            return False
    if literal(low.value) and literal(high.value):
        block.body = [item for item in block.body if item is not low and item is not high]
        return True
    test = Op("&&", Op("==", low.value, PORTS["port_range_min"]), Op("==", high.value, PORTS["port_range_max"]))
    low.value, high.value = Cond(test, None, low.value), Cond(test, None, high.value)
    return True
