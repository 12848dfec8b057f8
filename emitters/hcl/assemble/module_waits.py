"""Decides for one directory which waits its resources and calls lack, and writes them.

Invariant: a directory is decided after all its callers, because they decide which of its parts are late.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import final

from emitters.hcl.assemble.depends_on import (
    REFUSED_CYCLE,
    add_depends_on,
    heat_dependencies,
    managed_addresses,
    report_reference,
    report_rules,
)
from emitters.hcl.assemble.module_graph import GraphPart, ModuleDirectory
from emitters.hcl.tree.nodes import Argument, Block, Traversal, Tuple
from transpile.report import make_fate
from transpile.resolve import graph

WAIT_FOR = "wait_for"
LISTED = 3  # resources in `depends_on` of an output, at most, where who reads it can depend on the module
DESCRIPTION = "Resources that the caller creates before anything in this module."


@final
class DirectoryWaits:
    """The waits that are added to a directory. calls: for each call, the addresses that it passes in `wait_for`.
    blocks: for each block, and each call that waits as a whole, the addresses in its `depends_on`. Both are ordered
    sets, so their values are None.
    """

    def __init__(self, directory: ModuleDirectory) -> None:
        self.directory, self.emission = directory, directory.emission
        self.calls: dict[str, dict[str, None]] = {}
        self.blocks: dict[str, dict[str, None]] = {}
        self.added = 0  # blocks that wait for modules
        self.refused: set[str] = set()  # calls that would wait for themselves
        self.implicit = {(owner, other) for owner, other, _ in self.emission.unit.plan.implicit}

    # deciding

    def decide_waits(self) -> None:
        """Decides which waits are missing. All callers of the directory have decided theirs."""
        directory = self.directory
        passed = ".".join(request_wait_variable(directory).parts) if directory.late_parts else ""
        for part in directory.first_late_parts():
            if part.address in directory.inner:
                self.delay_part(part, passed)
            else:
                self.blocks.setdefault(part.address, {})[passed] = None
        if not directory.calls:
            return
        needs = heat_dependencies(self.emission, directory.inner)
        place: dict[str, int] = {}
        above: dict[str, int] = {}  # all resources that each resource waits for in Heat, as a mask over `place`
        for circle in graph.strong_components(needs):
            for name in circle:
                place[name] = len(place)
                above[name] = 0
            for name in circle:
                for need in needs.get(name, ()):
                    above[name] |= 1 << place[need] | above[need]
        for name in place:
            latest_needs = sorted(needs.get(name, ()), key=place.__getitem__, reverse=True)
            own_addresses = self.addresses_of(name)
            for address in own_addresses:
                parts = [GraphPart(address)]
                if address in directory.inner:
                    parts = [GraphPart(address, read) for read in directory.inner[address].parts]
                for part in parts:
                    covered = 0
                    for need in latest_needs:
                        if covered & 1 << place[need]:
                            continue
                        target_addresses = self.addresses_of(need)
                        only_refers = self.only_refers_to(name, need)
                        if address in directory.inner or any(target in directory.inner for target in target_addresses):
                            lacks = self.add_wait(part, target_addresses, only_refers=only_refers)
                            if lacks and only_refers:
                                report_reference(self.emission, name, need)
                            elif lacks:
                                report_rules(self.emission, name, need)
                        if all(target in directory.inner for target in target_addresses) and not only_refers:
                            covered |= above[need]
        for address, target in self.emission.ordering.chained:
            if address in directory.inner and directory.inner[address].leaves:
                for read in directory.inner[address].parts:
                    self.add_wait(GraphPart(address, read), [target])

    def addresses_of(self, name: str) -> list[str]:
        """The blocks and calls of a resource that others can wait for."""
        return managed_addresses(self.emission, name, self.directory.inner)

    def only_refers_to(self, name: str, need: str) -> bool:
        """Whether a resource waits for another only because it refers to it, and order comes from references."""
        if not self.directory.by_references:
            return False
        resource = self.emission.unit.template.resources[name]
        return (
            need in self.emission.unit.stack.needs.get(name, ())
            and all(other.name != need for other in resource.depends_on)
            and (name, need) not in self.implicit
        )

    def add_wait(self, part: GraphPart, targets: Iterable[str], *, only_refers: bool = False) -> bool:
        """Makes a part wait for another resource: for all its calls, or for its main block. only_refers: only for
        the resource that it refers to, and those that belong to it. Returns whether it waits for less than all.
        """
        directory, lacks = self.directory, False
        mask = directory.reach_of_part(part)
        here = directory.bits[part.address] | directory.bits[self.waiting_node(part.address)]
        if (mask | here) & self.added:  # their waits are not in the graph yet
            for own, waits in self.blocks.items():
                if (mask | here) & directory.bits[self.waiting_node(own)]:
                    for address in waits.keys() & directory.bits.keys():
                        mask |= directory.bits[address] | directory.reach[address]
        for i, target in enumerate(targets):
            is_call = target in directory.inner
            if target == part.address or (i and not is_call) or directory.waits_for(target, mask):
                continue
            read = directory.outputs_in(target, mask) if is_call else []
            if read and not only_refers and self.depends_as_a_whole(part, target, read):
                self.depend_on(part.address, target)
            elif read:
                inner = directory.inner[target]
                complete = inner.complete_outputs(read, with_parts=only_refers)
                lacks |= not complete or inner.leaves_out_rules()
            elif only_refers:
                lacks = True
            elif part.address in directory.inner:
                self.delay_part(part, target)
            elif is_call:
                self.depend_on(part.address, target)
        return lacks

    def depends_as_a_whole(self, part: GraphPart, target: str, read: Sequence[str]) -> bool:
        """Whether a block or call that reads outputs of a module depends on the module, in place of a list of the
        resources behind these outputs: if the list would be long, or does not help another part of the call.
        """
        directory = self.directory
        if not directory.can_depend(part.address, target):
            return False
        parts = directory.inner[part.address].parts if part.address in directory.inner else ()
        masks = [directory.reach_of_part(GraphPart(part.address, variables)) for variables in parts]
        if any(not directory.outputs_in(target, mask) for mask in masks):
            return True
        return len(directory.inner[target].missing_leaves(read)) > LISTED

    def depend_on(self, address: str, target: str) -> None:
        """Makes a block, or all of a module, depend on an address."""
        self.blocks.setdefault(address, {})[target] = None
        self.added |= self.directory.bits[self.waiting_node(address)]

    def delay_part(self, part: GraphPart, target: str) -> None:
        """Makes the resources of a part of a call wait for an address: with all of the module, or if that has data
        sources, by a variable.
        """
        child = self.directory.inner[part.address]
        if self.directory.can_depend(part.address, target):
            self.depend_on(part.address, target)
            return
        child.late_parts.update(child.parts[part.variables])
        self.calls.setdefault(part.address, {})[target] = None

    def argument_node(self, call: str) -> str:
        """The node of the argument `wait_for` of a call."""
        return f"{call}:{request_wait_variable(self.directory.inner[call]).parts[1]}"

    def waiting_node(self, address: str) -> str:
        """The node of `depends_on` of a block or call."""
        return f"{address}:" if address in self.directory.inner else address

    def remove_variable(self) -> None:
        """Removes the variable, because no caller sets it."""
        name = ".".join(request_wait_variable(self.directory).parts)
        for targets in (*self.calls.values(), *self.blocks.values()):
            targets.pop(name, None)
        del self.emission.variables.blocks[WAIT_FOR]

    # writing

    def write_waits(self) -> None:
        directory, emission = self.directory, self.emission
        blocks = {b.address: b for b in (*emission.blocks.main, *emission.blocks.outputs) if isinstance(b, Block)}
        for address, waits in self.calls.items():
            block = blocks[address]
            end = next((i for i, item in enumerate(block.body) if isinstance(item, Block)), len(block.body))
            if waits:
                block.body.insert(
                    end,
                    Argument(
                        self.argument_node(address).partition(":")[2], make_address_tuple(self.sort_targets(waits))
                    ),
                )
        for address, waits in self.blocks.items():
            if waits:
                add_depends_on(blocks[address], self.sort_targets(self.last_targets(waits)))
        for block in emission.blocks.outputs:
            if leaves := directory.completed.get(block.labels[0]):
                add_depends_on(block, directory.last_leaves(leaves))
        for wait in emission.ordering.waiting:
            if wait.key and wait.block.type == "module":
                self.record_fate(wait.owner, wait.key, wait.block.address, wait.needs)

    def last_targets(self, waits: Iterable[str]) -> list[str]:
        """The addresses that no other of the given addresses waits for."""
        leaves = self.directory.last_leaves(address for address in waits if address in self.directory.bits)
        return [address for address in waits if address in leaves or address not in self.directory.leaves]

    def sort_targets(self, waits: Iterable[str]) -> list[str]:
        """Sorts addresses: the variable `wait_for`, then resources and modules in template order."""
        place = {leaf: i for i, leaf in enumerate(self.directory.leaves)}
        return sorted(waits, key=lambda target: place.get(target, -1))

    def record_fate(self, owner: str, key: str, address: str, needs: Iterable[str]) -> None:
        """Records the fate of `depends_on` of a nested stack."""
        report = self.emission.log.report.resources[owner]
        passed = self.calls.get(address, {})
        if any(target in passed for need in needs for target in self.addresses_of(need)):
            why = "the resources of the module that read nothing of it depend on this"
            report.keys[key] = make_fate(
                "derived", address, request_wait_variable(self.directory.inner[address]).parts[1], why
            )
        elif any(target in self.blocks.get(address, ()) for need in needs for target in self.addresses_of(need)):
            report.keys[key] = make_fate("value", address, "depends_on")
        elif address in self.refused:
            report.keys[key] = REFUSED_CYCLE
        else:
            why = "references imply the dependency, or there is nothing to wait for"
            report.keys[key] = make_fate("implied", address, why=why)


def request_wait_variable(directory: ModuleDirectory) -> Traversal:
    """The variable `wait_for` of a module, which is added if it is not there."""
    return directory.emission.variables.get_variable(
        WAIT_FOR, WAIT_FOR, DESCRIPTION, Traversal(("any",)), default=Tuple(())
    )


def make_address_tuple(addresses: Iterable[str]) -> Tuple:
    return Tuple(tuple(Traversal(tuple(address.split("."))) for address in addresses))
