"""Turns names of resources that the configuration makes into references, before anything is written.

Heat looks a name up when it creates the resource that has it. Terraform reads a data source at plan, before the
resources of the same configuration exist. So where Heat takes a name or an ID, a value that leads to the name of such a
resource becomes a reference: in one template, through outputs of nested stacks, and through parameters. A parameter
that only feeds such places receives the ID (`Module.ids`). A parameter that is also a text gets a further variable
(`Module.added`), and so does a literal name inside a module. The callers then do the look-ups.

Invariant: only places that take names and IDs alike change. Texts keep their values.

For example, a root template creates a network with `name: front` and passes `net: front` to a nested template, whose
port has `network: {get_param: net}`. The port's lookup would run before the network exists. So the variable `net` of
the module receives the ID, and the call passes a reference to the network.
"""

from __future__ import annotations

import collections
from typing import final

from emitters.hcl.plan import presence
from emitters.hcl.plan.id_variables import IdVariableChooser, template_references, without_span
from emitters.hcl.plan.ids import IdVariable
from emitters.hcl.plan.module_values import ModuleValues
from emitters.hcl.plan.modules import Modules, TerraformModule
from emitters.hcl.plan.name_forms import UNKNOWN
from emitters.hcl.plan.name_places import Leaf, NamePlaces, nested_keys
from emitters.hcl.plan.named_resources import REFERENCES
from emitters.hcl.plan.presence import PresenceChooser
from transpile.model import heat_types, ir
from transpile.model.records import replace
from transpile.resolve import graph, lookup_places
from transpile.resolve.groups import nested_parameter_values
from transpile.resolve.lookup_places import FINDS, Types
from transpile.resolve.stack import Stack

KINDS = FINDS["neutron.security_group"]
OF_SERVERS = frozenset(("security_groups",))


def link_own_names(modules: Modules) -> None:
    """Rewrites the stacks of all modules, and the root."""
    OwnNames(modules).rewrite_stacks()


