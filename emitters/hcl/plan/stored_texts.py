"""Finds parameters and outputs of nested templates that pass the ID of a stored text (a software config).

Heat replaces such an ID by the text only in user data and in parts of a multipart message. A value that is used nowhere
else is passed as the text itself. A value that is also used elsewhere must be an ID, which exists only in Heat; then
the servers and messages that would read the text stay with Heat too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import final

from emitters.hcl.plan.modules import Modules, TerraformModule
from transpile.model import heat_types, ir
from transpile.resolve.groups import member_properties, nested_parameter_values
from transpile.resolve.stack import Stack

STORED = (
    heat_types.SOFTWARE_CONFIG,
    heat_types.STRUCTURED_CONFIG,
    heat_types.CLOUD_CONFIG,
    heat_types.MULTIPART_MIME,
)
SERVER, MIME = heat_types.NOVA_SERVER, heat_types.MULTIPART_MIME
SWAPPED = (ir.Lit("RAW"), ir.Lit("SOFTWARE_CONFIG"))  # formats of user data for which Heat swaps an ID
Slot = tuple["TerraformModule", str]


def mark_stored_texts(modules: Modules) -> None:
    """Marks the variables and outputs of all modules that hold a text in place of an ID."""
    slots = TextSlots(modules)
    for module, name in slots.params:
        module.text_params.add(name)
    for module, name in slots.outputs:
        module.text_outputs.add(name)


@final
class TextSlots:
    """Finds the variables and outputs that hold a text in place of an ID: first all candidates, then without those that
    are used as IDs somewhere. Dropping one may make another unfit, so that is repeated.
    """

    def __init__(self, modules: Modules) -> None:
        self.modules = modules
        self.outputs: set[Slot] = set()
        self.params: set[Slot] = set()
        if not modules.order:
            return
        self.add_candidates()
        if self.outputs or self.params:
            self.drop_unfit_candidates()

    # candidates

    def add_candidates(self) -> None:
        """Adds all variables and outputs that may receive the ID of a stored text, until there are no more."""
        grown = True
        while grown:
            before = len(self.outputs) + len(self.params)
            for module in self.modules.order:
                for name, output in module.stack.template.outputs.items():
                    if all(self.is_stored_text(module.stack, e) for e in possible_values(output.value)):
                        self.outputs.add((module, name))
                for call in module.calls:
                    for name, expr in call.arguments.items():
                        if any(self.is_stored_text(call.stack, e) for e in possible_values(expr)):
                            self.params.add((module, name))
            grown = len(self.outputs) + len(self.params) > before

    def is_stored_text(self, stack: Stack, expr: ir.Expr) -> bool:
        """Whether an expression is the ID of a stored text, according to the candidates so far."""
        if isinstance(expr, ir.ResourceRef):
            return stack.types.get(expr.name) in STORED
        if isinstance(expr, ir.ParamRef):
            module = self.modules.module_of_stack(stack)
            return module is not None and not expr.path and (module, expr.name) in self.params
        if isinstance(expr, ir.AttrRef) and len(expr.path) == 1 and isinstance(expr.path[0], ir.Lit):
            nested = (
                stack.nested.get((expr.name, stack.template.resources[expr.name].type))
                if (expr.name in stack.template.resources)
                else None
            )
            return (
                nested is not None and (self.modules.module_of_nested(nested), str(expr.path[0].value)) in self.outputs
            )
        return False

    # elimination

    def drop_unfit_candidates(self) -> None:
        """Drops candidates that are used as IDs, until no more are dropped."""
        lost = True
        while lost:
            lost = False
            for module, name in list(self.params):
                if not self.is_only_text(module.stack, ir.ParamRef(name)):
                    self.drop_candidate(self.params, module, name)
                    lost = True
            for module, name in list(self.outputs):
                uses = [
                    (call.stack, ir.AttrRef(call.resource.name, (ir.Lit(name),)))
                    for call in module.calls
                    if (call.resource.name, call.resource.type) in call.stack.nested
                ]
                if len(uses) < len(module.calls) or not all(self.is_only_text(stack, ref) for stack, ref in uses):
                    self.drop_candidate(self.outputs, module, name)
                    lost = True

    def drop_candidate(self, slots: set[Slot], module: TerraformModule, name: str) -> None:
        """Drops a candidate. The resources that would read its text must then get it from Heat, by the ID."""
        slots.discard((module, name))
        if slots is self.params:
            for owner in self.text_readers(module.stack, ir.ParamRef(name)):
                module.text_partners.setdefault(owner, name)
            return
        for call in module.calls:
            ref = ir.AttrRef(call.resource.name, (ir.Lit(name),))
            sources = dict.fromkeys(self.text_readers(call.stack, ref), call.resource.name)
            mixed = self.modules.text_partners_of(call.stack)
            for owner, source in sources.items():
                mixed.setdefault(owner, source)
                mixed.setdefault(source, owner)

    def text_readers(self, stack: Stack, ref: ir.Expr) -> Iterator[str]:
        """The servers and multipart messages that would read the text."""
        for name, resource in stack.template.resources.items():
            if any(has_same_target(e, ref) for place in text_places(stack, resource) for e in possible_values(place)):
                yield name

    def is_only_text(self, stack: Stack, ref: ir.Expr) -> bool:
        """Whether a value is used only where Heat takes the text."""
        for resource in stack.template.resources.values():
            every = sum(has_same_target(other, ref) for other in resource.refs)
            if not every:
                continue
            meant = [e for place in text_places(stack, resource) for e in possible_values(place)]
            for (owner, written), nested in stack.nested.items():
                if owner == resource.name:
                    arguments = nested_parameter_values(resource, written)
                    inner = self.modules.module_of_nested(nested)
                    for entry in arguments.entries if arguments is not None else ():
                        if (inner, entry.key) in self.params:
                            meant += possible_values(entry.value)
            if sum(has_same_target(e, ref) for e in meant) < every:
                return False
        module = self.modules.module_of_stack(stack)
        for name, output in stack.template.outputs.items():
            if any(has_same_target(other, ref) for other in output.refs) and (
                module is None or (module, name) not in self.outputs
            ):
                return False
        return True


def text_places(stack: Stack, resource: ir.Resource) -> Iterator[ir.Expr]:
    """The expressions of a resource in which Heat replaces the ID of a stored text by the text."""
    kind, properties = resource.kind, resource.properties
    if kind not in (SERVER, MIME):
        properties = member_properties(resource)
        definition = resource.properties.get("resource_def") if resource.properties is not None else None
        written = definition.get("type") if isinstance(definition, ir.Map) else None
        kind = stack.canonical_type(str(written.value)) if isinstance(written, ir.Lit) else ""
    if properties is None:
        return
    if kind == SERVER and properties.get("user_data_format") in SWAPPED:
        if (data := properties.get("user_data")) is not None:
            yield data
    elif kind == MIME and isinstance(parts := properties.get("parts"), ir.Seq):
        for part in parts.items:
            if isinstance(part, ir.Map) and (config := part.get("config")) is not None:
                yield config


def possible_values(expr: ir.Expr | None) -> list[ir.Expr]:
    """The possible values of an expression: itself, or the branches of an `if`."""
    if isinstance(expr, ir.If):
        return [*possible_values(expr.then), *possible_values(expr.orelse)]
    return [expr] if expr is not None else []


def has_same_target(first: ir.Expr, second: ir.Expr) -> bool:
    """Whether two references have the same target."""
    if isinstance(first, ir.ParamRef) and isinstance(second, ir.ParamRef):
        return first.name == second.name
    if isinstance(first, ir.AttrRef) and isinstance(second, ir.AttrRef):
        return first.name == second.name and first.path[:1] == second.path[:1]
    return False
