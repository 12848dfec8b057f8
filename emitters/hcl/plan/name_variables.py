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


@final
class NameVariableChooser:
    """Chooses the parameters of modules that hold names. Callees must be decided before their callers."""

    def __init__(self, values: ModuleValues) -> None:
        self.values, self.modules = values, values.modules

    def choose_name_parameters(self, module: TerraformModule) -> None:
        for param in module.stack.template.parameters.values():
            if param.type == "comma_delimited_list" and self.receives_names(module, param):
                lookup = self.modules.tables.find_lookup(KINDS)
                module.name_parameters[param.name] = IdVariable(ir.ParamRef(param.name), KINDS, True, lookup)

    def receives_names(self, module: TerraformModule, param: ir.Param) -> bool:
        """Whether a parameter must hold names: some items are IDs that are known only after apply."""
        ref = ir.ParamRef(param.name)
        if not self.is_used_for_names_only(module.stack, param.name):
            return False
        if not UNKNOWN & self.values.forms.possible_forms(module.stack, None, ref, KINDS):
            return False
        return self.callers_can_name(module, param.name, set())

    def callers_can_name(self, module: TerraformModule, name: str, visited: set[tuple[str, str]]) -> bool:
        """Whether every call passes a list that is written out, or one that the caller gets as names itself."""
        if (module.label, name) in visited:
            return True
        visited.add((module.label, name))
        for call in module.calls:
            todo = [call.arguments.get(name)]
            while todo:
                argument = todo.pop()
                if isinstance(argument, ir.If) and argument.orelse is not None:
                    todo += [argument.then, argument.orelse]
                elif isinstance(argument, ir.ParamRef) and not argument.path:
                    caller = self.modules.module_of_stack(call.stack)
                    if caller is not None and not (
                        self.is_used_for_names_only(call.stack, argument.name)
                        and self.callers_can_name(caller, argument.name, visited)
                    ):
                        return False
                elif argument is not None and not isinstance(argument, (ir.Seq, ir.Lit)):
                    return False
        return True

    def is_used_for_names_only(self, stack: Stack, name: str) -> bool:
        """Whether a parameter is used only as the security groups of servers, directly or in nested templates."""
        uses: collections.Counter[str] = collections.Counter()
        for resource in stack.template.resources.values():
            for word in nested_keys(stack, resource):
                properties = nested_parameter_values(resource, word)
                nested = stack.nested.get((resource.name, word))
                if properties is None:
                    continue
                if nested is not None:
                    inner = self.modules.module_of_nested(nested)
                    taking = [e.value for e in properties.entries if self.takes_names(inner, e.key)]
                elif stack.canonical_type(word, resource.name) == heat_types.NOVA_SERVER:
                    value = properties.get("security_groups")
                    taking = [value] if value is not None else []
                else:
                    continue
                for value in taking:
                    uses.update(ref.name for ref in whole_parameters(value))
        counts = collections.Counter(r.name for r in template_references(stack.template) if isinstance(r, ir.ParamRef))
        return 0 < uses[name] == counts[name]

    def takes_names(self, module: TerraformModule, name: str) -> bool:
        param = module.stack.template.parameters.get(name)
        is_list = param is not None and param.type == "comma_delimited_list"
        return is_list and self.is_used_for_names_only(module.stack, name)


def whole_parameters(expr: ir.Expr) -> list[ir.ParamRef]:
    """The parameters that an expression may be as a whole, in either branch of an `if`."""
    if isinstance(expr, ir.If):
        branches = [expr.then, *([expr.orelse] if expr.orelse is not None else [])]
        return [ref for branch in branches for ref in whole_parameters(branch)]
    return [expr] if isinstance(expr, ir.ParamRef) and not expr.path else []
