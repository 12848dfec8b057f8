"""Pays for work at a place of a text, from the budget of the run that the text is read for."""

from __future__ import annotations

from collections.abc import Callable
from typing import final

from transpile.model.source import Source
from transpile.model.span import START, Located, WithSpan

CHARACTERS = 16  # of a text, for one step
PART = 256  # characters that an expression as a part of a text counts as


class LimitExceeded(WithSpan, Exception):
    """The run would cost more than a limit allows. `span`: where, in `source`."""

    def __init__(self, name: str, limit: int, source: Source, where: Located) -> None:
        super().__init__(f"the limit {name} of {limit:,} is exceeded")
        self.name, self.limit, self.source, self.span = name, limit, source, where.span


def spend_budget(name: str, amount: int, source: Source, where: Located = START) -> None:
    """Pays for work. Raises LimitExceeded if the run cannot afford it."""
    budget = source.budget
    if not budget.spend(name, amount):
        raise LimitExceeded(name, budget.limits[name], source, where)


def make_output_meter(source: Source) -> Callable[[int, Located], None]:
    """A function that pays for characters of the output, at the place in the text that they come from."""

    budget = source.budget

    def pay_for_characters(characters: int, where: Located) -> None:
        if not budget.spend("written", characters):
            raise LimitExceeded("written", budget.limits["written"], source, where.span.in_text)

    return pay_for_characters


def check_limit(name: str, amount: int, source: Source, where: Located = START) -> None:
    """Raises LimitExceeded if one value alone is larger than a limit. Pays for nothing."""
    if amount > source.budget.limits[name]:
        raise LimitExceeded(name, source.budget.limits[name], source, where)


@final
class Meter:
    """Pays for the calls of functions at one place of a text."""

    __slots__ = ("source", "span")

    def __init__(self, source: Source, where: Located) -> None:
        self.source, self.span = source, where.span

    def spend_steps(self, steps: int) -> None:
        spend_budget("steps", steps, self.source, self.span)

    def spend_for_value(self, size: int) -> None:
        """Pays for a value of that size."""
        check_limit("computed", size, self.source, self.span)
        self.spend_steps(1 + size // CHARACTERS)
