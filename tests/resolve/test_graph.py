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
def test_reachability_while_edges_are_added(
    edges: dict[str, set[str]], steps: list[tuple[str, list[str]]], random: Random
) -> None:
    """The test asks from each name to each name, itself too, in each step; a step adds some of the edges that it may
    add.
    """
    reachability = Reachability({name: set(edges.get(name, ())) for name in "abcdefg"}, steps)
    for number, (here, offered) in enumerate(steps):
        reachability.begin_step(number, here, offered)
        for to in offered:
            ways = graph.reachable_nodes(reachability.edges, [here])
            assert {node for node in offered if reachability.leads_to(here, node)} == ways & set(offered)
            back = {name for name in "abcdefg" if here in graph.reachable_nodes(reachability.edges, [name])}
            assert {name for name in "abcdefg" if name != here and reachability.leads_to(name, here)} == back - {here}
            if to not in ways and random.random() < 0.8:
                reachability.add_edge(to)
    reachability.finish_steps()
    for node in "abcdefg":
        assert {to for to in "abcdefg" if reachability.leads_to(node, to)} == graph.reachable_nodes(
            reachability.edges, [node]
        )


@given(EDGES, st.sets(NAMES))
def test_implied_names(edges: dict[str, set[str]], names: set[str]) -> None:
    """A name is implied if another name leads to it, unless both lead to each other."""
    reachable = {name: graph.reachable_nodes(edges, [name]) for name in "abcdefg"}
    expected = {node for node in names for other in names if node in reachable[other] and other not in reachable[node]}
    reachability = Reachability({name: set(edges.get(name, ())) for name in "abcdefg"})
    reachability.finish_steps()
    assert reachability.implied_names(names) == expected


@given(EDGES)
def test_circles_are_paths_that_lead_back(edges: dict[str, set[str]]) -> None:
    round_about = {name for name in edges if name in graph.reachable_nodes(edges, [name])}
    assert {name for circle in graph.find_cycles(edges) for name in circle} == round_about
