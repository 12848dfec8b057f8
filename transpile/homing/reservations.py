"""Reads the section `reservations`, as the texts describe it, and the section `reservation`, as HAS reads it."""

from __future__ import annotations

from collections.abc import Iterator

from transpile.diagnostics import codes
from transpile.homing import words
from transpile.homing.context import SectionContext, list_items, literal_text, plain_data
from transpile.homing.findings import REFUSES, TAKES
from transpile.homing.model import TemplateReservation
from transpile.model.ir import NO_PROPERTIES, Entry, Expr, Lit, Map, Seq, as_map

OF_HAS = ("service_model", "service_candidates")


def read_text_reservations(context: SectionContext, section: Expr) -> list[TemplateReservation]:
    """The reservations of the texts: `{NAME: {type, demands, properties}}`. HAS ignores them, which one finding
    says.
    """
    entries = section.entries if isinstance(section, Map) else ()
    return [reservation for entry in entries for reservation in read_reservation(context, entry, TAKES)]


def read_engine_reservations(context: SectionContext, section: Expr) -> tuple[str, list[TemplateReservation]]:
    """The reservations of HAS: `{service_model, service_candidates: {NAME: {demands, properties}}}`, or the form of the
    texts under this key.
    """
    if not isinstance(section, Map):
        return "", []
    fields = {entry.key: entry for entry in section.entries}
    if section.entries and not set(fields) & set(OF_HAS):
        message = "HAS reads service_model and service_candidates here, and drops this form of the specifications."
        context.findings.report_difference(codes.RESERVATION_IGNORED_BY_HAS, message, section.entries[0])
        return "", read_text_reservations(context, section)
    context.check_keys(section, OF_HAS, "The section reservation", codes.INVALID_RESERVATION, TAKES)
    candidates = section.get("service_candidates") or NO_PROPERTIES
    entries = context.read_entries(candidates, "service_candidates", codes.INVALID_RESERVATION)
    reservations = [reservation for entry in entries for reservation in read_reservation(context, entry, REFUSES)]
    return literal_text(section.get("service_model")), reservations


def read_reservation(context: SectionContext, entry: Entry, engine: str) -> Iterator[TemplateReservation]:
    """The reservation of an entry, unless the entry is no map. `engine`: the reaction of HAS to a mistake in it."""
    findings, name, reservation_map = context.findings, entry.key, entry.value
    if not context.expect_map(reservation_map, f"The reservation {name}", codes.INVALID_RESERVATION, engine):
        return
    context.check_keys(reservation_map, words.RESERVATION, f"The reservation {name}", codes.INVALID_RESERVATION, TAKES)
    kind = literal_text(reservation_map.get("type"))
    if engine == TAKES and kind != words.RESERVATION_TYPE:
        problem = f"is {kind}" if kind else "is missing"
        hint = f"Known: {words.RESERVATION_TYPE}."
        findings.report_wrong(
            codes.INVALID_RESERVATION,
            f"The type of the reservation {name} {problem}.",
            reservation_map.get("type") or entry,
            hint,
            TAKES,
        )
    named = reservation_map.get("demands")
    if engine == REFUSES and isinstance(named, Lit) and literal_text(named):
        message = "HAS takes the letters of this text for names of demands."
        findings.report_difference(
            codes.INVALID_RESERVATION, message, named, f"Write [{literal_text(named)}].", REFUSES
        )
    chosen = [context.read_demand_name(item, f"The reservation {name}", engine) for item in list_items(named)]
    if named is None or (isinstance(named, Seq) and not named.items):
        findings.report_wrong(codes.INVALID_RESERVATION, f"The reservation {name} has no demands.", entry, engine=TAKES)
    properties = reservation_map.get("properties")
    context.expect_map(properties or NO_PROPERTIES, f"The properties of {name}", codes.INVALID_RESERVATION, TAKES)
    body = as_map(properties)
    yield TemplateReservation(
        name,
        kind,
        tuple([demand_name for demand_name in chosen if demand_name]),
        literal_text(body.get("controller")),
        plain_data(body.get("request")),
        plain_data(properties),
        entry.key_span,
    )
