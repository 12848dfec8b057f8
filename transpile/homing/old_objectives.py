"""The old arrangement of an objective: {minimize: {sum: [terms]}}.

Invariant: the texts allow any arrangement of numbers, operators and functions, and HAS takes this one.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import final

from transpile.diagnostics import codes
from transpile.homing import words
from transpile.homing.context import SectionContext, list_items, literal_text
from transpile.homing.findings import CRASHES, REFUSES, TAKES
from transpile.homing.model import ObjectiveFunction, ObjectiveNumber, ObjectiveOperator, Path, TemplateObjective, Term
from transpile.homing.scalars import finite_number, is_finite_number
from transpile.model.ir import Entry, Expr, Lit, Map, ParamRef, Seq
from transpile.model.span import Span

OLD_GOAL = "HAS takes one goal in this version: minimize a sum."


@final
class OldObjectiveReader:
    """Reads one objective in the old arrangement. The texts allow any nesting; HAS accepts `{minimize: {sum: [terms]}}`
    alone.
    """

    def __init__(self, context: SectionContext, hpa: Collection[str]) -> None:
        self.context, self.findings, self.hpa = context, context.findings, hpa
        self.measured = self.scored = False  # whether a distance or latency was seen, and a function of another kind

    def read_objective(self, section: Map) -> TemplateObjective | None:
        findings = self.findings
        goals = [entry for entry in section.entries if entry.key in words.GOALS]
        for entry in section.entries:
            if entry.key in ("goal", "operation_function"):
                message = f"{entry.key} belongs to templates since 2020-08-13."
                findings.report_wrong(
                    codes.INVALID_OBJECTIVE, message, entry, f"Change the version, or write minimize. {OLD_GOAL}"
                )
            elif entry.key not in words.GOALS:
                hint = findings.sink.guess_name(entry.key, words.GOALS)
                findings.report_wrong(
                    codes.INVALID_OBJECTIVE, f"There is no goal {entry.key}.", entry, hint or OLD_GOAL
                )
        if len(goals) != 1:
            if goals:
                findings.report_wrong(codes.INVALID_OBJECTIVE, "There is more than one goal.", goals[1], OLD_GOAL)
            return None
        goal = goals[0]
        if goal.key != "minimize":
            findings.report_wrong(codes.INVALID_OBJECTIVE, f"{goal.key} is not known in this version.", goal, OLD_GOAL)
            return None
        if not isinstance(goal.value, Map) or len(goal.value.entries) != 1:
            findings.report_wrong(
                codes.INVALID_OBJECTIVE, "The goal is one operator or function.", goal.value, OLD_GOAL
            )
            return None
        operator = goal.value.entries[0]
        path = ("optimization", goal.key)
        if operator.key == "sum":
            term: Term | None = self.read_sum(operator, path)
        else:
            if operator.key in (*words.OLD_FUNCTIONS, "product"):
                message = f"HAS refuses minimize with {operator.key} alone: it wants a sum."
                findings.report_difference(
                    codes.OBJECTIVE_DIFFERS_IN_HAS, message, operator, "Put it into a sum.", REFUSES
                )
            term = self.read_term(goal.value, path, summed=False)
        return None if term is None else TemplateObjective(goal.key, term, section.span)

    def read_sum(self, entry: Entry, path: Path) -> ObjectiveOperator | None:
        """The outermost sum."""
        findings = self.findings
        if not isinstance(entry.value, Seq):
            findings.report_wrong(codes.INVALID_OBJECTIVE, "sum takes a list.", entry.value)
            return None
        terms = entry.value.items
        if not terms:
            findings.report_wrong(codes.INVALID_OBJECTIVE, "The sum is empty: HAS fails on it.", entry, engine=CRASHES)
            return None
        if len(terms) != 2:
            message = (
                f"The specifications restrict the sum to two operands; this one has {len(terms)}, which HAS takes."
            )
            findings.report_note(codes.OBJECTIVE_DIFFERS_IN_HAS, message, entry, severity="info")
        summands = [self.read_term(item, (*path, "sum", i), place=i) for i, item in enumerate(terms)]
        if self.scored and not self.measured and None not in summands:
            message = "HAS fails on an objective without a distance_between."
            findings.report_difference(
                codes.OBJECTIVE_DIFFERS_IN_HAS, message, entry, "Add one with a small weight.", CRASHES
            )
        kept = tuple([term for term in summands if term is not None])
        return ObjectiveOperator("sum", kept, span=entry.key_span, path=(*path, "sum"))

    def read_term(self, expr: Expr, path: Path, *, place: int = 0, summed: bool = True) -> Term | None:
        """A term of the sum."""
        findings = self.findings
        if isinstance(expr, Lit) and is_finite_number(expr.value) and not isinstance(expr.value, str):
            message = "HAS fails on a number as a term of the sum."
            findings.report_difference(
                codes.OBJECTIVE_DIFFERS_IN_HAS, message, expr, "Leave it out: it changes no choice.", REFUSES
            )
            return ObjectiveNumber(float(expr.value or 0), expr.span, path)
        if not isinstance(expr, Map) or len(expr.entries) != 1:
            findings.report_wrong(codes.INVALID_OBJECTIVE, "A term must be one operator or function.", expr)
            return None
        entry = expr.entries[0]
        path = (*path, entry.key)
        if entry.key == "product":
            return self.read_product(entry, path, expr)
        if entry.key == "sum" and isinstance(entry.value, Seq):
            if summed:
                message = "HAS refuses a sum that is directly in a sum."
                findings.report_difference(
                    codes.OBJECTIVE_DIFFERS_IN_HAS, message, entry, "Write its terms in the outer one.", REFUSES
                )
            inner = [self.read_term(item, (*path, i), place=i) for i, item in enumerate(entry.value.items)]
            return ObjectiveOperator(
                "sum", tuple([term for term in inner if term is not None]), span=Span(entry.at), path=path
            )
        if entry.key in words.OLD_FUNCTIONS:
            function = self.read_function(entry, path)
            if entry.key != "distance_between" and summed:
                message = f"HAS fails on {entry.key} outside of a product."
                hint = f"Write {{product: [1, {{{entry.key}: …}}]}}."
                findings.report_difference(codes.OBJECTIVE_DIFFERS_IN_HAS, message, entry, hint, REFUSES)
            return function
        self.report_unknown_function(entry, REFUSES if place == 0 or not summed else CRASHES)
        return None

    def report_unknown_function(self, entry: Entry, engine: str = REFUSES) -> None:
        hint = self.findings.guess_name(entry.key, (*words.OPERATORS, *words.OLD_FUNCTIONS))
        self.findings.report_wrong(codes.INVALID_OBJECTIVE, f"There is no function {entry.key}.", entry, hint, engine)

    def read_product(self, entry: Entry, path: Path, owner: Expr) -> Term | None:
        """A product of numbers and functions. HAS uses only the last number and the last function."""
        findings = self.findings
        if not isinstance(entry.value, Seq):
            findings.report_wrong(codes.INVALID_OBJECTIVE, "product takes a list.", entry.value)
            return None
        parts: list[Term] = []
        numbers = functions = 0
        for i, operand in enumerate(entry.value.items):
            where = (*path, i)
            if isinstance(operand, Map):
                functions += 1
                factor = self.read_factor(operand, where)
            else:
                numbers += 1
                factor = self.read_weight(operand, where)
            if factor is not None:
                parts.append(factor)
        if not functions:
            findings.report_wrong(
                codes.INVALID_OBJECTIVE, "The product has no function.", entry.value if entry.value.items else entry
            )
            return None
        for noun, count in (("number", numbers), ("function", functions)):
            if count > 1:
                message = f"The product has {count} {noun}s: HAS takes the last, and ignores the others."
                hint = "hot2tf multiplies them. Write their product." if noun == "number" else "hot2tf multiplies them."
                findings.report_wrong(codes.OBJECTIVE_DIFFERS_IN_HAS, message, entry, hint, TAKES)
        if len(parts) < functions:
            return None
        if len(parts) == 2 and isinstance(parts[1], ObjectiveNumber):  # the order of two factors says nothing
            parts.sort(key=lambda term: not isinstance(term, ObjectiveNumber))
        return ObjectiveOperator("product", tuple(parts), span=entry.key_span, path=path)

    def read_factor(self, mapping: Map, path: Path) -> Term | None:
        """A function in a product, or a sum of products."""
        findings = self.findings
        if len(mapping.entries) != 1:
            findings.report_wrong(codes.INVALID_OBJECTIVE, "An operand must be one operator or function.", mapping)
            return None
        entry = mapping.entries[0]
        path = (*path, entry.key)
        if entry.key in words.OLD_FUNCTIONS:
            return self.read_function(entry, path)
        if entry.key == "product":
            message = "HAS refuses a product in a product."
            findings.report_difference(
                codes.OBJECTIVE_DIFFERS_IN_HAS, message, entry, "Write its operands in the outer one.", REFUSES
            )
            return self.read_product(entry, path, mapping)
        if entry.key == "sum" and isinstance(entry.value, Seq):
            plain = [item for item in entry.value.items if not (isinstance(item, Map) and "product" in item)]
            if plain:
                message = "HAS refuses a sum in a product whose operands are no products."
                findings.report_difference(
                    codes.OBJECTIVE_DIFFERS_IN_HAS, message, plain[0], "Write {product: [1, …]}.", REFUSES
                )
            inner = [self.read_inner_operand(item, (*path, i)) for i, item in enumerate(entry.value.items)]
            return ObjectiveOperator(
                "sum", tuple([term for term in inner if term is not None]), span=Span(entry.at), path=path
            )
        self.report_unknown_function(entry)
        return None

    def read_inner_operand(self, expr: Expr, path: Path) -> Term | None:
        """An operand of a sum in a product."""
        if isinstance(expr, Map) and len(expr.entries) == 1:
            entry = expr.entries[0]
            if entry.key == "product" and isinstance(entry.value, Seq):
                for operand in entry.value.items:
                    value = finite_number(operand.value) if isinstance(operand, Lit) else None
                    if value is not None and value != int(value):
                        message = f"HAS cuts this weight to {int(value)}, because it stands in an inner sum."
                        self.findings.report_difference(
                            codes.OBJECTIVE_DIFFERS_IN_HAS, message, operand, "Write the products in the outer sum."
                        )
                return self.read_product(entry, (*path, "product"), expr)
            return self.read_factor(expr, path)
        value = finite_number(expr.value) if isinstance(expr, Lit) else None
        if value is None:
            self.findings.report_wrong(
                codes.INVALID_OBJECTIVE, "An operand must be a number, an operator or a function.", expr
            )
            return None
        return ObjectiveNumber(value, expr.span, path)

    def read_weight(self, expr: Expr, path: Path) -> ObjectiveNumber | None:
        """A number in a product. HAS uses 1.0 for anything that it does not recognize as a number."""
        findings = self.findings
        value = finite_number(expr.value) if isinstance(expr, Lit) else None
        if value is None:
            message = "A weight must be a number. HAS takes 1.0, silently, and so does hot2tf."
            if isinstance(self.context.references.get(path), ParamRef):
                findings.report_senseless(codes.INVALID_OBJECTIVE, "The value of the parameter is no number.", expr)
                return None
            findings.report_wrong(codes.OBJECTIVE_DIFFERS_IN_HAS, message, expr, engine=TAKES)
            return ObjectiveNumber(1.0, expr.span, path)
        if isinstance(expr, Lit) and isinstance(expr.value, str):
            if value == 0:
                message = 'HAS does not take "0" for a number: the weight would be 1.0.'
                findings.report_difference(codes.OBJECTIVE_DIFFERS_IN_HAS, message, expr, "Remove the quotes.")
            else:
                findings.report_note(
                    codes.OBJECTIVE_DIFFERS_IN_HAS,
                    "The weight is a text; HAS takes it.",
                    expr,
                    "Remove the quotes.",
                    "info",
                )
        return ObjectiveNumber(value, expr.span, path)

    def read_function(self, entry: Entry, path: Path) -> ObjectiveFunction | None:
        """A function: distance_between or latency_between of a demand and a location, or a function of demands."""
        context, findings, name = self.context, self.findings, entry.key
        if name in words.DISTANCES:
            self.measured = True
            if name == "latency_between":
                message = "HAS always fails on latency_between while it solves."
                findings.report_difference(codes.OBJECTIVE_DIFFERS_IN_HAS, message, entry, engine=CRASHES)
            return self.read_distance_ends(entry, path)
        self.scored = True
        named = [context.read_demand_name(item, f"The function {name}", TAKES) for item in list_items(entry.value)]
        if name == "hpa_score" and not self.hpa:
            findings.report_wrong(codes.INVALID_OBJECTIVE, "hpa_score needs a constraint of the type hpa.", entry)
            return None
        if name == "aic_version":
            findings.report_difference(
                codes.OBJECTIVE_DIFFERS_IN_HAS,
                "HAS fails on aic_version when two candidates are as good.",
                entry,
                engine=CRASHES,
            )
        chosen = tuple([demand_name for demand_name in named if demand_name])
        return ObjectiveFunction(name, chosen, span=entry.key_span, path=path) if len(chosen) == len(named) else None

    def read_distance_ends(self, entry: Entry, path: Path) -> ObjectiveFunction | None:
        """The demand and the location of a distance, in either order."""
        context, findings, name = self.context, self.findings, entry.key
        if not isinstance(entry.value, Seq) or len(entry.value.items) < 2:
            message = f"{name} takes a list of a location and a demand."
            findings.report_wrong(codes.INVALID_OBJECTIVE, message, entry.value)
            return None
        first, second, *more = entry.value.items
        if more:
            message = f"{name} takes two arguments: HAS ignores the others."
            findings.report_wrong(codes.OBJECTIVE_DIFFERS_IN_HAS, message, more[0], engine=TAKES)
        first_name, two = literal_text(first), literal_text(second)
        demand, location = (
            (two, first_name) if two in context.demands and first_name in context.locations else (first_name, two)
        )
        place = f"{name}"
        if demand in context.demands and location in context.locations:
            context.used.add(location)
            return ObjectiveFunction(name, (demand,), location, span=entry.key_span, path=path)
        for other, kind in ((context.demands, "demands"), (context.locations, "locations")):
            if first_name in other and two in other:
                message = f"{place} takes a location and a demand; {first_name} and {two} are both {kind}."
                findings.report_wrong(codes.INVALID_OBJECTIVE, message, entry.value)
                return None
        places = [*context.locations, *context.demands]
        for expr, word in ((first, first_name), (second, two)):
            if word not in context.demands and word not in context.locations:
                message = f"{place} names {word or '?'}, which is neither a location nor a demand."
                findings.report_wrong(
                    codes.UNKNOWN_DEMAND_OR_LOCATION, message, expr, findings.guess_name(word, places)
                )
        return None
