"""Decides for one directory which waits its resources and calls lack, and writes them.

Invariant: a directory is decided after all its callers, because they decide which of its parts are late.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from emitters.hcl.assemble.depends_on import add, managed, required
from emitters.hcl.assemble.module_graph import Part
from emitters.hcl.tree.nodes import Argument, Block, Name, Tuple
from transpile.diagnostics import codes
from transpile.report import fate
from transpile.resolve import graph

if TYPE_CHECKING:
    from collections.abc import Iterable

    from emitters.hcl.assemble.module_graph import Directory

WAIT_FOR = "wait_for"
DESCRIPTION = "What the caller creates before anything here."


@final
class Waits:
    """The waits that are added to a directory. calls: for each call, the addresses that it passes in `wait_for`.
    blocks: for each block, the addresses in its `depends_on`. Both are ordered sets, so their values are None.
    """

    def __init__(self, directory: Directory) -> None:
        self.directory, self.emission = directory, directory.emission
        self.calls: dict[str, dict[str, None]] = {}
        self.blocks: dict[str, dict[str, None]] = {}
        self.added = 0  # blocks that wait for modules
        self.refused: set[str] = set()  # calls that would wait for themselves

    # deciding

    def settle(self) -> None:
        """Decides which waits are missing. All callers of the directory have decided theirs."""
        directory = self.directory
        passed = ".".join(variable(directory).parts) if directory.late else ""
        for part in directory.first():
            if part.address in directory.inner:
                self.delay(part, passed)
            else:
                self.blocks.setdefault(part.address, {})[passed] = None
        if not directory.calls:
            return
        needs = required(self.emission, directory.inner)
        place: dict[str, int] = {}
        above: dict[str, int] = {}  # all resources that each resource waits for in Heat, as a mask over `place`
        for circle in graph.components(needs):
            for name in circle:
                place[name] = len(place)
                above[name] = 0
            for name in circle:
                for need in needs.get(name, ()):
                    above[name] |= 1 << place[need] | above[need]
        for name in place:
            wanted = sorted(needs.get(name, ()), key=place.__getitem__, reverse=True)
            mine = self.made(name)
            for address in mine:
                parts = [Part(address)]
                if address in directory.inner:
                    parts = [Part(address, read) for read in directory.inner[address].parts]
                for part in parts:
                    known = 0
                    for need in wanted:
                        if known & 1 << place[need]:
                            continue
                        theirs = self.made(need)
                        if address in directory.inner or any(one in directory.inner for one in theirs):
                            self.wait(part, theirs)
                        if all(one in directory.inner for one in theirs):
                            known |= above[need]
        for address, target in self.emission.ordering.chained:
            if address in directory.inner and directory.inner[address].leaves:
                for read in directory.inner[address].parts:
                    self.wait(Part(address, read), [target])

    def made(self, name: str) -> list[str]:
        """The blocks and calls of a resource that others can wait for."""
        return managed(self.emission, name, self.directory.inner)

    def wait(self, part: Part, targets: Iterable[str]) -> None:
        """Makes a part wait for another resource: for all its calls, or for its main block."""
        directory = self.directory
        mask = directory.of_part(part)
        if (mask | directory.bit[part.address]) & self.added:  # their waits are not in the graph yet
            for own, waits in self.blocks.items():
                if (mask | directory.bit[part.address]) & directory.bit[own]:
                    for one in waits.keys() & directory.bit.keys():
                        mask |= directory.bit[one] | directory.beyond[one]
        for i, target in enumerate(targets):
            inner = directory.inner.get(target)
            if target == part.address or (i and inner is None) or directory.waits_for(target, mask):
                continue
            read = directory.outputs_in(target, mask) if inner is not None else []
            if inner is not None and read:
                inner.complete(read)
            elif part.address in directory.inner:
                self.delay(part, target)
            elif inner is not None:
                self.blocks.setdefault(part.address, {})[target] = None
                self.added |= directory.bit[part.address]

    def delay(self, part: Part, target: str) -> None:
        """Makes the resources of a part of a call wait for an address, which the call passes to its module."""
        child = self.directory.inner[part.address]
        child.late.update(child.parts[part.variables])
        self.calls.setdefault(part.address, {})[target] = None

    def argument(self, call: str) -> str:
        """The node of the argument `wait_for` of a call."""
        return f"{call}:{variable(self.directory.inner[call]).parts[1]}"

    def forget(self) -> None:
        """Removes the variable, because no caller sets it."""
        name = ".".join(variable(self.directory).parts)
        for found in (*self.calls.values(), *self.blocks.values()):
            found.pop(name, None)
        del self.emission.variables.blocks[WAIT_FOR]

    # writing

    def write(self) -> None:
        directory, emission = self.directory, self.emission
        blocks = {b.address: b for b in (*emission.blocks.main, *emission.blocks.outputs) if isinstance(b, Block)}
        for address, waits in self.calls.items():
            block = blocks[address]
            end = next((i for i, item in enumerate(block.body) if isinstance(item, Block)), len(block.body))
            if waits:
                block.body.insert(end, Argument(self.argument(address).partition(":")[2], listed(self.ordered(waits))))
        for address, waits in self.blocks.items():
            if waits:
                add(blocks[address], self.ordered(waits))
        for block in emission.blocks.outputs:
            if leaves := directory.completed.get(block.labels[0]):
                add(block, directory.last(leaves))
        for wait in emission.ordering.waiting:
            if wait.key and wait.block.type == "module":
                self.tell(wait.owner, wait.key, wait.block.address, wait.needs)

    def ordered(self, waits: Iterable[str]) -> list[str]:
        """Sorts addresses: the variable `wait_for`, then resources and modules in template order."""
        place = {leaf: i for i, leaf in enumerate(self.directory.leaves)}
        return sorted(waits, key=lambda one: place.get(one, -1))

    def tell(self, owner: str, key: str, address: str, needs: Iterable[str]) -> None:
        """Records the fate of `depends_on` of a nested stack."""
        report = self.emission.log.report.resources[owner]
        passed = self.calls.get(address, {})
        if any(one in passed for need in needs for one in self.made(need)):
            why = "the resources of the module that read nothing of it depend on this"
            report.keys[key] = fate("derived", address, variable(self.directory.inner[address]).parts[1], why)
        elif address in self.refused:
            report.keys[key] = fate("dropped", code=codes.WEAKER_ORDER, why="Terraform would refuse the cycle")
        else:
            why = "references imply the dependency, or there is nothing to wait for"
            report.keys[key] = fate("implied", address, why=why)


def variable(directory: Directory) -> Name:
    """The variable `wait_for` of a module, which is added if it is not there."""
    return directory.emission.variables.get(WAIT_FOR, WAIT_FOR, DESCRIPTION, Name(("any",)), default=Tuple(()))


def listed(addresses: Iterable[str]) -> Tuple:
    return Tuple(tuple(Name(tuple(one.split("."))) for one in addresses))
