"""Tables that people write in YAML, as JSON, which loads in a tenth of the time.

`python -m emitters.hcl.tables.built` writes the JSON.

Invariant: the JSON counts only if it was made of the YAML as it is now.
"""

from __future__ import annotations

import functools
import hashlib
import json
import pathlib
from typing import Any

from transpile.text.yaml_loader import FastLoader

HERE = pathlib.Path(__file__).parent
BUILT = HERE / "built.json"
SOURCES = ("mappings/*.yaml", "imports.yaml", "replacements.yaml")


def load_yaml_file(path: pathlib.Path) -> Any:
    """The content of a table. Raises OSError, yaml.YAMLError."""
    text = path.read_text(encoding="utf-8")
    begin = f'\n"{path.stem} {digest_text(text)}": '
    lines = read_built()
    at = lines.find(begin)
    if at >= 0:  # each table is a line of its own
        return json.loads(lines[at + len(begin) : lines.index("\n", at + 1)].removesuffix(","))
    import yaml

    return yaml.load(text, Loader=FastLoader)


@functools.cache
def read_built() -> str:
    """The text of the JSON; empty if there is none."""
    try:
        return BUILT.read_text(encoding="utf-8")
    except OSError:
        return ""


def digest_text(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def build_tables() -> str:
    """The JSON: a line for each table, with the digest of its YAML."""
    import yaml

    lines = []
    for path in sorted(path for pattern in SOURCES for path in HERE.glob(pattern)):
        text = path.read_text(encoding="utf-8")
        data = json.dumps(yaml.load(text, Loader=FastLoader), ensure_ascii=False, separators=(",", ":"))
        lines.append(f'"{path.stem} {digest_text(text)}": {data}')
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    BUILT.write_text(build_tables(), encoding="utf-8", newline="\n")
