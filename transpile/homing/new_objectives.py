"""Reads the new arrangement of an objective: `{goal, operation_function: {operator, operands}}`, since 2020-08-13."""

from __future__ import annotations

from typing import final

from transpile.diagnostics import codes
from transpile.homing import words
from transpile.homing.context import SectionContext, literal_text
from transpile.homing.findings import CRASHES, TAKES
from transpile.homing.model import Normalization, ObjectiveFunction, ObjectiveOperator, Path, TemplateObjective, Term
from transpile.homing.scalars import finite_number
from transpile.model.ir import Expr, Lit, Map, Seq


@final
class NewObjectiveReader:
    """Reads one objective in the new arrangement."""

    def __init__(self, context: SectionContext) -> None:
        self.context, self.findings = context, context.findings

    def read_objective(self, section: Map) -> TemplateObjective | None:
        findings = self.findings
        if "minimize" in section or "maximize" in section:
            message = "Since 2020-08-13 the objective is {goal, operation_function}."
            hint = "With the version 2018-02-01, hot2tf convert --to homing --option version=2020-08-13 rewrites it."
            findings.report_wrong(codes.INVALID_OBJECTIVE, message, section.entries[0], hint)
            return None
        for entry in section.entries:
            if entry.key not in ("goal", "operation_function"):
                message = f"The objective has no member {entry.key}; HAS ignores it."
                findings.report_wrong(
                    codes.OBJECTIVE_DIFFERS_IN_HAS,
                    message,
                    entry,
                    findings.guess_name(entry.key, ("goal", "operation_function")),
                    TAKES,
                )
        goal = self.read_word(section, "goal", words.GOALS)
        operation = section.get("operation_function")
        if operation is None:
            findings.report_wrong(codes.INVALID_OBJECTIVE, "The objective has no operation_function.", section)
            return None
        term = self.read_operation(operation, ("optimization", "operation_function"))
        if not goal or not term:
            return None
        if goal == "maximize":
            message = "HAS finds a maximum only if it is above 0."
            findings.report_note(
                codes.OBJECTIVE_DIFFERS_IN_HAS, message, section.get("goal") or section, severity="info"
            )
        return TemplateObjective(goal, term, section.span)

    def read_word(self, mapping: Map, key: str, allowed: tuple[str, ...]) -> str:
        """A member that must be one of the allowed words; empty, with a finding, if it is not."""
        value = mapping.get(key)
        if not value:
            self.findings.report_wrong(codes.INVALID_OBJECTIVE, f"There is no {key} here.", mapping)
            return ""
        if literal_text(value) not in allowed:
            hint = self.findings.guess_name(literal_text(value), allowed)
            self.findings.report_wrong(
                codes.INVALID_OBJECTIVE, f"There is no {key} {literal_text(value) or 'of this kind'}.", value, hint
            )
            return ""
        return literal_text(value)

    def read_operation(self, expr: Expr, path: Path) -> ObjectiveOperator | None:
        findings = self.findings
        if not self.context.expect_map(expr, "operation_function", codes.INVALID_OBJECTIVE):
            return None
        operator, operands = self.read_word(expr, "operator", words.NEW_OPERATORS), expr.get("operands")
        if not isinstance(operands, Seq):
            findings.report_wrong(codes.INVALID_OBJECTIVE, "operands must be a list.", operands or expr)
            return None
        if not operands.items:
            findings.report_wrong(
                codes.INVALID_OBJECTIVE, "There are no operands: HAS fails on it.", operands, engine=CRASHES
            )
            return None
        if operator == "max":
            message = "HAS computes the minimum for max."
            findings.report_difference(codes.OBJECTIVE_DIFFERS_IN_HAS, message, expr.get("operator") or expr)
        operand_terms = [self.read_operand(item, (*path, "operands", i)) for i, item in enumerate(operands.items)]
        if not operator or None in operand_terms:
            return None
        kept = tuple([term for term in operand_terms if term is not None])
        return ObjectiveOperator(operator, kept, span=expr.span, path=path)

    def read_operand(self, expr: Expr, path: Path) -> Term | None:
        findings = self.findings
        if not self.context.expect_map(expr, "An operand", codes.INVALID_OBJECTIVE):
            return None
        weight, normalization = self.read_weight(expr), self.read_normalization(expr)
        inner, name = expr.get("operation_function"), expr.get("function")
        if inner is not None:
            if name is not None:
                message = "The operand has function and operation_function: HAS ignores the function."
                findings.report_wrong(codes.OBJECTIVE_DIFFERS_IN_HAS, message, name, engine=TAKES)
            operation = self.read_operation(inner, (*path, "operation_function"))
            if operation is None:
                return None
            return ObjectiveOperator(operation.name, operation.operands, weight, normalization, expr.span, path)
        kind = self.read_word(expr, "function", words.NEW_FUNCTIONS)
        params = expr.get("params")
        if not kind or not self.context.expect_map(params or expr, "params", codes.INVALID_OBJECTIVE):
            return None
        if not isinstance(params, Map):
            findings.report_wrong(codes.INVALID_OBJECTIVE, "The operand has no params.", expr)
            return None
        return self.read_function(kind, expr, params, weight, normalization, path)

    def read_function(
        self, kind: str, operand_map: Map, params: Map, weight: float, normalization: Normalization | None, path: Path
    ) -> ObjectiveFunction | None:
        context, findings = self.context, self.findings
        allowed = ("demand", "attribute" if kind == "attribute" else "location")
        for key in allowed:
            if key not in params:
                findings.report_wrong(codes.INVALID_OBJECTIVE, f"{kind} needs the parameter {key}.", params)
                return None
        for entry in params.entries:
            if entry.key not in allowed:
                findings.report_wrong(
                    codes.OBJECTIVE_DIFFERS_IN_HAS,
                    f"{kind} has no parameter {entry.key}; HAS ignores it.",
                    entry,
                    engine=TAKES,
                )
        demand = context.read_demand_name(params.get("demand") or params, kind)
        second = params.get(allowed[1]) or params
        if kind == "attribute":
            if not demand:
                return None
            if demand != next(iter(context.demands)):
                message = f"HAS fails on {kind} of {demand}: it knows only the demand that is decided first."
                findings.report_difference(
                    codes.OBJECTIVE_DIFFERS_IN_HAS, message, params.get("demand") or params, engine=CRASHES
                )
            return ObjectiveFunction(
                kind, (demand,), "", literal_text(second), weight, normalization, operand_map.span, path
            )
        location = context.read_location_name(second, kind, CRASHES)
        if not demand or not location:
            return None
        message = f"HAS fails on {kind} in this arrangement while it solves; only attribute works."
        findings.report_difference(
            codes.OBJECTIVE_DIFFERS_IN_HAS, message, operand_map.get("function") or operand_map, engine=CRASHES
        )
        return ObjectiveFunction(kind, (demand,), location, "", weight, normalization, operand_map.span, path)

    def read_weight(self, mapping: Map) -> float:
        value = mapping.get("weight")
        if value is None:
            return 1.0
        return self.read_number(value, "The weight")

    def read_number(self, value: Expr, subject: str) -> float:
        """A number that is not spelled as a text; 1.0 with a finding for anything else."""
        number = finite_number(value.value) if isinstance(value, Lit) and not isinstance(value.value, str) else None
        if number is None:
            self.findings.report_wrong(codes.INVALID_OBJECTIVE, f"{subject} must be a number.", value)
        return 1.0 if number is None else number

    def read_normalization(self, mapping: Map) -> Normalization | None:
        value = mapping.get("normalization")
        if value is None:
            return None
        if not isinstance(value, Map):
            self.findings.report_wrong(
                codes.INVALID_OBJECTIVE, "normalization must be a map with start and end.", value, engine=CRASHES
            )
            return None
        ends = []
        for key in ("start", "end"):
            bound = value.get(key)
            if bound is None:
                self.findings.report_wrong(codes.INVALID_OBJECTIVE, f"normalization needs {key}.", value)
                return None
            ends.append(self.read_number(bound, key))
        if ends[0] == ends[1]:
            message = "start and end are equal: HAS divides by zero."
            self.findings.report_wrong(codes.INVALID_OBJECTIVE, message, value, engine=CRASHES)
            return None
        return Normalization(*ends)
