"""Checks the values of properties, as far as they are known, against the schemas of their types.

Invariant: Heat checks names when it validates a template, but values only when it creates the stack; so a wrong value
is a warning, unless checking at that level was requested.
"""

from __future__ import annotations

import functools
from collections.abc import Container, Iterator
from typing import TYPE_CHECKING, Any, final

from transpile import evaluate
from transpile.check import plugin_validation
from transpile.diagnostics import codes
from transpile.diagnostics.model import Sink
from transpile.evaluate.partial import evaluate_partially
from transpile.evaluate.pure import MalformedExpression
from transpile.model.ir import Entry, ErrorNode, Expr, If, Lit, Map, Output, Resource, Seq, walk
from transpile.model.span import Span
from transpile.resolve.groups import GROUPS, is_empty_group
from transpile.resolve.stack import Stack
from transpile.schema.properties import UNKNOWN, PropertyProblem, check_properties, read_properties

if TYPE_CHECKING:
    from transpile.schema.catalog import TypeFacts

CODES: dict[str, str] = {
    "unknown": codes.UNKNOWN_PROPERTY_KEY,
    "unimplemented": codes.UNSUPPORTED_PROPERTY,
    "required": codes.MISSING_PROPERTY,
    "both": codes.PROPERTY_SET_UNDER_TWO_NAMES,
    "type": codes.WRONG_PROPERTY_TYPE,
    "constraint": codes.PROPERTY_CONSTRAINT_VIOLATED,
}
INDEX = "%index%"


