"""Distances on the sphere, as HAS measures them, and which of many points are within a limit.

Invariant: a point is within a limit if and only if `great_circle_kilometres` says so. Chords decide for points that are
not close to the limit, because they take a fifth of the time.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import final

from transpile.model.records import field, node

RADIUS = 6371.0  # kilometres
HALF_ROUND = math.pi * RADIUS
CLOSE = 1e-9  # the greatest difference of equal lengths, absolute and relative, and of squares of chords
ROUNDED = 2e-11  # twice the greatest error of a chord; most of it comes from the rounding of lengths
TENTHS = 10**7  # of a millimetre, in a kilometre


@final
@node
class GeoPoint:
    """A point on the globe, in degrees."""

    latitude: float
    longitude: float

    @property
    def exists(self) -> bool:
        """Whether it is on the globe. HAS computes distances to any other, too."""
        return abs(self.latitude) <= 90 and abs(self.longitude) <= 180


@final
@node
class DistanceLimit:
    """An interval of lengths in kilometres. Open ends do not belong to it. `text`: as people write it."""

    low: float
    high: float
    low_open: bool
    high_open: bool
    text: str = field(default="", compare=False)

    def holds(self, length: float) -> bool:
        """Whether a length in kilometres, rounded as all lengths that are compared, is within the limit."""
        length = round(length * TENTHS) / TENTHS
        above = length > self.low if self.low_open else length >= self.low
        return above and (length < self.high if self.high_open else length <= self.high)


def limit_between(low: float, high: float, text: str = "") -> DistanceLimit:
    """A limit from both ends of a range, in kilometres."""
    return DistanceLimit(min(low, high), max(low, high), False, False, text)


def make_limit(operator: str, value: float, text: str = "") -> DistanceLimit:
    """A limit from an operator (= < > <= >=) and a value in kilometres."""
    if operator in ("<", "<="):
        return DistanceLimit(float("-inf"), value, False, operator == "<", text)
    if operator in (">", ">="):
        return DistanceLimit(value, float("inf"), operator == ">", False, text)
    margin = CLOSE * max(1.0, abs(value))
    return DistanceLimit(value - margin, value + margin, False, False, text)


def great_circle_kilometres(point: GeoPoint, other: GeoPoint) -> float:
    """The great-circle distance between two points, by the haversine formula."""
    if point == other:
        return 0.0
    first, second = math.radians(point.latitude), math.radians(other.latitude)
    turn = math.radians(other.longitude - point.longitude)
    half = math.sin((second - first) / 2) ** 2 + math.cos(first) * math.cos(second) * math.sin(turn / 2) ** 2
    return 2 * RADIUS * math.asin(math.sqrt(min(1.0, half)))


def chord_square(length: float) -> float:
    """The square of the chord below a great circle, on a sphere of radius 1. A length below 0 or above half the
    circumference gives a value beyond all chords.
    """
    if length < 0:
        return -1.0
    return 5.0 if length > HALF_ROUND else (2 * math.sin(length / 2 / RADIUS)) ** 2


@final
class PointSet:
    """Points as bits of a mask: the first point is the lowest bit. A point may be unknown. `size`: how many different
    points there are.
    """

    __slots__ = ("_places", "_vectors", "size")

    def __init__(self, points: Sequence[GeoPoint | None]) -> None:
        masks: dict[GeoPoint, int] = {}
        for at, point in enumerate(points):
            if point is not None:
                masks[point] = masks.get(point, 0) | 1 << at
        self._places = list(masks.items())
        self._vectors = [unit_vector(point) for point in masks]
        self.size = len(masks)

    def points_within(self, centre: GeoPoint | None, limit: DistanceLimit) -> int:
        """The points within a limit of a centre, as a mask. Unknown points are never within."""
        if centre is None:
            return 0
        x, y, z = unit_vector(centre)
        chords = [(a - x) ** 2 + (b - y) ** 2 + (c - z) ** 2 for a, b, c in self._vectors]
        low, high = chord_square(limit.low), chord_square(limit.high)
        within = {at for at, chord in enumerate(chords) if low < chord <= high}
        for end in (low, high):
            if not 0 <= end <= 4:
                continue
            margin = CLOSE * end + ROUNDED * math.sqrt(end) + ROUNDED**2
            for at, chord in enumerate(chords):
                if end - margin <= chord <= end + margin:
                    within.discard(at)
                    if limit.holds(great_circle_kilometres(centre, self._places[at][0])):
                        within.add(at)
        mask = 0
        for at in within:
            mask |= self._places[at][1]
        return mask


def unit_vector(point: GeoPoint) -> tuple[float, float, float]:
    """A point on a sphere of radius 1, as a vector."""
    up, round_ = math.radians(point.latitude), math.radians(point.longitude)
    return math.cos(up) * math.cos(round_), math.cos(up) * math.sin(round_), math.sin(up)
