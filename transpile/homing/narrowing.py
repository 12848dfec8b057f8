"""Narrows the domain of each demand: removes the candidates that violate a constraint on this demand alone (node
consistency), and records what had to be assumed.

Invariant: a candidate that is left satisfies each such constraint, or was assumed to.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, final

from transpile.homing import filters, objective
from transpile.homing.problem import (
    Constraint,
    DistanceBetweenDemands,
    GroupConstraint,
    PlacementCandidate,
    PlacementDemand,
    PlacementProblem,
    UndecidedConstraint,
    ZoneConstraint,
)
from transpile.homing.relations import zone_of
from transpile.model.budget import Budget
from transpile.model.records import node, record

OBJECTIVE = "optimization"  # what removes candidates that have no value


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
    problem: PlacementProblem, constraints: Collection[Constraint] | None = None, budget: Budget | None = None
) -> tuple[list[DemandDomain], list[Assumption]]:
    """The domain of each demand, and the assumptions that were needed. `constraints`: those that count, by
    default all.
    """
    budget = budget or Budget()
    valued = (
        {name: [] for name in (owner.name for owner in problem.demands)}
        if problem.objective is None
        else objective_measures(problem)
    )
    left, assumed = [], []
    for demand in problem.demands:
        removed: dict[str, list[str]] = {}
        gone: set[str] = set()
        for constraint in problem.constraints if constraints is None else constraints:
            verdicts = filters.judge_candidates(problem, constraint, demand, budget)
            if verdicts is None:
                continue
            both = list(zip(demand.candidates, verdicts, strict=True))
            if isinstance(constraint, UndecidedConstraint):
                assumed.append(Assumption(constraint.name, demand.name, (), problem.fit))
            elif open_ := tuple([candidate.id for candidate, holds in both if holds is None]):
                assumed.append(Assumption(constraint.name, demand.name, open_, problem.fit))
            out = [candidate.id for candidate, holds in both if not (problem.fit if holds is None else holds)]
            if out:
                removed.setdefault(constraint.name, []).extend(out)
                gone.update(out)
        budget.check_time()
        unvalued = [
            candidate.id
            for candidate in demand.candidates
            if any(measure(candidate) is None for measure in valued[demand.name])
        ]
        if unvalued and (constraints is None or constraints):
            removed[OBJECTIVE] = unvalued
            gone.update(unvalued)
        rest = tuple([candidate for candidate in demand.candidates if candidate.id not in gone])
        left.append(DemandDomain(demand, rest, {name: tuple(dict.fromkeys(ids)) for name, ids in removed.items()}))
    return left, assumed


def objective_measures(problem: PlacementProblem) -> dict[str, list[Any]]:
    """By demand: the functions by which the objective measures its candidates."""
    measures: dict[str, list[Any]] = {demand.name: [] for demand in problem.demands}
    assert problem.objective is not None
    for leaf in dict.fromkeys(objective.term_leaves(problem.objective.term)):
        measures[leaf.demand].append(objective.leaf_measure(problem, leaf))
    return measures


def decidable_pair_constraints(problem: PlacementProblem) -> tuple[list[Constraint], list[Assumption]]:
    """The constraints on pairs of demands that the inventory decides, and the assumptions about the others."""
    decidable: list[Constraint] = []
    assumed: list[Assumption] = []
    by_name = {demand.name: demand for demand in problem.demands}
    for constraint in problem.constraints:
        if isinstance(constraint, ZoneConstraint):
            every = [candidate for name in constraint.demands for candidate in by_name[name].candidates]
            if (
                len(constraint.demands) > 1
                and every
                and all(zone_of(each, constraint.category) is None for each in every)
            ):
                assumed += [Assumption(constraint.name, name, (), problem.fit) for name in constraint.demands]
                continue
        if isinstance(constraint, (ZoneConstraint, DistanceBetweenDemands, GroupConstraint)):
            decidable.append(constraint)
    return decidable, assumed
