"""Makes the catalog's files from a dump of Heat's schemas: `python -m transpile.catalog.build SCHEMA.json
[RETIRED.json]`.

The easy rule to break: the files are facts about one release of Heat and are never edited by hand. A dump is JSON:
{"types": {TYPE: {properties, attributes, translations, status, accepts_any, name_limit}}, "aliases": {OLD: NEW}}, as
Heat's own plug-in classes describe themselves.
"""

from __future__ import annotations

import collections
import json
import pathlib
import sys
from typing import Any

from transpile.catalog import service


def prop(schema: dict[str, Any]) -> dict[str, Any]:
    out: dict[str, Any] = {"type": schema["type"]}
    for key in ("required", "default", "immutable"):
        if key in schema:
            out[key] = schema[key]
    if schema.get("update_allowed"):
        out["update"] = True
    if schema.get("status", {}).get("status") == "HIDDEN":
        out["hidden"] = True
    for constraint in schema.get("constraints", []):
        if "allowed_values" in constraint:
            out["values"] = constraint["allowed_values"]
        if "custom_constraint" in constraint:
            out["constraint"] = constraint["custom_constraint"]
        if "range" in constraint:
            out["range"] = constraint["range"]
    inner = schema.get("schema")
    if inner and set(inner) == {"*"}:
        out["items"] = prop(inner["*"])
    elif inner:
        out["fields"] = {name: prop(field) for name, field in inner.items()}
    return out


def aliases(properties: dict[str, Any], translations: list[dict[str, Any]]) -> None:
    """Notes on each property that Heat replaces by another which one that is."""
    for rule in translations:
        if rule["rule"] != "Replace" or "custom_value_path" in rule:
            continue
        level = properties
        *way, name = rule["path"]
        for step in way:
            found = level[step]
            level = found.get("fields") or found["items"]["fields"]
        old = rule.get("value_name") or rule["value_path"][-1]
        if old in level:
            level[old]["alias"] = name


def build(dumps: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The catalog's files, by name."""
    files: dict[str, dict[str, Any]] = collections.defaultdict(dict)
    for retired, dump in ((i > 0, d) for i, d in enumerate(dumps)):
        for kind, facts in sorted(dump["types"].items()):
            entry: dict[str, Any] = {
                "properties": {name: prop(schema) for name, schema in sorted(facts["properties"].items())},
                "attributes": {name: schema.get("type") for name, schema in sorted(facts["attributes"].items())},
            }
            aliases(entry["properties"], facts.get("translations", []))
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
            files[service(kind)][kind] = entry
    files["aliases"] = dict(sorted(dumps[0].get("aliases", {}).items()))
    return files


def main() -> None:
    dumps = [json.loads(pathlib.Path(name).read_text(encoding="utf-8")) for name in sys.argv[1:]]
    here = pathlib.Path(__file__).parent
    files = build(dumps)
    files["index"] = {
        "heat": dumps[0]["heat_version"],
        "types": sorted({kind for name, types in files.items() if name != "aliases" for kind in types}),
    }
    for name, types in files.items():
        lines = [f"{json.dumps(kind)}: {json.dumps(facts, sort_keys=True)}" for kind, facts in types.items()]
        (here / f"{name}.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
