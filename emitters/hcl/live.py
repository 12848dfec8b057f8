"""What is running of one template: the stacks that a directory stands for, and what they are called there.

Invariant: a value is used only if it holds for every stack of the directory. A module gets values that differ from its
caller, in one variable.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from transpile.adoption.adoption import Adoption
    from transpile.adoption.live import LiveResource, LiveStack
    from transpile.resolve.stack import Stack

NAME, ID = "name", "id"
# What is asked about a resource, by a word for it: its name or its ID, of a nested stack what its module asks; and
# whether for each member of a group, or for the resource itself.
Asked: TypeAlias = "dict[str, tuple[str, object, bool]]"


@final
class Live:
    """The running stacks of one directory. `asked`: what the directory needs to know from its caller."""

    def __init__(self, adoption: Adoption, stacks: list[LiveStack], *, module: bool) -> None:
        self.adoption, self.stacks, self.module = adoption, stacks, module
        self.asked: Asked = {}
        self.unknown: dict[str, list[LiveResource]] = {}  # resources whose names nobody knows

    def begin(self) -> None:
        """Forgets what an earlier attempt asked."""
        self.asked.clear()
        self.unknown.clear()

    def resources(self, name: str) -> list[LiveResource | None]:
        """A resource in every stack; None where it does not exist."""
        return [stack.resources.get(name) for stack in self.stacks]

    def members(self, name: str) -> list[str] | None:
        """The names of the members of a group; None if the stacks do not agree."""
        found = [tuple(in_order(one)) for one in self.resources(name) if one is not None]
        return list(found[0]) if found and len(set(found)) == 1 else None

    def removed(self, name: str) -> list[str] | None:
        """The numbers that are missing among the members of a group with numbered ones; None if they are not known."""
        there = self.members(name)
        if there is None or not all(one.isdigit() for one in there):
            return None
        last = max(map(int, there), default=-1)
        return [str(n) for n in range(last) if str(n) not in there]

    def known(self, name: str, what: object, *, each: bool) -> bool:
        """Whether the answer to a question about a resource is known for all stacks."""
        return all(
            self.data(stack, name, what, each=each) is not None for stack in self.stacks if name in stack.resources
        )

    def data(self, stack: LiveStack, name: str, what: object, *, each: bool) -> Any:
        """The answer for one stack; None if something in it is not known."""
        resource = stack.resources.get(name)
        if resource is None:
            return None
        if not each:
            return self.one(name, resource, what)
        if resource.stack is None:
            return None
        order = in_order(resource)
        found = {member: self.one(name, resource.stack.resources[member], what) for member in order}
        if any(value is None for value in found.values()):
            return None
        return list(found.values()) if counted(order) else found

    def one(self, owner: str, resource: LiveResource, what: object) -> Any:
        """The same for one resource: the owner itself, or a member."""
        if what == NAME:
            name = self.adoption.find_cloud_name(resource)
            if name is None:
                self.unknown.setdefault(owner, []).append(resource)
            return name
        if what == ID:
            return resource.physical_id
        if resource.stack is None or not isinstance(what, dict):
            return None
        found = {}
        for word, (name, inner, each) in what.items():
            if name in resource.stack.resources:
                found[word] = self.data(resource.stack, name, inner, each=each)
        return None if any(value is None for value in found.values()) else found


def word_of(name: str, what: object) -> str:
    """What an answer is called in the variable of a module."""
    return name if what == NAME else f"{name} {ID if what == ID else 'names'}"


def in_order(group: LiveResource) -> list[str]:
    """The members of a group in its order: by number, and those with random names as the input has them."""
    names = list(group.stack.resources) if group.stack is not None else []
    return sorted(names, key=int) if all(name.isdigit() for name in names) else sorted(names)


def counted(names: list[str]) -> bool:
    """Whether members are called as `count` calls them, or by random names, which a list stands for."""
    return not all(name.isdigit() for name in names) or names == [str(n) for n in range(len(names))]


Key: TypeAlias = "tuple[int, int]"  # of a template and a registry, which stay alive: that of a module


def pairs(stack: Stack, live: LiveStack) -> Iterator[tuple[Stack, LiveStack]]:
    """A linked stack with the running one, and the same for all that are nested in it."""
    yield stack, live
    for (name, written), nested in stack.nested.items():
        for inner in inside(stack, live, name, written):
            yield from pairs(nested.stack, inner)


def inside(stack: Stack, live: LiveStack, name: str, written: str) -> Iterable[LiveStack]:
    """The running stacks of a nested template of a resource: its own, or those of the members of a group."""
    owner = live.resources.get(name)
    if owner is None or owner.stack is None:
        return []
    if stack.template.resources[name].type == written:
        return [owner.stack]
    members = (owner.stack.resources[one] for one in in_order(owner))
    return [one.stack for one in members if one.stack is not None]


def of_modules(adoption: Adoption, stack: Stack) -> Mapping[Key, Live]:
    """What is running, by template and registry."""
    found: dict[Key, Live] = {}
    for linked, live in pairs(stack, adoption.live):
        key = id(linked.template.source), id(linked.registry)
        found.setdefault(key, Live(adoption, [], module=linked is not stack)).stacks.append(live)
    return found
