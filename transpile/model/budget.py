"""The limits of a run: a number for each kind of work, large by default.

Each text carries the budget of the run that it is read for (`Source.budget`), so code that knows the place of a
construct can also pay for it. The counts do not depend on the machine: two runs stop at the same place. Only patterns,
YAQL and Jinja2 are measured in time, because nothing else bounds them.

Invariant: work is paid for before it is done. `meter.py` adds the place in the text at which a limit was exceeded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, final


class BudgetLimit(NamedTuple):
    """A limit: its default, the unit that it counts, and whether a run that exceeds it skips the work and goes on."""

    default: int
    counts: str
    optional: bool = False


LIMITS: Mapping[str, BudgetLimit] = {
    "values": BudgetLimit(400_000, "values of a document with all its aliases written out"),
    "characters": BudgetLimit(16 << 20, "characters of a document with all its aliases written out"),
    "templates": BudgetLimit(2_000, "nested templates that are linked, each once for each use that differs"),
    "registry": BudgetLimit(500_000, "entries of the resource registry that are compared with types"),
    "members": BudgetLimit(100_000, "members of a group that are named one by one"),
    "expansions": BudgetLimit(20_000, "items of a resource that are written again where another one refers to it"),
    "computed": BudgetLimit(16 << 20, "characters and items of one value that functions compute"),
    "steps": BudgetLimit(
        4_000_000, "steps of all functions: one for each call, and for sixteen characters or items of its result"
    ),
    "requests": BudgetLimit(100_000, "requests to clouds, for everything that one run reads there"),
    "modules": BudgetLimit(5_000, "modules in plug-in directories, and the directories below them"),
    "plugin_characters": BudgetLimit(16 << 20, "characters of all modules in plug-in directories"),
    "plugin_steps": BudgetLimit(1_000_000, "steps of reading plug-ins: one for each expression, statement and item"),
    "written": BudgetLimit(128 << 20, "characters of all files that are written"),
    "placements": BudgetLimit(2_000_000, "units of work of the search for a placement", optional=True),
    "suggestions": BudgetLimit(20_000, "names that are compared to find one that was meant", optional=True),
    "patterns": BudgetLimit(3_000, "milliseconds that comparisons with patterns may take", optional=True),
    "yaql": BudgetLimit(5_000, "milliseconds that expressions of YAQL may take", optional=True),
    "jinja": BudgetLimit(30_000, "milliseconds that rendering Jinja2 may take"),
}


class WrongLimit(ValueError):
    """There is no such limit, or no such value for it."""


DEFAULTS = {name: limit.default for name, limit in LIMITS.items()}
NOTHING_SPENT = dict.fromkeys(LIMITS, 0)


@final
class Budget:
    """The limits of one run, and the work that it has done. `clock`: raises an exception when the time of the run is
    up; most runs have no clock. `results`: of work that counts once, by its input.
    """

    __slots__ = ("clock", "exceeded_optional_limits", "limits", "results", "spent")

    def __init__(self, limits: Mapping[str, int] | None = None, clock: Callable[[], None] | None = None) -> None:
        self.clock = clock
        self.limits = {**DEFAULTS, **limits} if limits else DEFAULTS.copy()
        self.spent = NOTHING_SPENT.copy()
        self.results: dict[Any, Any] = {}
        self.exceeded_optional_limits: dict[str, None] = {}  # optional limits that were exceeded

    def check_time(self) -> None:
        """Looks at the clock, between two pieces of work."""
        if self.clock is not None:
            self.clock()

    def spend(self, name: str, amount: int) -> bool:
        """Pays for work, and returns whether the run can afford it."""
        spent = self.spent[name] = self.spent[name] + amount
        return spent <= self.limits[name]

    def spend_if_affordable(self, name: str, amount: int) -> bool:
        """Pays for optional work if the run can afford it, and returns whether to do the work."""
        if self.spent[name] + amount > self.limits[name]:
            self.exceeded_optional_limits[name] = None
            return False
        self.spent[name] += amount
        return True


def read_budget_limits(raw_limits: Mapping[str, int | str]) -> dict[str, int]:
    """The limits that a user set, as numbers: `{"templates": "50"}` -> `{"templates": 50}`. Raises WrongLimit."""
    limits = {}
    for name, value in raw_limits.items():
        if name not in LIMITS:
            raise WrongLimit(f"There is no limit {name}. The limits are {', '.join(LIMITS)}.")
        try:
            number = int(value)
        except (TypeError, ValueError):
            number = 0
        if number < 1:
            raise WrongLimit(f"The limit {name} takes a number above 0, not {value}.")
        limits[name] = number
    return limits
