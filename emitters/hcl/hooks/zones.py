"""Hooks of DNS zones, and of Designate v1 records.

Invariant: v1 records with the same name and type are one v2 record set, and one resource.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import attribute_hook, prepare_hook, property_hook, write_hook
from emitters.hcl.hooks.blocks import NOTHING
from emitters.hcl.namespace import snake
from emitters.hcl.plan.planner import by_type
from emitters.hcl.resources.handles import Group, Native
from emitters.hcl.resources.keys import keys_of
from emitters.hcl.resources.rules import write_properties
from emitters.hcl.resources.writer import Writer
from emitters.hcl.tree.nodes import Attr, Cond, Expr, Fn, Name, Text, Tuple
from emitters.hcl.tree.types import NUMBER, STRING, Value
from transpile.diagnostics import codes
from transpile.model import heat_types, ir
from transpile.report import fate

if TYPE_CHECKING:
    from emitters.hcl.emission import Emission
    from emitters.hcl.lowering.lowering import Handle, Lowering
    from emitters.hcl.plan.planner import Plan
    from emitters.hcl.resources.handles import Select
    from emitters.hcl.tables.mapping import Kind, Rule

ZONE = "openstack_dns_zone_v2"
SAME = ("domain", "name", "type")  # records that agree in these form one set
SHARED = ("ttl", "description")  # a set has only one of each
RANKED = ("MX", "SRV")


@attribute_hook("zone_serial")
def zone_serial(lowering: Lowering, native: Native, ref: ir.AttrRef, rest: tuple[ir.Expr, ...]) -> Select:
    """The serial number, from the data source: the resource does not have it."""
    emission, name = native.emission, native.resource.name
    if rest or native.counted or isinstance(emission.handles.get(name), Group):
        why = f"the provider finds the serial number only by name, and {name} may not exist"
        raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, why, ref, name)
    found = [("name", Attr(Name(native.address), "name"))]
    address = emission.shared.once(f"zone of {name}", ZONE, native.address[1], found)
    return lambda base: Value(Name(("data", *address, "serial")), NUMBER)


# records


class RecordSet(NamedTuple):
    """Records that form one set, in order. why: the reason if they cannot."""

    records: list[ir.Resource]
    why: str


def record_sets(plan: Plan) -> dict[str, RecordSet]:
    """The record set of each native record, by name."""
    found: dict[tuple[ir.Expr | None, ...], list[ir.Resource]] = {}
    for one in plan.index(by_type).get(heat_types.DESIGNATE_RECORD, ()):
        if plan.is_native(one.name):
            key = tuple(one.properties.get(word) if one.properties is not None else None for word in SAME)
            found.setdefault(key, []).append(one)
    return {one.name: whole for records in found.values() for whole in (record_set(records),) for one in records}


def record_set(found: list[ir.Resource]) -> RecordSet:
    """The set of some records with the same name and type."""
    if len(found) > 1:
        differ = [w for w in SHARED if len({repr(o.properties.get(w)) for o in found if o.properties is not None}) > 1]
        if any(one.condition or one.depends_on or one.deletion_policy or one.metadata for one in found) or differ:
            what = f"differ in {differ[0]}" if differ else "have keys such as a condition"
            return RecordSet(found, f"records with the same name and type form one record set, and these {what}")
    return RecordSet(found, "")


@prepare_hook("record")
def prepare(emission: Emission, resource: ir.Resource, kind: Kind) -> Handle:
    """The handle of a record: each record of a set has the address of the first, which alone is written."""
    found, why = emission.unit.plan.index(record_sets)[resource.name]
    if why:
        raise CannotSay(codes.KEPT_IN_HEAT, why, resource.name_span, resource.name)
    first = found[0]
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
    first = emission.unit.plan.index(record_sets)[resource.name].records[0]
    if first is resource:
        lowering = emission.lowering.of_resource(resource, handle.address[1])
        writer = Writer(emission, resource, kind, handle.address, resource.properties, lowering)
        write_properties(writer)
        writer.finish()
    else:
        keys_of(emission, resource, [], nothing=True)


def data_of(writer: Writer, resource: ir.Resource) -> Expr:
    """The data of a record, with the priority before it if its type has one: `10 mail.example.org.`."""
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
    """Writes all data of the set, and records the fates of the other records in it."""
    if entry.key == "priority":
        kind = writer.given.get("type")
        used = kind is None or not isinstance(kind.value, ir.Lit) or kind.value.value in RANKED
        if used and entry.value not in NOTHING:
            writer.is_value(entry.key, "records.0", "derived", why="a prefix of the data")
        else:
            writer.fate(entry.key, fate("implied", why="only MX and SRV records have a priority"))
        return
    found = writer.emission.unit.plan.index(record_sets)[writer.resource.name].records
    values = Tuple(tuple(data_of(writer, one) for one in found))
    writer.block.set("records", values, entry)
    writer.is_value(entry.key, "records.0", "derived", why="a record set has a list of records")
    for i, one in enumerate(found[1:], start=1):
        report = writer.emission.log.resource_report(one)
        report.treatment, report.addresses = "folded", [writer.to]
        report.why = f"in the record set of {writer.resource.name}, which has the same name and type"
        for other in one.properties.entries if one.properties is not None else ():
            if other.key == entry.key:
                why = "a record set has a list of records"
                report.properties[other.key] = fate("derived", writer.to, f"records.{i}", why)
            else:
                report.properties[other.key] = fate("implied", writer.to, why="the record set has it once")
