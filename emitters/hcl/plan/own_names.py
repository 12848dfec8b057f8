"""Turns names of resources that the configuration makes into references, before anything is written.

Heat looks a name up when it creates the resource that has it. Terraform reads a data source at plan, before the things
exist that the same configuration makes. So where Heat takes a name or an ID, what leads to the name of such a resource
becomes a reference: in one template, through outputs of nested stacks, and through parameters. A parameter that only
feeds such places receives the ID (`Module.ids`). One that is also a text gets a variable beside it (`Module.added`),
and so does a literal name inside a module. The callers then do the look-ups.

Invariant: only places that take names and IDs alike change. Texts keep their values.

For example, a root template creates a network with `name: front` and passes `net: front` to a nested template, whose
port has `network: {get_param: net}`. The port's lookup would run before the network exists. So the variable `net` of
the module receives the ID, and the call passes a reference to the network.
"""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias, final

from emitters.hcl.namespace import UniqueNames, snake_case
from emitters.hcl.plan import presence
from emitters.hcl.plan.ids import IdVariable
from emitters.hcl.plan.modules import Modules, TerraformModule
from emitters.hcl.tables.mapping import NameLookup, looks_like_id
from transpile.model import heat_types, ir
from transpile.model.budget import Budget
from transpile.model.records import replace
from transpile.resolve import graph, lookup_places
from transpile.resolve.groups import INSIDE, member_types, nested_parameter_values
from transpile.resolve.lookup_places import Types
from transpile.resolve.origins import Origins, find_default_value
from transpile.resolve.stack import NestedStack, Stack

DEPTH = 8  # nested calls through which a value is followed
REFERENCES = (ir.ResourceRef, ir.AttrRef)
UNKNOWN, LOOKED_UP = frozenset({"reference", "computed"}), frozenset({"name", "open"})
Leaf: TypeAlias = "Callable[[ir.Resource, ir.Expr, Types, bool], ir.Expr]"
Use: TypeAlias = "tuple[ir.ParamRef | ir.Lit, Types, bool]"  # types: those that Heat looks for; bool: a list


def link_own_names(modules: Modules) -> OwnNames:
    """Rewrites the stacks of all modules, and the root. Returns what it learned about their values."""
    names = OwnNames(modules)
    names.rewrite_stacks()
    return names


