"""Diagnostics as GitLab's code quality report, which shows them in merge requests.

Invariant: paths are relative to the working directory, the root of the checkout in a job. Each finding has a
fingerprint of its own, by which GitLab tells new ones from old ones.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from transpile.diagnostics.model import Diagnostic
from transpile.diagnostics.render.fingerprints import Fingerprints
from transpile.diagnostics.render.paths import relative_to_working_directory
from transpile.model.printable import escape_json_text

SEVERITIES = {"error": "major", "warning": "minor", "info": "info"}


def render(diagnostics: Iterable[Diagnostic]) -> str:
    fingerprints = Fingerprints()
    return (
        escape_json_text(
            json.dumps([make_issue(d.as_json(), fingerprints) for d in diagnostics], indent=1, ensure_ascii=False)
        )
        + "\n"
    )


def make_issue(diagnostic: dict[str, Any], fingerprints: Fingerprints) -> dict[str, Any]:
    """GitLab refuses an issue without a file, so a diagnostic without one gets the first line of the directory `.`."""
    path = relative_to_working_directory(diagnostic["file"]) if "file" in diagnostic else "."
    return {
        "description": " ".join(
            filter(None, (f"{diagnostic['code']}: {diagnostic['message']}", diagnostic.get("hint")))
        ),
        "check_name": diagnostic["code"],
        "fingerprint": fingerprints.make_fingerprint(diagnostic, path),
        "severity": SEVERITIES[diagnostic["severity"]],
        "location": {"path": path, "lines": {"begin": diagnostic.get("line", 1), "end": diagnostic.get("end_line", 1)}},
    }
