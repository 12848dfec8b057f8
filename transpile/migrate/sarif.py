"""The diagnostics of all stacks as one SARIF log, for code scanning.

Invariant: each diagnostic is one result, also if several stacks share the template that it is about. Paths are relative
to the source. What is kept in memory is a short digest of each result.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from transpile.diagnostics.render import sarif
from transpile.migrate.fleet import FleetReport, FleetTotals

LENGTH = 8  # bytes of a digest that tells diagnostics apart


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
