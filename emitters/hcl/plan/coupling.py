"""Finds coupled resources across nested templates, such as a deployment and its server or a handle and its sender.

Coupling follows the data flow. A value passed into or out of a nested template couples two resources as if both were in
one template. The nested template then stays with Heat as a whole, in the stack of its partner: Heat gives credentials
only to servers of the same stack, and waits before it returns a value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, final

from emitters.hcl.plan.modules import arguments
from emitters.hcl.plan.signals import RECEIVERS
from transpile.model import ir
from transpile.model.attribute_paths import path_inside
from transpile.resolve import graph
from transpile.resolve.groups import INSIDE
from transpile.resolve.lifecycle import DEPLOYMENTS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from emitters.hcl.tables.tables import Tables
    from transpile.resolve.stack import Stack

Ties = frozenset[str]
Released: TypeAlias = "Callable[[Stack], bool]"
IDENTITY = "OS::stack_id"  # the output that a reference to a nested template means


def never(stack: Stack) -> bool:
    """The answer for a faithful output: no nested template does without Heat."""
    return False


def kept(
    stack: Stack, tables: Tables, free: Collection[str] = (), released: Released = never, deployed: Released = never
) -> dict[str, str]:
    """The resources that stay with Heat because of coupling across nested templates, each with its partner.

    free: receivers of signals and deployments of this stack that do not need Heat. released: whether the receivers of
    signals in a nested template need no Heat; deployed: whether its deployments need none.
    """
    if not stack.nested:
        return {}
    values, place = (
        Values(stack, tables, released, deployed),
        {name: i for i, name in enumerate(stack.template.resources)},
    )
    found: dict[str, str] = {}
    for name, written in stack.nested:
        resource = stack.template.resources[name]
        for param, expr in arguments(resource, written).items():
            inside = values.of(name, written).takes(param)
            for other in sorted(values.sources(expr), key=place.__getitem__):
                if other not in free and ties(tables, inside, values.types(other, expr)):
                    found.setdefault(name, other)
                    found.setdefault(other, name)
    for name, resource in stack.template.resources.items():
        for ref in dict.fromkeys(values.refs(resource)) if values.plain(name) and name not in free else ():
            if ties(tables, frozenset((stack.types[name],)), values.given(ref)):
                found.setdefault(name, ref.name)
                found.setdefault(ref.name, name)
    return found


def ties(tables: Tables, some: Ties, others: Ties) -> bool:
    return any(tables.tied(one, other) for one in some for other in others)


@final
class Values:
    """The data flow of one stack: where values go and come from. Folded resources are transparent: a value that passes
    through an OS::Heat::Value comes from where that one has it.
    """

    def __init__(self, stack: Stack, tables: Tables, released: Released, deployed: Released) -> None:
        self.stack, self.template, self.tables = stack, stack.template, tables
        self.released, self.deployed = released, deployed
        self.inner: dict[int, Values] = {}
        self.taken: dict[str, Ties] = {}
        self.written: dict[str, list[str]] = {}  # the types of nested templates, by resource
        for name, written in stack.nested:
            self.written.setdefault(name, []).append(written)

    def folded(self, name: str) -> bool:
        """Whether the output has no resource for this one, only its value."""
        kind = self.tables.find(self.stack.types[name])
        return kind is not None and kind.treatment == "folded"

    def plain(self, name: str) -> bool:
        """Whether a resource, or its members, have no nested template."""
        return name not in self.written

    def of(self, name: str, written: str) -> Values:
        """The data flow inside a nested template. written: its key beside the resource."""
        inner = self.stack.nested[name, written].stack
        if id(inner) not in self.inner:
            self.inner[id(inner)] = Values(inner, self.tables, self.released, self.deployed)
        return self.inner[id(inner)]

    def near(self, name: str) -> set[str]:
        """The resources that a resource refers to, directly or through folded ones."""
        return graph.reachable(self.stack.needs, [name], self.folded)

    def sources(self, expr: ir.Expr) -> set[str]:
        """The resources that an expression refers to, directly or through folded ones."""
        direct = [e.name for e in ir.walk(expr) if isinstance(e, (ir.ResourceRef, ir.AttrRef))]
        here = [n for n in direct if n in self.template.resources]
        return set(here) | graph.reachable(self.stack.needs, [n for n in here if self.folded(n)], self.folded)

    def refs(self, owner: ir.Resource | ir.Output) -> Iterator[ir.ResourceRef | ir.AttrRef]:
        """The references of a resource or output, directly or through folded resources."""
        names = {r.name for r in owner.refs if isinstance(r, (ir.ResourceRef, ir.AttrRef))}
        known = self.template.resources.keys() & names
        through = {n for n in known if self.folded(n)}
        through |= {n for n in graph.reachable(self.stack.needs, through, self.folded) if self.folded(n)}
        for one in (owner, *(self.template.resources[n] for n in through)):
            yield from (r for r in one.refs if isinstance(r, (ir.ResourceRef, ir.AttrRef)))

    def types(self, name: str, expr: ir.Expr) -> Ties:
        """The types behind a resource in an expression: its own, or those behind the outputs of its nested template."""
        if self.plain(name):
            return frozenset((self.stack.types[name],))
        mine = [e for e in ir.walk(expr) if isinstance(e, (ir.ResourceRef, ir.AttrRef)) and e.name == name]
        return frozenset().union(*(self.given(ref) for ref in mine))

    def given(self, ref: ir.ResourceRef | ir.AttrRef) -> Ties:
        """The types behind a reference to a nested template or a group of them: to an attribute, or to its identity."""
        found: set[str] = set()
        for written in self.written.get(ref.name, ()):
            own = written in (INSIDE, self.template.resources[ref.name].type)
            inner = self.of(ref.name, written)
            lost = RECEIVERS if self.released(inner.stack) else ()
            if isinstance(ref, ir.ResourceRef):
                found |= inner.gives(IDENTITY).difference(lost) if own else set()
                continue
            path = ref.path if own else path_inside(self.stack.types[ref.name], ref.path)
            first = path[0] if path else None
            if isinstance(first, ir.Lit):
                found |= inner.gives(str(first.value)).difference(lost)
            elif not own:  # refs and refs_map
                found |= inner.gives(IDENTITY).difference(lost)
        return frozenset(found)

    def takes(self, param: str) -> Ties:
        """The types of the resources that use a parameter's value."""
        if param not in self.taken:
            self.taken[param] = frozenset()  # ends the recursion if templates nest in each other
            found: set[str] = set()
            users = {n for n, r in self.template.resources.items() if uses(r, param)}
            through = {n for n in users if self.folded(n)}
            lost = DEPLOYMENTS if self.deployed(self.stack) else ()
            for name, resource in self.template.resources.items():
                if name in users or self.near(name) & through:
                    found.update({self.stack.types[name]}.difference(lost))
                    for written in self.written.get(name, ()):
                        for inner, expr in arguments(resource, written).items():
                            if any(isinstance(e, ir.ParamRef) and e.name == param for e in ir.walk(expr)):
                                found |= self.of(name, written).takes(inner)
            self.taken[param] = frozenset(found)
        return self.taken[param]

    def gives(self, output: str) -> Ties:
        """The types of the resources that an output's value comes from."""
        declared = self.template.outputs.get(output)
        if declared is None:
            return frozenset()
        found = {self.stack.types[name] for name in self.sources(declared.value)}
        for ref in self.refs(declared):
            if ref.name in self.template.resources and not self.plain(ref.name):
                found |= self.given(ref)
        return frozenset(found)


def uses(resource: ir.Resource, param: str) -> bool:
    return any(isinstance(r, ir.ParamRef) and r.name == param for r in resource.refs)
