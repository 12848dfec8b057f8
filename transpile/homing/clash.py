"""Explains why a problem has no solution: a smallest set of constraints that cannot hold together (a smallest minimal
unsatisfiable subset).

Source: the search by hitting sets (Ignatiev et al. 2015). If a set of constraints is satisfiable, every clash contains
one of the others. So the candidates for the smallest clash are the smallest sets with a member of each such complement;
among those of one size, the order of the names decides.

Invariant: the constraints of a clash cannot hold together, and no proper subset of them is a clash.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Sequence
from typing import final

from transpile.homing import narrowing, solver
from transpile.homing.network import SearchBudget, SearchStopped
from transpile.homing.problem import PlacementProblem
from transpile.model.budget import Budget
from transpile.model.records import node, replace

SETS = 2_000  # of constraints that are tried for the smallest one


@final
@node
class Clash:
    """Constraints that cannot hold together, by name. `empty`: demands that have no candidate even without constraints;
    `smallest`: whether it is certain that no smaller set clashes.
    """

    constraints: tuple[str, ...]
    empty: tuple[str, ...] = ()
    smallest: bool = True


def find_clash(problem: PlacementProblem, *, nodes: int, budget: Budget, seconds: float | None = None) -> Clash | None:
    """A smallest set of constraints that clash; None if finding one takes too long. The clock of the budget ends
    the preparation, too.
    """
    empty = tuple([demand.name for demand in problem.demands if not demand.candidates])
    if empty:
        return Clash((), empty)
    work = SearchBudget(nodes, None if seconds is None else time.monotonic() + seconds)
    try:
        left, _ = narrowing.filter_candidates(problem, None, budget)
        valued = any(narrowing.OBJECTIVE in domain.removed for domain in left)
        names = sorted(
            {constraint.name for constraint in problem.constraints} | ({narrowing.OBJECTIVE} if valued else set())
        )
        core = shrink_clash(problem, names, work, budget)
    except (SearchStopped, RecursionError):
        return None
    try:
        return Clash(tuple(find_smallest_clash(problem, names, len(core), work, budget)))
    except (SearchStopped, RecursionError):
        return Clash(tuple(core), smallest=False)


def is_satisfiable(problem: PlacementProblem, names: Collection[str], work: SearchBudget, budget: Budget) -> bool:
    """Whether the problem with these constraints alone has a solution. Raises SearchStopped."""
    chosen = tuple([constraint for constraint in problem.constraints if constraint.name in names])
    goal = problem.objective if narrowing.OBJECTIVE in names else None
    made = solver.PlacementSolver(replace(problem, constraints=chosen, objective=goal), work, budget)
    made.prepare_components()
    return not made.impossible and all(part.find_any() is not None for _, part in made.components)


def shrink_clash(problem: PlacementProblem, names: Sequence[str], work: SearchBudget, budget: Budget) -> list[str]:
    """A clash from which no constraint can be removed: each one is left out on trial."""
    core = list(names)
    for name in names:
        rest = [other_name for other_name in core if other_name != name]
        if not is_satisfiable(problem, rest, work, budget):
            core = rest
    return core


def find_smallest_clash(
    problem: PlacementProblem, names: Sequence[str], most: int, work: SearchBudget, budget: Budget
) -> Sequence[str]:
    """The first clash of the smallest size. `most`: the size of a clash that is known."""
    needed: list[frozenset[str]] = []
    tried = 0
    for size in range(1, most + 1):
        again = True
        while again:
            again = False
            for some in hitting_sets(names, needed, size):
                tried += 1
                if tried > SETS:
                    raise SearchStopped
                if not is_satisfiable(problem, some, work, budget):
                    return some
                grown = list(some)
                for name in names:
                    if name not in grown and is_satisfiable(problem, [*grown, name], work, budget):
                        grown.append(name)
                needed.append(frozenset(names) - frozenset(grown))
                again = True
                break
    raise AssertionError("a set of that size clashes")


def hitting_sets(names: Sequence[str], needed: Sequence[frozenset[str]], size: int) -> Iterator[list[str]]:
    """The sets of a size that have a member of each needed set, in the order of their names."""

    def extend_set(chosen: list[str], start: int) -> Iterator[list[str]]:
        missing = [needed_set for needed_set in needed if not needed_set.intersection(chosen)]
        if len(chosen) == size:
            if not missing:
                yield chosen
            return
        rest = set(names[start:])
        if any(not needed_set & rest for needed_set in missing):
            return
        for at in range(start, len(names)):
            yield from extend_set([*chosen, names[at]], at + 1)

    yield from extend_set([], 0)
