"""The graph that is drawn: resources, the stacks and groups that contain them, and their dependencies.

Invariant: both ends of an edge lie in the same cluster. Resources of one template refer only to one another.
"""

from __future__ import annotations

from transpile.model.records import record

# The fates of resources.
NATIVE, MODULE, FOLDED, DATA, HEAT, LEFT_OUT, UNKNOWN = (
    "native",
    "module",
    "folded",
    "data",
    "heat",
    "left-out",
    "unknown",
)
FATES = {
    NATIVE: "Terraform resource",
    MODULE: "Terraform module",
    FOLDED: "part of another resource, or a local",
    DATA: "exists already, only read",
    HEAT: "stays with Heat",
    LEFT_OUT: "left out",
    UNKNOWN: "not converted",
}


@record
class GraphNode:
    """A resource. `id`: unique in the graph, a plain word. `kind`: its type. `cluster`: the ID of the cluster that
    contains it, empty for the root. `note`: further facts for the tooltip.
    """

    id: str
    name: str
    kind: str
    fate: str
    cluster: str
    note: str = ""


@record
class GraphCluster:
    """A nested stack, or a group of them: a resource with others inside."""

    id: str
    name: str
    kind: str
    fate: str
    cluster: str
    note: str = ""


@record
class GraphEdge:
    """`start` needs `end`: IDs of nodes or clusters. `explicit`: only `depends_on` says so."""

    start: str
    end: str
    explicit: bool


@record
class Graph:
    """`title`: the name of the template. `hidden`: how many resources were not asked for. `closed`: how many nested
    stacks are drawn without their contents.
    """

    title: str
    nodes: list[GraphNode]
    clusters: list[GraphCluster]
    edges: list[GraphEdge]
    hidden: int = 0
    closed: int = 0

    @property
    def fates(self) -> list[str]:
        """The fates that occur in the graph, in the order of the legend."""
        there = {node.fate for node in self.nodes} | {cluster.fate for cluster in self.clusters}
        return [fate for fate in FATES if fate in there]

    @property
    def caption(self) -> str:
        """A sentence about resources that the picture leaves out; empty if it has all."""
        parts = []
        if self.hidden:
            parts.append(f"{self.hidden} other resource{'s are' if self.hidden != 1 else ' is'} not shown")
        if self.closed:
            parts.append(f"{self.closed} nested stack{'s are' if self.closed != 1 else ' is'} not opened")
        return f"{'; '.join(parts)}." if parts else ""

    def cluster_contents(self) -> ClusterContents:
        """The nodes and clusters directly in each cluster, by its ID; the root is the empty one."""
        contents: ClusterContents = {cluster.id: ([], []) for cluster in self.clusters}
        contents[""] = ([], [])
        for node in self.nodes:
            contents[node.cluster][0].append(node)
        for cluster in self.clusters:
            contents[cluster.cluster][1].append(cluster)
        return contents


ClusterContents = dict[str, tuple[list[GraphNode], list[GraphCluster]]]
