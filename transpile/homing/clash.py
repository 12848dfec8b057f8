"""Why a problem has no solution: a smallest set of constraints that cannot hold together.

Source: smallest unsatisfiable sets by hitting sets (Ignatiev et al. 2015). Each set of constraints that can hold
together says that one of the others is needed; what has one for each such set is tried, the smallest first, and by
name among those of one size.

Invariant: the constraints of a clash cannot hold together, and no proper subset of them is one.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, TypeAlias, final

from transpile.homing import narrowing, solver
from transpile.homing.network import Stop, Work
from transpile.model.budget import Budget
from transpile.model.records import node, replace

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from transpile.homing.problem import Problem


SETS = 2_000  # of constraints that are tried for the smallest one

Clock: TypeAlias = "Callable[[], None] | None"  # of a budget


@final
@node
class Clash:
    """Constraints that cannot hold together, by name. `empty`: demands that have no candidate at all, without any
    constraint; `smallest`: whether there is certainly no smaller set.
    """

    constraints: tuple[str, ...]
    empty: tuple[str, ...] = ()
    smallest: bool = True


def smallest(problem: Problem, *, nodes: int, seconds: float | None = None, clock: Clock = None) -> Clash | None:
    """A smallest set of constraints that clash; None if that takes too long. `clock`: ends the preparation, too."""
    empty = tuple([one.name for one in problem.demands if not one.candidates])
    if empty:
        return Clash((), empty)
    work = Work(nodes, None if seconds is None else time.monotonic() + seconds)
    try:
        left, _ = narrowing.filtered(problem, None, Budget(clock=clock))
        valued = any(narrowing.OBJECTIVE in one.removed for one in left)
        names = sorted({one.name for one in problem.constraints} | ({narrowing.OBJECTIVE} if valued else set()))
        core = minimal(problem, names, work, clock)
    except (Stop, RecursionError):
        return None
    try:
        return Clash(tuple(hit(problem, names, len(core), work, clock)))
    except (Stop, RecursionError):
        return Clash(tuple(core), smallest=False)


def possible(problem: Problem, names: Collection[str], work: Work, clock: Clock) -> bool:
    """Whether constraints can hold together. Raises Stop."""
    chosen = tuple([one for one in problem.constraints if one.name in names])
    goal = problem.objective if narrowing.OBJECTIVE in names else None
    made = solver.Solver(replace(problem, constraints=chosen, objective=goal), work, Budget(clock=clock))
    made.prepare()
    return not made.impossible and all(part.quick() is not None for _, part in made.parts)


def minimal(problem: Problem, names: Sequence[str], work: Work, clock: Clock) -> list[str]:
    """Constraints that clash, none of which can be left out."""
    core = list(names)
    for name in names:
        rest = [one for one in core if one != name]
        if not possible(problem, rest, work, clock):
            core = rest
    return core


def hit(problem: Problem, names: Sequence[str], most: int, work: Work, clock: Clock) -> Sequence[str]:
    """The first smallest set that clashes. `most`: the size of one that does."""
    needed: list[frozenset[str]] = []
    tried = 0
    for size in range(1, most + 1):
        again = True
        while again:
            again = False
            for some in hitting(names, needed, size):
                tried += 1
                if tried > SETS:
                    raise Stop
                if not possible(problem, some, work, clock):
                    return some
                grown = list(some)
                for name in names:
                    if name not in grown and possible(problem, [*grown, name], work, clock):
                        grown.append(name)
                needed.append(frozenset(names) - frozenset(grown))
                again = True
                break
    raise AssertionError("a set of that size clashes")


def hitting(names: Sequence[str], needed: Sequence[frozenset[str]], size: int) -> Iterator[list[str]]:
    """The sets of a size, in the order of their names, that have something of each set that is needed."""

    def extend(chosen: list[str], start: int) -> Iterator[list[str]]:
        missing = [one for one in needed if not one.intersection(chosen)]
        if len(chosen) == size:
            if not missing:
                yield chosen
            return
        rest = set(names[start:])
        if any(not one & rest for one in missing):
            return
        for at in range(start, len(names)):
            yield from extend([*chosen, names[at]], at + 1)

    yield from extend([], 0)
