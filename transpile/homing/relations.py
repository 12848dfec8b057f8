"""Builds the binary relations between demands that constraints require.

Invariant: supports are computed when they are first needed, and demands with the same candidates share one relation.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, final

from transpile.homing.distance import PointSet
from transpile.homing.network import BinaryRelation, SearchBudget
from transpile.homing.problem import (
    Constraint,
    DistanceBetweenDemands,
    DistanceLimit,
    GeoPoint,
    GroupConstraint,
    PlacementCandidate,
    ZoneConstraint,
)

KEYS = {"region": "location_id", "complex": "complex_name", "country": "country"}
SPELLED = {"disaster": "disaster_zone", "time": "time_zone", "maintenance": "maintenance_zone"}
POINTS = 64  # that are compared for one unit of work


def zone_of(candidate: PlacementCandidate, category: str) -> Any:
    """The zone of a candidate in a category; None if the inventory does not say it."""
    if category in KEYS:
        return candidate.data.get(KEYS[category])
    zones = candidate.data.get("zones")
    zone = zones.get(category) if isinstance(zones, dict) else None
    return candidate.data.get(SPELLED.get(category, category)) if zone is None else zone


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
class PairRelation:
    """Pairs of candidates that the inventory lists as a group."""

    __slots__ = ("is_weak", "rows")

    def __init__(self, ids: Sequence[str], others: Sequence[str], pairs: frozenset[frozenset[str]]) -> None:
        number = {other_id: at for at, other_id in enumerate(others)}
        partners: dict[str, int] = {}
        for pair in pairs:
            ends = [*pair] * (3 - len(pair))
            for first_id, other in (ends[:2], ends[1::-1]):
                if other in number:
                    partners[first_id] = partners.get(first_id, 0) | 1 << number[other]
        self.is_weak = False
        self.rows = [partners.get(own_id, 0) for own_id in ids]

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
    """Builds the relations of a problem. `candidates`: the domain of each demand."""

    def __init__(self, candidates: Sequence[tuple[PlacementCandidate, ...]], work: SearchBudget) -> None:
        self.work = work
        lists: dict[tuple[str, ...], int] = {}
        self.kinds = [lists.setdefault(tuple([candidate.id for candidate in own]), len(lists)) for own in candidates]
        self.candidates = candidates
        self.points: dict[int, PointSet] = {}
        self.distance_caches: dict[tuple[DistanceLimit, int], dict[Any, int]] = {}
        self.zones: dict[str, dict[Any, int]] = {}
        self.made: dict[tuple[Any, ...], BinaryRelation] = {}

    def build_relation(self, constraint: Constraint, variable: int, other: int) -> BinaryRelation | None:
        """The relation from one demand to another that a constraint requires; None if it is not about pairs."""
        key: tuple[Any, ...]
        if isinstance(constraint, ZoneConstraint):
            key = ("zone", constraint.category, constraint.same, self.kinds[variable], self.kinds[other])
            if key not in self.made:
                values = self.zone_numbers(constraint.category, variable), self.zone_numbers(constraint.category, other)
                self.made[key] = ZoneRelation(*values, constraint.same)
        elif isinstance(constraint, DistanceBetweenDemands):
            kind = self.kinds[other]
            key = ("distance", constraint.limit, self.kinds[variable], kind)
            if key not in self.made:
                if kind not in self.points:
                    self.points[kind] = PointSet([each.point for each in self.candidates[other]])
                cache = self.distance_caches.setdefault((constraint.limit, kind), {})
                own = [each.point for each in self.candidates[variable]]
                self.made[key] = DistanceRelation(own, self.points[kind], constraint.limit, cache, self.work)
        elif isinstance(constraint, GroupConstraint):
            key = ("pairs", constraint.pairs, self.kinds[variable], self.kinds[other])
            if key not in self.made:
                ids, others = ([each.id for each in self.candidates[number]] for number in (variable, other))
                self.made[key] = PairRelation(ids, others, constraint.pairs)
        else:
            return None
        return self.made[key]

    def zone_numbers(self, category: str, demand: int) -> list[int]:
        """The zones of a demand's candidates, as numbers."""
        numbers = self.zones.setdefault(category, {})
        return [
            numbers.setdefault(comparable_value(zone_of(candidate, category)), len(numbers))
            for candidate in self.candidates[demand]
        ]

    def exclusive_groups(
        self, constraint: Constraint, demands: Sequence[int]
    ) -> tuple[Any, tuple[Sequence[int], ...]] | None:
        """The exclusive groups of some demands, and a key for their kind; None if the constraint excludes no groups.
        Demands in different zones may not share one; demands at a least distance may not share a group of close
        candidates.
        """
        if isinstance(constraint, ZoneConstraint) and not constraint.same:
            return ("zone", constraint.category), tuple(
                [self.zone_numbers(constraint.category, demand) for demand in demands]
            )
        if isinstance(constraint, DistanceBetweenDemands) and constraint.limit.low > 0:
            return ("distance", constraint.limit), self.close_groups(constraint.limit, demands)
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


def comparable_value(value: Any) -> Any:
    """A value of the inventory as a key. A number and its text are the same key."""
    return value if value is None else str(value)
