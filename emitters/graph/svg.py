"""Writes the graph as an SVG without external files, for bright and dark screens.

Invariant: every text from a template is escaped, and the picture loads and runs nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from xml.sax.saxutils import escape

from emitters.graph import layout
from emitters.graph.layout import BoxSize, PlacedBoxes, Point
from emitters.graph.model import DATA, FATES, FOLDED, HEAT, LEFT_OUT, MODULE, Graph, GraphCluster, GraphNode
from transpile.model.printable import make_printable

NAME, KIND = 7.9, 6.3  # the width of a character in the two sizes of text
LONGEST = 44  # characters of a label
HIGH, PAD, HEAD, LEGEND = 44.0, 18.0, 40.0, 30.0
SLANT = 12.0
STYLE = """
svg { background: #fff; --text: #111; --soft: #555; --line: #64748b }
text { font: 13px ui-monospace, Menlo, Consolas, monospace; fill: var(--text) }
.kind { font-size: 10.5px; fill: var(--soft) }
.title { font-size: 15px; font-weight: 600 }
.shape { stroke-width: 1.4 }
.native .shape { fill: #dbeafe; stroke: #1d4ed8 }
.module .shape { fill: #e0f2f1; stroke: #00695c }
.module .inner { fill: none }
.folded .shape { fill: #f3f4f6; stroke: #6b7280 }
.data .shape { fill: #ede9fe; stroke: #6d28d9 }
.heat .shape { fill: #ffedd5; stroke: #c2410c }
.left-out .shape { fill: none; stroke: #9ca3af; stroke-dasharray: 5 4 }
.unknown .shape { fill: none; stroke: #374151 }
.cluster > .shape { fill-opacity: .28 }
.edge { fill: none; stroke: var(--line); stroke-width: 1.2; marker-end: url(#arrow) }
.explicit { stroke-dasharray: 6 4 }
#arrow path { fill: var(--line) }
@media (prefers-color-scheme: dark) {
  svg { background: #14181f; --text: #e8ebf0; --soft: #aab2bf; --line: #93a1b5 }
  .native .shape { fill: #1b2f55; stroke: #7aa5ff }
  .module .shape { fill: #123b37; stroke: #4fc3b0 }
  .folded .shape { fill: #2a2f38; stroke: #9aa3b0 }
  .data .shape { fill: #32265a; stroke: #b39bff }
  .heat .shape { fill: #4d2a12; stroke: #ff9d5c }
  .unknown .shape { stroke: #cbd5e1 }
}
"""


class Drawing:
    """A graph with a place for everything: sizes are computed from the inside out, and shapes drawn from the outside
    in.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph, self.contents = graph, graph.cluster_contents()
        self.sizes: dict[str, BoxSize] = {}
        self.placed: dict[str, PlacedBoxes] = {}
        around = {node.id: node.cluster for node in graph.nodes}
        around |= {cluster.id: cluster.cluster for cluster in graph.clusters}
        self.edges: dict[str, list[int]] = {cluster: [] for cluster in self.contents}
        for number, edge in enumerate(graph.edges):
            self.edges[around[edge.start]].append(number)

    def measure_clusters(self) -> None:
        """Finds the size of each node and cluster. Clusters come after those around them, so the last are innermost."""
        for node in self.graph.nodes:
            self.sizes[node.id] = BoxSize(label_width(node) + (2 * SLANT if node.fate in (HEAT, DATA) else 0), HIGH)
        for cluster in [*reversed(self.graph.clusters), None]:
            name = cluster.id if cluster is not None else ""
            nodes, clusters = self.contents[name]
            edges = [self.graph.edges[number] for number in self.edges[name]]
            names = [*(node.id for node in nodes), *(inner.id for inner in clusters)]
            placed = layout.place_boxes({item: self.sizes[item] for item in names}, [(e.start, e.end) for e in edges])
            self.placed[name] = placed
            if cluster is not None:
                width = max(placed.size.width, label_width(cluster)) + 2 * PAD
                self.sizes[name] = BoxSize(width, placed.size.height + HEAD + 2 * PAD)

    def draw_cluster(self, cluster: str, x: float, y: float) -> Iterable[str]:
        """Draws the contents of a cluster: nested clusters, edges, nodes. x, y: the corner where its inside begins."""
        placed, (nodes, clusters) = self.placed[cluster], self.contents[cluster]
        for nested in clusters:
            left, top = x + placed.at[nested.id][0], y + placed.at[nested.id][1]
            size = self.sizes[nested.id]
            outline = draw_outline(nested.fate, left, top, size, around=True)
            yield f'<g class="cluster {nested.fate}">{draw_tooltip(nested)}{outline}'
            yield f"{draw_label(nested, left + PAD, top + 19, middle=False)}</g>"
            inner = (size.width - 2 * PAD - self.placed[nested.id].size.width) / 2
            yield from self.draw_cluster(nested.id, left + PAD + inner, top + HEAD + PAD)
        for number, way in zip(self.edges[cluster], placed.ways, strict=True):
            kind = "edge explicit" if self.graph.edges[number].explicit else "edge"
            yield f'<path class="{kind}" d="{draw_curve(way, x, y)}"/>'
        for node in nodes:
            left, top = x + placed.at[node.id][0], y + placed.at[node.id][1]
            size = self.sizes[node.id]
            yield f'<g class="node {node.fate}">{draw_tooltip(node)}{draw_outline(node.fate, left, top, size)}'
            yield f"{draw_label(node, left + size.width / 2, top + 19, middle=True)}</g>"


def write_svg(graph: Graph) -> str:
    """Writes the whole picture, with a line end."""
    drawing = Drawing(graph)
    drawing.measure_clusters()
    inner = drawing.placed[""].size
    legend = list(draw_legend(graph))
    width = max(inner.width, sum(w for w, _ in legend), NAME * len(graph.title)) + 2 * PAD
    height = inner.height + HEAD + LEGEND + 3 * PAD
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img" aria-labelledby="name">',
        f'<title id="name">{escape_text(graph.title)}: dependencies</title>',
        f"<style>{STYLE}</style>",
        '<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
        'orient="auto-start-reverse"><path d="M0 0L8 4L0 8z"/></marker></defs>',
        f'<text class="title" x="{PAD}" y="{PAD + 10}">{escape_text(graph.title)}</text>',
    ]
    if graph.caption:
        out.append(f'<text class="kind" x="{PAD}" y="{PAD + 27}">{escape_text(graph.caption)}</text>')
    out += drawing.draw_cluster("", PAD + (width - 2 * PAD - inner.width) / 2, HEAD + PAD)
    x, y = PAD, height - LEGEND - PAD / 2
    for wide_, draw in legend:
        out.append(draw.replace("@x", f"{x:.1f}").replace("@y", f"{y:.1f}"))
        x += wide_
    return "\n".join([*out, "</svg>"]) + "\n"


def draw_legend(graph: Graph) -> Iterable[tuple[float, str]]:
    """The parts of the legend: the width of each, and its drawing, with @x and @y for its place."""
    for fate in graph.fates:
        words = FATES[fate]
        sample = draw_outline(fate, 0, 0, BoxSize(26, 16))
        yield (
            40 + KIND * len(words) + 14,
            f'<g class="{fate}" transform="translate(@x @y)">{sample}'
            f'<text class="kind" x="34" y="12">{words}</text></g>',
        )
    kinds = (("edge", "needs (refers to it)"), ("edge explicit", "needs (depends_on)"))
    there = {edge.explicit for edge in graph.edges}
    for kind, words in kinds:
        if ("explicit" in kind) in there:
            line = f'<path class="{kind}" d="M0 8L28 8"/><text class="kind" x="34" y="12">{words}</text>'
            yield 40 + KIND * len(words) + 14, f'<g transform="translate(@x @y)">{line}</g>'


def draw_outline(fate: str, x: float, y: float, size: BoxSize, *, around: bool = False) -> str:
    """The outline of a node, whose style shows its fate. around: the outline of a cluster."""
    w, h = size
    cut = min(SLANT, h / 3)
    box = f'x="{x:.1f}" y="{y:.1f}" width="{w:.1f}" height="{h:.1f}"'
    if fate == MODULE:
        inner = f'x="{x + 3:.1f}" y="{y + 3:.1f}" width="{w - 6:.1f}" height="{h - 6:.1f}"'
        return f'<rect class="shape" {box} rx="3"/><rect class="shape inner" {inner} rx="2"/>'
    if fate == FOLDED and not around:
        return f'<rect class="shape" {box} rx="{h / 2:.1f}"/>'
    if fate in (HEAT, DATA):
        if fate == HEAT:
            points = [(x + cut, y), (x + w - cut, y), (x + w, y + (cut if around else h / 2)), *(
                [(x + w, y + h - cut)] if around else []), (x + w - cut, y + h), (x + cut, y + h), *(
                [(x, y + h - cut), (x, y + cut)] if around else [(x, y + h / 2)])]  # fmt: skip
        else:
            points = [(x + cut, y), (x + w, y), (x + w - cut, y + h), (x, y + h)]
        return f'<polygon class="shape" points="{" ".join(f"{a:.1f},{b:.1f}" for a, b in points)}"/>'
    return f'<rect class="shape" {box} rx="{0 if fate == LEFT_OUT else 3}"/>'


def draw_curve(way: list[Point], x: float, y: float) -> str:
    """A line through points that leaves each upright."""
    points = [(px + x, py + y) for px, py in way]
    (ax, ay), *rest = points
    parts = [f"M{ax:.1f} {ay:.1f}"]
    for bx, by in rest:
        half = (by - ay) / 2
        straight = abs(bx - ax) < 0.5
        parts.append(f"V{by:.1f}" if straight and bx == ax else
                     f"C{ax:.1f} {ay + half:.1f} {bx:.1f} {by - half:.1f} {bx:.1f} {by:.1f}")  # fmt: skip
        ax, ay = bx, by
    return "".join(parts)


def draw_label(item: GraphNode | GraphCluster, x: float, y: float, *, middle: bool) -> str:
    anchor = ' text-anchor="middle"' if middle else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}"{anchor}>{escape_text(shorten_label(item.name))}</text>'
        f'<text class="kind" x="{x:.1f}" y="{y + 15:.1f}"{anchor}>{escape_text(shorten_label(item.kind))}</text>'
    )


def draw_tooltip(item: GraphNode | GraphCluster) -> str:
    """The tooltip of a node or cluster: its name, type, fate and note."""
    words = [item.name, item.kind, FATES[item.fate], *([item.note] if item.note else [])]
    return f"<title>{escape_text(' — '.join(words))}</title>"


def label_width(item: GraphNode | GraphCluster) -> float:
    return max(NAME * len(shorten_label(item.name)), KIND * len(shorten_label(item.kind))) + 22


def shorten_label(words: str) -> str:
    return words if len(words) <= LONGEST else f"{words[: LONGEST - 1]}…"


def escape_text(words: str) -> str:
    return escape(make_printable(words))
