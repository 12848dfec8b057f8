"""Lowers a homing template and an inventory to a placement problem.

Invariant: a construct that the problem leaves out, or reads in an unexpected sense, has a diagnostic at its place in
the template.
"""

from __future__ import annotations

from typing import final

from transpile.diagnostics import codes
from transpile.diagnostics.model import Sink
from transpile.homing import columns, model, rows
from transpile.homing.demand_candidates import CandidateSelector
from transpile.homing.distance import GeoPoint
from transpile.homing.expressions import (
    ATTRIBUTE,
    Column,
    Compare,
    HasFlavors,
    Includes,
    Literal,
    Matches,
    NoneHas,
    NotTest,
    Term,
    Test,
    Unmeasured,
    find_parts,
    has_part,
)
from transpile.homing.inventory import Inventory
from transpile.homing.problem import PlacementConstraint, PlacementLocation, PlacementObjective, PlacementProblem
from transpile.homing.scalars import finite_number
from transpile.model.span import Located


def lower_template(
    linked: model.LinkedHomingTemplate, stock: Inventory, sink: Sink, *, fit: bool
) -> PlacementProblem | None:
    """The problem; None if it cannot be stated. `sink`: collects the diagnostics of the template; `fit`: the assumption
    where the inventory does not decide.
    """
    return ProblemLowering(linked, stock, sink, fit).lower_problem()


@final
class ProblemLowering:
    """Lowers one template."""

    def __init__(self, linked: model.LinkedHomingTemplate, stock: Inventory, sink: Sink, fit: bool) -> None:
        self.linked, self.inventory, self.sink, self.fit = linked, stock, sink, fit
        self.failed = False

    def lower_problem(self) -> PlacementProblem | None:
        drawn = CandidateSelector(self.linked, self.inventory, self.sink, fit=self.fit)
        demands = tuple([drawn.select_candidates(demand) for demand in self.linked.demands.values()])
        constraints = rows.constraint_rows(self.linked)
        asked = {part.column.name for row in constraints for part in find_parts(row.alone, NoneHas)}
        absent = frozenset(name for name in asked if not self.has_attribute(name))
        for row in constraints:
            self.check_row(row)
        term = rows.objective_term(self.linked, adds_costs=self.linked.adds_costs)
        goal = None
        if term is not None and self.linked.objective is not None:
            self.check_term(term)
            goal = PlacementObjective(term, self.linked.objective.goal == "maximize")
        locations = {name: self.lower_location(location) for name, location in self.linked.locations.items()}
        if self.failed:
            return None
        sections = self.inventory.sections
        return PlacementProblem(demands, locations, tuple(constraints), goal, self.fit, sections, absent)

    def report_failure(self, message: str, where: Located, hint: str = "") -> None:
        self.failed = True
        self.sink.add(codes.PROBLEM_CANNOT_BE_STATED, message, where.span.in_text, hint)

    def lower_location(self, location: model.TemplateLocation) -> PlacementLocation:
        """A location. If it has no coordinates, the inventory may have some for its host name or CLLI code, or for the
        name of the location.
        """
        inventory_location = (self.inventory.sections.get("locations") or {}).get(location.inventory_key)
        country = location.country or (
            str(inventory_location["country"])
            if inventory_location is not None and inventory_location.get("country")
            else None
        )
        if location.position is not None:
            return PlacementLocation(location.name, GeoPoint(*location.position), country)
        if inventory_location is not None:
            at = [finite_number(inventory_location.get(axis)) or 0.0 for axis in ("latitude", "longitude")]
            return PlacementLocation(location.name, GeoPoint(*at), country)
        if location.name in self.linked.measured_locations:
            self.report_failure(*describe_unknown_position(location))
        return PlacementLocation(location.name, None, country)

    # gaps of an inventory

    def has_attribute(self, name: str) -> bool:
        """Whether any candidate of the inventory, or any that the template declares, has an attribute."""
        return has_attribute(self.linked, self.inventory, name)

    def check_row(self, row: PlacementConstraint) -> None:
        """Reports data that the tests of a constraint read and the inventory does not have."""
        constraint = self.linked.constraints[row.name]
        asks_flavors = has_part(row.alone, HasFlavors)
        if asks_flavors and not any(each.data.get("flavors") for each in self.inventory.rows):
            self.report_absent_column("flavors", constraint, "no candidate has the features")
        plain = {part.column.name for part in find_parts(row.alone, NoneHas)}
        for test in attribute_tests(row.alone):
            column = test.left if isinstance(test, Compare) else test.column
            if not isinstance(column, Column) or self.has_attribute(column.name):
                continue
            if column.name in plain and isinstance(test, Compare):
                self.sink.add(
                    codes.PLAIN_ATTRIBUTE_VALUE,
                    f"No candidate of the inventory has {column.name}, so its plain value is compared with nothing.",
                    test.right.span.in_text if isinstance(test.right, Literal) else constraint.span.in_text,
                    "Add the column to the inventory. Until then --assume says whether the candidates pass.",
                )
            else:
                self.report_absent_column(column.name, constraint, f"nothing satisfies {row.name}")
        if isinstance(row.pair, Compare) and isinstance(row.pair.left, Column):
            self.check_zone(row.pair.left, constraint)

    def report_absent_column(self, column: str, constraint: model.TemplateConstraint, so: str) -> None:
        self.sink.add(
            codes.MISSING_INVENTORY_VALUE, f"No candidate of the inventory has {column}: {so}.", constraint.span.in_text
        )

    def check_zone(self, zone: Column, constraint: model.TemplateConstraint) -> None:
        """Reports candidates that are in no zone of a category, if others are."""
        lacking = [row.id for row in self.inventory.rows if not columns.has_value(zone, row)]
        if lacking and len(lacking) < len(self.inventory.rows):
            some = ", ".join(lacking[:3]) + (" …" if len(lacking) > 3 else "")
            message = f"The inventory does not say in which {zone.name} zone some candidates are: {some}."
            hint = "They count as one zone of their own."
            self.sink.add(codes.MISSING_INVENTORY_VALUE, message, constraint.span.in_text, hint)

    def check_term(self, term: Term) -> None:
        """Reports a term of an objective that cannot be computed."""
        for part in find_parts(term, Unmeasured):
            self.report_failure(f"{part.function} cannot be computed from an inventory.", part)


