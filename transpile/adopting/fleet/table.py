"""What would be done with each stack, as a table for people: 100 columns wide, or as wide as a wider terminal."""

from __future__ import annotations

import collections
import itertools
from collections.abc import Iterator, Sequence

from transpile.adopting.fleet.stacks import LEAVE, PART, UNDER_WAY, WHOLE, StackVerdict
from transpile.migrate.plan_table import WIDEST, WIDTH, render_rows
from transpile.model.printable import make_printable
from transpile.model.words import count_noun

COLUMNS = (24, 14, 58)  # of a terminal of WIDTH


def render_verdict_table(verdicts: Sequence[StackVerdict], width: int = WIDTH) -> str:
    """The stacks by project: what is done with each, where it goes, and why it is left or adopted in part."""
    room = min(max(width, WIDTH), WIDEST)
    widths = tuple(n * room // WIDTH for n in COLUMNS)
    projects = len({verdict.project for verdict in verdicts})
    kinds = collections.Counter(verdict.what for verdict in verdicts)
    lines = [
        f"Stacks: {len(verdicts)} of {count_noun(projects, 'project')}: {kinds[WHOLE]} to adopt whole, "
        f"{kinds[PART]} in part, {kinds[LEAVE]} to leave"
        + (f", {number} under way" if (number := kinds[UNDER_WAY]) else "")
    ]
    for project, group in itertools.groupby(verdicts, key=lambda verdict: verdict.project):
        lines += ["", make_printable(project)]
        rows = ((make_printable(v.stack), v.what, "\n".join(describe_verdict(v))) for v in group)
        lines += render_rows(rows, widths)
    return "\n".join(lines) + "\n"


def describe_verdict(verdict: StackVerdict) -> Iterator[str]:
    """The lines about a stack."""
    if verdict.what in (LEAVE, UNDER_WAY):
        yield make_printable(verdict.why)
        return
    environment = f" (environment {verdict.environment})" if verdict.environment else ""
    source = f", from {make_printable(verdict.template)}" if verdict.template else ""
    number = verdict.imports + verdict.unknown
    yield f"{verdict.folder}{environment}{source}: {number} to import, {describe_drift(verdict)}"
    if verdict.what == PART:
        yield make_printable(verdict.why)


def describe_drift(verdict: StackVerdict) -> str:
    if verdict.drift is None:
        return "not compared with the template"
    return (
        "as the template says" if not verdict.drift else f"{count_noun(verdict.drift, 'difference')} from the template"
    )
