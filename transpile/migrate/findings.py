"""The findings of all stacks of a migration, as other commands show theirs.

Invariant: a finding stands once, also if several stacks share the template that it is about. Findings come from the
reports, which have no texts, so they are shown without excerpts.
"""

from __future__ import annotations

import pathlib
from collections.abc import Mapping
from typing import Any

from transpile.diagnostics.model import Diagnostic, sort_diagnostics
from transpile.migrate.fleet import FleetReport
from transpile.migrate.sarif import drop_duplicates
from transpile.model.source import PlaceInReport


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
