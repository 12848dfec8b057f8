"""Checks that an inventory has the objects that a homing template names: locations, and at least one candidate for each
demand.
"""

from __future__ import annotations

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, Sink
from transpile.homing.demand_candidates import CandidateSelector
from transpile.homing.findings import HomingFindings
from transpile.homing.inventory import Inventory
from transpile.homing.model import LinkedHomingTemplate


def check_availability(linked: LinkedHomingTemplate, stock: Inventory, engine: str = "") -> list[Diagnostic]:
    """Errors for each demand without a candidate, and for each location that the inventory does not know: HAS refuses
    both.
    """
    findings = HomingFindings(linked.document.source, engine)
    known_places = stock.sections.get("locations") or {}
    for place in linked.locations.values():
        name = place.host_name or place.clli_code
        if place.position is None and name and name not in known_places:
            hint = findings.guess_name(name, list(known_places))
            findings.report_wrong(
                codes.MISSING_FROM_INVENTORY,
                f"The inventory has no location {name}, which {place.name} names.",
                place,
                hint,
            )
    sink = Sink(linked.document.source)
    drawn = CandidateSelector(linked, stock, sink, fit=False)
    for demand in linked.demands.values():
        if not drawn.select_candidates(demand).candidates:
            message = f"The inventory has no candidate for the demand {demand.name}."
            findings.report_wrong(
                codes.MISSING_FROM_INVENTORY, message, demand, explain_missing(linked, demand.name, drawn)
            )
    return findings.sink.diagnostics


def explain_missing(linked: LinkedHomingTemplate, name: str, drawn: CandidateSelector) -> str:
    """Which part of a demand leaves no candidate, as a hint: its inventory type, or its filters."""
    demand = linked.demands[name]
    kinds = sorted({requirement.inventory_type for requirement in demand.requirements})
    have = sorted(set(drawn.of_kind) - set(kinds))
    if not any(kind in drawn.of_kind for kind in kinds):
        return f"It has {', '.join(have)}, not {', '.join(kinds)}." if have else ""
    reasons = sorted(set(drawn.select_candidates(demand).filtered.values()))
    return f"Removed by {', '.join(reasons)}." if reasons else ""
