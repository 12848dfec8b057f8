"""Builds the binary relations between demands that constraints require.

Invariant: supports are computed when they are first needed, and demands with the same candidates share one relation.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, final

from transpile.homing.distance import DistanceLimit, GeoPoint, PointSet
from transpile.homing.evaluation import Choice, RowEvaluator
from transpile.homing.expressions import (
    DIFFERENT,
    OTHER,
    OWN,
    SAME,
    Column,
    Compare,
    DistanceBetween,
    Paired,
    Test,
    Within,
)
from transpile.homing.network import BinaryRelation, SearchBudget
from transpile.homing.problem import PlacementCandidate
from transpile.model.records import replace

POINTS = 64  # that are compared for one unit of work


def compared_column(test: Test | None, operator: str) -> Column | None:
    """The column that a test of two candidates compares by an operator, if that is all it does."""
    if isinstance(test, Compare) and test.operator == operator and isinstance(test.left, Column):
        return test.left if test.right == replace(test.left, of=OTHER) else None
    return None


def measured_limit(test: Test | None) -> DistanceLimit | None:
    """The limit of the distance between two candidates, if that is all that a test asks for."""
    return test.limit if isinstance(test, Within) and isinstance(test.length, DistanceBetween) else None


@final
class ZoneRelation:
    """Pairs of candidates in the same zone, or in different ones. Candidates without a zone are in a zone of their own
    together.
    """

    __slots__ = ("full", "is_weak", "masks", "same", "values")

    def __init__(self, values: Sequence[int], others: Sequence[int], same: bool) -> None:
        self.values, self.same, self.is_weak = values, same, not same
        self.masks: dict[int, int] = {}
        for at, value in enumerate(others):
            self.masks[value] = self.masks.get(value, 0) | 1 << at
        self.full = (1 << len(others)) - 1

    def supports(self, choice: int) -> int:
        mask = self.masks.get(self.values[choice], 0)
        return mask if self.same else self.full & ~mask

    def support_class(self, choice: int) -> object:
        return self.values[choice]


@final
class DistanceRelation:
    """Pairs of candidates within a limit of distance. `cache`: supports by point, shared by all relations of
    one limit.
    """

    __slots__ = ("cache", "is_weak", "limit", "others", "points", "work")

    def __init__(
        self,
        points: Sequence[GeoPoint | None],
        others: PointSet,
        limit: DistanceLimit,
        cache: dict[Any, int],
        work: SearchBudget,
    ) -> None:
        self.points, self.others, self.limit, self.cache, self.work = points, others, limit, cache, work
        self.is_weak = limit.high == math.inf

    def supports(self, choice: int) -> int:
        point = self.points[choice]
        mask = self.cache.get(point)
        if mask is None:
            self.work.spend_nodes(1 + self.others.size // POINTS)
            mask = self.cache[point] = self.others.points_within(point, self.limit)
        return mask

    def support_class(self, choice: int) -> object:
        return self.points[choice]


@final
class TableRelation:
    """Pairs of candidates for which a test holds, as a table. `rows`: by choice, the supported choices as a mask."""

    __slots__ = ("is_weak", "rows")

    def __init__(self, rows: Sequence[int]) -> None:
        self.is_weak, self.rows = False, rows

    def supports(self, choice: int) -> int:
        return self.rows[choice]

    def support_class(self, choice: int) -> object:
        return self.rows[choice]


@final
class OrderRelation:
    """Pairs of choices in ascending order: breaks the symmetry of interchangeable variables."""

    __slots__ = ("full", "is_weak", "later")

    def __init__(self, size: int, *, later: bool) -> None:
        self.full, self.later, self.is_weak = (1 << size) - 1, later, True

    def supports(self, choice: int) -> int:
        return self.full >> choice << choice if self.later else self.full & ((2 << choice) - 1)

    def support_class(self, choice: int) -> object:
        return choice


@final
class RelationBuilder:
    """Builds the relations of a problem. `candidates`: the domain of each demand.

    Equal columns and distances have relations of their own, which are faster; any other test is made for all pairs.
    """

    def __init__(
        self, candidates: Sequence[tuple[PlacementCandidate, ...]], work: SearchBudget, evaluator: RowEvaluator
    ) -> None:
        self.work, self.evaluator = work, evaluator
        lists: dict[tuple[str, ...], int] = {}
        self.kinds = [lists.setdefault(tuple([candidate.id for candidate in own]), len(lists)) for own in candidates]
        self.candidates = candidates
        self.points: dict[int, PointSet] = {}
        self.distance_caches: dict[tuple[DistanceLimit, int], dict[Any, int]] = {}
        self.zones: dict[Column, dict[Any, int]] = {}
        self.made: dict[tuple[Any, ...], BinaryRelation] = {}

    def build_relation(self, test: Test, variable: int, other: int, *, reverse: bool) -> BinaryRelation:
        """The relation from one demand to another that a test of both requires. `reverse`: whether the test has the
        first one in the role of the other.
        """
        column = compared_column(test, SAME) or compared_column(test, DIFFERENT)
        limit = measured_limit(test)
        mirrored = reverse and column is None and limit is None and not isinstance(test, Paired)
        key = test, self.kinds[variable], self.kinds[other], mirrored
        if key in self.made:
            return self.made[key]
        made: BinaryRelation
        if column is not None:
            values, others = self.zone_numbers(column, variable), self.zone_numbers(column, other)
            made = ZoneRelation(values, others, compared_column(test, SAME) is not None)
        elif limit is not None:
            kind = self.kinds[other]
            if kind not in self.points:
                self.points[kind] = PointSet([each.point for each in self.candidates[other]])
            cache = self.distance_caches.setdefault((limit, kind), {})
            own = [each.point for each in self.candidates[variable]]
            made = DistanceRelation(own, self.points[kind], limit, cache, self.work)
        elif isinstance(test, Paired):
            made = TableRelation(self.partner_rows(variable, other))
        else:
            made = TableRelation(self.tabulate(test, variable, other, mirrored))
        self.made[key] = made
        return made

    def partner_rows(self, variable: int, other: int) -> list[int]:
        """For each candidate of a demand, the candidates of the other that the inventory lists with it, as masks."""
        number = {each.id: at for at, each in enumerate(self.candidates[other])}
        partners: dict[str, int] = {}
        for pair in self.evaluator.pairs or ():
            first, second = min(pair), max(pair)
            for own_id, other_id in ((first, second), (second, first)):
                if other_id in number:
                    partners[own_id] = partners.get(own_id, 0) | 1 << number[other_id]
        return [partners.get(each.id, 0) for each in self.candidates[variable]]

    def tabulate(self, test: Test, variable: int, other: int, mirrored: bool) -> list[int]:
        """For each candidate of a demand, the candidates of the other with which a test holds, as masks."""
        roles = (OTHER, OWN) if mirrored else (OWN, OTHER)
        rows = []
        for candidate in self.candidates[variable]:
            self.work.spend_nodes(1 + len(self.candidates[other]) // POINTS)
            mask = 0
            for at, each in enumerate(self.candidates[other]):
                choices = {roles[0]: Choice("", candidate), roles[1]: Choice("", each)}
                mask |= (self.evaluator.holds(test, choices) is not False) << at
            rows.append(mask)
        return rows

    def zone_numbers(self, column: Column, demand: int) -> list[int]:
        """The values that a demand's candidates have in a column, as numbers."""
        numbers = self.zones.setdefault(column, {})
        values = [self.evaluator.text(column, {OWN: Choice("", each)}) for each in self.candidates[demand]]
        return [numbers.setdefault(value, len(numbers)) for value in values]

    def exclusive_groups(self, test: Test, demands: Sequence[int]) -> tuple[Any, tuple[Sequence[int], ...]] | None:
        """The exclusive groups of some demands, and a key for their kind; None if a test of pairs excludes no groups.
        Demands in different zones may not share one; demands at a least distance may not share a group of close
        candidates.
        """
        if (column := compared_column(test, DIFFERENT)) is not None:
            return column, tuple([self.zone_numbers(column, demand) for demand in demands])
        if (limit := measured_limit(test)) is not None and limit.low > 0:
            return limit, self.close_groups(limit, demands)
        return None

    def close_groups(self, limit: DistanceLimit, demands: Sequence[int]) -> tuple[Sequence[int], ...]:
        """A partition of the candidates into groups whose members are all too close to each other. It is found
        greedily.
        """
        points = list(dict.fromkeys(each.point for demand in demands for each in self.candidates[demand]))
        every = PointSet(points)
        rows = DistanceRelation(points, every, limit, {}, self.work)
        full = (1 << len(points)) - 1
        close = [full & ~rows.supports(at) for at in range(len(points))]
        group, left, number = [0] * len(points), full, 0
        while left:
            # a seed with many close neighbours makes a large group; finding it pays for the first groups only
            at = (
                max(iterate_bits(left), key=lambda bit: ((close[bit] & left).bit_count(), -bit))
                if number < 64
                else lowest_bit(left)
            )
            members, fits = 1 << at, close[at] & left & ~(1 << at)
            while fits:
                near = lowest_bit(fits)
                members |= 1 << near
                fits &= close[near] & ~(1 << near)
            for bit in iterate_bits(members):
                group[bit] = number
            left &= ~members
            number += 1
        of = dict(zip(points, group, strict=True))
        return tuple([[of[each.point] for each in self.candidates[demand]] for demand in demands])


def iterate_bits(mask: int) -> Iterator[int]:
    """The numbers of the bits of a mask, from the lowest."""
    while mask:
        at = lowest_bit(mask)
        yield at
        mask &= mask - 1


def lowest_bit(mask: int) -> int:
    """The number of the lowest bit of a mask."""
    return (mask & -mask).bit_length() - 1
