"""Decides what a constraint says about the candidates of one demand alone.

Invariant: True and False follow from the inventory. None means that the inventory does not decide it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from transpile.guarded.patterns import InvalidPattern, NotCompared, explain_wrong_pattern, match_pattern
from transpile.homing import hpa
from transpile.homing.distance import great_circle_kilometres
from transpile.homing.problem import (
    CLOUD,
    AttributeConstraint,
    AttributeTest,
    Constraint,
    DistanceToLocation,
    FitConstraint,
    HpaConstraint,
    PlacementCandidate,
    PlacementDemand,
    PlacementProblem,
    ThresholdConstraint,
    UndecidedConstraint,
    ZoneConstraint,
)
from transpile.homing.scalars import finite_number
from transpile.model.budget import Budget

LONG = 10_000  # characters of a value: longer ones are not compared with patterns
RENAMED = {"complex": "complex_name"}  # attributes whose names in the inventory differ
ROLES, HOSTS, REGIONS = "network_roles", "replication_role", "cloud-region"  # attributes with a meaning of their own
COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    "lt": lambda a, b: a < b,
    "gt": lambda a, b: a > b,
    "lte": lambda a, b: a <= b,
    "gte": lambda a, b: a >= b,
}


def judge_candidates(
    problem: PlacementProblem, constraint: Constraint, demand: PlacementDemand, budget: Budget | None = None
) -> list[bool | None] | None:
    """Whether each candidate of a demand satisfies a constraint. None if the constraint says nothing about the demand
    alone.
    """
    if demand.name not in constraint.demands:
        return None
    budget = budget or Budget()
    test = candidate_test(problem, constraint, demand, budget)
    if test is None:
        return None
    results = []
    for candidate in demand.candidates:
        budget.check_time()
        results.append(test(candidate))
    return results


def candidate_test(
    problem: PlacementProblem, constraint: Constraint, demand: PlacementDemand, budget: Budget
) -> Callable[[PlacementCandidate], bool | None] | None:
    """The test that a constraint makes of a single candidate; None if it makes none."""
    if isinstance(constraint, DistanceToLocation):
        centre, limit = problem.locations[constraint.location].point, constraint.limit
        if centre is None:
            return lambda candidate: None
        return lambda candidate: (
            candidate.point is not None and limit.holds(great_circle_kilometres(candidate.point, centre))
        )
    if isinstance(constraint, ZoneConstraint):
        if constraint.location is None or constraint.category != "country":
            return None
        country, same = problem.locations[constraint.location].country, constraint.same
        return lambda candidate: None if country is None else (candidate.data.get("country") == country) == same
    if isinstance(constraint, AttributeConstraint):
        return lambda candidate: all_hold(passes_test(constraint, test, candidate, budget) for test in constraint.tests)
    if isinstance(constraint, ThresholdConstraint):
        return lambda candidate: all(passes_threshold(test, candidate) for test in constraint.tests)
    if isinstance(constraint, FitConstraint):
        stated = constraint.stated.get(demand.name)
        return lambda candidate: has_capacity(constraint, stated, candidate)
    if isinstance(constraint, HpaConstraint):
        return lambda candidate: (
            candidate.kind != CLOUD or hpa.hpa_score(candidate.data, constraint.evaluate) is not None
        )
    if isinstance(constraint, UndecidedConstraint):
        return lambda candidate: None
    return None


def all_hold(results: Iterable[bool | None]) -> bool | None:
    """The conjunction in three-valued logic: False if any part is False, else None if any part is None."""
    verdicts = list(results)
    return False if False in verdicts else None if None in verdicts else True


def attribute_value(candidate: PlacementCandidate, name: str) -> Any:
    """The value that a candidate has for an attribute; None if the inventory does not give one."""
    return value_in_data(candidate.data, name)


def value_in_data(data: Mapping[str, Any], name: str) -> Any:
    """The value of an attribute in what is known about a candidate; None if there is none."""
    name = RENAMED.get(name, name)
    more = data.get("attributes")
    for key in (name, name.replace("-", "_")):
        if data.get(key) is not None:
            return data[key]
        if isinstance(more, dict) and more.get(key) is not None:
            return more[key]
    return None


def values_equal(value: Any, other: Any) -> bool:
    """Whether two values are equal. A number equals its text."""
    if isinstance(value, bool) or isinstance(other, bool):
        return str(value).lower() == str(other).lower()
    if value == other or str(value) == str(other):
        return True
    first, second = finite_number(value), finite_number(other)
    return first is not None and first == second


# attribute


def passes_test(
    constraint: AttributeConstraint, test: AttributeTest, candidate: PlacementCandidate, budget: Budget
) -> bool | None:
    """Whether a candidate passes a test of one attribute. A candidate without the attribute passes only `ne`."""
    name, operand = test.attribute, test.operand
    if name == ROLES and test.operator in ("any", "all"):
        if candidate.kind != CLOUD:
            return True
        has = [candidate.id in constraint.roles.get(str(role), ()) for role in as_list(operand)]
        return all(has) if test.operator == "all" else any(has)
    if name == HOSTS and test.operator == "is":
        host = candidate.data.get("host_id")
        return host is None or host == "" or constraint.hosts.get(str(host)) == str(operand).upper()
    if name == REGIONS and isinstance(operand, dict) and test.operator == "is":
        return candidate.data.get("location_id") in as_list(operand.get(f"{candidate.kind}-requests"))
    have = attribute_value(candidate, name)
    if test.operator == "is":
        return True if have is not None and values_equal(have, operand) else None
    if test.operator == "regex":
        return have is not None and search_pattern(str(operand), str(have), budget)
    return (
        have is not None and compare_values(test.operator, have, operand)
        if test.operator != "ne"
        else not values_equal(have, operand)
    )


def compare_values(operator: str, have: Any, operand: Any) -> bool:
    """Whether a value satisfies an operator and its operand."""
    if operator == "eq":
        return values_equal(have, operand)
    if operator == "any":
        return not as_list(operand) or any(
            values_equal(item, operand_item) for item in as_list(have) for operand_item in as_list(operand)
        )
    if operator == "all":
        return all(any(values_equal(item, operand_item) for item in as_list(have)) for operand_item in as_list(operand))
    first, second = finite_number(have), finite_number(operand)
    return first is not None and second is not None and COMPARISONS[operator](first, second)


def as_list(value: Any) -> Sequence[Any]:
    """A list as it is, None as an empty list, and any other value as a list of one."""
    return value if isinstance(value, (list, tuple)) else () if value is None else (value,)


def split_pattern(text: str) -> tuple[str, int]:
    """The pattern and the flags of a text: `/…/i` as the texts write it, or the pattern alone."""
    match = re.fullmatch(r"/(.*)/([imsx]*)", text, re.DOTALL)
    if match is None:
        return text, 0
    flags = {"i": re.IGNORECASE, "m": re.MULTILINE, "s": re.DOTALL, "x": re.VERBOSE}
    return match[1], sum(int(flags[letter]) for letter in set(match[2]))


def pattern_error(text: str, budget: Budget) -> str | None:
    """Why a text is not a valid pattern; None if it is one."""
    body, flags = split_pattern(text)
    return explain_wrong_pattern(body, budget, flags) or None


def search_pattern(text: str, value: str, budget: Budget) -> bool | None:
    """Whether a pattern occurs in a value; None if the search takes too long, which the budget remembers."""
    if len(value) > LONG:
        budget.exceeded_optional_limits["patterns"] = None
        return None
    body, flags = split_pattern(text)
    try:
        return match_pattern(body, value, budget, flags=flags, search=True) is not None
    except (InvalidPattern, NotCompared):
        return None


# threshold and room


def passes_threshold(test: AttributeTest, candidate: PlacementCandidate) -> bool:
    """Whether an attribute satisfies a comparison with a number. A missing attribute does not."""
    have, bound = finite_number(attribute_value(candidate, test.attribute)), finite_number(test.operand)
    if have is None or bound is None:
        return False
    return have == bound if test.operator == "eq" else COMPARISONS[test.operator](have, bound)


def has_capacity(
    constraint: FitConstraint, stated: frozenset[str] | None, candidate: PlacementCandidate
) -> bool | None:
    """Whether a candidate has room: as the inventory lists it, or else by its capacity."""
    if candidate.kind != constraint.only:
        return True
    if stated is not None:
        return candidate.id in stated
    capacity = candidate.data.get("capacity")
    if constraint.needs is None or not isinstance(capacity, dict):
        return None
    amounts = [finite_number(capacity.get(name)) for name in constraint.needs]
    return all_hold(
        None if have is None else have >= need for have, need in zip(amounts, constraint.needs.values(), strict=True)
    )
