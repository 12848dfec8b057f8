"""Paths in graphs: the precomputed reachability agrees with a search.

Invariant: the graphs are arbitrary, and include cycles and self-loops.
"""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from transpile.resolve import graph
from transpile.resolve.reachability import Reachability

NAMES = st.sampled_from("abcdefg")
EDGES = st.dictionaries(NAMES, st.sets(NAMES, max_size=3), max_size=7)


STEPS = st.lists(st.tuples(NAMES, st.lists(NAMES, max_size=4)), max_size=8)


@given(EDGES, STEPS, st.randoms(use_true_random=False))
def test_what_leads_where_while_edges_are_added(
    edges: dict[str, set[str]], steps: list[tuple[str, list[str]]], random: Random
) -> None:
    """From each name to each, itself too, in each step; a step adds some of the edges that it may add."""
    known = Reachability({name: set(edges.get(name, ())) for name in "abcdefg"}, steps)
    for number, (here, offered) in enumerate(steps):
        known.begin_step(number, here, offered)
        for to in offered:
            ways = graph.reachable_nodes(known.edges, [here])
            assert {one for one in offered if known.leads_to(here, one)} == ways & set(offered)
            back = {name for name in "abcdefg" if here in graph.reachable_nodes(known.edges, [name])}
            assert {name for name in "abcdefg" if name != here and known.leads_to(name, here)} == back - {here}
            if to not in ways and random.random() < 0.8:
                known.add_edge(to)
    known.finish_steps()
    for one in "abcdefg":
        assert {to for to in "abcdefg" if known.leads_to(one, to)} == graph.reachable_nodes(known.edges, [one])


@given(EDGES, st.sets(NAMES))
def test_what_others_imply(edges: dict[str, set[str]], names: set[str]) -> None:
    """Whom another leads to, unless both lead to each other."""
    found = {name: graph.reachable_nodes(edges, [name]) for name in "abcdefg"}
    expected = {one for one in names for other in names if one in found[other] and other not in found[one]}
    known = Reachability({name: set(edges.get(name, ())) for name in "abcdefg"})
    known.finish_steps()
    assert known.implied_names(names) == expected


@given(EDGES)
def test_circles_are_what_leads_back(edges: dict[str, set[str]]) -> None:
    round_about = {name for name in edges if name in graph.reachable_nodes(edges, [name])}
    assert {name for circle in graph.find_cycles(edges) for name in circle} == round_about
