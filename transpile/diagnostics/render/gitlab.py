"""Diagnostics as GitLab's code quality report, which shows them in merge requests.

Invariant: paths are relative to the working directory, the root of the checkout in a job. Each finding has a
fingerprint of its own, by which GitLab tells new ones from old ones.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from transpile.diagnostics.render.fingerprints import Fingerprints
from transpile.diagnostics.render.paths import relative
from transpile.model.printable import escaped

if TYPE_CHECKING:
    from collections.abc import Iterable

    from transpile.diagnostics.model import Diagnostic

SEVERITIES = {"error": "major", "warning": "minor", "info": "info"}


def render(diagnostics: Iterable[Diagnostic]) -> str:
    prints = Fingerprints()
    return escaped(json.dumps([one(d.as_json(), prints) for d in diagnostics], indent=1, ensure_ascii=False)) + "\n"


def one(said: dict[str, Any], prints: Fingerprints) -> dict[str, Any]:
    """GitLab refuses an issue without a file, so a diagnostic without one gets the first line of the directory `.`."""
    path = relative(said["file"]) if "file" in said else "."
    return {
        "description": " ".join(filter(None, (f"{said['code']}: {said['message']}", said.get("hint")))),
        "check_name": said["code"],
        "fingerprint": prints.of(said, path),
        "severity": SEVERITIES[said["severity"]],
        "location": {"path": path, "lines": {"begin": said.get("line", 1), "end": said.get("end_line", 1)}},
    }
