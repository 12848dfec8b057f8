"""Leaves out findings that another finding explains: who mends the cause has mended them.

Invariant: a finding is left out only if a finding with a certain guess, of the same file, stands for it. An error stays
unless an error stands for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.model.lazy_patterns import compile_lazily

MEANT = compile_lazily(r"Did you mean (\S+)\?")
REQUIRED = compile_lazily(r"(?:\S+\.)?(\S+): \1 is required\.")


def drop_consequences(findings: Sequence[Diagnostic]) -> list[Diagnostic]:
    """The findings without those that follow from a misspelt name."""
    causes = [cause for cause in findings if cause.source is not None and MEANT.search(cause.hint)]
    followed = {id(finding) for cause in causes for finding in find_consequences(cause, findings)}
    return [finding for finding in findings if id(finding) not in followed]


def find_consequences(cause: Diagnostic, findings: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Returns the findings that a misspelt function, property or parameter causes."""
    meant = MEANT.findall(cause.hint)[0]
    neighbours = [d for d in findings if d.source is cause.source and d is not cause and d.source is not None]
    neighbours = [d for d in neighbours if d.severity != "error" or cause.severity == "error"]
    if cause.code == codes.MISSPELT_FUNCTION:
        line = cause.source.text[cause.span.at :].partition("\n")[0] if cause.source is not None else ""
        wrong = [
            d for d in neighbours if d.code == codes.WRONG_PROPERTY_TYPE and d.span.at <= cause.span.at < d.span.end
        ]
        return wrong + [d for d in neighbours if is_unused(d, *re.findall(r"[\w.-]+", line))]
    if cause.code in (codes.UNKNOWN_PROPERTY, codes.UNKNOWN_PROPERTY_KEY):
        missing = [d for d in neighbours if (m := REQUIRED.fullmatch(d.message)) and m[1] == meant]
        before = [d for d in missing if d.span.at <= cause.span.at]
        return [max(before, key=lambda d: d.span.at)] if before else []
    return [d for d in neighbours if is_unused(d, meant)] if cause.code == codes.UNKNOWN_PARAMETER else []


def is_unused(finding: Diagnostic, *names: str) -> bool:
    """Whether a finding says that nothing uses a parameter of one of these names."""
    if finding.code != codes.UNUSED_PARAMETER or finding.source is None:
        return False
    return finding.source.text[finding.span.at : finding.span.end].strip("\"'") in names
