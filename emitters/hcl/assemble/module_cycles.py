"""Removes waits between modules that Terraform would refuse as a cycle.

Heat has no cycles, but one Terraform block may represent several of its resources. A router block, for example, is also
the gateway, whose network may come from a nested stack that uses the router. Then the waits on the cycle are removed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from emitters.hcl.tree.nodes import Block
from transpile.diagnostics import codes
from transpile.resolve import graph

if TYPE_CHECKING:
    from collections.abc import Sequence

    from emitters.hcl.assemble.module_graph import Directory
    from emitters.hcl.assemble.module_waits import Waits


def break_cycles(waits: Sequence[Waits]) -> None:
    """Removes waits until there is no cycle. waits: in this order, each directory comes after those that it calls."""
    if any(one.calls or one.blocks or one.directory.completed for one in waits):
        while Pass(waits).removed:
            pass


@final
class Pass:
    """One pass over all directories. reads: for each node of a directory, a mask of the variables that it leads to."""

    def __init__(self, waits: Sequence[Waits]) -> None:
        self.removed = 0
        self.bits: dict[Directory, dict[str, int]] = {}
        self.reads: dict[Directory, dict[str, int]] = {}
        for one in waits:
            self.look(one)

    def look(self, waits: Waits) -> None:
        directory = waits.directory
        edges = self.edges(waits)
        bits: dict[str, int] = {}
        reads: dict[str, int] = {}
        for circle in graph.components(edges):
            found = 0
            for name in circle:
                if name.startswith("var."):
                    found |= bits.setdefault(name.removeprefix("var."), 1 << len(bits))
                for to in edges.get(name, ()):
                    found |= reads.get(to, 0)
            reads |= dict.fromkeys(circle, found)
            if len(circle) > 1 or circle[0] in edges.get(circle[0], ()):
                self.take_back(waits, set(circle))
        self.bits[directory], self.reads[directory] = bits, reads

    def edges(self, waits: Waits) -> dict[str, list[str]]:
        """The graph of a directory with the waits that were added to it."""
        directory = waits.directory
        edges = {name: list(found) for name, found in directory.edges.items()}
        for call, inner in directory.inner.items():
            bits, reads = self.bits[inner], self.reads[inner]
            for label in inner.outputs:
                read = reads[f"output.{label}"]
                edges[f"{call}.{label}"] = [f"{call}:", *(f"{call}:{name}" for name in bits if read & bits[name])]
        for address, found in waits.blocks.items():
            edges[address] += found
        for call, found in waits.calls.items():
            edges[waits.argument(call)] = list(found)
            edges[call].append(waits.argument(call))
        for label, leaves in directory.completed.items():
            edges[f"output.{label}"] += leaves
        return edges

    def take_back(self, waits: Waits, circle: set[str]) -> None:
        """Removes the waits of calls and blocks that close a cycle; if there are none, those of outputs."""
        before = self.removed
        for address, found in waits.blocks.items():
            self.remove(waits, address, found, circle if address in circle else set())
        for call, found in waits.calls.items():
            self.remove(waits, call, found, circle if waits.argument(call) in circle else set())
        if self.removed > before:
            return
        for call, inner in waits.directory.inner.items():
            inside = [bit for name, bit in self.bits[inner].items() if f"{call}:{name}" in circle]
            for label in [label for label in inner.completed if f"{call}.{label}" in circle]:
                leaves = inner.completed[label]
                kept = [leaf for leaf in leaves if not any(self.reads[inner][leaf] & bit for bit in inside)]
                if len(kept) < len(leaves):
                    inner.completed[label] = kept
                    self.tell(waits, call, f"What reads {call}.{label}", call)

    def remove(self, waits: Waits, address: str, found: dict[str, None], circle: set[str]) -> None:
        for target in [one for one in found if one in circle]:
            del found[target]
            waits.refused.add(address)
            self.tell(waits, address, address, target)

    def tell(self, waits: Waits, address: str, who: str, target: str) -> None:
        self.removed += 1
        message = f"{who} does not wait for all of {target}, as it does in Heat: Terraform would refuse the cycle."
        blocks = (one for one in waits.emission.blocks.main if isinstance(one, Block) and one.address == address)
        block = next(blocks)
        waits.emission.log.say(codes.WEAKER_ORDER, message, block)
