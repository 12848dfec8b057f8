"""Finds parameters and outputs of nested templates that pass the ID of a stored text (a software config).

Heat replaces such an ID by the text only in user data and in parts of a multipart message. A value that is used nowhere
else is passed as the text itself. A value that is also used elsewhere must be an ID, which exists only in Heat; then
the servers and messages that would read the text stay with Heat too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from transpile.model import heat_types, ir
from transpile.resolve.groups import member_properties, passed_on

if TYPE_CHECKING:
    from collections.abc import Iterator

    from emitters.hcl.plan.modules import Module, Modules
    from transpile.resolve.stack import Stack

STORED = (
    heat_types.SOFTWARE_CONFIG,
    heat_types.STRUCTURED_CONFIG,
    heat_types.CLOUD_CONFIG,
    heat_types.MULTIPART_MIME,
)
SERVER, MIME = heat_types.NOVA_SERVER, heat_types.MULTIPART_MIME
SWAPPED = (ir.Lit("RAW"), ir.Lit("SOFTWARE_CONFIG"))  # formats of user data for which Heat swaps an ID
Slot = tuple["Module", str]


def mark(modules: Modules) -> None:
    """Marks the variables and outputs of all modules that hold a text in place of an ID."""
    found = Texts(modules)
    for module, name in found.params:
        module.text_params.add(name)
    for module, name in found.outputs:
        module.text_outputs.add(name)


@final
class Texts:
    """Finds the variables and outputs that hold a text in place of an ID: first all candidates, then without those that
    are used as IDs somewhere. Dropping one may make another unfit, so that is repeated.
    """

    def __init__(self, modules: Modules) -> None:
        self.modules = modules
        self.outputs: set[Slot] = set()
        self.params: set[Slot] = set()
        if not modules.order:
            return
        self.candidates()
        if self.outputs or self.params:
            self.settle()

    # candidates

    def candidates(self) -> None:
        """Adds all variables and outputs that may receive the ID of a stored text, until there are no more."""
        grown = True
        while grown:
            before = len(self.outputs) + len(self.params)
            for module in self.modules.order:
                for name, output in module.stack.template.outputs.items():
                    if all(self.stored(module.stack, e) for e in branches(output.value)):
                        self.outputs.add((module, name))
                for call in module.calls:
                    for name, expr in call.given.items():
                        if any(self.stored(call.stack, e) for e in branches(expr)):
                            self.params.add((module, name))
            grown = len(self.outputs) + len(self.params) > before

    def stored(self, stack: Stack, expr: ir.Expr) -> bool:
        """Whether an expression is the ID of a stored text, according to the candidates so far."""
        if isinstance(expr, ir.ResourceRef):
            return stack.types.get(expr.name) in STORED
        if isinstance(expr, ir.ParamRef):
            module = self.modules.called(stack)
            return module is not None and not expr.path and (module, expr.name) in self.params
        if isinstance(expr, ir.AttrRef) and len(expr.path) == 1 and isinstance(expr.path[0], ir.Lit):
            nested = (
                stack.nested.get((expr.name, stack.template.resources[expr.name].type))
                if (expr.name in stack.template.resources)
                else None
            )
            return nested is not None and (self.modules.of(nested), str(expr.path[0].value)) in self.outputs
        return False

    # elimination

    def settle(self) -> None:
        """Drops candidates that are used as IDs, until no more are dropped."""
        lost = True
        while lost:
            lost = False
            for module, name in list(self.params):
                if not self.only_text(module.stack, ir.ParamRef(name)):
                    self.drop(self.params, module, name)
                    lost = True
            for module, name in list(self.outputs):
                uses = [
                    (call.stack, ir.AttrRef(call.resource.name, (ir.Lit(name),)))
                    for call in module.calls
                    if (call.resource.name, call.resource.type) in call.stack.nested
                ]
                if len(uses) < len(module.calls) or not all(self.only_text(stack, ref) for stack, ref in uses):
                    self.drop(self.outputs, module, name)
                    lost = True

    def drop(self, slots: set[Slot], module: Module, name: str) -> None:
        """Drops a candidate. The resources that would read its text must then get it from Heat, by the ID."""
        slots.discard((module, name))
        if slots is self.params:
            for owner in self.readers(module.stack, ir.ParamRef(name)):
                module.mixed.setdefault(owner, name)
            return
        for call in module.calls:
            ref = ir.AttrRef(call.resource.name, (ir.Lit(name),))
            found = dict.fromkeys(self.readers(call.stack, ref), call.resource.name)
            mixed = self.modules.mixed(call.stack)
            for owner, source in found.items():
                mixed.setdefault(owner, source)
                mixed.setdefault(source, owner)

    def readers(self, stack: Stack, ref: ir.Expr) -> Iterator[str]:
        """The servers and multipart messages that would read the text."""
        for name, resource in stack.template.resources.items():
            if any(same(e, ref) for place in places(stack, resource) for e in branches(place)):
                yield name

    def only_text(self, stack: Stack, ref: ir.Expr) -> bool:
        """Whether a value is used only where Heat takes the text."""
        for resource in stack.template.resources.values():
            every = sum(same(one, ref) for one in resource.refs)
            if not every:
                continue
            meant = [e for place in places(stack, resource) for e in branches(place)]
            for (owner, written), nested in stack.nested.items():
                if owner == resource.name:
                    given = passed_on(resource, written)
                    inner = self.modules.of(nested)
                    for entry in given.entries if given is not None else ():
                        if (inner, entry.key) in self.params:
                            meant += branches(entry.value)
            if sum(same(e, ref) for e in meant) < every:
                return False
        module = self.modules.called(stack)
        for name, output in stack.template.outputs.items():
            if any(same(one, ref) for one in output.refs) and (module is None or (module, name) not in self.outputs):
                return False
        return True


def places(stack: Stack, resource: ir.Resource) -> Iterator[ir.Expr]:
    """The expressions of a resource in which Heat replaces the ID of a stored text by the text."""
    kind, properties = resource.kind, resource.properties
    if kind not in (SERVER, MIME):
        properties = member_properties(resource)
        definition = resource.properties.get("resource_def") if resource.properties is not None else None
        written = definition.get("type") if isinstance(definition, ir.Map) else None
        kind = stack.type_of(str(written.value)) if isinstance(written, ir.Lit) else ""
    if properties is None:
        return
    if kind == SERVER and properties.get("user_data_format") in SWAPPED:
        if (data := properties.get("user_data")) is not None:
            yield data
    elif kind == MIME and isinstance(parts := properties.get("parts"), ir.Seq):
        for part in parts.items:
            if isinstance(part, ir.Map) and (config := part.get("config")) is not None:
                yield config


def branches(expr: ir.Expr | None) -> list[ir.Expr]:
    """The possible values of an expression: itself, or the branches of an `if`."""
    if isinstance(expr, ir.If):
        return [*branches(expr.then), *branches(expr.orelse)]
    return [expr] if expr is not None else []


def same(one: ir.Expr, other: ir.Expr) -> bool:
    """Whether two references have the same target."""
    if isinstance(one, ir.ParamRef) and isinstance(other, ir.ParamRef):
        return one.name == other.name
    if isinstance(one, ir.AttrRef) and isinstance(other, ir.AttrRef):
        return one.name == other.name and one.path[:1] == other.path[:1]
    return False
