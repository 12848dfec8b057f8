"""Hooks of shared file systems."""

from __future__ import annotations

from emitters.hcl.errors import CannotSay, only_at_run_time
from emitters.hcl.hooks import attribute_hook, property_hook
from emitters.hcl.hooks.names import write_names
from emitters.hcl.hooks.ports import network_of_nic_subnet
from emitters.hcl.resources.arguments import how_written, write_argument
from emitters.hcl.resources.handles import AttributeRead, Selector
from emitters.hcl.resources.writer import Writer
from emitters.hcl.resources.written import NOTHING, Written, join_written
from emitters.hcl.tables.mapping import looks_like_id
from emitters.hcl.tree.nodes import Attr, Expr, Fn, ForObject, ForTuple, Traversal
from emitters.hcl.tree.types import STRING, STRINGS, TypedValue
from transpile.diagnostics import codes
from transpile.model import ir

ACCESS = "openstack_sharedfilesystem_share_access_v2"
FIELDS = ("access_type", "access_to", "access_level")
LEVEL = "rw"  # Manila's default


@property_hook("share_type")
def write_share_type(writer: Writer, entry: ir.Entry) -> Written:
    """Writes the share type. The provider reads it back as a name and would replace a share whose type was given by ID.
    So changes are ignored if the value may be an ID.
    """
    rule = writer.rule.argument_rule
    written = write_argument(writer, entry.key, rule, entry)
    expr, kind = entry.value, writer.lookups["share_type"]
    if isinstance(expr, ir.Lit):
        named = not looks_like_id(kind, str(expr.value), writer.emission.unit.budget)
    else:
        named = (
            isinstance(expr, ir.ParamRef)
            and not expr.path
            and writer.emission.unit.form_of_parameter(expr.name, kind) == "name"
        )
    if named:
        return written
    why = "share_type may be an ID, but the provider reads back a name, so later changes are ignored"
    writer.emission.log.report_difference(codes.DIFFERENT_BEHAVIOUR, f"{why}.", entry)
    return written + Written(ignored=(rule.to,))


@property_hook("share_access_rules")
def write_access_rules(writer: Writer, entry: ir.Entry) -> Written:
    """Writes a resource for each rule, or one with `for_each` for a list known only at run time."""
    expr, label = entry.value, writer.block.labels[1]
    if isinstance(expr, ir.Seq) and all(isinstance(i, ir.Map) for i in expr.items):
        several = len(expr.items) > 1
        return join_written(
            write_access_rule(writer, f"{entry.key}.{i}", item, f"{label}_{i}" if several else label)
            for i, item in enumerate(expr.items)
            if isinstance(item, ir.Map)
        )
    if writer.is_repeated:
        raise only_at_run_time(f"the access rules of {writer.resource.name} are", expr)
    block = writer.new_block(ACCESS, label, entry)
    over = writer.lowering.lift_to_local(writer.lowering.lower_items(expr), "access_rules")
    block.add_argument("for_each", ForObject(("i", "rule"), over, Traversal(("i",)), Traversal(("rule",))))
    block.add_argument("share_id", writer.self_reference("id"))
    for name in FIELDS[:2]:
        block.add_argument(name, Traversal(("each", "value", name)))
    level = Fn("try", (Traversal(("each", "value", FIELDS[2])), None))
    block.add_argument(FIELDS[2], Fn("coalesce", (level, LEVEL)))
    return Written.fate(entry.key, "for_each", "derived", "one rule for each item of the list").in_resource(block)


def write_access_rule(writer: Writer, path: str, item: ir.Map, label: str) -> Written:
    """Writes a literal rule."""
    block = writer.new_block(ACCESS, label, item)
    block.add_argument("share_id", writer.self_reference("id"))
    fields, written = {field.key: field for field in item.entries}, NOTHING
    for name in FIELDS:
        field = fields.pop(name, None)
        if field is not None and field.value != ir.NULL:
            written += Written.argument(name, writer.lowering.lower_expression(field.value, STRING), field)
            written += Written.fate(f"{path}.{name}", name, how_written(field.value))
        elif name == FIELDS[2]:
            written += Written.argument(name, LEVEL)
            if field is not None:
                written += Written.implied(f"{path}.{name}", "null means Manila's default")
    for name, field in fields.items():
        why = f"an access rule has no {name}"
        raise CannotSay(codes.UNKNOWN_PROPERTY, why, field.key_span, writer.resource.name)
    return written.in_resource(block)


@attribute_hook("share_export_locations")
def read_export_locations(read: AttributeRead) -> Selector:
    """The paths of the provider's list of objects: Heat returns a list of paths."""
    location = Traversal(("location",))

    def select_locations(base: Expr) -> TypedValue:
        locations = TypedValue(ForTuple(("location",), Attr(base, "export_locations"), Attr(location, "path")), STRINGS)
        return read.inside(locations)

    return select_locations


@property_hook("share_network_subnet")
def write_share_network_subnet(writer: Writer, entry: ir.Entry) -> Written:
    """Writes the subnet, and its network if the template omits it: the provider requires both."""
    network = NOTHING
    if not writer.block.has_argument("neutron_net_id"):
        network = Written.argument("neutron_net_id", network_of_nic_subnet(writer, entry.value))
    return network + write_argument(writer, entry.key, writer.rule.argument_rule, entry)


@property_hook("share_network_services")
def write_share_network_services(writer: Writer, entry: ir.Entry) -> Written:
    """Writes a set of IDs. A name must be that of a service in the template."""
    return write_names(writer, entry, writer.rule.to, "security_service")
