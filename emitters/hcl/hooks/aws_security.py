"""The rules of AWS security groups, translated to Neutron's terms.

-1 means no port, or any protocol. Heat ignores the prefix of a rule without ports, and creates a duplicate rule once.
"""

from __future__ import annotations

from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import property_hook, security
from emitters.hcl.resources.writer import Writer
from emitters.hcl.tables.mapping import Rule
from emitters.hcl.tree.nodes import Argument
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.model.span import Span
from transpile.report import NOT_IMPLEMENTED, make_fate

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
def write_aws_rules(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """Translates a list of rules to Neutron's terms, and writes it."""
    if not isinstance(entry.value, ir.Seq):
        raise unknown_rules_error(writer, entry.value)
    original_fields: dict[str, ir.Entry] = {}  # path in Neutron's terms → the original field
    items: list[ir.Expr] = []
    for i, item in enumerate(entry.value.items):
        if not isinstance(item, ir.Map):
            raise unknown_rules_error(writer, item)
        translation = translate_rule(writer, entry.key, i, item, original_fields)
        if any(translation == other for other in items):
            why = "it repeats an earlier rule, and Heat creates duplicates once"
            for field in item.entries:
                writer.record_fate(f"{entry.key}.{i}.{field.key}", make_fate("implied", why=why))
            translation = ir.NULL  # keeps the place: the indexes of items are paths in the report
        items.append(translation)
    egress = False
    for i, item in enumerate(items):
        if isinstance(item, ir.Map):
            egress = security.write_rule_item(writer, f"{entry.key}.{i}", item, ()) is True or egress
    if egress and not any(isinstance(a, Argument) and a.name == "delete_default_rules" for a in writer.block.body):
        writer.block.add_argument("delete_default_rules", True)
    restore_field_names(writer, entry.key, original_fields)


def unknown_rules_error(writer: Writer, expr: ir.Expr) -> CannotSay:
    """The error for rules that are known only at run time: the translation needs literal rules."""
    return CannotSay(codes.ONLY_AT_RUN_TIME, f"the rules of {writer.resource.name} are known only at run time", expr)


def translate_rule(
    writer: Writer, path: str, index: int, item: ir.Map, original_fields: dict[str, ir.Entry]
) -> ir.Expr:
    """Translates a rule to Neutron's terms, and records the fates of omitted fields.

    original_fields: collects the field of the template for each path that the translation has.
    """
    here = f"{path}.{index}"
    fields = {e.key: e for e in item.entries if e.value != ir.NULL}
    ports = "FromPort" in fields or "ToPort" in fields
    direction = "egress" if path.endswith("Egress") else "ingress"
    out = [ir.Entry("direction", ir.Lit(direction), item.at)]
    for field in item.entries:
        where = f"{here}.{field.key}"
        if field.value == ir.NULL:
            writer.record_fate(where, make_fate("implied", why="null means not set"))
        elif field.key == "SourceSecurityGroupOwnerId":
            writer.drop_property(field, codes.PROPERTY_WITHOUT_COUNTERPART, NOT_IMPLEMENTED, here)
        elif field.key == "SourceSecurityGroupName" and "SourceSecurityGroupId" in fields:
            writer.record_fate(where, make_fate("implied", why="Heat uses the ID if both are set"))
        elif isinstance(field.value, ir.Lit) and field.value.value in NONE and field.key in tuple(FIELDS)[:3]:
            writer.record_fate(where, make_fate("implied", why="-1 means any, which is the default"))
        elif field.key == "CidrIp" and not ports:
            security.report_ignored_field(writer, here, field, "the rule has no ports, so it applies to every address")
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
    return ir.Map(tuple(out), item.span)


def restore_field_names(writer: Writer, key: str, original_fields: dict[str, ir.Entry]) -> None:
    """Puts the template's names of fields back into the report, which `security` has written with Neutron's names:
    `….0.port_range_min` becomes `….0.FromPort`.
    """
    fates = writer.report.properties
    for path in [p for p in fates if p.startswith(f"{writer.prefix}{key}.")]:
        inner = path.removeprefix(writer.prefix)
        if inner in original_fields:
            fates[writer.prefix + inner.rpartition(".")[0] + f".{original_fields[inner].key}"] = fates.pop(path)
        elif inner.rpartition(".")[2] in security.FIELDS:  # added by the translation, such as `direction`
            del fates[path]
