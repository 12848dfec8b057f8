"""Reads the properties of each type of constraint, as typed records."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from transpile.diagnostics import codes
from transpile.homing import capabilities, evaluations, words
from transpile.homing.context import SectionContext, literal_text, plain_data
from transpile.homing.findings import CRASHES, REFUSES, TAKES
from transpile.homing.model import (
    DistanceProperties,
    FitProperties,
    GroupProperties,
    LicenseProperties,
    NetworkProperties,
    OpaqueProperties,
    Path,
    Properties,
    ZoneProperties,
)
from transpile.homing.scalars import is_finite_number
from transpile.model.ir import NULL, Entry, Lit, Map
from transpile.model.span import Span, word_at


def read_properties(
    context: SectionContext, name: str, kind: str, section: Map, path: Path, owner: Entry
) -> Properties | None:
    """The properties; None if one is missing or cannot be read."""
    if kind in words.OF_OTHERS:
        return OpaqueProperties(plain_data(section))
    row = words.TYPES[kind]
    allowed = (*row.required, *row.optional)
    fields = {entry.key: entry for entry in section.entries}
    for entry in section.entries:
        if entry.key not in allowed:
            hint = context.findings.guess_name(entry.key, allowed)
            message = f"{kind} has no property {entry.key}, in {name}."
            context.findings.report_wrong(codes.INVALID_CONSTRAINT, message, entry, hint)
    whole = True
    for key in allowed:
        required = key in row.required and key not in row.assumed
        whole &= check_property(context, name, kind, fields.get(key), key, owner, required)
    if not whole:
        return None
    return READERS[kind](context, name, kind, fields, path)


def check_property(
    context: SectionContext, name: str, kind: str, entry: Entry | None, key: str, owner: Entry, required: bool
) -> bool:
    """Whether a property can be read: it has a value. Reports a required one without a value."""
    if entry is None:
        if required:
            context.findings.report_wrong(
                codes.INVALID_CONSTRAINT, f"The {kind} {name} needs the property {key}.", owner
            )
        return not required
    value = plain_data(entry.value)
    if value is not None and value != "" and value != [] and value != {}:
        return True
    engine = REFUSES if required else TAKES
    context.findings.report_wrong(
        codes.INVALID_CONSTRAINT, f"The property {key} of {name} is empty.", entry, engine=engine
    )
    return not required


def read_distance(
    context: SectionContext, name: str, kind: str, fields: Mapping[str, Entry], path: Path
) -> DistanceProperties | None:
    threshold = context.read_threshold(fields["distance"], (*path, "distance"))
    where = fields.get("location")
    place = context.read_location_name(where.value, f"The constraint {name}") if where else ""
    if not threshold or (where and not place):
        return None
    return DistanceProperties(threshold, place)


def read_zone(
    context: SectionContext, name: str, kind: str, fields: Mapping[str, Entry], path: Path
) -> ZoneProperties | None:
    findings = context.findings
    chosen = []
    for key, allowed in (("qualifier", words.QUALIFIERS), ("category", words.CATEGORIES)):
        value = literal_text(fields[key].value)
        if key == "category" and value in words.ZONE_NAMES:
            message = f"HAS refuses the category {value}, which a note of the specifications allows, in {name}."
            written, value = fields[key].value, words.ZONE_NAMES[value]
            findings.report_difference(codes.CONSTRAINT_DIFFERS_IN_HAS, message, written, f"Write {value}.", REFUSES)
        if value not in allowed:
            hint = findings.guess_name(value, allowed)
            findings.report_wrong(
                codes.INVALID_CONSTRAINT,
                f"{name}: a zone has no {key} {value or 'of this kind'}.",
                fields[key].value,
                hint,
            )
            return None
        chosen.append(value)
    qualifier, category = chosen
    if category in words.UNKNOWN_ZONES and literal_text(fields["category"].value) == category:
        effect = "so it drops every candidate" if qualifier == "different" else "so every candidate passes"
        message = f"HAS knows the {category} zone of no candidate, {effect}."
        findings.report_difference(codes.CONSTRAINT_DIFFERS_IN_HAS, message, fields["category"].value)
    where = fields.get("location")
    place = context.read_location_name(where.value, f"The constraint {name}") if where else ""
    if where and category != "country":
        message = "HAS reads location in a zone of countries only."
        findings.report_difference(codes.CONSTRAINT_DIFFERS_IN_HAS, message, where)
    return ZoneProperties(qualifier, category, place)


def read_group(
    context: SectionContext, name: str, kind: str, fields: Mapping[str, Entry], path: Path
) -> GroupProperties:
    return GroupProperties()


def read_fit(context: SectionContext, name: str, kind: str, fields: Mapping[str, Entry], path: Path) -> FitProperties:
    findings, controller, request = context.findings, fields["controller"], fields.get("request")
    value = literal_text(controller.value)
    if not value:
        findings.report_wrong(
            codes.INVALID_CONSTRAINT, f"The controller of {name} must be a name.", controller.value, engine=TAKES
        )
    elif kind != "vim_fit" and value != words.CONTROLLER:
        message = f"HAS knows the controller {words.CONTROLLER} only, and drops every candidate for {value}."
        findings.report_difference(codes.CONSTRAINT_DIFFERS_IN_HAS, message, controller.value)
    if request is None or request.value == NULL:
        message = f"HAS fails while it solves {kind} without a request, in {name}."
        findings.report_difference(codes.CONSTRAINT_DIFFERS_IN_HAS, message, controller, "Add request.", CRASHES)
        return FitProperties(value)
    if not isinstance(request.value, Map):
        findings.report_wrong(
            codes.INVALID_CONSTRAINT, f"The request of {name} must be a map.", request.value, engine=CRASHES
        )
        return FitProperties(value)
    if kind == "vim_fit":
        check_capacity(context, name, request)
    return FitProperties(value, plain_data(request.value))


def check_capacity(context: SectionContext, name: str, request: Entry) -> None:
    """Reports units, and names that HAS does not read: it compares three numbers and ignores their units."""
    assert isinstance(request.value, Map)
    for key in ("vCPU", "Memory", "Storage"):
        amount = request.value.get(key)
        inner = amount.get("quantity") if isinstance(amount, Map) else amount
        if amount is None or inner is None or (key != "vCPU" and not isinstance(amount, Map)):
            missing = key if key == "vCPU" else f"{key}.quantity"
            message = f"HAS fails while it solves vim_fit without {missing}, in {name}."
            context.findings.report_difference(
                codes.CONSTRAINT_DIFFERS_IN_HAS, message, amount or request, engine=CRASHES
            )
        elif not isinstance(inner, Lit) or not is_finite_number(inner.value):
            context.findings.report_wrong(
                codes.INVALID_CONSTRAINT, f"{key} of {name} must be a number.", inner, engine=CRASHES
            )
        elif isinstance(amount, Map) and (unit := amount.get("unit")) is not None:
            message = f"HAS does not read the unit of {key}; it compares numbers."
            context.findings.report_note(codes.KEY_NOT_READ_BY_HAS, message, unit, severity="info")


def read_license(
    context: SectionContext, name: str, kind: str, fields: Mapping[str, Entry], path: Path
) -> LicenseProperties:
    return LicenseProperties(plain_data(fields["id"].value), plain_data(fields["key"].value))


def read_network(
    context: SectionContext, name: str, kind: str, fields: Mapping[str, Entry], path: Path
) -> NetworkProperties | None:
    quantities = {
        key: context.read_threshold(fields[key], (*path, key), deferred=True) for key in words.NETWORK if key in fields
    }
    if not quantities:
        message = f"{name} needs bandwidth, distance or latency."
        place = fields.get("location") or constraint_span(context, name)
        context.findings.report_wrong(codes.INVALID_CONSTRAINT, message, place)
        return None
    where = fields.get("location")
    place_ = context.read_location_name(where.value, f"The constraint {name}") if where else ""
    return NetworkProperties(quantities.get("bandwidth"), quantities.get("distance"), quantities.get("latency"), place_)


def constraint_span(context: SectionContext, name: str) -> Span:
    section = context.document.sections["constraints"].value
    entries = section.entries if isinstance(section, Map) else ()
    at = next((entry.at for entry in entries if entry.key == name), 0)
    return word_at(at, name)


READERS: Mapping[str, Callable[[SectionContext, str, str, Mapping[str, Entry], Path], Properties | None]] = {
    "distance_to_location": read_distance,
    "distance_between_demands": read_distance,
    "attribute": evaluations.read_attribute_properties,
    "threshold": evaluations.read_threshold_properties,
    "zone": read_zone,
    "inventory_group": read_group,
    "instance_fit": read_fit,
    "region_fit": read_fit,
    "vim_fit": read_fit,
    "hpa": evaluations.read_hpa_properties,
    "license": read_license,
    "network_between_demands": read_network,
    "network_to_location": read_network,
    "capability": capabilities.read_capability,
}
