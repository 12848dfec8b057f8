"""Evaluates objectives, and decomposes them into terms by the demands that they depend on.

Distances are rounded to a tenth of a millimetre. Everything else is computed with fractions, so two assignments have
equal values exactly if they are equal up to that rounding.

Invariant: the terms of a decomposition add up to the objective.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import final

from transpile.homing.distance import TENTHS
from transpile.homing.evaluation import Choice, RowEvaluator
from transpile.homing.expressions import (
    LEAVES,
    DistanceTo,
    Leaf,
    Minimum,
    Normalized,
    Number,
    Product,
    Sum,
    Term,
    Weighted,
    term_demands,
    term_leaves,
    term_operands,
)
from transpile.homing.network import SearchBudget
from transpile.homing.problem import PlacementCandidate, PlacementProblem
from transpile.model.budget import Budget
from transpile.model.records import node


def exact_measure(evaluator: RowEvaluator, leaf: Leaf, candidate: PlacementCandidate) -> Fraction | None:
    """The value of a function for a candidate of its demand, with distances rounded; None if the inventory lacks it."""
    value = evaluator.measure(leaf, {leaf.of: Choice(str(leaf.of), candidate)})
    if value is None:
        return None
    return Fraction(round(value * TENTHS), TENTHS) if isinstance(leaf, DistanceTo) else Fraction(repr(value))


def assignment_value(
    problem: PlacementProblem, assignment: Mapping[str, PlacementCandidate], budget: Budget
) -> float | None:
    """The value that users see: in floating point, with distances that are not rounded. None without an objective."""
    if problem.objective is None:
        return None
    evaluator = RowEvaluator(problem, budget)
    choices = {name: Choice(name, candidate) for name, candidate in assignment.items()}
    return term_value(problem.objective.term, lambda leaf: evaluator.measure(leaf, choices) or 0.0)


def term_value(term: Term, of: Callable[[Leaf], float]) -> float:
    """The value of a term in floating point. `of`: gives the value of each of its functions."""
    if isinstance(term, Number):
        return float(term.value)
    if isinstance(term, LEAVES):
        return of(term)
    values = [term_value(operand, of) for operand in term_operands(term)]
    if isinstance(term, Normalized):
        return (values[0] - float(term.first)) / float(term.last - term.first)
    if isinstance(term, (Product, Weighted)):
        return math.prod(values)
    return math.fsum(values) if isinstance(term, Sum) else min(values) if isinstance(term, Minimum) else max(values)


@final
@node
class ObjectiveParts:
    """An objective to be minimized, decomposed.

    `unary_values`: by demand, the share of each candidate; `joint_terms`: factors and terms that depend on several
    demands; `tables`: for each function in those, its value for each candidate.
    """

    unary_values: Mapping[str, Sequence[Fraction]]
    joint_terms: tuple[tuple[Fraction, Term], ...]
    tables: Mapping[Leaf, Sequence[Fraction]]
    constant: Fraction = Fraction(0)


def decompose_objective(
    problem: PlacementProblem,
    candidates: Mapping[str, Sequence[PlacementCandidate]],
    budget: Budget,
    work: SearchBudget | None = None,
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

    evaluator = RowEvaluator(problem, budget)

    def leaf_table(leaf: Leaf) -> Sequence[Fraction]:
        if work is not None:
            work.check_time()
        if leaf not in tables:
            own = candidates[str(leaf.of)]
            tables[leaf] = [exact_measure(evaluator, leaf, candidate) or Fraction(0) for candidate in own]
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
        elif isinstance(term, Weighted):
            add_term(factor * term.weight.value, term.term)
        elif isinstance(term, Normalized):
            factor /= term.last - term.first
            constant -= factor * term.first
            add_term(factor, term.term)
        elif isinstance(term, Sum):
            for operand in term.terms:
                add_term(factor, operand)
        elif isinstance(term, Product) and sum(bool(term_demands(each)) for each in term.terms) == 1:
            for operand in term.terms:
                if not term_demands(operand):
                    factor *= exact_value(operand, lambda leaf: Fraction(0))
            add_term(factor, next(each for each in term.terms if term_demands(each)))
        else:
            for leaf in term_leaves(term):
                leaf_table(leaf)
            together.append((factor, term))

    add_term(Fraction(-1 if problem.objective.maximize else 1), problem.objective.term)
    return ObjectiveParts(alone, tuple(together), tables, constant)


def exact_value(term: Term, of: Callable[[Leaf], Fraction]) -> Fraction:
    """The value of a term as a fraction."""
    if isinstance(term, Number):
        return term.value
    if isinstance(term, LEAVES):
        return of(term)
    values = [exact_value(operand, of) for operand in term_operands(term)]
    if isinstance(term, Normalized):
        return (values[0] - term.first) / (term.last - term.first)
    if isinstance(term, (Product, Weighted)):
        return math.prod(values, start=Fraction(1))
    if isinstance(term, Sum):
        return sum(values, Fraction(0))
    return min(values) if isinstance(term, Minimum) else max(values)


def term_interval(term: Term, of: Callable[[Leaf], tuple[Fraction, Fraction]]) -> tuple[Fraction, Fraction]:
    """The bounds of a term, by interval arithmetic. `of`: gives the least and the largest value that each of its
    functions can still have.
    """
    if isinstance(term, Number):
        return term.value, term.value
    if isinstance(term, LEAVES):
        return of(term)
    intervals = [term_interval(operand, of) for operand in term_operands(term)]
    if isinstance(term, Normalized):
        ends = [(end - term.first) / (term.last - term.first) for end in intervals[0]]
        return min(ends), max(ends)
    if isinstance(term, (Product, Weighted)):
        low, high = Fraction(1), Fraction(1)
        for least, most in intervals:
            products = (low * least, low * most, high * least, high * most)
            low, high = min(products), max(products)
        return low, high
    lows, highs = [low for low, _ in intervals], [high for _, high in intervals]
    if isinstance(term, Sum):
        return sum(lows, Fraction(0)), sum(highs, Fraction(0))
    return (min(lows), min(highs)) if isinstance(term, Minimum) else (max(lows), max(highs))
