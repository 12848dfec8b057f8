"""The closing line of a conversion of a homing template."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def count_demands(report: Mapping[str, Any]) -> str:
    """How many demands and constraints the report of a conversion has: `2 demands, 1 constraint`."""
    counts = [(len(report["homing"][section]), section) for section in ("demands", "constraints")]
    return ", ".join([f"{count} {section if count != 1 else section[:-1]}" for count, section in counts])
