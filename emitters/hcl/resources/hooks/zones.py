"""Hooks of zones, and of the records of the first version of the service.

The easy rule to break: what were records of one name and type is one record set now, and has one resource.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emitters.hcl.errors import CannotSay
from emitters.hcl.namespace import snake
from emitters.hcl.resources.handles import Group, Native
from emitters.hcl.resources.hooks import attribute_hook, prepare_hook, property_hook, write_hook
from emitters.hcl.resources.hooks.blocks import NOTHING
from emitters.hcl.resources.keys import keys_of
from emitters.hcl.resources.writer import Writer
from emitters.hcl.tree.nodes import Attr, Cond, Expr, Fn, Name, Text, Tuple
from emitters.hcl.tree.types import NUMBER, STRING, Value
from transpile.model import ir
from transpile.report import fate

if TYPE_CHECKING:
    from emitters.hcl.emission import Emission
    from emitters.hcl.lowering.lowering import Handle, Lowering
    from emitters.hcl.resources.handles import Select
    from emitters.hcl.tables.mapping import Kind, Rule

ZONE = "openstack_dns_zone_v2"
RECORD = "OS::Designate::Record"
SAME = ("domain", "name", "type")  # what makes records one set
SHARED = ("ttl", "description")  # what a set has only one of
RANKED = ("MX", "SRV")


@attribute_hook("zone_serial")
def zone_serial(lowering: Lowering, native: Native, ref: ir.AttrRef, rest: tuple[ir.Expr, ...]) -> Select:
    """Only the data source has it; it is read once the zone is there."""
    emission, name = native.emission, native.resource.name
    if rest or native.counted or isinstance(emission.handles.get(name), Group):
        why = f"the provider reads the serial number of a zone by its name only, and {name} may not be there"
        raise CannotSay("HOT550", why, ref.at, ref.end, name)
    found = [("name", Attr(Name(native.address), "name"))]
    address = emission.shared.once(f"zone of {name}", ZONE, native.address[1], found)
    return lambda base: Value(Name(("data", *address, "serial")), NUMBER)


# records


def together(emission: Emission, resource: ir.Resource) -> list[ir.Resource]:
    """The records of the template that are one set with this one, itself included, in their order."""

    def key(one: ir.Resource) -> list[ir.Expr | None]:
        return [one.properties.get(word) if one.properties is not None else None for word in SAME]

    plan, template = emission.unit.plan, emission.unit.template
    return [
        one
        for name, one in template.resources.items()
        if plan.is_native(name) and emission.unit.stack.types[name] == RECORD and key(one) == key(resource)
    ]


@prepare_hook("record")
def prepare(emission: Emission, resource: ir.Resource, kind: Kind) -> Handle:
    found = together(emission, resource)
    first = found[0]
    if len(found) > 1:
        differ = [w for w in SHARED if len({repr(o.properties.get(w)) for o in found if o.properties is not None}) > 1]
        if any(one.condition or one.depends_on or one.deletion_policy or one.metadata for one in found) or differ:
            what = f"differ in {differ[0]}" if differ else "have keys of their own"
            why = f"records of one name and type are one record set now, and these {what}"
            raise CannotSay("HOT450", why, resource.at, resource.at + len(resource.name), resource.name)
    if first is resource:
        address = (kind.resource, emission.names.label(kind.resource, snake(first.name)))
    else:
        handle = emission.handles[first.name]
        assert isinstance(handle, Native)
        address = handle.address
    return Native(emission, resource, kind, address, counted=emission.unit.counted(resource))


@write_hook("record")
def write(emission: Emission, resource: ir.Resource, kind: Kind) -> None:
    handle = emission.handles[resource.name]
    assert isinstance(handle, Native)
    first = together(emission, resource)[0]
    if first is resource:
        lowering = emission.lowering.of_resource(resource, handle.address[1])
        writer = Writer(emission, resource, kind, handle.address, resource.properties, lowering)
        writer.write()
        writer.finish()
    else:
        keys_of(emission, resource, [], nothing=True)


def data_of(writer: Writer, resource: ir.Resource) -> Expr:
    """The text of a record, with the priority in front where the type has one."""
    properties, lowering = resource.properties, writer.lowering
    assert properties is not None
    data, priority, kind = (properties.get(word) for word in ("data", "priority", "type"))
    text = lowering.expr(data, STRING) if data is not None else ""
    if priority is None or priority in NOTHING or (isinstance(kind, ir.Lit) and kind.value not in RANKED):
        return text
    ranked = Text((lowering.expr(priority, STRING), " ", text))
    if kind is None or isinstance(kind, ir.Lit):
        return ranked
    return Cond(Fn("contains", (Tuple(RANKED), lowering.expr(kind, STRING))), ranked, text)


@property_hook("record")
def records(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """All data of the set, and the fates of those that have no resource of their own."""
    if entry.key == "priority":
        kind = writer.given.get("type")
        used = kind is None or not isinstance(kind.value, ir.Lit) or kind.value.value in RANKED
        if used and entry.value not in NOTHING:
            writer.is_value(entry.key, "records.0", "derived", why="it stands in front of the data")
        else:
            writer.fate(entry.key, fate("implied", why="only MX and SRV records have a priority"))
        return
    found = together(writer.emission, writer.resource)
    values = Tuple(tuple(data_of(writer, one) for one in found))
    writer.block.set("records", values, entry.at, entry.value.end)
    writer.is_value(entry.key, "records.0", "derived", why="a record set has a list of them")
    for i, one in enumerate(found[1:], start=1):
        report = writer.emission.log.resource_report(one)
        report.treatment, report.addresses = "folded", [writer.to]
        report.why = f"one record set holds what is of the same name and type as {writer.resource.name}"
        for other in one.properties.entries if one.properties is not None else ():
            if other.key == entry.key:
                why = "a record set has a list of them"
                report.properties[other.key] = fate("derived", writer.to, f"records.{i}", why)
            else:
                report.properties[other.key] = fate("implied", writer.to, why="the record set says it once")
