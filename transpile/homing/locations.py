"""Reads the section `locations`: pairs of coordinates, host names, CLLI codes, and placemarks."""

from __future__ import annotations

from collections.abc import Iterator

from transpile.diagnostics import codes
from transpile.homing import words
from transpile.homing.context import SectionContext, literal_text
from transpile.homing.findings import CRASHES, REFUSES, TAKES
from transpile.homing.model import TemplateLocation
from transpile.model.ir import NULL, Entry, Expr, Lit, Map

RANGES = {"latitude": 90.0, "longitude": 180.0}
CLLI = (8, 11)  # characters of a place, and of an entity there


def read_locations(context: SectionContext, section: Expr) -> dict[str, TemplateLocation]:
    entries = context.read_entries(section, "The section locations", codes.NOT_A_HOMING_TEMPLATE)
    return {location.name: location for entry in entries for location in read_location(context, entry)}


def read_location(context: SectionContext, entry: Entry) -> Iterator[TemplateLocation]:
    """The location of an entry, unless the entry is no map."""
    findings, name, location_map = context.findings, entry.key, entry.value
    if not context.expect_map(location_map, f"The location {name}", codes.INVALID_LOCATION):
        return
    fields = {field.key: field for field in location_map.entries}
    context.check_keys(location_map, words.LOCATION, f"The location {name}", codes.INVALID_LOCATION)
    coordinates = {key: read_coordinate(context, fields[key]) for key in words.COORDINATES if key in fields}
    host, clli, country = (literal_text(location_map.get(key)) for key in ("host_name", "clli_code", "country"))
    placemark = {key: literal_text(fields[key].value) for key in words.PLACEMARK if key in fields}
    if placemark:
        first = next(fields[key] for key in words.PLACEMARK if key in fields)
        message = f"HAS refuses placemarks, which the specifications defer: {name} has {first.key}."
        findings.report_difference(
            codes.LOCATION_REFUSED_BY_HAS,
            message,
            first,
            "Add latitude and longitude, and remove the address.",
            REFUSES,
        )
    if "country" in fields:
        message = "HAS refuses country in a location, although a zone of countries needs it."
        findings.report_difference(codes.LOCATION_REFUSED_BY_HAS, message, fields["country"], "", REFUSES)
    zero = [key for key, value in coordinates.items() if value == 0 and not isinstance(literal_value(fields[key]), str)]
    if len(coordinates) == 1:
        key = next(iter(coordinates))
        rest = "; HAS takes the other form" if host or clli else ""
        engine = TAKES if host or clli else REFUSES
        findings.report_wrong(
            codes.INVALID_LOCATION, f"The location {name} has only a {key}{rest}.", fields[key], engine=engine
        )
    elif not coordinates and not (host or clli or placemark):
        findings.report_wrong(
            codes.INVALID_LOCATION, f"The location {name} has no coordinates, host_name or clli_code.", entry
        )
    elif zero:
        message = f"HAS takes the {zero[0]} 0 for none, and " + (
            "would take the other form." if host or clli else "refuses the location."
        )
        engine = TAKES if host or clli else REFUSES
        findings.report_difference(
            codes.LOCATION_REFUSED_BY_HAS, message, fields[zero[0]], f'Quote it: {zero[0]}: "0".', engine
        )
    if clli and len(clli) not in CLLI and not (host or len(coordinates) == 2):
        message = f"A CLLI code has 8 characters, {clli} has {len(clli)}: HAS could not resolve it."
        findings.report_wrong(codes.INVALID_LOCATION, message, fields["clli_code"])
    latitude, longitude = (coordinates.get(key) for key in words.COORDINATES)
    if latitude is None or longitude is None:
        latitude = longitude = None
    yield TemplateLocation(name, latitude, longitude, host, clli, country, placemark, entry.key_span)


def literal_value(entry: Entry) -> object:
    return entry.value.value if isinstance(entry.value, Lit) else None


def read_coordinate(context: SectionContext, entry: Entry) -> float | None:
    key, value = entry.key, entry.value
    empty = value in (NULL, Lit(""), Map(()))
    degrees = context.read_number(value, f"A {key}", codes.INVALID_LOCATION, REFUSES if empty else CRASHES)
    if degrees is not None and abs(degrees) > RANGES[key]:
        message = f"A {key} is between -{RANGES[key]:g} and {RANGES[key]:g}. HAS does not check it."
        context.findings.report_wrong(codes.COORDINATES_DO_NOT_EXIST, message, value, suggest_swapped(degrees), TAKES)
    return degrees


def suggest_swapped(value: float) -> str:
    return "Are latitude and longitude interchanged?" if 90 < abs(value) <= 180 else ""
