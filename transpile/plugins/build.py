"""Builds `heat.json`, the facts about Heat's own classes from which plug-ins derive theirs: `python -m
transpile.plugins.build CLASSES.json SCHEMA.json RESOURCES`.

Invariant: the file describes one release of Heat and is never edited by hand. CLASSES is JSON: {class path: {types,
bases, schema_of, constants}} as Heat's classes describe themselves; SCHEMA is the dump that the catalog is built from,
which also has facts that the catalog leaves out: support statuses, caches, clients; RESOURCES is the directory of
Heat's own resources, whose classes are read for the methods that they override.
"""

from __future__ import annotations

import json
import pathlib
import sys
from typing import Any

from transpile.model.budget import Budget
from transpile.plugins.behaviour import TELLING_METHODS, find_reference_kind
from transpile.plugins.evaluator import Evaluator
from transpile.plugins.imports import Imports
from transpile.plugins.syntax import PluginUnit
from transpile.plugins.values import ClassValue, FunctionValue, NodePlace
from transpile.plugins.walk import PluginWalk, sort_in_load_order

KEPT = ("client", "extension", "validate", "ref", "snapshot", "name_limit", "custom_attr", "status")

OUTSIDE = {"heat.scaling.cooldown.CooldownMixin": {"methods": ["handle_metadata_reset"]}}  # not among the resources


def collect_statuses(properties: dict[str, Any], path: str = "") -> dict[str, Any]:
    """The support status of each property that has one, by dotted path."""
    out: dict[str, Any] = {}
    for name, schema in sorted(properties.items()):
        if "status" in schema:
            out[path + name] = schema["status"]
        out |= collect_statuses(schema.get("schema", {}), f"{path}{name}.")
    return out


def read_overrides(resources: str) -> dict[str, dict[str, Any]]:
    """The methods and the client of each of Heat's classes, by its dotted path."""
    budget = Budget()
    walk = PluginWalk([resources], budget)
    for file in walk.files:
        file.unit = PluginUnit(file.path, file.name, pathlib.Path(file.path).read_text(encoding="utf-8"), budget)
    run = Evaluator(Imports(walk.files))
    out = {}
    for file in sort_in_load_order(walk.files):
        assert file.module is not None
        run.load_module(file.module)
        for cls in file.module.names.values():
            if isinstance(cls, ClassValue) and cls.module == file.name:
                methods = sorted(
                    n for n, v in cls.names.items() if isinstance(v, FunctionValue) and TELLING_METHODS.fullmatch(n)
                )
                entry: dict[str, Any] = {"methods": methods} if methods else {}
                if isinstance(client := cls.names.get("default_client_name"), str):
                    entry["client"] = client
                if {"get_reference_id", "FnGetRefId"} & set(methods) and cls.unit is not None and cls.node is not None:
                    entry["ref"] = find_reference_kind(run, cls, NodePlace(cls.unit, cls.node))
                out[f"heat.engine.resources.{file.name}.{cls.name}"] = entry
    return out


def build_heat_facts(
    classes: dict[str, Any], schema: dict[str, Any], methods: dict[str, dict[str, Any]]
) -> dict[str, Any]:
    """The content of the file."""
    out: dict[str, Any] = {"heat": schema["heat_version"], "classes": {}, "types": {}}
    for path, facts in sorted(classes.items()):
        bases = facts.get("bases", [])
        own = {
            name: value
            for name, value in facts["constants"].items()
            if not any(classes.get(base, {}).get("constants", {}).get(name) == value for base in bases)
        }
        out["classes"][path] = {key: value for key, value in (("bases", bases), ("constants", own)) if value}
        if "types" in facts:
            out["classes"][path]["type"] = facts["types"][0]
        for base in bases:
            if base not in classes:  # they are no resources, and have no schema
                out["classes"].setdefault(base, {"mixin": True, **OUTSIDE.get(base, {})})
    for path, entry in out["classes"].items():
        entry.update(methods.get(path, {}))
    for kind in sorted({class_facts["type"] for class_facts in out["classes"].values() if "type" in class_facts}):
        facts = schema["types"].get(kind)
        if facts is None:
            continue
        entry = {key: facts[key] for key in KEPT if key in facts}
        if details := collect_statuses(facts["properties"]):
            entry["statuses"] = details
        notes = {
            name: {key: attribute[key] for key in ("cache", "status") if key in attribute}
            for name, attribute in sorted(facts["attributes"].items())
        }
        if details := {name: note for name, note in notes.items() if note}:
            entry["attributes"] = details
        out["types"][kind] = entry
    return out


def main() -> None:
    classes, schema = (json.loads(pathlib.Path(name).read_text(encoding="utf-8")) for name in sys.argv[1:3])
    content = build_heat_facts(classes, schema, read_overrides(sys.argv[3]))
    lines = []
    for key, value in content.items():
        if isinstance(value, dict):
            inner = ",\n".join(
                f"{json.dumps(name)}: {json.dumps(facts, sort_keys=True)}" for name, facts in value.items()
            )
            lines.append(f"{json.dumps(key)}: {{\n{inner}\n}}")
        else:
            lines.append(f"{json.dumps(key)}: {json.dumps(value)}")
    text = "{\n" + ",\n".join(lines) + "\n}\n"
    (pathlib.Path(__file__).parent / "heat.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
