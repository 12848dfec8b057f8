"""A homing template and an inventory as a placement problem.

Invariant: what the problem leaves out, or takes otherwise than a reader may think, has a diagnostic at its place in the
template.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, final

from transpile.homing import filters, model, problem, relations
from transpile.homing.demand_candidates import CandidateSelector
from transpile.homing.problem import AttributeTest, GeoPoint, PlacementLocation, PlacementProblem
from transpile.homing.scalars import finite_number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from transpile.diagnostics.model import Sink
    from transpile.homing.inventory import Inventory
    from transpile.model.span import Located

DECIDERS = {
    "license": "a license server",
    "network_between_demands": "measurements of the network",
    "network_to_location": "measurements of the network",
    "capability": "the Heat service of each region",
}
ONLY = {"vim_fit": problem.CLOUD, "region_fit": problem.CLOUD, "instance_fit": problem.SERVICE}


def lower_template(
    linked: model.LinkedHomingTemplate, given: Inventory, sink: Sink, *, fit: bool
) -> PlacementProblem | None:
    """The problem; None if it cannot be stated. `sink`: of the template; `fit`: what is assumed where the inventory
    does not decide.
    """
    return ProblemLowering(linked, given, sink, fit).lower_problem()


@final
class ProblemLowering:
    def __init__(self, linked: model.LinkedHomingTemplate, given: Inventory, sink: Sink, fit: bool) -> None:
        self.linked, self.inventory, self.sink, self.fit = linked, given, sink, fit
        self.old = linked.document.arrangement == model.OLD
        self.failed = False

    def lower_problem(self) -> PlacementProblem | None:
        drawn = CandidateSelector(self.linked, self.inventory, self.sink, fit=self.fit)
        demands = tuple([drawn.select_candidates(one) for one in self.linked.demands.values()])
        constraints = [self.lower_constraint(one) for one in self.linked.constraints.values()]
        goal = None
        if self.linked.objective is not None:
            term = self.lower_term(self.linked.objective.term)
            goal = problem.PlacementObjective(term, self.linked.objective.goal == "maximize")
        kept = tuple([one for one in constraints if one is not None])
        locations = {name: self.lower_location(one) for name, one in self.linked.locations.items()}
        found = PlacementProblem(demands, locations, kept, goal, self.fit)
        return None if self.failed else found

    def report_failure(self, message: str, where: Located, hint: str = "") -> None:
        self.failed = True
        self.sink.say("HOT848", message, where.span.in_text, hint)

    def lower_location(self, one: model.TemplateLocation) -> PlacementLocation:
        """A location; its coordinates may be those that the inventory has for its host name or CLLI code."""
        key = one.host_name or one.clli_code
        known = (self.inventory.sections.get("locations") or {}).get(key) if key is not None else None
        country = one.country or (str(known["country"]) if known is not None and known.get("country") else None)
        if one.position is not None:
            return PlacementLocation(one.name, GeoPoint(*one.position), country)
        if known is not None:
            at = [finite_number(known.get(axis)) or 0.0 for axis in ("latitude", "longitude")]
            return PlacementLocation(one.name, GeoPoint(*at), country)
        if one.name in self.measured_locations():
            what = f"the section `locations` of the inventory does not have {key}" if key else "it has no coordinates"
            hint = "Give latitude and longitude, or add the location to the inventory."
            self.report_failure(f"Nothing says where {one.name} is: {what}.", one, hint)
        return PlacementLocation(one.name, None, country)

    def measured_locations(self) -> set[str]:
        """The locations that distances are measured to."""
        found = {
            one.properties.location
            for one in self.linked.constraints.values()
            if isinstance(one.properties, model.DistanceProperties) and one.properties.location is not None
        }
        terms = [self.linked.objective.term] if self.linked.objective is not None else []
        while terms:
            one = terms.pop()
            if isinstance(one, model.ObjectiveOperator):
                terms += one.operands
            elif isinstance(one, model.ObjectiveFunction) and one.location is not None:
                found.add(one.location)
        return found

    # constraints

    def lower_constraint(self, one: model.TemplateConstraint) -> problem.Constraint | None:
        names = tuple(dict.fromkeys(name for name in one.demands if name in self.linked.demands))
        given = one.properties
        if not names:
            return None
        if isinstance(given, model.DistanceProperties):
            limit = lower_threshold(given.threshold)
            if given.location is None:
                return problem.DistanceBetweenDemands(one.name, names, limit)
            return problem.DistanceToLocation(one.name, names, given.location, limit)
        if isinstance(given, model.ZoneProperties):
            return self.lower_zone(one, names, given)
        if isinstance(given, model.AttributeProperties):
            return self.lower_attribute(one, names, given)
        if isinstance(given, model.ThresholdProperties):
            tests = tuple([AttributeTest(each.attribute, each.operator, each.value) for each in given.limits])
            for test in tests:
                self.warn_of_absent_attribute(test.attribute, one)
            return problem.ThresholdConstraint(one.name, names, tests)
        if isinstance(given, model.GroupProperties):
            return self.lower_group(one, names, given)
        if isinstance(given, model.FitProperties):
            return self.lower_fit(one, names, given)
        if isinstance(given, model.HpaProperties):
            if not any(row.data.get("flavors") for row in self.inventory.rows):
                self.report_absent_column("flavors", one, "no candidate has the features")
            return problem.HpaConstraint(one.name, names, self.evaluate_data(one))
        why = DECIDERS.get(one.type, "something that hot2tf does not know")
        return problem.UndecidedConstraint(one.name, one.type, names, why)

    def evaluate_data(self, one: model.TemplateConstraint) -> Any:
        """What a constraint evaluates, as data."""
        section = self.linked.data.get("constraints") or {}
        properties = section.get(one.name, {}).get("properties") or {}
        found = properties.get("evaluate")
        return tuple([each for each in found if isinstance(each, dict)]) if isinstance(found, list) else found

    def report_absent_column(self, column: str, one: model.TemplateConstraint, so: str) -> None:
        self.sink.say("HOT844", f"No candidate of the inventory has {column}: {so}.", one.span.in_text)

    def warn_of_absent_attribute(self, attribute: str, one: model.TemplateConstraint) -> None:
        """Warns of an attribute that no candidate has."""
        for row in self.inventory.rows:
            self.sink.budget.check_time()
            candidate = problem.PlacementCandidate(row.id, row.kind, Fraction(0), None, row.data)
            if filters.attribute_value(candidate, attribute) is not None:
                return
        self.report_absent_column(attribute, one, f"nothing satisfies {one.name}")

    def lower_zone(
        self, one: model.TemplateConstraint, names: tuple[str, ...], given: model.ZoneProperties
    ) -> problem.ZoneConstraint:
        lacking = [
            row.id
            for row in self.inventory.rows
            if relations.zone_of(
                problem.PlacementCandidate(row.id, row.kind, Fraction(0), None, row.data), given.category
            )
            is None
        ]
        if lacking and len(lacking) < len(self.inventory.rows):
            some = ", ".join(lacking[:3]) + (" …" if len(lacking) > 3 else "")
            message = f"The inventory does not say in which {given.category} zone some candidates are: {some}."
            hint = "They count as one zone of their own."
            self.sink.say("HOT844", message, one.span.in_text, hint)
        return problem.ZoneConstraint(one.name, names, given.category, given.qualifier == "same", given.location)

    def lower_attribute(
        self, one: model.TemplateConstraint, names: tuple[str, ...], given: model.AttributeProperties
    ) -> problem.AttributeConstraint:
        """Tests of attributes. A plain value is left to the inventory provider by the texts, so it is not compared."""
        raw = self.evaluate_data(one)
        raw = raw if isinstance(raw, dict) else {}
        tests: list[AttributeTest] = []
        special = (filters.HOSTS, filters.REGIONS)
        for name in special:
            if name in raw:
                tests.append(AttributeTest(name, "is", raw[name]))
        for each in given.evaluations:
            if each.attribute in special and each.attribute in raw:
                continue
            if each.attribute in raw and not isinstance(raw[each.attribute], dict):
                tests.append(AttributeTest(each.attribute, "is", each.operand))
                self.sink.say(
                    "HOT849",
                    f"{each.attribute} has a plain value, whose meaning the inventory provider knows.",
                    each.span.in_text,
                    "Write {eq: …} to compare it; --assume unfit takes equal values only.",
                )
                continue
            if each.operator == "regex":
                pattern = f"/{each.operand}/{each.flags}" if each.flags else each.operand
                if (why := filters.pattern_error(str(pattern))) is not None:
                    self.report_failure(f"This is no pattern: {why}.", each)
                    continue
                tests.append(AttributeTest(each.attribute, "regex", pattern))
            else:
                tests.append(AttributeTest(each.attribute, each.operator, each.operand))
            if each.attribute != filters.ROLES and each.operator != "ne":
                self.warn_of_absent_attribute(each.attribute, one)
        roles, hosts = (self.inventory.sections.get(name) or {} for name in ("network_roles", "host_roles"))
        return problem.AttributeConstraint(one.name, names, tuple(tests), roles, hosts)

    def lower_group(
        self, one: model.TemplateConstraint, names: tuple[str, ...], given: model.GroupProperties
    ) -> problem.GroupConstraint | problem.UndecidedConstraint | None:
        """A group of the first two demands; the others are not in it."""
        if len(names) < 2:
            return None
        groups = self.inventory.sections.get("groups")
        if groups is None:
            return problem.UndecidedConstraint(one.name, one.type, names[:2], "the section `groups` of an inventory")
        pairs = frozenset(frozenset(map(str, pair)) for pair in groups)
        return problem.GroupConstraint(one.name, names[:2], pairs)

    def lower_fit(
        self, one: model.TemplateConstraint, names: tuple[str, ...], given: model.FitProperties
    ) -> problem.FitConstraint:
        """Room: as the inventory states it under `sdnc` for the constraint or for one of its demands, or from
        quantities.
        """
        listed = self.inventory.sections.get("sdnc") or {}
        stated = {}
        for name in names:
            for key in (f"{one.name}_{name}", one.name):
                if key in listed:
                    stated[name] = frozenset(map(str, listed[key]))
                    break
        return problem.FitConstraint(
            one.name, one.type, names, ONLY.get(one.type, problem.CLOUD), requested_quantities(given.request), stated
        )

    # the objective

    def lower_term(self, one: model.Term) -> problem.Term:
        if isinstance(one, model.ObjectiveNumber):
            return problem.NumberTerm(exact_fraction(one.value))
        if isinstance(one, model.ObjectiveOperator):
            own = tuple([self.lower_term(each) for each in one.operands])
            made: dict[str, Any] = {
                "sum": problem.SumTerm,
                "product": problem.ProductTerm,
                "min": problem.MinTerm,
                "max": problem.MaxTerm,
            }
            return self.apply_weight(made[one.name](own), one)
        return self.apply_weight(self.lower_function(one), one)

    def lower_function(self, one: model.ObjectiveFunction) -> problem.Term:
        if one.name == "distance_between" and one.demands and one.location is not None:
            return problem.DistanceTerm(one.demands[0], one.location, self.old)
        if one.name == "attribute" and one.demands and one.attribute is not None:
            return problem.AttributeTerm(one.demands[0], one.attribute)
        if one.name == "hpa_score":
            scores = [
                problem.HpaScoreTerm(demand, each.name)
                for each in self.linked.constraints.values()
                if isinstance(each.properties, model.HpaProperties)
                for demand in dict.fromkeys(each.demands)
                if demand in self.linked.demands
            ]
            return problem.ProductTerm((problem.NumberTerm(Fraction(-1)), problem.SumTerm(tuple(scores))))
        self.report_failure(f"{one.name} cannot be computed from an inventory.", one)
        return problem.NumberTerm(Fraction(0))

    def apply_weight(self, term: problem.Term, one: model.ObjectiveFunction | model.ObjectiveOperator) -> problem.Term:
        """A term with its normalization and its weight."""
        if one.normalization is not None:
            start, end = exact_fraction(one.normalization.start), exact_fraction(one.normalization.end)
            if start == end:
                self.report_failure("The normalization ends where it starts.", one)
                return term
            term = problem.SumTerm((term, problem.NumberTerm(-start)))
            term = problem.ProductTerm((problem.NumberTerm(1 / (end - start)), term))
        return term if one.weight == 1 else problem.ProductTerm((problem.NumberTerm(exact_fraction(one.weight)), term))


def exact_fraction(value: float) -> Fraction:
    """A number as it is written: 0.1 is a tenth."""
    return Fraction(repr(value)) if isinstance(value, float) else Fraction(value)


def lower_threshold(threshold: model.QuantityThreshold) -> problem.DistanceLimit:
    """A threshold of kilometres as a limit."""
    if threshold.operator == model.RANGE:
        return problem.make_limit("", threshold.low or 0.0, threshold.high, threshold.text)
    value = threshold.low if threshold.low is not None else threshold.high
    return problem.make_limit(threshold.operator, value or 0.0, None, threshold.text)


def requested_quantities(request: Any) -> Mapping[str, float] | None:
    """The quantities of a request; None if it has others, or none at all. Units are those of the inventory."""
    if not isinstance(request, dict) or not request:
        return None
    found = {}
    for name, value in request.items():
        amount = finite_number(value.get("quantity") if isinstance(value, dict) else value)
        if amount is None:
            return None
        found[str(name)] = amount
    return found
