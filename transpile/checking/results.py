"""The diagnostics of files, and those of a whole run, each once."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from transpile.diagnostics.model import has_errors, sort_diagnostics
from transpile.diagnostics.registry import SEVERITIES
from transpile.model.records import record, replace
from transpile.settings import unused_comments

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from transpile.diagnostics.model import Diagnostic
    from transpile.repository.uses import TemplateUse
    from transpile.settings import GradedDiagnostics


@record
class CheckResult:
    """The diagnostics of a file. `kind`: template (also a document of another kind), environment, or "" for neither;
    `uses`: of the stacks that a repository makes of it; `graded`: what a configuration and comments made of the
    diagnostics.
    """

    path: str
    kind: str
    diagnostics: Sequence[Diagnostic] = ()
    uses: Sequence[TemplateUse] = ()
    graded: GradedDiagnostics | None = None

    @property
    def ok(self) -> bool:
        return not has_errors(self.diagnostics)


@record
class CheckedFiles:
    """What came of all files. `findings`: what is about no single file; `empty`: the named directories without anything
    of Heat's.
    """

    results: Sequence[CheckResult]
    findings: Sequence[Diagnostic] = ()
    empty: Sequence[str] = ()

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """All diagnostics, each once."""
        idle = unused_comments(result.graded for result in self.results if result.graded is not None)
        return distinct_diagnostics(
            [*self.findings, *(d for result in self.results for d in result.diagnostics), *idle]
        )

    @property
    def ignored(self) -> dict[str, int]:
        """How many findings were ignored, by code."""
        counts: dict[str, int] = {}
        for result in self.results:
            for code, number in result.graded.ignored.items() if result.graded is not None else ():
                counts[code] = counts.get(code, 0) + number
        return counts


def merge_diagnostics(each: Sequence[tuple[TemplateUse | None, Sequence[Diagnostic]]]) -> list[Diagnostic]:
    """What was said of all uses of a template, each finding once. One that only some of its stacks have says so."""
    if len(each) == 1:
        return list(each[0][1])
    where: dict[tuple[object, ...], list[TemplateUse]] = {}
    for use, findings in each:
        for d in dict.fromkeys(findings):
            where.setdefault(diagnostic_identity(d), []).extend([use] if use is not None else [])
    out = []
    for d in distinct_diagnostics(d for _, findings in each for d in findings):
        owners = where[diagnostic_identity(d)]
        if len(owners) < len(each) and (names := " ".join(f"-e {path}" for path in owners[0].environments)):
            d = replace(d, hint=f"{d.help()} It is so with {names}.".lstrip())
        out.append(d)
    return sort_diagnostics(out)


def diagnostic_identity(d: Diagnostic) -> tuple[object, ...]:
    """What two findings have in common that are the same."""
    file = os.path.normpath(d.source.name) if d.source is not None else ""
    return file, d.at, d.code, d.message


def distinct_diagnostics(findings: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The diagnostics, each once, as severe as it was found: a nested template is also checked by itself, where its
    errors are errors.
    """
    out: dict[tuple[object, ...], Diagnostic] = {}
    for d in findings:
        key = diagnostic_identity(d)
        if key not in out or SEVERITIES.index(d.severity) < SEVERITIES.index(out[key].severity):
            out[key] = d
    return list(out.values())
