"""The findings of all stacks of a migration, as other commands show theirs, and as one SARIF log for code scanning.

Invariant: a finding stands once, also if several stacks share the template that it is about. Findings come from the
reports, which have no texts, so they are shown without excerpts. Paths in the log are relative to the source. Only a
short digest of each finding is kept in memory.
"""

from __future__ import annotations

import hashlib
import json
import pathlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from transpile.diagnostics.model import Diagnostic, sort_diagnostics
from transpile.diagnostics.render import sarif
from transpile.migrate.fleet import FleetReport, FleetTotals
from transpile.model.source import PlaceInReport

LENGTH = 8  # bytes of a digest that tells diagnostics apart


def list_findings(fleet: FleetReport) -> list[Diagnostic]:
    """The findings of all stacks, with paths that lead to the files from the working directory."""
    rows = (row for stack, entry in fleet.walk_rows() for row in fleet.read_report(stack, entry).get("diagnostics", ()))
    return sort_diagnostics(restore_diagnostic(row, pathlib.Path(fleet.named_src)) for row in drop_duplicates(rows))


def restore_diagnostic(row: Mapping[str, Any], folder: pathlib.Path) -> Diagnostic:
    """A diagnostic of a report. `folder`: the directory to which its path is relative."""
    source = None
    if "file" in row:
        place = row["line"], row["column"], row["end_line"], row["end_column"]
        source = PlaceInReport(str(folder / row["file"]), place)
    return Diagnostic(row["code"], row["message"], source, hint=row.get("hint", ""), forced=row["severity"])


def write_sarif_log(fleet: FleetReport, totals: FleetTotals, out: Callable[[str], Any]) -> None:
    """Writes the log, one stack after the other."""
    codes = {*totals.codes, *(diagnostic["code"] for diagnostic in walk_migration_diagnostics(fleet))}
    sarif.write_sarif_log(codes, drop_duplicates(walk_diagnostics(fleet)), out)


def walk_diagnostics(fleet: FleetReport) -> Iterator[dict[str, Any]]:
    """All diagnostics, those of several stacks several times."""
    yield from walk_migration_diagnostics(fleet)
    for stack, row in fleet.walk_rows():
        yield from fleet.read_report(stack, row).get("diagnostics", ())


def walk_migration_diagnostics(fleet: FleetReport) -> Iterator[dict[str, Any]]:
    """The diagnostics that come from no conversion: about the plan, and about directories that were not written."""
    yield from (diagnostic.as_json() for diagnostic in fleet.plan.diagnostics)
    for _, problems in sorted(fleet.outcome.problems.items()):
        yield from (diagnostic.as_json() for diagnostic in problems)


def drop_duplicates(diagnostics: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    seen: set[bytes] = set()
    for diagnostic in diagnostics:
        key = hashlib.sha256(json.dumps(diagnostic, sort_keys=True).encode()).digest()[:LENGTH]
        if key not in seen:
            seen.add(key)
            yield diagnostic
