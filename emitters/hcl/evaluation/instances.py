"""What Terraform will plan: every instance of every resource, with the values of its arguments.

Invariant: an instance has the address that Terraform gives it, and stands for one resource of a running stack, or for a
part of one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, final

from emitters.hcl.evaluation.functions import Failed, Unknown
from emitters.hcl.evaluation.values import Evaluation, number
from emitters.hcl.live import in_order
from emitters.hcl.tree.nodes import Argument, Attr, Block, Expr, Index, Traversal
from emitters.hcl.tree.printer import print_inline
from transpile.model import ir
from transpile.model.meter import spend_budget
from transpile.model.span import Span
from transpile.schema import parameters

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from emitters.hcl.attempt import Attempt
    from transpile.adoption.live import LiveResource, LiveStack

Key: TypeAlias = "int | str | None"
MISSING: Any = object()
HERE = "."  # path.module


@final
class Instance:
    """One instance of a resource or data source."""

    def __init__(self, directory: Directory, block: Block, key: Key) -> None:
        self.directory, self.block, self.key = directory, block, key
        self.bound = bound(block, directory, key)

    @property
    def address(self) -> Expr:
        """The address, as `to` of an import has it."""
        return keyed(self.directory.below(*self.block.labels), self.key)

    @property
    def shown(self) -> str:
        return print_inline(self.address)

    def given(self, name: str) -> Any:
        """The value of an argument; MISSING without one. Raises Unknown or Failed."""
        found = self.block.find_argument(name)
        return MISSING if found is None else Evaluation(self.directory, self.bound).of(found.value)

    def attribute(self, name: str) -> Any:
        found = MISSING if name == "id" else self.given(name)
        return self.directory.plan.identify(self, name) if found is MISSING else found

    @property
    def owner(self) -> str | None:
        """The resource of the template that the block is made from."""
        return self.directory.emission.blocks.owner_of.get(id(self.block))

    @property
    def part(self) -> bool:
        """Whether it is only a part of that resource."""
        return self.directory.first.get(self.owner or "") is not self.block

    @property
    def live(self) -> LiveResource | None:
        """The running resource that it stands for, or is a part of: of a group, the member."""
        name, stack = self.owner, self.directory.live
        found = stack.resources.get(name) if stack is not None and name is not None else None
        if found is None or found.stack is None:
            return found
        member = member_of(self.directory, self.block, self.key, found)
        return found.stack.resources[member] if member is not None else None


@final
class Directory:
    """One instance of a directory: the root, or a module with the values of one call. `path`: its address; `names`:
    those of the resources that lead to its stack, as Heat has them.
    """

    def __init__(
        self,
        plan: Plan,
        attempt: Attempt,
        live: LiveStack | None,
        path: Expr | None = None,
        given: Mapping[str, Callable[[], Any]] | None = None,
        names: tuple[str, ...] = (),
    ) -> None:
        self.plan, self.attempt, self.live, self.path, self.given = plan, attempt, live, path, given
        self.names = names
        self.children: dict[tuple[int, Key], Directory] = {}
        self.emission = attempt.emission
        self.blocks = {b.labels: b for b in self.emission.blocks.main if isinstance(b, Block) and b.type == "resource"}
        self.calls = {b.labels[0]: b for b in self.emission.blocks.main if isinstance(b, Block) and b.type == "module"}
        self.data = {("data", *b.labels): b for b in self.emission.blocks.data if b.type == "data"}
        self.first: dict[str, Block] = {}
        for block in self.blocks.values():
            if (owner := self.emission.blocks.owner_of.get(id(block))) is not None:
                self.first.setdefault(owner, block)
        self.outputs = {b.labels[0]: b for b in self.emission.blocks.outputs}
        self.known: dict[tuple[str, ...], Any] = {}
        self.busy: set[tuple[str, ...]] = set()

    def below(self, *names: str) -> Expr:
        """The address of something in it."""
        if self.path is None:
            return Traversal(names)
        found = self.path
        for name in names:
            found = Attr(found, name)
        return found

    def holder(self, address: str) -> Argument | Block | None:
        """What an address in it means: a local, a data source, a resource, or the call of a module."""
        kind, *names = address.split(".")
        match kind:
            case "local":
                return self.emission.blocks.locals.get(names[0])
            case "module":
                return self.calls.get(names[0])
            case "data":
                return self.data.get((kind, *names))
        return self.blocks.get((kind, *names))

    def pay(self, steps: int) -> None:
        """Pays for an evaluation in it."""
        spend_budget("steps", steps, self.emission.unit.template.source)

    def file(self, path: str) -> str:
        found = self.emission.blocks.files.get(path.removeprefix(f"{HERE}/"))
        if not isinstance(found, str):
            raise Unknown(f"the file {path}")
        return found

    # what names mean

    def name(self, parts: tuple[str, ...]) -> tuple[Any, tuple[str, ...]]:
        length = {"var": 2, "local": 2, "module": 2, "path": 2, "data": 3}.get(parts[0], 2)
        key = parts[:length]
        if key not in self.known:
            if key in self.busy:
                raise Unknown(f"{'.'.join(key)} depends on itself")
            self.busy.add(key)
            try:
                self.known[key] = self.meaning(key)
            except (Unknown, Failed) as e:
                self.known[key] = e
            finally:
                self.busy.discard(key)
        found = self.known[key]
        if isinstance(found, (Unknown, Failed)):
            raise found
        return found, parts[length:]

    def meaning(self, key: tuple[str, ...]) -> Any:
        match key:
            case ("var", label):
                return self.variable(label)
            case ("path", "module"):
                return HERE
            case ("local", label) if label in self.emission.blocks.locals:
                return Evaluation(self, {}).of(self.emission.blocks.locals[label].value)
            case ("module", label) if label in self.calls:
                block = self.calls[label]
                return together({one: Called(self, block, one) for one in self.keys(block)}, block)
            case _ if key in self.blocks or key in self.data:
                block = self.blocks[key] if key in self.blocks else self.data[key]
                return together({one: Instance(self, block, one) for one in self.keys(block)}, block)
        raise Unknown(".".join(key))

    def variable(self, label: str) -> Any:
        if self.given is not None and label in self.given:
            found = self.given[label]()
            if found is not None:
                return found
        unit, names = self.emission.unit, self.emission.names.variables
        name = next((one for one, written in names.items() if written == label), None)
        if name is None:
            return self.synthetic(label)
        param = unit.template.parameters[name]
        if self.given is None and name in unit.stack.bindings:
            return unit.stack.bindings[name].value
        if param.default is None or not ir.is_plain_data(param.default):
            raise Unknown(f"the variable {label}, which has no value")
        try:
            return parameters.convert_value(param.type, ir.to_data(param.default))
        except ValueError:
            raise Unknown(f"the variable {label}") from None

    def synthetic(self, label: str) -> Any:
        """A variable without a parameter: the stack's name, or one with a default."""
        found = self.emission.variables.blocks
        if self.live is not None and "stack_name" in found and found["stack_name"].labels[0] == label:
            return self.live.name
        block = next((b for b in found.values() if b.labels[0] == label), None)
        default = block.find_argument("default") if block is not None else None
        if default is None:
            raise Unknown(f"the variable {label}, which has no value")
        return Evaluation(self, {}).of(default.value)

    def output(self, label: str) -> Any:
        block = self.outputs.get(label)
        found = block.find_argument("value") if block is not None else None
        if found is None:
            raise Unknown(f"the output {label}")
        return Evaluation(self, {}).of(found.value)

    def keys(self, block: Block) -> Sequence[Key]:
        """The keys of the instances of a block. Raises Unknown or Failed."""
        count, each = block.find_argument("count"), block.find_argument("for_each")
        if count is not None:
            found = number(Evaluation(self, {}).of(count.value))
            if int(found) != found:
                raise Failed("count is no whole number")
            spend_budget("members", max(int(found), 0), self.emission.unit.template.source, Span(max(block.at, 0)))
            return list(range(int(found)))
        if each is not None:
            found = Evaluation(self, {}).of(each.value)
            return sorted(map(str, found))
        return [None]

    # going through

    def instances(self) -> Iterator[Instance]:
        """All instances of resources in it and in the modules that it calls. Raises Unknown or Failed."""
        for block in self.blocks.values():
            for key in self.keys(block):
                yield Instance(self, block, key)
        for block in self.calls.values():
            for key in self.keys(block):
                yield from Called(self, block, key).directory.instances()


