"""The solver finds the same answer as a search through all assignments."""

from __future__ import annotations

import itertools
import random

import pytest

from tests.homing import problems
from transpile.homing import solver
from transpile.homing.distance import GeoPoint, make_limit
from transpile.homing.expressions import Sum
from transpile.homing.network import SearchBudget
from transpile.homing.problem import PlacementDemand, PlacementLocation, PlacementObjective, PlacementProblem
from transpile.model.budget import Budget
from transpile.model.records import replace


@pytest.mark.parametrize("block", range(5))
def test_solutions_come_in_the_documented_order(block: int) -> None:
    """By value, then by total cost, then by the order of the inventory: 250 problems, up to 12 solutions of each."""
    for number in range(50):
        placement_problem = problems.generated(random.Random(f"order {block} {number}"), demands=3, candidates=4)
        sign = -1 if placement_problem.objective is not None and placement_problem.objective.maximize else 1
        place = {demand.name: [candidate.id for candidate in demand.candidates] for demand in placement_problem.demands}
        every = []
        for chosen in problems.possible(placement_problem):
            value = sign * (problems.valued(placement_problem, chosen) or 0.0)
            cost = float(sum(candidate.cost for candidate in chosen.values()))
            order = tuple([place[name].index(candidate.id) for name, candidate in chosen.items()])
            every.append(((round(value, 5), cost, order), {name: candidate.id for name, candidate in chosen.items()}))
        expected = [ids for _, ids in sorted(every, key=lambda row: row[0])][:12]
        answer = solver.solve_problem(placement_problem, budget=Budget(), top=12)
        actual = [{name: candidate.id for name, candidate in each.assignment.items()} for each in answer.solutions]
        assert actual == expected, (block, number)


def test_a_unique_demand_has_each_candidate_in_one_solution_only() -> None:
    placement_problem = problems.generated(random.Random("problem 0 3"), linear=True)
    free = PlacementProblem(
        (
            PlacementDemand("a", placement_problem.demands[0].candidates),
            PlacementDemand("b", placement_problem.demands[0].candidates),
        )
    )
    unique = replace(free, demands=(replace(free.demands[0], unique=True), free.demands[1]))
    ids = [candidate.id for candidate in placement_problem.demands[0].candidates]
    assert len(solver.solve_problem(free, budget=Budget(), top=100).solutions) == len(ids) ** 2
    chosen_ids = [
        solution.assignment["a"].id for solution in solver.solve_problem(unique, budget=Budget(), top=100).solutions
    ]
    assert sorted(chosen_ids) == sorted(ids)


def packing(miles: float) -> PlacementProblem:
    """Places for 24 demands that are so far apart: a problem whose search takes long."""
    rng = random.Random("packing")
    pool = tuple([problems.candidate(rng, f"c{number}") for number in range(150)])
    pool = tuple(
        [replace(candidate, point=GeoPoint(rng.uniform(25, 50), rng.uniform(-125, -70))) for candidate in pool]
    )
    names = tuple([f"d{number}" for number in range(24)])
    limits = (problems.apart("apart", names, make_limit(">", miles)),)
    goal = PlacementObjective(Sum(tuple([problems.priced(name, "home") for name in names])))
    places = {"home": PlacementLocation("home", GeoPoint(38, -97))}
    return PlacementProblem(tuple([PlacementDemand(name, pool) for name in names]), places, limits, goal)


def test_a_search_that_runs_out_of_work_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search stops, with a solution that is said to be the best so far. The clock counts how often it is read, so a
    busy machine gets as far as any other.
    """
    placement_problem = packing(350)
    first, again = (solver.solve_problem(placement_problem, budget=Budget(), nodes=2_500) for _ in range(2))
    assert (first.has_solution, first.proven, first.tie, first.late) == (True, False, None, False)
    assert first.solutions == again.solutions
    clock = itertools.count()
    monkeypatch.setattr("time.monotonic", lambda: next(clock) / 100)
    late = solver.solve_problem(placement_problem, budget=Budget(), seconds=1)
    assert (late.proven, late.late) == (False, True)
    assert late.has_solution


@pytest.mark.parametrize(("miles", "nodes"), [(700, 2_500), (1000, 100)])
def test_a_search_that_runs_out_of_work_may_have_no_solution(miles: int, nodes: int) -> None:
    """Looking for any solution takes too long, too; or it proves that there is none."""
    answer = solver.solve_problem(packing(miles), budget=Budget(), nodes=nodes)
    assert (answer.solutions, answer.proven) == ([], False)


@pytest.mark.parametrize("block", range(25))
def test_the_best_and_all_ties_are_those_of_trying_everything(block: int) -> None:
    """2,500 problems of up to 4 demands and 5 candidates, with constraints and objectives of all kinds."""
    solved = 0
    for number in range(100):
        rng = random.Random(f"problem {block} {number}")
        placement_problem = problems.generated(rng)
        expected = problems.reference(placement_problem)
        work = SearchBudget(200_000)
        placement_solver = solver.PlacementSolver(placement_problem, work, Budget())
        placement_solver.prepare_components()
        actual = []
        least = None
        for parts in placement_solver.enumerate_solutions():
            value = sum(part.value for part in parts)
            if least is not None and value != least:
                break
            least = value
            actual.append(
                {name: chosen.id for name, chosen in placement_solver.build_solution(parts).assignment.items()}
            )
        assert sorted(map(repr, actual)) == sorted(map(repr, expected)), (block, number)
        answer = solver.solve_problem(placement_problem, budget=Budget())
        assert answer.tie is (len(expected) > 1 if expected else None), (block, number)
        solved += bool(expected)
    assert solved > 20
