"""Diagnostics as a JSON list with the same keys as in the report.

Invariant: a character that cannot be seen is an escape of JSON.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from transpile.model.printable import escape_json_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from transpile.diagnostics.model import Diagnostic


def render(diagnostics: Sequence[Diagnostic]) -> str:
    return escape_json_text(json.dumps([d.as_json() for d in diagnostics], indent=1, ensure_ascii=False)) + "\n"