@final
class OwnNames:
    """The names of resources that the configuration makes, and the references that take their place."""

    def __init__(self, modules: Modules) -> None:
        self.modules, self.values, self.places = modules, ModuleValues(modules), NamePlaces(modules)

    def rewrite_stacks(self) -> None:
        """Rewrites all stacks. Modules decide first and in the order of calls, callees before callers: which variables
        hold IDs decides which names a caller must look up.
        """
        if self.modules.order:
            self.choose_variables()
        stacks = [module.stack for module in (*self.modules.order, self.modules.root)]  # each after those that it calls
        rewritten = {id(stack): self.rewrite_stack(stack) for stack in stacks}
        self.modules.replace_stacks(lambda stack: rewritten[id(stack)])

    def choose_variables(self) -> None:
        """Chooses the variables of modules that are no parameters, and the values that calls pass for them."""
        by_id, presences = IdVariableChooser(self.values, self.places), PresenceChooser(self.values)
        by_name = NameVariableChooser(self.values)
        for module in self.modules.order:
            presences.choose_variables(module)
            by_id.choose_id_variables(module)
            by_name.choose_name_parameters(module)
        for module in self.modules.order:
            for call in module.calls:
                passed = self.passed_values(call.stack, call.resource)
                for label, there in presences.arguments_of(module, call):
                    passed[module.label, label] = there

    def rewrite_stack(self, stack: Stack) -> Stack:
        """The stack with references in place of names of resources that the configuration makes."""
        template, module = stack.template, self.modules.module_of_stack(stack)
        labels = {(variable.source, variable.kinds): label for label, variable in module.id_variables.items()}
        ids = module.id_parameters
        added: dict[str, list[ir.Ref]] = {}

        def rewrite_leaf(owner: ir.Resource, expr: ir.Expr, kinds: Types, listed: bool) -> ir.Expr:
            if isinstance(expr, ir.ParamRef) and expr.name in ids and not expr.path:
                return expr
            if (
                isinstance(expr, (ir.ParamRef, ir.Lit))
                and (label := labels.get((without_span(expr), kinds))) is not None
            ):
                replacement: ir.Expr = ir.ParamRef(label)
            else:
                replacement = self.resolve_name(stack, owner, expr, kinds, listed=listed)
            if replacement is expr:
                return expr
            replacement = place_at(replacement, expr)
            new = [e for e in ir.walk(replacement) if isinstance(e, (ir.ResourceRef, ir.AttrRef, ir.ParamRef))]
            added.setdefault(owner.name, []).extend(new)
            for ref in new:
                if isinstance(ref, REFERENCES):
                    self.values.named.dependencies_of(stack).setdefault(owner.name, []).append(ref.name)
                if isinstance(ref, ir.AttrRef):
                    self.request_outputs(stack, ref)
            self.modules.looked_up.add((id(template.source), expr.at))
            return replacement

        resources = {
            name: self.places.map_name_places(stack, resource, rewrite_leaf)
            for name, resource in template.resources.items()
        }
        for resource in template.resources.values():
            self.record_passed_values(stack, resource, rewrite_leaf)
        parameters = dict(template.parameters)
        for label, variable in module.id_variables.items():
            kind = "comma_delimited_list" if variable.listed else "string"
            parameters[label] = ir.Param(label, kind, description=variable.description)
        presence_variables = module.presence_variables
        if not added and len(parameters) == len(template.parameters) and not presence_variables:
            return stack
        for name, refs in added.items():
            resources[name] = replace(resources[name], refs=(*resources[name].refs, *refs))
        new = replace(template, resources=resources, parameters=parameters)
        needs = graph.merge_edges(stack.needs, graph.implicit_edges(new))
        return replace(
            stack,
            template=presence.settle_presence_tests(new, presence_variables) if presence_variables else new,
            needs=needs,
        )

    def resolve_name(self, stack: Stack, owner: ir.Resource, expr: ir.Expr, kinds: Types, *, listed: bool) -> ir.Expr:
        """The expression to use in place of a name: a reference, or the origin of the value, which a data source can
        find.
        """
        if (reference := self.values.named.reference_to_named(stack, owner, expr, kinds)) is not None:
            own = isinstance(expr, ir.Lit) and isinstance(reference, ir.ResourceRef)
            return expr if own else reference  # literal names of the same template are found when they are written
        origin = self.values.origins.trace_origin(stack, expr)
        if origin is expr or isinstance(origin, REFERENCES):
            return expr
        if isinstance(origin, ir.Seq) and listed:
            items = [self.resolve_name(stack, owner, item, kinds, listed=False) for item in origin.items]
            if all(
                item is original and isinstance(item, REFERENCES)
                for item, original in zip(items, origin.items, strict=True)
            ):
                return expr  # a list of IDs
            return ir.Seq(tuple(items))
        return origin

    def record_passed_values(self, stack: Stack, resource: ir.Resource, leaf: Leaf) -> None:
        """Records the values that a resource passes to modules for variables that its properties do not set."""

        def apply_leaf(expr: ir.Expr, kinds: Types, listed: bool) -> ir.Expr:
            return leaf(resource, expr, kinds, listed)

        for where, variable, value in self.places.implied_arguments(stack, resource):
            rewritten = lookup_places.change_argument(value, variable.kinds, listed=variable.listed, change=apply_leaf)
            self.passed_values(stack, resource)[where] = rewritten

    def passed_values(self, stack: Stack, resource: ir.Resource) -> dict[tuple[str, str], ir.Expr]:
        """The values that a resource passes to modules in addition to its properties, by module and variable."""
        key = id(stack.template.source), id(stack.registry), resource.name
        return self.modules.passed.setdefault(key, {})

    def request_outputs(self, stack: Stack, ref: ir.AttrRef) -> None:
        """Adds the outputs that a reference into a nested stack needs."""
        nested = stack.nested.get((ref.name, stack.template.resources[ref.name].type))
        if nested is not None:
            self.modules.request_output(self.modules.module_of_nested(nested), ref.path)


def place_at(expr: ir.Expr, instead_of: ir.Expr) -> ir.Expr:
    """An expression at the position of the one that it replaces."""
    inner = ir.rebuilt(expr, lambda e: place_at(e, instead_of))
    return replace(inner, span=instead_of.span)


@final
class NameVariableChooser:
    """Chooses the list parameters of modules that hold names: the provider gives a server its security groups by name.
    Inside the module, a list of IDs that are known only after apply cannot be looked up. So a call passes
    `["default", openstack_networking_secgroup_v2.web.name]` for `[default, {get_resource: web}]`.

    Invariant: a parameter holds names only if every place that reads it takes them, and if every caller can write the
    list out or gets it as names itself.
    """

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
