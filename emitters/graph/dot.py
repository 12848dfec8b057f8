"""Writes the graph as DOT, for Graphviz.

Invariant: every text from a template is in a quoted string, and only our own code writes `\\n` there.
"""

from __future__ import annotations

from emitters.graph.model import (
    DATA,
    FATES,
    FOLDED,
    HEAT,
    LEFT_OUT,
    MODULE,
    NATIVE,
    UNKNOWN,
    ClusterContents,
    Graph,
    GraphCluster,
    GraphNode,
)
from transpile.model.printable import make_printable

STYLES = {
    NATIVE: 'shape=box style=filled fillcolor="#dbeafe" color="#1d4ed8"',
    MODULE: 'shape=box peripheries=2 style=filled fillcolor="#e0f2f1" color="#00695c"',
    FOLDED: 'shape=box style="filled,rounded" fillcolor="#f3f4f6" color="#6b7280"',
    DATA: 'shape=cylinder style=filled fillcolor="#ede9fe" color="#6d28d9"',
    HEAT: 'shape=hexagon style=filled fillcolor="#ffedd5" color="#c2410c"',
    LEFT_OUT: 'shape=note style=dashed color="#9ca3af"',
    UNKNOWN: 'shape=box color="#374151"',
}
BORDERS = {HEAT: 'style=dashed color="#c2410c"', MODULE: 'style=solid color="#00695c"'}


def write_dot(graph: Graph) -> str:
    """Writes the whole text, with a line end."""
    lines = [
        f"digraph {quote_lines(graph.title)} {{",
        "  compound=true; rankdir=TB",
        '  node [fontname="sans-serif" fontsize=11]; edge [fontname="sans-serif"]',
    ]
    if graph.caption:
        lines.append(f"  label={quote_lines(graph.caption)}")
    clusters = {cluster.id for cluster in graph.clusters}
    ends = {end for edge in graph.edges for end in (edge.start, edge.end)}
    write_cluster(graph.cluster_contents(), "", "  ", ends & clusters, lines)
    for edge in graph.edges:
        facts = [f"ltail=cluster_{edge.start}"] if edge.start in clusters else []
        facts += [f"lhead=cluster_{edge.end}"] if edge.end in clusters else []
        facts += ["style=dashed"] if edge.explicit else []
        start, end = (f"{name}_edge" if name in clusters else name for name in (edge.start, edge.end))
        lines.append(f"  {start} -> {end}{' [' + ' '.join(facts) + ']' if facts else ''}")
    if graph.fates:
        lines.append('  subgraph cluster_legend { label="Legend" style=dotted')
        lines += [
            f"    {quote_lines(f'legend {fate}')} [label={quote_lines(FATES[fate])} {STYLES[fate]}]"
            for fate in graph.fates
        ]
        lines.append("  }")
    return "\n".join([*lines, "}"]) + "\n"


def write_cluster(contents: ClusterContents, cluster: str, indent: str, edged: set[str], lines: list[str]) -> None:
    """Writes a cluster. edged: the clusters at which an edge begins or ends; Graphviz needs a node in them."""
    nodes, clusters = contents[cluster]
    for node in nodes:
        tip = f" tooltip={quote_lines(node.note)}" if node.note else ""
        lines.append(f"{indent}{node.id} [label={format_label(node)}{tip} {STYLES[node.fate]}]")
    for inner in clusters:
        border = BORDERS.get(inner.fate, "style=solid")
        lines.append(f"{indent}subgraph cluster_{inner.id} {{ label={format_label(inner)} {border}")
        if inner.id in edged:
            lines.append(f'{indent}  {inner.id}_edge [shape=point style=invis label=""]')
        write_cluster(contents, inner.id, f"{indent}  ", edged, lines)
        lines.append(f"{indent}}}")


def format_label(item: GraphNode | GraphCluster) -> str:
    return quote_lines(item.name, item.kind)


def quote_lines(*lines: str) -> str:
    escaped = (make_printable(line).replace("\\", "\\\\").replace('"', '\\"') for line in lines)
    return '"' + "\\n".join(escaped) + '"'
