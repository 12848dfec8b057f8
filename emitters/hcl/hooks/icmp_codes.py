"""Rules for types of ICMP: Heat has the type in port_range_min and the code in port_range_max.

The provider sends no zero, and takes a type only together with a code. So `port_range_max = 0` means every code. That
is what a rule without a code says. It is nearly what a rule for code 0 says, if its type has no other code.
"""

from __future__ import annotations

from collections.abc import Mapping

from emitters.hcl.hooks import property_hook
from emitters.hcl.resources.arguments import check_sent, how_written, may_have_value
from emitters.hcl.resources.writer import Writer
from emitters.hcl.tables.mapping import Rule
from emitters.hcl.tree.nodes import Block
from emitters.hcl.tree.types import NUMBER
from transpile.diagnostics import codes
from transpile.model import ir

TYPE, CODE = "port_range_min", "port_range_max"
PROTOCOLS = ("icmp", "icmpv6", "ipv6-icmp", "1", "58")
# Types for which IANA lists only code 0. Echo replies have none of these, since the provider does not send type 0.
ONLY_CODE_ZERO = frozenset(map(str, (8, *range(13, 19), 128, 129, *range(133, 137))))
ABSENT = (ir.NULL, ir.Lit(""))


def is_rule_for_icmp(fields: Mapping[str, ir.Entry]) -> bool:
    protocol = fields.get("protocol")
    return (
        protocol is not None
        and isinstance(protocol.value, ir.Lit)
        and str(protocol.value.value).strip().lower() in PROTOCOLS
    )


def widen_code(writer: Writer, fields: Mapping[str, ir.Entry], expr: ir.Expr) -> bool:
    """Reports that a rule for code 0 lets in every code; False if it is no such rule, or if other codes are defined."""
    of = fields.get(TYPE)
    if not is_rule_for_icmp(fields) or of is None or not isinstance(of.value, ir.Lit):
        return False
    number = str(of.value.value)
    if number not in ONLY_CODE_ZERO or not may_have_value(writer, expr, 0, NUMBER):
        return False
    message = f"The provider sends no code 0, so the rule is for every code of ICMP type {number}; only 0 is defined."
    writer.emission.log.report_difference(codes.DIFFERENT_BEHAVIOUR, message, expr)
    return True


def write_missing_code(block: Block, fields: Mapping[str, ir.Entry]) -> None:
    """Writes the code of a rule that has a type and none: the provider requires one, and does not send 0."""
    code = fields.get(CODE)
    if is_rule_for_icmp(fields) and block.find_argument(TYPE) is not None and (code is None or code.value in ABSENT):
        block.add_argument(CODE, 0)


@property_hook("icmp_code")
def write_code(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """Writes port_range_max of a rule that is a resource of its own."""
    if entry.value in ABSENT:
        writer.record_default(entry.key)
        return
    if not widen_code(writer, writer.entries, entry.value):
        check_sent(writer, CODE, entry.value, 0, NUMBER)
    writer.block.add_argument(CODE, writer.lowering.lower_expression(entry.value, NUMBER), entry)
    writer.record_value(entry.key, CODE, how_written(entry.value))
