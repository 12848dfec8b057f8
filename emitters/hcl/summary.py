"""The summary line that is printed after a conversion to Terraform."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from transpile.model.words import count_noun
from transpile.report import LEFT_OUT, name_treatment, template_reports

WORDS = {  # the words for one resource, and for any other number
    "native": ("native", "native"),
    "data": ("data source", "data sources"),
    "folded": ("folded into others", "folded into others"),
    "module": ("module", "modules"),
    "embedded": ("kept in Heat", "kept in Heat"),
    LEFT_OUT: ("left out", "left out"),
}


def summarize_report(report: Mapping[str, Any]) -> str:
    """The summary of a report, for example "2 resources: 2 native; 0 properties dropped".

    It counts resources by treatment and dropped properties, including those of nested templates. If resources need
    Heat, it names a preference that would free them.
    """
    kinds: dict[str, int] = {}
    freed: dict[str, int] = {}
    dropped = read_only_stacks = 0
    for template_report in template_reports(report):
        for prefer, names in template_report.get("freed", {}).items():
            freed[prefer] = freed.get(prefer, 0) + len(names)
        read_only_stacks += len(template_report.get("heat", {}))
        for resource in template_report["resources"].values():
            treatment = name_treatment(resource)
            kinds[treatment] = kinds.get(treatment, 0) + 1
            dropped += sum(fate["as"] == "dropped" for fate in resource["properties"].values())
    parts = [f"{kinds[kind]} {words[kinds[kind] != 1]}" for kind, words in WORDS.items() if kind in kinds]
    counts = count_noun(sum(kinds.values()), "resource") + (f": {', '.join(parts)}" if parts else "")
    needs = describe_heat_needs(kinds, freed, read_only_stacks)
    return f"{counts}; {count_noun(dropped, 'property', 'properties')} dropped{needs}"


def describe_heat_needs(kinds: Mapping[str, int], freed: Mapping[str, int], read_only_stacks: int) -> str:
    """A phrase with the number of resources that need Heat, and the first preference that frees the most of them.

    freed: the number of resources that each preference frees. read_only_stacks: the number of stacks that only read or
    compute a value; other preferences write no such stacks.
    """
    number = kinds.get("embedded", 0)
    if not number and read_only_stacks:
        return "; Heat still reads attributes that the provider does not"
    if not number:
        return ""
    best = max(freed, key=freed.__getitem__, default="")
    if not best:
        return ""
    some_ = "it" if number == 1 else "all of them" if freed[best] == number else str(freed[best])
    return f"; --prefer {best} frees {some_} from Heat"
