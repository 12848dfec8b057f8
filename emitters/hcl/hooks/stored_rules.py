"""Security group rules in the form in which Neutron stores them.

The provider reads the stored form back, and replaces a rule that was written in another one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from emitters.hcl.lowering.lowering import HclLowering
from emitters.hcl.resources import stored_forms
from emitters.hcl.tree.nodes import Block, Cond, Expr, Fn, Object, Op
from emitters.hcl.tree.types import is_scalar_literal
from transpile.model import ir

IPV6 = {"icmp": "ipv6-icmp", "icmpv6": "ipv6-icmp", "1": "58"}  # in rules for IPv6
PORTS = {"port_range_min": 1, "port_range_max": 65535}
ALL_PORTS = "Neutron stores a rule for all ports as a rule without ports"
ICMP = "Neutron's name for ICMP over IPv6"
NOTHING: Mapping[str, ir.Expr] = {}


def rewrite_rule(
    lowering: HclLowering, block: Block, fields: Mapping[str, ir.Entry], items: Mapping[str, ir.Expr] = NOTHING
) -> Iterator[tuple[str, str]]:
    """Rewrites the arguments of a rule in place. Yields the names of those that changed, and why.

    fields: of the rule in the template. items: the lists whose items replace the placeholders of the rule.
    Example: `protocol = "icmp"` with `ethertype = "IPv6"` becomes `protocol = "ipv6-icmp"`.
    """
    values_by_field = {name: field_values(lowering, entry.value, items) for name, entry in fields.items()}
    if "protocol" in fields and rewrite_icmp(block, values_by_field["protocol"]):
        yield "protocol", ICMP
    if all(name in fields for name in PORTS) and drop_full_port_range(block, values_by_field):
        yield from ((name, ALL_PORTS) for name in PORTS)
    prefix, ethertype = block.find_argument("remote_ip_prefix"), block.find_argument("ethertype")
    if "remote_ip_prefix" in fields and prefix is not None:
        of = ethertype.value if ethertype is not None else None
        full = stored_forms.with_prefix(
            fields["remote_ip_prefix"].value, prefix.value, values_by_field["remote_ip_prefix"], of
        )
        if full != prefix.value:
            prefix.value = full
            yield "remote_ip_prefix", stored_forms.WORDS["prefix"]


def field_values(lowering: HclLowering, expr: ir.Expr, items: Mapping[str, ir.Expr]) -> list[str] | None:
    """The known values of a field, as texts; None if it may have others.

    A field that is a placeholder, `port: "%port%"`, has the values of the list for this placeholder.
    """
    placed = [over for key, over in items.items() if isinstance(expr, ir.Lit) and key in str(expr.value)]
    if len(placed) > 1:  # "%low%-%high%": the values are combinations, which are not made here
        return None
    if not placed:
        return [str(expr.value)] if isinstance(expr, ir.Lit) else stored_forms.traced_texts(lowering, expr)
    (over,) = placed
    texts: list[str] = []
    for item in over.items if isinstance(over, ir.Seq) else (over,):
        values = lowering.unit.traced_values(item)
        if not values:
            return None
        for value in values:
            texts += [str(v) for v in (value if isinstance(value, list) else str(value).split(","))]
    return texts


def list_known_rules(lowering: HclLowering, expr: ir.Expr) -> list[dict[str, Any]]:
    """The known rules of a list that Terraform computes: literal ones, and those in known values of parameters. A field
    that is not literal is None.
    """
    rules: list[Any] = []
    for expression in ir.walk(expr):
        if isinstance(expression, ir.Map):
            rules.append({e.key: e.value.value if isinstance(e.value, ir.Lit) else None for e in expression.entries})
        for value in (lowering.unit.traced_values(expression) or ()) if isinstance(expression, ir.ParamRef) else ():
            rules += value if isinstance(value, list) else [value]
    return [rule for rule in rules if isinstance(rule, dict)]


class PossibleRules(NamedTuple):
    """The forms of rules that a computed list may contain.

    Fields: icmp for rules for IPv6 with a protocol, all_ports for rules for all ports; both are also true if no rule is
    known. prefixes: the known ones.
    """

    icmp: bool
    all_ports: bool
    prefixes: list[str]


def summarize_rules(lowering: HclLowering, expr: ir.Expr) -> PossibleRules:
    """The forms of rules that a computed list may contain, by its known values; all of them if no rule is known."""
    rules = list_known_rules(lowering, expr)
    low, high = PORTS
    return PossibleRules(
        not rules or any(r.get("ethertype", "IPv4") != "IPv4" and r.get("protocol") for r in rules),
        not rules or any(r.get(low, 0) in (1, "1", None) and r.get(high, 0) in (65535, "65535", None) for r in rules),
        [str(r["remote_ip_prefix"]) for r in rules if r.get("remote_ip_prefix")],
    )


def rewrite_icmp(block: Block, protocols: list[str] | None) -> bool:
    """Writes Neutron's name of the protocol of a rule for IPv6. Returns whether the argument changed."""
    protocol, ethertype = block.find_argument("protocol"), block.find_argument("ethertype")
    if protocol is None or ethertype is None or ethertype.value == "IPv4":
        return False
    value = protocol.value
    if isinstance(value, str):
        stored_protocol: Expr = IPV6.get(value, value)
    elif is_scalar_literal(value) or (protocols is not None and not IPV6.keys() & {k.lower() for k in protocols}):
        return False
    else:
        stored_protocol = Fn("lookup", (Object(tuple(IPV6.items())), value, value))
    if stored_protocol == value:
        return False
    six = ethertype.value == "IPv6"
    protocol.value = stored_protocol if six else Cond(Op("==", ethertype.value, "IPv6"), stored_protocol, value)
    return True


def drop_full_port_range(block: Block, values_by_field: Mapping[str, list[str] | None]) -> bool:
    """Removes the ports of a rule for all ports, or makes them null if that depends on values that Terraform computes.
    Returns whether it changed the rule.
    """
    low, high = (block.find_argument(name) for name in PORTS)
    if (
        low is None or high is None or low.value == high.value
    ):  # equal ends are one port, also if its value is not known
        return False
    for (name, end), argument in zip(PORTS.items(), (low, high), strict=True):
        values = values_by_field[name]
        if argument.value != end and (
            is_scalar_literal(argument.value) or (values is not None and str(end) not in values)
        ):
            return False
    if is_scalar_literal(low.value) and is_scalar_literal(high.value):
        block.body = [item for item in block.body if item is not low and item is not high]
        return True
    test = Op("&&", Op("==", low.value, PORTS["port_range_min"]), Op("==", high.value, PORTS["port_range_max"]))
    low.value, high.value = Cond(test, None, low.value), Cond(test, None, high.value)
    return True
