"""The report of a conversion to HOT: everything keeps its place, and some of it gets a new name.

Invariant: there is one fate for each property, key and parameter attribute, under its name in the input.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from transpile.report import Fate, Report, ResourceReport, beneath, fate, leaves

if TYPE_CHECKING:
    from transpile.model import ir
    from transpile.rewrite.upgrade import Upgrade


def of(upgrade: Upgrade) -> dict[str, Any]:
    """The report, with the names of the written template."""
    report, template = Report(), upgrade.template
    report.capabilities = {name: fate("value", "capabilities", name) for name in template.capabilities}
    for name, param in template.parameters.items():
        report.parameters[name] = {"parameter": name}
        address = f"parameters.{name}"
        keys: dict[str, Fate] = {}
        for i, constraint in enumerate(param.constraints):
            keys |= {key: fate("value", address, f"constraints.{i}") for key in constraint.keys}
        for word in param.keys:
            meaning = template.version.dialect.parameter.get(word, word)
            if meaning in ("hidden", "immutable", "tags", "label"):
                keys[word] = fate("value", address, meaning)
            elif meaning == "constraint_description":
                keys[word] = fate("derived", address, "constraints", "the description of each constraint")
        if keys:
            report.parameters[name]["keys"] = keys
    for name, label in upgrade.mappings.items():
        report.parameters[f"mapping {name}"] = {"parameter": label}
    report.conditions = {name: {"condition": name} for name in template.conditions}
    report.outputs = {name: {"output": name} for name in template.outputs}
    for name, resource in template.resources.items():
        report.resources[name] = account(upgrade, resource)
    return report.as_json()


def account(upgrade: Upgrade, resource: ir.Resource) -> ResourceReport:
    """The report of one resource."""
    line, _ = upgrade.template.source.position(resource.at)
    report = ResourceReport(resource.type, line)
    address = f"resources.{resource.name}"
    report.addresses = [address]
    renamed = upgrade.renamed.get(resource.name, {})
    for path in leaves(resource.properties) if resource.properties is not None else ():
        now = next((new + path[len(old) :] for old, new in renamed.items() if beneath(path, old)), path)
        report.properties[path] = fate("value", address, f"properties.{now}")
    words = upgrade.template.version.dialect.resource
    for word in resource.keys:
        meaning = words.get(word)
        if meaning is None:
            report.keys[word] = fate("implied", why="Heat ignores this key")
        elif meaning not in ("type", "properties", "description"):
            report.keys[word] = fate("value", address, meaning)
    return report
