"""Selects the candidates of each demand: those of the inventory that its requirements accept, and those that it
declares itself.

Invariant: the candidates of a demand are in the order of its requirements, then of the inventory.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import final

from transpile.diagnostics import codes
from transpile.diagnostics.model import Sink
from transpile.homing import inventory, model, rows
from transpile.homing.distance import GeoPoint
from transpile.homing.evaluation import Choice, RowEvaluator
from transpile.homing.expressions import OWN, Test, Truth, Unknown
from transpile.homing.inventory import Inventory, InventoryRow
from transpile.homing.problem import PlacementCandidate, PlacementDemand
from transpile.homing.scalars import finite_number

EXISTING = Fraction(-8000)  # the cost of the current placement, as in HAS


@final
class CandidateSelector:
    """Selects candidates. `fit`: whether a filter accepts all candidates if the inventory says nothing about its
    attribute.
    """

    def __init__(self, linked: model.LinkedHomingTemplate, stock: Inventory, sink: Sink, *, fit: bool) -> None:
        self.linked, self.inventory, self.sink, self.fit = linked, stock, sink, fit
        self.of_kind: dict[str, list[InventoryRow]] = {}
        for row in stock.rows:
            self.of_kind.setdefault(row.kind, []).append(row)

    def select_candidates(self, demand: model.TemplateDemand) -> PlacementDemand:
        """The demand with its candidates, and with the reasons for which others are left out."""
        candidates: dict[str, PlacementCandidate] = {}
        evaluator = RowEvaluator(None, self.sink.budget)
        filtered: dict[str, str] = {}
        for requirement in demand.requirements:
            offered = offered_rows(self.of_kind.get(requirement.inventory_type, ()), demand.name)
            own = [declared_row(each, requirement) for each in requirement.candidates]
            row_ids = {row.id for row in offered}
            tests = self.requirement_tests(requirement, offered)
            for row in [*offered, *(each for each in own if each.id not in row_ids)]:
                self.sink.budget.check_time()
                choices = {OWN: Choice(demand.name, row)}
                why = next((name for name, test in tests if not evaluator.holds(test, choices)), None)
                if why is not None:
                    filtered.setdefault(row.id, why)
                    continue
                cost = self.candidate_cost(row, requirement)
                candidates[row.id] = PlacementCandidate(
                    row.id, row.kind, cost, row.point, {**row.data, "cost": float(cost)}
                )
        filtered = {name: why for name, why in filtered.items() if name not in candidates}
        return PlacementDemand(demand.name, tuple(candidates.values()), filtered, self.is_unique(demand))

    def is_unique(self, demand: model.TemplateDemand) -> bool | None:
        """Whether each candidate may be in one solution only; None if the template does not say it."""
        section = (self.linked.data.get("demands") or {}).get(demand.name)
        says = [each["unique"] for each in section or () if isinstance(each, dict) and "unique" in each]
        return str(says[0]).lower() == "true" if says else None

    def candidate_cost(self, row: InventoryRow, requirement: model.DemandRequirement) -> Fraction:
        if requirement.existing is not None and row.id in requirement.existing.ids:
            return EXISTING
        cost = row.cost if row.cost is not None else requirement.default_cost
        if cost is None:
            cost = inventory.COSTS.get(row.kind, 1.0)
        return Fraction(repr(float(cost)))

    def requirement_tests(
        self, requirement: model.DemandRequirement, offered: Sequence[InventoryRow]
    ) -> list[tuple[str, Test]]:
        """The tests that a requirement makes of a candidate, by the name that a reason shows. A value that the
        inventory lacks is assumed, and reported unless it is the owner of the inventory.
        """
        tests: list[tuple[str, Test]] = []
        for name, test in rows.requirement_tests(requirement, offered):
            if not isinstance(test, Unknown):
                tests.append((name, test))
            elif offered and not rows.is_scope_attribute(name):
                assumed = "takes all of them" if self.fit else "takes none"
                message = f"No candidate of the inventory has {name}, by which the demand selects: it {assumed}."
                self.sink.add(codes.MISSING_INVENTORY_VALUE, message, requirement.span.in_text)
                tests.append((name, Truth(self.fit)))
        return tests


def declared_row(candidate: model.DeclaredCandidate, requirement: model.DemandRequirement) -> InventoryRow:
    """A candidate that the template declares, as a row of the inventory."""
    latitude, longitude = (finite_number(candidate.fields.get(axis)) for axis in ("latitude", "longitude"))
    point = None if latitude is None or longitude is None else GeoPoint(latitude, longitude)
    cost = finite_number(candidate.fields.get("cost"))
    kind = candidate.fields.get("inventory_type") or requirement.inventory_type
    data = {"location_id": candidate.id, **candidate.fields}
    return inventory.InventoryRow(candidate.id, str(kind), 0.0 if cost is None else cost, point, data)


def offered_rows(inventory_rows: Iterable[InventoryRow], demand: str) -> list[InventoryRow]:
    """The rows of the inventory that are offered to a demand."""
    return [row for row in inventory_rows if demand in row.data.get("demands", (demand,))]
