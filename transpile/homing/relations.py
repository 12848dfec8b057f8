"""What a constraint says about the candidates of two demands together, as rows of bits.

Invariant: a row is computed when it is asked for first, and demands with the same candidates share it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, final

from transpile.homing.distance import Points
from transpile.homing.problem import DistanceBetweenDemands, InventoryGroup, Zone

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from transpile.homing.network import Rows, Work
    from transpile.homing.problem import Candidate, Constraint, Limit, Point

KEYS = {"region": "location_id", "complex": "complex_name", "country": "country"}
SPELLED = {"disaster": "disaster_zone", "time": "time_zone", "maintenance": "maintenance_zone"}
POINTS = 64  # that are compared for one unit of work


def zone_of(one: Candidate, category: str) -> Any:
    """The zone of a candidate in a category; None if the inventory does not say it."""
    if category in KEYS:
        return one.data.get(KEYS[category])
    zones = one.data.get("zones")
    found = zones.get(category) if isinstance(zones, dict) else None
    return one.data.get(SPELLED.get(category, category)) if found is None else found


@final
class Zones:
    """Rows of candidates in the same zone, or in different ones. What has no zone is in the one of those without."""

    __slots__ = ("full", "masks", "same", "values", "weak")

    def __init__(self, values: Sequence[int], others: Sequence[int], same: bool) -> None:
        self.values, self.same, self.weak = values, same, not same
        self.masks: dict[int, int] = {}
        for at, value in enumerate(others):
            self.masks[value] = self.masks.get(value, 0) | 1 << at
        self.full = (1 << len(others)) - 1

    def row(self, choice: int) -> int:
        mask = self.masks.get(self.values[choice], 0)
        return mask if self.same else self.full & ~mask

    def kind(self, choice: int) -> object:
        return self.values[choice]


@final
class Lengths:
    """Rows of candidates within a distance. `known`: rows by point, shared."""

    __slots__ = ("known", "limit", "others", "points", "weak", "work")

    def __init__(
        self, points: Sequence[Point | None], others: Points, limit: Limit, known: dict[Any, int], work: Work
    ) -> None:
        self.points, self.others, self.limit, self.known, self.work = points, others, limit, known, work
        self.weak = limit.high == math.inf

    def row(self, choice: int) -> int:
        point = self.points[choice]
        found = self.known.get(point)
        if found is None:
            self.work.spend(1 + self.others.size // POINTS)
            found = self.known[point] = self.others.within(point, self.limit)
        return found

    def kind(self, choice: int) -> object:
        return self.points[choice]


@final
class Pairs:
    """Rows of candidates that are a pair of the inventory."""

    __slots__ = ("rows", "weak")

    def __init__(self, ids: Sequence[str], others: Sequence[str], pairs: frozenset[frozenset[str]]) -> None:
        number = {one: at for at, one in enumerate(others)}
        partners: dict[str, int] = {}
        for pair in pairs:
            ends = [*pair] * (3 - len(pair))
            for one, other in (ends[:2], ends[1::-1]):
                if other in number:
                    partners[one] = partners.get(one, 0) | 1 << number[other]
        self.weak = False
        self.rows = [partners.get(one, 0) for one in ids]

    def row(self, choice: int) -> int:
        return self.rows[choice]

    def kind(self, choice: int) -> object:
        return self.rows[choice]


@final
class NotBefore:
    """Rows of choices that do not come before: for variables of which it does not matter which has which choice."""

    __slots__ = ("full", "later", "weak")

    def __init__(self, size: int, *, later: bool) -> None:
        self.full, self.later, self.weak = (1 << size) - 1, later, True

    def row(self, choice: int) -> int:
        return self.full >> choice << choice if self.later else self.full & ((2 << choice) - 1)

    def kind(self, choice: int) -> object:
        return choice


@final
class Relations:
    """Makes rows for pairs of demands. `candidates`: those that each demand has left."""

    def __init__(self, candidates: Sequence[tuple[Candidate, ...]], work: Work) -> None:
        self.work = work
        lists: dict[tuple[str, ...], int] = {}
        self.kinds = [lists.setdefault(tuple([one.id for one in own]), len(lists)) for own in candidates]
        self.candidates = candidates
        self.points: dict[int, Points] = {}
        self.known: dict[tuple[Limit, int], dict[Any, int]] = {}
        self.zones: dict[str, dict[Any, int]] = {}
        self.made: dict[tuple[Any, ...], Rows] = {}

    def rows(self, constraint: Constraint, one: int, other: int) -> Rows | None:
        """What the candidates of a demand allow of another one's; None if the constraint is not about pairs."""
        key: tuple[Any, ...]
        if isinstance(constraint, Zone):
            key = ("zone", constraint.category, constraint.same, self.kinds[one], self.kinds[other])
            if key not in self.made:
                values = self.values(constraint.category, one), self.values(constraint.category, other)
                self.made[key] = Zones(*values, constraint.same)
        elif isinstance(constraint, DistanceBetweenDemands):
            kind = self.kinds[other]
            key = ("distance", constraint.limit, self.kinds[one], kind)
            if key not in self.made:
                if kind not in self.points:
                    self.points[kind] = Points([each.point for each in self.candidates[other]])
                known = self.known.setdefault((constraint.limit, kind), {})
                own = [each.point for each in self.candidates[one]]
                self.made[key] = Lengths(own, self.points[kind], constraint.limit, known, self.work)
        elif isinstance(constraint, InventoryGroup):
            key = ("pairs", constraint.pairs, self.kinds[one], self.kinds[other])
            if key not in self.made:
                ids, others = ([each.id for each in self.candidates[number]] for number in (one, other))
                self.made[key] = Pairs(ids, others, constraint.pairs)
        else:
            return None
        return self.made[key]

    def values(self, category: str, demand: int) -> list[int]:
        """The zones of a demand's candidates, as numbers."""
        numbers = self.zones.setdefault(category, {})
        return [numbers.setdefault(comparable(zone_of(one, category)), len(numbers)) for one in self.candidates[demand]]

    def exclusive(self, constraint: Constraint, demands: Sequence[int]) -> tuple[Any, tuple[Sequence[int], ...]] | None:
        """Groups of which no two of the demands may have the same one, and a name for what they are; None if the
        constraint does not make any.
        """
        if isinstance(constraint, Zone) and not constraint.same:
            return ("zone", constraint.category), tuple([self.values(constraint.category, one) for one in demands])
        if isinstance(constraint, DistanceBetweenDemands) and constraint.limit.low > 0:
            return ("distance", constraint.limit), self.balls(constraint.limit, demands)
        return None

    def balls(self, limit: Limit, demands: Sequence[int]) -> tuple[Sequence[int], ...]:
        """Groups of candidates that are all too close to each other."""
        points = list(dict.fromkeys(each.point for one in demands for each in self.candidates[one]))
        every = Points(points)
        rows = Lengths(points, every, limit, {}, self.work)
        full = (1 << len(points)) - 1
        close = [full & ~rows.row(at) for at in range(len(points))]
        group, left, number = [0] * len(points), full, 0
        while left:
            at = max(bits(left), key=lambda one: ((close[one] & left).bit_count(), -one)) if number < 64 else low(left)
            members, fits = 1 << at, close[at] & left & ~(1 << at)
            while fits:
                near = low(fits)
                members |= 1 << near
                fits &= close[near] & ~(1 << near)
            for one in bits(members):
                group[one] = number
            left &= ~members
            number += 1
        of = dict(zip(points, group, strict=True))
        return tuple([[of[each.point] for each in self.candidates[one]] for one in demands])


def bits(mask: int) -> Iterator[int]:
    while mask:
        at = low(mask)
        yield at
        mask &= mask - 1


def low(mask: int) -> int:
    return (mask & -mask).bit_length() - 1


def comparable(value: Any) -> Any:
    """A value of the inventory as a key: numbers and texts that read the same are the same."""
    return value if value is None else str(value)
