"""Checks a linked stack, and those nested in it, as Heat validates them.

Invariant: as in Heat, a resource whose condition is false is not checked, nor are nested stacks before they are
created.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any, final

from transpile import evaluate
from transpile.check import deprecated, lints, misspelt, plugin_types
from transpile.check.property_values import Values
from transpile.diagnostics import codes
from transpile.diagnostics.model import Sink, TooMany
from transpile.evaluate.partial import before_creation
from transpile.model import heat_types
from transpile.model.attribute_paths import AttributeList, AttributeMap, select
from transpile.model.ir import NULL, AttrRef, Call, ConditionRef, ErrorNode, Lit, ResourceRef, data, walk
from transpile.model.span import Located, word_at
from transpile.resolve.groups import members, vacant
from transpile.resolve.references import PATHS
from transpile.resolve.registry import is_path
from transpile.resolve.stack import known_parameters
from transpile.schema.parameters import given, wrong_default

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from transpile.diagnostics.model import Diagnostic
    from transpile.model.ir import Expr, Output, Param, Resource
    from transpile.resolve.stack import Stack
    from transpile.schema.catalog import Type

COMPARE = ("equals", "contains", "not", "and", "or")  # functions that take every value
RESOURCES = 1000  # Heat's default limit for one stack
SIZE = 512 * 1024  # Heat's default limit for a template, in bytes


def check(
    stack: Stack,
    *,
    create: bool = False,
    plugins: Callable[[str], bool] = lambda kind: False,
    definer: Callable[[str], str] = lambda kind: "",
    called: bool = False,
) -> list[Diagnostic]:
    """The diagnostics of a stack and of all stacks nested in it, each stack once.

    `create`: what Heat refuses when it creates the stack is an error as well; `plugins`: whether a type is known to be
    a plug-in of the cloud; `definer`: the path of an environment that was not given and that defines a type, or empty;
    `called`: the stack's template is one that others nest.
    """
    found: list[Diagnostic] = []
    seen: set[int] = set()
    todo = [(stack, False)]
    while todo:
        one, nested = todo.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        checker = _Checker(one, nested, create, plugins, definer, nested or called)
        with contextlib.suppress(TooMany):
            checker.check()
        found += checker.sink.found
        todo += [(inner.stack, True) for inner in one.nested.values()]
    return found


@final
class _Checker:
    def __init__(
        self,
        stack: Stack,
        nested: bool,
        create: bool,
        plugins: Callable[[str], bool],
        definer: Callable[[str], str],
        called: bool,
    ) -> None:
        self.stack, self.template, self.nested, self.plugins = stack, stack.template, nested, plugins
        self.definer, self.called = definer, called
        self.sink = Sink(stack.template.source, mild=nested and not create)
        self.late = "error" if create else "warning"  # of what only creating the stack would refuse
        self.create = create
        known = known_parameters(stack.template, stack.given, stack.passed)
        self.interpreter = evaluate.Interpreter(stack.template, before_creation(known))

    def check(self) -> None:
        self.parameters()
        self.conditions()
        self.limits()
        # of a nested stack Heat looks at names beforehand, and at values when it comes to create it
        self.values = Values(self.stack, self.sink, self.interpreter, "warning" if self.nested else self.late)
        for resource in self.template.resources.values():
            if self.stack.enabled[resource.name] is not False:
                self.type(resource)
                self.policy(resource)
                self.values.check(resource)
                self.plugin_type(resource)
                self.facade(resource)
            self.attributes(resource.refs, self.stack.enabled[resource.name] is True)
        for output in self.template.outputs.values():
            self.attributes(output.refs, output.condition is None)
        self.disabled()
        lints.check(self.stack, self.sink)
        deprecated.check(self.stack, self.sink)
        misspelt.check(self.template, self.sink)

    def parameters(self) -> None:
        """Defaults that are used must be valid, and creating a stack needs a value for every parameter."""
        for param in self.template.parameters.values():
            self.constraints(param)
            if param.name in self.stack.given or param.name in self.stack.passed:
                continue
            if param.default is None:
                if self.create and not self.called:
                    message = f"The parameter {param.name} has no value."
                    self.sink.say(codes.MISSING_VALUE_FOR_VALIDATION, message, param.name_span)
                continue
            if param.default == NULL:
                continue  # it could not be read, and the front end has reported it
            _, why, _ = given(param, data(param.default), self.sink.budget)
            if why and wrong_default(param, self.sink.budget) is not None:
                continue  # the linker has reported it
            if why:
                message = f"Heat cannot use the default of parameter {param.name}: {why}."
                self.sink.say(codes.INVALID_PARAMETER_VALUE, message, param.default, severity=self.late)

    def constraints(self, param: Param) -> None:
        """Reports custom constraints that Heat does not have. Only a warning by default: a cloud may have its own."""
        for one in param.constraints:
            name = one.value.value if one.kind == "custom_constraint" and isinstance(one.value, Lit) else None
            if isinstance(name, str) and name not in (known := self.stack.catalog.constraints()):
                message = f"Unknown custom constraint {name}."
                self.sink.say(codes.UNKNOWN_CUSTOM_CONSTRAINT, message, one, self.sink.guess(name, known), self.late)

    def conditions(self) -> None:
        """Conditions that are used must evaluate to a boolean; Heat does not evaluate the others."""
        template = self.template
        if not template.conditions:
            return
        owners: list[Resource | Output] = [*template.resources.values(), *template.outputs.values()]
        asked = {r.name for owner in owners for r in owner.refs if isinstance(r, ConditionRef)}
        for name, condition in template.conditions.items():
            if name not in asked or name in self.stack.circular or isinstance(condition.value, ErrorNode):
                continue
            try:
                self.interpreter.condition(name)
            except evaluate.NoValue as e:
                severity = "warning" if self.holds_for_any(condition.value) else ""
                self.needs(e.name, condition.name_span, severity)
            except evaluate.NotKnown:
                continue
            except evaluate.EvaluationError as e:
                if not any(r.at in self.stack.unknown for r in condition.refs):
                    message = f"The condition {name} cannot be evaluated: {str(e).rstrip('.')}."
                    self.sink.say(codes.CONDITION_CANNOT_BE_EVALUATED, message, condition.name_span)

    def holds_for_any(self, condition: Expr) -> bool:
        """Whether a condition only compares, so that it can be evaluated with any value of its parameters."""
        seen, todo = set[str](), [condition]
        while todo:
            for part in walk(todo.pop()):
                if isinstance(part, ConditionRef) and part.name not in seen:
                    seen.add(part.name)
                    other = self.template.conditions.get(part.name)
                    todo += [other.value] if other is not None else []
                elif isinstance(part, Call) and part.fn.rpartition(":")[2].lower() not in COMPARE:
                    return False
        return True

    def needs(self, name: str, where: Located, severity: str = "") -> None:
        """Heat needs some values for validation; a nested stack gets them from its parent."""
        if not self.called and not (severity and self.create):  # then all that lack a value are errors
            message = f"Heat cannot validate the template without a value for {name}."
            hint = f"Set it with --parameter {name}=…, or with an environment (-e FILE)."
            self.sink.say(codes.MISSING_VALUE_FOR_VALIDATION, message, where, hint, severity)

    def limits(self) -> None:
        template = self.template
        if len(template.resources) > RESOURCES:
            message = f"The template has {len(template.resources)} resources. Heat's default limit is {RESOURCES}."
            self.sink.say(codes.HEAT_LIMIT_EXCEEDED, message, severity=self.late)
        if (size := len(template.source.text.encode("utf-8", "replace"))) > SIZE:
            message = f"The template has {size // 1024} KiB. Heat's default limit is {SIZE // 1024} KiB."
            self.sink.say(codes.HEAT_LIMIT_EXCEEDED, message, severity=self.late)

    # resources

    def type(self, resource: Resource) -> None:
        """Unknown types; for the members of groups Heat reports them only when it creates the members."""
        stack = self.stack
        severity = "" if stack.enabled[resource.name] is True else "warning"
        kind = resource.kind
        if (resource.name, resource.type) not in stack.nested and stack.registry.find(
            resource.type, resource.name
        ) is None:
            self.unknown(resource.type, resource.type_at, severity)
        for written, at, member in members(resource, kind) if not vacant(resource, kind, self.value) else ():
            registry = stack.registry.child(resource.name, None) if stack.registry else stack.registry
            if registry.find(written, member) is None:
                self.unknown(written, at, self.late)

    def plugin_type(self, resource: Resource) -> None:
        """What only a plug-in knows about its type."""
        catalog, kind = self.stack.catalog, resource.kind
        if kind in catalog.added and (facts := self.stack.facts(resource)) is not None:
            plugin_types.check(resource, facts, catalog.constraints(), self.sink)

    def facade(self, resource: Resource) -> None:
        """A template that replaces one of Heat's types accepts its properties and has all of its attributes."""
        nested, facts = self.stack.nested.get((resource.name, resource.type)), self.stack.catalog.find(resource.type)
        if nested is None or facts is None:
            return
        for why in unlike(facts, nested.facts):
            message = f"{nested.file} cannot replace {resource.type}: {why}."
            self.sink.say(codes.TEMPLATE_DOES_NOT_MATCH_TYPE, message, resource.type_span, severity=self.late)

    def unknown(self, kind: str, at: int, severity: str) -> None:
        if self.plugins(kind) or is_path(kind):
            return
        if where := self.definer(kind):
            message = f"The environment {where} defines {kind}. It was not given, so the resource was not checked."
            self.sink.say(
                codes.TYPE_OF_OTHER_ENVIRONMENT, message, word_at(at, kind), f"Check the template with -e {where}."
            )
            return
        close = self.sink.guess(kind, self.stack.catalog.types())
        hint = (
            close or "Use --plugin-type if the cloud provides it, or -e FILE if an environment maps it to a template."
        )
        self.sink.say(codes.UNKNOWN_RESOURCE_TYPE, f"Unknown resource type {kind}.", word_at(at, kind), hint, severity)

    def attributes(self, refs: Iterable[object], strict: bool) -> None:
        """Attributes whose names are computed; the linker has checked the others."""
        for ref in refs:
            if not isinstance(ref, AttrRef) or not ref.path:
                continue
            if strict and len(ref.path) > 1:
                self.path(ref)
            resource = self.template.resources.get(ref.name)
            if resource is not None and self.stack.types[ref.name] == heat_types.RESOURCE_GROUP:
                self.of_members(ref, resource)
            if isinstance(ref.path[0], (Lit, ErrorNode)):
                continue
            facts = self.stack.facts(resource) if resource is not None else None
            if facts is None or facts.get("any_attribute") or "retired" in facts:
                continue
            try:
                name = self.interpreter.value(ref.path[0])
            except evaluate.EvaluationError:
                continue
            if name not in ("show", *facts["attributes"]):
                sure = strict and self.stack.enabled[ref.name] is True and ref.at not in self.template.guarded
                hint = self.sink.guess(str(name), facts["attributes"])
                kind = self.stack.types[ref.name]
                message = f"The attribute of {ref.name} evaluates to {name!r}, which {kind} does not have."
                self.sink.say(codes.UNKNOWN_ATTRIBUTE, message, ref.path[0], hint, "" if sure else "warning")

    def of_members(self, ref: AttrRef, group: Resource) -> None:
        """The attributes of a group are those of its members, which Heat knows when it creates them."""
        match select(heat_types.RESOURCE_GROUP, ref.path):
            case AttributeList((Lit(str(word)) as first, *_)) | AttributeMap((Lit(str(word)) as first, *_)):
                for facts, _ in self.values.definitions(group):
                    if not facts.get("any_attribute") and word not in ("show", *facts["attributes"]):
                        hint = self.sink.guess(word, facts["attributes"])
                        message = f"The members of {ref.name} have no attribute {word}."
                        self.sink.say(codes.UNKNOWN_ATTRIBUTE, message, first, hint, self.late)

    def path(self, ref: AttrRef) -> None:
        """The path of an attribute, which Heat evaluates from version 2014-10-16 on."""
        if not self.template.version.since(PATHS) or ref.at in self.template.guarded:
            return
        for step in ref.path[1:]:
            if isinstance(step, Lit):
                continue
            try:
                self.interpreter.value(step)
            except evaluate.NoValue as e:
                self.needs(e.name, step)
            except evaluate.EvaluationError:
                continue

    def policy(self, resource: Resource) -> None:
        """A deletion policy that is computed."""
        policy = resource.deletion_policy
        if policy is None or isinstance(policy, (Lit, ErrorNode)):
            return
        if any(isinstance(e, Call) and "acade" in e.fn for e in walk(policy)):
            return  # resource_facade: only the outer template has the value
        try:
            value = self.interpreter.value(policy)
        except evaluate.EvaluationError:
            return
        if value is not evaluate.ABSENT and value not in ("Delete", "Retain", "Snapshot"):
            severity = "" if self.stack.enabled[resource.name] is True else "warning"
            message = f"The deletion policy of resource {resource.name} evaluates to {value!r}, which is not a policy."
            self.sink.say(codes.INVALID_KEY_VALUE, message, policy, severity=severity)

    def disabled(self) -> None:
        """References to resources that the known values disable."""
        off = {name for name, enabled in self.stack.enabled.items() if enabled is False}
        if not off:
            return
        for resource in self.template.resources.values():
            if self.stack.enabled[resource.name] is True:
                self.leads_nowhere(resource.refs, off, attributes_only=False)
        for output in self.template.outputs.values():
            if output.condition is None or self.holds(output.condition) is True:
                self.leads_nowhere(output.refs, off, attributes_only=True)

    def leads_nowhere(self, refs: Iterable[object], off: set[str], *, attributes_only: bool) -> None:
        for ref in refs:
            if not isinstance(ref, (ResourceRef, AttrRef)) or ref.name not in off:
                continue
            if not all(self.holds(c) is wanted for c, wanted in self.template.guarded.get(ref.at, ())):
                continue
            late = self.late if attributes_only and isinstance(ref, ResourceRef) else ""
            message = f"Resource {ref.name} is not created: its condition is false with these values."
            self.sink.say(codes.REFERENCE_TO_ABSENT_RESOURCE, message, ref, severity=late)

    def value(self, expr: Expr) -> Any:
        """The value of an expression; None if it is unknown."""
        try:
            return self.interpreter.value(expr)
        except evaluate.EvaluationError:
            return None

    def holds(self, condition: Expr) -> bool | None:
        try:
            return self.interpreter.chosen(condition)
        except evaluate.EvaluationError:
            return None


def unlike(facade: Type, provider: Type) -> Iterator[str]:
    """The differences, as clauses, for which Heat refuses to replace a type by a template."""
    mine = provider["properties"]
    for name, schema in facade["properties"].items():
        if name not in mine:
            if schema.get("required"):
                yield f"it has no parameter {name}"
        elif (kind := "number" if schema["type"] == "integer" else schema["type"]) != mine[name]["type"]:
            yield f"the type of its parameter {name} must be that of the property, {kind}"
    for name, schema in mine.items():
        if schema.get("required") and name not in facade["properties"]:
            yield f"it requires a value for {name}, but the type has no such property"
    missing = [name for name in facade["attributes"] if name not in provider["attributes"]]
    if missing:
        yield f"it has no output {', '.join(missing[:3])}" + (" and others" if len(missing) > 3 else "")
