"""Narrows the domain of each demand: removes the candidates that violate a constraint on this demand alone (node
consistency), and records what had to be assumed.

Invariant: a candidate that is left satisfies each such constraint, or was assumed to.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import final

from transpile.homing.evaluation import Choice, RowEvaluator
from transpile.homing.expressions import OWN, Test, Unknown, term_leaves
from transpile.homing.problem import PlacementCandidate, PlacementConstraint, PlacementDemand, PlacementProblem
from transpile.model.budget import Budget
from transpile.model.records import node, record

OBJECTIVE = "optimization"  # the name for the removal of candidates that have no value


@final
@node
class Assumption:
    """A question that a constraint asks about a demand and the inventory does not answer, so that the answer was
    assumed. `candidates`: those that it was assumed for; `fit`: the answer.
    """

    constraint: str
    demand: str
    candidates: tuple[str, ...]
    fit: bool


@final
@record
class DemandDomain:
    """The domain of a demand: the candidates that are left. `removed`: by constraint, the ids of those that it
    removes.
    """

    demand: PlacementDemand
    candidates: tuple[PlacementCandidate, ...]
    removed: Mapping[str, tuple[str, ...]]


def filter_candidates(
    problem: PlacementProblem, constraints: Collection[PlacementConstraint] | None, budget: Budget
) -> tuple[list[DemandDomain], list[Assumption]]:
    """The domain of each demand, and the assumptions that were needed. `constraints`: those that count; None for
    all.
    """
    evaluator = RowEvaluator(problem, budget)
    leaves = [] if problem.objective is None else list(dict.fromkeys(term_leaves(problem.objective.term)))
    chosen = problem.constraints if constraints is None else constraints
    open_pairs = undecided_pairs(problem, chosen, evaluator)
    left, assumed = [], []
    for demand in problem.demands:
        removed: dict[str, list[str]] = {}
        for constraint in chosen:
            if demand.name not in constraint.demands:
                continue
            verdicts = judge_candidates(constraint.alone, demand, evaluator)
            if constraint.name in open_pairs:
                verdicts = verdicts or dict.fromkeys([candidate.id for candidate in demand.candidates])
            undecided = tuple([name for name, holds in verdicts.items() if holds is None])
            whole = isinstance(constraint.alone, Unknown) or constraint.name in open_pairs
            if whole or undecided:
                assumed.append(Assumption(constraint.name, demand.name, () if whole else undecided, problem.fit))
            out = [name for name, holds in verdicts.items() if not (problem.fit if holds is None else holds)]
            if out:
                removed.setdefault(constraint.name, []).extend(out)
        budget.check_time()
        own = [leaf for leaf in leaves if leaf.of == demand.name]
        unvalued = [
            candidate.id
            for candidate in demand.candidates
            if any(evaluator.measure(leaf, {leaf.of: Choice(demand.name, candidate)}) is None for leaf in own)
        ]
        if unvalued and (constraints is None or constraints):
            removed[OBJECTIVE] = unvalued
        gone = {name for ids in removed.values() for name in ids}
        rest = tuple([candidate for candidate in demand.candidates if candidate.id not in gone])
        left.append(DemandDomain(demand, rest, {name: tuple(dict.fromkeys(ids)) for name, ids in removed.items()}))
    return left, assumed


def judge_candidates(test: Test | None, demand: PlacementDemand, evaluator: RowEvaluator) -> dict[str, bool | None]:
    """By the id of each candidate of a demand, whether it passes a test of it alone; empty without a test."""
    results: dict[str, bool | None] = {}
    for candidate in demand.candidates if test is not None else ():
        evaluator.budget.check_time()
        assert test is not None
        results[candidate.id] = evaluator.holds(test, {OWN: Choice(demand.name, candidate)})
    return results


def undecided_pairs(
    problem: PlacementProblem, constraints: Collection[PlacementConstraint], evaluator: RowEvaluator
) -> frozenset[str]:
    """The names of the constraints on pairs of demands that the inventory does not decide."""
    by_name = {demand.name: demand for demand in problem.demands}
    names = set()
    for constraint in constraints:
        every = [candidate for name in constraint.demands for candidate in by_name[name].candidates]
        if constraint.pair is not None and every and not evaluator.is_decided(constraint.pair, every):
            names.add(constraint.name)
    return frozenset(names)
