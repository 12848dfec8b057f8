"""Past failures, one file each in `failures/`: `why` it failed, its command line and its files."""

from __future__ import annotations

import json
import pathlib

from tests.fuzz.case import Case

FOLDER = pathlib.Path(__file__).parent / "failures"


def every() -> dict[str, Case]:
    """The inputs, by name."""
    return {path.stem: Case.from_json(json.loads(path.read_text("utf-8"))) for path in sorted(FOLDER.glob("*.json"))}
