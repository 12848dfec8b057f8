"""The providers of clouds that hot2tf knows: each a table `clouds/NAME.yaml`, and facts of its schema in `NAME.json`.

`python -m emitters.hcl.tables.clouds NAME SCHEMA` writes the facts, from the provider's part of what
`terraform providers schema -json` prints.
"""

from __future__ import annotations

import functools
import json
import pathlib
import sys
from collections.abc import Mapping
from typing import Any

import yaml

from emitters.hcl.tables.overlays import DATA, ProviderOverlay, compare_providers
from emitters.hcl.tables.provider import compact_block, format_facts, load_built_in_providers
from transpile.text.yaml_loader import FastLoader

FOLDER = pathlib.Path(__file__).parent / "clouds"


def list_clouds() -> list[str]:
    """The names of these providers."""
    return sorted(path.stem for path in FOLDER.glob("*.yaml"))


def read_table(name: str) -> dict[str, Any]:
    table: dict[str, Any] = yaml.load((FOLDER / f"{name}.yaml").read_text(encoding="utf-8"), Loader=FastLoader)
    return table


@functools.cache
def load_cloud(name: str) -> tuple[ProviderOverlay, tuple[str, str]]:
    """The provider of a cloud, with its address in the registry and its versions. Raises LookupError."""
    if name not in list_clouds():
        raise LookupError(name)
    table = read_table(name)
    facts: Mapping[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    parent_facts = load_built_in_providers().facts
    overlay = compare_providers(name, table["replaces"], table["types"], parent_facts, facts, table["arguments"])
    return overlay, (table["source"], table["version"])


def extract_facts(name: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    """The facts about the types that have a counterpart in the provider that this one replaces."""
    table = read_table(name)
    facts: dict[str, Any] = {}
    for path in load_built_in_providers().facts:
        kind = path.removeprefix(DATA)
        before = DATA if path.startswith(DATA) else ""
        own = table["types"].get(kind, name + kind.removeprefix(table["replaces"]))
        section = schema["data_source_schemas" if before else "resource_schemas"]
        if kind.startswith(f"{table['replaces']}_") and own in section:
            facts[before + own] = compact_block(section[own]["block"], {})
    return facts


def main(name: str, path: str) -> None:
    facts = extract_facts(name, json.loads(pathlib.Path(path).read_text(encoding="utf-8")))
    (FOLDER / f"{name}.json").write_text(format_facts(facts), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
