"""The diagnostics of all stacks as one SARIF log, for code scanning.

Invariant: each diagnostic is one result, also if several stacks share the template that it is about. Paths are relative
to the source. What is kept in memory is a short digest of each result.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from transpile.diagnostics.render import sarif

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from transpile.migrate.fleet import Fleet, Totals

LENGTH = 8  # bytes of a digest that tells diagnostics apart


def write(fleet: Fleet, totals: Totals, out: Callable[[str], Any]) -> None:
    """Writes the log, one stack after the other."""
    codes = {*totals.codes, *(said["code"] for said in apart(fleet))}
    sarif.write(codes, unique(found(fleet)), out)


def found(fleet: Fleet) -> Iterator[dict[str, Any]]:
    """All diagnostics, those of several stacks several times."""
    yield from apart(fleet)
    for stack, row in fleet.rows():
        yield from fleet.report(stack, row).get("diagnostics", ())


def apart(fleet: Fleet) -> Iterator[dict[str, Any]]:
    """The diagnostics that come from no conversion: about the plan, and about directories that were not written."""
    yield from (said.as_json() for said in fleet.plan.diagnostics)
    for _, problems in sorted(fleet.outcome.problems.items()):
        yield from (said.as_json() for said in problems)


def unique(diagnostics: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    seen: set[bytes] = set()
    for said in diagnostics:
        key = hashlib.sha256(json.dumps(said, sort_keys=True).encode()).digest()[:LENGTH]
        if key not in seen:
            seen.add(key)
            yield said
