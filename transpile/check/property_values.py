"""Checks the values of properties, as far as they are known, against the schemas of their types.

Invariant: Heat checks names when it validates a template, but values only when it creates the stack; so a wrong value
is a warning, unless checking at that level was requested.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, final

from transpile import evaluate
from transpile.diagnostics import codes
from transpile.evaluate.partial import partial
from transpile.model.ir import Entry, ErrorNode, If, Lit, Map, Seq, walk
from transpile.resolve.groups import GROUPS, vacant
from transpile.schema.properties import UNKNOWN, Problem, problems

if TYPE_CHECKING:
    from collections.abc import Iterator

    from transpile.diagnostics.model import Sink
    from transpile.model.ir import Expr, Resource
    from transpile.model.span import Span
    from transpile.resolve.stack import Stack
    from transpile.schema.catalog import Type

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
class Values:
    """Checks the properties of one stack's resources. `late`: the severity of what only stack creation refuses."""

    def __init__(self, stack: Stack, sink: Sink, interpreter: evaluate.Interpreter, late: str) -> None:
        self.stack, self.sink, self.interpreter, self.late = stack, sink, interpreter, late

    def check(self, resource: Resource) -> None:
        """A resource, its update policy, and the definition of its members if it is a group."""
        facts = self.stack.facts(resource)
        if facts is None or resource.external_id is not None:
            return
        sure = self.stack.enabled[resource.name] is True
        if resource.properties is not None or requires(facts):
            self.properties(resource.properties, facts, resource, "" if sure else "warning")
        if resource.update_policy is not None and "retired" not in facts:
            policy: Type = {"properties": facts.get("update_policy", {})}
            self.properties(resource.update_policy, policy, resource, "" if sure else "warning", at_once=True)
        if (resource.name, resource.type) in self.stack.nested:
            self.lists(resource.properties, facts, sure)
        for kind, definition in self.definitions(resource):
            self.properties(definition.get("properties"), kind, resource, self.late, member=definition)

    def properties(
        self,
        expr: Expr | None,
        facts: Type,
        resource: Resource,
        severity: str,
        *,
        at_once: bool = False,
        member: Map | None = None,
    ) -> None:
        """`at_once`: Heat checks these values when it validates; `member`: the definition of a group's members."""
        given = self.known(expr) if expr is not None else {}
        if not isinstance(given, dict):
            return
        if member is not None:
            given = {k: v for k, v in indexed(given, self.variable(resource)).items() if v is not None}
        for problem in problems(facts, given):
            top = len(problem.path) == 1
            if problem.kind == "unknown" and top and member is None and not at_once:
                continue  # the linker has reported it
            early = at_once or (problem.kind == "unimplemented" and top)
            span = self.place(expr, problem, resource, member)
            mild = problem.late or severity == "warning"
            grade = (severity or "error") if early else "warning" if mild else self.late
            where = ".".join([resource.name, *map(str, problem.path)])
            self.sink.say(CODES[problem.kind], f"{where}: {problem.message}.", span, severity=grade)

    def known(self, expr: Expr) -> Any:
        """The known parts of a map, entry by entry. If a function fails, Heat will refuse to create the stack."""
        if not isinstance(expr, Map):
            return None
        out = {}
        for entry in expr.entries:
            value = self.entry(entry)
            if value is not evaluate.ABSENT:
                out[entry.key] = value
        return out

    def entry(self, entry: Entry) -> Any:
        value = entry.value
        if isinstance(value, Lit):
            return value.value
        try:
            return partial(self.interpreter, value)
        except evaluate.EvaluationError as e:
            if not self.in_doubt(value):
                message = f"Heat cannot evaluate this with these values: {str(e).rstrip('.')}."
                self.sink.say(codes.FUNCTION_FAILS, message, value, severity=self.late)
            return UNKNOWN

    def in_doubt(self, value: Expr) -> bool:
        """Whether a diagnostic has been reported for this place."""
        inside = range(value.at, value.end)
        return any(at in inside for at in self.stack.unknown) or any(isinstance(e, ErrorNode) for e in walk(value))

    def lists(self, expr: Map | None, facts: Type, sure: bool) -> None:
        """Heat passes lists to a nested stack joined with commas, so all items must be texts."""
        for entry in expr.entries if expr is not None else ():
            if facts["properties"].get(entry.key, {}).get("type") != "list":
                continue
            value = self.entry(entry)
            if not isinstance(value, list) or not value or isinstance(value[0], dict):
                continue
            wrong = [item for item in value if not isinstance(item, str) and item not in (None, UNKNOWN)]
            if wrong:
                message = f"Heat passes lists to a nested stack as strings, but {wrong[0]!r} is not a string."
                self.sink.say(codes.WRONG_PROPERTY_TYPE, message, entry.value, severity=self.late if sure else "")

    # members of groups

    def definitions(self, resource: Resource) -> Iterator[tuple[Type, Map]]:
        """The types of a group's members, with their definitions."""
        kind, properties = resource.kind, resource.properties
        if kind not in GROUPS or properties is None or vacant(resource, kind, self.value):
            return
        definition = properties.get(GROUPS[kind])
        written = definition.get("type") if isinstance(definition, Map) else None
        if not isinstance(definition, Map) or not isinstance(written, Lit) or not isinstance(written.value, str):
            return
        inside = self.stack.nested.get((resource.name, written.value))
        facts = inside.facts if inside is not None else self.stack.catalog.find(self.stack.type_of(written.value))
        if facts is not None and (definition.get("properties") is not None or requires(facts)):
            yield facts, definition

    def value(self, expr: Expr) -> Any:
        try:
            return partial(self.interpreter, expr)
        except evaluate.EvaluationError:
            return UNKNOWN

    def variable(self, resource: Resource) -> str:
        found = resource.properties.get("index_var") if resource.properties is not None else None
        return str(found.value) if isinstance(found, Lit) and isinstance(found.value, str) else INDEX

    # places

    def place(self, expr: Expr | None, problem: Problem, resource: Resource, definition: Map | None) -> Span:
        """The place of the part of an expression that has a problem; for a missing part, of the map that lacks it."""
        span = resource.name_span
        if definition is not None:
            span = definition.span
        for step in problem.path:
            while isinstance(expr, If):
                try:
                    expr = expr.then if self.interpreter.chosen(expr.condition) else expr.orelse
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


def requires(facts: Type) -> bool:
    """Whether a type has required properties."""
    return not (facts.get("any") or facts.get("open")) and any(p.get("required") for p in facts["properties"].values())


def indexed(value: Any, variable: str) -> Any:
    """A value as the first member of a group gets it: `"web-%index%"` -> `"web-0"`."""
    if isinstance(value, str):
        return value.replace(variable, "0")
    if isinstance(value, list):
        return [indexed(item, variable) for item in value]
    if isinstance(value, dict):
        return {key: indexed(item, variable) for key, item in value.items()}
    return value
