"""The new arrangement of an objective: {goal, operation_function: {operator, operands}}, since 2020-08-13."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from transpile.homing import words
from transpile.homing.context import text
from transpile.homing.findings import CRASHES, TAKES
from transpile.homing.model import Function, Normalization, Objective, Operator
from transpile.homing.scalars import number
from transpile.model.ir import Lit, Map, Seq

if TYPE_CHECKING:
    from transpile.homing.context import Context
    from transpile.homing.model import Path, Term
    from transpile.model.ir import Expr


@final
class New:
    """{goal, operation_function: {operator, operands}}, since 2020-08-13."""

    def __init__(self, context: Context) -> None:
        self.context, self.findings = context, context.findings

    def objective(self, given: Map) -> Objective | None:
        findings = self.findings
        if given.get("minimize") is not None or given.get("maximize") is not None:
            message = "Since 2020-08-13 the objective is {goal, operation_function}."
            hint = "With the version 2018-02-01, hot2tf convert --to homing --option version=2020-08-13 rewrites it."
            findings.wrong("HOT884", message, given.entries[0], hint)
            return None
        for entry in given.entries:
            if entry.key not in ("goal", "operation_function"):
                message = f"The objective has no member {entry.key}; HAS ignores it."
                findings.wrong(
                    "HOT885", message, entry, findings.guess(entry.key, ("goal", "operation_function")), TAKES
                )
        goal = self.word(given, "goal", words.GOALS)
        operation = given.get("operation_function")
        if operation is None:
            findings.wrong("HOT884", "The objective has no operation_function.", given)
            return None
        term = self.operation(operation, ("optimization", "operation_function"))
        if goal is None or term is None:
            return None
        if goal == "maximize":
            message = "HAS finds a maximum only if it is above 0."
            findings.note("HOT885", message, given.get("goal") or given, severity="info")
        return Objective(goal, term, given.span)

    def word(self, given: Map, key: str, known: tuple[str, ...]) -> str | None:
        """A member that is one of some words."""
        value = given.get(key)
        if value is None:
            self.findings.wrong("HOT884", f"There is no {key} here.", given)
            return None
        if text(value) not in known:
            hint = self.findings.guess(text(value), known)
            self.findings.wrong("HOT884", f"There is no {key} {text(value) or 'of this kind'}.", value, hint)
            return None
        return text(value)

    def operation(self, given: Expr, path: Path) -> Operator | None:
        findings = self.findings
        if self.context.map(given, "operation_function", "HOT884") is None or not isinstance(given, Map):
            return None
        operator, operands = self.word(given, "operator", words.NEW_OPERATORS), given.get("operands")
        if not isinstance(operands, Seq):
            findings.wrong("HOT884", "operands must be a list.", operands or given)
            return None
        if not operands.items:
            findings.wrong("HOT884", "There are no operands: HAS fails on it.", operands, engine=CRASHES)
            return None
        if operator == "max":
            message = "HAS computes the minimum for max."
            findings.differs("HOT885", message, given.get("operator") or given)
        found = [self.operand(one, (*path, "operands", i)) for i, one in enumerate(operands.items)]
        if operator is None or None in found:
            return None
        kept = tuple([one for one in found if one is not None])
        return Operator(operator, kept, span=given.span, path=path)

    def operand(self, given: Expr, path: Path) -> Term | None:
        findings = self.findings
        if self.context.map(given, "An operand", "HOT884") is None or not isinstance(given, Map):
            return None
        weight, normalization = self.weight(given), self.normalization(given)
        inner, name = given.get("operation_function"), given.get("function")
        if inner is not None:
            if name is not None:
                message = "The operand has function and operation_function: HAS ignores the function."
                findings.wrong("HOT885", message, name, engine=TAKES)
            found = self.operation(inner, (*path, "operation_function"))
            if found is None:
                return None
            return Operator(found.name, found.operands, weight, normalization, given.span, path)
        kind = self.word(given, "function", words.NEW_FUNCTIONS)
        params = given.get("params")
        if kind is None or self.context.map(params or given, "params", "HOT884") is None:
            return None
        if not isinstance(params, Map):
            findings.wrong("HOT884", "The operand has no params.", given)
            return None
        return self.function(kind, given, params, weight, normalization, path)

    def function(
        self, kind: str, given: Map, params: Map, weight: float, normalization: Normalization | None, path: Path
    ) -> Function | None:
        context, findings = self.context, self.findings
        known = ("demand", "attribute" if kind == "attribute" else "location")
        for key in known:
            if params.get(key) is None:
                findings.wrong("HOT884", f"{kind} needs the parameter {key}.", params)
                return None
        for entry in params.entries:
            if entry.key not in known:
                findings.wrong("HOT885", f"{kind} has no parameter {entry.key}; HAS ignores it.", entry, engine=TAKES)
        demand = context.demand(params.get("demand") or params, kind)
        second = params.get(known[1]) or params
        if kind == "attribute":
            if demand is None:
                return None
            if demand != next(iter(context.demands)):
                message = f"HAS fails on {kind} of {demand}: it knows only the demand that is decided first."
                findings.differs("HOT885", message, params.get("demand") or params, engine=CRASHES)
            return Function(kind, (demand,), None, text(second), weight, normalization, given.span, path)
        location = context.location(second, kind, CRASHES)
        if demand is None or location is None:
            return None
        message = f"HAS fails on {kind} in this arrangement while it solves; only attribute works."
        findings.differs("HOT885", message, given.get("function") or given, engine=CRASHES)
        return Function(kind, (demand,), location, None, weight, normalization, given.span, path)

    def weight(self, given: Map) -> float:
        value = given.get("weight")
        if value is None:
            return 1.0
        return self.number(value, "The weight")

    def number(self, value: Expr, what: str) -> float:
        """A number that is no text; 1.0 with a finding for anything else."""
        found = number(value.value) if isinstance(value, Lit) and not isinstance(value.value, str) else None
        if found is None:
            self.findings.wrong("HOT884", f"{what} must be a number.", value)
        return 1.0 if found is None else found

    def normalization(self, given: Map) -> Normalization | None:
        value = given.get("normalization")
        if value is None:
            return None
        if not isinstance(value, Map):
            self.findings.wrong("HOT884", "normalization must be a map with start and end.", value)
            return None
        ends = []
        for key in ("start", "end"):
            one = value.get(key)
            if one is None:
                self.findings.wrong("HOT884", f"normalization needs {key}.", value)
                return None
            ends.append(self.number(one, key))
        if ends[0] == ends[1]:
            message = "start and end are equal: HAS divides by zero."
            self.findings.wrong("HOT884", message, value, engine=CRASHES)
            return None
        return Normalization(*ends)
