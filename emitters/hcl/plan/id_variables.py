"""Decides which variables of modules hold an ID where the template has a name: parameters, and additional variables.

Invariant: a parameter holds IDs only if every place that reads it takes one, and if every caller can look the ID up.
"""

from __future__ import annotations

import collections
from collections.abc import Iterator
from typing import TypeAlias, final

from emitters.hcl.namespace import UniqueNames, snake_case
from emitters.hcl.plan import presence
from emitters.hcl.plan.ids import IdVariable
from emitters.hcl.plan.module_values import ModuleValues
from emitters.hcl.plan.modules import TerraformModule
from emitters.hcl.plan.name_forms import LOOKED_UP, UNKNOWN
from emitters.hcl.plan.name_places import NamePlaces
from transpile.model import ir
from transpile.resolve.lookup_places import Types
from transpile.resolve.stack import Stack

Use: TypeAlias = "tuple[ir.ParamRef | ir.Lit, Types, bool]"  # types: those that Heat looks for; bool: a list


@final
class IdVariableChooser:
    """Chooses the variables of modules that hold IDs."""

    def __init__(self, values: ModuleValues, places: NamePlaces) -> None:
        self.values, self.places, self.tables = values, places, values.modules.tables

    def choose_id_variables(self, module: TerraformModule) -> None:
        """Decides which parameters of a module hold IDs. A parameter that is used only in such places receives the ID
        itself. A parameter that is also used as a text keeps the name, and gets a further variable for the ID.
        """
        uses: collections.Counter[Use] = collections.Counter()

        def count_use(owner: ir.Resource, expr: ir.Expr, kinds: Types, listed: bool) -> ir.Expr:
            if isinstance(expr, (ir.ParamRef, ir.Lit)) and not (isinstance(expr, ir.ParamRef) and expr.path):
                uses[without_span(expr), kinds, listed] += 1
            return expr

        stack, template = module.stack, module.stack.template
        for resource in template.resources.values():
            self.places.map_name_places(stack, resource, count_use)
        for resource in template.resources.values():
            for _, variable, value in self.places.implied_arguments(stack, resource):
                for use in leaf_values(value):
                    uses[without_span(use), variable.kinds, variable.listed] += (
                        0  # a place that takes an ID, but no use of its own
                    )
        taken = UniqueNames({*template.parameters, *module.presence_variables.values()})
        counts = collections.Counter(ref.name for ref in template_references(template) if isinstance(ref, ir.ParamRef))
        counts.subtract(name for name in presence.tested_parameters(template) if name in module.presence_variables)
        for (source, kinds, listed), count in uses.items():
            if isinstance(source, ir.ParamRef):
                if self.receives_ids(module, source, kinds, listed=listed):
                    by_id, every = (
                        IdVariable(source, kinds, listed, self.tables.find_lookup(kinds)),
                        counts[source.name],
                    )
                    if count == every:
                        module.id_parameters[source.name] = by_id
                    else:
                        module.id_variables[taken.reserve_name(f"{source.name}_id")] = by_id
            elif not listed and self.made_outside(module, source, kinds):
                module.id_variables[taken.reserve_name(f"{snake_case(str(source.value))}_id")] = IdVariable(
                    source, kinds, listed, self.tables.find_lookup(kinds)
                )

    def receives_ids(self, module: TerraformModule, source: ir.ParamRef, kinds: Types, *, listed: bool) -> bool:
        """Whether a parameter must hold IDs: a caller passes the name of a resource that the configuration makes, or
        some callers pass names and others IDs that are known only after apply.
        """
        if module.stack.template.type_of_parameter(source.name) != ("comma_delimited_list" if listed else "string"):
            return False
        forms = self.values.forms.possible_forms(module.stack, None, source, kinds)
        if not (
            "own" in forms or (forms & UNKNOWN and forms & LOOKED_UP and self.tables.find_lookup(kinds) is not None)
        ):
            return False
        return all(
            self.can_look_up(call.stack, call.arguments.get(source.name), listed=listed) for call in module.calls
        )

    def can_look_up(self, stack: Stack, argument: ir.Expr | None, *, listed: bool) -> bool:
        """Whether the caller can look up the names in an argument. It cannot if a list of names is computed."""
        if isinstance(argument, ir.If):
            can_look_up = (self.can_look_up(stack, branch, listed=listed) for branch in argument.branches)
            return not ir.is_optional(argument) and all(can_look_up)
        if not listed or argument is None or isinstance(argument, (ir.Seq, ir.AttrRef)):
            return True
        if isinstance(argument, ir.ParamRef):
            return stack.template.type_of_parameter(argument.name) == "comma_delimited_list" and not argument.path
        return isinstance(argument, ir.Lit) and isinstance(argument.value, str)

    def made_outside(self, module: TerraformModule, source: ir.Expr, kinds: Types) -> bool:
        """Whether a literal in a module is the name of a resource that a caller of the module makes."""
        if not any((kind, source) in self.values.forms.names for kind in kinds):
            return False
        if self.values.origins.find_named_resource(module.stack, source, kinds) is not None:
            return False
        return any(
            "own" in self.values.forms.possible_forms(call.stack, call.resource, source, kinds) for call in module.calls
        )


def leaf_values(expr: ir.Expr) -> Iterator[ir.ParamRef | ir.Lit]:
    """The parameters and literals among the possible values of an expression, and the items of a list."""
    if isinstance(expr, ir.Lit) or (isinstance(expr, ir.ParamRef) and not expr.path):
        yield expr
    elif isinstance(expr, ir.If):
        for branch in expr.branches:
            yield from leaf_values(branch)
    elif isinstance(expr, ir.Seq):
        for item in expr.items:
            yield from leaf_values(item)


def without_span(expr: ir.ParamRef | ir.Lit) -> ir.ParamRef | ir.Lit:
    """A value without its place in the template, so that equal values are equal keys."""
    return ir.ParamRef(expr.name) if isinstance(expr, ir.ParamRef) else ir.Lit(expr.value)


def template_references(template: ir.Template) -> list[ir.Ref]:
    """All references of a template."""
    references = [ref for resource in template.resources.values() for ref in resource.refs]
    references += [ref for output in template.outputs.values() for ref in output.refs]
    return references + [ref for condition in template.conditions.values() for ref in condition.refs]
