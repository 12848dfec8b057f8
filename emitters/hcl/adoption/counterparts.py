"""Pairs the planned objects with the running ones: directories with stacks, and instances of blocks with resources.

Invariant: an instance represents one running resource, or a part of it. For a group, it is the member.
"""

from __future__ import annotations

from typing import TypeAlias, final

from emitters.hcl.adoption.running_stacks import sort_member_names
from emitters.hcl.evaluation.instances import BlockInstance, DirectoryInstance, Key, ModuleInstance
from emitters.hcl.tree.nodes import Block
from transpile.adoption.live import LiveResource, LiveStack

Place: TypeAlias = "tuple[LiveStack | None, tuple[str, ...]]"  # with the resources that lead to the stack
NOWHERE: Place = None, ()


@final
class Counterparts:
    """The counterparts of the instances of one plan. live: the stack of the root."""

    def __init__(self, live: LiveStack) -> None:
        self.live = live
        self.places: dict[int, tuple[DirectoryInstance, Place]] = {}  # by id() of the directory, which stays alive

    def stack_of(self, directory: DirectoryInstance) -> LiveStack | None:
        return self.locate_stack(directory)[0]

    def names_of(self, directory: DirectoryInstance) -> tuple[str, ...]:
        """The resources that lead to the stack of a directory in Heat, from the root."""
        return self.locate_stack(directory)[1]

    def locate_stack(self, directory: DirectoryInstance) -> Place:
        if id(directory) not in self.places:
            called = directory.called
            self.places[id(directory)] = directory, (self.live, ()) if called is None else self.locate_call(called)
        return self.places[id(directory)][1]

    def locate_call(self, called: ModuleInstance) -> Place:
        """The running nested stack of a module instance."""
        caller, block = called.caller, called.block
        (stack, names), owner = self.locate_stack(caller), caller.emission.blocks.find_owner(block)
        resource = stack.resources.get(owner) if stack is not None else None
        if resource is None or resource.stack is None:
            return NOWHERE
        linked = caller.emission.unit.stack
        if (owner, linked.template.resources[owner].type) in linked.nested:
            return resource.stack, (*names, owner)
        member = find_member_name(caller, block, called.key, resource.stack)
        return (resource.stack.resources[member].stack, (*names, owner, member)) if member else NOWHERE

    def resource_of(self, instance: BlockInstance) -> LiveResource | None:
        """The running resource that an instance represents, or is a part of."""
        stack = self.stack_of(instance.directory)
        resource = stack.resources.get(instance.owner_name) if stack is not None else None
        if resource is None or resource.stack is None:
            return resource
        member = find_member_name(instance.directory, instance.block, instance.key, resource.stack)
        return resource.stack.resources[member] if member else None


def find_member_name(directory: DirectoryInstance, block: Block, key: Key, group: LiveStack) -> str:
    """The name of the group member that an instance of a block represents; empty if the group has no such member."""
    name = directory.emission.blocks.member_of.get(id(block), "" if key is None else str(key))
    if name in group.resources:
        return name
    order = sort_member_names(group.resources)  # `count` numbers members with random names by their order
    return order[key] if isinstance(key, int) and key < len(order) else ""
