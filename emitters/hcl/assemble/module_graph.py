"""The dependency graph of one directory, and the summary of it that its callers need.

Nodes are addresses, as `references` finds them. A call of a module has more nodes: `module.x:` is its beginning
(`count` and `for_each`), and `module.x:y` is its argument y. Sets of nodes are masks, with one bit for each node.

Invariant: the graph does not depend on the callers, so it is built once for all of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, final

from emitters.hcl.assemble.references import inside, references
from emitters.hcl.tree.nodes import Argument, Block
from transpile.resolve import graph

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from emitters.hcl.emission import Emission

REPEATS = ("count", "for_each")
FIXED = ("source", *REPEATS)
VALUES = "random_"  # resources that exist only in the state: nobody can see when they were created


class Part(NamedTuple):
    """A unit of the order: a block, or all resources in a call of a module that read the same variables of the module.

    address: of the block or call. variables: for a call, the variables that its resources read.
    """

    address: str
    variables: frozenset[str] = frozenset()


@final
class Directory:
    """One directory, written except for its order. inner: the directories of its calls, by address.

    leaves: the addresses of the resources of the template, in order: blocks, and calls that contain any. completed: by
    the label of an output, the leaves that it must wait for in addition to its value. late_parts: the parts that wait
    for the addresses that a caller passes in `wait_for`.
    """

    def __init__(self, emission: Emission, inner: Mapping[str, Directory]) -> None:
        self.emission, self.inner = emission, inner
        self.outputs = [block.labels[0] for block in emission.blocks.outputs]
        self.calls = {b.address: b for b in emission.blocks.main if isinstance(b, Block) and b.type == "module"}
        self.leaves = self.made()
        self.edges = self.measured()
        self.bit: dict[str, int] = {}
        self.beyond: dict[str, int] = {}  # the nodes that each node leads to, itself only if it is on a cycle
        self.close()
        self.variables = {name.removeprefix("var."): bit for name, bit in self.bit.items() if name.startswith("var.")}
        self.through = {label: self.read(self.beyond[f"output.{label}"]) for label in self.outputs}
        self.parts = self.grouped()
        self.completed: dict[str, list[str]] = {}
        self.late: set[Part] = set()
        self.known: dict[frozenset[str], bool] = {}

    def made(self) -> list[str]:
        emission = self.emission
        blocks = {block.address for block in emission.blocks.main if isinstance(block, Block)}
        found: dict[str, None] = {}
        for name, report in emission.log.report.resources.items():
            if name not in emission.unit.plan.readers:
                found |= dict.fromkeys(a for a in report.addresses if a in blocks and self.lasts(a))
        return list(found)

    def lasts(self, address: str) -> bool:
        """Whether anything in a block or call exists outside Terraform."""
        return bool(self.inner[address].leaves) if address in self.inner else not address.startswith(VALUES)

    # the graph

    def measured(self) -> dict[str, list[str]]:
        blocks = self.emission.blocks
        edges: dict[str, list[str]] = {}
        for item in (*blocks.main, *blocks.data):
            if isinstance(item, Block) and item.labels:
                if item.type == "module":
                    self.call(item, edges)
                else:
                    edges[item.address] = list(inside(item.body))
        for name, argument in blocks.locals.items():
            edges[f"local.{name}"] = list(references(argument.value))
        for block in blocks.outputs:
            edges[f"output.{block.labels[0]}"] = list(inside(block.body))
        return edges

    def call(self, block: Block, edges: dict[str, list[str]]) -> None:
        here, child = block.address, self.inner[block.address]
        begin = f"{here}:"
        whole = edges.setdefault(here, [begin])
        edges[begin] = []
        for argument in block.body:
            if isinstance(argument, Argument) and argument.name in REPEATS:
                edges[begin] += references(argument.value)
            elif isinstance(argument, Argument) and argument.name not in FIXED:
                edges[f"{begin}{argument.name}"] = list(references(argument.value))
                whole.append(f"{begin}{argument.name}")
        for label in child.outputs:
            edges[f"{here}.{label}"] = [begin, *(f"{begin}{name}" for name in child.through[label])]

    def close(self) -> None:
        bit, beyond = self.bit, self.beyond
        for circle in graph.components(self.edges):
            found = 0
            for name in circle:
                bit[name] = 1 << len(bit)
            for name in circle:
                for to in self.edges.get(name, ()):
                    found |= bit[to] | beyond.get(to, 0)
            for name in circle:
                beyond[name] = found

    # questions

    def read(self, mask: int) -> list[str]:
        """The variables in a mask."""
        return [name for name, bit in self.variables.items() if mask & bit]

    def of_part(self, part: Part) -> int:
        """The mask of the nodes that a part of this directory leads to."""
        if part.address not in self.calls:
            return self.beyond[part.address]
        found = self.beyond[f"{part.address}:"]
        for name in part.variables:
            found |= self.beyond.get(f"{part.address}:{name}", 0)
        return found

    def grouped(self) -> dict[frozenset[str], list[Part]]:
        """The parts of the directory, by the variables that they read."""
        found: dict[frozenset[str], list[Part]] = {}
        for leaf in self.leaves:
            parts = [Part(leaf, read) for read in self.inner[leaf].parts] if leaf in self.inner else [Part(leaf)]
            for part in parts:
                found.setdefault(frozenset(self.read(self.of_part(part))), []).append(part)
        return found

    def outputs_in(self, call: str, mask: int) -> list[str]:
        """The labels of the outputs of a call that are in a mask."""
        found = self.inner[call].outputs
        return [label for label in found if mask & self.bit.get(f"{call}.{label}", 0)]

    def waits_for(self, leaf: str, mask: int) -> bool:
        """Whether a node that leads to a mask waits for all resources of a leaf."""
        if mask & self.bit.get(leaf, 0):
            return True
        return leaf in self.inner and self.inner[leaf].covered(frozenset(self.outputs_in(leaf, mask)))

    def covered(self, outputs: frozenset[str]) -> bool:
        """Whether outputs that are read together wait for all leaves. Remembered, because calls ask it often."""
        if not outputs:
            return not self.leaves
        if outputs not in self.known:
            self.known[outputs] = not self.missing(outputs)
        return self.known[outputs]

    def missing(self, outputs: Iterable[str]) -> list[str]:
        """The leaves that outputs do not wait for."""
        mask = 0
        for label in outputs:
            mask |= self.beyond[f"output.{label}"]
            for leaf in self.completed.get(label, ()):
                mask |= self.bit[leaf] | self.beyond[leaf]
        return [leaf for leaf in self.leaves if not self.waits_for(leaf, mask)]

    # decisions

    def complete(self, outputs: list[str]) -> None:
        """Makes outputs that are read together wait for all leaves. Only one of them gets the waits: one that has some
        already, or else the one that lacks the fewest.
        """
        label = next((o for o in outputs if o in self.completed), None)
        label = label or min(outputs, key=lambda one: len(self.missing([one])))
        self.completed.setdefault(label, []).extend(self.missing(outputs))
        self.known.clear()

    def last(self, leaves: Iterable[str]) -> list[str]:
        """Those of some leaves that none of the others waits for, in order. To wait for these is to wait for all."""
        wanted, beyond = set(leaves), 0
        for leaf in wanted:
            beyond |= self.beyond[leaf]
        return [leaf for leaf in self.leaves if leaf in wanted and not self.waits_for(leaf, beyond)]

    def first(self) -> Iterator[Part]:
        """The late parts that lead to no other late part. If these wait, the other late parts do, too."""
        own = 0
        for part in self.late:
            own |= self.bit[part.address]
        inner = {part.address for part in self.late if part.address in self.inner}
        place = {leaf: i for i, leaf in enumerate(self.leaves)}
        for part in sorted(self.late, key=lambda one: (place[one.address], sorted(one.variables))):
            mask = self.of_part(part)
            behind = any(self.inner[c].delays(self.outputs_in(c, mask)) for c in inner)
            if not mask & own and not behind:
                yield part

    def delays(self, outputs: Iterable[str]) -> bool:
        """Whether outputs wait for a late part."""
        for label in outputs:
            found = self.beyond[f"output.{label}"]
            for leaf in self.completed.get(label, ()):
                found |= self.bit[leaf] | self.beyond[leaf]
            for part in self.late:
                if found & self.bit[part.address]:
                    return True
                if part.address in self.inner and self.inner[part.address].delays(self.outputs_in(part.address, found)):
                    return True
        return False
