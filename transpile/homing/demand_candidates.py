"""Selects the candidates of each demand: those of the inventory that its requirements accept, and those that it
declares itself.

Invariant: the candidates of a demand are in the order of its requirements, then of the inventory.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, final

from transpile.diagnostics import codes
from transpile.diagnostics.model import Sink
from transpile.homing import filters, inventory, model
from transpile.homing.inventory import Inventory, InventoryRow
from transpile.homing.problem import GeoPoint, PlacementCandidate, PlacementDemand
from transpile.homing.scalars import finite_number

EXISTING = Fraction(-8000)  # the cost of the current placement, as in HAS
SCOPE = ("service-type", "equipment-role", "model-invariant-id", "model-version-id")  # what an inventory is drawn by


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
        filtered: dict[str, str] = {}
        for requirement in demand.requirements:
            rows = [
                row
                for row in self.of_kind.get(requirement.inventory_type, ())
                if demand.name in row.data.get("demands", (demand.name,))
            ]
            own = [self.declared_row(each, requirement) for each in requirement.candidates]
            row_ids = {row.id for row in rows}
            tests = list(self.requirement_tests(requirement, rows))
            for row in [*rows, *(each for each in own if each.id not in row_ids)]:
                self.sink.budget.check_time()
                why = next((name for name, test in tests if not test(row)), None)
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

    def declared_row(self, candidate: model.DeclaredCandidate, requirement: model.DemandRequirement) -> InventoryRow:
        """A candidate that the template declares, as a row of the inventory."""
        latitude, longitude = (finite_number(candidate.fields.get(axis)) for axis in ("latitude", "longitude"))
        point = None if latitude is None or longitude is None else GeoPoint(latitude, longitude)
        cost = finite_number(candidate.fields.get("cost"))
        kind = candidate.fields.get("inventory_type") or requirement.inventory_type
        data = {"location_id": candidate.id, **candidate.fields}
        return inventory.InventoryRow(candidate.id, str(kind), 0.0 if cost is None else cost, point, data)

    def candidate_cost(self, row: InventoryRow, requirement: model.DemandRequirement) -> Fraction:
        if requirement.existing is not None and row.id in requirement.existing.ids:
            return EXISTING
        cost = row.cost if row.cost is not None else requirement.default_cost
        if cost is None:
            cost = inventory.COSTS.get(row.kind, 1.0)
        return Fraction(repr(float(cost)))

    def requirement_tests(
        self, requirement: model.DemandRequirement, rows: Iterable[InventoryRow]
    ) -> Iterable[tuple[str, Any]]:
        """The tests that a requirement makes of a candidate, by the name that a reason shows."""
        if requirement.required is not None:
            yield "required_candidates", lambda row: is_selected(requirement.required or (), row)
        if requirement.excluded:
            yield "excluded_candidates", lambda row: not is_selected(requirement.excluded, row)
        if requirement.region is not None:
            yield "region", lambda row: str(row.data.get("location_id")) == requirement.region
        if requirement.complex is not None:
            yield "complex", lambda row: in_complex(row.data, requirement.complex or "")
        for filter_ in requirement.filters:
            values = {id(row): row_attribute(row, filter_.attribute) for row in rows}
            if any(value is not None for value in values.values()):
                yield (
                    filter_.attribute,
                    lambda row, filter_=filter_: passes_filter(filter_, row_attribute(row, filter_.attribute)),
                )
            elif not is_scope_attribute(filter_.attribute) and rows:
                assumed = "takes all of them" if self.fit else "takes none"
                message = (
                    f"No candidate of the inventory has {filter_.attribute}, by which the demand selects: it {assumed}."
                )
                self.sink.add(codes.MISSING_INVENTORY_VALUE, message, requirement.span.in_text)
                if not self.fit:
                    yield filter_.attribute, lambda row: False
        for column, allowed_values in (
            ("customer_id", () if requirement.customer_id is None else (requirement.customer_id,)),
            ("service_type", requirement.service_type),
            ("service_id", requirement.service_id),
        ):
            if allowed_values and any(column in row.data for row in rows):
                yield (
                    column,
                    lambda row, column=column, allowed_values=allowed_values: any(
                        filters.values_equal(row.data.get(column), each) for each in allowed_values
                    ),
                )


def is_selected(selections: Iterable[model.CandidateSelection], row: InventoryRow) -> bool:
    """Whether a candidate is named by one of the selections."""
    return any(row.id in selection.ids and selection.inventory_type in (None, row.kind) for selection in selections)


def in_complex(data: Mapping[str, Any], complex_name: str) -> bool:
    return str(data.get("physical_location_id") or data.get("complex_name")) == complex_name


def is_scope_attribute(name: str) -> bool:
    """Whether an attribute says whose inventory is meant, like `customer-id`. A file is already the inventory of one
    customer, so such filters decide nothing.
    """
    name = name.replace("_", "-")
    return name.endswith("customer-id") or name in SCOPE


def row_attribute(row: InventoryRow, name: str) -> Any:
    """The attribute of a candidate that demands filter by: a member of `attributes`, or a column, in which hyphens are
    underscores.
    """
    more = row.data.get("attributes")
    for key in (name, name.replace("-", "_"), name.replace("_", "-")):
        if isinstance(more, dict) and more.get(key) is not None:
            return more[key]
    return row.data.get(name, row.data.get(name.replace("-", "_")))


def passes_filter(filter_: model.AttributeFilter, have: Any) -> bool:
    """Whether a filter accepts a value. A missing value is none of the wanted values."""
    return (
        have is not None and any(filters.values_equal(have, each) for each in filter_.values)
    ) is not filter_.negated
