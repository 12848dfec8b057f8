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
from typing import TYPE_CHECKING, TypeAlias, final

from emitters.hcl.namespace import Names, snake
from emitters.hcl.plan import presence
from emitters.hcl.plan.ids import ById
from emitters.hcl.tables.mapping import looks_like_id
from transpile.model import heat_types, ir
from transpile.model.records import replace
from transpile.resolve import graph, lookup_places
from transpile.resolve.groups import INSIDE, members, passed_on
from transpile.resolve.origins import Origins, standard

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from emitters.hcl.plan.modules import Module, Modules
    from emitters.hcl.tables.mapping import Lookup
    from transpile.resolve.lookup_places import Types
    from transpile.resolve.stack import Nested, Stack

DEPTH = 8  # nested calls through which a value is followed
REFERENCES = (ir.ResourceRef, ir.AttrRef)
UNKNOWN, LOOKED_UP = frozenset({"reference", "computed"}), frozenset({"name", "open"})
Leaf: TypeAlias = "Callable[[ir.Resource, ir.Expr, Types, bool], ir.Expr]"
Use: TypeAlias = "tuple[ir.ParamRef | ir.Lit, Types, bool]"  # types: those that Heat looks for; bool: a list


def refer(modules: Modules) -> OwnNames:
    """Rewrites the stacks of all modules, and the root. Returns what it learned about their values."""
    names = OwnNames(modules)
    names.refer()
    return names


