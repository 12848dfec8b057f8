"""The summary line that is printed after a conversion to Terraform."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from transpile.report import templates

if TYPE_CHECKING:
    from collections.abc import Mapping

WORDS = {
    "native": "native",
    "data": "read as data",
    "folded": "folded into others",
    "module": "modules",
    "embedded": "kept in Heat",
}


def of(report: Mapping[str, Any]) -> str:
    """Counts resources by treatment and dropped properties, nested templates included."""
    kinds: dict[str, int] = {}
    dropped = 0
    for one in templates(report):
        for resource in one["resources"].values():
            kinds[resource["treatment"]] = kinds.get(resource["treatment"], 0) + 1
            dropped += sum(fate["as"] == "dropped" for fate in resource["properties"].values())
    parts = [f"{kinds[kind]} {word}" for kind, word in WORDS.items() if kind in kinds]
    total = sum(kinds.values())
    what = f"{total} resource{'s' * (total != 1)}" + (f": {', '.join(parts)}" if parts else "")
    return f"{what}; {dropped} propert{'ies' if dropped != 1 else 'y'} dropped"
