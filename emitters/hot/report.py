"""Makes the report of a conversion to HOT, in which everything keeps its place and some of it gets a new name.

Invariant: there is one fate for each property, key and parameter attribute, under its name in the input.
"""

from __future__ import annotations

from typing import Any

from transpile.model import ir
from transpile.report import Fate, ResourceReport, StackReport, is_beneath, leaf_paths, make_fate
from transpile.rewrite.upgrade import Upgrade


def report_upgrade(upgrade: Upgrade) -> dict[str, Any]:
    """The report, with the names of the written template."""
    report, template = StackReport(), upgrade.template
    report.capabilities = {name: make_fate("value", "capabilities", name) for name in template.capabilities}
    for name, param in template.parameters.items():
        report.parameters[name] = {"parameter": name}
        address = f"parameters.{name}"
        keys: dict[str, Fate] = {}
        for i, constraint in enumerate(param.constraints):
            keys |= {key: make_fate("value", address, f"constraints.{i}") for key in constraint.keys}
        for word in param.keys:
            meaning = template.version.dialect.parameter.get(word, word)
            if meaning in ("hidden", "immutable", "tags", "label"):
                keys[word] = make_fate("value", address, meaning)
            elif meaning == "constraint_description":
                keys[word] = make_fate("derived", address, "constraints", "the description of each constraint")
        if keys:
            report.parameters[name]["keys"] = keys
    for name, label in upgrade.mappings.items():
        report.parameters[f"mapping {name}"] = {"parameter": label}
    report.conditions = {name: {"condition": name} for name in template.conditions}
    report.outputs = {name: {"output": name} for name in template.outputs}
    for name, resource in template.resources.items():
        report.resources[name] = report_resource(upgrade, resource)
    return report.as_json()


def report_resource(upgrade: Upgrade, resource: ir.Resource) -> ResourceReport:
    """The report of one resource."""
    line, _ = upgrade.template.source.line_and_column(resource.at)
    report = ResourceReport(resource.type, line)
    address = f"resources.{resource.name}"
    report.addresses = [address]
    renamed = upgrade.renamed.get(resource.name, {})
    for path in leaf_paths(resource.properties):
        now = next((new + path[len(old) :] for old, new in renamed.items() if is_beneath(path, old)), path)
        report.properties[path] = make_fate("value", address, f"properties.{now}")
    words = upgrade.template.version.dialect.resource
    for word in resource.keys:
        meaning = words.get(word)
        if meaning is None:
            report.keys[word] = make_fate("implied", why="Heat ignores this key")
        elif meaning not in ("type", "properties", "description"):
            report.keys[word] = make_fate("value", address, meaning)
    return report
