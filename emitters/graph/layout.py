"""Places boxes in rows so that each is above the boxes that it needs, with the lines between them (after Sugiyama).

Edges to the same box share their way to it.

Invariant: the same boxes and edges give the same picture, boxes never overlap, and the work grows with the number of
boxes and edges: an edge across many rows gets its way around boxes only while WAYS is not used up.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from transpile.resolve import graph as dependencies

Point = tuple[float, float]
ACROSS, DOWN, WIDEST = 28.0, 64.0, 1700.0  # space between boxes, between rows; how wide rows may be
WAYS = 6_000  # points at which long edges pass a row
SWEEPS = 10
THIN = 2.0  # the width of an edge that passes a row
SPACES = (8.0, 14.0, ACROSS)  # between items of a row of which none, one or both are boxes


class BoxSize(NamedTuple):
    width: float
    height: float


class PlacedBoxes(NamedTuple):
    """`at`: the upper left corner of each box. `ways`: the points of each edge, in the order of the edges."""

    size: BoxSize
    at: dict[str, Point]
    ways: list[list[Point]]


class BoxRows:
    """Connected boxes in rows, while they are being placed. Where an edge passes a row is an item too, an integer."""

    def __init__(self, sizes: Mapping[str, BoxSize], edges: Sequence[tuple[str, str]]) -> None:
        self.sizes, self.edges = sizes, edges
        self.down = self.turn_cycles()
        self.rows: list[list[str | int]] = []
        self.near: dict[str | int, list[str | int]] = {}
        self.passes: list[list[str | int]] = []
        self.x: dict[str | int, float] = {}

    def turn_cycles(self) -> list[tuple[str, str]]:
        """The edges without cycles: those that close one are turned around."""
        needs: dict[str, list[str]] = {name: [] for name in self.sizes}
        for start, end in self.edges:
            needs[start].append(end)
        order = [
            name for component in dependencies.strong_components(needs) for name in component
        ]  # a needed resource comes first
        place = {name: number for number, name in enumerate(order)}
        return [(a, b) if place[a] > place[b] else (b, a) for a, b in self.edges]

    def arrange_boxes(self) -> PlacedBoxes:
        self.fill_rows()
        self.order_rows()
        self.place_middles()
        return self.measure_rows()

    def fill_rows(self) -> None:
        """Puts each box into the row below all that need it, and breaks rows that are too wide."""
        waiting, needs = dict.fromkeys(self.sizes, 0), {name: list[str]() for name in self.sizes}
        for start, end in self.down:
            needs[start].append(end)
            waiting[end] += 1
        level = dict.fromkeys(self.sizes, 0)
        ready = [name for name, number in waiting.items() if not number]
        for name in ready:  # grows while it is read
            for end in needs[name]:
                level[end] = max(level[end], level[name] + 1)
                waiting[end] -= 1
                if not waiting[end]:
                    ready.append(end)
        for name in reversed(ready):  # a box that needs something stands right above it
            if needs[name]:
                level[name] = min(level[end] for end in needs[name]) - 1
        levels: dict[int, list[str]] = {}
        for name in self.sizes:
            levels.setdefault(level[name], []).append(name)
        row_of: dict[str | int, int] = {}
        for number in sorted(levels):
            row: list[str | int] = []
            width = 0.0
            for name in levels[number]:
                if row and width + self.sizes[name].width > WIDEST:
                    self.rows.append(row)
                    row, width = [], 0.0
                row.append(name)
                row_of[name] = len(self.rows)
                width += self.sizes[name].width + ACROSS
            self.rows.append(row)
        points: dict[tuple[str, int], int] = {}  # by the end of the edges, and the row
        for start, end in self.down:
            rows = range(row_of[start] + 1, row_of[end])
            between: list[str | int] = []
            if len(points) + len(rows) <= WAYS:
                for number in rows:
                    if (end, number) not in points:
                        points[end, number] = len(points)
                        self.rows[number].append(points[end, number])
                    between.append(points[end, number])
            way: list[str | int] = [start, *between, end]
            self.passes.append(way)
            for upper, lower in itertools.pairwise(way):
                self.near.setdefault(upper, []).append(lower)
                self.near.setdefault(lower, []).append(upper)

    def order_rows(self) -> None:
        """Orders each row by where the neighbours of its items are (barycenters), up and down."""
        place = {item: i / max(len(row) - 1, 1) for row in self.rows for i, item in enumerate(row)}
        row_of = {item: number for number, row in enumerate(self.rows) for item in row}
        for sweep in range(SWEEPS):
            downwards = sweep % 2 == 0
            numbers = range(1, len(self.rows)) if downwards else range(len(self.rows) - 2, -1, -1)
            for number in numbers:
                row = self.rows[number]
                wish = {}
                for i, item in enumerate(row):
                    side = [n for n in self.near.get(item, ()) if (row_of[n] < number) == downwards]
                    wish[item] = (sum(place[n] for n in side) / len(side) if side else place[item], i)
                row.sort(key=wish.__getitem__)
                place.update({item: i / max(len(row) - 1, 1) for i, item in enumerate(row)})

    def item_width(self, item: str | int) -> float:
        return self.sizes[item].width if isinstance(item, str) else THIN

    def least_distance(self, left: str | int, right: str | int) -> float:
        """The least distance between the middles of two neighbours in a row."""
        gap = SPACES[isinstance(left, str) + isinstance(right, str)]
        return (self.item_width(left) + self.item_width(right)) / 2 + gap

    def place_middles(self) -> None:
        """Finds where the middle of each item is: near its neighbours, in the order of its row."""
        for row in self.rows:
            self.x[row[0]] = self.item_width(row[0]) / 2
            for left, right in itertools.pairwise(row):
                self.x[right] = self.x[left] + self.least_distance(left, right)
        widest = max(self.x[row[-1]] + self.item_width(row[-1]) / 2 for row in self.rows)
        for row in self.rows:
            free = (widest - self.x[row[-1]] - self.item_width(row[-1]) / 2) / 2
            self.x.update({item: self.x[item] + free for item in row})
        for sweep in range(SWEEPS):
            for row in self.rows if sweep % 2 == 0 else reversed(self.rows):
                near = {item: self.near.get(item, ()) for item in row}
                wish = [sum(self.x[n] for n in near[i]) / len(near[i]) if near[i] else self.x[i] for i in row]
                self.settle_row(row, wish)

    def settle_row(self, row: list[str | int], wish: list[float]) -> None:
        """Moves the items of a row to the wished places as far as there is room.

        One pass pushes items to the right, another one to the left; the mean of both favours neither side, and keeps
        the least distances because both passes do.
        """
        apart = [self.least_distance(first, second) for first, second in itertools.pairwise(row)]
        left, right = wish[:], wish[:]
        for i, least in enumerate(apart):
            left[i + 1] = max(left[i + 1], left[i] + least)
        for i in range(len(apart) - 1, -1, -1):
            right[i] = min(right[i], right[i + 1] - apart[i])
        self.x.update({item: (a + b) / 2 for item, a, b in zip(row, left, right, strict=True)})

    def measure_rows(self) -> PlacedBoxes:
        west = min(self.x[row[0]] - self.item_width(row[0]) / 2 for row in self.rows)
        east = max(self.x[row[-1]] + self.item_width(row[-1]) / 2 for row in self.rows)
        at: dict[str, Point] = {}
        span: dict[str | int, tuple[float, float]] = {}  # the top and bottom of each item
        top = 0.0
        for row in self.rows:
            high = max((self.sizes[item].height for item in row if isinstance(item, str)), default=0.0)
            for item in row:
                self.x[item] -= west
                if isinstance(item, str):
                    above = top + (high - self.sizes[item].height) / 2
                    at[item] = (self.x[item] - self.item_width(item) / 2, above)
                    span[item] = (above, above + self.sizes[item].height)
                else:
                    span[item] = (top, top + high)
            top += high + DOWN
        return PlacedBoxes(BoxSize(east - west, top - DOWN), at, self.route_edges(span))

    def route_edges(self, span: Mapping[str | int, tuple[float, float]]) -> list[list[Point]]:
        """The points of each edge. Edges leave a box side by side, in the order of where they go."""
        leaving: dict[str, list[tuple[float, int]]] = {}
        coming: dict[str, list[tuple[float, int]]] = {}
        for number, way in enumerate(self.passes):
            start, end = self.down[number]
            leaving.setdefault(start, []).append((self.x[way[1]], number))
            coming.setdefault(end, []).append((self.x[way[-2]], number))
        starts = {number: x for name, edges in leaving.items() for number, x in self.spread_ends(name, edges)}
        ends = {number: x for name, edges in coming.items() for number, x in self.spread_ends(name, edges)}
        ways = []
        for number, way in enumerate(self.passes):
            points = [(starts[number], span[way[0]][1])]
            for item in way[1:-1]:
                points += [(self.x[item], span[item][0]), (self.x[item], span[item][1])]
            points.append((ends[number], span[way[-1]][0]))
            ways.append(points if self.down[number] == self.edges[number] else points[::-1])
        return ways

    def spread_ends(self, name: str, edges: list[tuple[float, int]]) -> list[tuple[int, float]]:
        """The points at which edges touch a box, by edge number. edges: the x that each comes from. Edges from the same
        x share a point.
        """
        places = sorted({x for x, _ in edges})
        room = min(self.sizes[name].width * 0.8, 16.0 * len(places))
        first = self.x[name] - room / 2
        at = {x: first + room * (i + 0.5) / len(places) for i, x in enumerate(places)}
        return [(number, at[x]) for x, number in edges]


def place_boxes(sizes: Mapping[str, BoxSize], edges: Sequence[tuple[str, str]]) -> PlacedBoxes:
    """Places boxes that have an edge to one another together, and these parts on shelves, the largest first."""
    parts = find_connected_parts(sizes, edges)
    part_of = {name: number for number, names in enumerate(parts) for name in names}
    edges_of_part: list[list[int]] = [[] for _ in parts]
    for number, (start, _) in enumerate(edges):
        edges_of_part[part_of[start]].append(number)
    done: list[PlacedBoxes] = []
    for names, numbers in zip(parts, edges_of_part, strict=True):
        done.append(BoxRows({name: sizes[name] for name in names}, [edges[i] for i in numbers]).arrange_boxes())
    order = sorted(range(len(parts)), key=lambda i: (-min(len(parts[i]), 2), -done[i].size.height, i))
    at: dict[str, Point] = {}
    ways: list[list[Point]] = [[] for _ in edges]
    x = y = shelf = width = 0.0
    room = max(WIDEST, *(part.size.width for part in done)) if done else 0.0
    area = sum((part.size.width + ACROSS) * (part.size.height + DOWN / 2) for part in done)
    room = min(room, max(area**0.5 * 1.6, *(part.size.width for part in done))) if done else 0.0
    for i in order:
        part = done[i]
        if x and x + part.size.width > room:
            x, y, shelf = 0.0, y + shelf + DOWN / 2, 0.0
        at |= {name: (px + x, py + y) for name, (px, py) in part.at.items()}
        for number, way in zip(edges_of_part[i], part.ways, strict=True):
            ways[number] = [(px + x, py + y) for px, py in way]
        width, shelf = max(width, x + part.size.width), max(shelf, part.size.height)
        x += part.size.width + ACROSS
    return PlacedBoxes(BoxSize(width, y + shelf), at, ways)


def find_connected_parts(sizes: Iterable[str], edges: Iterable[tuple[str, str]]) -> list[list[str]]:
    """The parts that edges connect, each in the order of the boxes."""
    near: dict[str, list[str]] = {name: [] for name in sizes}
    for start, end in edges:
        near[start].append(end)
        near[end].append(start)
    part: dict[str, int] = {}
    for name in near:
        if name not in part:
            part[name] = len(part)
            waiting = [name]
            while waiting:
                for other in near[waiting.pop()]:
                    if other not in part:
                        part[other] = part[name]
                        waiting.append(other)
    parts: dict[int, list[str]] = {}
    for name in near:
        parts.setdefault(part[name], []).append(name)
    return list(parts.values())
