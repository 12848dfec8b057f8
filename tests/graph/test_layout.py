"""The places of boxes: none overlaps another, each is above those that it needs, and lines lead from box to box."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from emitters.graph import layout
from emitters.graph.layout import BoxSize

NAMES = [f"b{i}" for i in range(14)]
sizes = st.dictionaries(
    st.sampled_from(NAMES), st.builds(BoxSize, st.floats(20, 900), st.floats(20, 300)), min_size=1, max_size=14
)


@st.composite
def drawings(draw: st.DrawFn, *, circles: bool = False) -> tuple[dict[str, BoxSize], list[tuple[str, str]]]:
    boxes = draw(sizes)
    names = sorted(boxes)
    pairs = [(a, b) for a, b in itertools.permutations(names, 2) if circles or names.index(a) < names.index(b)]
    return boxes, draw(st.lists(st.sampled_from(pairs), unique=True, max_size=30)) if pairs else []


@given(drawings(circles=True))
def test_boxes_do_not_overlap_and_lie_inside(drawing: tuple[dict[str, BoxSize], list[tuple[str, str]]]) -> None:
    boxes, edges = drawing
    placed = layout.place_boxes(boxes, edges)
    assert placed.at.keys() == boxes.keys()
    for name, (x, y) in placed.at.items():
        assert x >= -0.01
        assert y >= -0.01
        assert x + boxes[name].width <= placed.size.width + 0.01
        assert y + boxes[name].height <= placed.size.height + 0.01
    for box_name, other in itertools.combinations(boxes, 2):
        (ax, ay), (bx, by) = placed.at[box_name], placed.at[other]
        apart_sideways = ax + boxes[box_name].width <= bx + 0.01 or bx + boxes[other].width <= ax + 0.01
        above = ay + boxes[box_name].height <= by + 0.01 or by + boxes[other].height <= ay + 0.01
        assert apart_sideways or above


@given(drawings())
def test_a_box_stands_above_its_needs_and_lines_join_them(
    drawing: tuple[dict[str, BoxSize], list[tuple[str, str]]],
) -> None:
    boxes, edges = drawing
    placed = layout.place_boxes(boxes, edges)
    for (start, end), way in zip(edges, placed.ways, strict=True):
        (ax, ay), (bx, by) = placed.at[start], placed.at[end]
        assert ay + boxes[start].height < by
        (fx, fy), (tx, ty) = way[0], way[-1]
        assert ax <= fx <= ax + boxes[start].width
        assert abs(fy - ay - boxes[start].height) < 0.01
        assert bx <= tx <= bx + boxes[end].width
        assert abs(ty - by) < 0.01


def test_the_work_is_bounded() -> None:
    """A chain whose first link needs all others: 600 rows, and lines that would pass 179,000 of them."""
    names = [f"n{i}" for i in range(600)]
    edges = [*itertools.pairwise(names), *((names[0], name) for name in names[2:])]
    placed = layout.place_boxes({name: BoxSize(80, 40) for name in names}, edges)
    passed = sum(len(way) - 2 for way in placed.ways) / 2
    assert 0 < passed <= layout.WAYS
    assert placed.size.height > 600 * 40


def test_lines_to_the_same_box_share_their_way() -> None:
    """Each row is passed at one place, although all links of the chain need the last one."""
    names = [f"n{i}" for i in range(200)]
    edges = [*itertools.pairwise(names), *((name, names[-1]) for name in names[:-2])]
    placed = layout.place_boxes({name: BoxSize(80, 40) for name in names}, edges)
    assert len({point for way in placed.ways for point in way[1:-1]}) == 2 * 198
