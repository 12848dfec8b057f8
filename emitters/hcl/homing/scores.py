"""Writes the objective: the value that each candidate adds alone, and the terms of several demands.

Invariant: the parts add up to the value that `hot2tf home` reports, with lengths rounded as there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, final

from emitters.hcl.homing import columns
from emitters.hcl.homing.columns import CandidateColumns
from emitters.hcl.homing.parameters import ModuleParameters, plain_scalar
from emitters.hcl.homing.places import ModuleLocations
from emitters.hcl.homing.shorthand import join_parts, local_reference, member_of, try_expressions, variable_reference
from emitters.hcl.tree.nodes import Expr, Fn, Index, Op
from transpile.homing import model
from transpile.homing.model import LinkedHomingTemplate, ObjectiveFunction, ObjectiveNumber, ObjectiveOperator, Term

FOLDS = {"min": "min", "max": "max"}


class UnsupportedTerm(Exception):
    """HCL cannot express a part of the objective."""

    def __init__(self, why: str, place: ObjectiveFunction) -> None:
        super().__init__(why)
        self.place = place


class JointTerm(NamedTuple):
    """A term of several demands. `write`: makes its value from the ids of the demands."""

    demands: tuple[str, ...]
    write: Callable[[Callable[[str], Expr]], Expr]


@final
class ObjectiveScores:
    """`alone`: by demand, the value that the candidate `id` adds; `needs`: by demand, what must be known about it."""

    def __init__(
        self,
        linked: LinkedHomingTemplate,
        table: CandidateColumns,
        places: ModuleLocations,
        parameters: ModuleParameters,
    ) -> None:
        self.linked, self.columns, self.places, self.parameters = linked, table, places, parameters
        self.alone: dict[str, list[Callable[[Expr], Expr]]] = {}
        self.together: list[JointTerm] = []
        self.constant: list[Expr] = []
        self.needs: dict[str, list[Callable[[Expr], Expr]]] = {}
        self.scored: dict[str, None] = {}  # constraints of type hpa
        self.maximize = linked.objective is not None and linked.objective.goal == "maximize"
        if linked.objective is not None:
            self.add_term(linked.objective.term, lambda value: value)

    def add_term(self, term: Term, around: Callable[[Expr], Expr]) -> None:
        """Decomposes a term. `around`: makes of its value what it adds to the objective."""
        names = self.term_demands(term)
        if isinstance(term, ObjectiveOperator) and term.name == "sum" and term.normalization is None and len(names) > 1:
            weight = self.term_weight(term)
            for operand in term.operands:
                self.add_term(operand, around if weight is None else lambda value: around(Op("*", weight, value)))
        elif not names:
            self.constant.append(around(self.term_value(term, lambda name: None)))
        elif len(names) == 1:
            self.alone.setdefault(names[0], []).append(
                lambda candidate_value: around(self.term_value(term, lambda name: candidate_value))
            )
        else:
            self.together.append(JointTerm(names, lambda pick: around(self.term_value(term, pick))))

    def term_demands(self, term: Term) -> tuple[str, ...]:
        """The demands that a term depends on."""
        if isinstance(term, ObjectiveOperator):
            return tuple(dict.fromkeys(name for operand in term.operands for name in self.term_demands(operand)))
        if isinstance(term, ObjectiveNumber):
            return ()
        if term.name == "hpa_score":
            return tuple(dict.fromkeys(name for _, name in self.hpa_constraints()))
        return term.demands[:1]

    def hpa_constraints(self) -> list[tuple[str, str]]:
        """The constraints of type hpa, with each of their demands."""
        return [
            (each.name, name)
            for each in self.linked.constraints.values()
            if isinstance(each.properties, model.HpaProperties)
            for name in dict.fromkeys(each.demands)
            if name in self.linked.demands
        ]

    def term_weight(self, term: ObjectiveFunction | ObjectiveOperator) -> Expr:
        """The weight of a term; None if it is 1."""
        path = term.path[:-1] if isinstance(term, ObjectiveOperator) else term.path
        weight = self.parameters.number_expression((*path, "weight"), term.weight)
        return None if weight == 1 else weight

    def term_value(self, term: Term, pick: Callable[[str], Expr]) -> Expr:
        """The value of a term. `pick`: gives the id of a demand's candidate."""
        if isinstance(term, ObjectiveNumber):
            return self.parameters.number_expression(term.path, term.value)
        if isinstance(term, ObjectiveOperator):
            own = [self.term_value(operand, pick) for operand in term.operands]
            if term.name in FOLDS:
                value: Expr = Fn(FOLDS[term.name], tuple(own))
            else:
                value = join_parts("*" if term.name == "product" else "+", own, 1 if term.name == "product" else 0)
        else:
            value = self.function_value(term, pick)
        if term.normalization is not None:
            start, end = term.normalization.start, term.normalization.end
            value = Op("/", Op("-", value, plain_scalar(start)), plain_scalar(end - start))
        weight = self.term_weight(term)
        return value if weight is None else Op("*", weight, value)

    def function_value(self, function: ObjectiveFunction, pick: Callable[[str], Expr]) -> Expr:
        if function.name == "distance_between" and function.location is not None:
            name, location = function.demands[0], function.location
            self.places.distance_to_location(location)
            self.require_columns(name, lambda own: self.places.distance_to_location(location, own))
            length = self.places.distance_to_location(location, pick(name))
            return Op("+", length, self.column_of(name, pick(name), "cost")) if self.linked.adds_costs else length
        if function.name == "attribute" and function.attribute is not None:
            return self.attribute_value(function, pick)
        if function.name == "hpa_score":
            return self.hpa_score_value(pick)
        raise UnsupportedTerm(f"nothing in an inventory says {function.name}", function)

    def attribute_value(self, function: ObjectiveFunction, pick: Callable[[str], Expr]) -> Expr:
        name = function.demands[0]
        assert function.attribute is not None
        if function.attribute == "cost":
            return self.column_of(name, pick(name), "cost")
        column, kind = self.columns.attribute_column(function.attribute, number=True)
        column_name = getattr(column, "name", None) or function.attribute
        number: Callable[[Expr], Expr] = (
            (lambda own: self.column_of(name, own, column_name))
            if kind == columns.NUMBER
            else lambda own: Fn("tonumber", (self.column_of(name, own, column_name),))
        )
        self.require_columns(name, lambda own: Op("+", number(own), 0))
        return number(pick(name))

    def hpa_score_value(self, pick: Callable[[str], Expr]) -> Expr:
        """The score of HAS, negated because less is better: the sum over all constraints and their demands, from a
        variable.
        """
        parts: list[Expr] = []
        for constraint, name in self.hpa_constraints():
            self.scored[constraint] = None
            score = try_expressions(Index(columns.lookup_key("scores", constraint), pick(name)), 0)
            parts.append(score)
        return Op("*", -1, join_parts("+", parts, 0))

    def column_of(self, demand: str, candidate: Expr, column: str) -> Expr:
        """A column of a demand's candidate."""
        return member_of(Index(member_of(local_reference("drawn"), demand), candidate), column)

    def require_columns(self, demand: str, computable: Callable[[Expr], Expr]) -> None:
        needs = self.needs.setdefault(demand, [])
        if all(str(computable(variable_reference("x"))) != str(other(variable_reference("x"))) for other in needs):
            needs.append(computable)


def all_computable(values: list[Expr]) -> Expr:
    """The test whether all values can be computed."""
    return join_parts("&&", [Fn("can", (value,)) for value in values])
