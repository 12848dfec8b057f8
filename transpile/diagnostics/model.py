"""Diagnostics as data, which renderers turn into text.

Invariant: a diagnostic is one sentence about one location. Its code has a rule, with the severity and the explanation.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, final

from transpile.diagnostics import codes, spelling
from transpile.diagnostics.registry import rule_of_code
from transpile.diagnostics.spelling import Guess
from transpile.model.budget import LIMITS, Budget
from transpile.model.records import field, node, replace
from transpile.model.span import START, Located, Span, WithSpan

if TYPE_CHECKING:
    from transpile.model.meter import LimitExceeded
    from transpile.model.source import Source

MASK = "******"  # in place of a secret


@final
@node
class Edit(WithSpan):
    """A change of a text: `text` replaces the characters at a place."""

    span: Span
    text: str


@final
@node
class Fix:
    """How the source of a diagnostic can be put right. `title`: the correction in words; `edits`: in order, apart from
    each other, and all of them or none; `certain`: no other correction is possible, so nobody has to decide.
    """

    title: str
    edits: tuple[Edit, ...]
    certain: bool = True


class Location(NamedTuple):
    """A place in a file, from one line and column to another, counted from 1."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int


@final
@node
class Diagnostic(WithSpan):
    """One finding. `source` is None if it is not about a file; `span` is the place in its text, from the offset `at` to
    the offset `end`. `fix`: edits of that text; there are none for text that was rendered from another one. `cause`: a
    common text for findings of the same cause, if their messages differ in the names that they list. `stops`: a
    conversion refuses it, although Heat accepts the template.
    """

    code: str
    message: str
    source: Source | None = None
    span: Span = START
    hint: str = ""
    forced: str = ""  # a severity other than the rule's
    fix: Fix | None = field(default=None, compare=False)
    cause: str = field(default="", compare=False)
    stops: bool = field(default=False, compare=False)

    @property
    def severity(self) -> str:
        """error, warning or info."""
        return self.forced or rule_of_code(self.code).severity

    @property
    def location(self) -> Location | None:
        """Its place in the text, counted from 1 as in editors; None if it is about no text."""
        if self.source is None:
            return None
        return Location(self.source.name, *self.source.start_and_end(self))

    def reduced_to_warning(self) -> Diagnostic:
        """The same diagnostic; an error becomes a warning."""
        return replace(self, forced="warning") if self.severity == "error" else self

    def help(self) -> str:
        """The hint of the diagnostic, or else of its rule."""
        return self.hint or rule_of_code(self.code).hint

    def as_json(self) -> dict[str, Any]:
        """The diagnostic in the format of the report."""
        fields: dict[str, Any] = {"code": self.code, "severity": self.severity, "message": self.message}
        if self.location is not None:
            fields |= self.location._asdict()
        if hint := self.help():
            fields["hint"] = hint
        return fields


MAX_ERRORS = 100
OMITTED = {
    "patterns": "Some values were not compared with an allowed_pattern",
    "yaql": "Some expressions of YAQL were not computed",
    "suggestions": "Some hints do not say which name may have been meant",
}
UNCHECKED = "Some values were not checked"  # where any other limit is exceeded
PARTS = {  # of a limit, that one piece of work may take
    "patterns": " (one comparison may take a third of it)",
    "yaql": " (one expression may take a fifth of it)",
}
MILD = {"suggestions": "info"}  # severities of skipped work that the user does not miss


