"""Compares two readings of an objective of the old arrangement: the texts minimize distance alone, and HAS adds the
cost of each candidate to its distance.

Invariant: where the reading decides the choice or its value, there is a diagnostic. Where it was not computed, the
diagnostic says that.
"""

from __future__ import annotations

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.homing import objective, rows, solver
from transpile.homing.model import LinkedHomingTemplate
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
    budget: Budget,
) -> Diagnostic | None:
    """The diagnostic about the other reading of the objective; None if both give the same choice and value. `answer`:
    the answer by the reading of the template; `nodes`, `seconds`: the limits of the search by the other reading.
    """
    if not linked.distance_differs_in_has or not answer.has_solution:
        return None
    best, goal = answer.solutions[0], answer.problem.objective
    term = rows.objective_term(linked, adds_costs=not linked.adds_costs)
    if goal is None or term is None or term == goal.term:
        return None
    other_problem = replace(answer.problem, objective=replace(goal, term=term))
    if answer.proven:
        other = solver.solve_problem(other_problem, nodes=nodes, seconds=seconds, budget=budget)
        if other.proven and other.has_solution:
            value = objective.assignment_value(other_problem, best.assignment, budget)
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
