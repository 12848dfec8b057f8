"""Finds the families that cannot be one block because Terraform would refuse a cycle.

Terraform's graph has a node for each block, not for each instance. If one member of a family waits for another through
something else, the block would wait for itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import final

from emitters.hcl.assemble.data_order import CallPath, Node, WholeGraph
from emitters.hcl.emission import Emission
from emitters.hcl.roll_up.families import MODULE, Family
from emitters.hcl.roll_up.names import NOTHING_RENAMED, DirectoryNames
from transpile.resolve import graph


def find_families_on_cycles(whole: WholeGraph, names: Mapping[int, DirectoryNames]) -> list[tuple[Emission, Family]]:
    """For each cycle the last family on it, in the order of the template: without that one, the others may be right.
    names: by id() of the emission.
    """
    contraction = Contraction(whole, names)
    edges: dict[Node, set[Node]] = {}
    for node, targets in whole.edges.items():
        here = contraction.contract(node)
        edges.setdefault(here, set()).update(map(contraction.contract, targets))
    late: list[tuple[Emission, Family]] = []
    for circle in graph.strong_components(edges):
        if len(circle) == 1 and circle[0] not in edges.get(circle[0], ()):
            continue
        on_circle = [pair for node in circle if (pair := contraction.families.get(node)) is not None]
        if on_circle:
            late.append(max(on_circle, key=lambda pair: max(block.at for block in pair[1].members)))
    return late


@final
class Contraction:
    """Maps the nodes of a graph to those of the rolled-up one. `families`: by the new nodes that stand for them."""

    def __init__(self, whole: WholeGraph, names: Mapping[int, DirectoryNames]) -> None:
        self.whole, self.names = whole, names
        self.families: dict[Node, tuple[Emission, Family]] = {}
        self.paths: dict[CallPath, CallPath] = {}

    def names_at(self, path: CallPath) -> tuple[DirectoryNames, Emission | None]:
        directory = self.whole.directories.get(path)
        if directory is None:
            return NOTHING_RENAMED, None
        return self.names.get(id(directory.emission), NOTHING_RENAMED), directory.emission

    def contract_path(self, path: CallPath) -> CallPath:
        """The calls that lead to a directory, with the new addresses."""
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
        if emission is not None:
            self.families[new] = emission, member.family
        return new
