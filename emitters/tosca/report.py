"""Restores the original names in the report of a template that was converted to HOT.

This only renames keys and properties. The fates themselves are recorded where the output is written.
"""

from __future__ import annotations

from collections.abc import Mapping

from transpile.model import ir
from transpile.report import Fate, StackReport, is_beneath, make_fate


def restore_names(report: StackReport, template: ir.Template, renamed: Mapping[str, Mapping[str, str]]) -> None:
    """Renames the entries of a report. `renamed`: the properties with new names, by resource."""
    words = template.version.dialect
    for name, resource in template.resources.items():
        resource_report = report.resources[name]
        keys: dict[str, Fate] = {}
        for word in resource.keys:
            meaning = words.resource.get(word)
            if meaning is None:
                keys[word] = make_fate("implied", why="Heat ignores this key")
            elif meaning in resource_report.keys:
                keys[word] = resource_report.keys[meaning]
        resource_report.keys = keys
        news = {new: old for old, new in renamed.get(name, {}).items()}
        resource_report.properties = {
            original_path(path, news): property_fate for path, property_fate in resource_report.properties.items()
        }
    for name, param in template.parameters.items():
        reported_keys = report.parameters[name].get("keys", {})
        for word in param.keys:
            meaning = words.parameter.get(word, word)
            if meaning in reported_keys and meaning != word:
                reported_keys[word] = reported_keys.pop(meaning)
            elif meaning == "constraint_description":
                reported_keys[word] = make_fate("derived", "metadata", f"hot.parameter.{name}", "with each constraint")
        numbers = {f"constraints.{i}": c.keys for i, c in enumerate(param.constraints)}
        for number, spelled in numbers.items():
            if number in reported_keys and spelled and number not in spelled:
                constraint_fate = reported_keys.pop(number)
                reported_keys.update(dict.fromkeys(spelled, constraint_fate))
        if reported_keys:
            report.parameters[name]["keys"] = reported_keys
    for name in template.mappings:
        label = next((n for n in report.parameters if n == name or n.startswith(f"{name}_")), name)
        report.parameters[f"mapping {name}"] = report.parameters.pop(label)


def original_path(path: str, news: Mapping[str, str]) -> str:
    return next((old + path[len(new) :] for new, old in news.items() if is_beneath(path, new)), path)
