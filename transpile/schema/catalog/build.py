"""Builds the catalog's files from dumps of Heat's schemas: `python -m transpile.schema.catalog.build SCHEMA.json
[RETIRED.json]`.

Invariant: the files describe one release of Heat and are never edited by hand. A dump is JSON: {"types": {TYPE:
{properties, attributes, translations, status, accepts_any, name_limit}}, "aliases": {OLD: NEW}}, as Heat's own plug-in
classes describe themselves.
"""

from __future__ import annotations

import collections
import json
import pathlib
import sys
from typing import Any

from transpile.model import heat_types
from transpile.schema.catalog import file_name_of_type

# Decisions of plug-ins that depend on values; a dump is made without values and does not have them.
PECULIAR: dict[str, dict[str, dict[str, Any]]] = {
    heat_types.RANDOM_STRING: {
        "character_classes": {"adds": {"of": "sequence", "key": "class", "more": {"min": 1}}},
        "sequence": {"gone": "given"},
    },
    heat_types.VALUE: {"value": {"typed_by": "type"}},
    heat_types.NEUTRON_ROUTER: {"l3_agent_ids": {"adds": {"of": "l3_agent_id"}}, "l3_agent_id": {"gone": "given"}},
}


def convert_property_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """The catalog's schema of a property, from its schema in a dump."""
    out: dict[str, Any] = {"type": schema["type"]}
    for key in ("required", "default", "immutable", "implemented"):
        if key in schema:
            out[key] = schema[key]
    if schema.get("update_allowed"):
        out["update"] = True
    status = schema.get("status", {}).get("status")
    if status == "HIDDEN":
        out["hidden"] = True
    elif status is not None:
        out["status"] = status.lower()
    if "constraints" in schema:
        out["constraints"] = [list(*constraint.items()) for constraint in schema["constraints"]]
    inner = schema.get("schema")
    if inner and set(inner) == {"*"}:
        out["items"] = convert_property_schema(inner["*"])
    elif inner:
        out["fields"] = {name: convert_property_schema(field) for name, field in inner.items()}
    return out


def note_translations(properties: dict[str, Any], translations: list[dict[str, Any]]) -> None:
    """Adds Heat's translation rules to the schemas: `takes` to a property whose value may come from another property,
    `alias` or `gone` to a property whose value moves away.
    """
    for rule in translations:
        if rule["rule"] not in ("Replace", "Delete"):
            continue  # Resolve needs a cloud
        level = properties
        *parents, name = rule["path"]
        for step in parents:
            parent = level[step]
            level = parent.get("fields") or parent["items"]["fields"]
        if rule["rule"] == "Delete":
            level[name]["gone"] = "always"
            continue
        old, raw = rule.get("value_name"), True
        if old is None:
            [old], raw = rule["value_path"], False
            assert not parents, rule
        level[name]["takes"] = {"path": [old, *rule.get("custom_value_path", ())], **({"raw": True} if raw else {})}
        if "custom_value_path" not in rule and old in level:
            level[old]["alias"] = name


def build_catalog_files(dumps: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The contents of the catalog's files, by file name. The first dump is of Heat, others are of retired types."""
    files: dict[str, dict[str, Any]] = collections.defaultdict(dict)
    for retired, dump in ((i > 0, d) for i, d in enumerate(dumps)):
        for kind, facts in sorted(dump["types"].items()):
            entry: dict[str, Any] = {
                "properties": {
                    name: convert_property_schema(schema) for name, schema in sorted(facts["properties"].items())
                },
                "attributes": {name: schema.get("type") for name, schema in sorted(facts["attributes"].items())},
            }
            note_translations(entry["properties"], facts.get("translations", []))
            for name, notes in PECULIAR.get(kind, {}).items():
                entry["properties"][name].update(notes)
            if facts.get("provider"):
                for schema in entry["properties"].values():
                    if schema["type"] in ("list", "map"):
                        schema["converts"] = True
            if "update_policy" in facts:
                entry["update_policy"] = {
                    name: convert_property_schema(schema) for name, schema in sorted(facts["update_policy"].items())
                }
            if facts.get("accepts_any") and not retired:
                entry["any"] = True
            if facts.get("custom_attr"):
                entry["any_attribute"] = True
            if "name_limit" in facts:
                entry["name_limit"] = facts["name_limit"]
            status = facts.get("status", {})
            if retired:
                entry["retired"] = facts["heat_version"]
            elif status.get("status") in ("HIDDEN", "DEPRECATED"):
                entry["status"] = status["status"].lower()
            files[file_name_of_type(kind)][kind] = entry
    files["aliases"] = dict(sorted(dumps[0].get("aliases", {}).items()))
    return files


def main() -> None:
    dumps = [json.loads(pathlib.Path(name).read_text(encoding="utf-8")) for name in sys.argv[1:]]
    here = pathlib.Path(__file__).parent
    files = build_catalog_files(dumps)
    files["index"] = {
        "heat": dumps[0]["heat_version"],
        "constraints": sorted(dumps[0]["constraints"]),
        "types": sorted({kind for name, types in files.items() if name != "aliases" for kind in types}),
    }
    for name, types in files.items():
        lines = [f"{json.dumps(kind)}: {json.dumps(facts, sort_keys=True)}" for kind, facts in types.items()]
        (here / f"{name}.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
