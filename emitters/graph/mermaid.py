"""Writes the graph as Mermaid, which Markdown on GitHub and GitLab shows.

Invariant: in texts from a template, every character that has a meaning in Mermaid or HTML is an entity.
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
    GraphNode,
)
from transpile.model.lazy_patterns import compile_lazily
from transpile.model.printable import make_printable

SHAPES = {  # the brackets around a label
    NATIVE: ("[", "]"),
    MODULE: ("[[", "]]"),
    FOLDED: ("([", "])"),
    DATA: ("[(", ")]"),
    HEAT: ("{{", "}}"),
    LEFT_OUT: (">", "]"),
    UNKNOWN: ("(", ")"),
}
STYLES = {
    NATIVE: "fill:#dbeafe,stroke:#1d4ed8,color:#111",
    MODULE: "fill:#e0f2f1,stroke:#00695c,color:#111",
    FOLDED: "fill:#f3f4f6,stroke:#6b7280,color:#111",
    DATA: "fill:#ede9fe,stroke:#6d28d9,color:#111",
    HEAT: "fill:#ffedd5,stroke:#c2410c,color:#111",
    LEFT_OUT: "fill:#ffffff,stroke:#9ca3af,color:#555,stroke-dasharray:4 3",
    UNKNOWN: "fill:#ffffff,stroke:#374151,color:#111",
}
SPECIAL_CHARACTER = compile_lazily(r"[^\w .,:/()-]|(?<=\d)\.(?= )")  # all else is an entity; `1. ` would begin a list


def write_mermaid(graph: Graph) -> str:
    """Writes the whole text, with a line end."""
    lines = [f"%% {escape_label(graph.title)}: dependencies. A dotted arrow is a depends_on.", "flowchart TB"]
    write_subgraph(graph.cluster_contents(), "", "  ", lines)
    for edge in graph.edges:
        lines.append(f"  {edge.start} {'-.->' if edge.explicit else '-->'} {edge.end}")
    if graph.fates:
        lines.append('  subgraph legend["Legend"]')
        for fate in graph.fates:
            left, right = SHAPES[fate]
            lines.append(f'    legend_{class_of(fate)}{left}"{FATES[fate]}"{right}:::{class_of(fate)}')
        lines.append("  end")
    if graph.caption:
        lines.append(f'  caption["{escape_label(graph.caption)}"]')
    lines += [f"  classDef {class_of(fate)} {STYLES[fate]}" for fate in graph.fates]
    return "\n".join(lines) + "\n"


def write_subgraph(contents: ClusterContents, cluster: str, indent: str, lines: list[str]) -> None:
    nodes, clusters = contents[cluster]
    for node in nodes:
        left, right = SHAPES[node.fate]
        lines.append(f'{indent}{node.id}{left}"{format_node_label(node)}"{right}:::{class_of(node.fate)}')
    for inner in clusters:
        lines.append(f'{indent}subgraph {inner.id}["{escape_label(f"{inner.name}: {inner.kind}")}"]')
        write_subgraph(contents, inner.id, f"{indent}  ", lines)
        lines += [f"{indent}end", f"{indent}style {inner.id} {STYLES[inner.fate]}"]


def format_node_label(node: GraphNode) -> str:
    return f"{escape_label(node.name)}<br/><small>{escape_label(node.kind)}</small>"


def escape_label(text: str) -> str:
    return SPECIAL_CHARACTER.sub(lambda match: f"#{ord(match[0])};", make_printable(text))


def class_of(fate: str) -> str:
    return fate.replace("-", "_")
