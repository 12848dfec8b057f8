"""Lowers a homing template and an inventory to a placement problem.

Invariant: whatever the problem leaves out, or takes in a sense that a reader may not expect, has a diagnostic at its
place in the template.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, final

from transpile.diagnostics import codes
from transpile.diagnostics.model import Sink
from transpile.homing import filters, model, problem, relations
from transpile.homing.demand_candidates import CandidateSelector
from transpile.homing.inventory import Inventory
from transpile.homing.problem import AttributeTest, GeoPoint, PlacementLocation, PlacementProblem
from transpile.homing.scalars import finite_number
from transpile.model.span import Located

DECIDERS = {
    "license": "a license server",
    "network_between_demands": "measurements of the network",
    "network_to_location": "measurements of the network",
    "capability": "the Heat service of each region",
}
ONLY = {"vim_fit": problem.CLOUD, "region_fit": problem.CLOUD, "instance_fit": problem.SERVICE}


def lower_template(
    linked: model.LinkedHomingTemplate, stock: Inventory, sink: Sink, *, fit: bool
) -> PlacementProblem | None:
    """The problem; None if it cannot be stated. `sink`: collects the diagnostics of the template; `fit`: what is
    assumed where the inventory does not decide.
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
        constraints = [self.lower_constraint(constraint) for constraint in self.linked.constraints.values()]
        goal = None
        if self.linked.objective is not None:
            term = self.lower_term(self.linked.objective.term)
            goal = problem.PlacementObjective(term, self.linked.objective.goal == "maximize")
        kept = tuple([constraint for constraint in constraints if constraint is not None])
        locations = {name: self.lower_location(location) for name, location in self.linked.locations.items()}
        lowered = PlacementProblem(demands, locations, kept, goal, self.fit)
        return None if self.failed else lowered

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

    # constraints

    def lower_constraint(self, constraint: model.TemplateConstraint) -> problem.Constraint | None:
        names = tuple(dict.fromkeys(name for name in constraint.demands if name in self.linked.demands))
        properties = constraint.properties
        if not names:
            return None
        if isinstance(properties, model.DistanceProperties):
            limit = lower_threshold(properties.threshold)
            if properties.location is None:
                return problem.DistanceBetweenDemands(constraint.name, names, limit)
            return problem.DistanceToLocation(constraint.name, names, properties.location, limit)
        if isinstance(properties, model.ZoneProperties):
            return self.lower_zone(constraint, names, properties)
        if isinstance(properties, model.AttributeProperties):
            return self.lower_attribute(constraint, names, properties)
        if isinstance(properties, model.ThresholdProperties):
            tests = tuple([AttributeTest(each.attribute, each.operator, each.value) for each in properties.limits])
            for test in tests:
                self.warn_of_absent_attribute(test.attribute, constraint)
            return problem.ThresholdConstraint(constraint.name, names, tests)
        if isinstance(properties, model.GroupProperties):
            return self.lower_group(constraint, names, properties)
        if isinstance(properties, model.FitProperties):
            return self.lower_fit(constraint, names, properties)
        if isinstance(properties, model.HpaProperties):
            if not any(row.data.get("flavors") for row in self.inventory.rows):
                self.report_absent_column("flavors", constraint, "no candidate has the features")
            return problem.HpaConstraint(constraint.name, names, self.evaluate_data(constraint))
        why = DECIDERS.get(constraint.type, "something that hot2tf does not know")
        return problem.UndecidedConstraint(constraint.name, constraint.type, names, why)

    def evaluate_data(self, constraint: model.TemplateConstraint) -> Any:
        """The property `evaluate` of a constraint, as data."""
        section = self.linked.data.get("constraints") or {}
        properties = section.get(constraint.name, {}).get("properties") or {}
        evaluate = properties.get("evaluate")
        return tuple([each for each in evaluate if isinstance(each, dict)]) if isinstance(evaluate, list) else evaluate

    def report_absent_column(self, column: str, constraint: model.TemplateConstraint, so: str) -> None:
        self.sink.add(
            codes.MISSING_INVENTORY_VALUE, f"No candidate of the inventory has {column}: {so}.", constraint.span.in_text
        )

    def warn_of_absent_attribute(self, attribute: str, constraint: model.TemplateConstraint) -> None:
        """Reports an attribute that no candidate has."""
        if not has_attribute(self.linked, self.inventory, attribute):
            self.report_absent_column(attribute, constraint, f"nothing satisfies {constraint.name}")

    def lower_zone(
        self, constraint: model.TemplateConstraint, names: tuple[str, ...], properties: model.ZoneProperties
    ) -> problem.ZoneConstraint:
        lacking = [
            row.id
            for row in self.inventory.rows
            if relations.zone_of(
                problem.PlacementCandidate(row.id, row.kind, Fraction(0), None, row.data), properties.category
            )
            is None
        ]
        if lacking and len(lacking) < len(self.inventory.rows):
            some = ", ".join(lacking[:3]) + (" …" if len(lacking) > 3 else "")
            message = f"The inventory does not say in which {properties.category} zone some candidates are: {some}."
            hint = "They count as one zone of their own."
            self.sink.add(codes.MISSING_INVENTORY_VALUE, message, constraint.span.in_text, hint)
        return problem.ZoneConstraint(
            constraint.name, names, properties.category, properties.qualifier == "same", properties.location
        )

    def lower_attribute(
        self, constraint: model.TemplateConstraint, names: tuple[str, ...], properties: model.AttributeProperties
    ) -> problem.AttributeConstraint:
        """The tests of attributes. A plain value means eq. If no candidate has the attribute, the inventory does not
        decide the test.
        """
        raw = self.evaluate_data(constraint)
        raw = raw if isinstance(raw, dict) else {}
        tests: list[AttributeTest] = []
        special = (filters.HOSTS, filters.REGIONS)
        for name in special:
            if name in raw:
                tests.append(AttributeTest(name, "is", raw[name]))
        for each in self.linked.evaluations(properties):
            if each.attribute in special and each.attribute in raw:
                continue
            if each.plain and not has_attribute(self.linked, self.inventory, each.attribute):
                tests.append(AttributeTest(each.attribute, "is", each.operand))
                self.sink.add(
                    codes.PLAIN_ATTRIBUTE_VALUE,
                    f"No candidate of the inventory has {each.attribute}, so its plain value is compared with nothing.",
                    each.span.in_text,
                    "Add the column to the inventory. Until then --assume says whether the candidates pass.",
                )
                continue
            if each.operator == "regex":
                pattern = f"/{each.operand}/{each.flags}" if each.flags else each.operand
                if (why := filters.pattern_error(str(pattern), self.sink.budget)) is not None:
                    self.report_failure(f"This is no pattern: {why}.", each)
                    continue
                tests.append(AttributeTest(each.attribute, "regex", pattern))
            else:
                tests.append(AttributeTest(each.attribute, each.operator, each.operand))
            if each.attribute != filters.ROLES and each.operator != "ne":
                self.warn_of_absent_attribute(each.attribute, constraint)
        roles, hosts = (self.inventory.sections.get(name) or {} for name in ("network_roles", "host_roles"))
        return problem.AttributeConstraint(constraint.name, names, tuple(tests), roles, hosts)

    def lower_group(
        self, constraint: model.TemplateConstraint, names: tuple[str, ...], properties: model.GroupProperties
    ) -> problem.GroupConstraint | problem.UndecidedConstraint | None:
        """A group of the first two demands. Further demands are not part of it."""
        if len(names) < 2:
            return None
        groups = self.inventory.sections.get("groups")
        if groups is None:
            return problem.UndecidedConstraint(
                constraint.name, constraint.type, names[:2], "the section `groups` of an inventory"
            )
        pairs = frozenset(frozenset(map(str, pair)) for pair in groups)
        return problem.GroupConstraint(constraint.name, names[:2], pairs)

    def lower_fit(
        self, constraint: model.TemplateConstraint, names: tuple[str, ...], properties: model.FitProperties
    ) -> problem.FitConstraint:
        """A constraint on room: as the inventory lists it in `sdnc`, for the constraint or for one of its demands, or
        by quantities.
        """
        listed = self.inventory.sections.get("sdnc") or {}
        stated = {}
        for name in names:
            for key in (f"{constraint.name}_{name}", constraint.name):
                if key in listed:
                    stated[name] = frozenset(map(str, listed[key]))
                    break
        return problem.FitConstraint(
            constraint.name,
            constraint.type,
            names,
            ONLY.get(constraint.type, problem.CLOUD),
            requested_quantities(properties.request),
            stated,
        )

    # the objective

    def lower_term(self, term: model.Term) -> problem.Term:
        if isinstance(term, model.ObjectiveNumber):
            return problem.NumberTerm(exact_fraction(term.value))
        if isinstance(term, model.ObjectiveOperator):
            own = tuple([self.lower_term(each) for each in term.operands])
            made: dict[str, Any] = {
                "sum": problem.SumTerm,
                "product": problem.ProductTerm,
                "min": problem.MinTerm,
                "max": problem.MaxTerm,
            }
            return self.apply_weight(made[term.name](own), term)
        return self.apply_weight(self.lower_function(term), term)

    def lower_function(self, function: model.ObjectiveFunction) -> problem.Term:
        if function.name == "distance_between" and function.demands and function.location is not None:
            return problem.DistanceTerm(function.demands[0], function.location, self.linked.adds_costs)
        if function.name == "attribute" and function.demands and function.attribute is not None:
            return problem.AttributeTerm(function.demands[0], function.attribute)
        if function.name == "hpa_score":
            scores = [
                problem.HpaScoreTerm(demand, each.name)
                for each in self.linked.constraints.values()
                if isinstance(each.properties, model.HpaProperties)
                for demand in dict.fromkeys(each.demands)
                if demand in self.linked.demands
            ]
            return problem.ProductTerm((problem.NumberTerm(Fraction(-1)), problem.SumTerm(tuple(scores))))
        self.report_failure(f"{function.name} cannot be computed from an inventory.", function)
        return problem.NumberTerm(Fraction(0))

    def apply_weight(self, term: problem.Term, part: model.ObjectiveFunction | model.ObjectiveOperator) -> problem.Term:
        """A term with its normalization and its weight applied."""
        if part.normalization is not None:
            start, end = exact_fraction(part.normalization.start), exact_fraction(part.normalization.end)
            if start == end:
                self.report_failure("The normalization ends where it starts.", part)
                return term
            term = problem.SumTerm((term, problem.NumberTerm(-start)))
            term = problem.ProductTerm((problem.NumberTerm(1 / (end - start)), term))
        return (
            term if part.weight == 1 else problem.ProductTerm((problem.NumberTerm(exact_fraction(part.weight)), term))
        )


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
        if filters.value_in_data(row.data, name) is not None:
            return True
    declared = [
        candidate.fields
        for demand in linked.demands.values()
        for requirement in demand.requirements
        for candidate in requirement.candidates
    ]
    return any(filters.value_in_data(fields, name) is not None for fields in declared)


def exact_fraction(value: float) -> Fraction:
    """A number as the template writes it: 0.1 is a tenth, and not the nearest binary number."""
    return Fraction(repr(value)) if isinstance(value, float) else Fraction(value)


def lower_threshold(threshold: model.QuantityThreshold) -> problem.DistanceLimit:
    """A threshold in kilometres as a limit."""
    if threshold.operator == model.RANGE:
        return problem.make_limit("", threshold.low or 0.0, threshold.high, threshold.text)
    value = threshold.low if threshold.low is not None else threshold.high
    return problem.make_limit(threshold.operator, value or 0.0, None, threshold.text)


def requested_quantities(request: Any) -> Mapping[str, float] | None:
    """The quantities of a request, in the units of the inventory; None if there are none, or if some are not
    numbers.
    """
    if not isinstance(request, dict) or not request:
        return None
    quantities = {}
    for name, value in request.items():
        amount = finite_number(value.get("quantity") if isinstance(value, dict) else value)
        if amount is None:
            return None
        quantities[str(name)] = amount
    return quantities
