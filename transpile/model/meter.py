"""Pays for work at a place of a text, from the budget of the run that the text is read for."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

if TYPE_CHECKING:
    from transpile.model.source import Source

CHARACTERS = 16  # of a text, for one step
PART = 256  # characters that an expression as a part of a text counts as


class Exceeded(Exception):
    """The run would cost more than a limit allows. `at`, `end`: where, in `source`."""

    def __init__(self, name: str, limit: int, source: Source, at: int, end: int) -> None:
        super().__init__(f"the limit {name} of {limit:,} is exceeded")
        self.name, self.limit, self.source, self.at, self.end = name, limit, source, at, end


def spend(name: str, amount: int, source: Source, at: int = 0, end: int = -1) -> None:
    """Pays for work; raises Exceeded if the run cannot afford it."""
    if not source.budget.spend(name, amount):
        raise Exceeded(name, source.budget.limits[name], source, at, end)


def allow(name: str, amount: int, source: Source, at: int = 0, end: int = -1) -> None:
    """Raises Exceeded if one thing alone is larger than a limit."""
    if amount > source.budget.limits[name]:
        raise Exceeded(name, source.budget.limits[name], source, at, end)


@final
class Meter:
    """Pays for what functions do at one place."""

    __slots__ = ("at", "end", "source")

    def __init__(self, source: Source, at: int, end: int) -> None:
        self.source, self.at, self.end = source, at, end

    def pay(self, steps: int) -> None:
        spend("steps", steps, self.source, self.at, self.end)

    def make(self, size: int) -> None:
        """Pays for a value of that size."""
        allow("computed", size, self.source, self.at, self.end)
        self.pay(1 + size // CHARACTERS)