@final
class OwnNames:
    """The names of resources that the configuration makes, and where values lead to them."""

    def __init__(self, modules: Modules) -> None:
        self.modules, self.tables, self.origins = modules, modules.tables, Origins()
        self.stacks = [*(module.stack for module in modules.order), modules.root]  # each after those that it calls
        self.edges: dict[int, dict[str, list[str]]] = {}
        self.known: dict[tuple[int, str, str], bool] = {}  # parameters and outputs of modules, before apply
        self.found: dict[tuple[int, str, Types], frozenset[str]] = {}  # forms of parameters of modules
        self.literals = {key for stack in self.stacks for key in self.origins.names(stack)} if modules.order else set()

    def refer(self) -> None:
        """Rewrites all stacks. Modules decide first and in the order of calls, callees before callers: which variables
        hold IDs decides what a caller must look up.
        """
        for module in self.modules.order:
            presence.decide(self, module)
            self.variables(module)
        for module in self.modules.order:
            for call in module.calls:
                self.passed(call.stack, call.resource).update(
                    {(module.label, label): there for label, there in presence.given(self, module, call)}
                )
        rewritten = {id(stack): self.rewritten(stack) for stack in self.stacks}
        self.modules.replaced(lambda stack: rewritten[id(stack)])
        self.found.clear()  # the values that were names may be references now

    # which variables of modules hold IDs

    def variables(self, module: Module) -> None:
        """Decides which parameters of a module hold IDs. A parameter that is used only in such places receives the ID
        itself. One that is also used as a text keeps the name, and gets a variable for the ID beside it.
        """
        uses: collections.Counter[Use] = collections.Counter()

        def collect(owner: ir.Resource, expr: ir.Expr, kinds: Types, listed: bool) -> ir.Expr:
            if isinstance(expr, (ir.ParamRef, ir.Lit)) and not (isinstance(expr, ir.ParamRef) and expr.path):
                uses[plain(expr), kinds, listed] += 1
            return expr

        stack, template = module.stack, module.stack.template
        for resource in template.resources.values():
            self.visit(stack, resource, collect)
        for resource in template.resources.values():
            for _, one, value in self.besides(stack, resource):
                for use in leaves(value):
                    uses[plain(use), one.kinds, one.listed] += 0  # a place that takes an ID, but no use of its own
        taken = Names({*template.parameters, *module.given.values()})
        counts = collections.Counter(ref.name for ref in references(template) if isinstance(ref, ir.ParamRef))
        counts.subtract(name for name in presence.tested(template) if name in module.given)
        for (source, kinds, listed), count in uses.items():
            if isinstance(source, ir.ParamRef):
                if self.receives_ids(module, source, kinds, listed=listed):
                    by_id, every = ById(source, kinds, listed, self.tables.lookup_for(kinds)), counts[source.name]
                    if count == every:
                        module.ids[source.name] = by_id
                    else:
                        module.added[taken.take(f"{source.name}_id")] = by_id
            elif not listed and self.made_outside(module, source, kinds):
                module.added[taken.take(f"{snake(str(source.value))}_id")] = ById(
                    source, kinds, listed, self.tables.lookup_for(kinds)
                )

    def receives_ids(self, module: Module, source: ir.ParamRef, kinds: Types, *, listed: bool) -> bool:
        """Whether a parameter must hold IDs: a caller passes the name of a resource that the configuration makes, or
        some callers pass names and others IDs that are known only after apply.
        """
        param = module.stack.template.parameters.get(source.name)
        if param is None or param.type != ("comma_delimited_list" if listed else "string"):
            return False
        forms = self.forms(module.stack, None, source, kinds)
        if not (
            "own" in forms or (forms & UNKNOWN and forms & LOOKED_UP and self.tables.lookup_for(kinds) is not None)
        ):
            return False
        return all(self.usable(call.stack, call.given.get(source.name), listed=listed) for call in module.calls)

    def usable(self, stack: Stack, given: ir.Expr | None, *, listed: bool) -> bool:
        """Whether the caller can look up the names in an argument. It cannot if a list of names is computed."""
        if isinstance(given, ir.If):
            return given.orelse is not None and all(
                self.usable(stack, e, listed=listed) for e in (given.then, given.orelse)
            )
        if not listed or given is None or isinstance(given, (ir.Seq, ir.AttrRef)):
            return True
        if isinstance(given, ir.ParamRef):
            param = stack.template.parameters.get(given.name)
            return param is not None and param.type == "comma_delimited_list" and not given.path
        return isinstance(given, ir.Lit) and isinstance(given.value, str)

    def made_outside(self, module: Module, source: ir.Expr, kinds: Types) -> bool:
        """Whether a literal in a module is the name of a resource that a caller of the module makes."""
        if not any((kind, source) in self.literals for kind in kinds):
            return False
        if self.origins.named(module.stack, source, kinds) is not None:
            return False
        return any("own" in self.forms(call.stack, call.resource, source, kinds) for call in module.calls)

    # what values are

    def forms(
        self, stack: Stack, owner: ir.Resource | None, expr: ir.Expr, kinds: Types, depth: int = DEPTH
    ) -> frozenset[str]:
        """What a value may be, over all calls: the name of a resource that the configuration makes ("own"), another
        name ("name"), an ID ("id"), a reference ("reference"), a text that is computed from one ("computed"), no value
        ("none"), or a name or ID that only the user knows ("open").
        """
        if isinstance(expr, ir.If):
            settled = stack.settled(expr.condition)
            branches = [expr.then, expr.orelse]
            if isinstance(settled, ir.Lit):
                branches = [expr.then if settled.value else expr.orelse]
            return self.union(stack, owner, [b for b in branches if b is not None], kinds, depth)
        if isinstance(expr, ir.Seq):
            return self.union(stack, owner, expr.items, kinds, depth)
        if self.reference(stack, owner, expr, kinds) is not None:
            return frozenset({"own"})
        origin = self.origins.of(stack, expr)
        if isinstance(origin, REFERENCES):
            return frozenset({"reference"})
        if origin is not expr:
            return self.forms(stack, owner, origin, kinds, depth - 1) if depth else frozenset({"open"})
        module = self.modules.called(stack)
        if isinstance(expr, ir.Lit):
            if expr.value in (None, ""):
                return frozenset({"none"})
            if module is not None and depth and any((kind, expr) in self.literals for kind in kinds):
                above = [self.forms(c.stack, c.resource, expr, kinds, depth - 1) for c in module.calls]
                if any("own" in one for one in above):
                    return frozenset({"own"})
            return frozenset({form(expr.value, self.tables.lookup_for(kinds))})
        if isinstance(expr, ir.ParamRef) and not expr.path and module is not None and depth:
            if expr.name in module.ids:
                return frozenset({"reference"})
            return self.given(module, expr.name, kinds, depth)
        if self.computed(stack, expr):
            return frozenset({"computed"})
        known = self.modules.known(stack, expr) if isinstance(expr, ir.ParamRef) else None
        found = {form(value, self.tables.lookup_for(kinds)) for value in known or ()}
        return frozenset(found) if found in ({"id"}, {"name"}) else frozenset({"open"})

    def union(
        self, stack: Stack, owner: ir.Resource | None, every: Sequence[ir.Expr], kinds: Types, depth: int
    ) -> frozenset[str]:
        return frozenset[str]().union(*(self.forms(stack, owner, one, kinds, depth) for one in every))

    def given(self, module: Module, name: str, kinds: Types, depth: int) -> frozenset[str]:
        """The forms of the values that all calls pass for a parameter."""
        key = id(module), name, kinds
        if key in self.found:
            return self.found[key]
        param = module.stack.template.parameters.get(name)
        found = frozenset[str]()
        for call in module.calls:
            value = call.given.get(name)
            if value is None and param is not None:
                value = standard(module.stack, param)
            if value is not None:
                found |= self.forms(call.stack, call.resource, value, kinds, depth - 1)
        self.found[key] = found or frozenset({"open"})
        return self.found[key]

    def form_of(self, module: Module, name: str, kinds: Types) -> str:
        """Whether a parameter of a module holds IDs ("id") or names ("name") in all calls; "" if neither is sure. A
        value that is known only after apply counts as an ID.
        """
        forms = self.given(module, name, kinds, DEPTH)
        if forms & UNKNOWN and not forms & {"own", *LOOKED_UP}:
            return "id"
        return next(iter(forms)) if forms in ({"id"}, {"name"}) else ""

    def computed(self, stack: Stack, expr: ir.Expr, depth: int = DEPTH) -> bool:
        """Whether a value is known only after apply."""
        for one in ir.walk(expr):
            if isinstance(one, ir.ConditionRef) and depth and (named := stack.template.conditions.get(one.name)):
                if self.computed(stack, named.value, depth - 1):
                    return True
            elif isinstance(one, REFERENCES) and self.refers(stack, one, depth):
                return True
            elif isinstance(one, ir.ParamRef) and depth and (module := self.modules.called(stack)) is not None:
                key = id(module), "parameter", one.name
                if key not in self.known:
                    given = [(call.stack, call.given[one.name]) for call in module.calls if one.name in call.given]
                    self.known[key] = not any(self.computed(outer, value, depth - 1) for outer, value in given)
                if not self.known[key]:
                    return True
        return False

    def refers(self, stack: Stack, ref: ir.ResourceRef | ir.AttrRef, depth: int) -> bool:
        """Whether a reference leads to a value that exists only after apply, and not just to values that the user
        gives.
        """
        origin = self.origins.of(stack, ref)
        if not isinstance(origin, ir.AttrRef) or not depth:
            return isinstance(origin, REFERENCES) or self.computed(stack, origin, depth - 1)
        resource = stack.template.resources.get(origin.name)
        first = origin.path[0] if origin.path else None
        if resource is None or not isinstance(first, ir.Lit):
            return True
        value = resource.properties.get("value") if resource.properties is not None else None
        if resource.kind == heat_types.VALUE and value is not None:
            return self.computed(stack, value, depth - 1)
        nested = stack.nested.get((resource.name, resource.type))
        module = self.modules.of(nested) if nested is not None else None
        output = module.stack.template.outputs.get(str(first.value)) if module is not None else None
        if module is None or output is None:
            return True
        key = id(module), "output", output.name
        if key not in self.known:
            self.known[key] = not self.computed(module.stack, output.value, depth - 1)
        return not self.known[key]

    def shape(self, stack: Stack, expr: ir.Expr, depth: int = DEPTH) -> str:
        """Whether a value is a list or a map ("list", "map") in all calls; "" if that is not known."""
        origin = self.origins.of(stack, expr)
        if isinstance(origin, (ir.Seq, ir.Map)):
            return "list" if isinstance(origin, ir.Seq) else "map"
        if not isinstance(origin, ir.ParamRef) or origin.path or not depth:
            return ""
        param, module = stack.template.parameters.get(origin.name), self.modules.called(stack)
        if param is not None and param.type == "comma_delimited_list":
            return "list"
        if param is None or module is None:
            return ""
        found = set()
        for call in module.calls:
            value = call.given.get(origin.name)
            value = standard(module.stack, param) if value is None else value
            found.add(self.shape(call.stack, value, depth - 1) if value is not None else "")
        return found.pop() if len(found) == 1 else ""

    def reference(
        self, stack: Stack, owner: ir.Resource | None, expr: ir.Expr, kinds: Types
    ) -> ir.ResourceRef | ir.AttrRef | None:
        """The reference to the resource that a value names, if the configuration makes that. None if that resource
        itself waits for `owner`: then a reference would close a cycle.
        """
        origin = self.origins.of(stack, expr)
        found = self.origins.name_of(stack, origin, kinds)
        if found is not None or isinstance(origin, REFERENCES):
            return found
        found = self.origins.made_by(stack, expr, kinds) or self.origins.named(stack, origin, kinds)
        if found is None or owner is None:
            return found
        edges = self.dependencies(stack)
        return None if owner.name in {found.name, *graph.reachable(edges, [found.name])} else found

    def dependencies(self, stack: Stack) -> dict[str, list[str]]:
        if id(stack) not in self.edges:
            self.edges[id(stack)] = graph.union(stack.needs, graph.explicit(stack.template))
        return self.edges[id(stack)]

    # rewriting

    def visit(self, stack: Stack, resource: ir.Resource, leaf: Leaf) -> ir.Resource:
        """A resource with `leaf` applied wherever it takes a name or an ID, also for parameters that hold IDs."""
        if resource.properties is None:
            return resource

        def change(expr: ir.Expr, kinds: Types, listed: bool) -> ir.Expr:
            return leaf(resource, expr, kinds, listed)

        found = resource
        for word in written(stack, resource):
            inner = passed_on(found, word)
            nested = stack.nested.get((resource.name, word))
            if inner is None or (nested is None and word == INSIDE):
                continue
            if nested is not None:
                new = self.argued(nested, inner, change)
            else:
                kind = stack.type_of(word, resource.name)
                new = lookup_places.changed(kind, stack.catalog.find(kind), inner, change)
            if new is not inner:
                assert found.properties is not None
                found = replace(found, properties=swapped(found.properties, inner, new))
        return found

    def argued(self, nested: Nested, given: ir.Map, change: lookup_places.Change) -> ir.Map:
        """The arguments of a call with `change` applied to those that hold IDs."""
        ids = self.modules.of(nested).ids
        entries = tuple(
            [
                replace(e, value=lookup_places.one_of(e.value, one.kinds, listed=one.listed, change=change))
                if (one := ids.get(e.key)) is not None
                else e
                for e in given.entries
            ]
        )
        return replace(given, entries=entries) if any(e.key in ids for e in given.entries) else given

    def rewritten(self, stack: Stack) -> Stack:
        """The stack with references in place of names of resources that the configuration makes."""
        template, module = stack.template, self.modules.called(stack)
        labels = {(one.source, one.kinds): label for label, one in module.added.items()} if module is not None else {}
        ids = module.ids if module is not None else {}
        added: dict[str, list[ir.Expr]] = {}

        def leaf(owner: ir.Resource, expr: ir.Expr, kinds: Types, listed: bool) -> ir.Expr:
            if isinstance(expr, ir.ParamRef) and expr.name in ids and not expr.path:
                return expr
            if isinstance(expr, (ir.ParamRef, ir.Lit)) and (label := labels.get((plain(expr), kinds))) is not None:
                found: ir.Expr = ir.ParamRef(label)
            else:
                found = self.looked_up(stack, owner, expr, kinds, listed=listed)
            if found is expr:
                return expr
            found = placed(found, expr)
            new = [e for e in ir.walk(found) if isinstance(e, (ir.ResourceRef, ir.AttrRef, ir.ParamRef))]
            added.setdefault(owner.name, []).extend(new)
            for ref in new:
                if isinstance(ref, REFERENCES):
                    self.dependencies(stack).setdefault(owner.name, []).append(ref.name)
                if isinstance(ref, ir.AttrRef):
                    self.ask(stack, ref)
            self.modules.looked_up.add((id(template.source), expr.at))
            return found

        resources = {name: self.visit(stack, resource, leaf) for name, resource in template.resources.items()}
        for resource in template.resources.values():
            self.pass_on(stack, resource, leaf)
        parameters = dict(template.parameters)
        for label, one in module.added.items() if module is not None else ():
            kind = "comma_delimited_list" if one.listed else "string"
            parameters[label] = ir.Param(label, kind, description=one.description)
        given = module.given if module is not None else {}
        if not added and len(parameters) == len(template.parameters) and not given:
            return stack
        for name, refs in added.items():
            resources[name] = replace(resources[name], refs=(*resources[name].refs, *refs))
        new = replace(template, resources=resources, parameters=parameters)
        needs = graph.union(stack.needs, graph.implicit(new))
        return replace(stack, template=presence.settled(new, given) if given else new, needs=needs)

    def looked_up(self, stack: Stack, owner: ir.Resource, expr: ir.Expr, kinds: Types, *, listed: bool) -> ir.Expr:
        """The expression to use in place of a name: a reference, or the origin of the value, which a data source can
        find.
        """
        if (found := self.reference(stack, owner, expr, kinds)) is not None:
            own = isinstance(expr, ir.Lit) and isinstance(found, ir.ResourceRef)
            return expr if own else found  # literal names of the same template are found when they are written
        origin = self.origins.of(stack, expr)
        if origin is expr or isinstance(origin, REFERENCES):
            return expr
        if isinstance(origin, ir.Seq) and listed:
            items = [self.looked_up(stack, owner, item, kinds, listed=False) for item in origin.items]
            if all(item is one and isinstance(item, REFERENCES) for item, one in zip(items, origin.items, strict=True)):
                return expr  # a list of IDs
            return ir.Seq(tuple(items))
        return origin

    def pass_on(self, stack: Stack, resource: ir.Resource, leaf: Leaf) -> None:
        """Records what a resource passes to modules for variables that its properties do not set."""

        def change(expr: ir.Expr, kinds: Types, listed: bool) -> ir.Expr:
            return leaf(resource, expr, kinds, listed)

        for where, one, value in self.besides(stack, resource):
            found = lookup_places.one_of(value, one.kinds, listed=one.listed, change=change)
            self.passed(stack, resource)[where] = found

    def passed(self, stack: Stack, resource: ir.Resource) -> dict[tuple[str, str], ir.Expr]:
        """The values that a resource passes to modules in addition to its properties, by module and variable."""
        key = id(stack.template.source), id(stack.registry), resource.name
        return self.modules.passed.setdefault(key, {})

    def besides(self, stack: Stack, resource: ir.Resource) -> Iterator[tuple[tuple[str, str], ById, ir.Expr]]:
        """The values that a resource passes to modules for variables that its properties do not set: the names whose
        IDs the variables hold. Each with the module and variable.
        """
        for word in written(stack, resource):
            if (nested := stack.nested.get((resource.name, word))) is None:
                continue
            module, properties = self.modules.of(nested), passed_on(resource, word)
            for label, one in (*module.ids.items(), *module.added.items()):
                value: ir.Expr | None = one.source
                if isinstance(value, ir.ParamRef):
                    given = properties.get(value.name) if properties is not None else None
                    param = module.stack.template.parameters.get(value.name)
                    if given is not None and label in module.ids:
                        continue  # the call's own argument
                    value = standard(module.stack, param) if given is None and param is not None else given
                    if given is None and value == ir.Lit(""):  # the variable has the same default
                        continue
                if value is not None:
                    yield (module.label, label), one, value

    def ask(self, stack: Stack, ref: ir.AttrRef) -> None:
        """Adds the outputs that a reference into a nested stack needs."""
        nested = stack.nested.get((ref.name, stack.template.resources[ref.name].type))
        if nested is not None:
            self.modules.ask(self.modules.of(nested), ref.path)


