"""The dependency graph of a template's resources: explicit and implicit edges, reachability, cycles.

Invariant: no function here recurses: a template may chain thousands of resources. Kinds of dependency are kept apart,
because targets write explicit ones only if nothing else implies them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import TypeVar

from transpile.model.ir import AttrRef, ResourceRef, Template

Edges = Mapping[str, Iterable[str]]
N = TypeVar("N", bound=Hashable)


def implicit_edges(template: Template) -> dict[str, list[str]]:
    """For each resource the names of the resources that it refers to, in text order, each once."""
    resources = template.resources
    edges = {
        name: [ref.name for ref in resource.refs if isinstance(ref, (ResourceRef, AttrRef)) and ref.name in resources]
        for name, resource in resources.items()
    }
    return {name: list(dict.fromkeys(names)) if len(names) > 1 else names for name, names in edges.items()}


def explicit_edges(template: Template) -> dict[str, list[str]]:
    """For each resource the names of the resources in its `depends_on`."""
    return {
        name: [d.name for d in resource.depends_on if d.name in template.resources]
        for name, resource in template.resources.items()
    }


def merge_edges(*graphs: Edges) -> dict[str, list[str]]:
    """The edges of all graphs, each once."""
    merged: dict[str, dict[str, None]] = {}
    for graph in graphs:
        for name, targets in graph.items():
            if name in merged:
                merged[name] |= dict.fromkeys(targets)
            else:
                merged[name] = dict.fromkeys(targets)
    return {name: list(targets) for name, targets in merged.items()}


def reverse_edges(*graphs: Edges) -> dict[str, list[str]]:
    """For each node of all graphs those from which an edge leads to it."""
    reverse: dict[str, list[str]] = {}
    for graph in graphs:
        for name, targets in graph.items():
            for target in targets:
                reverse.setdefault(target, []).append(name)
    return reverse


def reachable_nodes(graph: Edges, start: Iterable[str], through: Callable[[str], bool] = lambda name: True) -> set[str]:
    """All nodes reachable from `start` by at least one edge, continuing only from nodes that `through` accepts."""
    reached: set[str] = set()
    stack = [to for name in start for to in graph.get(name, ())]
    while stack:
        name = stack.pop()
        if name not in reached:
            reached.add(name)
            if through(name):
                stack.extend(graph.get(name, ()))
    return reached


def strong_components(graph: Mapping[N, Iterable[N]]) -> list[list[N]]:
    """The strongly connected components, each after the components that it needs (Tarjan, not recursive)."""
    index: dict[N, int] = {}
    low: dict[N, int] = {}
    waiting: list[N] = []
    on_stack: set[N] = set()
    components: list[list[N]] = []
    for root in graph:
        if root in index:
            continue
        work = [(root, iter(graph.get(root, ())))]
        index[root] = low[root] = len(index)
        waiting.append(root)
        on_stack.add(root)
        while work:
            name, rest = work[-1]
            for to in rest:
                if to not in index:
                    index[to] = low[to] = len(index)
                    waiting.append(to)
                    on_stack.add(to)
                    work.append((to, iter(graph.get(to, ()))))
                    break
                if to in on_stack:
                    low[name] = min(low[name], index[to])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[name])
                if low[name] == index[name]:
                    component = []
                    while True:
                        member = waiting.pop()
                        on_stack.discard(member)
                        component.append(member)
                        if member == name:
                            break
                    components.append(component[::-1])
    return components


def find_cycles(graph: Edges) -> list[list[str]]:
    """The cycles: components with more than one member, and nodes with an edge to themselves."""
    if not any(graph.get(to) for targets in graph.values() for to in targets):  # no path has two edges
        return []
    return [c for c in strong_components(graph) if len(c) > 1 or c[0] in graph.get(c[0], ())]
