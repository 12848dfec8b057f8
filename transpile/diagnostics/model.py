"""Diagnostics as data, which renderers turn into text.

Invariant: a diagnostic is one sentence about one location. Its code has a rule, with the severity and the explanation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, final

from transpile.diagnostics.registry import rule
from transpile.model.budget import LIMITS, Budget
from transpile.model.records import node, replace

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from transpile.model.meter import Exceeded
    from transpile.model.source import Source

MASK = "******"  # in place of a secret


@final
@node
class Diagnostic:
    """One finding. `source` is None if it is not about a file; `at` and `end` are offsets into its text."""

    code: str
    message: str
    source: Source | None = None
    at: int = 0
    end: int = -1
    hint: str = ""
    forced: str = ""  # a severity other than the rule's

    @property
    def severity(self) -> str:
        """error, warning or info."""
        return self.forced or rule(self.code).severity

    def milder(self) -> Diagnostic:
        """The same diagnostic, with an error reduced to a warning."""
        return replace(self, forced="warning") if self.severity == "error" else self

    def help(self) -> str:
        """What to do about it."""
        return self.hint or rule(self.code).hint

    def as_json(self) -> dict[str, Any]:
        """The diagnostic in the format of the report."""
        out: dict[str, Any] = {"code": self.code, "severity": self.severity, "message": self.message}
        if self.source is not None:
            line, column, end_line, end_column = self.source.span(self.at, self.end)
            out |= {
                "file": self.source.name,
                "line": line,
                "column": column,
                "end_line": end_line,
                "end_column": end_column,
            }
        if hint := self.help():
            out["hint"] = hint
        return out


MAX_ERRORS = 100
OMITTED = {
    "patterns": "Some values were not compared with an allowed_pattern",
    "suggestions": "Some hints do not say which name may have been meant",
}
MILD = {"suggestions": "info"}  # severities of what is no loss
NAME = 200  # characters: longer names are not compared
GLANCES = 100  # names that are looked at for the price of a comparison


class Stopped(Exception):
    """The conversion cannot continue; `found` has the diagnostics."""

    def __init__(self, found: Sequence[Diagnostic]) -> None:
        super().__init__("; ".join(d.message for d in found))
        self.found = list(found)


def exceeded(error: Exceeded) -> Diagnostic:
    """The diagnostic for a run that stopped at a limit."""
    what = LIMITS[error.name].counts
    message = f"This exceeds the limit {error.name} of {error.limit:,}: {what}."
    return Diagnostic("HOT118", message, error.source, error.at, error.end, raising(error.name, error.limit))


def raising(name: str, limit: int) -> str:
    """How to raise a limit."""
    return f"If this is meant, raise the limit: --limit {name}={10 * limit}."


def without(budget: Budget, source: Source | None) -> list[Diagnostic]:
    """What a run did not do because of optional limits."""
    return [
        Diagnostic("HOT119", f"{OMITTED[name]}: the limit {name} of {budget.limits[name]:,} is used up.", source,
            hint=raising(name, budget.limits[name]), forced=MILD.get(name, ""))
        for name in budget.without
    ]  # fmt: skip


class TooMany(Stopped):
    """One text reached MAX_ERRORS. `sink` has its diagnostics, `found` those of other texts."""

    def __init__(self, sink: Sink, found: Sequence[Diagnostic] = ()) -> None:
        super().__init__([*found, *sink.found])
        self.sink = sink


@final
class Sink:
    """Collects the diagnostics of one text while it is read. `mild`: errors are reduced to warnings."""

    __slots__ = ("errors", "found", "mild", "source")

    def __init__(self, source: Source | None = None, *, mild: bool = False) -> None:
        self.source, self.mild = source, mild
        self.found: list[Diagnostic] = []
        self.errors = 0

    @property
    def budget(self) -> Budget:
        """What the run may cost that reads the text."""
        if self.source is None:
            return Budget()
        return self.source.budget

    def guess(self, name: str, known: Collection[str], closeness: float = 0.7) -> str:
        """A hint with the closest known name, or an empty string; there may be any number of names."""
        return did_you_mean(name, known, closeness, self.budget)

    def say(self, code: str, message: str, at: int = 0, end: int = -1, hint: str = "", severity: str = "") -> None:
        found = Diagnostic(code, message, self.source, at, end, hint, severity)
        if self.mild:
            found = found.milder()
        self.found.append(found)
        if found.severity == "error":
            self.errors += 1
            if self.errors >= MAX_ERRORS:
                self.found.append(
                    Diagnostic("HOT116", f"There are {MAX_ERRORS} errors; reading stopped here.", self.source, at)
                )
                raise TooMany(self)


def failed(diagnostics: Iterable[Diagnostic]) -> bool:
    """Whether there is an error among them."""
    return any(d.severity == "error" for d in diagnostics)


def in_order(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Sorts diagnostics by file and location, and removes duplicates."""
    unique = dict.fromkeys(diagnostics)
    return sorted(unique, key=lambda d: (d.source.name if d.source else "", d.at, d.code, d.message))


def sentence(why: str) -> str:
    """A clause as a sentence. The first word is capitalised unless it is a name."""
    first = why.partition(" ")[0]
    return f"{why[:1].upper()}{why[1:]}." if first.isalpha() else f"{why}."


def did_you_mean(name: str, known: Collection[str], closeness: float = 0.7, budget: Budget | None = None) -> str:
    """A hint with the closest known name, or an empty string. `budget`: pays for it."""
    if len(name) > NAME or (budget is not None and not budget.affords("suggestions", 1 + len(known) // GLANCES)):
        return ""
    names = [str(k) for k in known]
    folded = {n.lower(): n for n in names}
    if name.lower() in folded:
        return f"Did you mean {folded[name.lower()]}?"
    import difflib  # slow to import, and most templates have no typos

    least, most = closeness * len(name) / (2 - closeness) - 1, len(name) * (2 - closeness) / closeness + 1
    near = [one for one in names if least <= len(one) <= most]  # others cannot be so close
    if budget is not None and not budget.affords("suggestions", len(near)):
        return ""
    close = difflib.get_close_matches(name, near, n=1, cutoff=closeness)
    return f"Did you mean {close[0]}?" if close else ""
