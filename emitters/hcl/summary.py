"""The summary line that is printed after a conversion to Terraform."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from emitters.hcl.assemble.value_files import ValueFiles
from emitters.hcl.log import abbreviate_names
from transpile.report import template_reports

WORDS = {  # the words for one resource, and for any other number
    "native": ("native", "native"),
    "data": ("data source", "data sources"),
    "folded": ("folded into others", "folded into others"),
    "module": ("module", "modules"),
    "embedded": ("kept in Heat", "kept in Heat"),
}


def summarize_report(report: Mapping[str, Any]) -> str:
    """The summary of a report, for example "2 resources: 2 native; 0 properties dropped".

    It counts resources by treatment and dropped properties, including those of nested templates. It lists the resources
    that are left out and the variables that Terraform will ask for. If resources need Heat, it names a preference that
    would free them.
    """
    kinds: dict[str, int] = {}
    freed: dict[str, int] = {}
    left_out: list[str] = []
    dropped = read_only_stacks = 0
    for template_report in template_reports(report):
        left_out += [f"{name} ({kind})" for name, kind in template_report.get("left_out", {}).items()]
        for prefer, names in template_report.get("freed", {}).items():
            freed[prefer] = freed.get(prefer, 0) + len(names)
        read_only_stacks += len(template_report.get("heat", {}))
        for resource in template_report["resources"].values():
            kinds[resource["treatment"]] = kinds.get(resource["treatment"], 0) + 1
            dropped += sum(fate["as"] == "dropped" for fate in resource["properties"].values())
    parts = [f"{kinds[kind]} {words[kinds[kind] != 1]}" for kind, words in WORDS.items() if kind in kinds]
    total = sum(kinds.values())
    what = f"{total} resource{'s' * (total != 1)}" + (f": {', '.join(parts)}" if parts else "")
    asks = report.get("asks", ())
    # no file of a shared root is for all environments
    where = "" if "environments_of_root" in report else f" ({ValueFiles().example})"
    asked = f"; the plan asks for {abbreviate_names(asks)}{where}" if asks else ""
    lost = f"; left out: {abbreviate_names(left_out)}" if left_out else ""
    needs = describe_heat_needs(kinds, freed, read_only_stacks)
    return f"{what}; {dropped} propert{'ies' if dropped != 1 else 'y'} dropped{lost}{asked}{needs}"


def describe_heat_needs(kinds: Mapping[str, int], freed: Mapping[str, int], read_only_stacks: int) -> str:
    """How many resources need Heat, and the first preference that frees the most of them.

    freed: the number of resources that each preference frees. read_only_stacks: the number of stacks that only read or
    compute a value; other preferences write no such stacks.
    """
    number = kinds.get("embedded", 0)
    if not number and read_only_stacks:
        return "; Heat must still read what the provider does not, but not with --prefer native"
    if not number:
        return ""
    needs = f"; {number} resource{'s need' if number != 1 else ' needs'} Heat"
    best = max(freed, key=freed.__getitem__, default="")
    if not best:
        return needs
    some_ = "it" if number == 1 else "all of them" if freed[best] == number else str(freed[best])
    return f"{needs}, and --prefer {best} frees {some_}"
