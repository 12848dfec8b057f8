"""The diagnostics of files and of a whole run, without repetitions."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from transpile.diagnostics.model import Diagnostic, has_errors, sort_diagnostics
from transpile.diagnostics.registry import SEVERITIES
from transpile.model.records import record, replace
from transpile.repository.uses import TemplateUse
from transpile.settings import GradedDiagnostics, unused_comments


@record
class CheckResult:
    """The diagnostics of a file.

    `kind`: "template" (also for a document of another kind), "environment", or "" for any other file. `uses`: the uses
    of the template in the stacks of the repository. `graded`: the diagnostics after configurations and comments were
    applied.
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
    """The results of all files.

    `findings`: diagnostics that concern no single file. `empty`: the named directories that contain no Heat files.
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
    """The findings on all uses of a template, each once. A finding that only some uses have names their stacks."""
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
    """A key that is equal for two diagnostics with the same finding."""
    file = os.path.normpath(d.source.name) if d.source is not None else ""
    return file, d.at, d.code, d.message


def distinct_diagnostics(findings: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The diagnostics, each once, with the highest severity that was found. A nested template is also checked by
    itself, where its errors are errors.
    """
    out: dict[tuple[object, ...], Diagnostic] = {}
    for d in findings:
        key = diagnostic_identity(d)
        if key not in out or SEVERITIES.index(d.severity) < SEVERITIES.index(out[key].severity):
            out[key] = d
    return list(out.values())
