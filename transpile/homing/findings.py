"""Collects the diagnostics of a homing template, and decides how severe they are.

Invariant: severity follows from two facts: the rule of the specifications, and the behaviour of HAS, the engine. A
construct that both refuse is an error. A construct that only one of them accepts is a warning that describes the
behaviour of HAS. With `--engine has`, only a construct that HAS refuses is an error.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import final

from transpile.diagnostics.model import Sink
from transpile.diagnostics.spelling import Guess
from transpile.homing.model import HAS
from transpile.model.ir import Entry
from transpile.model.source import Source
from transpile.model.span import Located, Span

REFUSES, CRASHES, TAKES = (
    "refuses",
    "crashes",
    "takes",
)  # the behaviour of HAS; it crashes while solving; takes: in its own way


@final
class HomingFindings:
    """The diagnostics of one template. `engine`: "" or HAS; `failed`: whether a part of the template has no meaning;
    `unresolved`: the places of references that have no value, which is all that is reported there.
    """

    def __init__(self, source: Source, engine: str = "") -> None:
        self.sink, self.engine, self.failed = Sink(source), engine, False
        self.unresolved: set[Span] = set()

    def report_wrong(
        self, code: str, message: str, where: Located, hint: str | Guess = "", engine: str = REFUSES
    ) -> None:
        """Reports a construct that the specifications do not allow."""
        self.failed |= engine != TAKES
        self.report(code, message, where, hint, engine, "warning" if engine == TAKES else "error")

    def report_senseless(
        self, code: str, message: str, where: Located, hint: str | Guess = "", engine: str = TAKES
    ) -> None:
        """Reports a construct that the specifications do not allow, and that HAS reads in a way that nobody intends."""
        self.failed = True
        self.report(code, message, where, hint, engine, "error")

    def report_difference(
        self, code: str, message: str, where: Located, hint: str | Guess = "", engine: str = TAKES
    ) -> None:
        """Reports a construct that the specifications allow or leave open, while HAS refuses it or reads it
        differently.
        """
        self.report(code, message, where, hint, engine, "warning")

    def report_note(self, code: str, message: str, where: Located, hint: str | Guess = "", severity: str = "") -> None:
        """Reports a finding about a construct that the specifications and HAS both accept."""
        self.sink.add(code, message, span_to_show(where), hint, severity)

    def report(self, code: str, message: str, where: Located, hint: str | Guess, engine: str, severity: str) -> None:
        if (where.value if isinstance(where, Entry) else where).span in self.unresolved:
            return
        if self.engine == HAS:
            severity = "error" if engine == REFUSES else "warning"
        self.sink.add(code, message, span_to_show(where), hint, severity)

    def guess_name(self, name: str, names: Collection[str]) -> str | Guess:
        """A hint with the closest known name, or with all names if there are few."""
        return self.sink.guess_name(name, names) or (f"Known: {', '.join(names)}." if 0 < len(names) <= 12 else "")


def span_to_show(where: Located) -> Span:
    """The place that a diagnostic shows: the place of the construct, or of the key if it is an entry."""
    return where.key_span if isinstance(where, Entry) else where.span.in_text
