"""Checks a linked stack, and those nested in it, as Heat validates them.

Invariant: as in Heat, a resource whose condition is false is not checked, nor are nested stacks before they are
created.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Protocol, final

from transpile import evaluate
from transpile.check import deprecated, lints, plugin_types
from transpile.check.property_values import PropertyValueChecker
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, Sink, TooManyErrors
from transpile.diagnostics.registry import message_of_rule
from transpile.evaluate.partial import world_before_creation
from transpile.model import heat_types
from transpile.model.attribute_paths import AttributeList, AttributeMap, parse_attribute_path
from transpile.model.ir import (
    NULL,
    AttrRef,
    Call,
    ConditionRef,
    ErrorNode,
    Expr,
    Lit,
    Output,
    Param,
    Resource,
    ResourceRef,
    to_data,
    walk,
)
from transpile.model.span import Located, word_at
from transpile.resolve import linker
from transpile.resolve.groups import is_empty_group, member_types
from transpile.resolve.references import PATHS
from transpile.resolve.registry import is_path
from transpile.resolve.stack import Stack, collect_parameter_values
from transpile.schema.parameters import check_default, convert_and_check

if TYPE_CHECKING:
    from transpile.schema.catalog import TypeFacts

COMPARE = ("equals", "contains", "not", "and", "or")  # functions that take every value
RESOURCES = 1000  # Heat's default limit for one stack
RETIRED_SERVICES = {  # services whose custom constraints Heat removed together with their types
    "monasca": heat_types.MONASCA_NOTIFICATION,
    "sahara": heat_types.SAHARA_CLUSTER,
    "senlin": heat_types.SENLIN_CLUSTER,
}
SIZE = 512 * 1024  # Heat's default limit for a template, in bytes


class ValueExpectation(Protocol):
    """Whether a parameter without a default must have a value. validates: Heat needs the value to validate the
    template, and not only to create the stack.
    """

    def __call__(self, param: Param, *, validates: bool) -> bool: ...


def expects_nothing(param: Param, *, validates: bool) -> bool:
    return False


def check_stack(
    stack: Stack,
    *,
    create: bool = False,
    plugins: Callable[[str], bool] = lambda kind: False,
    definer: Callable[[str], str] = lambda kind: "",
    expects_value: ValueExpectation = lambda param, *, validates: True,
) -> list[Diagnostic]:
    """The diagnostics of a stack and of all stacks nested in it, each stack once.

    `create`: errors of Heat when it creates the stack are errors as well; `plugins`: whether a type is known to be
    a plug-in of the cloud; `definer`: the path of an environment that was not given and that defines a type, or empty;
    `expects_value`: whether a parameter without a default must have a value. Those of nested stacks never must: the
    outer stack passes them.
    """
    diagnostics: list[Diagnostic] = []
    for current, nested in walk_stacks(stack):
        expected = expects_nothing if nested else expects_value
        checker = _StackChecker(current, nested, create, plugins, definer, expected)
        with contextlib.suppress(TooManyErrors):
            checker.check_all()
        diagnostics += checker.sink.diagnostics
    return diagnostics


def check_values(stack: Stack) -> list[Diagnostic]:
    """Returns Heat's errors about values, in a stack and its nested stacks, as warnings of a conversion."""
    diagnostics: list[Diagnostic] = []
    for current, nested in walk_stacks(stack):
        checker = _StackChecker(current, nested, False, lambda kind: True, lambda kind: "", expects_nothing)
        with contextlib.suppress(TooManyErrors):
            checker.check_values()
        diagnostics += [diagnostic.reduced_to_warning() for diagnostic in checker.sink.diagnostics]
    return diagnostics


def walk_stacks(stack: Stack) -> Iterator[tuple[Stack, bool]]:
    """Yields a stack and all stacks nested in it, each once, and whether it is nested."""
    seen: set[int] = set()
    todo = [(stack, False)]
    while todo:
        current, nested = todo.pop()
        if id(current) in seen:
            continue
        seen.add(id(current))
        yield current, nested
        todo += [(inner.stack, True) for inner in current.nested.values()]


