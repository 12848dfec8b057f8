"""The number of findings for each code.

Invariant: the codes with most findings come first. Codes with equal numbers are in the order of the codes.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from transpile.diagnostics import registry
from transpile.diagnostics.model import Diagnostic
from transpile.diagnostics.registry import SEVERITIES


def statistics_text(diagnostics: Sequence[Diagnostic], form: str) -> str:
    """A line for each code and severity, or a list of objects in JSON."""
    counts: dict[tuple[str, str], int] = {}
    for d in diagnostics:
        counts[d.code, d.severity] = counts.get((d.code, d.severity), 0) + 1
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0][0], SEVERITIES.index(item[0][1])))
    if form == "json":
        rows = [
            {"code": code, "severity": severity, "count": number, "title": registry.rule_of_code(code).title}
            for (code, severity), number in ordered
        ]
        return json.dumps(rows, indent=1, ensure_ascii=False) + "\n"
    width = max((len(str(number)) for _, number in ordered), default=0)
    return "".join(
        f"{number:>{width}}  {severity:7}  {code}  {registry.rule_of_code(code).title}\n"
        for (code, severity), number in ordered
    )
