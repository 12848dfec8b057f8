"""Builds the catalog's list of Heat's types without a physical ID: `python -m transpile.plugins.build_physical_ids
RESOURCES`, where RESOURCES is the directory of Heat's own resources.

Invariant: the list describes one release of Heat and is never edited by hand.
"""

from __future__ import annotations

import json
import pathlib
import sys

from transpile.model.budget import Budget
from transpile.plugins import read_plugins
from transpile.schema import catalog


def main() -> None:
    types = read_plugins([sys.argv[1]], Budget(), cache=False).types
    names = sorted(name for name, plugin_type in types.items() if plugin_type.facts.get("without_id"))
    path = pathlib.Path(catalog.__file__).parent / f"{catalog.WITHOUT_ID}.json"
    path.write_text(json.dumps(names, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
