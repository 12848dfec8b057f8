"""The places of a resource that take the name or the ID of another one, and arguments of modules for such places.

Invariant: which parameters of a module hold IDs is asked when a place is visited: callees are decided before callers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias, final

from emitters.hcl.plan.ids import IdVariable
from emitters.hcl.plan.modules import Modules
from transpile.model import ir
from transpile.model.records import replace
from transpile.resolve import lookup_places
from transpile.resolve.groups import INSIDE, member_types, nested_parameter_values
from transpile.resolve.lookup_places import Types
from transpile.resolve.origins import find_default_value
from transpile.resolve.stack import NestedStack, Stack

Leaf: TypeAlias = "Callable[[ir.Resource, ir.Expr, Types, bool], ir.Expr]"


@final
class NamePlaces:
    """The places in the stacks of these modules."""

    def __init__(self, modules: Modules) -> None:
        self.modules = modules

    def map_name_places(self, stack: Stack, resource: ir.Resource, leaf: Leaf) -> ir.Resource:
        """A resource with `leaf` applied wherever it takes a name or an ID, also for parameters that hold IDs."""

        def apply_leaf(expr: ir.Expr, kinds: Types, listed: bool) -> ir.Expr:
            return leaf(resource, expr, kinds, listed)

        result = resource
        for word in nested_keys(stack, resource):
            inner = nested_parameter_values(result, word)
            nested = stack.nested.get((resource.name, word))
            if nested is None and word == INSIDE:
                continue
            if nested is not None:
                new = self.map_arguments(nested, inner, apply_leaf)
            else:
                kind = resource.kind if word == resource.type else stack.canonical_type(word, resource.name)
                new = lookup_places.change_lookups(kind, stack.catalog.find_type(kind), inner, apply_leaf)
            if new is not inner:
                result = replace(result, properties=swap_map(result.properties, inner, new))
        return result

    def map_arguments(self, nested: NestedStack, arguments: ir.Map, change: lookup_places.Change) -> ir.Map:
        """The arguments of a call with `change` applied to those that hold IDs."""
        ids = self.modules.module_of_nested(nested).id_parameters
        entries = tuple(
            [
                replace(
                    e,
                    value=lookup_places.change_argument(e.value, variable.kinds, listed=variable.listed, change=change),
                )
                if (variable := ids.get(e.key)) is not None
                else e
                for e in arguments.entries
            ]
        )
        return replace(arguments, entries=entries) if any(e.key in ids for e in arguments.entries) else arguments

    def implied_arguments(
        self, stack: Stack, resource: ir.Resource
    ) -> Iterator[tuple[tuple[str, str], IdVariable, ir.Expr]]:
        """The values that a resource passes to modules for variables that its properties do not set: the names whose
        IDs the variables hold. Each with the module and variable.
        """
        for word in nested_keys(stack, resource):
            if (nested := stack.nested.get((resource.name, word))) is None:
                continue
            module, properties = self.modules.module_of_nested(nested), nested_parameter_values(resource, word)
            for label, variable in (*module.id_parameters.items(), *module.id_variables.items()):
                value: ir.Expr | None = variable.source
                if isinstance(value, ir.ParamRef):
                    argument = properties.get(value.name)
                    param = module.stack.template.parameters.get(value.name)
                    if argument is not None and label in module.id_parameters:
                        continue  # the call's own argument
                    value = (
                        find_default_value(module.stack, param) if argument is None and param is not None else argument
                    )
                    if argument is None and value == ir.Lit("") and label in module.id_parameters:
                        continue  # the variable has the same default
                if value is not None:
                    yield (module.label, label), variable, value


def nested_keys(stack: Stack, resource: ir.Resource) -> list[str]:
    """The keys of nested stacks that a resource may have: its type, its own template, the types of its members."""
    words = [word for word, _, _ in member_types(resource, resource.kind)]
    return list(dict.fromkeys([resource.type, INSIDE, *words]))


def swap_map(properties: ir.Map, old: ir.Map, new: ir.Map) -> ir.Map:
    """Properties with one map in them replaced, at most two levels down."""
    if properties is old:
        return new

    def swap_inside(expr: ir.Expr, depth: int) -> ir.Expr:
        if expr is old:
            return new
        return ir.rebuilt(expr, lambda e: swap_inside(e, depth - 1)) if isinstance(expr, ir.Map) and depth else expr

    result = swap_inside(properties, 2)
    assert isinstance(result, ir.Map)
    return result