@final
class PropertyValueChecker:
    """Checks the properties of one stack's resources. `late`: the severity of errors that only stack creation shows."""

    def __init__(self, stack: Stack, sink: Sink, interpreter: evaluate.Interpreter, late: str) -> None:
        self.stack, self.sink, self.interpreter, self.late = stack, sink, interpreter, late

    @functools.cached_property
    def enabled_names(self) -> frozenset[str]:
        """The resources that certainly exist."""
        return frozenset(name for name, enabled in self.stack.enabled.items() if enabled is True)

    def check_values(self, resource: Resource) -> None:
        """A resource, its update policy, and the definition of its members if it is a group."""
        facts = self.stack.find_facts(resource)
        if not facts or resource.is_existing:
            return
        sure = self.stack.enabled[resource.name] is True
        if resource.has_properties or has_required_properties(facts):
            self.check_properties(resource.properties, facts, resource, "" if sure else "warning", kind=resource.kind)
        if resource.update_policy is not None and "retired" not in facts:
            policy: TypeFacts = {"properties": facts.get("update_policy", {})}
            self.check_properties(resource.update_policy, policy, resource, "" if sure else "warning", at_once=True)
        if (resource.name, resource.type) in self.stack.nested:
            self.check_passed_lists(resource.properties, facts, sure)
        for facts, definition in self.member_definitions(resource):
            kind = definition.get("type")
            name = self.stack.canonical_type(str(kind.value)) if isinstance(kind, Lit) else ""
            self.check_properties(
                definition.get("properties"), facts, resource, self.late, member=definition, kind=name
            )

    def check_properties(
        self,
        expr: Expr | None,
        facts: TypeFacts,
        resource: Resource,
        severity: str,
        *,
        at_once: bool = False,
        member: Map | None = None,
        kind: str = "",
    ) -> None:
        """`at_once`: Heat checks these values when it validates; `member`: the definition of a group's members; `kind`:
        the type whose plug-in validates the properties.
        """
        values = self.evaluate_map(expr) if expr is not None else {}
        if not isinstance(values, dict):
            return
        if member is not None:
            values = {k: v for k, v in substitute_index(values, self.index_variable(resource)).items() if v is not None}
        problems = check_properties(facts, values, self.stack.template.source.budget)
        if not problems:
            self.check_by_plugin(kind, facts, expr, resource, severity, member)
        for problem in problems:
            top = len(problem.path) == 1
            if problem.kind == "unknown" and top and member is None and not at_once:
                continue  # the linker has reported it
            early = at_once or (problem.kind == "unimplemented" and top)
            span = self.locate_problem(expr, problem, resource, member)
            mild = problem.late or severity == "warning"
            grade = (severity or "error") if early else "warning" if mild else self.late
            where = ".".join([resource.name, *map(str, problem.path)])
            self.sink.add(CODES[problem.kind], f"{where}: {problem.message}.", span, severity=grade)

    def check_by_plugin(
        self,
        kind: str,
        facts: TypeFacts,
        expr: Expr | None,
        resource: Resource,
        severity: str,
        member: Map | None,
    ) -> None:
        """Reports the objections of a type's plug-in, and later ones of the service. Only for valid values, because
        Heat does this check last. The plug-in sees the name of a resource in place of a reference to it.
        """
        if kind not in plugin_validation.RULES and kind not in plugin_validation.SERVICES:
            return
        values = self.evaluate_with_names(expr)
        if member is not None:
            values = {k: v for k, v in substitute_index(values, self.index_variable(resource)).items() if v is not None}
        properties, _ = read_properties(
            facts, values, checked=False, budget=self.stack.template.source.budget
        )  # they have been checked
        grade = "warning" if severity == "warning" else self.late
        findings = [(*refusal, grade) for refusal in plugin_validation.find_refusals(kind, properties)]
        findings += [(*refusal, "warning") for refusal in plugin_validation.find_refused_routes(kind, properties)]
        for path, why, grade in findings:
            where = ".".join([resource.name, *map(str, path)])
            problem = PropertyProblem(path, why, "constraint")
            span = self.locate_problem(expr, problem, resource, member)
            self.sink.add(codes.PROPERTY_CONSTRAINT_VIOLATED, f"{where}: {why}.", span, severity=grade)

    def evaluate_map(self, expr: Expr) -> Any:
        """The known parts of a map, entry by entry. If a function fails, Heat will refuse to create the stack."""
        if not isinstance(expr, Map):
            return None
        values = {}
        for entry in expr.entries:
            value = self.evaluate_entry(entry)
            if value is not evaluate.ABSENT:
                values[entry.key] = value
        return values

    def evaluate_with_names(self, expr: Expr | None) -> dict[str, Any]:
        """The known parts of a map, in which a reference to a resource is its name. A part that cannot be evaluated is
        UNKNOWN.
        """
        values = {}
        for entry in expr.entries if isinstance(expr, Map) else ():
            value = self.evaluate_value(entry.value, self.enabled_names)
            if value is not evaluate.ABSENT:
                values[entry.key] = value
        return values

    def evaluate_entry(self, entry: Entry) -> Any:
        value = entry.value
        if isinstance(value, Lit):
            return value.value
        try:
            return evaluate_partially(self.interpreter, value)
        except evaluate.EvaluationError as e:
            if not self.in_doubt(value):
                message = f"Heat cannot evaluate this with these values: {str(e).rstrip('.')}."
                severity = "error" if isinstance(e, MalformedExpression) else self.late
                self.sink.add(codes.FUNCTION_FAILS, message, value, severity=severity)
            return UNKNOWN

    def check_output(self, output: Output) -> None:
        """The value of an output. If a function fails there, Heat creates the stack, and the output is null."""
        try:
            evaluate_partially(self.interpreter, output.value)
        except evaluate.EvaluationError as e:
            if not self.in_doubt(output.value):
                message = f"Heat cannot evaluate this with these values, so the output is null: {str(e).rstrip('.')}."
                severity = "error" if isinstance(e, MalformedExpression) else "warning"
                self.sink.add(codes.FUNCTION_FAILS, message, output.value, severity=severity)

    def in_doubt(self, value: Expr) -> bool:
        """Whether a diagnostic has been reported for this place."""
        inside = range(value.at, value.end)
        return any(at in inside for at in self.stack.unknown_references) or any(
            isinstance(e, ErrorNode) for e in walk(value)
        )

    def check_passed_lists(self, expr: Map | None, facts: TypeFacts, sure: bool) -> None:
        """Heat passes lists to a nested stack joined with commas, so all items must be texts."""
        for entry in expr.entries if expr is not None else ():
            if facts["properties"].get(entry.key, {}).get("type") != "list":
                continue
            value = self.evaluate_entry(entry)
            if not isinstance(value, list) or not value or isinstance(value[0], dict):
                continue
            wrong = [item for item in value if not isinstance(item, str) and item not in (None, UNKNOWN)]
            if wrong:
                message = f"Heat passes lists to a nested stack as strings, but {wrong[0]!r} is not a string."
                self.sink.add(codes.WRONG_PROPERTY_TYPE, message, entry.value, severity=self.late if sure else "")

    # members of groups

    def member_definitions(self, resource: Resource) -> Iterator[tuple[TypeFacts, Map]]:
        """The types of a group's members, with their definitions."""
        kind, properties = resource.kind, resource.properties
        if kind not in GROUPS or is_empty_group(resource, kind, self.evaluate_value):
            return
        definition = properties.get(GROUPS[kind])
        written = definition.get("type") if isinstance(definition, Map) else None
        if not isinstance(definition, Map) or not isinstance(written, Lit) or not isinstance(written.value, str):
            return
        inside = self.stack.nested.get((resource.name, written.value))
        facts = (
            inside.facts
            if inside is not None
            else self.stack.catalog.find_type(self.stack.canonical_type(written.value))
        )
        if facts and ("properties" in definition or has_required_properties(facts)):
            yield facts, definition

    def evaluate_value(self, expr: Expr, named: Container[str] = ()) -> Any:
        try:
            return evaluate_partially(self.interpreter, expr, named)
        except evaluate.EvaluationError:
            return UNKNOWN

    def index_variable(self, resource: Resource) -> str:
        variable = resource.find_property("index_var")
        return str(variable.value) if isinstance(variable, Lit) and isinstance(variable.value, str) else INDEX

    # places

    def locate_problem(
        self, expr: Expr | None, problem: PropertyProblem, resource: Resource, definition: Map | None
    ) -> Span:
        """The place of the part of an expression that has a problem; for a missing part, of the map that lacks it."""
        span = resource.name_span
        if definition is not None:
            span = definition.span
        for step in problem.path:
            while isinstance(expr, If):
                try:
                    expr = expr.then if self.interpreter.takes_first_branch(expr.condition) else expr.orelse
                except evaluate.EvaluationError:
                    return span
            if isinstance(expr, Map):
                entry = next((e for e in expr.entries if e.key == step), None)
                if entry is None:
                    return span
                span, expr = entry.key_span, entry.value
            elif isinstance(expr, Seq) and isinstance(step, int) and step < len(expr.items):
                expr = expr.items[step]
                span = expr.span
            else:
                return span
        if expr is not None and problem.kind in ("type", "constraint") and expr.at >= 0:
            return expr.span
        return span


def has_required_properties(facts: TypeFacts) -> bool:
    """Whether a type has required properties."""
    return not (facts.get("any") or facts.get("open")) and any(p.get("required") for p in facts["properties"].values())


def substitute_index(value: Any, variable: str) -> Any:
    """A value as the first member of a group gets it: `"web-%index%"` -> `"web-0"`."""
    if isinstance(value, str):
        return value.replace(variable, "0")
    if isinstance(value, list):
        return [substitute_index(item, variable) for item in value]
    if isinstance(value, dict):
        return {key: substitute_index(item, variable) for key, item in value.items()}
    return value