@final
class OwnNames:
    """The names of resources that the configuration makes, and where values lead to them."""

    def __init__(self, modules: Modules) -> None:
        self.modules, self.tables, self.origins = modules, modules.tables, Origins()
        self.stacks = [*(module.stack for module in modules.order), modules.root]  # each after those that it calls
        self.edges: dict[int, dict[str, list[str]]] = {}
        self.known_before_apply: dict[
            tuple[int, str, str], bool
        ] = {}  # parameters and outputs of modules, before apply
        self.parameter_forms: dict[tuple[int, str, Types], frozenset[str]] = {}  # forms of parameters of modules
        self.literals = (
            {key for stack in self.stacks for key in self.origins.index_named_resources(stack)}
            if modules.order
            else set()
        )

    def rewrite_stacks(self) -> None:
        """Rewrites all stacks. Modules decide first and in the order of calls, callees before callers: which variables
        hold IDs decides what a caller must look up.
        """
        for module in self.modules.order:
            presence.choose_presence_variables(self, module)
            self.choose_id_variables(module)
        for module in self.modules.order:
            for call in module.calls:
                self.passed_values(call.stack, call.resource).update(
                    {(module.label, label): there for label, there in presence.presence_arguments(self, module, call)}
                )
        rewritten = {id(stack): self.rewrite_stack(stack) for stack in self.stacks}
        self.modules.replace_stacks(lambda stack: rewritten[id(stack)])
        self.parameter_forms.clear()  # the values that were names may be references now

    # which variables of modules hold IDs

    def choose_id_variables(self, module: TerraformModule) -> None:
        """Decides which parameters of a module hold IDs. A parameter that is used only in such places receives the ID
        itself. One that is also used as a text keeps the name, and gets a variable for the ID beside it.
        """
        uses: collections.Counter[Use] = collections.Counter()

        def count_use(owner: ir.Resource, expr: ir.Expr, kinds: Types, listed: bool) -> ir.Expr:
            if isinstance(expr, (ir.ParamRef, ir.Lit)) and not (isinstance(expr, ir.ParamRef) and expr.path):
                uses[without_span(expr), kinds, listed] += 1
            return expr

        stack, template = module.stack, module.stack.template
        for resource in template.resources.values():
            self.map_name_places(stack, resource, count_use)
        for resource in template.resources.values():
            for _, variable, value in self.implied_arguments(stack, resource):
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
        param = module.stack.template.parameters.get(source.name)
        if param is None or param.type != ("comma_delimited_list" if listed else "string"):
            return False
        forms = self.possible_forms(module.stack, None, source, kinds)
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
            return argument.orelse is not None and all(
                self.can_look_up(stack, e, listed=listed) for e in (argument.then, argument.orelse)
            )
        if not listed or argument is None or isinstance(argument, (ir.Seq, ir.AttrRef)):
            return True
        if isinstance(argument, ir.ParamRef):
            param = stack.template.parameters.get(argument.name)
            return param is not None and param.type == "comma_delimited_list" and not argument.path
        return isinstance(argument, ir.Lit) and isinstance(argument.value, str)

    def made_outside(self, module: TerraformModule, source: ir.Expr, kinds: Types) -> bool:
        """Whether a literal in a module is the name of a resource that a caller of the module makes."""
        if not any((kind, source) in self.literals for kind in kinds):
            return False
        if self.origins.find_named_resource(module.stack, source, kinds) is not None:
            return False
        return any("own" in self.possible_forms(call.stack, call.resource, source, kinds) for call in module.calls)

    # what values are

    def possible_forms(
        self, stack: Stack, owner: ir.Resource | None, expr: ir.Expr, kinds: Types, depth: int = DEPTH
    ) -> frozenset[str]:
        """What a value may be, over all calls: the name of a resource that the configuration makes ("own"), another
        name ("name"), an ID ("id"), a reference ("reference"), a text that is computed from one ("computed"), no value
        ("none"), or a name or ID that only the user knows ("open").
        """
        if isinstance(expr, ir.If):
            settled = stack.fold_condition(expr.condition)
            branches = [expr.then, expr.orelse]
            if isinstance(settled, ir.Lit):
                branches = [expr.then if settled.value else expr.orelse]
            return self.union_of_forms(stack, owner, [b for b in branches if b is not None], kinds, depth)
        if isinstance(expr, ir.Seq):
            return self.union_of_forms(stack, owner, expr.items, kinds, depth)
        if self.reference_to_named(stack, owner, expr, kinds) is not None:
            return frozenset({"own"})
        origin = self.origins.trace_origin(stack, expr)
        if isinstance(origin, REFERENCES):
            return frozenset({"reference"})
        if origin is not expr:
            return self.possible_forms(stack, owner, origin, kinds, depth - 1) if depth else frozenset({"open"})
        module = self.modules.module_of_stack(stack)
        if isinstance(expr, ir.Lit):
            if expr.value in (None, ""):
                return frozenset({"none"})
            if module is not None and depth and any((kind, expr) in self.literals for kind in kinds):
                caller_forms = [self.possible_forms(c.stack, c.resource, expr, kinds, depth - 1) for c in module.calls]
                if any("own" in forms for forms in caller_forms):
                    return frozenset({"own"})
            return frozenset({classify_value(expr.value, self.tables.find_lookup(kinds), stack.template.source.budget)})
        if isinstance(expr, ir.ParamRef) and not expr.path and module is not None and depth:
            if expr.name in module.id_parameters:
                return frozenset({"reference"})
            return self.forms_of_parameter(module, expr.name, kinds, depth)
        if self.is_known_after_apply(stack, expr):
            return frozenset({"computed"})
        values = self.modules.known_values(stack, expr) if isinstance(expr, ir.ParamRef) else None
        lookup, budget = self.tables.find_lookup(kinds), stack.template.source.budget
        value_forms = {classify_value(value, lookup, budget) for value in values or ()}
        return frozenset(value_forms) if value_forms in ({"id"}, {"name"}) else frozenset({"open"})

    def union_of_forms(
        self, stack: Stack, owner: ir.Resource | None, exprs: Sequence[ir.Expr], kinds: Types, depth: int
    ) -> frozenset[str]:
        return frozenset[str]().union(*(self.possible_forms(stack, owner, expr, kinds, depth) for expr in exprs))

    def forms_of_parameter(self, module: TerraformModule, name: str, kinds: Types, depth: int) -> frozenset[str]:
        """The forms of the values that all calls pass for a parameter."""
        key = id(module), name, kinds
        if key in self.parameter_forms:
            return self.parameter_forms[key]
        param = module.stack.template.parameters.get(name)
        forms = frozenset[str]()
        for call in module.calls:
            value = call.arguments.get(name)
            if value is None and param is not None:
                value = find_default_value(module.stack, param)
            if value is not None:
                forms |= self.possible_forms(call.stack, call.resource, value, kinds, depth - 1)
        self.parameter_forms[key] = forms or frozenset({"open"})
        return self.parameter_forms[key]

    def sure_form_of(self, module: TerraformModule, name: str, kinds: Types) -> str:
        """Whether a parameter of a module holds IDs ("id") or names ("name") in all calls; "" if neither is sure. A
        value that is known only after apply counts as an ID.
        """
        forms = self.forms_of_parameter(module, name, kinds, DEPTH)
        if forms & UNKNOWN and not forms & {"own", *LOOKED_UP}:
            return "id"
        return next(iter(forms)) if forms in ({"id"}, {"name"}) else ""

    def is_known_after_apply(self, stack: Stack, expr: ir.Expr, depth: int = DEPTH) -> bool:
        """Whether a value is known only after apply."""
        for part in ir.walk(expr):
            if isinstance(part, ir.ConditionRef) and depth and (named := stack.template.conditions.get(part.name)):
                if self.is_known_after_apply(stack, named.value, depth - 1):
                    return True
            elif isinstance(part, REFERENCES) and self.leads_to_created(stack, part, depth):
                return True
            elif (
                isinstance(part, ir.ParamRef) and depth and (module := self.modules.module_of_stack(stack)) is not None
            ):
                key = id(module), "parameter", part.name
                if key not in self.known_before_apply:
                    arguments = [
                        (call.stack, call.arguments[part.name]) for call in module.calls if part.name in call.arguments
                    ]
                    self.known_before_apply[key] = not any(
                        self.is_known_after_apply(outer, value, depth - 1) for outer, value in arguments
                    )
                if not self.known_before_apply[key]:
                    return True
        return False

    def leads_to_created(self, stack: Stack, ref: ir.ResourceRef | ir.AttrRef, depth: int) -> bool:
        """Whether a reference leads to a value that exists only after apply, and not just to values that the user
        gives.
        """
        origin = self.origins.trace_origin(stack, ref)
        if not isinstance(origin, ir.AttrRef) or not depth:
            return isinstance(origin, REFERENCES) or self.is_known_after_apply(stack, origin, depth - 1)
        resource = stack.template.resources.get(origin.name)
        first = origin.path[0] if origin.path else None
        if resource is None or not isinstance(first, ir.Lit):
            return True
        value = resource.properties.get("value") if resource.properties is not None else None
        if resource.kind == heat_types.VALUE and value is not None:
            return self.is_known_after_apply(stack, value, depth - 1)
        nested = stack.nested.get((resource.name, resource.type))
        module = self.modules.module_of_nested(nested) if nested is not None else None
        output = module.stack.template.outputs.get(str(first.value)) if module is not None else None
        if module is None or output is None:
            return True
        key = id(module), "output", output.name
        if key not in self.known_before_apply:
            self.known_before_apply[key] = not self.is_known_after_apply(module.stack, output.value, depth - 1)
        return not self.known_before_apply[key]

    def shape_of_value(self, stack: Stack, expr: ir.Expr, depth: int = DEPTH) -> str:
        """Whether a value is a list or a map ("list", "map") in all calls; "" if that is not known."""
        origin = self.origins.trace_origin(stack, expr)
        if isinstance(origin, (ir.Seq, ir.Map)):
            return "list" if isinstance(origin, ir.Seq) else "map"
        if not isinstance(origin, ir.ParamRef) or origin.path or not depth:
            return ""
        param, module = stack.template.parameters.get(origin.name), self.modules.module_of_stack(stack)
        if param is not None and param.type == "comma_delimited_list":
            return "list"
        if param is None or module is None:
            return ""
        shapes = set()
        for call in module.calls:
            value = call.arguments.get(origin.name)
            value = find_default_value(module.stack, param) if value is None else value
            shapes.add(self.shape_of_value(call.stack, value, depth - 1) if value is not None else "")
        return shapes.pop() if len(shapes) == 1 else ""

    def reference_to_named(
        self, stack: Stack, owner: ir.Resource | None, expr: ir.Expr, kinds: Types
    ) -> ir.ResourceRef | ir.AttrRef | None:
        """The reference to the resource that a value names, if the configuration makes that. None if that resource
        itself waits for `owner`: then a reference would close a cycle.
        """
        origin = self.origins.trace_origin(stack, expr)
        reference = self.origins.find_resource_of_name(stack, origin, kinds)
        if reference is not None or isinstance(origin, REFERENCES):
            return reference
        reference = self.origins.find_resource_of_output(stack, expr, kinds) or self.origins.find_named_resource(
            stack, origin, kinds
        )
        if reference is None or owner is None:
            return reference
        edges = self.dependencies_of(stack)
        return None if owner.name in {reference.name, *graph.reachable_nodes(edges, [reference.name])} else reference

    def dependencies_of(self, stack: Stack) -> dict[str, list[str]]:
        if id(stack) not in self.edges:
            self.edges[id(stack)] = graph.merge_edges(stack.needs, graph.explicit_edges(stack.template))
        return self.edges[id(stack)]

    # rewriting

    def map_name_places(self, stack: Stack, resource: ir.Resource, leaf: Leaf) -> ir.Resource:
        """A resource with `leaf` applied wherever it takes a name or an ID, also for parameters that hold IDs."""
        if resource.properties is None:
            return resource

        def apply_leaf(expr: ir.Expr, kinds: Types, listed: bool) -> ir.Expr:
            return leaf(resource, expr, kinds, listed)

        result = resource
        for word in nested_keys(stack, resource):
            inner = nested_parameter_values(result, word)
            nested = stack.nested.get((resource.name, word))
            if inner is None or (nested is None and word == INSIDE):
                continue
            if nested is not None:
                new = self.map_arguments(nested, inner, apply_leaf)
            else:
                kind = stack.canonical_type(word, resource.name)
                new = lookup_places.change_lookups(kind, stack.catalog.find_type(kind), inner, apply_leaf)
            if new is not inner:
                assert result.properties is not None
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

    def rewrite_stack(self, stack: Stack) -> Stack:
        """The stack with references in place of names of resources that the configuration makes."""
        template, module = stack.template, self.modules.module_of_stack(stack)
        labels = (
            {(variable.source, variable.kinds): label for label, variable in module.id_variables.items()}
            if module is not None
            else {}
        )
        ids = module.id_parameters if module is not None else {}
        added: dict[str, list[ir.Expr]] = {}

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
                    self.dependencies_of(stack).setdefault(owner.name, []).append(ref.name)
                if isinstance(ref, ir.AttrRef):
                    self.request_outputs(stack, ref)
            self.modules.looked_up.add((id(template.source), expr.at))
            return replacement

        resources = {
            name: self.map_name_places(stack, resource, rewrite_leaf) for name, resource in template.resources.items()
        }
        for resource in template.resources.values():
            self.record_passed_values(stack, resource, rewrite_leaf)
        parameters = dict(template.parameters)
        for label, variable in module.id_variables.items() if module is not None else ():
            kind = "comma_delimited_list" if variable.listed else "string"
            parameters[label] = ir.Param(label, kind, description=variable.description)
        presence_variables = module.presence_variables if module is not None else {}
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
        if (reference := self.reference_to_named(stack, owner, expr, kinds)) is not None:
            own = isinstance(expr, ir.Lit) and isinstance(reference, ir.ResourceRef)
            return expr if own else reference  # literal names of the same template are found when they are written
        origin = self.origins.trace_origin(stack, expr)
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
        """Records what a resource passes to modules for variables that its properties do not set."""

        def apply_leaf(expr: ir.Expr, kinds: Types, listed: bool) -> ir.Expr:
            return leaf(resource, expr, kinds, listed)

        for where, variable, value in self.implied_arguments(stack, resource):
            rewritten = lookup_places.change_argument(value, variable.kinds, listed=variable.listed, change=apply_leaf)
            self.passed_values(stack, resource)[where] = rewritten

    def passed_values(self, stack: Stack, resource: ir.Resource) -> dict[tuple[str, str], ir.Expr]:
        """The values that a resource passes to modules in addition to its properties, by module and variable."""
        key = id(stack.template.source), id(stack.registry), resource.name
        return self.modules.passed.setdefault(key, {})

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
                    argument = properties.get(value.name) if properties is not None else None
                    param = module.stack.template.parameters.get(value.name)
                    if argument is not None and label in module.id_parameters:
                        continue  # the call's own argument
                    value = (
                        find_default_value(module.stack, param) if argument is None and param is not None else argument
                    )
                    if argument is None and value == ir.Lit(""):  # the variable has the same default
                        continue
                if value is not None:
                    yield (module.label, label), variable, value

    def request_outputs(self, stack: Stack, ref: ir.AttrRef) -> None:
        """Adds the outputs that a reference into a nested stack needs."""
        nested = stack.nested.get((ref.name, stack.template.resources[ref.name].type))
        if nested is not None:
            self.modules.request_output(self.modules.module_of_nested(nested), ref.path)


