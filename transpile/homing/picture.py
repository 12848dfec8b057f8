"""Draws the best placement as a map: an SVG file without references to anything else.

The projection is equirectangular and true to scale at the middle latitude. If places lie on both sides of the date
line, the map is cut through its widest empty part.

Invariant: all text from outside is escaped, and nothing in the picture is loaded or run.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeGuard

from transpile.homing import answers
from transpile.homing.distance import GeoPoint
from transpile.homing.problem import PlacementCandidate
from transpile.homing.solver import PlacementAnswer
from transpile.model.printable import make_printable

WIDTH, HEIGHT, MARGIN, TITLE = 960, 600, 60, 40
LONGEST = 40  # characters of a label
MOST = 2_000  # candidates that are drawn
NAMED = 40  # candidates up to which those that are not chosen have their names beside them
STEPS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60)  # degrees between two lines of the grid
LINES = 8
STYLE = """
text { font: 12px sans-serif; fill: #222; paint-order: stroke; stroke: #fff; stroke-width: 3px }
.title { font-size: 16px } .grid { stroke: #ddd } .grid text { fill: #888; font-size: 10px; stroke: none }
.candidate { fill: #aab; } .removed { fill: none; stroke: #bbb } .chosen { fill: #1668c5 } .location { fill: #c52216 }
.candidate-name { fill: #667 } .removed-name { fill: #aaa; font-style: italic }
.length { stroke: #555; stroke-dasharray: 4 3 } .length-text { font-size: 11px; fill: #555 }
"""


class MapProjection(NamedTuple):
    """Where points are in the picture: its west and north ends, and the pixels for each degree."""

    west: float
    north: float
    east: float
    south: float
    across: float
    down: float
    left: float
    top: float

    def project_point(self, point: GeoPoint) -> tuple[float, float]:
        x = (point.longitude - self.west) % 360
        return self.left + x * self.across, self.top + (self.north - point.latitude) * self.down


def draw_answer(answer: PlacementAnswer | None) -> str:
    """The picture of the best solution; without one, of all candidates and locations."""
    if answer is None:
        return frame_picture([], "There is no placement.")
    candidates: dict[str, PlacementCandidate] = {}
    left: set[str] = set()
    for domain in answer.domains:
        for candidate in domain.demand.candidates[:MOST]:
            if is_on_map(candidate.point) and len(candidates) < MOST:
                candidates.setdefault(candidate.id, candidate)
        left.update(candidate.id for candidate in domain.candidates)
    chosen: dict[str, list[str]] = {}
    solution = answer.solutions[0] if answer.solutions else None
    if solution is not None:
        for name, candidate in solution.assignment.items():
            if is_on_map(candidate.point):
                candidates[candidate.id] = candidate
                chosen.setdefault(candidate.id, []).append(name)
    locations = {
        name: location.point for name, location in answer.problem.locations.items() if is_on_map(location.point)
    }
    points = [placed.point for placed in candidates.values() if placed.point is not None] + list(locations.values())
    title = answers.answer_status(answer)
    if solution is not None and solution.value is not None:
        title += f": value {answers.format_figure(solution.value)}"
    if not points:
        return frame_picture([], f"{title} (nothing has coordinates)")
    map_ = fit_map(points)
    parts = [*draw_grid(map_)]
    if solution is not None:
        parts += draw_distances(answer, map_)
    for name, candidate in candidates.items():
        if name not in chosen:
            kind = "candidate" if name in left else "removed"
            named = name if len(candidates) <= NAMED else ""
            parts += draw_candidate(
                map_, candidate, kind, named, f"{name} ({'candidate' if name in left else 'removed'})"
            )
    for name, names in chosen.items():
        parts += draw_candidate(
            map_, candidates[name], "chosen", f"{', '.join(names)}: {name}", f"{name}, for {', '.join(names)}"
        )
    for name, point in locations.items():
        x, y = map_.project_point(point)
        parts.append(
            f'<g class="location"><title>{escape_xml(name)}</title>'
            f'<path d="M{x:.1f} {y - 7:.1f}l6 11h-12z"/></g>{draw_label(x, y + 20, name)}'
        )
    return frame_picture(parts, title)


def is_on_map(point: GeoPoint | None) -> TypeGuard[GeoPoint]:
    """Whether a point has a place on the map. HOT870 warns of a location that has none."""
    return point is not None and point.exists


def fit_map(points: Sequence[GeoPoint]) -> MapProjection:
    """A map that shows all points."""
    turns = sorted({point.longitude % 360 for point in points})
    gaps = [(after - before, after) for before, after in itertools.pairwise(turns)]
    gaps.append((turns[0] + 360 - turns[-1], turns[0]))
    room, west = max(gaps)
    wide, south, north = 360 - room, min(p.latitude for p in points), max(p.latitude for p in points)
    margin = max(0.5, 0.05 * max(wide, north - south))
    west, wide = west - margin, min(360.0, wide + 2 * margin)
    south, north = max(-90.0, south - margin), min(90.0, north + margin)
    shape = max(0.2, math.cos(math.radians((north + south) / 2)))
    scale = min((WIDTH - 2 * MARGIN) / (wide * shape), (HEIGHT - 2 * MARGIN - TITLE) / (north - south))
    across, down = scale * shape, scale
    free = (WIDTH - wide * across) / 2, TITLE + (HEIGHT - TITLE - (north - south) * down) / 2
    return MapProjection(west, north, west + wide, south, across, down, *free)


def draw_grid(map_: MapProjection) -> Iterable[str]:
    """The lines of longitude and latitude."""
    step = next((s for s in STEPS if (map_.east - map_.west) / s <= LINES), STEPS[-1])
    x, y = map_.left, map_.top
    right, bottom = x + (map_.east - map_.west) * map_.across, y + (map_.north - map_.south) * map_.down
    yield '<g class="grid">'
    degree = math.ceil(map_.west / step) * step
    while degree <= map_.east:
        at = map_.left + (degree - map_.west) * map_.across
        yield f'<path d="M{at:.1f} {y:.1f}V{bottom:.1f}"/>'
        turned = (degree + 180) % 360 - 180
        yield f'<text x="{at:.1f}" y="{bottom + 12:.1f}" text-anchor="middle">{turned:g}°</text>'
        degree += step
    degree = math.ceil(map_.south / step) * step
    while degree <= map_.north:
        at = map_.top + (map_.north - degree) * map_.down
        yield f'<path d="M{x:.1f} {at:.1f}H{right:.1f}"/>'
        yield f'<text x="{x - 4:.1f}" y="{at + 3:.1f}" text-anchor="end">{degree:g}°</text>'
        degree += step
    yield "</g>"


def draw_candidate(
    map_: MapProjection, candidate: PlacementCandidate, kind: str, text: str, title: str
) -> Iterable[str]:
    """A candidate."""
    assert candidate.point is not None
    x, y = map_.project_point(candidate.point)
    size = 6 if kind == "chosen" else 4
    yield f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{size}"><title>{escape_xml(title)}</title></circle>'
    if text:
        yield draw_label(x, y - 10, text, kind if kind != "chosen" else "")


def draw_distances(answer: PlacementAnswer, map_: MapProjection) -> Iterable[str]:
    """The distances that the problem measures, as lines."""
    assignment, locations = answer.solutions[0].assignment, answer.problem.locations
    for name, other, km in answers.measure_distances(answer.problem, assignment):
        first = assignment[name].point
        second = locations[other].point if other in locations and other not in assignment else assignment[other].point
        if not is_on_map(first) or not is_on_map(second) or km == 0:
            continue
        (x, y), (u, v) = map_.project_point(first), map_.project_point(second)
        yield f'<path class="length" d="M{x:.1f} {y:.1f}L{u:.1f} {v:.1f}"/>'
        where = f'x="{(x + u) / 2:.1f}" y="{(y + v) / 2 - 3:.1f}"'
        yield f'<text class="length-text" {where} text-anchor="middle">{km:.0f} km</text>'


def draw_label(x: float, y: float, text: str, kind: str = "") -> str:
    """A name above a point. kind: the class of a candidate that is not chosen."""
    text = text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
    of = f' class="{kind}-name"' if kind else ""
    return f'<text{of} x="{x:.1f}" y="{y:.1f}" text-anchor="middle">{escape_xml(text)}</text>'


def frame_picture(parts: Iterable[str], title: str) -> str:
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        f'role="img">\n<title>{escape_xml(title)}</title>\n<style>{STYLE}</style>\n'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>\n'
        f'<text class="title" x="{MARGIN / 2:g}" y="26">{escape_xml(title)}</text>\n{body}\n</svg>\n'
    )


def escape_xml(text: str) -> str:
    """Text from outside as XML text."""
    text = make_printable(text)
    for character, other in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("'", "&#39;")):
        text = text.replace(character, other)
    return text
