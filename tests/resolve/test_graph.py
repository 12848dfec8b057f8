"""Ways in graphs: those that are looked for from both ends are those that are found from one.

The easy rule to break: a graph here has whatever edges there can be, circles and edges to oneself among them.
"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from transpile.resolve import graph

NAMES = st.sampled_from("abcdefg")
EDGES = st.dictionaries(NAMES, st.sets(NAMES, max_size=3), max_size=7)


@given(EDGES, st.lists(st.tuples(NAMES, NAMES), max_size=4))
def test_there_is_a_way_where_one_can_go(edges: dict[str, set[str]], added: list[tuple[str, str]]) -> None:
    """From each name to each, itself too, also when edges are added later."""
    known = graph.Reach({name: set(edges.get(name, ())) for name in "abcdefg"})
    for one, to in added:
        known.add(one, to)
    for one in "abcdefg":
        assert {to for to in "abcdefg" if known.leads(one, to)} == graph.reachable(known.edges, [one])


@given(EDGES)
def test_circles_are_what_leads_back(edges: dict[str, set[str]]) -> None:
    round_about = {name for name in edges if name in graph.reachable(edges, [name])}
    assert {name for circle in graph.circles(edges) for name in circle} == round_about
