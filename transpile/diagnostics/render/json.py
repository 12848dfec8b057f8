"""Diagnostics as a JSON list with the same keys as in the report.

Invariant: a character that cannot be seen is an escape of JSON.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from transpile.diagnostics.model import Diagnostic
from transpile.model.printable import escape_json_text


def render(diagnostics: Sequence[Diagnostic]) -> str:
    return escape_json_text(json.dumps([d.as_json() for d in diagnostics], indent=1, ensure_ascii=False)) + "\n"
