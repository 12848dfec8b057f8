"""Evaluates objectives, and decomposes them into terms by the demands that they depend on.

Distances are rounded to a tenth of a millimetre. Everything else is computed with fractions, so two assignments have
equal values exactly if they are equal up to that rounding.

Invariant: the terms of a decomposition add up to the objective.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias, final

from transpile.homing import filters, hpa
from transpile.homing.distance import great_circle_kilometres
from transpile.homing.network import SearchBudget
from transpile.homing.problem import (
    CLOUD,
    AttributeTerm,
    DistanceTerm,
    HpaConstraint,
    HpaScoreTerm,
    MaxTerm,
    MinTerm,
    NumberTerm,
    PlacementCandidate,
    PlacementProblem,
    ProductTerm,
    SumTerm,
    Term,
)
from transpile.homing.scalars import finite_number
from transpile.model.records import node

TENTHS = 10**7  # of a millimetre, in a kilometre
Leaf: TypeAlias = "DistanceTerm | AttributeTerm | HpaScoreTerm"


def term_demands(term: Term) -> frozenset[str]:
    """The demands that a term depends on."""
    if isinstance(term, (DistanceTerm, AttributeTerm, HpaScoreTerm)):
        return frozenset((term.demand,))
    return frozenset().union(*map(term_demands, term_operands(term)))


def term_operands(term: Term) -> tuple[Term, ...]:
    """The operands of a term; none for a number or a function."""
    if isinstance(term, ProductTerm):
        return term.factors
    return term.terms if isinstance(term, (SumTerm, MinTerm, MaxTerm)) else ()


def term_leaves(term: Term) -> list[Leaf]:
    """The functions of a term, in order."""
    if isinstance(term, (DistanceTerm, AttributeTerm, HpaScoreTerm)):
        return [term]
    return [leaf for operand in term_operands(term) for leaf in term_leaves(operand)]


def leaf_measure(problem: PlacementProblem, leaf: Leaf) -> Callable[[PlacementCandidate], float | None]:
    """The function that gives the value of a leaf for a candidate of its demand; None if the inventory lacks it."""
    if isinstance(leaf, DistanceTerm):
        centre, priced = problem.locations[leaf.location].point, leaf.priced
        return lambda candidate: (
            None
            if candidate.point is None or centre is None
            else great_circle_kilometres(candidate.point, centre) + (float(candidate.cost) if priced else 0.0)
        )
    if isinstance(leaf, AttributeTerm):
        return lambda candidate: finite_number(
            candidate.cost if leaf.attribute == "cost" else filters.attribute_value(candidate, leaf.attribute)
        )
    evaluate = next(
        c.evaluate for c in problem.constraints if isinstance(c, HpaConstraint) and c.name == leaf.constraint
    )
    return lambda candidate: float(hpa.hpa_score(candidate.data, evaluate) or 0) if candidate.kind == CLOUD else 0.0


def exact_measure(problem: PlacementProblem, leaf: Leaf) -> Callable[[PlacementCandidate], Fraction | None]:
    """The same in fractions, with distances rounded."""
    measured = leaf_measure(problem, leaf)
    if isinstance(leaf, DistanceTerm):
        centre, priced = problem.locations[leaf.location].point, leaf.priced

        def length(candidate: PlacementCandidate) -> Fraction | None:
            if candidate.point is None or centre is None:
                return None
            rounded = Fraction(round(great_circle_kilometres(candidate.point, centre) * TENTHS), TENTHS)
            return rounded + candidate.cost if priced else rounded

        return length

    def fraction(candidate: PlacementCandidate) -> Fraction | None:
        value = measured(candidate)
        return None if value is None else Fraction(repr(value))

    return fraction


def term_value(term: Term, of: Callable[[Leaf], float]) -> float:
    """The value of a term in floating point. `of`: gives the value of each of its functions."""
    if isinstance(term, NumberTerm):
        return float(term.value)
    if isinstance(term, (DistanceTerm, AttributeTerm, HpaScoreTerm)):
        return of(term)
    values = [term_value(operand, of) for operand in term_operands(term)]
    if isinstance(term, ProductTerm):
        return math.prod(values)
    return math.fsum(values) if isinstance(term, SumTerm) else min(values) if isinstance(term, MinTerm) else max(values)


@final
@node
class ObjectiveParts:
    """An objective to be minimized, decomposed.

    `unary_values`: by demand, what each of its candidates adds; `joint_terms`: factors and terms that depend on several
    demands; `tables`: for each function in those, its value for each candidate.
    """

    unary_values: Mapping[str, Sequence[Fraction]]
    joint_terms: tuple[tuple[Fraction, Term], ...]
    tables: Mapping[Leaf, Sequence[Fraction]]
    constant: Fraction = Fraction(0)


def decompose_objective(
    problem: PlacementProblem, candidates: Mapping[str, Sequence[PlacementCandidate]], work: SearchBudget | None = None
) -> ObjectiveParts:
    """Decomposes the objective of a problem. Each candidate has a value for each function. Raises SearchStopped if
    `work` has a deadline that has passed.
    """
    alone: dict[str, list[Fraction]] = {}
    together: list[tuple[Fraction, Term]] = []
    tables: dict[Leaf, Sequence[Fraction]] = {}
    constant = Fraction(0)
    if problem.objective is None:
        return ObjectiveParts(alone, (), tables)

    def leaf_table(leaf: Leaf) -> Sequence[Fraction]:
        if work is not None:
            work.check_time()
        if leaf not in tables:
            of = exact_measure(problem, leaf)
            tables[leaf] = [of(candidate) or Fraction(0) for candidate in candidates[leaf.demand]]
        return tables[leaf]

    def add_term(factor: Fraction, term: Term) -> None:
        nonlocal constant
        needed = sorted(term_demands(term))
        if not needed:
            constant += factor * exact_value(term, lambda leaf: Fraction(0))
        elif len(needed) == 1:
            for leaf in term_leaves(term):
                leaf_table(leaf)
            own = alone.setdefault(needed[0], [Fraction(0)] * len(candidates[needed[0]]))
            for at in range(len(own)):
                own[at] += factor * exact_value(term, lambda leaf, at=at: tables[leaf][at])  # type: ignore[misc]
        elif isinstance(term, SumTerm):
            for operand in term.terms:
                add_term(factor, operand)
        elif (
            isinstance(term, ProductTerm) and sum(bool(term_demands(factor_term)) for factor_term in term.factors) == 1
        ):
            for operand in term.factors:
                if not term_demands(operand):
                    factor *= exact_value(operand, lambda leaf: Fraction(0))
            add_term(factor, next(factor_term for factor_term in term.factors if term_demands(factor_term)))
        else:
            for leaf in term_leaves(term):
                leaf_table(leaf)
            together.append((factor, term))

    add_term(Fraction(-1 if problem.objective.maximize else 1), problem.objective.term)
    return ObjectiveParts(alone, tuple(together), tables, constant)


def exact_value(term: Term, of: Callable[[Leaf], Fraction]) -> Fraction:
    """The value of a term as a fraction."""
    if isinstance(term, NumberTerm):
        return term.value
    if isinstance(term, (DistanceTerm, AttributeTerm, HpaScoreTerm)):
        return of(term)
    values = [exact_value(operand, of) for operand in term_operands(term)]
    if isinstance(term, ProductTerm):
        return math.prod(values, start=Fraction(1))
    return (
        sum(values, Fraction(0))
        if isinstance(term, SumTerm)
        else min(values)
        if isinstance(term, MinTerm)
        else max(values)
    )


def term_interval(term: Term, of: Callable[[Leaf], tuple[Fraction, Fraction]]) -> tuple[Fraction, Fraction]:
    """The bounds of a term, by interval arithmetic. `of`: gives the least and the largest value that each of its
    functions can still have.
    """
    if isinstance(term, NumberTerm):
        return term.value, term.value
    if isinstance(term, (DistanceTerm, AttributeTerm, HpaScoreTerm)):
        return of(term)
    intervals = [term_interval(operand, of) for operand in term_operands(term)]
    if isinstance(term, ProductTerm):
        low, high = Fraction(1), Fraction(1)
        for least, most in intervals:
            ends = (low * least, low * most, high * least, high * most)
            low, high = min(ends), max(ends)
        return low, high
    lows, highs = [low for low, _ in intervals], [high for _, high in intervals]
    if isinstance(term, SumTerm):
        return sum(lows, Fraction(0)), sum(highs, Fraction(0))
    return (min(lows), min(highs)) if isinstance(term, MinTerm) else (max(lows), max(highs))
