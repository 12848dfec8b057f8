"""The constraint graph that a search works on, and the work that the search may do.

Variables and their choices are numbers. A domain is a bit mask of choices.

Invariant: work is counted, never timed, except for the deadline that a caller sets.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol, TypeAlias, final

CostedAssignment: TypeAlias = "tuple[int, dict[int, int]]"  # the sum of costs, and the choice of each variable
CHECK = 64  # units of work between two looks at the clock


class SearchStopped(Exception):
    """The search ran out of work or time. `best`: the best assignment so far of the variables that it was about."""

    best: CostedAssignment | None = None


class BinaryRelation(Protocol):
    """A binary constraint, in one direction: which choices of another variable each choice supports."""

    @property
    def is_weak(self) -> bool:
        """Whether a choice excludes only choices close to it. Then most pairs are allowed, and messages say little."""
        ...

    def supports(self, choice: int) -> int:
        """The choices of the other variable that a choice allows, as a mask."""
        ...

    def support_class(self, choice: int) -> object:
        """A key that is equal for choices with equal supports."""
        ...


class ExclusiveGroups(NamedTuple):
    """Variables of which no two may have choices of the same group, as in an all-different constraint. `groups`: for
    each variable, the group of each of its choices.
    """

    variables: tuple[int, ...]
    groups: tuple[Sequence[int], ...]


class TimeLimitReached(SearchStopped):
    """The time limit was reached before the search began."""


@final
class RunDeadline:
    """The end of a run with a time limit. It counts from when this is made. `seconds`: None for no limit."""

    def __init__(self, seconds: float | None) -> None:
        self.end = None if seconds is None else time.monotonic() + seconds

    def check_time(self) -> None:
        """Raises TimeLimitReached after the end."""
        if self.remaining_seconds() == 0:
            raise TimeLimitReached

    def remaining_seconds(self) -> float | None:
        """The seconds that are left; None without a limit."""
        return None if self.end is None else max(0.0, self.end - time.monotonic())


@final
class SearchBudget:
    """The common budget of all searches for one answer. `left`: units of work; `deadline`: a time of `time.monotonic`;
    `late`: whether it has passed.
    """

    __slots__ = ("deadline", "late", "left", "used")

    def __init__(self, nodes: int, deadline: float | None = None) -> None:
        self.left, self.deadline, self.used, self.late = nodes, deadline, 0, False

    def spend_nodes(self, nodes: int = 1) -> None:
        """Counts work. Raises SearchStopped if none is left."""
        self.used += nodes
        self.left -= nodes
        if self.left < 0:
            raise SearchStopped
        if nodes > CHECK or self.used % CHECK < nodes:
            self.check_time()

    def check_time(self) -> None:
        """Raises SearchStopped after the deadline."""
        if self.deadline is not None and time.monotonic() > self.deadline:
            self.late = True
            raise SearchStopped


@final
class ConstraintGraph:
    """Variables with binary constraints and exclusive groups.

    `relations[i][j]`: for each choice of i, the choices of j that it supports. Both directions are present.
    """

    __slots__ = ("exclusive", "relations", "sizes", "work")

    def __init__(
        self,
        sizes: Sequence[int],
        relations: Sequence[Mapping[int, Sequence[BinaryRelation]]],
        exclusive: Sequence[ExclusiveGroups],
        work: SearchBudget,
    ) -> None:
        self.sizes, self.relations, self.exclusive, self.work = sizes, relations, exclusive, work

    def supports(self, variable: int, choice: int, other: int) -> int:
        """The choices of another variable that a choice allows, as a mask: the intersection of all relations between
        the two.
        """
        mask = -1
        for rows in self.relations[variable][other]:
            mask &= rows.supports(choice)
        return mask

    def is_weak_edge(self, variable: int, other: int) -> bool:
        """Whether two variables exclude little of each other."""
        return all(rows.is_weak for rows in self.relations[variable][other])

    def forward_check(self, domains: list[int], variable: int, choice: int, others: Iterable[int]) -> bool:
        """Removes from the domains of other variables the choices that a choice excludes. Returns False if a domain
        becomes empty.
        """
        related = self.relations[variable]
        for other in others:
            if other in related and other != variable:
                left = domains[other] & self.supports(variable, choice, other)
                if not left:
                    return False
                domains[other] = left
        return True


def domain_choices(domain: int) -> list[int]:
    """The choices in a domain, from the lowest."""
    return [at for at, bit in enumerate(reversed(f"{domain:b}")) if bit == "1"]
