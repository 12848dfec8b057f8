"""Hooks of DNS zones, and of Designate v1 records.

Invariant: v1 records with the same name and type are one v2 record set, and one resource.
"""

from __future__ import annotations

from typing import NamedTuple

from emitters.hcl.emission import Emission
from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import Prepared, attribute_hook, property_hook, resource_hook
from emitters.hcl.namespace import snake_case
from emitters.hcl.plan.planner import ConversionPlan, resources_by_type
from emitters.hcl.resources.group_handles import GroupHandle
from emitters.hcl.resources.handles import AttributeRead, NativeHandle, Selector
from emitters.hcl.resources.keys import write_resource_keys
from emitters.hcl.resources.rules import write_native_resource
from emitters.hcl.resources.writer import Writer
from emitters.hcl.resources.written import Written
from emitters.hcl.tree.nodes import Attr, Cond, Expr, Fn, StringTemplate, Traversal, Tuple
from emitters.hcl.tree.types import NUMBER, STRING, TypedValue
from transpile.diagnostics import codes
from transpile.model import heat_types, ir
from transpile.report import make_fate

ZONE = "openstack_dns_zone_v2"
SAME = ("domain", "name", "type")  # records that agree in these form one set
SHARED = ("ttl", "description")  # a set has only one of each
RANKED = ("MX", "SRV")


@attribute_hook("zone_serial")
def read_zone_serial(read: AttributeRead) -> Selector:
    """The serial number, from the data source: the resource does not have it."""
    emission, name = read.emission, read.resource.name
    if read.rest or read.native.counted or isinstance(emission.handles.get(name), GroupHandle):
        why = f"the provider finds the serial number only by name, and {name} may not exist"
        raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, why, read.ref, name)
    arguments = [("name", Attr(Traversal(read.native.address), "name"))]
    address = emission.shared.share_data_source(f"zone of {name}", ZONE, read.native.address[1], arguments)
    return lambda base: TypedValue(Traversal(("data", *address, "serial")), NUMBER)


# records


class RecordSet(NamedTuple):
    """Records that form one set, in order. why: the reason if they cannot."""

    records: list[ir.Resource]
    why: str


def record_sets(plan: ConversionPlan) -> dict[str, RecordSet]:
    """The record set of each native record, by name."""
    groups: dict[tuple[ir.Expr | None, ...], list[ir.Resource]] = {}
    for record in plan.get_index(resources_by_type).get(heat_types.DESIGNATE_RECORD, ()):
        if plan.is_native(record.name):
            key = tuple(record.find_property(word) for word in SAME)
            groups.setdefault(key, []).append(record)
    return {
        record.name: whole for records in groups.values() for whole in (make_record_set(records),) for record in records
    }


def make_record_set(records: list[ir.Resource]) -> RecordSet:
    """The set of some records with the same name and type."""
    if len(records) > 1:
        differ = [w for w in SHARED if len({repr(o.properties.get(w)) for o in records}) > 1]
        if (
            any(
                record.is_conditional or record.depends_on or record.deletion_policy or record.metadata
                for record in records
            )
            or differ
        ):
            difference = f"differ in {differ[0]}" if differ else "have keys such as a condition"
            return RecordSet(
                records, f"records with the same name and type form one record set, and these {difference}"
            )
    return RecordSet(records, "")


@resource_hook("record")
def prepare_record(emission: Emission, resource: ir.Resource) -> Prepared:
    """The handle of a record: each record of a set has the address of the first, which alone is written."""
    records, why = emission.unit.plan.get_index(record_sets)[resource.name]
    if why:
        raise CannotSay(codes.KEPT_IN_HEAT, why, resource.name_span, resource.name)
    first, kind = records[0], emission.mapping_of(resource)
    if first is resource:
        address = (kind.resource, emission.names.reserve_label(kind.resource, snake_case(first.name)))
    else:
        of_first = emission.handles[first.name]
        assert isinstance(of_first, NativeHandle)
        address = of_first.address
    handle = NativeHandle(emission, resource, kind, address, counted=emission.unit.has_count(resource))
    return Prepared(handle, lambda: write_record(handle, records))


def write_record(handle: NativeHandle, records: list[ir.Resource]) -> None:
    if records[0] is handle.resource:
        report_other_records(write_native_resource(handle), records)
    else:
        write_resource_keys(handle.emission, handle.resource, [], nothing=True)


def record_data(writer: Writer, resource: ir.Resource) -> Expr:
    """The data of a record, with the priority before it if its type has one: `10 mail.example.org.`."""
    lowering = writer.lowering
    data, priority, kind = (resource.value_of(word) for word in ("data", "priority", "type"))
    text = lowering.lower_expression(data, STRING) if data != ir.NULL else ""
    if priority in ir.UNSET or (isinstance(kind, ir.Lit) and kind.value not in (None, *RANKED)):
        return text
    ranked = StringTemplate((lowering.lower_expression(priority, STRING), " ", text))
    if isinstance(kind, ir.Lit):
        return ranked
    return Cond(Fn("contains", (Tuple(RANKED), lowering.lower_expression(kind, STRING))), ranked, text)


@property_hook("record")
def write_records(writer: Writer, entry: ir.Entry) -> Written:
    """Writes all data of the set."""
    if entry.key == "priority":
        kind = writer.value_of("type")
        used = not isinstance(kind, ir.Lit) or kind == ir.NULL or kind.value in RANKED
        if used and entry.value not in ir.UNSET:
            return Written.fate(entry.key, "records.0", "derived", "a prefix of the data")
        return Written.implied(entry.key, "only MX and SRV records have a priority")
    records = writer.emission.unit.plan.get_index(record_sets)[writer.resource.name].records
    values = Tuple(tuple(record_data(writer, record) for record in records))
    why = "a record set has a list of records"
    return Written.argument("records", values, entry) + Written.fate(entry.key, "records.0", "derived", why)


def report_other_records(writer: Writer, records: list[ir.Resource]) -> None:
    """Records the fates of the other records in the set."""
    for i, record in enumerate(records[1:], start=1):
        report = writer.emission.log.resource_report(record)
        report.treatment, report.addresses = "folded", [writer.to]
        report.why = f"in the record set of {writer.resource.name}, which has the same name and type"
        for other in record.entries:
            if other.key == "data":
                why = "a record set has a list of records"
                report.properties[other.key] = make_fate("derived", writer.to, f"records.{i}", why)
            else:
                report.properties[other.key] = make_fate("implied", writer.to, why="the record set has it once")
