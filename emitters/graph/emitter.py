"""Draws the dependencies in a stack, and the fate of each resource with `--to hcl`.

Invariant: the fate of a resource is read from the report of the conversion, and not worked out again. At most
MOST_RESOURCES resources are drawn. Nested stacks are opened level by level, so that the innermost ones are left out
first.
"""

from __future__ import annotations

import collections
from collections.abc import Mapping
from typing import Any, NamedTuple

from emitters.graph.model import (
    DATA,
    FOLDED,
    HEAT,
    LEFT_OUT,
    MODULE,
    NATIVE,
    UNKNOWN,
    Graph,
    GraphCluster,
    GraphEdge,
    GraphNode,
)
from emitters.hcl import emitter as hcl
from emitters.hcl import options as hcl_options
from transpile.diagnostics.model import has_errors
from transpile.model import ir
from transpile.resolve import graph as dependencies
from transpile.resolve.stack import NestedStack, Stack
from transpile.settings.target_options import extend_options
from transpile.targets import LOAD, Option, Output, Target

MOST_RESOURCES = 5_000
TREATMENTS = {"native": NATIVE, "module": MODULE, "folded": FOLDED, "data": DATA, "embedded": HEAT}
MEMBERS = ("resource_def", "resource")  # the properties that define the members of a group
ALL, ONLY_NATIVE, ONLY_HEAT = ONLY = "", "native", "heat"
FORMS = ("mermaid", "dot", "svg")
ENDINGS = {"mermaid": "mmd", "dot": "dot", "svg": "svg"}


class PendingStack(NamedTuple):
    """A stack that is to be drawn. `report`: the fates of its resources; None if they are not known, or if it is
    `fate` for all of them.
    """

    stack: Stack
    report: Mapping[str, Any] | None
    fate: str
    cluster: str
    depth: int


def build_graph(stack: Stack, report: Mapping[str, Any] | None, depth: int = 0, only: str = ALL) -> Graph:
    """The graph of a stack and its nested stacks.

    report: of the conversion to HCL; None if it failed. depth: how many levels of stacks to open; 0 means all.
    only: draw only the resources that become Terraform (`native`), or those that stay with Heat (`heat`).
    """
    graph = Graph(stack.template.source.name, [], [], [])
    waiting = collections.deque([PendingStack(stack, report, UNKNOWN, "", 1)])
    closed = 0
    while waiting:
        level = waiting.popleft()
        ids: dict[str, str] = {}
        for name, resource in level.stack.template.resources.items():
            fate, entry = fate_of(level, name)
            inside = [nested for (owner, _), nested in level.stack.nested.items() if owner == name]
            facts = resource.type if not inside else describe_type(resource, inside)
            note = make_note(level.stack, resource, entry)
            open_ = inside and (not depth or level.depth < depth)
            if (
                open_
                and sum(len(nested.stack.template.resources) for nested in inside) + count_resources(graph, waiting)
                <= MOST_RESOURCES
            ):
                ids[name] = f"c{len(graph.clusters)}"
                graph.clusters.append(GraphCluster(ids[name], name, facts, fate, level.cluster, note))
                waiting += open_stacks(level, entry, inside, ids[name], graph, fate)
            else:
                closed += len(inside)
                ids[name] = f"n{len(graph.nodes)}"
                graph.nodes.append(GraphNode(ids[name], name, facts, fate, level.cluster, note))
        graph.edges.extend(find_edges(level.stack, ids))
    return select_nodes(graph, only, closed)


def count_resources(graph: Graph, waiting: collections.deque[PendingStack]) -> int:
    return len(graph.nodes) + sum(len(level.stack.template.resources) for level in waiting)


def open_stacks(
    level: PendingStack, entry: Mapping[str, Any], inside: list[NestedStack], cluster: str, graph: Graph, fate: str
) -> list[PendingStack]:
    """The stacks in a cluster. Members of several templates (a chain) have a cluster each."""
    modules = (level.report or {}).get("modules", {})
    called = modules.get(entry.get("module"), {}).get("report")
    report = called if fate == MODULE else None
    below = HEAT if fate == HEAT else UNKNOWN
    if len(inside) == 1:
        return [PendingStack(inside[0].stack, report, below, cluster, level.depth + 1)]
    levels = []
    for nested in inside:
        own = f"c{len(graph.clusters)}"
        graph.clusters.append(GraphCluster(own, nested.file.rpartition("/")[2], "template", fate, cluster))
        levels.append(PendingStack(nested.stack, report, below, own, level.depth + 1))
    return levels


