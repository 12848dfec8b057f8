"""Evaluates expressions for the candidates of a problem.

Invariant: True and False follow from the inventory. None means that the inventory does not decide it.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias, final

from transpile.homing import columns, comparison, hpa
from transpile.homing.columns import CandidateLike
from transpile.homing.distance import great_circle_kilometres
from transpile.homing.expressions import (
    DIFFERENT,
    EQ,
    SAME,
    AllOf,
    AnyOf,
    Column,
    Compare,
    CountryOf,
    DistanceBetween,
    DistanceTo,
    FirstOf,
    HasFlavors,
    Includes,
    IsEmpty,
    Leaf,
    Listed,
    Literal,
    Lookup,
    Matches,
    NoneHas,
    NotTest,
    OneOf,
    Paired,
    Test,
    Truth,
    Value,
    Within,
    find_parts,
    has_part,
)
from transpile.homing.problem import CLOUD, PlacementLocation, PlacementProblem
from transpile.model.budget import Budget
from transpile.model.records import EMPTY


class Choice(NamedTuple):
    """A candidate of a demand."""

    demand: str
    candidate: CandidateLike


Choices: TypeAlias = "Mapping[Any, Choice]"  # by role


@final
class RowEvaluator:
    """Evaluates tests and lengths. Without a problem there are no locations and no sections of an inventory."""

    def __init__(self, problem: PlacementProblem | None, budget: Budget) -> None:
        self.locations: Mapping[str, PlacementLocation] = problem.locations if problem is not None else EMPTY
        self.sections: Mapping[str, Any] = problem.sections if problem is not None else EMPTY
        self.absent: frozenset[str] = problem.absent if problem is not None else frozenset()
        self.budget = budget
        self.listed: dict[tuple[str, str], frozenset[str] | None] = {}

    # tests

    def holds(self, test: Test, of: Choices) -> bool | None:
        """The result of a test."""
        if isinstance(test, AllOf):
            return all_hold(self.holds(each, of) for each in test.tests)
        if isinstance(test, AnyOf):
            return any_holds(self.holds(each, of) for each in test.tests)
        if isinstance(test, NotTest):
            holds = self.holds(test.test, of)
            return None if holds is None else not holds
        if isinstance(test, Compare):
            return self.compare(test, of)
        if isinstance(test, Includes):
            have = self.column(test.column, of)
            return comparison.includes(have, [each.value for each in test.literals], every=test.every)
        if isinstance(test, OneOf):
            return self.text(test.value, of) in test.texts
        if isinstance(test, Matches):
            return comparison.search_pattern(test.pattern, test.flags, self.column(test.column, of), self.budget)
        if isinstance(test, Within):
            return self.is_within(test, of)
        if isinstance(test, IsEmpty):
            return not self.text(test.column, of)
        if isinstance(test, NoneHas):
            return test.column.name in self.absent
        if isinstance(test, Listed):
            names = [f"{test.name}_{of[test.of].demand}"] * test.by_demand + [test.name]
            ids = next((ids for name in names if (ids := self.listed_ids(test.section, name)) is not None), None)
            return self.holds(test.otherwise, of) if ids is None else of[test.of].candidate.id in ids
        if isinstance(test, Paired):
            pair = frozenset((of[test.of].candidate.id, of[test.other].candidate.id))
            return None if self.pairs is None else pair in self.pairs
        if isinstance(test, HasFlavors):
            return hpa.hpa_score(of[test.of].candidate.data, test.entries) is not None
        return test.holds if isinstance(test, Truth) else None

    def compare(self, test: Compare, of: Choices) -> bool | None:
        if test.operator in (SAME, DIFFERENT):
            if isinstance(test.right, CountryOf) and self.text(test.right, of) is None:
                return None
            return (self.text(test.left, of) == self.text(test.right, of)) is (test.operator == SAME)
        left, right = self.value(test.left, of), self.value(test.right, of)
        if test.operator == EQ:
            return comparison.values_equal(left, right)
        result = comparison.numbers_compare(test.operator, left, right)
        return test.missing if result is None else result

    def is_within(self, test: Within, of: Choices) -> bool | None:
        if isinstance(test.length, DistanceTo) and self.locations[test.length.location].point is None:
            return None
        length = self.kilometres(test.length, of)
        return length is not None and test.limit.holds(length)

    def listed_ids(self, section: str, name: str) -> frozenset[str] | None:
        """The candidates that a section lists under a name; None if it has no such list."""
        key = section, name
        if key not in self.listed:
            ids = (self.sections.get(section) or {}).get(name)
            self.listed[key] = None if ids is None else frozenset(map(str, ids))
        return self.listed[key]

    @functools.cached_property
    def pairs(self) -> frozenset[frozenset[str]] | None:
        """The pairs of candidates that the inventory lists as groups; None if it lists none."""
        groups = self.sections.get("groups")
        return None if groups is None else frozenset(frozenset(map(str, pair)) for pair in groups)

    def is_decided(self, test: Test, candidates: Iterable[CandidateLike]) -> bool:
        """Whether the inventory says anything that a test of two candidates asks for: a group, or a value of some
        candidate in some column.
        """
        read = list(find_parts(test, Column))
        if not read:
            return self.pairs is not None or not has_part(test, Paired)
        return any(columns.has_value(column, each) for each in candidates for column in read)

    # values

    def column(self, column: Column, of: Choices) -> Any:
        return columns.read_column(column, of[column.of].candidate)

    def value(self, value: Value, of: Choices) -> Any:
        """A value as data."""
        if isinstance(value, Literal):
            return value.value
        return self.column(value, of) if isinstance(value, Column) else self.text(value, of)

    def text(self, value: Value, of: Choices) -> str | None:
        """A value as a text."""
        if isinstance(value, FirstOf):
            return next((text for each in value.columns if (text := self.text(each, of))), None)
        if isinstance(value, Lookup):
            section = self.sections.get(value.section) or {}
            return comparison.text_of(section.get(self.text(value.key, of)))
        if isinstance(value, CountryOf):
            return self.locations[value.location].country
        return comparison.text_of(comparison.only_item(self.value(value, of)))

    def kilometres(self, length: DistanceTo | DistanceBetween, of: Choices) -> float | None:
        """A distance; None if one of its ends is unknown."""
        start = of[length.of].candidate.point
        if isinstance(length, DistanceTo):
            end = self.locations[length.location].point
        else:
            end = of[length.other].candidate.point
        return None if start is None or end is None else great_circle_kilometres(start, end)

    def measure(self, leaf: Leaf, of: Choices) -> float | None:
        """The value of a function of an objective; None if the inventory does not say it."""
        if isinstance(leaf, DistanceTo):
            return self.kilometres(leaf, of)
        if isinstance(leaf, Column):
            number = comparison.number_of(comparison.only_item(self.column(leaf, of)))
            return None if number is None else float(number)
        candidate = of[leaf.of].candidate
        return float(hpa.hpa_score(candidate.data, leaf.entries) or 0) if candidate.kind == CLOUD else 0.0


def all_hold(results: Iterable[bool | None]) -> bool | None:
    """The conjunction in three-valued logic: False if any part is False, else None if any part is None."""
    holds: bool | None = True
    for result in results:
        if result is False:
            return False
        holds = None if result is None else holds
    return holds


def any_holds(results: Iterable[bool | None]) -> bool | None:
    """The disjunction in three-valued logic: True if any part is True, else None if any part is None."""
    holds: bool | None = False
    for result in results:
        if result:
            return True
        holds = None if result is None else holds
    return holds