@final
class _StackChecker:
    def __init__(
        self,
        stack: Stack,
        nested: bool,
        create: bool,
        plugins: Callable[[str], bool],
        definer: Callable[[str], str],
        expects_value: ValueExpectation,
    ) -> None:
        self.stack, self.template, self.nested, self.plugins = stack, stack.template, nested, plugins
        self.definer, self.expects_value = definer, expects_value
        self.sink = Sink(stack.template.source, mild=nested and not create)
        self.late = "error" if create else "warning"  # of errors that only creating the stack shows
        self.create = create
        parameter_values = collect_parameter_values(stack.template, stack.bindings, stack.passed_parameters)
        self.interpreter = evaluate.Interpreter(stack.template, world_before_creation(parameter_values))

        # of a nested stack Heat looks at names beforehand, and at values when it comes to create it
        self.values = PropertyValueChecker(stack, self.sink, self.interpreter, "warning" if nested else self.late)

    def check_all(self) -> None:
        self.check_parameters()
        self.check_limits()
        self.check_values()
        for resource in self.template.resources.values():
            if self.stack.enabled[resource.name] is not False:
                self.check_type(resource)
                self.check_deletion_policy(resource)
                self.check_plugin_type(resource)
                self.check_facade(resource)
            self.check_attributes(resource.refs, self.stack.enabled[resource.name] is True)
        for output in self.template.outputs.values():
            self.check_attributes(output.refs, not output.is_conditional)
        self.check_disabled_resources()
        lints.check_lints(self.stack, self.sink)
        deprecated.check_deprecated_properties(self.stack, self.sink)
        lints.check_misspelt_functions(self.template, self.sink)

    def check_values(self) -> None:
        """Conditions, and the values of properties and outputs."""
        self.check_conditions()
        for resource in self.template.resources.values():
            if self.stack.enabled[resource.name] is not False:
                self.values.check_values(resource)
        for output in self.template.outputs.values():
            if all(self.condition_holds(condition) is True for condition in output.conditions):
                self.values.check_output(output)

    def check_parameters(self) -> None:
        """Defaults that are used must be valid, and creating a stack needs a value for every parameter."""
        for param in self.template.parameters.values():
            self.check_custom_constraints(param)
            if param.name in self.stack.bindings or param.name in self.stack.passed_parameters:
                continue
            if param.default is None:
                if self.create and self.expects_value(param, validates=False):
                    message = f"The parameter {param.name} has no value."
                    self.sink.add(codes.MISSING_VALUE_FOR_VALIDATION, message, param.name_span)
                continue
            if param.default == NULL:
                continue  # it could not be read, and the front end has reported it
            _, why, _ = convert_and_check(param, to_data(param.default), self.sink.budget)
            if why and check_default(param, self.sink.budget):
                continue  # the linker has reported it
            if why:
                message = f"Heat cannot use the default of parameter {param.name}: {why}."
                self.sink.add(codes.INVALID_PARAMETER_VALUE, message, param.default, severity=self.late)

    def check_custom_constraints(self, param: Param) -> None:
        """Reports custom constraints that Heat does not have. Only a warning by default: a cloud may have its own."""
        for constraint in param.constraints:
            name = (
                constraint.value.value
                if constraint.kind == "custom_constraint" and isinstance(constraint.value, Lit)
                else None
            )
            if isinstance(name, str) and name not in (constraint_names := self.stack.catalog.constraint_names()):
                message = f"Unknown custom constraint {name}."
                if last_release := self.last_release_of_service(name.partition(".")[0]):
                    message = f"Heat no longer has the custom constraint {name}: {last_release} was the last with it."
                self.sink.add(
                    codes.UNKNOWN_CUSTOM_CONSTRAINT,
                    message,
                    constraint,
                    self.sink.guess_name(name, constraint_names),
                    self.late,
                )

    def last_release_of_service(self, service: str) -> str:
        """The last release of Heat that had the types of a service, `sahara`; empty for a service that it still has."""
        facts = self.stack.catalog.find_type(RETIRED_SERVICES.get(service, ""))
        return f"Heat {facts['retired']}" if "retired" in facts else ""

    def check_conditions(self) -> None:
        """Conditions that are used must evaluate to a boolean; Heat does not evaluate the others."""
        template = self.template
        if not template.conditions:
            return
        owners: list[Resource | Output] = [*template.resources.values(), *template.outputs.values()]
        asked = {r.name for owner in owners for r in owner.refs if isinstance(r, ConditionRef)}
        for name, condition in template.conditions.items():
            if name not in asked or name in self.stack.circular_conditions or isinstance(condition.value, ErrorNode):
                continue
            try:
                self.interpreter.evaluate_condition(name)
            except evaluate.NoValue as e:
                severity = "warning" if self.holds_for_any(condition.value) else ""
                self.report_missing_value(e.name, condition.name_span, severity)
            except evaluate.NotKnown:
                continue
            except evaluate.EvaluationError as e:
                if not any(r.at in self.stack.unknown_references for r in condition.refs):
                    message = f"The condition {name} cannot be evaluated: {str(e).rstrip('.')}."
                    self.sink.add(codes.CONDITION_CANNOT_BE_EVALUATED, message, condition.name_span)

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

    def report_missing_value(self, name: str, where: Located, severity: str = "") -> None:
        """Reports a value that Heat needs to validate the template."""
        if severity and self.create:  # then all that lack a value are errors
            return
        if self.expects_value(self.template.parameters[name], validates=True):
            message = f"Heat cannot validate the template without a value for {name}."
            hint = f"Set it with --parameter {name}=…, or with an environment (-e FILE)."
            self.sink.add(codes.MISSING_VALUE_FOR_VALIDATION, message, where, hint, severity)

    def check_limits(self) -> None:
        template = self.template
        if len(template.resources) > RESOURCES:
            message = f"The template has {len(template.resources)} resources. Heat's default limit is {RESOURCES}."
            self.sink.add(codes.HEAT_LIMIT_EXCEEDED, message, severity=self.late)
        if (size := len(template.source.text.encode("utf-8", "replace"))) > SIZE:
            message = f"The template has {size // 1024} KiB. Heat's default limit is {SIZE // 1024} KiB."
            self.sink.add(codes.HEAT_LIMIT_EXCEEDED, message, severity=self.late)

    # resources

    def check_type(self, resource: Resource) -> None:
        """Unknown types; for the members of groups Heat reports them only when it creates the members."""
        stack = self.stack
        severity = "" if stack.enabled[resource.name] is True else "warning"
        kind = resource.kind
        if not stack.registry.resolve_type(resource.type, resource.name).is_known:
            self.report_unknown_type(resource.type, resource.type_at, severity)
        for written, at, member in (
            member_types(resource, kind) if not is_empty_group(resource, kind, self.evaluate_value) else ()
        ):
            if not stack.registry.child_registry(resource.name, None).resolve_type(written, member).is_known:
                self.report_unknown_type(written, at, self.late)

    def check_plugin_type(self, resource: Resource) -> None:
        """Reports unknown constraints of a plug-in's type, and properties that only the plug-in can check."""
        catalog, kind = self.stack.catalog, resource.kind
        if kind in catalog.plugin_types:
            plugin_types.check_plugin_resource(
                resource, self.stack.find_facts(resource), catalog.constraint_names(), self.sink
            )

    def check_facade(self, resource: Resource) -> None:
        """A template that replaces another type accepts its properties and has all of its attributes. It replaces one
        of Heat's types, or, if an environment has it for this resource only, the template that others get.
        """
        nested = self.stack.nested.get((resource.name, resource.type))
        if nested is None:
            return
        facts = self.stack.catalog.find_type(resource.type)
        registration = nested.resolved_type.registration
        if registration is not None and len(registration.path) > 1:
            general_type = self.stack.registry.resolve_type(resource.type)
            if general_type.is_template:
                replaced = linker.link_nested_template(self.stack, resource, general_type)
                facts = replaced.facts if replaced is not None else {}
        if not facts:
            return
        for why in describe_facade_differences(facts, nested.facts):
            message = f"{nested.file} cannot replace {resource.type}: {why}."
            self.sink.add(codes.TEMPLATE_DOES_NOT_MATCH_TYPE, message, resource.type_span, severity=self.late)

    def report_unknown_type(self, kind: str, at: int, severity: str) -> None:
        if self.plugins(kind) or is_path(kind):
            return
        if where := self.definer(kind):
            message = f"The environment {where} defines {kind}. It was not given, so the resource was not checked."
            self.sink.add(
                codes.TYPE_OF_OTHER_ENVIRONMENT, message, word_at(at, kind), f"Check the template with -e {where}."
            )
            return
        close = self.sink.guess_name(kind, self.stack.catalog.type_names())
        hint = (
            close or "Use --plugin-type if the cloud provides it, or -e FILE if an environment maps it to a template."
        )
        self.sink.add(
            codes.UNKNOWN_RESOURCE_TYPE,
            message_of_rule(codes.UNKNOWN_RESOURCE_TYPE, kind=kind),
            word_at(at, kind),
            hint,
            severity,
        )

    def check_attributes(self, refs: Iterable[object], strict: bool) -> None:
        """Attributes whose names are computed; the linker has checked the others."""
        for ref in refs:
            if not isinstance(ref, AttrRef) or not ref.path:
                continue
            if strict and len(ref.path) > 1:
                self.check_attribute_path(ref)
            resource = self.template.resources.get(ref.name)
            if resource is not None and self.stack.types[ref.name] == heat_types.RESOURCE_GROUP:
                self.check_member_attribute(ref, resource)
            if isinstance(ref.path[0], (Lit, ErrorNode)):
                continue
            facts = self.stack.find_facts(resource) if resource is not None else {}
            if not facts or facts.get("any_attribute") or "retired" in facts:
                continue
            try:
                name = self.interpreter.evaluate(ref.path[0])
            except evaluate.EvaluationError:
                continue
            if name not in ("show", *facts["attributes"]):
                sure = strict and self.stack.enabled[ref.name] is True and ref.at not in self.template.guarded
                hint = self.sink.guess_name(str(name), facts["attributes"])
                kind = self.stack.types[ref.name]
                message = f"The attribute of {ref.name} evaluates to {name!r}, which {kind} does not have."
                self.sink.add(codes.UNKNOWN_ATTRIBUTE, message, ref.path[0], hint, "" if sure else "warning")

    def check_member_attribute(self, ref: AttrRef, group: Resource) -> None:
        """The attributes of a group are those of its members, which Heat knows when it creates them."""
        match parse_attribute_path(heat_types.RESOURCE_GROUP, ref.path):
            case AttributeList((Lit(str(word)) as first, *_)) | AttributeMap((Lit(str(word)) as first, *_)):
                for facts, _ in self.values.member_definitions(group):
                    if not facts.get("any_attribute") and word not in ("show", *facts["attributes"]):
                        hint = self.sink.guess_name(word, facts["attributes"])
                        message = f"The members of {ref.name} have no attribute {word}."
                        self.sink.add(codes.UNKNOWN_ATTRIBUTE, message, first, hint, self.late)

    def check_attribute_path(self, ref: AttrRef) -> None:
        """The path of an attribute, which Heat evaluates from version 2014-10-16 on."""
        if not self.template.version.is_hot_since(PATHS) or ref.at in self.template.guarded:
            return
        for step in ref.path[1:]:
            if isinstance(step, Lit):
                continue
            try:
                self.interpreter.evaluate(step)
            except evaluate.NoValue as e:
                self.report_missing_value(e.name, step)
            except evaluate.EvaluationError:
                continue

    def check_deletion_policy(self, resource: Resource) -> None:
        """A deletion policy that is computed."""
        policy = resource.deletion_policy
        if policy is None or isinstance(policy, (Lit, ErrorNode)):
            return
        if any(isinstance(e, Call) and "acade" in e.fn for e in walk(policy)):
            return  # resource_facade: only the outer template has the value
        try:
            value = self.interpreter.evaluate(policy)
        except evaluate.EvaluationError:
            return
        if value is not evaluate.ABSENT and value not in ("Delete", "Retain", "Snapshot"):
            severity = "" if self.stack.enabled[resource.name] is True else "warning"
            message = f"The deletion policy of resource {resource.name} evaluates to {value!r}, which is not a policy."
            self.sink.add(codes.INVALID_KEY_VALUE, message, policy, severity=severity)

    def check_disabled_resources(self) -> None:
        """References to resources that the known values disable."""
        off = {name for name, enabled in self.stack.enabled.items() if enabled is False}
        if not off:
            return
        for resource in self.template.resources.values():
            if self.stack.enabled[resource.name] is True:
                self.report_disabled_references(resource.refs, off, attributes_only=False)
        for output in self.template.outputs.values():
            if all(self.condition_holds(condition) is True for condition in output.conditions):
                self.report_disabled_references(output.refs, off, attributes_only=True)

    def report_disabled_references(self, refs: Iterable[object], off: set[str], *, attributes_only: bool) -> None:
        for ref in refs:
            if not isinstance(ref, (ResourceRef, AttrRef)) or ref.name not in off:
                continue
            if not all(self.condition_holds(c) is must_hold for c, must_hold in self.template.guarded.get(ref.at, ())):
                continue
            late = self.late if attributes_only and isinstance(ref, ResourceRef) else ""
            message = f"Resource {ref.name} is not created: its condition is false with these values."
            self.sink.add(codes.REFERENCE_TO_ABSENT_RESOURCE, message, ref, severity=late)

    def evaluate_value(self, expr: Expr) -> Any:
        """The value of an expression; None if it is unknown."""
        try:
            return self.interpreter.evaluate(expr)
        except evaluate.EvaluationError:
            return None

    def condition_holds(self, condition: Expr) -> bool | None:
        try:
            return self.interpreter.takes_first_branch(condition)
        except evaluate.EvaluationError:
            return None


def describe_facade_differences(facade: TypeFacts, provider: TypeFacts) -> Iterator[str]:
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
