"""Lowers each constraint, the objective, and each requirement of a demand to expressions over columns.

A constraint is one row: a test of each of its demands alone, or of each pair of them, or both.

Invariant: a row depends on the template alone. The content of an inventory counts only when the row is read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from transpile.homing import columns, model
from transpile.homing.distance import DistanceLimit, limit_between, make_limit
from transpile.homing.expressions import (
    CAPACITY,
    DIFFERENT,
    EQ,
    GTE,
    NUMBERS_EQUAL,
    OTHER,
    OWN,
    SAME,
    SCHEMA,
    SELECTOR,
    ZONE,
    AllOf,
    AnyOf,
    Column,
    Compare,
    CountryOf,
    DistanceBetween,
    DistanceTo,
    FirstOf,
    FlavorScore,
    HasFlavors,
    Includes,
    IsEmpty,
    Listed,
    Literal,
    Lookup,
    Matches,
    Maximum,
    Minimum,
    NoneHas,
    Normalized,
    NotTest,
    Number,
    OneOf,
    Paired,
    Product,
    Sum,
    Term,
    Test,
    Truth,
    Unknown,
    Unmeasured,
    Weighted,
    Within,
)
from transpile.homing.problem import CLOUD, SERVICE, PlacementConstraint
from transpile.homing.scalars import finite_number

ROLES, HOSTS, REGIONS = "network_roles", "replication_role", "cloud-region"  # attributes with a meaning of their own
REQUESTS = "-requests"
ASKED = {"vim_fit": CLOUD, "region_fit": CLOUD, "instance_fit": SERVICE}  # the inventory types that have room
LIMITS = {"eq": NUMBERS_EQUAL}  # operators of thresholds that have another name for attributes
KIND = Column(OWN, columns.KIND, SCHEMA)
FOLDS: dict[str, Any] = {"sum": Sum, "product": Product, "min": Minimum, "max": Maximum}


def constraint_rows(linked: model.LinkedHomingTemplate) -> list[PlacementConstraint]:
    """The rows of all constraints, in order."""
    return [row for constraint in linked.constraints.values() if (row := constraint_row(linked, constraint))]


def constraint_row(
    linked: model.LinkedHomingTemplate, constraint: model.TemplateConstraint
) -> PlacementConstraint | None:
    """The row of a constraint; None if it is about no demand."""
    names = tuple(dict.fromkeys(name for name in constraint.demands if name in linked.demands))
    properties = constraint.properties
    alone: Test | None = None
    pair: Test | None = None
    if isinstance(properties, model.DistanceProperties):
        limit = read_limit(properties.threshold)
        if not properties.location:
            pair = Within(DistanceBetween(OWN, OTHER), limit, properties.threshold)
        else:
            alone = Within(DistanceTo(OWN, properties.location), limit, properties.threshold)
    elif isinstance(properties, model.ZoneProperties):
        operator = SAME if properties.qualifier == "same" else DIFFERENT
        pair = Compare(operator, Column(OWN, properties.category, ZONE), Column(OTHER, properties.category, ZONE))
        if properties.location and properties.category == "country":
            alone = Compare(operator, Column(OWN, "country", ZONE), CountryOf(properties.location))
    elif isinstance(properties, model.GroupProperties):
        names, pair = names[:2], Paired(OWN, OTHER)
    elif isinstance(properties, model.AttributeProperties):
        alone = AllOf(tuple([attribute_test(each) for each in linked.evaluations(properties)]))
    elif isinstance(properties, model.ThresholdProperties):
        alone = AllOf(tuple([limit_test(each) for each in properties.limits]))
    elif isinstance(properties, model.FitProperties):
        alone = AnyOf((other_kind(ASKED.get(constraint.type, CLOUD)), room_test(constraint, properties)))
    elif isinstance(properties, model.HpaProperties):
        alone = AnyOf((other_kind(CLOUD), HasFlavors(OWN, constraint.name, flavor_entries(linked, constraint.name))))
    else:
        alone = Unknown(asked=True)
    if not names or (alone is None and len(names) < 2):
        return None
    return PlacementConstraint(constraint.name, names, alone, pair if len(names) > 1 else None)


def other_kind(kind: str) -> Test:
    """A test that every candidate of another inventory type passes."""
    return Compare(DIFFERENT, KIND, Literal(kind))


# attributes


def attribute_test(test: model.AttributeEvaluation) -> Test:
    name, operator, operand = test.attribute, test.operator, test.operand
    if name == ROLES and operator in ("any", "all"):
        has = [Listed("network_roles", str(role), OWN, Truth(False)) for role in as_list(operand)]
        return AnyOf((other_kind(CLOUD), AllOf(tuple(has)) if operator == "all" else AnyOf(tuple(has))))
    if name == HOSTS:
        host = Column(OWN, "host_id")
        role = Literal(str(operand).upper())
        return AnyOf((IsEmpty(host), Compare(SAME, Lookup("host_roles", host), role)))
    if name == REGIONS and isinstance(operand, dict):
        return AnyOf(tuple([region_test(kind, ids) for kind, ids in operand.items() if kind.endswith(REQUESTS)]))
    column = Column(OWN, name)
    comparison = compare_attribute(column, test)
    if not test.plain:
        return comparison
    # the texts leave the meaning of a plain value to the inventory: it is eq if any candidate has the attribute
    return AnyOf((comparison, AllOf((Unknown(), NoneHas(column)))))


def region_test(kind: str, ids: Any) -> Test:
    """Whether the candidate is of a kind, and in one of some regions."""
    regions = OneOf(Column(OWN, columns.LOCATION, SCHEMA), tuple(map(str, as_list(ids))))
    return AllOf((Compare(SAME, KIND, Literal(kind.removesuffix(REQUESTS))), regions))


def compare_attribute(column: Column, test: model.AttributeEvaluation) -> Test:
    operator, operand = test.operator, test.operand
    if operator == "regex":
        return Matches(column, str(operand), test.flags, test.span)
    if operator in ("any", "all"):
        items = [Literal(item, (*test.path, at), test.span) for at, item in enumerate(as_list(operand))]
        return Includes(column, tuple(items), operator == "all")
    literal = Literal(operand, test.path, test.span)
    return NotTest(Compare(EQ, column, literal)) if operator == "ne" else Compare(operator, column, literal)


def limit_test(entry: model.ThresholdEntry) -> Test:
    """A comparison of an attribute with a number."""
    bound = Literal(entry.value, (*entry.path, "threshold"), entry.span)
    return Compare(LIMITS.get(entry.operator, entry.operator), Column(OWN, entry.attribute), bound)


def as_list(value: Any) -> Sequence[Any]:
    """A list as it is, None as an empty list, and any other value as a list of one."""
    return value if isinstance(value, (list, tuple)) else () if value is None else (value,)


# room and hardware


def room_test(constraint: model.TemplateConstraint, fit: model.FitProperties) -> Test:
    """Whether a candidate has room: as the inventory lists it, or else by its capacity."""
    path = (*constraint.path, "properties", "request")
    needs: list[Test] = []
    for name, value in fit.request.items() if isinstance(fit.request, dict) else ():
        own = (*path, name, "quantity") if isinstance(value, dict) else (*path, name)
        amount = finite_number(value.get("quantity") if isinstance(value, dict) else value)
        if amount is None:
            needs = []
            break
        needs.append(Compare(GTE, Column(OWN, str(name), CAPACITY), Literal(amount, own), missing=None))
    otherwise = AllOf(tuple(needs)) if needs else Unknown()
    return Listed("sdnc", constraint.name, OWN, otherwise, by_demand=True)


def flavor_entries(linked: model.LinkedHomingTemplate, name: str) -> tuple[Mapping[str, Any], ...]:
    """The entries of a constraint of type hpa, as data."""
    section = linked.data.get("constraints") or {}
    evaluate = (section.get(name, {}).get("properties") or {}).get("evaluate")
    return tuple([each for each in evaluate if isinstance(each, dict)]) if isinstance(evaluate, list) else ()


# thresholds


def read_limit(threshold: model.QuantityThreshold) -> DistanceLimit:
    """The interval that a threshold in kilometres means."""
    if threshold.operator == model.RANGE:
        return limit_between(threshold.low, threshold.high, threshold.text)
    return make_limit(threshold.operator, threshold.number, threshold.text)


# requirements of demands


def requirement_tests(
    requirement: model.DemandRequirement, rows: Sequence[columns.CandidateLike] | None
) -> Iterator[tuple[str, Test]]:
    """The tests that a requirement makes of a candidate, each with the name that a reason shows. `rows`: the candidates
    of the inventory that it is about; None if there is no inventory. A filter by an attribute that none of them has is
    `Unknown`.
    """
    kind = requirement.inventory_type
    named = Column(OWN, columns.ID, SCHEMA)
    required, excluded = (
        tuple([name for each in chosen for name in each.ids if each.inventory_type in ("", kind)])
        for chosen in (requirement.required or (), requirement.excluded)
    )
    if requirement.required is not None:
        yield "required_candidates", OneOf(named, required) if required else Truth(False)
    if excluded:
        yield "excluded_candidates", NotTest(OneOf(named, excluded))
    if requirement.region:
        region = Literal(requirement.region, (*requirement.path, "region"))
        yield "region", Compare(SAME, Column(OWN, columns.LOCATION, SCHEMA), region)
    if requirement.complex:
        either = FirstOf((Column(OWN, "physical_location_id"), Column(OWN, "complex_name")))
        yield "complex", Compare(SAME, either, Literal(requirement.complex, (*requirement.path, "complex")))
    for each in requirement.filters:
        column = Column(OWN, each.attribute, SELECTOR)
        literals = tuple([Literal(value) for value in each.values])
        test: Test = Includes(column, literals) if literals else Truth(False)
        known = has_column(column, rows) if rows is not None else not is_scope_attribute(each.attribute)
        yield each.attribute, Unknown() if not known else NotTest(test) if each.negated else test
    for name, values in (
        ("customer_id", () if requirement.customer_id is None else (requirement.customer_id,)),
        ("service_type", requirement.service_type),
        ("service_id", requirement.service_id),
    ):
        column = Column(OWN, name, SELECTOR)
        if values and has_column(column, rows or ()):
            yield name, AnyOf(tuple([Compare(EQ, column, Literal(each)) for each in values]))
        elif values:
            yield name, Unknown()


SCOPE = (
    "service-type",
    "service-id",
    "equipment-role",
    "model-invariant-id",
    "model-version-id",
)


def is_scope_attribute(name: str) -> bool:
    """Whether an attribute says whose inventory is meant, like `customer-id`. A file is already the inventory of one
    customer, so such filters decide nothing.
    """
    name = name.replace("_", "-")
    return name.endswith("customer-id") or name in SCOPE


def has_column(column: Column, rows: Sequence[columns.CandidateLike]) -> bool:
    """Whether any of some candidates has a value in a column."""
    return any(columns.has_value(column, row) for row in rows)


# the objective


def objective_term(linked: model.LinkedHomingTemplate, *, adds_costs: bool) -> Term | None:
    """The objective. `adds_costs`: whether a distance includes the cost of the candidate."""
    return None if linked.objective is None else read_term(linked, linked.objective.term, adds_costs)


def read_term(linked: model.LinkedHomingTemplate, term: model.Term, adds_costs: bool) -> Term:
    if isinstance(term, model.ObjectiveNumber):
        return Number(exact_fraction(term.value), term.path)
    if isinstance(term, model.ObjectiveOperator):
        path = term.path[:-1]
        read: Term = FOLDS[term.name](tuple([read_term(linked, each, adds_costs) for each in term.operands]))
    else:
        path, read = term.path, read_function(linked, term, adds_costs)
    if term.normalization is not None:
        start, end = exact_fraction(term.normalization.start), exact_fraction(term.normalization.end)
        read = Normalized(read, start, end, term.span)
    weight = Number(exact_fraction(term.weight), (*path, "weight"))
    return read if term.weight == 1 and weight.path not in linked.references else Weighted(weight, read)


def read_function(linked: model.LinkedHomingTemplate, function: model.ObjectiveFunction, adds_costs: bool) -> Term:
    if function.name == "distance_between" and function.demands and function.location:
        length = DistanceTo(function.demands[0], function.location)
        return Sum((length, Column(function.demands[0], columns.COST))) if adds_costs else length
    if function.name == "attribute" and function.demands and function.attribute:
        return Column(function.demands[0], function.attribute)
    if function.name == "hpa_score":
        scores = [
            FlavorScore(demand, each.name, flavor_entries(linked, each.name))
            for each in linked.constraints.values()
            if isinstance(each.properties, model.HpaProperties)
            for demand in dict.fromkeys(each.demands)
            if demand in linked.demands
        ]
        return Product((Number(Fraction(-1)), Sum(tuple(scores))))
    return Unmeasured(function.name, function.span)


def exact_fraction(value: float) -> Fraction:
    """A number as the template writes it: 0.1 is a tenth, and not the nearest binary number."""
    return Fraction(repr(value)) if isinstance(value, float) else Fraction(value)
