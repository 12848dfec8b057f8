"""Finds the families that cannot be one block because Terraform would refuse a cycle.

Terraform's graph has a node for each block, not for each instance. If one member of a family waits for another through
something else, the block would wait for itself.
"""

from __future__ import annotations

from collections.abc import Mapping

from emitters.hcl.assemble.data_order import CallPath, Node, WholeGraph
from emitters.hcl.emission import Emission
from emitters.hcl.roll_up.families import MODULE, Family
from emitters.hcl.roll_up.names import NOTHING_RENAMED, DirectoryNames
from transpile.resolve import graph

DirectoryKey = tuple[int, Family]  # id() of the emission


def find_family_on_cycle(whole: WholeGraph, names: Mapping[int, DirectoryNames]) -> tuple[Emission, Family] | None:
    """The last family in the order of the template that is on a cycle; None if there is none. names: by id() of the
    emission.
    """
    contraction = Contraction(whole, names)
    edges: dict[Node, set[Node]] = {}
    for node, targets in whole.edges.items():
        here = contraction.contract(node)
        edges.setdefault(here, set()).update(map(contraction.contract, targets))
    late: tuple[int, Emission, Family] | None = None
    for circle in graph.strong_components(edges):
        if len(circle) == 1 and circle[0] not in edges.get(circle[0], ()):
            continue
        for node in circle:
            for emission, family in contraction.families.get(node, ()):
                at = max(block.at for block in family.members)
                if late is None or at > late[0]:
                    late = at, emission, family
    return late[1:] if late is not None else None


class Contraction:
    """Maps the nodes of a graph to those of the rolled-up one. `families`: those that a new node stands for."""

    def __init__(self, whole: WholeGraph, names: Mapping[int, DirectoryNames]) -> None:
        self.whole, self.names = whole, names
        self.families: dict[Node, list[tuple[Emission, Family]]] = {}
        self.paths: dict[CallPath, CallPath] = {}

    def names_at(self, path: CallPath) -> tuple[DirectoryNames, Emission | None]:
        directory = self.whole.directories.get(path)
        if directory is None:
            return NOTHING_RENAMED, None
        return self.names.get(id(directory.emission), NOTHING_RENAMED), directory.emission

    def contract_path(self, path: CallPath) -> CallPath:
        """The calls that lead to a directory, as they are then."""
        if path not in self.paths:
            self.paths[path] = tuple(self.contract_call(path[:i], call) for i, call in enumerate(path))
        return self.paths[path]

    def contract_call(self, path: CallPath, call: str) -> str:
        member = self.names_at(path)[0].members.get((MODULE, call.partition(".")[2]))
        return member.family.address if member is not None else call

    def contract(self, node: Node) -> Node:
        """The node that this node becomes a part of. Nodes inside a call have `:` and the name of a variable."""
        path, address = node
        names, emission = self.names_at(path)
        head, colon, variable = address.partition(":")
        steps = head.split(".", 2)
        member = names.members.get((steps[0], steps[1])) if len(steps) > 1 else None
        if member is None:
            return self.contract_path(path), address
        new = self.contract_path(path), ".".join([member.family.address, *steps[2:]]) + colon + variable
        if emission is not None and new not in self.families:
            self.families[new] = [(emission, member.family)]
        return new
