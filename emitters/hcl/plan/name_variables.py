"""Decides which list parameters of modules hold names where the template may have IDs: the provider gives a server its
security groups by name, and a list of IDs that are known only after apply cannot be looked up inside the module.

For example, a resource has `groups: [default, {get_resource: web}]`, and a server in its nested template uses them. The
call passes `["default", openstack_networking_secgroup_v2.web.name]`.

Invariant: a parameter holds names only if every place that reads it takes them, and if every caller can write the list
out or gets it as names itself.
"""

from __future__ import annotations

import collections
from typing import final

from emitters.hcl.plan.id_variables import template_references
from emitters.hcl.plan.ids import IdVariable
from emitters.hcl.plan.module_values import ModuleValues
from emitters.hcl.plan.modules import TerraformModule
from emitters.hcl.plan.name_forms import UNKNOWN
from emitters.hcl.plan.name_places import nested_keys
from transpile.model import heat_types, ir
from transpile.resolve.groups import nested_parameter_values
from transpile.resolve.lookup_places import FINDS
from transpile.resolve.stack import Stack

KINDS = FINDS["neutron.security_group"]
OF_SERVERS = frozenset(("security_groups",))


@final
class NameVariableChooser:
    """Chooses the parameters of modules that hold names."""

    def __init__(self, values: ModuleValues) -> None:
        self.values, self.modules = values, values.modules
        self.only_names: dict[int, frozenset[str]] = {}  # by the number of a stack: parameters used for nothing else

    def choose_name_parameters(self, module: TerraformModule) -> None:
        lookup = self.modules.tables.find_lookup(KINDS)
        for name in sorted(self.parameters_for_names(module.stack)):
            if self.receives_ids(module.stack, name) and self.callers_can_name(module, name, set()):
                module.name_parameters[name] = IdVariable(ir.ParamRef(name), KINDS, True, lookup)

    def receives_ids(self, stack: Stack, name: str) -> bool:
        """Whether some items of a parameter are IDs that are known only after apply."""
        return bool(UNKNOWN & self.values.forms.possible_forms(stack, None, ir.ParamRef(name), KINDS))

    def callers_can_name(self, module: TerraformModule, name: str, visited: set[tuple[str, str]]) -> bool:
        """Whether every call passes a list that is written out, or one that the caller gets as names itself."""
        if (module.label, name) in visited:
            return True
        visited.add((module.label, name))
        for call in module.calls:
            for argument in branches_of(call.arguments.get(name)):
                if isinstance(argument, ir.ParamRef) and not argument.path:
                    caller = self.modules.module_of_stack(call.stack)
                    if not caller.is_root and not (
                        argument.name in self.parameters_for_names(call.stack)
                        and self.callers_can_name(caller, argument.name, visited)
                    ):
                        return False
                elif not isinstance(argument, (ir.Seq, ir.Lit)):
                    return False
        return True

    def parameters_for_names(self, stack: Stack) -> frozenset[str]:
        """The lists that a stack uses only as the security groups of servers, directly or in nested templates."""
        number = self.values.flow.number_of(stack)
        if number not in self.only_names:
            self.only_names[number] = frozenset()  # a template that nests itself uses them for something else
            self.only_names[number] = self.find_parameters_for_names(stack)
        return self.only_names[number]

    def find_parameters_for_names(self, stack: Stack) -> frozenset[str]:
        uses: collections.Counter[str] = collections.Counter()
        for resource in stack.template.resources.values():
            for word in nested_keys(stack, resource):
                properties = nested_parameter_values(resource, word)
                if (nested := stack.nested.get((resource.name, word))) is not None:
                    taking = self.parameters_for_names(self.modules.module_of_nested(nested).stack)
                elif stack.canonical_type(word, resource.name) == heat_types.NOVA_SERVER:
                    taking = OF_SERVERS
                else:
                    continue
                values = [entry.value for entry in properties.entries if entry.key in taking]
                branches = [branch for value in values for branch in branches_of(value)]
                uses.update(e.name for e in branches if isinstance(e, ir.ParamRef) and not e.path)
        counts = collections.Counter(r.name for r in template_references(stack.template) if isinstance(r, ir.ParamRef))
        parameters = stack.template.parameters
        return frozenset(
            name
            for name, number in uses.items()
            if number == counts[name] and name in parameters and parameters[name].type == "comma_delimited_list"
        )


def branches_of(expr: ir.Expr | None) -> list[ir.Expr]:
    """The values that an expression may be: the branches of an `if`, or itself; none if there is no expression."""
    if isinstance(expr, ir.If):
        return [*branches_of(expr.then), *branches_of(expr.orelse)]
    return [] if expr is None else [expr]
