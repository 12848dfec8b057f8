"""The linker: resolves the names of a template, its environments and its nested templates into a `Stack`.

Invariant: an error is what Heat refuses when it validates the template, and nothing else. Heat checks nested templates
only when it creates a stack, so errors inside them are warnings unless the options ask for more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from transpile import evaluate
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, Sink, TooMany, failed
from transpile.model import heat_types
from transpile.model.ir import Environment, FileRef, Lit, Param, Resource, Template
from transpile.model.meter import spend
from transpile.model.records import field, record, replace
from transpile.model.span import word_at
from transpile.resolve import capabilities, graph, nested_templates
from transpile.resolve.attachments import Files
from transpile.resolve.environments import Binding, merge
from transpile.resolve.groups import INSIDE, STACKS, given_by, members, template_of, vacant
from transpile.resolve.references import Names
from transpile.resolve.registry import Found, Registry, is_path, read_registry
from transpile.resolve.stack import Nested, Stack, facts_of, known_parameters
from transpile.schema.catalog import HEAT
from transpile.schema.parameters import APPLIES, wrong_default
from transpile.text.source import Root, Unreadable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from transpile.model.ir import Expr
    from transpile.resolve.registry import Registration
    from transpile.schema.catalog import Catalog, Type

SNAPSHOTS = (heat_types.AWS_VOLUME, heat_types.CINDER_VOLUME, heat_types.DEPLOYED_SERVER, heat_types.NOVA_SERVER)


@final
@record
class Options:
    """How to link.

    `nested`: refuse nested templates, keep their names, or load them. `create`: a template that Heat refuses only when
    it creates the stack is an error, too. `converts`: errors in branches not taken and in nested templates count,
    because a target writes all of them. `client`: merge environments as old clients did. `catalog`: the built-in types.
    `called`: other templates nest this one and set its parameters, so their values are not known here.
    """

    nested: str = "refuse"
    create: bool = False
    converts: bool = False
    library: nested_templates.Library = field(default_factory=nested_templates.Library)
    memo: dict[tuple[str, int, frozenset[str]], tuple[Stack, Sequence[Diagnostic]]] = field(default_factory=dict)
    client: bool = False
    catalog: Catalog = HEAT
    called: bool = False

    @property
    def strict(self) -> bool:
        """Whether errors in nested templates are errors."""
        return self.create or self.converts


def link(
    template: Template,
    environments: Sequence[Environment] = (),
    parameters: Mapping[str, Any] | None = None,
    root: Root | None = None,
    options: Options | None = None,
) -> tuple[Stack, list[Diagnostic]]:
    """The linked stack and its diagnostics; a stack with errors must not be emitted."""
    options = options or Options()
    root = root or Root(None)
    if options.nested == "load":
        how = {"strict": options.strict, "converts": options.converts}
        chooser = capabilities.Chooser(environments, root, options.library, **how)
        registry, found = read_registry(environments, chooser, options.catalog)
        found += chooser.found
    else:
        registry, found = read_registry(environments, catalog=options.catalog)
    if options.called:
        environments = [defaults_only(one) for one in environments]
    given, said = merge(template.parameters, environments, parameters or {}, client=options.client)
    found += [d if options.create or d.code != codes.INVALID_PARAMETER_VALUE else d.milder() for d in said]
    passed = frozenset(template.parameters) if options.called else frozenset()
    linker = _Linker(template, tuple(environments), root, registry, given, options, passed=passed)
    try:
        return linker.stack(), found + linker.found()
    except TooMany as e:
        raise TooMany(e.sink, found + linker.nested_found) from None


def inside(stack: Stack, resource: Resource, found: Found) -> Nested | None:
    """Links the nested template of one resource of a linked stack, for a type that only values decide. None if the
    template cannot be linked.
    """
    linker = _Linker(stack.template, stack.environments, stack.root, stack.registry, stack.given, Options("load"))
    linker.enabled = {resource.name: True}
    linker.nest(resource, resource.type, found, resource.type_at)
    return linker.nested.get((resource.name, resource.type))


@final
class _Linker:
    def __init__(
        self,
        template: Template,
        environments: tuple[Environment, ...],
        root: Root,
        registry: Registry,
        given: Mapping[str, Binding],
        options: Options,
        trail: tuple[str, ...] = (),
        passed: frozenset[str] = frozenset(),
    ) -> None:
        self.template, self.environments, self.root, self.passed = template, environments, root, passed
        self.registry, self.given, self.options, self.trail = registry, given, options, trail
        self.sink = Sink(template.source, mild=bool(trail) and not options.strict)
        self.nested_found: list[Diagnostic] = []
        self.nested: dict[tuple[str, str], Nested] = {}
        self.chosen: dict[tuple[str, str], Registration] = {}
        self.found_types: dict[str, Found | None] = {}
        self.enabled: dict[str, bool | None] = {}
        self.interpreter: evaluate.Interpreter | None = None
        self.plugins = {""}  # the plug-ins that have been reported; "" is Heat itself

    def found(self) -> list[Diagnostic]:
        # Each once: every level repeats the diagnostics of the levels below it.
        return self.sink.found + list(dict.fromkeys(self.nested_found))

    def stack(self) -> Stack:
        template = self.template
        self.conditions()
        for name, resource in template.resources.items():
            self.found_types[name] = self.registry.find(resource.type, name)
        named = {name: resource.type for name, resource in template.resources.items()}
        known = self.registry.catalog
        types = {n: f.kind if f else known.canonical(named[n]) for n, f in self.found_types.items()}
        linked = {name: replace(resource, kind=types[name]) for name, resource in template.resources.items()}
        template = self.template = replace(template, resources=linked)
        if self.options.nested == "load":
            self.files()
        for resource in template.resources.values():
            self.nests(resource, types[resource.name])
        reads = self.root if self.options.nested != "load" else None  # else all files have been read already

        def facts(resource: Resource) -> Type | None:
            return facts_of(resource, types, self.nested, known)

        how = {"create": self.options.create, "converts": self.options.converts}
        names = Names(template, self.sink, reads, types, facts, self.enabled.__getitem__, self.holds, **how)
        names.check()
        self.deferred_errors()
        for resource in template.resources.values():
            self.resource(resource, facts(resource), types[resource.name])
        for param in template.parameters.values():
            self.param(param)
        needs = graph.implicit(template)
        for circle in graph.circles(graph.union(needs, graph.explicit(template))):
            first = template.resources[circle[0]]
            message = f"Circular dependency between resources: {', '.join(circle)}."
            self.sink.say(codes.CIRCULAR_DEPENDENCY, message, first.name_span)
        return Stack(
            template,
            self.root,
            types,
            self.given,
            self.environments,
            frozenset(names.unknown),
            needs,
            registry=self.registry,
            circular=frozenset(names.circular),
            nested=self.nested,
            enabled=self.enabled,
            passed=self.passed,
            chosen=self.chosen,
        )

    # conditions

    def conditions(self) -> None:
        """Evaluates which resources are enabled. A condition that cannot be evaluated gives None and no diagnostic."""
        template = self.template
        asked = [r for r in template.resources.values() if r.condition is not None]
        self.enabled = dict.fromkeys(template.resources, True)
        if not asked:
            return
        for resource in asked:
            assert resource.condition is not None
            self.enabled[resource.name] = self.holds(resource.condition)

    def holds(self, condition: Expr) -> bool | None:
        """Whether a condition holds with the known values; None if that is unknown or the condition is invalid."""
        try:
            return self.evaluator().chosen(condition)
        except evaluate.EvaluationError:
            return None

    def value(self, expr: Expr) -> Any:
        """The value of an expression with the known values; None if it is unknown."""
        try:
            return self.evaluator().value(expr)
        except evaluate.EvaluationError:
            return None

    def evaluator(self) -> evaluate.Interpreter:
        if self.interpreter is None:
            world = evaluate.World(known_parameters(self.template, self.given, self.passed))
            self.interpreter = evaluate.Interpreter(self.template, world)
        return self.interpreter

    def deferred_errors(self) -> None:
        """Reports errors in branches of `if`: warnings if Heat does not take the branch, unless a target needs all
        branches.
        """
        for error in self.template.deferred:
            skipped = not self.options.converts and any(self.holds(c) is not w for c, w in error.guards)
            self.sink.say(error.code, error.message, error, error.hint, "warning" if skipped else "")

    # parameters

    def param(self, param: Param) -> None:
        if param.name in self.template.resources:
            message = f"{param.name} is both a parameter and a resource."
            self.sink.say(codes.RESOURCE_NAMED_LIKE_PARAMETER, message, param.name_span)
        for constraint in param.constraints:
            if param.type not in APPLIES[constraint.kind]:
                message = f"A parameter of type {param.type} cannot have the constraint {constraint.kind}."
                self.sink.say(codes.CONSTRAINT_NOT_ALLOWED_FOR_TYPE, message, constraint)
                return
        if param.default is not None and (why := wrong_default(param, self.sink.budget)):
            message = f"Invalid default for parameter {param.name}: {why}."
            self.sink.say(codes.INVALID_PARAMETER_VALUE, message, param.default)

    # resources

    def resource(self, resource: Resource, facts: Type | None, kind: str) -> None:
        """Reports unknown properties, and snapshot policies of types without snapshots."""
        looked_at = self.enabled[resource.name] is True and resource.external_id is None
        severity = "" if looked_at else "warning"
        policy = resource.deletion_policy
        if facts is None or "retired" in facts:
            return
        if "refused" in facts:
            message = f"Heat refuses every template that uses {resource.type}: {facts['refused']}."
            grade = "warning" if self.options.converts else severity
            self.sink.say(codes.TYPE_REFUSED_BY_HEAT, message, resource.type_span, severity=grade)
        if self.options.converts and (plugin := facts.get("plugin", "")) not in self.plugins:
            self.plugins.add(plugin)
            message = f"{kind} is no type of Heat's own; the plug-in of {plugin} provides it."
            self.sink.say(codes.KNOWN_PLUGIN_TYPE, message, resource.type_span)
        if policy == Lit("Snapshot") and kind not in SNAPSHOTS:
            message = f"{resource.type} does not support snapshots, so Heat rejects the deletion policy."
            self.sink.say(codes.INVALID_KEY_VALUE, message, policy, severity=severity)
        if resource.properties is None or facts.get("any"):
            return
        known = facts["properties"]
        if facts.get("open"):
            return
        for entry in resource.properties.entries:
            if entry.key not in known:
                message = f"{resource.type} has no property {entry.key}."
                hint = self.sink.guess(entry.key, known)
                self.sink.say(codes.UNKNOWN_PROPERTY, message, entry.key_span, hint, severity)

    # nested templates

    def nests(self, resource: Resource, kind: str) -> None:
        """Links the nested templates of a resource: its own type, its members' types, and its `template` property."""
        self.nest(resource, resource.type, self.found_types[resource.name], resource.type_at)
        empty = vacant(resource, kind, self.value)
        if empty and not self.options.converts:
            return
        for written, at, member in members(resource, kind):
            found = self.registry.child(resource.name, None).find(written, member) if self.registry else None
            before = len(self.nested_found)
            self.nest(resource, written, found or self.registry.find(written), at)
            if empty:  # Heat checks the definition of members only when it creates one
                self.nested_found[before:] = [d.milder() for d in self.nested_found[before:]]
        if kind in STACKS and (source := template_of(resource)) is not None:
            if self.options.nested == "refuse":
                message = f"Resource {resource.name} is a nested stack."
                self.sink.say(codes.NESTED_TEMPLATE_UNSUPPORTED, message, source)
            elif self.options.nested == "load" and self.options.converts:
                self.inside(resource, source)

    def nest(self, resource: Resource, written: str, found: Found | None, at: int) -> None:
        span = word_at(at, written)
        if found is not None and found.chosen is not None:
            self.chosen[resource.name, written] = found.chosen
        looks = found.file if found is not None else not written.startswith(("OS::", "AWS::")) and is_path(written)
        if not looks or self.options.nested == "keep":
            return
        if self.options.nested == "refuse":
            self.sink.say(codes.NESTED_TEMPLATE_UNSUPPORTED, f"The type {written} is a nested template.", span)
            return
        if found is None:
            message = f"Heat treats {written} as a type name, not as a template."
            late = written != resource.type and not self.options.create
            severity = "warning" if self.options.converts or late else ""  # targets leave unknown types to Heat
            hint = "Template names end with .yaml or .template. An environment can also map the type to a template."
            self.sink.say(codes.UNKNOWN_RESOURCE_TYPE, message, span, hint, severity)
            return
        if self.enabled[resource.name] is False and not self.options.converts:
            return
        if found.chosen is not None and found.chosen.undecided:
            return  # reported already
        name, root = found.kind, self.root
        if found.by is not None:
            root = self.root.of_environment(found.by.environment.folder)
        try:
            loaded = self.options.library.load(root, name)
        except Unreadable as e:
            self.unreadable(e, written, at, found)
            return
        begins = not self.trail and written == resource.type  # Heat parses only these when it validates
        self.nested_found += [loaded.judged(d, begins=begins, create=self.options.strict) for d in loaded.found]
        if loaded.template is not None:
            if found.by is not None and found.chosen is None and loaded.template.capabilities:
                wanted = capabilities.required(self.environments)
                other = capabilities.contradiction(found.by, written, loaded.template, wanted)
                self.nested_found += [other] if other is not None else []
            self.descend(resource, written, at, found, loaded)

    def inside(self, resource: Resource, source: Expr) -> None:
        """Links the template of a stack resource if it is a readable file. Heat passes any other text on to the service
        that creates the stack, and so can a target.
        """
        name = source.name if isinstance(source, FileRef) else source.value if isinstance(source, Lit) else None
        try:
            loaded = self.options.library.load(self.root, str(name)) if name is not None else None
        except Unreadable:
            return
        if loaded is None or loaded.template is None or any(d.severity == "error" for d in loaded.found):
            return
        before = len(self.nested_found)
        self.descend(resource, INSIDE, source.at, Found(loaded.file.path, True), loaded)
        if failed(self.nested_found[before:]):  # Heat passes such a text on unread, so its errors are taken back
            del self.nested_found[before:]
            self.nested.pop((resource.name, INSIDE), None)

    def descend(self, resource: Resource, written: str, at: int, found: Found, loaded: nested_templates.Loaded) -> None:
        """Links a nested template, once for each registry and set of given parameters."""
        assert loaded.template is not None
        where, trail = loaded.file.where, (*self.trail, loaded.file.where)
        if where in self.trail:
            return  # `AttachedFiles` reports it
        if len(trail) > nested_templates.DEPTH:
            message = f"The template {loaded.file.path} is nested more than {nested_templates.DEPTH} levels deep."
            self.sink.say(codes.TEMPLATES_NESTED_TOO_DEEPLY, message, word_at(at, written))
            return
        registry = self.registry.child(resource.name, found.by)
        passed = frozenset(given_by(resource, written))
        key = where, id(registry), passed
        if key not in self.options.memo:
            spend("templates", 1, self.sink.source or self.template.source, word_at(at, written))
            defaults = self.environments
            given, _ = merge(loaded.template.parameters, [defaults_only(e) for e in defaults], {})
            inner = _Linker(loaded.template, defaults, loaded.root, registry, given, self.options, trail, passed)
            try:
                self.options.memo[key] = inner.stack(), inner.found()
            except TooMany as e:
                self.nested_found += [*inner.nested_found, *e.sink.found]
                return
        stack, said = self.options.memo[key]
        self.nested[resource.name, written] = Nested(
            loaded.file.path, stack, found, nested_templates.as_type(stack.template, stack.given)
        )
        self.nested_found += said

    def unreadable(self, error: Unreadable, written: str, at: int, found: Found) -> None:
        """Reports a nested template that the run is not allowed to read; `AttachedFiles` reports missing ones."""
        if error.kind not in ("outside", "url"):
            return
        sink, where = self.sink, word_at(at, written)
        if found.by is not None:
            sink, where = Sink(found.by.environment.source), found.by.entry.value.span
        message = f"The template {found.kind} was not read: {error.detail}."
        severity = "error" if self.options.converts else ""
        sink.say(codes.NESTED_TEMPLATE_NOT_READ, message, where, error.hint, severity)
        if sink is not self.sink:
            self.nested_found += sink.found

    def files(self) -> None:
        """Checks the files that Heat's client would send: they exist, at any depth, and do not include each other in a
        cycle.
        """
        if not self.trail:
            files = Files(self.options.library)
            files.follow(self.template, self.root, ())
            for one in self.registry.registrations():
                files.registered(one, self.root.of_environment(one.environment.folder))
            self.nested_found += files.found


def defaults_only(environment: Environment) -> Environment:
    """An environment as a nested stack sees it: without `parameters`."""
    return replace(environment, parameters={}, order=tuple(s for s in environment.order if s != "parameters"))
