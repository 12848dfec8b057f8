"""The graph as DOT, for Graphviz.

Invariant: every text is a quoted string, in which only `\\n` is a line end of ours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emitters.graph.model import DATA, FATES, FOLDED, HEAT, LEFT_OUT, MODULE, NATIVE, UNKNOWN
from transpile.model.printable import printable

if TYPE_CHECKING:
    from emitters.graph.model import Cluster, Contents, Graph, Node

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


def text(graph: Graph) -> str:
    """The whole text, with a line end."""
    lines = [
        f"digraph {quoted(graph.title)} {{",
        "  compound=true; rankdir=TB",
        '  node [fontname="sans-serif" fontsize=11]; edge [fontname="sans-serif"]',
    ]
    if graph.caption:
        lines.append(f"  label={quoted(graph.caption)}")
    clusters = {one.id for one in graph.clusters}
    ends = {end for edge in graph.edges for end in (edge.start, edge.end)}
    write(graph.contents(), "", "  ", ends & clusters, lines)
    for edge in graph.edges:
        facts = [f"ltail=cluster_{edge.start}"] if edge.start in clusters else []
        facts += [f"lhead=cluster_{edge.end}"] if edge.end in clusters else []
        facts += ["style=dashed"] if edge.explicit else []
        start, end = (f"{one}_edge" if one in clusters else one for one in (edge.start, edge.end))
        lines.append(f"  {start} -> {end}{' [' + ' '.join(facts) + ']' if facts else ''}")
    if graph.fates:
        lines.append('  subgraph cluster_legend { label="Legend" style=dotted')
        lines += [
            f"    {quoted(f'legend {fate}')} [label={quoted(FATES[fate])} {STYLES[fate]}]" for fate in graph.fates
        ]
        lines.append("  }")
    return "\n".join([*lines, "}"]) + "\n"


def write(contents: Contents, cluster: str, indent: str, edged: set[str], lines: list[str]) -> None:
    """edged: the clusters that an edge begins or ends at; Graphviz needs a node in them for that."""
    nodes, clusters = contents[cluster]
    for node in nodes:
        tip = f" tooltip={quoted(node.note)}" if node.note else ""
        lines.append(f"{indent}{node.id} [label={titled(node)}{tip} {STYLES[node.fate]}]")
    for one in clusters:
        border = BORDERS.get(one.fate, "style=solid")
        lines.append(f"{indent}subgraph cluster_{one.id} {{ label={titled(one)} {border}")
        if one.id in edged:
            lines.append(f'{indent}  {one.id}_edge [shape=point style=invis label=""]')
        write(contents, one.id, f"{indent}  ", edged, lines)
        lines.append(f"{indent}}}")


def titled(one: Node | Cluster) -> str:
    return quoted(one.name, one.kind)


def quoted(*lines: str) -> str:
    escaped = (printable(line).replace("\\", "\\\\").replace('"', '\\"') for line in lines)
    return '"' + "\\n".join(escaped) + '"'
