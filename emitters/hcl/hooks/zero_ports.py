"""Ports of security group rules, of which the provider does not send those that are 0.

In a rule for ICMP, the ports are a type and a code. The provider requires both, and does not send 0: a type with the
code 0 is a rule for all codes of the type, and the type 0 one for all of ICMP. Invariant: without a preference, a rule
lets in the same traffic as in Heat; with one, a diagnostic says what else it lets in.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from emitters.hcl.errors import CannotSay
from emitters.hcl.lowering import paths
from emitters.hcl.resources.arguments import may_have_value
from emitters.hcl.resources.writer import Writer
from emitters.hcl.resources.written import PathFate
from emitters.hcl.tree.nodes import Cond, Expr, Fn, Not, Op
from emitters.hcl.tree.types import NUMBER, STRING
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.model.span import Located

LOW, HIGH = "port_range_min", "port_range_max"
ICMP = ("icmp", "icmpv6", "ipv6-icmp", "1", "58")
PORTED = ("tcp", "udp", "dccp", "sctp", "udplite", "6", "17", "33", "132", "136")
# types of ICMP that have no code but 0
ONE_CODE = {False: (8, 10, 13, 14, 15, 16, 17, 18), True: (128, 129, 130, 131, 132, 133, 134, 135, 136)}
UNSENT = "the provider never sends {name} = 0, so it would have no effect"
FIRST = "no packet has the port 0"
OPEN = "the provider does not send 0, which leaves the code open"


class Port(NamedTuple):
    """A port as an argument; None for an argument that is left out. why: why it is not as in the template."""

    value: Expr
    why: str = ""


class Zeros(NamedTuple):
    """The corrections that the known rules of a computed list need. begins_at_zero: port 1 in place of 0. lacks_code: a
    code in place of null.
    """

    begins_at_zero: bool
    lacks_code: bool

    def rewrite_ports(self, icmp: Expr, low: Expr, high: Expr) -> tuple[Expr, Expr]:
        """The ports of an item of the list, in Terraform. icmp: whether the rule is for ICMP."""
        code = Cond(Op("&&", icmp, Op("==", high, None)), Cond(Op("==", low, None), None, 0), high)
        first = Cond(Op("&&", Not(icmp), Op("==", Fn("try", (Fn("tostring", (low,)), "")), "0")), 1, low)
        return first if self.begins_at_zero else low, code if self.lacks_code else high


def summarize_zeros(writer: Writer, expr: ir.Expr) -> Zeros:
    """The corrections for a computed list, from its parameters' values: nothing else is known of the list."""
    begins_at_zero = lacks_code = False
    for part in ir.walk(expr):
        for value in paths.values_of_parameter(writer.lowering, part) if isinstance(part, ir.ParamRef) else ():
            for item in value if isinstance(value, list) else [value]:
                known = item.items() if isinstance(item, dict) else ()
                fields = {
                    key: ir.Entry(key, ir.Lit(each, part.span), part.at) for key, each in known if is_scalar(each)
                }
                lowered = lower_ports(writer, fields)
                begins_at_zero |= LOW in lowered and lowered[LOW].why == FIRST
                lacks_code |= HIGH in lowered and HIGH not in fields
    return Zeros(begins_at_zero, lacks_code)


def is_scalar(value: Any) -> bool:
    return isinstance(value, (str, int, float, bool))


def lower_ports(writer: Writer, fields: Mapping[str, ir.Entry]) -> dict[str, Port]:
    """The ports of a rule. Raises CannotSay for those that the provider cannot say."""
    ports = {name: fields[name].value for name in (LOW, HIGH) if has_value(fields.get(name))}
    zero = {name for name, expr in ports.items() if may_have_value(writer, expr, 0, NUMBER)}
    lowered = {name: Port(writer.lowering.lower_expression(expr, NUMBER)) for name, expr in ports.items()}
    protocol = protocol_of_rule(writer, fields)
    if protocol in ICMP and LOW in ports:
        if HIGH not in ports:
            lowered[HIGH] = Port(0, OPEN)
        if zero:
            lowered |= lower_icmp_zeros(writer, fields, ports, zero)
    elif LOW in zero and protocol in PORTED and HIGH not in zero and writer.emission.unit.policy.accepts_differences:
        value = lowered[LOW].value
        lowered[LOW] = Port(1 if value == 0 else Fn("max", (value, 1)), FIRST)
        report(writer, "The provider cannot say port 0: the rule begins at port 1.", fields[LOW])
    elif zero:
        name = min(zero, key=(LOW, HIGH).index)
        raise refuse_zero(writer, name, ports[name])
    return lowered


def lower_icmp_zeros(
    writer: Writer, fields: Mapping[str, ir.Entry], ports: Mapping[str, ir.Expr], zero: set[str]
) -> dict[str, Port]:
    """The type and the code of a rule for ICMP of which one may be 0."""
    kind = ports[LOW]
    if LOW in zero:
        if not writer.emission.unit.policy.accepts_differences:
            raise refuse_zero(writer, LOW, kind)
        message = "The provider cannot say ICMP type 0, echo reply: the rule lets in all of ICMP."
        if not isinstance(kind, ir.Lit):
            report(writer, message.replace("the rule lets", "with it, the rule lets"), fields[LOW])
            return {}
        report(writer, message, fields[LOW])
        return {name: Port(None, "the provider does not send 0") for name in (LOW, HIGH)}
    number = writer.lowering.lower_expression(kind, NUMBER)
    single = number in ONE_CODE[is_ipv6(writer, fields)]
    if not single and not writer.emission.unit.policy.accepts_differences:
        raise refuse_zero(writer, HIGH, ports[HIGH])
    scope = f"ICMP type {number}" if isinstance(number, int) else "its ICMP type"
    only = ", which has no other" if single else ""
    message = f"The provider does not send the code 0: the rule is for all codes of {scope}{only}."
    report(writer, message, fields[HIGH], severity="info" if single else "")
    return {}


def has_value(entry: ir.Entry | None) -> bool:
    return entry is not None and entry.value not in (ir.NULL, ir.Lit(""))


def protocol_of_rule(writer: Writer, fields: Mapping[str, ir.Entry]) -> str:
    """The protocol of a rule in lower case; "" if it is known only at run time."""
    value = writer.lowering.lower_expression(fields["protocol"].value, STRING) if "protocol" in fields else ""
    return value.lower() if isinstance(value, str) else ""


def is_ipv6(writer: Writer, fields: Mapping[str, ir.Entry]) -> bool:
    value = fields["ethertype"].value if "ethertype" in fields else ir.NULL
    return isinstance(value, ir.Lit) and str(value.value).lower() == "ipv6"


def refuse_zero(writer: Writer, name: str, expr: ir.Expr) -> CannotSay:
    return CannotSay(codes.VALUE_REJECTED_BY_PROVIDER, UNSENT.format(name=name), expr, writer.resource.name)


def report(writer: Writer, message: str, where: Located, severity: str = "") -> None:
    writer.lowering.differs(codes.RULE_WITHOUT_ZERO, message, where, severity)


def fate_of_port(path: str, port: Port) -> PathFate:
    """The fate of a port that is left out."""
    return PathFate(path, "dropped", why=port.why, code=codes.RULE_WITHOUT_ZERO)