def nested_keys(stack: Stack, resource: ir.Resource) -> list[str]:
    """The keys of nested stacks that a resource may have: its type, its own template, the types of its members."""
    words = [word for word, _, _ in member_types(resource, resource.kind)]
    return list(dict.fromkeys([resource.type, INSIDE, *words]))


def classify_value(value: object, lookup: NameLookup | None, budget: Budget) -> str:
    """Whether a known value is a name ("name"), an ID ("id") or missing ("none")."""
    if value in (None, ""):
        return "none"
    return "id" if lookup is not None and looks_like_id(lookup, str(value), budget) else "name"


def leaf_values(expr: ir.Expr) -> Iterator[ir.ParamRef | ir.Lit]:
    """The parameters and literals among the possible values of an expression, and the items of a list."""
    if isinstance(expr, ir.Lit) or (isinstance(expr, ir.ParamRef) and not expr.path):
        yield expr
    elif isinstance(expr, ir.If):
        yield from leaf_values(expr.then)
        if expr.orelse is not None:
            yield from leaf_values(expr.orelse)
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


def place_at(expr: ir.Expr, instead_of: ir.Expr) -> ir.Expr:
    """An expression at the position of the one that it replaces."""
    inner = ir.rebuilt(expr, lambda e: place_at(e, instead_of))
    return replace(inner, span=instead_of.span)
