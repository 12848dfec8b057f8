"""Delays data sources until the objects that they look for exist.

Where a name cannot become a reference to the resource that has it, a data source looks for it. The template may order a
user of this name after that resource, by `depends_on`, also of the nested stack that contains either. Then the data
source gets `depends_on`, too, and Terraform reads it at apply. For example, a port that depends on a nested stack and
whose network is `demo-net`, which that stack creates.

Invariant: nothing else is delayed. A data source with `depends_on` is read again at apply whenever a plan changes one
of its dependencies. Terraform may then plan to replace the resources that use it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias, final

from emitters.hcl.assemble.depends_on import add_depends_on
from emitters.hcl.assemble.module_graph import ModuleDirectory
from emitters.hcl.assemble.module_waits import WAIT_FOR
from emitters.hcl.tree.nodes import Block

CallPath: TypeAlias = "tuple[str, ...]"  # the addresses of the calls that lead to a directory
Node: TypeAlias = "tuple[CallPath, str]"


class EarlyRead(NamedTuple):
    """A data source, and an object that it looks for by type and name, each with the calls that lead to it. Terraform
    would read the data source before it creates the object.
    """

    path: CallPath
    address: str
    maker_path: CallPath
    maker: str


def delay_data_sources(root: ModuleDirectory, reads: Sequence[EarlyRead]) -> None:
    """Writes the missing `depends_on` of data sources. Called when the order of everything else is written."""
    if not reads:
        return
    whole = WholeGraph(root)
    for read in reads:
        if (target := whole.find_target(read)) is not None:
            whole.delay_source(read, target)


@final
class WholeGraph:
    """Terraform's graph of a configuration: the nodes of all directories, once for each chain of calls."""

    def __init__(self, root: ModuleDirectory) -> None:
        self.directories: dict[CallPath, ModuleDirectory] = {}
        self.edges: dict[Node, set[Node]] = {}
        self.users: dict[Node, set[Node]] = {}
        self.add_directory(root, ())

    def add_directory(self, directory: ModuleDirectory, path: CallPath) -> None:
        self.directories[path] = directory
        for call, inner in directory.inner.items():
            self.add_directory(inner, (*path, call))
        edges = directory.build_graph()
        for address, targets in edges.items():
            node = path, address
            self.add_edges(node, ((path, target) for target in targets))
            if path and not address.startswith(("var.", "local.")):
                self.add_edges(node, [(path[:-1], f"{path[-1]}:")])
            for target in (address, *targets):
                if target.startswith("var.") and path:
                    self.add_edges((path, target), [(path[:-1], f"{path[-1]}:{target.removeprefix('var.')}")])
        for call, inner in directory.inner.items():
            child = (*path, call)
            self.add_edges((path, call), ((child, leaf) for leaf in inner.leaves))
            self.add_edges((path, call), ((child, f"output.{label}") for label in inner.outputs))
            for label in inner.outputs:
                self.add_edges((path, f"{call}.{label}"), [(child, f"output.{label}")])

    def add_edges(self, node: Node, targets: Iterable[Node]) -> None:
        for target in targets:
            self.edges.setdefault(node, set()).add(target)
            self.users.setdefault(target, set()).add(node)

    def find_target(self, read: EarlyRead) -> str | None:
        """The address that a data source must depend on, if a user of it waits for the object that it looks for."""
        source, maker = (read.path, read.address), (read.maker_path, read.maker)
        if maker in self.edges.get(source, ()):  # a direct reference is enough: Terraform then reads it at apply
            return None
        users, after = reachable(self.users, source), reachable(self.users, maker)
        late_users = {node for node in users & after if self.is_managed(node) or node == source}
        if not late_users:
            return None
        depth = len(read.path)
        if read.maker_path[:depth] == read.path:
            candidates = [read.maker_path[depth] if len(read.maker_path) > depth else read.maker]
        else:
            before = set[Node]().union(*(reachable(self.edges, user) for user in late_users))
            variables = sorted(
                address for path, address in before & after if path == read.path and address.startswith("var.")
            )
            candidates = sorted(variables, key=lambda address: not address.startswith(f"var.{WAIT_FOR}"))
        return next((address for address in candidates if not self.closes_cycle(read, address)), None)

    def is_managed(self, node: Node) -> bool:
        """Whether a node is a resource, or the call of a module that has any."""
        return node[1] in self.directories[node[0]].leaves

    def same_places(self, read: EarlyRead) -> Iterator[CallPath]:
        """All chains of calls that lead to the directory of a data source."""
        directory = self.directories[read.path]
        return (path for path, other in self.directories.items() if other is directory)

    def closes_cycle(self, read: EarlyRead, address: str) -> bool:
        """Whether the data source would depend on itself, in any call of its module."""
        return any((path, read.address) in reachable(self.edges, (path, address)) for path in self.same_places(read))

    def delay_source(self, read: EarlyRead, target: str) -> None:
        blocks = self.directories[read.path].emission.blocks
        block: Block = next(block for block in blocks.data if block.address == read.address)
        written = block.find_argument("depends_on")
        if written is not None and (read.path, target) in self.edges[read.path, read.address]:
            return
        if written is None:
            block.comments.append(
                " Terraform reads this at apply, because the configuration itself creates the object."
            )
        add_depends_on(block, [target])
        for path in self.same_places(read):
            self.add_edges((path, read.address), [(path, target)])


def reachable(edges: dict[Node, set[Node]], start: Node) -> set[Node]:
    """The nodes that a node leads to, itself included."""
    nodes, waiting = {start}, [start]
    while waiting:
        for target in edges.get(waiting.pop(), ()):
            if target not in nodes:
                nodes.add(target)
                waiting.append(target)
    return nodes
