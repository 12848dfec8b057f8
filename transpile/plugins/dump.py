"""Prints the facts about plug-ins in the form of a dump of Heat's schemas: `python -m transpile.plugins.dump
--plugin-dir DIR [--plugin-dir DIR] [-o FILE]`.

A property has `unknown` with the keys that could not be read; otherwise the form is that of `schema/catalog/build.py`.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import sys
from typing import TYPE_CHECKING, Any

from transpile.plugins import read
from transpile.schema import catalog

if TYPE_CHECKING:
    from collections.abc import Mapping

    from transpile.plugins import PluginType


def support(status: Mapping[str, Any]) -> dict[str, Any]:
    """A support status without its message."""
    out = {key: value for key, value in status.items() if key != "message"}
    if "previous" in out:
        out["previous"] = support(out["previous"])
        if not out["previous"]:
            del out["previous"]
    return out


def prop(facts: Mapping[str, Any]) -> dict[str, Any]:
    out: dict[str, Any] = {"type": facts["type"]}
    for key, name in (("required", "required"), ("default", "default"), ("immutable", "immutable"),
                      ("implemented", "implemented"), ("update", "update_allowed"), ("doc", "doc")):  # fmt: skip
        if key in facts:
            out[name] = facts[key]
    if "constraints" in facts:
        out["constraints"] = [{kind: limits} for kind, limits in facts["constraints"]]
    if found := support(facts.get("support", {})):
        out["status"] = found
    if "items" in facts:
        out["schema"] = {"*": prop(facts["items"])}
    elif "fields" in facts:
        out["schema"] = {name: prop(one) for name, one in facts["fields"].items()}
    if unread := facts.get("unread"):
        out["unknown"] = True if "type" in unread else [{"update": "update_allowed"}.get(key, key) for key in unread]
    return out


def dumped(kind: PluginType) -> dict[str, Any]:
    facts: Any = kind.facts
    out: dict[str, Any] = {
        "properties": {name: prop(one) for name, one in facts["properties"].items()},
        "attributes": {},
        "class_module": kind.module,
        "handlers": list(kind.handlers),
        "unread": list(kind.unread),
    }
    for name, of in facts["attributes"].items():
        notes = facts.get("attribute_notes", {}).get(name, {})
        one: dict[str, Any] = {} if of is None else {"type": of}
        if "cache" in notes:
            one["cache"] = notes["cache"]
        if found := support(notes.get("support", {})):
            one["status"] = found
        if "unread" in notes:
            one["unknown"] = notes["unread"]
        if words := facts.get("attribute_docs", {}).get(name):
            one["doc"] = words
        out["attributes"][name] = one
    for key in ("client", "extension", "name_limit", "open"):
        if key in facts:
            out[key] = facts[key]
    if found := support(facts.get("support", {})):
        out["status"] = found
    if facts.get("any_attribute"):
        out["custom_attr"] = True
    if facts.get("any"):
        out["accepts_any"] = True
    if kind.checks_itself:
        out["validate"] = True
    if "ref" in facts:
        out["ref"] = facts["ref"]
    if "update_policy" in facts:
        out["update_policy"] = {name: prop(one) for name, one in facts["update_policy"].items()}
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plugin-dir", action="append", default=[], metavar="DIR")
    parser.add_argument("--cache", action="store_true", help="uses the cache")
    parser.add_argument("-o", metavar="FILE", default="-")
    given = parser.parse_args()
    found = read(given.plugin_dir, cache=given.cache)
    text = json.dumps({"types": {name: dumped(one) for name, one in sorted(found.types.items())}}, indent=1) + "\n"
    if given.o == "-":
        sys.stdout.write(text)
    else:
        pathlib.Path(given.o).write_text(text, encoding="utf-8")
    for one in found.diagnostics:
        line = one.source.position(one.at)[0] if one.source else 0
        print(
            f"{one.source.name if one.source else ''}:{line}: {one.severity} {one.code}: {one.message}", file=sys.stderr
        )
    print(f"{len(found.types)} types of {catalog.__name__.partition('.')[0]}", file=sys.stderr)


if __name__ == "__main__":
    main()
