"""The new arrangement of an objective: {goal, operation_function: {operator, operands}}, since 2020-08-13."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from transpile.homing import words
from transpile.homing.context import literal_text
from transpile.homing.findings import CRASHES, TAKES
from transpile.homing.model import Normalization, ObjectiveFunction, ObjectiveOperator, TemplateObjective
from transpile.homing.scalars import finite_number
from transpile.model.ir import Lit, Map, Seq

if TYPE_CHECKING:
    from transpile.homing.context import SectionContext
    from transpile.homing.model import Path, Term
    from transpile.model.ir import Expr


@final
class NewObjectiveReader:
    """{goal, operation_function: {operator, operands}}, since 2020-08-13."""

    def __init__(self, context: SectionContext) -> None:
        self.context, self.findings = context, context.findings

    def read_objective(self, given: Map) -> TemplateObjective | None:
        findings = self.findings
        if given.get("minimize") is not None or given.get("maximize") is not None:
            message = "Since 2020-08-13 the objective is {goal, operation_function}."
            hint = "With the version 2018-02-01, hot2tf convert --to homing --option version=2020-08-13 rewrites it."
            findings.report_wrong("HOT884", message, given.entries[0], hint)
            return None
        for entry in given.entries:
            if entry.key not in ("goal", "operation_function"):
                message = f"The objective has no member {entry.key}; HAS ignores it."
                findings.report_wrong(
                    "HOT885", message, entry, findings.guess_name(entry.key, ("goal", "operation_function")), TAKES
                )
        goal = self.read_word(given, "goal", words.GOALS)
        operation = given.get("operation_function")
        if operation is None:
            findings.report_wrong("HOT884", "The objective has no operation_function.", given)
            return None
        term = self.read_operation(operation, ("optimization", "operation_function"))
        if goal is None or term is None:
            return None
        if goal == "maximize":
            message = "HAS finds a maximum only if it is above 0."
            findings.report_note("HOT885", message, given.get("goal") or given, severity="info")
        return TemplateObjective(goal, term, given.span)

    def read_word(self, given: Map, key: str, known: tuple[str, ...]) -> str | None:
        """A member that is one of some words."""
        value = given.get(key)
        if value is None:
            self.findings.report_wrong("HOT884", f"There is no {key} here.", given)
            return None
        if literal_text(value) not in known:
            hint = self.findings.guess_name(literal_text(value), known)
            self.findings.report_wrong(
                "HOT884", f"There is no {key} {literal_text(value) or 'of this kind'}.", value, hint
            )
            return None
        return literal_text(value)

    def read_operation(self, given: Expr, path: Path) -> ObjectiveOperator | None:
        findings = self.findings
        if self.context.expect_map(given, "operation_function", "HOT884") is None or not isinstance(given, Map):
            return None
        operator, operands = self.read_word(given, "operator", words.NEW_OPERATORS), given.get("operands")
        if not isinstance(operands, Seq):
            findings.report_wrong("HOT884", "operands must be a list.", operands or given)
            return None
        if not operands.items:
            findings.report_wrong("HOT884", "There are no operands: HAS fails on it.", operands, engine=CRASHES)
            return None
        if operator == "max":
            message = "HAS computes the minimum for max."
            findings.report_difference("HOT885", message, given.get("operator") or given)
        found = [self.read_operand(one, (*path, "operands", i)) for i, one in enumerate(operands.items)]
        if operator is None or None in found:
            return None
        kept = tuple([one for one in found if one is not None])
        return ObjectiveOperator(operator, kept, span=given.span, path=path)

    def read_operand(self, given: Expr, path: Path) -> Term | None:
        findings = self.findings
        if self.context.expect_map(given, "An operand", "HOT884") is None or not isinstance(given, Map):
            return None
        weight, normalization = self.read_weight(given), self.read_normalization(given)
        inner, name = given.get("operation_function"), given.get("function")
        if inner is not None:
            if name is not None:
                message = "The operand has function and operation_function: HAS ignores the function."
                findings.report_wrong("HOT885", message, name, engine=TAKES)
            found = self.read_operation(inner, (*path, "operation_function"))
            if found is None:
                return None
            return ObjectiveOperator(found.name, found.operands, weight, normalization, given.span, path)
        kind = self.read_word(given, "function", words.NEW_FUNCTIONS)
        params = given.get("params")
        if kind is None or self.context.expect_map(params or given, "params", "HOT884") is None:
            return None
        if not isinstance(params, Map):
            findings.report_wrong("HOT884", "The operand has no params.", given)
            return None
        return self.read_function(kind, given, params, weight, normalization, path)

    def read_function(
        self, kind: str, given: Map, params: Map, weight: float, normalization: Normalization | None, path: Path
    ) -> ObjectiveFunction | None:
        context, findings = self.context, self.findings
        known = ("demand", "attribute" if kind == "attribute" else "location")
        for key in known:
            if params.get(key) is None:
                findings.report_wrong("HOT884", f"{kind} needs the parameter {key}.", params)
                return None
        for entry in params.entries:
            if entry.key not in known:
                findings.report_wrong(
                    "HOT885", f"{kind} has no parameter {entry.key}; HAS ignores it.", entry, engine=TAKES
                )
        demand = context.read_demand_name(params.get("demand") or params, kind)
        second = params.get(known[1]) or params
        if kind == "attribute":
            if demand is None:
                return None
            if demand != next(iter(context.demands)):
                message = f"HAS fails on {kind} of {demand}: it knows only the demand that is decided first."
                findings.report_difference("HOT885", message, params.get("demand") or params, engine=CRASHES)
            return ObjectiveFunction(
                kind, (demand,), None, literal_text(second), weight, normalization, given.span, path
            )
        location = context.read_location_name(second, kind, CRASHES)
        if demand is None or location is None:
            return None
        message = f"HAS fails on {kind} in this arrangement while it solves; only attribute works."
        findings.report_difference("HOT885", message, given.get("function") or given, engine=CRASHES)
        return ObjectiveFunction(kind, (demand,), location, None, weight, normalization, given.span, path)

    def read_weight(self, given: Map) -> float:
        value = given.get("weight")
        if value is None:
            return 1.0
        return self.read_number(value, "The weight")

    def read_number(self, value: Expr, what: str) -> float:
        """A number that is no text; 1.0 with a finding for anything else."""
        found = finite_number(value.value) if isinstance(value, Lit) and not isinstance(value.value, str) else None
        if found is None:
            self.findings.report_wrong("HOT884", f"{what} must be a number.", value)
        return 1.0 if found is None else found

    def read_normalization(self, given: Map) -> Normalization | None:
        value = given.get("normalization")
        if value is None:
            return None
        if not isinstance(value, Map):
            self.findings.report_wrong("HOT884", "normalization must be a map with start and end.", value)
            return None
        ends = []
        for key in ("start", "end"):
            one = value.get(key)
            if one is None:
                self.findings.report_wrong("HOT884", f"normalization needs {key}.", value)
                return None
            ends.append(self.read_number(one, key))
        if ends[0] == ends[1]:
            message = "start and end are equal: HAS divides by zero."
            self.findings.report_wrong("HOT884", message, value, engine=CRASHES)
            return None
        return Normalization(*ends)
