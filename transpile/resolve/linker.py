"""The linker: resolves the names of a template, its environments and its nested templates into a `Stack`.

Invariant: only constructs that Heat refuses when it validates the template are errors. Heat checks nested templates
only when it creates a stack, so errors inside them are warnings unless the options ask for more.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, final

from transpile import evaluate
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, Sink, TooManyErrors, has_errors
from transpile.model import heat_types
from transpile.model.ir import Environment, Expr, FileRef, Lit, Param, Resource, Template
from transpile.model.meter import spend_budget
from transpile.model.records import EMPTY, field, record, replace
from transpile.model.source import Source
from transpile.model.span import Span, word_at
from transpile.resolve import (
    capabilities,
    graph,
    implicit_dependencies,
    later_forms,
    missing_files,
    nested_templates,
    placeholder_values,
    sharing,
)
from transpile.resolve.attachments import AttachedFiles
from transpile.resolve.environments import Binding, merge_environments
from transpile.resolve.groups import (
    INSIDE,
    STACKS,
    find_stack_template,
    is_empty_group,
    member_type_places,
    member_types,
    nested_parameter_names,
    types_at_place,
)
from transpile.resolve.hidden_parameters import hide_secret_parameters
from transpile.resolve.references import ReferenceChecker
from transpile.resolve.registry import Registration, ResolvedType, ResourceRegistry, is_path, read_registry
from transpile.resolve.software_actions import check_software_actions
from transpile.resolve.stack import NestedStack, Stack, collect_parameter_values, find_resource_facts
from transpile.resolve.stack_name import split_stack_name
from transpile.schema.catalog import HEAT
from transpile.schema.parameters import APPLIES, check_default
from transpile.text.source import Root, UnreadableFile

if TYPE_CHECKING:
    from transpile.schema.catalog import Catalog, TypeFacts

SNAPSHOTS = (heat_types.AWS_VOLUME, heat_types.CINDER_VOLUME, heat_types.DEPLOYED_SERVER, heat_types.NOVA_SERVER)


@final
@record
class LinkOptions:
    """How to link.

    `nested`: refuse nested templates, keep their names, or load them. `create`: a template that Heat refuses only when
    it creates the stack is an error, too. `converts`: errors in branches not taken and in nested templates count,
    because a target writes all of them. `client`: merge environments as old clients did. `catalog`: the built-in types.
    `called`: other templates nest this one and set its parameters, so their values are not known here.
    `siblings`: the environments and parameters of all stacks that share the output, this one among them, in an order
    that is the same for each. `placeholders`: whether values that stand for others are kept, reported, or set aside, so
    that they decide nothing. `ignores`: whether a comment at a place of a source ignores a code. `missing`: whether a
    stub takes the place of a missing file, or it is an error.
    """

    nested: str = "refuse"
    create: bool = False
    converts: bool = False
    library: nested_templates.TemplateLibrary | None = None
    memo: dict[tuple[str, int, frozenset[str]], tuple[Stack, Sequence[Diagnostic]]] = field(default_factory=dict)
    client: bool = False
    catalog: Catalog = HEAT
    called: bool = False
    placeholders: str = placeholder_values.KEEP
    siblings: Sequence[tuple[Sequence[Environment], Mapping[str, Any]]] = ()
    missing: str = missing_files.ERROR
    ignores: Callable[[Source, Span, str], bool] = field(default=lambda source, span, code: False)

    @property
    def is_strict(self) -> bool:
        """Whether errors in nested templates are errors."""
        return self.create or self.converts


def link_template(
    template: Template,
    environments: Sequence[Environment] = (),
    parameters: Mapping[str, Any] | None = None,
    root: Root | None = None,
    options: LinkOptions | None = None,
) -> tuple[Stack, list[Diagnostic]]:
    """The linked stack and its diagnostics; a stack with errors must not be emitted."""
    options = options or LinkOptions()
    library = options.library or nested_templates.TemplateLibrary(budget=template.source.budget)
    options = replace(options, library=library)
    root = root or Root(None)
    if options.nested == "load":
        how = {"strict": options.is_strict, "converts": options.converts}
        chooser = capabilities.CandidateChooser(environments, root, library, **how)
        registry, diagnostics = read_registry(environments, chooser, options.catalog)
        diagnostics += chooser.diagnostics
    else:
        registry, diagnostics = read_registry(environments, catalog=options.catalog)
    if options.called:
        environments = [environment_for_nested_stack(environment) for environment in environments]
    stack_name, parameters, wrong_name = split_stack_name(parameters or {})
    diagnostics += wrong_name
    bindings, merge_diagnostics = merge_environments(
        template.parameters,
        environments,
        parameters,
        client=options.client,
        template=template.source.name,
        budget=template.source.budget,
    )
    placeholders, reported = placeholder_values.select_placeholders(
        template, bindings, placeholder_values.KEEP if options.called else options.placeholders, options.ignores
    )
    diagnostics += reported
    declared = template
    template, bindings = placeholder_values.set_placeholders_aside(template, bindings, placeholders)
    shared = (
        sharing.SharedValues(declared, options.siblings, options.placeholders, options.ignores)
        if options.siblings
        else None
    )
    if shared is not None:
        template, bindings = shared.ask_for_values(template, bindings)
    ignored_places = {(id(value.source), value.span) for value in placeholders}
    diagnostics += [
        d if options.create or d.code != codes.INVALID_PARAMETER_VALUE else d.reduced_to_warning()
        for d in merge_diagnostics
        if (id(d.source), d.span) not in ignored_places or d.code != codes.INVALID_PARAMETER_VALUE
    ]
    passed_parameters = frozenset(template.parameters) if options.called else frozenset()
    linker = _Linker(
        template, tuple(environments), root, registry, bindings, options, passed_parameters=passed_parameters
    )
    linker.placeholders = {value.name: value for value in placeholders}
    try:
        stack = hide_secret_parameters(linker.link_stack())
        shared_values = shared.list_values(template, bindings) if shared is not None else EMPTY
        return replace(stack, name=stack_name, shared_values=shared_values), diagnostics + linker.collect_diagnostics()
    except TooManyErrors as e:
        raise TooManyErrors(e.sink, diagnostics + linker.nested_diagnostics) from None


def link_nested_template(stack: Stack, resource: Resource, resolved_type: ResolvedType) -> NestedStack | None:
    """Links the nested template of one resource of a linked stack, for a type that only values decide. None if the
    template cannot be linked.
    """
    linker = _Linker(
        stack.template, stack.environments, stack.root, stack.registry, stack.bindings, LinkOptions("load")
    )
    linker.enabled = {resource.name: True}
    linker.link_type(resource, resource.type, resolved_type, resource.type_at)
    return linker.nested.get((resource.name, resource.type))


@final
class _Linker:
    def __init__(
        self,
        template: Template,
        environments: tuple[Environment, ...],
        root: Root,
        registry: ResourceRegistry,
        bindings: Mapping[str, Binding],
        options: LinkOptions,
        trail: tuple[str, ...] = (),
        passed_parameters: frozenset[str] = frozenset(),
    ) -> None:
        self.template, self.environments, self.root, self.passed_parameters = (
            template,
            environments,
            root,
            passed_parameters,
        )
        self.registry, self.bindings, self.options, self.trail = registry, bindings, options, trail
        self.sink = Sink(template.source, mild=bool(trail) and not options.is_strict)
        self.library = options.library or nested_templates.TemplateLibrary(budget=template.source.budget)
        self.nested_diagnostics: list[Diagnostic] = []
        self.nested: dict[tuple[str, str], NestedStack] = {}
        self.chosen: dict[tuple[str, str], Registration] = {}
        self.resolved_types: dict[str, ResolvedType] = {}
        self.enabled: dict[str, bool | None] = {}
        self.interpreter: evaluate.Interpreter | None = None
        self.placeholders: Mapping[str, placeholder_values.PlaceholderValue] = {}
        self.plugins = {""}  # the plug-ins that have been reported; "" is Heat itself

    def collect_diagnostics(self) -> list[Diagnostic]:
        # Each once: every level repeats the diagnostics of the levels below it.
        return self.sink.diagnostics + list(dict.fromkeys(self.nested_diagnostics))

    def link_stack(self) -> Stack:
        template = self.template
        self.evaluate_conditions()
        for name, resource in template.resources.items():
            self.resolved_types[name] = self.registry.resolve_type(resource.type, name)
        catalog = self.registry.catalog
        types = {name: resolved_type.kind for name, resolved_type in self.resolved_types.items()}
        linked = {name: replace(resource, kind=types[name]) for name, resource in template.resources.items()}
        template = self.template = replace(template, resources=linked)
        if self.options.nested == "load":
            self.check_attached_files()
        for resource in template.resources.values():
            self.link_nested_templates(resource, types[resource.name])
        reads = self.root if self.options.nested != "load" else None  # else all files have been read already

        def resource_facts(resource: Resource) -> TypeFacts:
            return find_resource_facts(resource, types, self.nested, catalog)

        how = {"create": self.options.create, "converts": self.options.converts}
        names = ReferenceChecker(
            template, self.sink, reads, types, resource_facts, self.enabled.__getitem__, self.condition_holds, **how
        )
        names.check_template()
        later_forms.check_forms(template, self.sink, converts=self.options.converts)
        self.deferred_errors()
        for resource in template.resources.values():
            self.check_resource(resource, resource_facts(resource), types[resource.name])
        for param in template.parameters.values():
            self.check_parameter(param)
        needs = graph.implicit_edges(template)
        stack = Stack(
            template,
            self.root,
            types,
            self.bindings,
            self.environments,
            frozenset(names.unknown_references),
            needs,
            registry=self.registry,
            circular_conditions=frozenset(names.circular_conditions),
            nested=self.nested,
            enabled=self.enabled,
            passed_parameters=self.passed_parameters,
            chosen=self.chosen,
            placeholders=self.placeholders,
        )
        self.check_circles(stack)
        check_software_actions(stack, self.sink, self.evaluate_value, create=self.options.create)
        return stack

    def check_circles(self, stack: Stack) -> None:
        """Reports resources that wait for each other: in the template, or by dependencies that Heat's plug-ins add.

        Heat refuses the first when it validates the template, the second when it creates the stack. A conversion drops
        such a dependency if it closes a circle.
        """
        resources = stack.template.resources
        written = graph.merge_edges(stack.needs, graph.explicit_edges(stack.template))
        circles = list(graph.find_cycles(written))
        for circle in circles:
            message = f"Circular dependency between resources: {', '.join(circle)}."
            self.sink.add(codes.CIRCULAR_DEPENDENCY, message, resources[circle[0]].name_span)
        if circles:
            return
        added: dict[str, list[str]] = {}
        rows = [
            row
            for row in implicit_dependencies.find_implicit_dependencies(stack, exact=True)
            if self.enabled[row[0]] is not False and self.enabled[row[1]] is not False
        ]
        for name, needed, _ in rows:
            added.setdefault(name, []).append(needed)
        for circle in graph.find_cycles(graph.merge_edges(written, added)) if rows else ():
            members = {*circle}
            name, needed, why = next(row for row in rows if row[0] in members and row[1] in members)
            message = (
                f"Circular dependency between resources: {', '.join(circle)}. {name} waits for {needed},"
                f" although the template does not say so. {why}."
            )
            severity = "" if self.options.create else "warning"
            self.sink.add(codes.CIRCULAR_DEPENDENCY, message, resources[circle[0]].name_span, "", severity)

    # conditions

    def evaluate_conditions(self) -> None:
        """Evaluates which resources are enabled. A condition that cannot be evaluated gives None and no diagnostic."""
        template = self.template
        conditional = [r for r in template.resources.values() if r.is_conditional]
        self.enabled = dict.fromkeys(template.resources, True)
        if not conditional:
            return
        for resource in conditional:
            self.enabled[resource.name] = self.condition_holds(resource.condition)

    def condition_holds(self, condition: Expr) -> bool | None:
        """Whether a condition holds with the known values; None if that is unknown or the condition is invalid."""
        try:
            return self.make_interpreter().takes_first_branch(condition)
        except evaluate.EvaluationError:
            return None

    def evaluate_value(self, expr: Expr) -> Any:
        """The value of an expression with the known values; None if it is unknown."""
        try:
            return self.make_interpreter().evaluate(expr)
        except evaluate.EvaluationError:
            return None

    def make_interpreter(self) -> evaluate.Interpreter:
        if self.interpreter is None:
            self.interpreter = evaluate.Interpreter(self.template, evaluate.World(self.parameter_values))
        return self.interpreter

    @functools.cached_property
    def parameter_values(self) -> dict[str, Any]:
        return collect_parameter_values(self.template, self.bindings, self.passed_parameters)

    def deferred_errors(self) -> None:
        """Reports errors in branches of `if`: warnings if Heat does not take the branch, unless a target needs all
        branches.
        """
        for error in self.template.deferred:
            skipped = not self.options.converts and any(self.condition_holds(c) is not w for c, w in error.guards)
            self.sink.add(error.code, error.message, error, error.hint, "warning" if skipped else "")

    # parameters

    def check_parameter(self, param: Param) -> None:
        if param.name in self.template.resources:
            message = f"{param.name} is both a parameter and a resource."
            self.sink.add(codes.RESOURCE_NAMED_LIKE_PARAMETER, message, param.name_span)
        for constraint in param.constraints:
            if param.type not in APPLIES[constraint.kind]:
                message = f"A parameter of type {param.type} cannot have the constraint {constraint.kind}."
                self.sink.add(codes.CONSTRAINT_NOT_ALLOWED_FOR_TYPE, message, constraint)
                return
        if param.default is not None and (why := check_default(param, self.sink.budget)):
            message = f"Invalid default for parameter {param.name}: {why}."
            self.sink.add(codes.INVALID_PARAMETER_VALUE, message, param.default)

    # resources

    def check_resource(self, resource: Resource, facts: TypeFacts, kind: str) -> None:
        """Reports unknown properties, and snapshot policies of types without snapshots."""
        self.check_external_dependencies(resource)
        looked_at = self.enabled[resource.name] is True and not resource.is_existing
        severity = "" if looked_at else "warning"
        policy = resource.deletion_policy
        if not facts or "retired" in facts:
            return
        if "refused" in facts:
            message = f"Heat refuses every template that uses {resource.type}: {facts['refused']}."
            grade = "warning" if self.options.converts else severity
            self.sink.add(codes.TYPE_REFUSED_BY_HEAT, message, resource.type_span, severity=grade)
        if self.options.converts and (plugin := facts.get("plugin", "")) not in self.plugins:
            self.plugins.add(plugin)
            message = f"{kind} is no type of Heat's own; the plug-in of {plugin} provides it."
            self.sink.add(codes.KNOWN_PLUGIN_TYPE, message, resource.type_span)
        of_plugin = kind in self.registry.catalog.plugin_types
        supports_snapshots = facts.get("snapshot", False) if of_plugin else kind in SNAPSHOTS
        if policy == Lit("Snapshot") and supports_snapshots == "?":
            message = f"Only the plug-in knows whether {resource.type} supports snapshots."
            self.sink.add(codes.KNOWN_ONLY_TO_PLUGIN, message, policy, severity="warning")
        elif policy == Lit("Snapshot") and not supports_snapshots:
            message = f"{resource.type} does not support snapshots, so Heat rejects the deletion policy."
            self.sink.add(codes.INVALID_KEY_VALUE, message, policy, severity=severity)
        if facts.get("any") or facts.get("open"):
            return
        schemas = facts["properties"]
        for entry in resource.entries:
            if entry.key not in schemas:
                message = f"{resource.type} has no property {entry.key}."
                hint = self.sink.guess_name(entry.key, schemas)
                self.sink.add(codes.UNKNOWN_PROPERTY, message, entry.key_span, hint, severity)

    def check_external_dependencies(self, resource: Resource) -> None:
        """Reports `depends_on` of an external resource, which Heat refuses. An empty `external_id` does not count."""
        if resource.external_id is None or not resource.depends_on or self.enabled[resource.name] is False:
            return
        certain = self.enabled[resource.name] is True
        try:
            if not self.make_interpreter().evaluate(resource.external_id):
                return
        except evaluate.EvaluationError:
            certain = False
        message = f"Resource {resource.name} is external, so Heat refuses its depends_on."
        hint = "Remove depends_on: Heat does not create the resource."
        self.sink.add(codes.INVALID_KEY_VALUE, message, resource.depends_on[0], hint, "" if certain else "warning")

    # nested templates

    def link_nested_templates(self, resource: Resource, kind: str) -> None:
        """Links the nested templates of a resource: its own type, its members' types, and its `template` property."""
        self.link_type(resource, resource.type, self.resolved_types[resource.name], resource.type_at)
        empty = is_empty_group(resource, kind, self.evaluate_value)
        if empty and not self.options.converts:
            return
        for written, at, member in member_types(resource, kind):
            resolved_type = self.registry.child_registry(resource.name, None).resolve_type(written, member)
            if not resolved_type.is_known:
                resolved_type = self.registry.resolve_type(written)
            before = len(self.nested_diagnostics)
            self.link_type(resource, written, resolved_type, at)
            if empty:  # Heat checks the definition of members only when it creates one
                self.nested_diagnostics[before:] = [d.reduced_to_warning() for d in self.nested_diagnostics[before:]]
        if self.options.converts:
            self.link_computed_types(resource, kind)
        if kind in STACKS and (source := find_stack_template(resource)) is not None:
            if self.options.nested == "refuse":
                message = f"Resource {resource.name} is a nested stack, which the target does not support."
                self.sink.add(codes.NESTED_TEMPLATE_UNSUPPORTED, message, source)
            elif self.options.nested == "load" and self.options.converts:
                self.link_stack_resource(resource, source)

    def link_computed_types(self, resource: Resource, kind: str) -> None:
        """Links the types of members that a condition chooses or a parameter names. A resource that stays with Heat
        needs their files. Heat reads them only when it creates a member, so no finding in them is an error.
        """
        linked = {written for written, _, _ in member_types(resource, kind)}
        before = len(self.nested_diagnostics)
        for place in member_type_places(resource, kind):
            for written in types_at_place(place, self.parameter_values):
                if written not in linked:
                    linked.add(written)
                    self.link_type(resource, written, self.registry.resolve_type(written), place.at)
        self.nested_diagnostics[before:] = [d.reduced_to_warning() for d in self.nested_diagnostics[before:]]

    def link_type(self, resource: Resource, written: str, resolved_type: ResolvedType, at: int) -> None:
        span = word_at(at, written)
        if resolved_type.candidate_registration is not None:
            self.chosen[resource.name, written] = resolved_type.candidate_registration
        looks = not resolved_type.is_known and not written.startswith(("OS::", "AWS::")) and is_path(written)
        if not (resolved_type.is_template or looks) or self.options.nested == "keep":
            return
        if self.options.nested == "refuse":
            message = f"The type {written} is a nested template, which the target does not support."
            self.sink.add(codes.NESTED_TEMPLATE_UNSUPPORTED, message, span)
            return
        if not resolved_type.is_known:
            message = f"Heat treats {written} as a type name, not as a template."
            late = written != resource.type and not self.options.create
            severity = "warning" if self.options.converts or late else ""  # targets leave unknown types to Heat
            hint = "Template names end with .yaml or .template. An environment can also map the type to a template."
            self.sink.add(codes.UNKNOWN_RESOURCE_TYPE, message, span, hint, severity)
            return
        if self.enabled[resource.name] is False and not self.options.converts:
            return
        if resolved_type.candidate_registration is not None and resolved_type.candidate_registration.is_undecided:
            return  # reported already
        name, root = resolved_type.kind, self.root
        if resolved_type.registration is not None:
            root = self.root.for_environment(resolved_type.registration.environment.folder)
        try:
            loaded = self.library.load_template(root, name)
        except UnreadableFile as e:
            self.report_unreadable_template(e, written, at, resolved_type)
            return
        begins = not self.trail and written == resource.type  # Heat parses only these when it validates
        self.nested_diagnostics += [
            loaded.with_heat_severity(d, begins=begins, create=self.options.is_strict) for d in loaded.diagnostics
        ]
        if loaded.template is not None:
            if (
                resolved_type.registration is not None
                and resolved_type.candidate_registration is None
                and loaded.template.capabilities
            ):
                requirements = capabilities.merge_requirements(self.environments)
                other = capabilities.diagnose_contradiction(
                    resolved_type.registration, written, loaded.template, requirements
                )
                self.nested_diagnostics += [other] if other is not None else []
            self.link_loaded_template(resource, written, at, resolved_type, loaded)

    def link_stack_resource(self, resource: Resource, source: Expr) -> None:
        """Links the template of a stack resource if it is a readable file. Heat passes any other text on to the service
        that creates the stack, and so can a target.
        """
        name = source.name if isinstance(source, FileRef) else source.value if isinstance(source, Lit) else None
        try:
            loaded = self.library.load_template(self.root, str(name)) if name is not None else None
        except UnreadableFile:
            return
        if loaded is None or loaded.template is None or any(d.severity == "error" for d in loaded.diagnostics):
            return
        before = len(self.nested_diagnostics)
        self.link_loaded_template(resource, INSIDE, source.at, ResolvedType(loaded.file.path, True), loaded)
        if has_errors(
            self.nested_diagnostics[before:]
        ):  # Heat passes such a text on unread, so its errors are taken back
            del self.nested_diagnostics[before:]
            self.nested.pop((resource.name, INSIDE), None)

    def link_loaded_template(
        self,
        resource: Resource,
        written: str,
        at: int,
        resolved_type: ResolvedType,
        loaded: nested_templates.LoadedTemplate,
    ) -> None:
        """Links a nested template, once for each registry and set of given parameters."""
        assert loaded.template is not None
        where, trail = loaded.file.where, (*self.trail, loaded.file.where)
        if where in self.trail:
            return  # `AttachedFiles` reports it
        if len(trail) > nested_templates.DEPTH:
            message = f"The template {loaded.file.path} is nested more than {nested_templates.DEPTH} levels deep."
            self.sink.add(codes.TEMPLATES_NESTED_TOO_DEEPLY, message, word_at(at, written))
            return
        registry = self.registry.child_registry(resource.name, resolved_type.registration)
        passed_parameters = frozenset(nested_parameter_names(resource, written))
        key = where, id(registry), passed_parameters
        if key not in self.options.memo:
            spend_budget("templates", 1, self.sink.source, word_at(at, written))
            defaults = self.environments
            bindings, _ = merge_environments(
                loaded.template.parameters,
                [environment_for_nested_stack(e) for e in defaults],
                {},
                budget=self.sink.budget,
            )
            inner = _Linker(
                loaded.template, defaults, loaded.root, registry, bindings, self.options, trail, passed_parameters
            )
            try:
                linked, inner_diagnostics = inner.link_stack(), inner.collect_diagnostics()
            except TooManyErrors as e:
                self.nested_diagnostics += [*inner.nested_diagnostics, *e.sink.diagnostics]
                return
            if self.options.siblings:
                defaults_of_siblings: list[tuple[Sequence[Environment], Mapping[str, Any]]] = [
                    ([environment_for_nested_stack(environment) for environment in environments], {})
                    for environments, _ in self.options.siblings
                ]
                shared = sharing.SharedValues(
                    loaded.template, defaults_of_siblings, placeholder_values.KEEP, self.options.ignores
                )
                linked = replace(
                    linked,
                    shared_values=shared.list_values(loaded.template, bindings),
                    sometimes_set=shared.list_sometimes_set(),
                )
            self.options.memo[key] = linked, inner_diagnostics
        stack, diagnostics = self.options.memo[key]
        self.nested[resource.name, written] = NestedStack(
            loaded.file.path, stack, resolved_type, nested_templates.template_as_type(stack.template, stack.bindings)
        )
        self.nested_diagnostics += diagnostics

    def report_unreadable_template(
        self, error: UnreadableFile, written: str, at: int, resolved_type: ResolvedType
    ) -> None:
        """Reports a nested template that the run is not allowed to read; `AttachedFiles` reports missing ones."""
        if error.kind not in ("outside", "url"):
            return
        sink, where = self.sink, word_at(at, written)
        if resolved_type.registration is not None:
            sink, where = (
                Sink(resolved_type.registration.environment.source),
                resolved_type.registration.entry.value.span,
            )
        message = f"The template {resolved_type.kind} was not read: {error.detail}."
        severity = "error" if self.options.converts else ""
        sink.add(codes.NESTED_TEMPLATE_NOT_READ, message, where, error.hint, severity)
        if sink is not self.sink:
            self.nested_diagnostics += sink.diagnostics

    def check_attached_files(self) -> None:
        """Checks the files that Heat's client would send: they exist, at any depth, and do not include each other in a
        cycle.
        """
        if not self.trail:
            files = AttachedFiles(self.library, self.options.missing)
            files.follow_template(self.template, self.root, ())
            for registration in self.registry.list_registrations():
                files.follow_registration(registration, self.root.for_environment(registration.environment.folder))
            self.nested_diagnostics += files.diagnostics


def environment_for_nested_stack(environment: Environment) -> Environment:
    """An environment as a nested stack sees it: without `parameters`."""
    return replace(environment, parameters={}, order=tuple(s for s in environment.order if s != "parameters"))
