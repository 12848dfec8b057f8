"""Answers which nodes of a graph lead to which, while edges are added in steps.

The caller declares all steps beforehand: the node from which each step may add edges, and the nodes to which. A node is
settled once no later step can change the nodes that it leads to; that is computed once, and kept as an integer with one
bit for each node. A step searches only nodes that are not settled and that could lead to a node it asks about.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterable, Sequence
from typing import final

from transpile.resolve import graph

NEVER = -1  # in place of the last step that changes the nodes that a node leads to: no step does


@final
class Reachability:
    """`edges`: the edges so far, to which the steps add. `steps`: for each step, the node from which and the nodes to
    which it may add edges.
    """

    def __init__(self, edges: dict[str, set[str]], steps: Sequence[tuple[str, Iterable[str]]] = ()) -> None:
        self.edges = edges
        self.step, self.here, self.mask, self.now = 0, "", 0, 0
        self.end = len(steps)  # the step in which nothing is added any more
        self.bit: dict[str, int] = {}
        self.most: dict[str, int] = {}  # the nodes that each leads to if every edge is added
        self.last: dict[str, int] = {}  # the last step that may change the nodes that each leads to
        self.settled: dict[str, int] = {}  # the final set of nodes that each leads to
        offered: dict[str, list[str]] = {}
        adds: dict[str, int] = {}
        for number, (here, targets) in enumerate(steps):
            offered.setdefault(here, []).extend(targets)
            adds[here] = number
        self.measure_bounds(graph.merge_edges(edges, offered) if offered else edges, adds)

    def measure_bounds(self, whole: graph.Edges, adds: dict[str, int]) -> None:
        """One pass over all edges that there can be, from those that need nothing upwards."""
        bit, most, last = self.bit, self.most, self.last
        for circle in graph.strong_components(whole):
            beyond, changes = 0, NEVER
            for name in circle:
                bit[name] = 1 << len(bit)
            for name in circle:
                changes = max(changes, adds.get(name, NEVER))
                for to in whole.get(name, ()):
                    beyond |= bit[to] | most.get(to, 0)
                    changes = max(changes, last.get(to, NEVER))
            if changes != NEVER and (len(circle) > 1 or circle[0] in whole.get(circle[0], ())):
                # The caller may refuse an edge that closes a cycle, so nothing here is settled before the end.
                changes = self.end
            for name in circle:
                most[name], last[name] = beyond, changes
                if changes == NEVER:
                    self.settled[name] = beyond

    def begin_step(self, step: int, here: str, asked: Iterable[str]) -> None:
        """A step, and which nodes it will ask about: whether `here` leads there."""
        self.step, self.here, self.mask = step, here, 0
        for name in asked:
            self.mask |= self.bit.get(name, 0)
        self.now = self.reached_bits(here, self.mask)

    def add_edge(self, to: str) -> None:
        """An edge from where the step begins."""
        self.edges[self.here].add(to)
        self.now |= self.bit[to] | self.reached_bits(to, self.mask)

    def finish_steps(self) -> None:
        """After the last step."""
        self.step, self.here = self.end, ""

    def leads_to(self, start: str, to: str) -> bool:
        """Whether there is a path of one edge or more."""
        bit = self.bit.get(to, 0)
        if not self.most.get(start, 0) & bit:
            return False
        return bool((self.now if start == self.here else self.reached_bits(start, bit)) & bit)

    def implied_names(self, names: Iterable[str]) -> set[str]:
        """The names that another of these names leads to, unless they lead back to it."""
        bit = {name: self.bit.get(name, 0) for name in names}
        mask = functools.reduce(operator.or_, bit.values(), 0)
        beyond = {name: self.reached_bits(name, mask) for name in bit}
        anywhere = functools.reduce(operator.or_, beyond.values(), 0)
        return {
            name
            for name, name_bit in bit.items()
            if anywhere & name_bit
            and (
                not beyond[name] & name_bit  # it is in no circle
                or any(beyond[other] & name_bit and not beyond[name] & bit[other] for other in bit)
            )
        }

    def reached_bits(self, start: str, mask: int) -> int:
        """The nodes that a node leads to now, as bits. If it is not settled, only the bits in the mask are complete."""
        reached, seen, todo = 0, {start}, [start]
        while todo:
            name = todo.pop()
            if self.last.get(name, NEVER) < self.step:
                reached |= self.settled_bits(name)
                continue
            for to in self.edges.get(name, ()):
                reached |= self.bit[to]
                if to not in seen and self.most[to] & mask & ~reached:
                    seen.add(to)
                    todo.append(to)
        return reached

    def settled_bits(self, start: str) -> int:
        """The nodes that a settled node leads to, as bits."""
        settled, todo = self.settled, [start]
        while todo:
            name = todo[-1]
            if name not in settled:
                after = self.edges.get(name, ())
                if missing := [to for to in after if to not in settled]:
                    todo += missing
                    continue
                beyond = 0
                for to in after:
                    beyond |= self.bit[to] | settled[to]
                settled[name] = beyond
            todo.pop()
        return settled.get(start, 0)
