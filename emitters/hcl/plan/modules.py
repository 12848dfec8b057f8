"""Nested templates that become modules: one for each template and what its registry leaves, however often it is used.

The easy rule to break: a module is written once, for all who call it: what is known of its parameters is what all
calls have in common, and what one call asks for beyond its outputs is an output for all.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, NamedTuple, final

from emitters.hcl.namespace import Names, snake
from transpile.model import ir
from transpile.model.records import replace
from transpile.resolve.groups import INSIDE, given_by, passed_on

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from collections.abc import Set as AbstractSet

    from emitters.hcl.tree.nodes import Block
    from emitters.hcl.tree.types import Value
    from transpile.report import Report
    from transpile.resolve.linker import Nested, Stack
    from transpile.resolve.registry import Registry

DEPTH = 8  # calls inside calls that a value is followed through
MEMBERS = "resource."  # before the name of a resource inside, in an attribute


class Call(NamedTuple):
    """A use of a module: the stack that uses it, and what is given to each of its parameters."""

    stack: Stack
    resource: ir.Resource
    given: dict[str, ir.Expr]


@final
@dataclasses.dataclass(frozen=True, slots=True)
class Interface:
    """What a written module offers to its callers.

    variables: by parameter. synthetic: variables without a parameter, by key. region: the variable that takes a region;
    empty if there is none. outputs: by the template's name. sensitive: labels of outputs with secrets. report: what
    became of its template.
    """

    variables: Mapping[str, str]
    synthetic: Mapping[str, Block]
    region: str
    outputs: Mapping[str, Value]
    sensitive: AbstractSet[str]
    report: Report


@final
@dataclasses.dataclass(eq=False)
class Module:
    """A directory below `modules/`.

    `extra`: outputs that the template has not got, by resource and path; `secret`: parameters that get something
    hidden; `interface`: what it offers to its callers, None until it is written, or if it cannot be.
    """

    label: str
    file: str
    stack: Stack
    calls: list[Call] = dataclasses.field(default_factory=list)
    extra: dict[tuple[str, tuple[ir.Expr, ...]], str] = dataclasses.field(default_factory=dict)
    secret: set[str] = dataclasses.field(default_factory=set)
    regional: bool = False  # it may be made in a region that its caller names
    mixed: dict[str, str] = dataclasses.field(default_factory=dict)  # what must stay with Heat, each with its partner
    text_params: set[str] = dataclasses.field(default_factory=set)  # that hold a stored text in place of its ID
    text_outputs: set[str] = dataclasses.field(default_factory=set)  # likewise
    null: set[str] = dataclasses.field(default_factory=set)  # variables that may be given null
    interface: Interface | None = None
    why: str = ""  # it cannot be a module

    @property
    def folder(self) -> str:
        return f"modules/{self.label}"

    def resource(self, name: str) -> bool:
        return name in self.stack.template.resources


@final
class Modules:
    """All modules of a root template, each after those that it calls itself."""

    def __init__(self, root: Stack) -> None:
        self.root = root
        self.modules: dict[tuple[str, int], Module] = {}
        self.order: list[Module] = []
        self.of_text: dict[tuple[int, int], Module] = {}  # by the text and the registry, both of which live on
        self.names = Names()
        self.registries: list[Registry] = []  # kept alive, for they are told apart by identity
        self.root_mixed: dict[str, str] = {}
        self.walk(root)

    def walk(self, stack: Stack) -> None:
        for (name, written), nested in stack.nested.items():
            key = nested.file, id(nested.stack.registry)
            if key not in self.modules:
                self.registries.append(nested.stack.registry)
                stem = nested.file.rpartition("/")[2].partition(".")[0]
                module = self.modules[key] = Module(self.names.take(snake(stem) or "module"), nested.file, nested.stack)
                self.of_text[id(nested.stack.template.source), id(nested.stack.registry)] = module
                self.walk(nested.stack)
                self.order.append(module)
            module = self.modules[key]
            resource = stack.template.resources[name]
            module.calls.append(Call(stack, resource, arguments(resource, written)))
            if written == INSIDE:
                module.regional |= region_of(resource) is not None
                continue  # a stack of its own shows its outputs, and nothing else
            for ref in asked(stack, name):
                self.ask(module, ref, grouped=written != resource.type)

    def of(self, nested: Nested) -> Module:
        return self.modules[nested.file, id(nested.stack.registry)]

    def ask(self, module: Module, ref: ir.AttrRef, *, grouped: bool) -> None:
        """What a reference wants of the resources inside a module: an output more."""
        inner = inside(ref, grouped=grouped)
        if inner is None or not module.resource(inner[0]) or inner in module.extra:
            return
        name, path = inner
        taken = set(module.stack.template.outputs) | set(module.extra.values())
        words = [name, *(str(p.value) for p in path if isinstance(p, ir.Lit))]
        module.extra[inner] = Names(taken).take("_".join(words) if path else f"{name}_id")

    def share(self) -> None:
        """What is known of the modules once all calls are: the outputs that they have more, and what is hidden."""
        for module in self.order:
            template = module.stack.template
            if module.extra:
                outputs = dict(template.outputs)
                for (name, path), label in module.extra.items():
                    value = ir.AttrRef(name, path) if path else ir.ResourceRef(name)
                    outputs[label] = ir.Output(label, value, refs=(value,))
                module.stack = replace(module.stack, template=replace(template, outputs=outputs))
        for module in reversed(self.order):
            for nested in module.stack.nested.values():
                self.of(nested).regional |= module.regional
            template = module.stack.template
            module.secret |= {name for name, param in template.parameters.items() if param.hidden}
            for call in module.calls:
                hidden = self.hidden(call.stack)
                for name, expr in call.given.items():
                    if any(isinstance(e, ir.ParamRef) and e.name in hidden for e in ir.walk(expr)):
                        module.secret.add(name)

    def mixed(self, stack: Stack) -> dict[str, str]:
        """What must stay with Heat in a stack for stored texts whose IDs go elsewhere too."""
        module = self.called(stack)
        return module.mixed if module is not None else self.root_mixed

    def called(self, stack: Stack) -> Module | None:
        """The module that a stack is; None for the root."""
        return self.of_text.get((id(stack.template.source), id(stack.registry)))

    def known(self, stack: Stack, expr: ir.Expr, depth: int = DEPTH) -> list[Any] | None:
        """The values of an expression of a stack that are known: written out, or those of a parameter (given, default,
        allowed) all the way up; None where that tells nothing.
        """
        if isinstance(expr, ir.Lit):
            return [expr.value]
        if not isinstance(expr, ir.ParamRef) or not depth or not all(isinstance(p, ir.Lit) for p in expr.path):
            return None
        param, module = stack.template.parameters.get(expr.name), self.called(stack)
        if param is None:
            return None
        allowed = [c.value for c in param.constraints if c.kind == "allowed_values"]
        found: list[Any] = [data for one in allowed if isinstance(one, ir.Seq) for data in ir.data(one)]
        calls = module.calls if module is not None else []
        for call in calls:
            if expr.name in call.given:
                values = self.known(call.stack, call.given[expr.name], depth - 1)
                if values is None:
                    return None
                found += values
        if not calls or any(expr.name not in call.given for call in calls):
            if expr.name in stack.given:
                found.append(stack.given[expr.name].value)
            if param.default is not None and ir.literal(param.default):
                found.append(ir.data(param.default))
        return [at_path(value, [p.value for p in expr.path if isinstance(p, ir.Lit)]) for value in found]

    def hidden(self, stack: Stack) -> set[str]:
        """The parameters of a stack that are hidden, or get something hidden."""
        if (module := self.called(stack)) is not None:
            return module.secret
        return {name for name, param in stack.template.parameters.items() if param.hidden}


def at_path(value: Any, path: list[Any]) -> Any:
    """What a path leads to inside a value; None where it leads nowhere."""
    for key in path:
        try:
            value = value[int(key) if isinstance(value, list) else key]
        except (LookupError, TypeError, ValueError):
            return None
    return value


def arguments(resource: ir.Resource, written: str) -> dict[str, ir.Expr]:
    """What a resource, or the definition of its members, gives to the parameters of a template."""
    names = set(given_by(resource, written))
    properties = passed_on(resource, written)
    return {e.key: e.value for e in properties.entries if e.key in names} if properties is not None else {}


def region_of(resource: ir.Resource) -> ir.Expr | None:
    """The region that a stack of its own is made in; None for the one that the provider is set to."""
    context = resource.properties.get("context") if resource.properties is not None else None
    found = context.get("region_name") if isinstance(context, ir.Map) else None
    return found if found != ir.Lit(None) else None


def asked(stack: Stack, name: str) -> Iterator[ir.AttrRef]:
    """The references to attributes of a resource, and to those of what is inside it."""
    owners: list[ir.Resource | ir.Output] = [*stack.template.resources.values(), *stack.template.outputs.values()]
    for owner in owners:
        for ref in owner.refs:
            if isinstance(ref, ir.AttrRef) and ref.name == name:
                yield ref


def inside(ref: ir.AttrRef, *, grouped: bool) -> tuple[str, tuple[ir.Expr, ...]] | None:
    """The resource inside a nested stack that a reference means, and the path of its attribute. Of a group, whose
    members have numbers: the resource inside a member.
    """
    path = ref.path
    if grouped:
        path = member_path(path)
    first = path[0] if path else None
    if not isinstance(first, ir.Lit) or not isinstance(first.value, str) or not first.value.startswith(MEMBERS):
        return None
    name, dot, attribute = first.value.removeprefix(MEMBERS).partition(".")
    return name, ((ir.Lit(attribute),) if dot else ()) + path[1:]


def member_path(path: tuple[ir.Expr, ...]) -> tuple[ir.Expr, ...]:
    """What the path of a group's attribute asks of its members; empty where it asks for the members themselves."""
    first = path[0] if path else None
    if not isinstance(first, ir.Lit) or not isinstance(first.value, str):
        return ()
    if first.value in ("refs", "refs_map"):
        return ()
    if first.value in ("attributes", "outputs", "outputs_list"):
        return path[1:]
    if first.value.startswith(MEMBERS):
        _, dot, attribute = first.value.removeprefix(MEMBERS).partition(".")
        return ((ir.Lit(attribute),) if dot else ()) + path[1:]
    return path