def written(stack: Stack, resource: ir.Resource) -> list[str]:
    """The keys of nested stacks that a resource may have: its type, its own template, the types of its members."""
    words = [word for word, _, _ in members(resource, resource.kind)]
    return list(dict.fromkeys([resource.type, INSIDE, *words]))


def form(value: object, lookup: Lookup | None) -> str:
    """Whether a known value is a name ("name"), an ID ("id") or missing ("none")."""
    if value in (None, ""):
        return "none"
    return "id" if lookup is not None and looks_like_id(lookup, str(value)) else "name"


def leaves(expr: ir.Expr) -> Iterator[ir.ParamRef | ir.Lit]:
    """The parameters and literals among the possible values of an expression, and the items of a list."""
    if isinstance(expr, ir.Lit) or (isinstance(expr, ir.ParamRef) and not expr.path):
        yield expr
    elif isinstance(expr, ir.If):
        yield from leaves(expr.then)
        if expr.orelse is not None:
            yield from leaves(expr.orelse)
    elif isinstance(expr, ir.Seq):
        for item in expr.items:
            yield from leaves(item)


def plain(expr: ir.ParamRef | ir.Lit) -> ir.ParamRef | ir.Lit:
    """A value without its place in the template, so that equal values are equal keys."""
    return ir.ParamRef(expr.name) if isinstance(expr, ir.ParamRef) else ir.Lit(expr.value)


def references(template: ir.Template) -> list[ir.Ref]:
    """All references of a template."""
    found = [ref for resource in template.resources.values() for ref in resource.refs]
    found += [ref for output in template.outputs.values() for ref in output.refs]
    return found + [ref for condition in template.conditions.values() for ref in condition.refs]


def swapped(properties: ir.Map, old: ir.Map, new: ir.Map) -> ir.Map:
    """Properties with one map in them replaced, at most two levels down."""
    if properties is old:
        return new

    def change(expr: ir.Expr, depth: int) -> ir.Expr:
        if expr is old:
            return new
        return ir.rebuilt(expr, lambda e: change(e, depth - 1)) if isinstance(expr, ir.Map) and depth else expr

    found = change(properties, 2)
    assert isinstance(found, ir.Map)
    return found


def placed(expr: ir.Expr, instead_of: ir.Expr) -> ir.Expr:
    """An expression at the position of the one that it replaces."""
    inner = ir.rebuilt(expr, lambda e: placed(e, instead_of))
    return replace(inner, span=instead_of.span)
