"""Converts an objective to the other arrangement.

Invariant: the value of every choice stays the same. If costs are added to distances, as by HAS in the old arrangement,
a distance becomes a distance and an attribute in the new one. An objective that the other arrangement cannot express
raises UnsupportedObjective.
"""

from __future__ import annotations

from typing import Any, NamedTuple, final

from transpile.homing.model import (
    LinkedHomingTemplate,
    ObjectiveFunction,
    ObjectiveNumber,
    Path,
    TemplateObjective,
    Term,
)
from transpile.model import ir

COST = "cost"


class UnsupportedObjective(Exception):
    """The other arrangement cannot express a part of the objective. `place`: that part."""

    def __init__(self, why: str, place: Term | TemplateObjective) -> None:
        super().__init__(why)
        self.place = place


class WeightedFunction(NamedTuple):
    """A function of a sum, and its weight. `number`: the place of the weight, if it is written on its own."""

    weight: float
    function: ObjectiveFunction
    number: ObjectiveNumber | None = None


@final
class NewArrangementWriter:
    """Converts `{minimize: {sum}}` to `{goal, operation_function}`."""

    def __init__(self, linked: LinkedHomingTemplate) -> None:
        self.linked = linked

    def convert_objective(self, objective: TemplateObjective) -> ir.Map:
        operands: list[ir.Expr] = []
        for weighted in flatten_sum(objective.term, 1.0):
            weight = self.weight_value(weighted)
            if weighted.function.name not in ("distance_between", "latency_between"):
                raise UnsupportedObjective(
                    f"{weighted.function.name} has no counterpart since 2020-08-13", weighted.function
                )
            operands.append(
                self.write_operand(
                    weighted.function.name, weighted.function, "location", weighted.function.location, weight
                )
            )
            if weighted.function.name == "distance_between" and self.linked.adds_costs:
                operands.append(self.write_operand("attribute", weighted.function, "attribute", COST, weight))
        body = make_entries(operator=ir.Lit("sum"), operands=ir.Seq(tuple(operands)))
        return make_entries(goal=ir.Lit(objective.goal), operation_function=body)

    def weight_value(self, weighted: WeightedFunction) -> ir.Expr | None:
        """The weight: a parameter stays one, except for HAS, which refuses it in the new arrangement."""
        if self.linked.adds_costs:
            return None if weighted.weight == 1.0 else ir.Lit(plain_number(weighted.weight))
        ref = self.linked.references.get(weighted.number.path) if weighted.number is not None else None
        if isinstance(ref, ir.ParamRef) and weighted.number is not None and self.is_numeric(weighted.number.path):
            arg: ir.Expr = ir.Seq((ir.Lit(ref.name), *ref.path)) if ref.path else ir.Lit(ref.name)
            return make_entries(get_param=arg)
        return None if weighted.weight == 1.0 else ir.Lit(plain_number(weighted.weight))

    def is_numeric(self, path: Path) -> bool:
        """Whether the value at a path is a number and not a text, which the new arrangement does not accept as a
        number.
        """
        value: Any = self.linked.data
        for part in path:
            value = value[part]
        return isinstance(value, (int, float)) and not isinstance(value, bool)

    def write_operand(
        self, name: str, function: ObjectiveFunction, key: str, value: str | None, weight: ir.Expr | None
    ) -> ir.Expr:
        params = make_entries(demand=ir.Lit(function.demands[0])).entries + make_entries(**{key: ir.Lit(value)}).entries
        operand = make_entries(function=ir.Lit(name), params=ir.Map(params))
        return operand if weight is None else ir.Map((*operand.entries, ir.Entry("weight", weight)))


def to_old_arrangement(objective: TemplateObjective, *, adds_costs: bool) -> ir.Map:
    """Converts `{goal, operation_function}` to `{minimize: {sum}}`. `adds_costs`: whether a distance there will include
    the cost of the candidate, as HAS reads it.
    """
    if objective.goal != "minimize":
        raise UnsupportedObjective("before 2020-08-13 the only goal is minimize", objective)
    functions = list(flatten_sum(objective.term, 1.0))
    costs = [weighted for weighted in functions if weighted.function.attribute == COST]
    terms = []
    for weighted in functions:
        if weighted.function.name == "attribute":
            if weighted.function.attribute != COST or not adds_costs:
                raise UnsupportedObjective("before 2020-08-13 there is no function attribute", weighted.function)
            continue
        near = weighted.function.name == "distance_between"
        call = make_entries(**{weighted.function.name: weighted_pair(weighted.function)})
        if near and adds_costs:
            own = (weighted.function.demands, weighted.weight)
            mate = next((c for c in costs if (c.function.demands, c.weight) == own), None)
            if mate is None:
                message = "HAS adds the cost of the candidate to a distance before 2020-08-13, and this one has none"
                raise UnsupportedObjective(message, weighted.function)
            costs.remove(mate)
        whole = near and weighted.weight == 1.0
        terms.append(call if whole else make_entries(product=ir.Seq((ir.Lit(plain_number(weighted.weight)), call))))
    if costs:
        raise UnsupportedObjective("before 2020-08-13 a cost counts with a distance only", costs[0].function)
    return make_entries(minimize=make_entries(sum=ir.Seq(tuple(terms))))


def weighted_pair(function: ObjectiveFunction) -> ir.Seq:
    return ir.Seq((ir.Lit(function.location), ir.Lit(function.demands[0])))


def flatten_sum(
    term: Term, weight: float, number: ObjectiveNumber | None = None, alone: bool = True
) -> list[WeightedFunction]:
    """The weighted functions of a sum of products."""
    if isinstance(term, ObjectiveNumber):
        raise UnsupportedObjective("a number alone has no place there", term)
    if term.normalization is not None:
        if term.normalization.start != 0:
            raise UnsupportedObjective("a normalization shifts the value, for which there are no words", term)
        weight /= term.normalization.end
    weight *= term.weight
    if isinstance(term, ObjectiveFunction):
        return [WeightedFunction(weight, term, number if alone else None)]
    if term.name == "sum":
        return [weighted for operand in term.operands for weighted in flatten_sum(operand, weight, number, alone)]
    if term.name == "product":
        numbers = [factor for factor in term.operands if isinstance(factor, ObjectiveNumber)]
        others = [factor for factor in term.operands if not isinstance(factor, ObjectiveNumber)]
        if len(others) != 1:
            raise UnsupportedObjective("two functions are multiplied", term)
        only = alone and len(numbers) == 1 and weight == 1.0 and number is None
        for number_term in numbers:
            weight *= number_term.value
        return flatten_sum(others[0], weight, numbers[0] if only else None, alone and (only or not numbers))
    raise UnsupportedObjective(f"there is no operator {term.name}", term)


def make_entries(**members: ir.Expr) -> ir.Map:
    return ir.Map(tuple([ir.Entry(key, value) for key, value in members.items()]))


def plain_number(value: float) -> int | float:
    """A number, without a decimal point if it is whole."""
    return int(value) if value == int(value) and abs(value) < 1e15 else value
