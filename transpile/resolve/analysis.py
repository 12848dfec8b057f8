"""Solves the equations of an analysis for the nodes of a graph.

Invariant: nothing recurses, and a node is solved once, unless it depends on itself through others.
"""

from __future__ import annotations

import collections
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Generic, TypeVar, final

from transpile.resolve import graph

N = TypeVar("N", bound=Hashable)
L = TypeVar("L")


@final
class Analysis(Generic[N, L]):
    """The least solution of an analysis's equations, computed for the nodes that are asked for. `sources`: the nodes
    that the equation of a node may read. `transfer`: the equation, which gets a function that looks nodes up. `start`:
    the value of a node that depends only on itself.

    Each node is solved after those that it reads, and those in a circle together, until nothing changes. So equations
    must be monotone, and nothing recurses.
    """

    def __init__(
        self, sources: Callable[[N], Iterable[N]], transfer: Callable[[N, Callable[[N], L]], L], start: L
    ) -> None:
        self.sources, self.transfer, self.start = sources, transfer, start
        self.solved: dict[N, L] = {}

    def value_of(self, node: N) -> L:
        if node not in self.solved:
            edges = self.unsolved_edges(node)
            if len(edges) == 1 and not edges[node]:  # most nodes read none, or only those that are solved
                self.solved[node] = self.transfer(node, self.solved.__getitem__)
                return self.solved[node]
            for component in graph.strong_components(edges):
                self.solve_component(component, edges)
        return self.solved[node]

    def unsolved_edges(self, node: N) -> dict[N, list[N]]:
        """The edges from a node, and from all that it depends on, to nodes that are not solved yet."""
        edges: dict[N, list[N]] = {}
        todo = [node]
        while todo:
            current = todo.pop()
            if current not in edges:
                edges[current] = [source for source in self.sources(current) if source not in self.solved]
                todo += edges[current]
        return edges

    def solve_component(self, component: Sequence[N], edges: Mapping[N, Sequence[N]]) -> None:
        """Solves nodes that depend on each other: a node again whenever one that it reads has changed."""
        first = component[0]
        if len(component) == 1 and first not in edges[first]:
            self.solved[first] = self.transfer(first, self.solved.__getitem__)
            return
        readers: dict[N, list[N]] = {node: [] for node in component}
        for node in component:
            self.solved[node] = self.start
            for source in edges[node]:
                if source in readers:
                    readers[source].append(node)
        todo = collections.deque(reversed(component))
        waiting = set(component)
        while todo:
            node = todo.popleft()
            waiting.remove(node)
            value = self.transfer(node, self.solved.__getitem__)
            if value != self.solved[node]:
                self.solved[node] = value
                again = [reader for reader in dict.fromkeys(readers[node]) if reader not in waiting]
                waiting.update(again)
                todo.extend(again)