def attribute_tests(test: Test | None) -> list[Compare | Includes | Matches]:
    """The tests that an attribute must be there for: all comparisons of it but those that are negated."""
    negated = {id(part) for negation in find_parts(test, NotTest) for part in find_parts(negation, Compare)}
    parts = list(find_parts(test, (Compare, Includes, Matches)))
    return [
        part
        for part in parts
        if id(part) not in negated
        and isinstance(column := part.left if isinstance(part, Compare) else part.column, Column)
        and column.reading == ATTRIBUTE
    ]


def describe_unknown_position(location: model.TemplateLocation) -> tuple[str, model.TemplateLocation, str]:
    """The message about a location that neither the template nor the inventory has coordinates for, its place, and the
    hint.
    """
    key = location.inventory_key
    message = f"Nothing says where {location.name} is: the section `locations` of the inventory does not have {key}."
    hint = f"Give latitude and longitude in the template, or as locations: {{{key}: {{…}}}} in the inventory."
    return message, location, hint


def has_attribute(linked: model.LinkedHomingTemplate, stock: Inventory, name: str) -> bool:
    """Whether any candidate of the inventory, or any that the template declares, has an attribute."""
    for row in stock.rows:
        linked.document.source.budget.check_time()
        if columns.read_attribute(row.data, name) is not None:
            return True
    declared = [
        candidate.fields
        for demand in linked.demands.values()
        for requirement in demand.requirements
        for candidate in requirement.candidates
    ]
    return any(columns.read_attribute(fields, name) is not None for fields in declared)
