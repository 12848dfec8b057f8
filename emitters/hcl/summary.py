"""The summary line that is printed after a conversion to Terraform."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from emitters.hcl.log import some
from transpile.report import homed, templates

if TYPE_CHECKING:
    from collections.abc import Mapping

WORDS = {  # for one, and for any other number
    "native": ("native", "native"),
    "data": ("data source", "data sources"),
    "folded": ("folded into others", "folded into others"),
    "module": ("module", "modules"),
    "embedded": ("kept in Heat", "kept in Heat"),
}


def of(report: Mapping[str, Any]) -> str:
    """Counts resources by treatment and dropped properties, nested templates included, and lists the variables that
    Terraform will ask for.
    """
    if "homing" in report:
        return homed(report)
    kinds: dict[str, int] = {}
    dropped = 0
    for one in templates(report):
        for resource in one["resources"].values():
            kinds[resource["treatment"]] = kinds.get(resource["treatment"], 0) + 1
            dropped += sum(fate["as"] == "dropped" for fate in resource["properties"].values())
    parts = [f"{kinds[kind]} {words[kinds[kind] != 1]}" for kind, words in WORDS.items() if kind in kinds]
    total = sum(kinds.values())
    what = f"{total} resource{'s' * (total != 1)}" + (f": {', '.join(parts)}" if parts else "")
    asks = report.get("asks", ())
    asked = f"; the plan asks for {some(asks)}" if asks else ""
    return f"{what}; {dropped} propert{'ies' if dropped != 1 else 'y'} dropped{asked}"