@final
class Called:
    """One instance of a module."""

    def __init__(self, caller: Directory, block: Block, key: Key) -> None:
        self.caller, self.block, self.key = caller, block, key

    @property
    def directory(self) -> Directory:
        here, known = (id(self.block), self.key), self.caller.children
        if here not in known:
            known[here] = self.caller.plan.directory(self)
        return known[here]

    def attribute(self, name: str) -> Any:
        return self.directory.output(name)


@final
class Plan:
    """All instances. `identify`: the value of an attribute of an instance that no argument gives; `given`: the values
    of variables, by label, instead of those from environments.
    """

    def __init__(
        self,
        root: Attempt,
        modules: Mapping[str, Attempt],
        live: LiveStack | None,
        identify: Callable[[Instance, str], Any],
        given: Mapping[str, Callable[[], Any]] | None = None,
    ) -> None:
        self.modules, self.identify = modules, identify
        self.root = Directory(self, root, live, given=given)

    def directory(self, called: Called) -> Directory:
        """The directory of a call."""
        caller, block, key = called.caller, called.block, called.key
        module = caller.emission.modules[block.labels[0]]
        within = bound(block, caller, key)

        def later(expr: Expr) -> Callable[[], Any]:
            return lambda: Evaluation(caller, within).of(expr)

        given = {item.name: later(item.value) for item in block.body if isinstance(item, Argument)}
        path = keyed(caller.below("module", block.labels[0]), key)
        live, names = running(caller, block, key)
        return Directory(self, self.modules[module.label], live, path, given, names)


