"""Makes the graph of a linked stack and the report on its conversion.

Invariant: no more than MOST resources are drawn. Nested stacks are opened from the outside in, so that what is missing
then lies deepest.
"""

from __future__ import annotations

import collections
from typing import TYPE_CHECKING, Any, NamedTuple

from emitters.graph.model import (
    DATA,
    FOLDED,
    HEAT,
    LEFT_OUT,
    MODULE,
    NATIVE,
    UNKNOWN,
    Cluster,
    Edge,
    Graph,
    Node,
)
from transpile.model import ir
from transpile.resolve import graph as dependencies

if TYPE_CHECKING:
    from collections.abc import Mapping

    from transpile.resolve.stack import Nested, Stack

MOST = 5_000
TREATMENTS = {"native": NATIVE, "module": MODULE, "folded": FOLDED, "data": DATA, "embedded": HEAT}
MEMBERS = ("resource_def", "resource")  # the properties that define the members of a group
ALL, ONLY_NATIVE, ONLY_HEAT = ONLY = "", "native", "heat"


class Level(NamedTuple):
    """A stack that is to be drawn. `report`: what became of its resources; None if that is not known, or if it is
    `fate` for all of them.
    """

    stack: Stack
    report: Mapping[str, Any] | None
    fate: str
    cluster: str
    depth: int


def build(stack: Stack, report: Mapping[str, Any] | None, depth: int = 0, only: str = ALL) -> Graph:
    """report: of the conversion to HCL; None if it failed. depth: how many levels of stacks to open; 0 means all.
    only: draw only what becomes Terraform (`native`), or what stays with Heat (`heat`).
    """
    found = Graph(stack.template.source.name, [], [], [])
    waiting = collections.deque([Level(stack, report, UNKNOWN, "", 1)])
    closed = 0
    while waiting:
        level = waiting.popleft()
        ids: dict[str, str] = {}
        for name, resource in level.stack.template.resources.items():
            fate, entry = fate_of(level, name)
            inside = [one for (owner, _), one in level.stack.nested.items() if owner == name]
            facts = resource.type if not inside else described(resource, inside)
            note = noted(level.stack, resource, entry)
            open_ = inside and (not depth or level.depth < depth)
            if open_ and sum(len(one.stack.template.resources) for one in inside) + drawn(found, waiting) <= MOST:
                ids[name] = f"c{len(found.clusters)}"
                found.clusters.append(Cluster(ids[name], name, facts, fate, level.cluster, note))
                waiting += opened(level, entry, inside, ids[name], found, fate)
            else:
                closed += len(inside)
                ids[name] = f"n{len(found.nodes)}"
                found.nodes.append(Node(ids[name], name, facts, fate, level.cluster, note))
        found.edges.extend(edges(level.stack, ids))
    return narrowed(found, only, closed)


def drawn(found: Graph, waiting: collections.deque[Level]) -> int:
    return len(found.nodes) + sum(len(one.stack.template.resources) for one in waiting)


def opened(
    level: Level, entry: Mapping[str, Any], inside: list[Nested], cluster: str, found: Graph, fate: str
) -> list[Level]:
    """The stacks in a cluster. Members of several templates (a chain) have a cluster each."""
    modules = (level.report or {}).get("modules", {})
    called = modules.get(entry.get("module"), {}).get("report")
    report = called if fate == MODULE else None
    below = HEAT if fate == HEAT else UNKNOWN
    if len(inside) == 1:
        return [Level(inside[0].stack, report, below, cluster, level.depth + 1)]
    levels = []
    for one in inside:
        own = f"c{len(found.clusters)}"
        found.clusters.append(Cluster(own, one.file.rpartition("/")[2], "template", fate, cluster))
        levels.append(Level(one.stack, report, below, own, level.depth + 1))
    return levels


def fate_of(level: Level, name: str) -> tuple[str, Mapping[str, Any]]:
    """What becomes of a resource, and its entry in the report."""
    report = level.report or {}
    entry = report.get("resources", {}).get(name)
    if entry is None:
        return level.fate, {}
    return LEFT_OUT if name in report.get("left_out", {}) else TREATMENTS[entry["treatment"]], entry


def described(resource: ir.Resource, inside: list[Nested]) -> str:
    """The type of a resource with stacks inside, and their template."""
    files = ", ".join(dict.fromkeys(one.file.rpartition("/")[2] for one in inside))
    return resource.type if resource.type.endswith(files) else f"{resource.type} of {files}"


def noted(stack: Stack, resource: ir.Resource, entry: Mapping[str, Any]) -> str:
    """What else there is to say about a resource: addresses, members, a condition that is false."""
    parts = list(entry.get("addresses", ()))[:4]
    for word in MEMBERS:
        given = resource.properties.get(word) if resource.properties is not None else None
        inner = given.get("type") if isinstance(given, ir.Map) else None
        if isinstance(inner, ir.Lit):
            parts.append(f"members: {inner.value}")
    if stack.enabled.get(resource.name) is False:
        parts.append("its condition is false")
    elif resource.condition is not None:
        parts.append("under a condition")
    if why := entry.get("kept", {}).get("why"):
        parts.append(why)
    return "; ".join(parts)


def edges(stack: Stack, ids: Mapping[str, str]) -> list[Edge]:
    """What needs what. A reference counts as implicit, even if `depends_on` repeats it."""
    found = []
    explicit = dependencies.explicit(stack.template)
    for name in stack.template.resources:
        needs = dict.fromkeys(need for need in stack.needs.get(name, ()) if need in ids)
        found += [Edge(ids[name], ids[need], explicit=False) for need in needs if need != name]
        found += [Edge(ids[name], ids[n], explicit=True) for n in dict.fromkeys(explicit[name]) if n not in needs]
    return [one for one in found if one.start != one.end]


def narrowed(graph: Graph, only: str, closed: int) -> Graph:
    """The graph with only the nodes that were asked for, and the clusters around them."""
    if only == ALL:
        return Graph(graph.title, graph.nodes, graph.clusters, graph.edges, closed=closed)
    nodes = [one for one in graph.nodes if (one.fate == HEAT) == (only == ONLY_HEAT) and one.fate != UNKNOWN]
    around = {one.id: one.cluster for one in graph.clusters}
    kept: set[str] = set()
    for one in nodes:
        cluster = one.cluster
        while cluster and cluster not in kept:
            kept.add(cluster)
            cluster = around[cluster]
    clusters = [one for one in graph.clusters if one.id in kept]
    left = kept | {one.id for one in nodes}
    found = [one for one in graph.edges if one.start in left and one.end in left]
    return Graph(graph.title, nodes, clusters, found, len(graph.nodes) - len(nodes), closed)