def fate_of(level: PendingStack, name: str) -> tuple[str, Mapping[str, Any]]:
    """The fate of a resource in the output (native, kept in Heat, left out …), and its entry in the report."""
    report = level.report or {}
    entry = report.get("resources", {}).get(name)
    if entry is None:
        return level.fate, {}
    return LEFT_OUT if name in report.get("left_out", {}) else TREATMENTS[entry["treatment"]], entry


def describe_type(resource: ir.Resource, inside: list[NestedStack]) -> str:
    """The type of a resource with stacks inside, and their template."""
    files = ", ".join(dict.fromkeys(nested.file.rpartition("/")[2] for nested in inside))
    return resource.type if resource.type.endswith(files) else f"{resource.type} of {files}"


def make_note(stack: Stack, resource: ir.Resource, entry: Mapping[str, Any]) -> str:
    """A note for a resource's tooltip: its addresses, the type of its members, its condition, why Heat keeps it."""
    parts = list(entry.get("addresses", ()))[:4]
    for word in MEMBERS:
        definition = resource.find_property(word)
        inner = definition.get("type") if isinstance(definition, ir.Map) else None
        if isinstance(inner, ir.Lit):
            parts.append(f"members: {inner.value}")
    if stack.enabled.get(resource.name) is False:
        parts.append("its condition is false")
    elif resource.is_conditional:
        parts.append("under a condition")
    if why := entry.get("kept", {}).get("why"):
        parts.append(why)
    return "; ".join(parts)


def find_edges(stack: Stack, ids: Mapping[str, str]) -> list[GraphEdge]:
    """The dependencies. One that is both a reference and in `depends_on` counts as a reference."""
    edges = []
    explicit = dependencies.explicit_edges(stack.template)
    for name in stack.template.resources:
        needs = dict.fromkeys(need for need in stack.needs.get(name, ()) if need in ids)
        edges += [GraphEdge(ids[name], ids[need], explicit=False) for need in needs if need != name]
        edges += [GraphEdge(ids[name], ids[n], explicit=True) for n in dict.fromkeys(explicit[name]) if n not in needs]
    return [edge for edge in edges if edge.start != edge.end]


def select_nodes(graph: Graph, only: str, closed: int) -> Graph:
    """The graph with only the nodes that were asked for, and the clusters around them."""
    if only == ALL:
        return Graph(graph.title, graph.nodes, graph.clusters, graph.edges, closed=closed)
    nodes = [node for node in graph.nodes if (node.fate == HEAT) == (only == ONLY_HEAT) and node.fate != UNKNOWN]
    around = {cluster.id: cluster.cluster for cluster in graph.clusters}
    kept: set[str] = set()
    for node in nodes:
        cluster = node.cluster
        while cluster and cluster not in kept:
            kept.add(cluster)
            cluster = around[cluster]
    clusters = [cluster for cluster in graph.clusters if cluster.id in kept]
    left = kept | {node.id for node in nodes}
    edges = [edge for edge in graph.edges if edge.start in left and edge.end in left]
    return Graph(graph.title, nodes, clusters, edges, len(graph.nodes) - len(nodes), closed)


def emit_graph(stack: Stack, options: Mapping[str, Any]) -> Output:
    """The graph of a stack. If the conversion fails, all resources are drawn as not converted."""
    form = str(options["form"])
    values = {**hcl.TARGET.read_options({}), **options, hcl_options.WITH_README.name: False}
    converted = hcl.emit_directory(stack, extend_options(options, values))
    report = converted.report if not has_errors(converted.diagnostics) else None
    graph = build_graph(stack, report, int(options["depth"]), str(options["only"]))
    return Output({f"graph.{ENDINGS[form]}": print_graph(form, graph)}, converted.report, [])


def print_graph(form: str, graph: Graph) -> str:
    if form == "mermaid":
        from emitters.graph import mermaid

        return mermaid.write_mermaid(graph)
    if form == "dot":
        from emitters.graph import dot

        return dot.write_dot(graph)
    from emitters.graph import svg

    return svg.write_svg(graph)


TARGET = Target(
    "graph",
    emit_graph,
    nested=LOAD,
    options=(
        Option("form", "The language of the graph.", values=FORMS, default=FORMS[0]),
        Option("depth", "How many levels of nested stacks to open; 0 means all.", int, default=0),
        Option(
            "only",
            "Draw only the resources that become Terraform, or those that stay with Heat.",
            values=ONLY,
            default=ALL,
        ),
        hcl_options.PREFER,
        hcl_options.KEEP,
    ),
    tables=hcl.tables_of,
)
