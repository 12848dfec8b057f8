"""What a constraint says about the candidates of one demand alone.

Invariant: True and False follow from the inventory. None means that the inventory does not say it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from transpile.homing import hpa
from transpile.homing.distance import great_circle_kilometres
from transpile.homing.problem import (
    CLOUD,
    AttributeConstraint,
    DistanceToLocation,
    FitConstraint,
    HpaConstraint,
    ThresholdConstraint,
    UndecidedConstraint,
    ZoneConstraint,
)
from transpile.homing.scalars import finite_number
from transpile.model.budget import Budget

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from transpile.homing.problem import (
        AttributeTest,
        Constraint,
        PlacementCandidate,
        PlacementDemand,
        PlacementProblem,
    )

SECONDS = 0.2  # that one pattern may take on one value
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
    """Whether each candidate of a demand satisfies a constraint; None if it says nothing about the demand alone."""
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
    """The test of a constraint on one candidate."""
    if isinstance(constraint, DistanceToLocation):
        centre, limit = problem.locations[constraint.location].point, constraint.limit
        if centre is None:
            return lambda one: None
        return lambda one: one.point is not None and limit.holds(great_circle_kilometres(one.point, centre))
    if isinstance(constraint, ZoneConstraint):
        if constraint.location is None or constraint.category != "country":
            return None
        country, same = problem.locations[constraint.location].country, constraint.same
        return lambda one: None if country is None else (one.data.get("country") == country) == same
    if isinstance(constraint, AttributeConstraint):
        return lambda one: all_hold(passes_test(constraint, test, one, budget) for test in constraint.tests)
    if isinstance(constraint, ThresholdConstraint):
        return lambda one: all(passes_threshold(test, one) for test in constraint.tests)
    if isinstance(constraint, FitConstraint):
        stated = constraint.stated.get(demand.name)
        return lambda one: has_capacity(constraint, stated, one)
    if isinstance(constraint, HpaConstraint):
        return lambda one: one.kind != CLOUD or hpa.hpa_score(one.data, constraint.evaluate) is not None
    if isinstance(constraint, UndecidedConstraint):
        return lambda one: None
    return None


def all_hold(found: Iterable[bool | None]) -> bool | None:
    """Whether all hold: one that does not decides, and one that is not known leaves it open."""
    known = list(found)
    return False if False in known else None if None in known else True


def attribute_value(one: PlacementCandidate, name: str) -> Any:
    """What the inventory says about an attribute of a candidate; None if it says nothing."""
    name = RENAMED.get(name, name)
    more = one.data.get("attributes")
    for key in (name, name.replace("-", "_")):
        if one.data.get(key) is not None:
            return one.data[key]
        if isinstance(more, dict) and more.get(key) is not None:
            return more[key]
    return None


def values_equal(one: Any, other: Any) -> bool:
    """Whether two values are the same, a number and its text included."""
    if isinstance(one, bool) or isinstance(other, bool):
        return str(one).lower() == str(other).lower()
    if one == other or str(one) == str(other):
        return True
    first, second = finite_number(one), finite_number(other)
    return first is not None and first == second


# attribute


def passes_test(
    constraint: AttributeConstraint, test: AttributeTest, one: PlacementCandidate, budget: Budget
) -> bool | None:
    """Whether a candidate passes a test of its attributes. One that lacks the attribute passes only `ne`."""
    name, wanted = test.attribute, test.operand
    if name == ROLES and test.operator in ("any", "all"):
        if one.kind != CLOUD:
            return True
        has = [one.id in constraint.roles.get(str(role), ()) for role in as_list(wanted)]
        return all(has) if test.operator == "all" else any(has)
    if name == HOSTS and test.operator == "is":
        host = one.data.get("host_id")
        return host is None or host == "" or constraint.hosts.get(str(host)) == str(wanted).upper()
    if name == REGIONS and isinstance(wanted, dict) and test.operator == "is":
        return one.data.get("location_id") in as_list(wanted.get(f"{one.kind}-requests"))
    have = attribute_value(one, name)
    if test.operator == "is":
        return True if have is not None and values_equal(have, wanted) else None
    if test.operator == "regex":
        return have is not None and search_pattern(str(wanted), str(have), budget)
    return (
        have is not None and compare_values(test.operator, have, wanted)
        if test.operator != "ne"
        else not values_equal(have, wanted)
    )


def compare_values(operator: str, have: Any, wanted: Any) -> bool:
    """Whether a value compares so with another one."""
    if operator == "eq":
        return values_equal(have, wanted)
    if operator == "any":
        return not as_list(wanted) or any(values_equal(item, one) for item in as_list(have) for one in as_list(wanted))
    if operator == "all":
        return all(any(values_equal(item, one) for item in as_list(have)) for one in as_list(wanted))
    first, second = finite_number(have), finite_number(wanted)
    return first is not None and second is not None and COMPARISONS[operator](first, second)


def as_list(value: Any) -> Sequence[Any]:
    """A list, or a value as a list of one."""
    return value if isinstance(value, (list, tuple)) else () if value is None else (value,)


def split_pattern(text: str) -> tuple[str, int]:
    """A pattern and its flags: `/…/i` as in the texts, or the pattern itself."""
    found = re.fullmatch(r"/(.*)/([imsx]*)", text, re.DOTALL)
    if found is None:
        return text, 0
    flags = {"i": re.IGNORECASE, "m": re.MULTILINE, "s": re.DOTALL, "x": re.VERBOSE}
    return found[1], sum(int(flags[letter]) for letter in set(found[2]))


def pattern_error(text: str) -> str | None:
    """Why a text is no pattern; None if it is one."""
    import regex

    body, flags = split_pattern(text)
    try:
        regex.compile(body, translate_flags(flags))
    except (regex.error, OverflowError, RecursionError, ValueError) as e:
        return str(e)
    return None


def translate_flags(flags: int) -> int:
    import regex

    pairs = ((re.I, regex.I), (re.M, regex.M), (re.S, regex.S), (re.X, regex.X))
    return sum(int(other) for one, other in pairs if flags & one)


def search_pattern(text: str, value: str, budget: Budget) -> bool | None:
    """Whether a pattern is found in a value; None if that takes too long, which the budget remembers."""
    import time

    import regex  # has a timeout; slow to import

    if len(value) > LONG or not budget.affords("patterns", 0):
        budget.without["patterns"] = None
        return None
    body, flags = split_pattern(text)
    start = time.process_time()
    try:
        return regex.search(body, value, flags=translate_flags(flags), timeout=SECONDS) is not None
    except (regex.error, ValueError, OverflowError, RecursionError):
        return None
    except TimeoutError:
        budget.without["patterns"] = None
        return None
    finally:
        budget.spent["patterns"] += int(1000 * (time.process_time() - start))


# threshold and room


def passes_threshold(test: AttributeTest, one: PlacementCandidate) -> bool:
    """Whether an attribute compares so with a number; one that is missing does not."""
    have, wanted = finite_number(attribute_value(one, test.attribute)), finite_number(test.operand)
    if have is None or wanted is None:
        return False
    return have == wanted if test.operator == "eq" else COMPARISONS[test.operator](have, wanted)


def has_capacity(constraint: FitConstraint, stated: frozenset[str] | None, one: PlacementCandidate) -> bool | None:
    """Whether a candidate has room: as the inventory lists it, else from its capacity."""
    if one.kind != constraint.only:
        return True
    if stated is not None:
        return one.id in stated
    capacity = one.data.get("capacity")
    if constraint.needs is None or not isinstance(capacity, dict):
        return None
    found = [finite_number(capacity.get(name)) for name in constraint.needs]
    return all_hold(
        None if have is None else have >= need for have, need in zip(found, constraint.needs.values(), strict=True)
    )
