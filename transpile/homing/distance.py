"""Distances on the sphere, as HAS measures them, and which of many points are within a limit.

Invariant: a point is within a limit if and only if `kilometres` says so. Chords decide all that is not close to the
limit, because they take a fifth of the time.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from transpile.homing.problem import Limit, Point

RADIUS = 6371.0  # kilometres
HALF_ROUND = math.pi * RADIUS
CLOSE = 1e-9  # squares of chords that are so close to a limit, relative to it, are not compared
ROUNDED = 4e-15  # what a chord may be wrong by


def kilometres(one: Point, other: Point) -> float:
    """The great circle between two points (haversine)."""
    if one == other:
        return 0.0
    first, second = math.radians(one.latitude), math.radians(other.latitude)
    turn = math.radians(other.longitude - one.longitude)
    half = math.sin((second - first) / 2) ** 2 + math.cos(first) * math.cos(second) * math.sin(turn / 2) ** 2
    return 2 * RADIUS * math.asin(math.sqrt(min(1.0, half)))


def square(length: float) -> float:
    """The square of the chord below a great circle, on a sphere of radius 1; beyond either end for other lengths."""
    if length < 0:
        return -1.0
    return 5.0 if length > HALF_ROUND else (2 * math.sin(length / 2 / RADIUS)) ** 2


@final
class Points:
    """Points, some of them unknown, as bits: the first is the lowest bit."""

    __slots__ = ("_vectors", "points")

    def __init__(self, points: Sequence[Point | None]) -> None:
        self.points = points
        self._vectors = [vector(one) for one in reversed(points)]  # the first character of a number is its highest bit

    def within(self, centre: Point | None, limit: Limit) -> int:
        """The points within a limit of another one, as bits. Unknown points are within none."""
        if centre is None or not self.points:
            return 0
        x, y, z = vector(centre)
        chords = [(a - x) ** 2 + (b - y) ** 2 + (c - z) ** 2 for a, b, c in self._vectors]
        low, high = square(limit.low), square(limit.high)
        found = int(bytes([49 if low < chord <= high else 48 for chord in chords]), 2)
        for end in (low, high):
            if not 0 <= end <= 4:
                continue
            margin = CLOSE * end + ROUNDED * math.sqrt(end) + ROUNDED**2
            least, most = end - margin, end + margin
            for number, chord in enumerate(chords):
                if least <= chord <= most:
                    at = len(chords) - 1 - number
                    point = self.points[at]
                    holds = point is not None and limit.holds(kilometres(centre, point))
                    found = found | 1 << at if holds else found & ~(1 << at)
        return found


def vector(point: Point | None) -> tuple[float, float, float]:
    """A point on a sphere of radius 1; far away from it if the point is unknown."""
    if point is None:
        return 9.0, 9.0, 9.0
    up, round_ = math.radians(point.latitude), math.radians(point.longitude)
    return math.cos(up) * math.cos(round_), math.cos(up) * math.sin(round_), math.sin(up)
