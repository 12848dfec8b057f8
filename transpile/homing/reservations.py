"""The sections `reservations`, as the texts have it, and `reservation`, as HAS reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from transpile.homing import words
from transpile.homing.context import list_items, literal_text, plain_data
from transpile.homing.findings import REFUSES, TAKES
from transpile.homing.model import TemplateReservation
from transpile.model.ir import Entry, Lit, Map, Seq

if TYPE_CHECKING:
    from transpile.homing.context import SectionContext
    from transpile.model.ir import Expr

OF_HAS = ("service_model", "service_candidates")


def read_text_reservations(context: SectionContext, section: Expr | None) -> list[TemplateReservation]:
    """{NAME: {type, demands, properties}}. HAS reads nothing of it, which is said once."""
    found = []
    for entry in section.entries if isinstance(section, Map) else ():
        if (one := read_reservation(context, entry, TAKES)) is not None:
            found.append(one)
    return found


def read_engine_reservations(
    context: SectionContext, section: Expr | None
) -> tuple[str | None, list[TemplateReservation]]:
    """{service_model, service_candidates: {NAME: {demands, properties}}}; or the form of the texts, under this key."""
    if not isinstance(section, Map):
        return None, []
    fields = {entry.key: entry for entry in section.entries}
    if section.entries and not set(fields) & set(OF_HAS):
        message = "HAS reads service_model and service_candidates here, and drops this form of the texts."
        context.findings.report_difference("HOT886", message, section.entries[0])
        return None, read_text_reservations(context, section)
    context.check_keys(section, OF_HAS, "The section reservation", "HOT887", TAKES)
    found = []
    given = fields.get("service_candidates")
    body = context.expect_map(given.value, "service_candidates", "HOT887") if given is not None else None
    for entry in body.entries if body is not None else ():
        if (one := read_reservation(context, entry, REFUSES)) is not None:
            found.append(one)
    return literal_text(section.get("service_model")) or None, found


def read_reservation(context: SectionContext, entry: Entry, engine: str) -> TemplateReservation | None:
    """One reservation. `engine`: what HAS does with a mistake in it."""
    findings, name = context.findings, entry.key
    given = context.expect_map(entry.value, f"The reservation {name}", "HOT887", engine)
    if given is None:
        return None
    context.check_keys(given, words.RESERVATION, f"The reservation {name}", "HOT887", TAKES)
    kind = literal_text(given.get("type"))
    if engine == TAKES and kind != words.RESERVATION_TYPE:
        shown = f"is {kind}" if kind else "is missing"
        hint = f"Known: {words.RESERVATION_TYPE}."
        findings.report_wrong(
            "HOT887", f"The type of the reservation {name} {shown}.", given.get("type") or entry, hint, TAKES
        )
    named = given.get("demands")
    if engine == REFUSES and isinstance(named, Lit) and literal_text(named):
        message = "HAS takes the letters of this text for names of demands."
        findings.report_difference("HOT887", message, named, f"Write [{literal_text(named)}].", REFUSES)
    chosen = [context.read_demand_name(one, f"The reservation {name}", engine) for one in list_items(named)]
    if named is None or (isinstance(named, Seq) and not named.items):
        findings.report_wrong("HOT887", f"The reservation {name} has no demands.", entry, engine=TAKES)
    properties = given.get("properties")
    body = context.expect_map(properties, f"The properties of {name}", "HOT887", TAKES)
    controller = literal_text(body.get("controller")) if body is not None else ""
    return TemplateReservation(
        name,
        kind,
        tuple([one for one in chosen if one is not None]),
        controller or None,
        plain_data(body.get("request")) if body is not None else None,
        plain_data(properties),
        entry.key_span,
    )
