"""Findings of one cause, for people: ten places with the same mistake are shown as one finding with ten places.

Invariant: every finding is in exactly one group, and the findings of a group differ in their places only, or in the
names that one sentence lists.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from transpile.diagnostics.model import Diagnostic
from transpile.model.words import count_noun

SHOWN = 12  # the maximum number of places in a list


def group_by_cause(diagnostics: Iterable[Diagnostic]) -> list[list[Diagnostic]]:
    """Groups findings that say the same of different places. A group stands where its first finding was."""
    groups: dict[object, list[Diagnostic]] = {}
    for number, d in enumerate(diagnostics):
        cause = (d.code, d.severity, d.cause or d.message, d.help()) if d.source is not None else number
        groups.setdefault(cause, []).append(d)
    return list(groups.values())


def list_further_places(group: Sequence[Diagnostic]) -> str:
    """A phrase with the places after the first: `also at a.yaml:3:5, 9:5; b.yaml:2:1`; empty if there are none. The
    name of a file stands once for all its places in a row.
    """
    phrases: list[str] = []
    previous = None
    for d in group[1 : SHOWN + 1]:
        if d.source is not None:
            row, column, *_ = d.source.start_and_end(d)
            is_same = d.source.name == previous
            phrases.append(f", {row}:{column}" if is_same else f"; {d.source.name}:{row}:{column}")
            previous = d.source.name
    if not phrases:
        return ""
    more = len(group) - 1 - SHOWN
    rest = f" and {count_noun(more, 'more place')} (--diagnostics concise lists all)" if more > 0 else ""
    return f"also at {''.join(phrases)[2:]}{rest}"
