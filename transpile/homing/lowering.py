"""A homing template and an inventory as a placement problem.

Invariant: what the problem leaves out, or takes otherwise than a reader may think, has a diagnostic at its place in the
template.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, final

from transpile.homing import filters, model, problem, relations
from transpile.homing.demand_candidates import Drawn
from transpile.homing.problem import Location, Point, Problem, Test
from transpile.homing.scalars import number

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


def lowered(linked: model.Linked, given: Inventory, sink: Sink, *, fit: bool) -> Problem | None:
    """The problem; None if it cannot be stated. `sink`: of the template; `fit`: what is assumed where the inventory
    does not decide.
    """
    return Lowering(linked, given, sink, fit).whole()


@final
class Lowering:
    def __init__(self, linked: model.Linked, given: Inventory, sink: Sink, fit: bool) -> None:
        self.linked, self.inventory, self.sink, self.fit = linked, given, sink, fit
        self.old = linked.document.arrangement == model.OLD
        self.failed = False

    def whole(self) -> Problem | None:
        drawn = Drawn(self.linked, self.inventory, self.sink, fit=self.fit)
        demands = tuple([drawn.demand(one) for one in self.linked.demands.values()])
        constraints = [self.constraint(one) for one in self.linked.constraints.values()]
        goal = None
        if self.linked.objective is not None:
            term = self.term(self.linked.objective.term)
            goal = problem.Objective(term, self.linked.objective.goal == "maximize")
        kept = tuple([one for one in constraints if one is not None])
        locations = {name: self.location(one) for name, one in self.linked.locations.items()}
        found = Problem(demands, locations, kept, goal, self.fit)
        return None if self.failed else found

    def fail(self, message: str, where: Located, hint: str = "") -> None:
        self.failed = True
        self.sink.say("HOT848", message, where.span.in_text, hint)

    def location(self, one: model.Location) -> Location:
        """A location; its coordinates may be those that the inventory has for its host name or CLLI code."""
        key = one.host_name or one.clli_code
        known = (self.inventory.sections.get("locations") or {}).get(key) if key is not None else None
        country = one.country or (str(known["country"]) if known is not None and known.get("country") else None)
        if one.position is not None:
            return Location(one.name, Point(*one.position), country)
        if known is not None:
            at = [number(known.get(axis)) or 0.0 for axis in ("latitude", "longitude")]
            return Location(one.name, Point(*at), country)
        if one.name in self.measured():
            what = f"the section `locations` of the inventory does not have {key}" if key else "it has no coordinates"
            hint = "Give latitude and longitude, or add the location to the inventory."
            self.fail(f"Nothing says where {one.name} is: {what}.", one, hint)
        return Location(one.name, None, country)

    def measured(self) -> set[str]:
        """The locations that distances are measured to."""
        found = {
            one.properties.location
            for one in self.linked.constraints.values()
            if isinstance(one.properties, model.Distance) and one.properties.location is not None
        }
        terms = [self.linked.objective.term] if self.linked.objective is not None else []
        while terms:
            one = terms.pop()
            if isinstance(one, model.Operator):
                terms += one.operands
            elif isinstance(one, model.Function) and one.location is not None:
                found.add(one.location)
        return found

    # constraints

    def constraint(self, one: model.Constraint) -> problem.Constraint | None:
        names = tuple(dict.fromkeys(name for name in one.demands if name in self.linked.demands))
        given = one.properties
        if not names:
            return None
        if isinstance(given, model.Distance):
            limit = limited(given.threshold)
            if given.location is None:
                return problem.DistanceBetweenDemands(one.name, names, limit)
            return problem.DistanceToLocation(one.name, names, given.location, limit)
        if isinstance(given, model.Zone):
            return self.zone(one, names, given)
        if isinstance(given, model.Attribute):
            return self.attribute(one, names, given)
        if isinstance(given, model.Limits):
            tests = tuple([Test(each.attribute, each.operator, each.value) for each in given.limits])
            for test in tests:
                self.known(test.attribute, one)
            return problem.Threshold(one.name, names, tests)
        if isinstance(given, model.Group):
            return self.group(one, names, given)
        if isinstance(given, model.Fit):
            return self.room(one, names, given)
        if isinstance(given, model.Hpa):
            if not any(row.data.get("flavors") for row in self.inventory.rows):
                self.absent("flavors", one, "no candidate has the features")
            return problem.Hpa(one.name, names, self.evaluate(one))
        why = DECIDERS.get(one.type, "something that hot2tf does not know")
        return problem.Undecided(one.name, one.type, names, why)

    def evaluate(self, one: model.Constraint) -> Any:
        """What a constraint evaluates, as data."""
        section = self.linked.data.get("constraints") or {}
        properties = section.get(one.name, {}).get("properties") or {}
        found = properties.get("evaluate")
        return tuple([each for each in found if isinstance(each, dict)]) if isinstance(found, list) else found

    def absent(self, column: str, one: model.Constraint, so: str) -> None:
        self.sink.say("HOT844", f"No candidate of the inventory has {column}: {so}.", one.span.in_text)

    def known(self, attribute: str, one: model.Constraint) -> None:
        """Warns of an attribute that no candidate has."""
        for row in self.inventory.rows:
            self.sink.budget.check_time()
            candidate = problem.Candidate(row.id, row.kind, Fraction(0), None, row.data)
            if filters.value_of(candidate, attribute) is not None:
                return
        self.absent(attribute, one, f"nothing satisfies {one.name}")

    def zone(self, one: model.Constraint, names: tuple[str, ...], given: model.Zone) -> problem.Zone:
        lacking = [
            row.id
            for row in self.inventory.rows
            if relations.zone_of(problem.Candidate(row.id, row.kind, Fraction(0), None, row.data), given.category)
            is None
        ]
        if lacking and len(lacking) < len(self.inventory.rows):
            some = ", ".join(lacking[:3]) + (" …" if len(lacking) > 3 else "")
            message = f"The inventory does not say in which {given.category} zone some candidates are: {some}."
            hint = "They count as one zone of their own."
            self.sink.say("HOT844", message, one.span.in_text, hint)
        return problem.Zone(one.name, names, given.category, given.qualifier == "same", given.location)

    def attribute(self, one: model.Constraint, names: tuple[str, ...], given: model.Attribute) -> problem.Attribute:
        """Tests of attributes. A plain value is left to the inventory provider by the texts, so it is not compared."""
        raw = self.evaluate(one)
        raw = raw if isinstance(raw, dict) else {}
        tests: list[Test] = []
        special = (filters.HOSTS, filters.REGIONS)
        for name in special:
            if name in raw:
                tests.append(Test(name, "is", raw[name]))
        for each in given.evaluations:
            if each.attribute in special and each.attribute in raw:
                continue
            if each.attribute in raw and not isinstance(raw[each.attribute], dict):
                tests.append(Test(each.attribute, "is", each.operand))
                self.sink.say(
                    "HOT849",
                    f"{each.attribute} has a plain value, whose meaning the inventory provider knows.",
                    each.span.in_text,
                    "Write {eq: …} to compare it; --assume unfit takes equal values only.",
                )
                continue
            if each.operator == "regex":
                pattern = f"/{each.operand}/{each.flags}" if each.flags else each.operand
                if (why := filters.invalid(str(pattern))) is not None:
                    self.fail(f"This is no pattern: {why}.", each)
                    continue
                tests.append(Test(each.attribute, "regex", pattern))
            else:
                tests.append(Test(each.attribute, each.operator, each.operand))
            if each.attribute != filters.ROLES and each.operator != "ne":
                self.known(each.attribute, one)
        roles, hosts = (self.inventory.sections.get(name) or {} for name in ("network_roles", "host_roles"))
        return problem.Attribute(one.name, names, tuple(tests), roles, hosts)

    def group(
        self, one: model.Constraint, names: tuple[str, ...], given: model.Group
    ) -> problem.InventoryGroup | problem.Undecided | None:
        """A group of the first two demands; the others are not in it."""
        if len(names) < 2:
            return None
        groups = self.inventory.sections.get("groups")
        if groups is None:
            return problem.Undecided(one.name, one.type, names[:2], "the section `groups` of an inventory")
        pairs = frozenset(frozenset(map(str, pair)) for pair in groups)
        return problem.InventoryGroup(one.name, names[:2], pairs)

    def room(self, one: model.Constraint, names: tuple[str, ...], given: model.Fit) -> problem.Fit:
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
        return problem.Fit(one.name, one.type, names, ONLY.get(one.type, problem.CLOUD), needs(given.request), stated)

    # the objective

    def term(self, one: model.Term) -> problem.Term:
        if isinstance(one, model.Number):
            return problem.Number(fraction(one.value))
        if isinstance(one, model.Operator):
            own = tuple([self.term(each) for each in one.operands])
            made: dict[str, Any] = {
                "sum": problem.Sum,
                "product": problem.Product,
                "min": problem.Least,
                "max": problem.Most,
            }
            return self.weighted(made[one.name](own), one)
        return self.weighted(self.function(one), one)

    def function(self, one: model.Function) -> problem.Term:
        if one.name == "distance_between" and one.demands and one.location is not None:
            return problem.Distance(one.demands[0], one.location, self.old)
        if one.name == "attribute" and one.demands and one.attribute is not None:
            return problem.AttributeValue(one.demands[0], one.attribute)
        if one.name == "hpa_score":
            scores = [
                problem.HpaScore(demand, each.name)
                for each in self.linked.constraints.values()
                if isinstance(each.properties, model.Hpa)
                for demand in dict.fromkeys(each.demands)
                if demand in self.linked.demands
            ]
            return problem.Product((problem.Number(Fraction(-1)), problem.Sum(tuple(scores))))
        self.fail(f"{one.name} cannot be computed from an inventory.", one)
        return problem.Number(Fraction(0))

    def weighted(self, term: problem.Term, one: model.Function | model.Operator) -> problem.Term:
        """A term with its normalization and its weight."""
        if one.normalization is not None:
            start, end = fraction(one.normalization.start), fraction(one.normalization.end)
            if start == end:
                self.fail("The normalization ends where it starts.", one)
                return term
            term = problem.Sum((term, problem.Number(-start)))
            term = problem.Product((problem.Number(1 / (end - start)), term))
        return term if one.weight == 1 else problem.Product((problem.Number(fraction(one.weight)), term))


def fraction(value: float) -> Fraction:
    """A number as it is written: 0.1 is a tenth."""
    return Fraction(repr(value)) if isinstance(value, float) else Fraction(value)


def limited(threshold: model.Threshold) -> problem.Limit:
    """A threshold of kilometres as a limit."""
    if threshold.operator == model.RANGE:
        return problem.limit("", threshold.low or 0.0, threshold.high, threshold.text)
    value = threshold.low if threshold.low is not None else threshold.high
    return problem.limit(threshold.operator, value or 0.0, None, threshold.text)


def needs(request: Any) -> Mapping[str, float] | None:
    """The quantities of a request; None if it has others, or none at all. Units are those of the inventory."""
    if not isinstance(request, dict) or not request:
        return None
    found = {}
    for name, value in request.items():
        amount = number(value.get("quantity") if isinstance(value, dict) else value)
        if amount is None:
            return None
        found[str(name)] = amount
    return found