class Stopped(Exception):
    """The conversion cannot continue; `diagnostics` says why."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        super().__init__("; ".join(d.message for d in diagnostics))
        self.diagnostics = list(diagnostics)


def diagnose_exceeded_limit(error: LimitExceeded) -> Diagnostic:
    """The diagnostic for a run that stopped at a limit."""
    return diagnose_limit(error.name, error.limit, error.source, error.span)


def diagnose_limit(name: str, limit: int, source: Source | None = None, span: Span = START) -> Diagnostic:
    """The diagnostic for a limit that is exceeded, at its place if it is exceeded in a text."""
    message = f"This exceeds the limit {name} of {limit:,}: {LIMITS[name].counts}."
    return Diagnostic(codes.LIMIT_EXCEEDED, message, source, span, hint_to_raise_limit(name, limit))


def hint_to_raise_limit(name: str, limit: int) -> str:
    """A hint that says how to raise a limit: tenfold."""
    return f"If this is meant, raise the limit: --limit {name}={10 * limit}."


def diagnose_skipped_work(budget: Budget, source: Source | None) -> list[Diagnostic]:
    """A diagnostic for each optional limit that was exceeded: the run skipped this work and went on."""
    return [
        Diagnostic(codes.LEFT_OUT_AT_LIMIT,
            f"{OMITTED.get(name, UNCHECKED)}: the limit {name} of {budget.limits[name]:,} is used up"
            f"{PARTS.get(name, '')}.", source,
            hint=hint_to_raise_limit(name, budget.limits[name]), forced=MILD.get(name, ""))
        for name in budget.exceeded_optional_limits
    ]  # fmt: skip


class TooManyErrors(Stopped):
    """One text reached MAX_ERRORS. `sink` has its diagnostics, `diagnostics` also those of other texts."""

    def __init__(self, sink: Sink, diagnostics: Sequence[Diagnostic] = ()) -> None:
        super().__init__([*diagnostics, *sink.diagnostics])
        self.sink = sink


@final
class Sink:
    """Collects the diagnostics of one text while it is read. `mild`: errors are reduced to warnings."""

    __slots__ = ("diagnostics", "errors", "mild", "source")

    def __init__(self, source: Source, *, mild: bool = False) -> None:
        self.source, self.mild = source, mild
        self.diagnostics: list[Diagnostic] = []
        self.errors = 0

    @property
    def budget(self) -> Budget:
        """The budget of the run that reads the text."""
        return self.source.budget

    def guess_name(self, name: str, candidates: Collection[str], closeness: float = spelling.CLOSE) -> Guess:
        """The closest known name; there may be any number of names."""
        return spelling.guess_name(name, candidates, closeness, self.budget)

    def add(
        self,
        code: str,
        message: str,
        where: Located = START,
        hint: str | Guess = "",
        severity: str = "",
        fix: Fix | None = None,
    ) -> None:
        """Adds a diagnostic. Raises TooManyErrors if it is the last error that one text may have.

        `where`: its place in the text; `severity`: instead of the severity of the rule; `fix`: edits that put it right.
        If the hint is a guess, the guess is the fix, too, provided that the misspelt name occurs once at the place.
        """
        if isinstance(hint, Guess) and fix is None:
            fix = make_spelling_fix(self.source, where, hint)
        if self.source.rendered_from is not None:  # a Jinja2 source has other offsets than the rendered text
            fix = None
        diagnostic = Diagnostic(code, message, self.source, where.span, str(hint), severity, fix)
        if self.mild:
            diagnostic = diagnostic.reduced_to_warning()
        self.diagnostics.append(diagnostic)
        if diagnostic.severity == "error":
            self.errors += 1
            if self.errors >= MAX_ERRORS:
                self.diagnostics.append(
                    Diagnostic(
                        codes.TOO_MANY_ERRORS,
                        f"There are {MAX_ERRORS} errors; reading stopped here.",
                        self.source,
                        Span(where.at),
                    )
                )
                raise TooManyErrors(self)


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    """Whether any of the diagnostics is an error."""
    return any(d.severity == "error" for d in diagnostics)


def prevent_output(diagnostics: Iterable[Diagnostic]) -> bool:
    """Whether any of the diagnostics is an error with which no files are written. A value that differs from Heat's is
    marked in its file.
    """
    return any(d.severity == "error" and d.code != codes.VALUE_DIFFERS_FROM_HEAT for d in diagnostics)


def sort_diagnostics(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Sorts diagnostics by file and location, and removes duplicates."""
    unique = dict.fromkeys(diagnostics)
    return sorted(unique, key=lambda d: (d.source.name if d.source else "", d.at, d.code, d.message))


def make_sentence(why: str) -> str:
    """A clause as a sentence. The first word is capitalised unless it is a name."""
    first = why.partition(" ")[0]
    return f"{why[:1].upper()}{why[1:]}." if first.isalpha() else f"{why}."


def make_spelling_fix(source: Source, where: Located, guess: Guess) -> Fix | None:
    """The fix that replaces a misspelt name; None unless the name occurs exactly once at the place."""
    if not guess or (place := guess.find_written_name(source.text, where)) is None:
        return None
    return Fix(f"Replace {guess.written} by {guess.meant}", (Edit(place, guess.meant),), guess.certain)


def did_you_mean(
    name: str, candidates: Collection[str], closeness: float = spelling.CLOSE, budget: Budget | None = None
) -> str:
    """A hint with the closest known name, or an empty string. `budget`: pays for it."""
    return str(spelling.guess_name(name, candidates, closeness, budget))