def running(caller: Directory, block: Block, key: Key) -> tuple[LiveStack | None, tuple[str, ...]]:
    """The nested stack that an instance of a module stands for, and the names that lead to it."""
    owner = caller.emission.blocks.owner_of.get(id(block))
    resource = caller.live.resources.get(owner) if caller.live is not None and owner is not None else None
    if resource is None or resource.stack is None or owner is None:
        return None, ()
    stack = caller.emission.unit.stack
    if (owner, stack.template.resources[owner].type) in stack.nested:
        return resource.stack, (*caller.names, owner)
    member = member_of(caller, block, key, resource)
    if member is None:
        return None, ()
    return resource.stack.resources[member].stack, (*caller.names, owner, member)


def member_of(directory: Directory, block: Block, key: Key, group: LiveResource) -> str | None:
    """The name of the member of a group that an instance of a block stands for; None if there is none."""
    assert group.stack is not None
    named = directory.emission.blocks.member_of.get(id(block), None if key is None else str(key))
    if named in group.stack.resources:
        return named
    order = in_order(group)  # of members with random names, `count` is the place
    return order[key] if isinstance(key, int) and key < len(order) else None


def bound(block: Block, directory: Directory, key: Key) -> dict[str, Any]:
    """What `count` and `each` are in a block."""
    if key is None:
        return {}
    if isinstance(key, int):
        return {"count": {"index": key}}
    each = block.find_argument("for_each")
    assert each is not None
    found = Evaluation(directory, {}).of(each.value)
    return {"each": {"key": key, "value": found[key] if isinstance(found, dict) else key}}


def together(found: dict[Key, Any], block: Block) -> Any:
    """What the address of a block means: its instance, or all of them."""
    if block.find_argument("count") is not None:
        return list(found.values())
    return found if block.find_argument("for_each") is not None else found[None]


def keyed(address: Expr, key: Key) -> Expr:
    return address if key is None else Index(address, key)
