"""The rules of AWS security groups, translated to Neutron's terms.

-1 means no port, or any protocol. Heat ignores the prefix of a rule without ports, and creates a duplicate rule once.
"""

from __future__ import annotations

from emitters.hcl.errors import CannotSay, only_at_run_time
from emitters.hcl.hooks import property_hook, security
from emitters.hcl.resources.writer import Writer
from emitters.hcl.resources.written import NOTHING, Written, join_written
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.model.records import replace
from transpile.model.span import Span
from transpile.report import NOT_IMPLEMENTED

FIELDS = {
    "IpProtocol": "protocol",
    "FromPort": "port_range_min",
    "ToPort": "port_range_max",
    "CidrIp": "remote_ip_prefix",
    "SourceSecurityGroupId": "remote_group_id",
    "SourceSecurityGroupName": "remote_group_id",
}
NONE = ("-1", -1)


@property_hook("aws_rules")
def write_aws_rules(writer: Writer, entry: ir.Entry) -> Written:
    """Writes a list of rules, translated to Neutron's terms."""
    if not isinstance(entry.value, ir.Seq):
        raise unknown_rules_error(writer, entry.value)
    original_fields: dict[str, ir.Entry] = {}  # path in Neutron's terms → the original field
    items: list[ir.Map] = []
    omitted, rules = NOTHING, []
    for i, item in enumerate(entry.value.items):
        if not isinstance(item, ir.Map):
            raise unknown_rules_error(writer, item)
        translation, fates = translate_rule(writer, entry.key, i, item, original_fields)
        omitted += fates
        if translation in items:
            why = "it repeats an earlier rule, and Heat creates duplicates once"
            omitted += join_written(Written.implied(f"{entry.key}.{i}.{field.key}", why) for field in item.entries)
        else:
            items.append(translation)
            rules.append((f"{entry.key}.{i}", translation))
    written, egress = security.join_rules(security.write_rule_item(writer, path, item, ()) for path, item in rules)
    if egress is True and not writer.block.has_argument("delete_default_rules"):
        written += Written.argument("delete_default_rules", True)
    return omitted + restore_field_names(written, original_fields)


def unknown_rules_error(writer: Writer, expr: ir.Expr) -> CannotSay:
    """The error for rules that are known only at run time: the translation needs literal rules."""
    return only_at_run_time(f"the rules of {writer.resource.name} are", expr)


def translate_rule(
    writer: Writer, path: str, index: int, item: ir.Map, original_fields: dict[str, ir.Entry]
) -> tuple[ir.Map, Written]:
    """A rule in Neutron's terms, and the fates of omitted fields.

    original_fields: collects the field of the template for each path that the translation has.
    """
    here = f"{path}.{index}"
    fields = {e.key: e for e in item.entries if e.value != ir.NULL}
    ports = "FromPort" in fields or "ToPort" in fields
    direction = "egress" if path.endswith("Egress") else "ingress"
    out, omitted = [ir.Entry("direction", ir.Lit(direction), item.at)], NOTHING
    for field in item.entries:
        where = f"{here}.{field.key}"
        if field.value == ir.NULL:
            omitted += Written.implied(where, "null means not set")
        elif field.key == "SourceSecurityGroupOwnerId":
            omitted += writer.drop_property(field, codes.PROPERTY_WITHOUT_COUNTERPART, NOT_IMPLEMENTED, here)
        elif field.key == "SourceSecurityGroupName" and "SourceSecurityGroupId" in fields:
            omitted += Written.implied(where, "Heat uses the ID if both are set")
        elif isinstance(field.value, ir.Lit) and field.value.value in NONE and field.key in tuple(FIELDS)[:3]:
            omitted += Written.implied(where, "-1 means any, which is the default")
        elif field.key == "CidrIp" and not ports:
            why = "the rule has no ports, so it applies to every address"
            omitted += security.report_ignored_field(writer, here, field, why)
        elif field.key in FIELDS:
            name = FIELDS[field.key]
            original_fields[f"{here}.{name}"] = field
            out.append(ir.Entry(name, field.value, field.at))
            if name == "remote_group_id":  # a Neutron rule uses the group only in this mode
                out.append(ir.Entry("remote_mode", ir.Lit(name), field.at))
        else:
            end = field.at + len(field.key)
            raise CannotSay(
                codes.UNKNOWN_PROPERTY, f"a rule has no {field.key}", Span(field.at, end), writer.resource.name
            )
    if any(e.key == "remote_group_id" for e in out) and any(e.key == "remote_ip_prefix" for e in out):
        raise CannotSay(codes.VALUE_REJECTED_BY_PROVIDER, "Neutron rejects a rule with both a prefix and a group", item)
    return ir.Map(tuple(out), item.span), omitted


def restore_field_names(written: Written, original_fields: dict[str, ir.Entry]) -> Written:
    """Restores the template's names of fields in fates, where `security` uses Neutron's: `….0.port_range_min` becomes
    `….0.FromPort`.
    """
    fates = []
    for fate in written.fates:
        above, _, name = fate.path.rpartition(".")
        if fate.path in original_fields:
            fates.append(fate._replace(path=f"{above}.{original_fields[fate.path].key}"))
        elif name not in security.FIELDS:  # fields that the translation added, such as `direction`, have no fate
            fates.append(fate)
    return replace(written, fates=tuple(fates))
