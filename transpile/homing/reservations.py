"""The sections `reservations`, as the texts have it, and `reservation`, as HAS reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from transpile.homing import words
from transpile.homing.context import items, plain, text
from transpile.homing.findings import REFUSES, TAKES
from transpile.homing.model import Reservation
from transpile.model.ir import Entry, Lit, Map, Seq

if TYPE_CHECKING:
    from transpile.homing.context import Context
    from transpile.model.ir import Expr

OF_HAS = ("service_model", "service_candidates")


def of_texts(context: Context, section: Expr | None) -> list[Reservation]:
    """{NAME: {type, demands, properties}}. HAS reads nothing of it, which is said once."""
    found = []
    for entry in section.entries if isinstance(section, Map) else ():
        if (one := reservation(context, entry, TAKES)) is not None:
            found.append(one)
    return found


def of_engine(context: Context, section: Expr | None) -> tuple[str | None, list[Reservation]]:
    """{service_model, service_candidates: {NAME: {demands, properties}}}; or the form of the texts, under this key."""
    if not isinstance(section, Map):
        return None, []
    fields = {entry.key: entry for entry in section.entries}
    if section.entries and not set(fields) & set(OF_HAS):
        message = "HAS reads service_model and service_candidates here, and drops this form of the texts."
        context.findings.differs("HOT886", message, section.entries[0])
        return None, of_texts(context, section)
    context.keys(section, OF_HAS, "The section reservation", "HOT887", TAKES)
    found = []
    given = fields.get("service_candidates")
    body = context.map(given.value, "service_candidates", "HOT887") if given is not None else None
    for entry in body.entries if body is not None else ():
        if (one := reservation(context, entry, REFUSES)) is not None:
            found.append(one)
    return text(section.get("service_model")) or None, found


def reservation(context: Context, entry: Entry, engine: str) -> Reservation | None:
    """One reservation. `engine`: what HAS does with a mistake in it."""
    findings, name = context.findings, entry.key
    given = context.map(entry.value, f"The reservation {name}", "HOT887", engine)
    if given is None:
        return None
    context.keys(given, words.RESERVATION, f"The reservation {name}", "HOT887", TAKES)
    kind = text(given.get("type"))
    if engine == TAKES and kind != words.RESERVATION_TYPE:
        shown = f"is {kind}" if kind else "is missing"
        hint = f"Known: {words.RESERVATION_TYPE}."
        findings.wrong(
            "HOT887", f"The type of the reservation {name} {shown}.", given.get("type") or entry, hint, TAKES
        )
    named = given.get("demands")
    if engine == REFUSES and isinstance(named, Lit) and text(named):
        message = "HAS takes the letters of this text for names of demands."
        findings.differs("HOT887", message, named, f"Write [{text(named)}].", REFUSES)
    chosen = [context.demand(one, f"The reservation {name}", engine) for one in items(named)]
    if named is None or (isinstance(named, Seq) and not named.items):
        findings.wrong("HOT887", f"The reservation {name} has no demands.", entry, engine=TAKES)
    properties = given.get("properties")
    body = context.map(properties, f"The properties of {name}", "HOT887", TAKES)
    controller = text(body.get("controller")) if body is not None else ""
    return Reservation(
        name,
        kind,
        tuple([one for one in chosen if one is not None]),
        controller or None,
        plain(body.get("request")) if body is not None else None,
        plain(properties),
        entry.key_span,
    )
