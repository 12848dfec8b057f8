"""Compares two readings of an objective of the old arrangement: the texts minimize distance alone, and HAS adds the
cost of each candidate to its distance.

Invariant: where the reading decides the choice or its value, there is a diagnostic. Where it was not computed, the
diagnostic says that.
"""

from __future__ import annotations

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.homing import objective, solver
from transpile.homing.model import LinkedHomingTemplate
from transpile.homing.problem import (
    DistanceTerm,
    MaxTerm,
    MinTerm,
    PlacementProblem,
    ProductTerm,
    SumTerm,
    Term,
)
from transpile.homing.solver import PlacementAnswer, PlacementSolution
from transpile.model.budget import Budget
from transpile.model.records import replace

ADDS = "HAS adds the cost of each candidate to its distance"
TO_ADD = "With --engine has, hot2tf adds it, too."
TO_OMIT = "Without --engine has, distance alone counts, as the specification says."


def compare_readings(
    linked: LinkedHomingTemplate,
    answer: PlacementAnswer,
    *,
    nodes: int,
    seconds: float | None = None,
    budget: Budget | None = None,
) -> Diagnostic | None:
    """The diagnostic about the other reading of the objective; None if both give the same choice and value. `answer`:
    the answer by the reading of the template; `nodes`, `seconds`: what the search by the other reading may take.
    """
    if not linked.distance_differs_in_has or not answer.has_solution:
        return None
    best, other_problem = answer.solutions[0], with_costs(answer.problem, added=not linked.adds_costs)
    if other_problem == answer.problem:
        return None
    if answer.proven:
        other = solver.solve_problem(other_problem, nodes=nodes, seconds=seconds, budget=budget)
        if other.proven and other.has_solution:
            value = objective_value(other_problem, best)
            return describe_difference(linked, best, value, other.solutions[0])
    return note_readings(linked, "The search stopped before it was known", "warning")


def describe_difference(
    linked: LinkedHomingTemplate, best: PlacementSolution, value: float | None, other: PlacementSolution
) -> Diagnostic | None:
    """The diagnostic about two optima. `value`: the value of the first by the reading of the second."""
    moved = ", ".join(
        f"{candidate.id} for {demand}"
        for demand, candidate in other.assignment.items()
        if candidate.id != best.assignment[demand].id
    )
    if moved and linked.adds_costs:
        message = f"{ADDS}, and so does this choice. By distance alone, as the specification says, the best is {moved}."
    elif moved:
        message = (
            f"{ADDS}, and so would choose {moved}. The specification minimizes distance alone, as this choice does."
        )
    elif value == best.value:
        return None
    elif linked.adds_costs:
        message = (
            f"{ADDS}, and so does this value. By distance alone the choice is the same, with the value {value:.10g}."
        )
    else:
        message = f"{ADDS}: its choice is the same, with the value {value:.10g}."
    return build_diagnostic(linked, message, "warning" if moved else "info")


def note_readings(linked: LinkedHomingTemplate, why: str, severity: str = "info") -> Diagnostic | None:
    """The diagnostic where it is not known whether the reading decides the choice. `why`: the reason, as a sentence
    without its period.
    """
    if not linked.distance_differs_in_has:
        return None
    if linked.adds_costs:
        message = f"{ADDS}, and so does this. By distance alone, as the specification says, the choice may differ."
    else:
        message = f"{ADDS}, so its choice may differ: the specification minimizes distance alone, and so does this."
    return build_diagnostic(linked, f"{message} {why}.", severity)


def build_diagnostic(linked: LinkedHomingTemplate, message: str, severity: str) -> Diagnostic:
    assert linked.objective is not None
    where, hint = linked.objective.span.in_text, TO_OMIT if linked.adds_costs else TO_ADD
    return Diagnostic(codes.OBJECTIVE_DIFFERS_IN_HAS, message, linked.document.source, where, hint, severity)


def with_costs(problem: PlacementProblem, *, added: bool) -> PlacementProblem:
    """The problem with the costs of candidates added to their distances, or not added."""
    if problem.objective is None:
        return problem
    term = price_distances(problem.objective.term, added)
    return replace(problem, objective=replace(problem.objective, term=term))


def price_distances(term: Term, added: bool) -> Term:
    if isinstance(term, DistanceTerm):
        return replace(term, priced=added)
    if isinstance(term, ProductTerm):
        return ProductTerm(tuple([price_distances(factor, added) for factor in term.factors]))
    if isinstance(term, (SumTerm, MinTerm, MaxTerm)):
        return replace(term, terms=tuple([price_distances(each, added) for each in term.terms]))
    return term


def objective_value(problem: PlacementProblem, solution: PlacementSolution) -> float | None:
    """The value that a solution has in a problem with the same candidates."""
    if problem.objective is None:
        return None
    return objective.term_value(
        problem.objective.term,
        lambda leaf: objective.leaf_measure(problem, leaf)(solution.assignment[leaf.demand]) or 0.0,
    )
