"""Prints the facts about plug-ins in the form of a dump of Heat's schemas: `python -m transpile.plugins.dump
--plugin-dir DIR [--plugin-dir DIR] [-o FILE]`.

A property has `unknown` with the keys that could not be read; otherwise the form is that of `schema/catalog/build.py`.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import sys
from collections.abc import Mapping
from typing import Any

from transpile.model.budget import Budget
from transpile.plugins import PluginType, read_plugins
from transpile.schema import catalog


def dump_support(status: Mapping[str, Any]) -> dict[str, Any]:
    """A support status without its message."""
    out = {key: value for key, value in status.items() if key != "message"}
    if "previous" in out:
        out["previous"] = dump_support(out["previous"])
        if not out["previous"]:
            del out["previous"]
    return out


def dump_property(facts: Mapping[str, Any]) -> dict[str, Any]:
    out: dict[str, Any] = {"type": facts["type"]}
    for key, name in (("required", "required"), ("default", "default"), ("immutable", "immutable"),
                      ("implemented", "implemented"), ("update", "update_allowed"), ("doc", "doc")):  # fmt: skip
        if key in facts:
            out[name] = facts[key]
    if "constraints" in facts:
        out["constraints"] = [
            {kind: limits, **({"description": words[0]} if words else {})}
            for kind, limits, *words in facts["constraints"]
        ]
    if status := dump_support(facts.get("support", {})):
        out["status"] = status
    if "items" in facts:
        out["schema"] = {"*": dump_property(facts["items"])}
    elif "fields" in facts:
        out["schema"] = {name: dump_property(field) for name, field in facts["fields"].items()}
    if unread := facts.get("unread"):
        out["unknown"] = True if "type" in unread else [{"update": "update_allowed"}.get(key, key) for key in unread]
    return out


def dump_type(kind: PluginType) -> dict[str, Any]:
    facts: Any = kind.facts
    out: dict[str, Any] = {
        "properties": {name: dump_property(schema) for name, schema in facts["properties"].items()},
        "attributes": {},
        "class_module": kind.module,
        "handlers": list(kind.handlers),
        "unread": list(kind.unread),
    }
    for name, attribute_type in facts["attributes"].items():
        notes = facts.get("attribute_notes", {}).get(name, {})
        attribute: dict[str, Any] = {} if attribute_type is None else {"type": attribute_type}
        if "cache" in notes:
            attribute["cache"] = notes["cache"]
        if status := dump_support(notes.get("support", {})):
            attribute["status"] = status
        if "unread" in notes:
            attribute["unknown"] = notes["unread"]
        if words := facts.get("attribute_docs", {}).get(name):
            attribute["doc"] = words
        out["attributes"][name] = attribute
    for key in ("client", "extension", "name_limit", "open"):
        if key in facts:
            out[key] = facts[key]
    if status := dump_support(facts.get("support", {})):
        out["status"] = status
    if facts.get("any_attribute"):
        out["custom_attr"] = True
    if facts.get("any"):
        out["accepts_any"] = True
    if kind.checks_itself:
        out["validate"] = True
    if "ref" in facts:
        out["ref"] = facts["ref"]
    if "update_policy" in facts:
        out["update_policy"] = {name: dump_property(schema) for name, schema in facts["update_policy"].items()}
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plugin-dir", action="append", default=[], metavar="DIR")
    parser.add_argument("--cache", action="store_true", help="uses the cache")
    parser.add_argument("-o", metavar="FILE", default="-")
    arguments = parser.parse_args()
    plugins = read_plugins(arguments.plugin_dir, Budget(), cache=arguments.cache)
    text = (
        json.dumps(
            {"types": {name: dump_type(plugin_type) for name, plugin_type in sorted(plugins.types.items())}}, indent=1
        )
        + "\n"
    )
    if arguments.o == "-":
        sys.stdout.write(text)
    else:
        pathlib.Path(arguments.o).write_text(text, encoding="utf-8")
    for diagnostic in plugins.diagnostics:
        name = diagnostic.source.name if diagnostic.source else ""
        line = diagnostic.source.line_and_column(diagnostic.at)[0] if diagnostic.source else 0
        print(f"{name}:{line}: {diagnostic.severity} {diagnostic.code}: {diagnostic.message}", file=sys.stderr)
    print(f"{len(plugins.types)} types of {catalog.__name__.partition('.')[0]}", file=sys.stderr)


if __name__ == "__main__":
    main()
