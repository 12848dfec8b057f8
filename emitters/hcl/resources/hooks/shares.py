"""Hooks of shared file systems.

The easy rule to break: the provider reads the share's type back as a name, and replaces a share whose type it was
given by ID; and it wants the network where Heat takes the one that the subnet is in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emitters.hcl.errors import CannotSay
from emitters.hcl.lowering import paths
from emitters.hcl.lowering.rewrites import without_null
from emitters.hcl.resources.hooks import attribute_hook, property_hook
from emitters.hcl.resources.hooks.blocks import NOTHING, nothing
from emitters.hcl.resources.hooks.ports import network_of_subnet
from emitters.hcl.resources.hooks.server import listed
from emitters.hcl.tables.mapping import Rule, looks_like_id, lookups
from emitters.hcl.tree.nodes import Argument, Attr, Expr, Fn, ForObject, ForTuple, Name, Tuple
from emitters.hcl.tree.types import STRING, STRINGS, Value
from transpile.model import ir
from transpile.report import fate

if TYPE_CHECKING:
    from emitters.hcl.lowering.lowering import Lowering
    from emitters.hcl.resources.handles import Native, Select
    from emitters.hcl.resources.writer import Writer

ACCESS = "openstack_sharedfilesystem_share_access_v2"
FIELDS = ("access_type", "access_to", "access_level")
LEVEL = "rw"  # what Manila takes where the template says nothing


@property_hook("share_type")
def share_type(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """A name as it is; what may be an ID is not compared later, for the provider would replace the share."""
    if nothing(writer, entry):
        return
    writer.argument(writer.block, entry.key, rule, entry, rule.to)
    expr, kind = entry.value, lookups()["share_type"]
    if isinstance(expr, ir.Lit):
        named = not looks_like_id(kind, str(expr.value))
    else:
        named = isinstance(expr, ir.ParamRef) and not expr.path and writer.emission.unit.form(expr.name, kind) == "name"
    if not named:
        writer.lifecycle.append(("ignore_changes", Tuple((Name((rule.to,)),)), ""))
        why = "share_type may be an ID, and the provider reads the name back; later changes of it are ignored"
        writer.emission.log.differs("HOT421", f"{why}.", entry.at, expr.end)


@property_hook("share_access_rules")
def access_rules(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """One resource for each rule; for a list that is known only at run time, one with `for_each`."""
    expr = entry.value
    if expr in (*NOTHING, ir.Seq(())):
        writer.fate(entry.key, fate("implied", why="no rules given"))
        return
    label = writer.block.labels[1]
    if isinstance(expr, ir.Seq) and all(isinstance(i, ir.Map) for i in expr.items):
        for i, item in enumerate(expr.items):
            assert isinstance(item, ir.Map)
            write_rule(writer, f"{entry.key}.{i}", item, f"{label}_{i}" if len(expr.items) > 1 else label)
        return
    if writer.lowering.scope.repeated is not None:
        why = f"the access rules of {writer.resource.name} are known only at run time"
        raise CannotSay("HOT404", why, expr.at, expr.end)
    block = writer.beside(ACCESS, label, entry.at, expr.end)
    over = writer.lowering.lift(writer.lowering.expr(without_null(expr)), "access_rules")
    block.set("for_each", ForObject(("i", "rule"), over, Name(("i",)), Name(("rule",))))
    block.set("share_id", writer.self_reference("id"))
    for name in FIELDS[:2]:
        block.set(name, Name(("each", "value", name)))
    given = Fn("try", (Name(("each", "value", FIELDS[2])), None))
    block.set(FIELDS[2], Fn("coalesce", (given, LEVEL)))
    writer.is_value(entry.key, "for_each", "derived", ".".join(block.labels), "one rule for each item of the list")


def write_rule(writer: Writer, path: str, item: ir.Map, label: str) -> None:
    """A rule that is written out."""
    block = writer.beside(ACCESS, label, item.at, item.end)
    block.set("share_id", writer.self_reference("id"))
    given = {field.key: field for field in item.entries}
    for name in FIELDS:
        field = given.pop(name, None)
        if field is not None and field.value != ir.Lit(None):
            block.set(name, writer.lowering.expr(field.value, STRING), field.at, field.value.end)
            how = "reference" if isinstance(field.value, (ir.ResourceRef, ir.AttrRef)) else "value"
            writer.is_value(f"{path}.{name}", name, how, ".".join(block.labels))
        elif name == FIELDS[2]:
            block.set(name, LEVEL)
            if field is not None:
                writer.fate(f"{path}.{name}", fate("implied", why="null is what Manila takes by itself"))
    for name, field in given.items():
        why = f"an access rule has no {name}"
        raise CannotSay("HOT301", why, field.at, field.at + len(name), writer.resource.name)


@attribute_hook("share_export_locations")
def export_locations(lowering: Lowering, native: Native, ref: ir.AttrRef, rest: tuple[ir.Expr, ...]) -> Select:
    """Heat lists the paths, the provider objects."""
    location = Name(("location",))

    def choose(base: Expr) -> Value:
        found = Value(ForTuple(("location",), Attr(base, "export_locations"), Attr(location, "path")), STRINGS)
        return paths.attribute(lowering, found, rest) if rest else found

    return choose


@property_hook("share_network_subnet")
def share_network_subnet(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """The subnet; and its network, where the template leaves it to Heat."""
    if nothing(writer, entry):
        return
    if not any(isinstance(a, Argument) and a.name == "neutron_net_id" for a in writer.block.body):
        writer.block.set("neutron_net_id", network_of_subnet(writer, entry.value))
    writer.argument(writer.block, entry.key, rule, entry, rule.to)


@property_hook("share_network_services")
def share_network_services(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """A set of IDs; names can only be those of the template's own services."""
    if entry.value in (*NOTHING, ir.Seq(())):
        writer.fate(entry.key, fate("implied", why="no services given"))
        return
    kind = lookups()["security_service"]
    value, hows = writer.emission.data.many(writer.lowering, entry.value, kind)
    writer.block.set(rule.to, value.expr, entry.at, entry.value.end)
    listed(writer, entry, rule.to, hows)
