"""Objectives: their value for an assignment, and their parts by the demands that they depend on.

Distances are rounded to a tenth of a millimetre. All else is computed with fractions, so that two assignments are equal
exactly if they are equal up to that.

Invariant: the parts of an objective add up to it.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias, final

from transpile.homing import filters, hpa
from transpile.homing.distance import kilometres
from transpile.homing.problem import (
    CLOUD,
    AttributeValue,
    Distance,
    Hpa,
    HpaScore,
    Least,
    Most,
    Number,
    Product,
    Sum,
)
from transpile.homing.scalars import number
from transpile.model.records import node

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from transpile.homing.network import Work
    from transpile.homing.problem import Candidate, Problem, Term

TENTHS = 10**7  # of a millimetre, in a kilometre
Leaf: TypeAlias = "Distance | AttributeValue | HpaScore"


def demands_of(term: Term) -> frozenset[str]:
    """The demands that a term depends on."""
    if isinstance(term, (Distance, AttributeValue, HpaScore)):
        return frozenset((term.demand,))
    return frozenset().union(*map(demands_of, operands(term)))


def operands(term: Term) -> tuple[Term, ...]:
    if isinstance(term, Product):
        return term.factors
    return term.terms if isinstance(term, (Sum, Least, Most)) else ()


def leaves(term: Term) -> list[Leaf]:
    """The functions of a term, in order."""
    if isinstance(term, (Distance, AttributeValue, HpaScore)):
        return [term]
    return [leaf for one in operands(term) for leaf in leaves(one)]


def measure(problem: Problem, leaf: Leaf) -> Callable[[Candidate], float | None]:
    """What a function is for a candidate of its demand; None if the inventory does not say it."""
    if isinstance(leaf, Distance):
        centre, priced = problem.locations[leaf.location].point, leaf.priced
        return lambda one: (
            None
            if one.point is None or centre is None
            else kilometres(one.point, centre) + (float(one.cost) if priced else 0.0)
        )
    if isinstance(leaf, AttributeValue):
        return lambda one: number(one.cost if leaf.attribute == "cost" else filters.value_of(one, leaf.attribute))
    evaluate = next(c.evaluate for c in problem.constraints if isinstance(c, Hpa) and c.name == leaf.constraint)
    return lambda one: float(hpa.score(one.data, evaluate) or 0) if one.kind == CLOUD else 0.0


def exactly(problem: Problem, leaf: Leaf) -> Callable[[Candidate], Fraction | None]:
    """The same as a fraction, distances rounded."""
    found = measure(problem, leaf)
    if isinstance(leaf, Distance):
        centre, priced = problem.locations[leaf.location].point, leaf.priced

        def length(one: Candidate) -> Fraction | None:
            if one.point is None or centre is None:
                return None
            rounded = Fraction(round(kilometres(one.point, centre) * TENTHS), TENTHS)
            return rounded + one.cost if priced else rounded

        return length

    def fraction(one: Candidate) -> Fraction | None:
        value = found(one)
        return None if value is None else Fraction(repr(value))

    return fraction


def value(term: Term, of: Callable[[Leaf], float]) -> float:
    """The value of a term. `of`: the value of each of its functions."""
    if isinstance(term, Number):
        return float(term.value)
    if isinstance(term, (Distance, AttributeValue, HpaScore)):
        return of(term)
    found = [value(one, of) for one in operands(term)]
    if isinstance(term, Product):
        return math.prod(found)
    return math.fsum(found) if isinstance(term, Sum) else min(found) if isinstance(term, Least) else max(found)


@final
@node
class Parts:
    """The parts of an objective, to be minimised.

    `alone`: by demand, what each of its candidates adds; `together`: factors and terms that depend on several demands;
    `tables`: for each function in those, its value for each candidate.
    """

    alone: Mapping[str, Sequence[Fraction]]
    together: tuple[tuple[Fraction, Term], ...]
    tables: Mapping[Leaf, Sequence[Fraction]]
    constant: Fraction = Fraction(0)


def parts(problem: Problem, candidates: Mapping[str, Sequence[Candidate]], work: Work | None = None) -> Parts:
    """Takes the objective of a problem apart. Each candidate has a value for each function. Raises Stop if `work` has a
    deadline and it is over.
    """
    alone: dict[str, list[Fraction]] = {}
    together: list[tuple[Fraction, Term]] = []
    tables: dict[Leaf, Sequence[Fraction]] = {}
    constant = Fraction(0)
    if problem.objective is None:
        return Parts(alone, (), tables)

    def table(leaf: Leaf) -> Sequence[Fraction]:
        if work is not None:
            work.check_time()
        if leaf not in tables:
            of = exactly(problem, leaf)
            tables[leaf] = [of(one) or Fraction(0) for one in candidates[leaf.demand]]
        return tables[leaf]

    def add(factor: Fraction, term: Term) -> None:
        nonlocal constant
        needed = sorted(demands_of(term))
        if not needed:
            constant += factor * exact(term, lambda leaf: Fraction(0))
        elif len(needed) == 1:
            for leaf in leaves(term):
                table(leaf)
            own = alone.setdefault(needed[0], [Fraction(0)] * len(candidates[needed[0]]))
            for at in range(len(own)):
                own[at] += factor * exact(term, lambda leaf, at=at: tables[leaf][at])  # type: ignore[misc]
        elif isinstance(term, Sum):
            for one in term.terms:
                add(factor, one)
        elif isinstance(term, Product) and sum(bool(demands_of(one)) for one in term.factors) == 1:
            for one in term.factors:
                if not demands_of(one):
                    factor *= exact(one, lambda leaf: Fraction(0))
            add(factor, next(one for one in term.factors if demands_of(one)))
        else:
            for leaf in leaves(term):
                table(leaf)
            together.append((factor, term))

    add(Fraction(-1 if problem.objective.maximize else 1), problem.objective.term)
    return Parts(alone, tuple(together), tables, constant)


def exact(term: Term, of: Callable[[Leaf], Fraction]) -> Fraction:
    """The value of a term as a fraction."""
    if isinstance(term, Number):
        return term.value
    if isinstance(term, (Distance, AttributeValue, HpaScore)):
        return of(term)
    found = [exact(one, of) for one in operands(term)]
    if isinstance(term, Product):
        return math.prod(found, start=Fraction(1))
    return sum(found, Fraction(0)) if isinstance(term, Sum) else min(found) if isinstance(term, Least) else max(found)


def interval(term: Term, of: Callable[[Leaf], tuple[Fraction, Fraction]]) -> tuple[Fraction, Fraction]:
    """Bounds of a term. `of`: the least and the largest value that each of its functions still can have."""
    if isinstance(term, Number):
        return term.value, term.value
    if isinstance(term, (Distance, AttributeValue, HpaScore)):
        return of(term)
    found = [interval(one, of) for one in operands(term)]
    if isinstance(term, Product):
        low, high = Fraction(1), Fraction(1)
        for least, most in found:
            ends = (low * least, low * most, high * least, high * most)
            low, high = min(ends), max(ends)
        return low, high
    lows, highs = [low for low, _ in found], [high for _, high in found]
    if isinstance(term, Sum):
        return sum(lows, Fraction(0)), sum(highs, Fraction(0))
    return (min(lows), min(highs)) if isinstance(term, Least) else (max(lows), max(highs))
