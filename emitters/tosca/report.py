"""Restores the original names in the report of a template that was converted to HOT.

This only renames keys and properties. The fates themselves are recorded where the output is written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from transpile.report import is_beneath, make_fate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from transpile.model import ir
    from transpile.report import Fate, StackReport


def respell(report: StackReport, given: ir.Template, renamed: Mapping[str, Mapping[str, str]]) -> None:
    """Renames the entries of a report. `renamed`: the properties with new names, by resource."""
    words = given.version.dialect
    for name, resource in given.resources.items():
        told = report.resources[name]
        keys: dict[str, Fate] = {}
        for word in resource.keys:
            meaning = words.resource.get(word)
            if meaning is None:
                keys[word] = make_fate("implied", why="Heat ignores this key")
            elif meaning in told.keys:
                keys[word] = told.keys[meaning]
        told.keys = keys
        news = {new: old for old, new in renamed.get(name, {}).items()}
        told.properties = {before(path, news): found for path, found in told.properties.items()}
    for name, param in given.parameters.items():
        told_keys = report.parameters[name].get("keys", {})
        for word in param.keys:
            meaning = words.parameter.get(word, word)
            if meaning in told_keys and meaning != word:
                told_keys[word] = told_keys.pop(meaning)
            elif meaning == "constraint_description":
                told_keys[word] = make_fate("derived", "metadata", f"hot.parameter.{name}", "with each constraint")
        numbers = {f"constraints.{i}": c.keys for i, c in enumerate(param.constraints)}
        for number, spelled in numbers.items():
            if number in told_keys and spelled and number not in spelled:
                found = told_keys.pop(number)
                told_keys.update(dict.fromkeys(spelled, found))
        if told_keys:
            report.parameters[name]["keys"] = told_keys
    for name in given.mappings:
        label = next((n for n in report.parameters if n == name or n.startswith(f"{name}_")), name)
        report.parameters[f"mapping {name}"] = report.parameters.pop(label)


def before(path: str, news: Mapping[str, str]) -> str:
    return next((old + path[len(new) :] for new, old in news.items() if is_beneath(path, new)), path)
