"""Carries Heat's order through modules.

In Heat, a resource that refers to a nested stack or depends on it waits for all resources of that stack. These wait for
everything that the nested stack waits for. Terraform waits only for values. So three things are added:

- An output that is waited for gets `depends_on` for the resources that its value does not lead to.
- A resource that waits for a module and reads none of its outputs gets `depends_on` for the module.
- A module that waits for something which some of its resources do not read gets the addresses in the variable
  `wait_for`, and these resources get `depends_on` for that variable.

A `depends_on` on the call would be simpler. But it delays the data sources of the module until apply, and then
Terraform replaces the resources that read them.

Invariant: only missing waits are added, and never a cycle.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import final

from emitters.hcl.assemble.module_graph import ModuleDirectory
from emitters.hcl.assemble.module_waits import DirectoryWaits
from emitters.hcl.tree.nodes import Block
from emitters.hcl.tree.printer import print_hcl
from transpile.diagnostics import codes
from transpile.resolve import graph


def carry_order(directories: Sequence[ModuleDirectory]) -> None:
    """Writes the order between directories. directories: each comes after those that it calls."""
    waits = [DirectoryWaits(directory) for directory in reversed(join_twins(directories))]
    for directory_waits in waits:
        directory_waits.decide_waits()
    waits.reverse()
    break_cycles(waits)
    used: set[ModuleDirectory] = set()
    for directory_waits in reversed(waits):
        directory = directory_waits.directory
        if directory.late_parts and directory.first not in used:
            directory_waits.remove_variable()
        used |= {directory.inner[call].first for call, targets in directory_waits.calls.items() if targets}
    for directory_waits in waits:
        directory_waits.write_waits()


def break_cycles(waits: Sequence[DirectoryWaits]) -> None:
    """Removes waits until there is no cycle. waits: in this order, each directory comes after those that it calls."""
    if any(
        directory_waits.calls or directory_waits.blocks or directory_waits.directory.completed
        for directory_waits in waits
    ):
        while CyclePass(waits).removed:
            pass


@final
class CyclePass:
    """Removes waits that Terraform would refuse as a cycle, in one pass over all directories.

    Heat has no cycles, but one Terraform block may represent several of its resources. A router block, for example, is
    also the gateway, whose network may come from a nested stack that uses the router. reads: for each node of a
    directory, a mask of the variables that it leads to.
    """

    def __init__(self, waits: Sequence[DirectoryWaits]) -> None:
        self.removed = 0
        self.bits: dict[ModuleDirectory, dict[str, int]] = {}
        self.reads: dict[ModuleDirectory, dict[str, int]] = {}
        for directory_waits in waits:
            self.inspect_directory(directory_waits)

    def inspect_directory(self, waits: DirectoryWaits) -> None:
        directory = waits.directory
        edges = self.build_waiting_graph(waits)
        bits: dict[str, int] = {}
        reads: dict[str, int] = {}
        for circle in graph.strong_components(edges):
            mask = 0
            for name in circle:
                if name.startswith("var."):
                    mask |= bits.setdefault(name.removeprefix("var."), 1 << len(bits))
                for to in edges.get(name, ()):
                    mask |= reads.get(to, 0)
            reads |= dict.fromkeys(circle, mask)
            if len(circle) > 1 or circle[0] in edges.get(circle[0], ()):
                self.remove_cycle(waits, set(circle))
        self.bits[directory], self.reads[directory] = bits, reads

    def build_waiting_graph(self, waits: DirectoryWaits) -> dict[str, list[str]]:
        """The graph of a directory with the waits that were added to it."""
        directory = waits.directory
        edges = {name: list(targets) for name, targets in directory.edges.items()}
        for call, inner in directory.inner.items():
            bits, reads = self.bits[inner], self.reads[inner]
            for label in inner.outputs:
                read = reads[f"output.{label}"]
                edges[f"{call}.{label}"] = [f"{call}:", *(f"{call}:{name}" for name in bits if read & bits[name])]
        for address, targets in waits.blocks.items():
            edges[waits.waiting_node(address)] += targets
        for call, targets in waits.calls.items():
            edges[waits.argument_node(call)] = list(targets)
            edges[call].append(waits.argument_node(call))
        for label, leaves in directory.completed.items():
            edges[f"output.{label}"] += leaves
        return edges

    def remove_cycle(self, waits: DirectoryWaits, circle: set[str]) -> None:
        """Removes the waits of calls and blocks that close a cycle; if there are none, those of outputs."""
        before = self.removed
        for address, targets in waits.blocks.items():
            self.remove_waits(waits, address, targets, circle if waits.waiting_node(address) in circle else set())
        for call, targets in waits.calls.items():
            self.remove_waits(waits, call, targets, circle if waits.argument_node(call) in circle else set())
        if self.removed > before:
            return
        for call, inner in waits.directory.inner.items():
            inside = [bit for name, bit in self.bits[inner].items() if f"{call}:{name}" in circle]
            for label in [label for label in inner.completed if f"{call}.{label}" in circle]:
                leaves = inner.completed[label]
                kept = [leaf for leaf in leaves if not any(self.reads[inner][leaf] & bit for bit in inside)]
                if len(kept) < len(leaves):
                    inner.completed[label] = kept
                    self.report_refused_wait(waits, call, f"A block that reads {call}.{label}", call)

    def remove_waits(self, waits: DirectoryWaits, address: str, targets: dict[str, None], circle: set[str]) -> None:
        for target in [candidate for candidate in targets if candidate in circle]:
            del targets[target]
            waits.refused.add(address)
            self.report_refused_wait(waits, address, address, target)

    def report_refused_wait(self, waits: DirectoryWaits, address: str, who: str, target: str) -> None:
        self.removed += 1
        message = f"{who} does not wait for all of {target}, as it does in Heat: Terraform would refuse the cycle."
        blocks = (item for item in waits.emission.blocks.main if isinstance(item, Block) and item.address == address)
        block = next(blocks)
        waits.emission.log.add_diagnostic(codes.WEAKER_ORDER, message, block)


def join_twins(directories: Sequence[ModuleDirectory]) -> list[ModuleDirectory]:
    """The directories, each after those that it calls and after those that any of its twins calls. Twins have equal
    blocks and become one module, as of a template that is nested with several registries of which none matters. Each
    knows the first of its twins, and shares with it the effects of callers on its order, so that these do not make the
    twins different again.
    """
    files = Counter(directory.emission.unit.module.file for directory in directories)
    first_by_content: dict[tuple[object, ...], ModuleDirectory] = {}
    height: dict[ModuleDirectory, int] = {}
    for directory in directories:
        module = directory.emission.unit.module
        if files[module.file] > 1:
            first = first_by_content.setdefault((module.stem, *describe_content(directory)), directory)
            directory.share_order(first)
        height[directory] = 1 + max((height[inner] for inner in directory.inner.values()), default=0)
    return sorted(directories, key=height.__getitem__)


def describe_content(directory: ModuleDirectory) -> tuple[object, ...]:
    """The content by which directories are compared: the text of their blocks, and the modules that they call."""
    blocks, variables = directory.emission.blocks, directory.emission.variables.blocks
    items = [*blocks.main, *blocks.data, *blocks.locals.values(), *blocks.outputs, *variables.values()]
    calls = [(call, id(inner.first)) for call, inner in directory.inner.items()]
    return print_hcl(items), *calls, *sorted(blocks.files.items())
