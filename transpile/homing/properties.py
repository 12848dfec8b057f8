"""The properties of each type of constraint, as typed records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from transpile.homing import capabilities, evaluations, words
from transpile.homing.context import plain, text
from transpile.homing.findings import CRASHES, TAKES
from transpile.homing.model import (
    Distance,
    Fit,
    Group,
    License,
    Network,
    Opaque,
    Zone,
)
from transpile.homing.scalars import number
from transpile.model.ir import Lit, Map
from transpile.model.span import Span, word_at

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from transpile.homing.context import Context
    from transpile.homing.model import Path, Properties
    from transpile.model.ir import Entry


def read(context: Context, name: str, kind: str, given: Map, path: Path, owner: Entry) -> Properties | None:
    """The properties, or None if one is missing or cannot be read."""
    if kind in words.OF_OTHERS:
        return Opaque(plain(given))
    row = words.TYPES[kind]
    known = (*row.required, *row.optional)
    fields = {entry.key: entry for entry in given.entries}
    for entry in given.entries:
        if entry.key not in known:
            hint = context.findings.guess(entry.key, known)
            message = f"{kind} has no property {entry.key}, in {name}."
            context.findings.wrong("HOT876", message, entry, hint)
    whole = True
    for key in known:
        whole &= present(context, name, kind, fields.get(key), key, owner, key in row.required)
    if not whole:
        return None
    return READERS[kind](context, name, kind, fields, path)


def present(
    context: Context, name: str, kind: str, entry: Entry | None, key: str, owner: Entry, required: bool
) -> bool:
    """Whether a property may be read: it is there with a value, or it may be absent."""
    if entry is None:
        if required:
            context.findings.wrong("HOT876", f"The {kind} {name} needs the property {key}.", owner)
        return not required
    value = plain(entry.value)
    if value is not None and value != "" and value != [] and value != {}:
        return True
    if required:
        context.findings.wrong("HOT876", f"The property {key} of {name} is empty.", entry)
        return False
    context.findings.wrong("HOT876", f"The property {key} of {name} is empty.", entry, engine=TAKES)
    return True


def distance(context: Context, name: str, kind: str, fields: Mapping[str, Entry], path: Path) -> Distance | None:
    found = context.threshold(fields["distance"], (*path, "distance"))
    where = fields.get("location")
    place = context.location(where.value, f"The constraint {name}") if where is not None else None
    if found is None or (where is not None and place is None):
        return None
    return Distance(found, place)


def zone(context: Context, name: str, kind: str, fields: Mapping[str, Entry], path: Path) -> Zone | None:
    findings = context.findings
    chosen = []
    for key, known in (("qualifier", words.QUALIFIERS), ("category", words.CATEGORIES)):
        value = text(fields[key].value)
        if value not in known:
            hint = findings.guess(value, known)
            findings.wrong(
                "HOT876", f"A zone has no {key} {value or 'of this kind'}, in {name}.", fields[key].value, hint
            )
            return None
        chosen.append(value)
    qualifier, category = chosen
    if category in words.UNKNOWN_ZONES:
        what = "so it drops every candidate" if qualifier == "different" else "so every candidate passes"
        message = f"HAS knows the {category} zone of no candidate, {what}."
        findings.differs("HOT883", message, fields["category"].value)
    where = fields.get("location")
    place = context.location(where.value, f"The constraint {name}") if where is not None else None
    if where is not None and category != "country":
        message = "HAS reads location in a zone of countries only."
        findings.differs("HOT883", message, where)
    return Zone(qualifier, category, place)


def group(context: Context, name: str, kind: str, fields: Mapping[str, Entry], path: Path) -> Group:
    return Group()


def fit(context: Context, name: str, kind: str, fields: Mapping[str, Entry], path: Path) -> Fit:
    findings, controller, request = context.findings, fields["controller"], fields.get("request")
    value = text(controller.value)
    if not value:
        findings.wrong("HOT876", f"The controller of {name} is a name.", controller.value, engine=TAKES)
    elif kind != "vim_fit" and value != words.CONTROLLER:
        message = f"HAS knows the controller {words.CONTROLLER} only, and drops every candidate for {value}."
        findings.differs("HOT883", message, controller.value)
    if request is None or request.value == Lit(None):
        message = f"HAS fails while it solves {kind} without a request, in {name}."
        findings.differs("HOT883", message, controller, "Add request.", CRASHES)
        return Fit(value)
    if not isinstance(request.value, Map):
        findings.wrong("HOT876", f"The request of {name} must be a map.", request.value, engine=CRASHES)
        return Fit(value)
    if kind == "vim_fit":
        capacity(context, name, request)
    return Fit(value, plain(request.value))


def capacity(context: Context, name: str, request: Entry) -> None:
    """HAS reads three numbers, and not their units."""
    assert isinstance(request.value, Map)
    for key in ("vCPU", "Memory", "Storage"):
        given = request.value.get(key)
        inner = given.get("quantity") if isinstance(given, Map) else given
        if given is None or inner is None or (key != "vCPU" and not isinstance(given, Map)):
            what = key if key == "vCPU" else f"{key}.quantity"
            message = f"HAS fails while it solves vim_fit without {what}, in {name}."
            context.findings.differs("HOT883", message, given or request, engine=CRASHES)
        elif not isinstance(inner, Lit) or number(inner.value) is None:
            context.findings.wrong("HOT876", f"{key} of {name} must be a number.", inner, engine=CRASHES)
        elif isinstance(given, Map) and (unit := given.get("unit")) is not None:
            message = f"HAS does not read the unit of {key}; it compares numbers."
            context.findings.note("HOT873", message, unit, severity="info")


def license_(context: Context, name: str, kind: str, fields: Mapping[str, Entry], path: Path) -> License:
    return License(plain(fields["id"].value), plain(fields["key"].value))


def network(context: Context, name: str, kind: str, fields: Mapping[str, Entry], path: Path) -> Network | None:
    found = {key: context.threshold(fields[key], (*path, key), deferred=True) for key in words.NETWORK if key in fields}
    if not found:
        message = f"{name} needs bandwidth, distance or latency."
        place = fields.get("location") or place_of(context, name)
        context.findings.wrong("HOT876", message, place)
        return None
    where = fields.get("location")
    place_ = context.location(where.value, f"The constraint {name}") if where is not None else None
    return Network(found.get("bandwidth"), found.get("distance"), found.get("latency"), place_)


def place_of(context: Context, name: str) -> Span:
    section = context.document.sections["constraints"].value
    entries = section.entries if isinstance(section, Map) else ()
    at = next((entry.at for entry in entries if entry.key == name), 0)
    return word_at(at, name)


READERS: Mapping[str, Callable[[Context, str, str, Mapping[str, Entry], Path], Properties | None]] = {
    "distance_to_location": distance,
    "distance_between_demands": distance,
    "attribute": evaluations.attribute,
    "threshold": evaluations.limits,
    "zone": zone,
    "inventory_group": group,
    "instance_fit": fit,
    "region_fit": fit,
    "vim_fit": fit,
    "hpa": evaluations.hpa,
    "license": license_,
    "network_between_demands": network,
    "network_to_location": network,
    "capability": capabilities.capability,
}
