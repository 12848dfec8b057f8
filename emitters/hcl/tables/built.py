"""Tables that people write in YAML, as JSON, which loads in a tenth of the time, and the modules of their hooks.

`python -m emitters.hcl.tables.built` writes the JSON.

Invariant: the JSON counts only if it was made of the YAML as it is now.
"""

from __future__ import annotations

import functools
import hashlib
import json
import pathlib
import re
from collections.abc import Mapping
from typing import Any

from transpile.text.yaml_loader import FastLoader

HERE = pathlib.Path(__file__).parent
BUILT = HERE / "built.json"
HOOKS = HERE.parent / "hooks"
SOURCES = ("mappings/*.yaml", "imports.yaml", "replacements.yaml")


def load_yaml_file(path: pathlib.Path) -> Any:
    """The content of a table. Raises OSError, yaml.YAMLError."""
    text = path.read_text(encoding="utf-8")
    table = read_line(f"{path.stem} {digest_text(text)}")
    if table is not None:
        return table
    import yaml

    return yaml.load(text, Loader=FastLoader)


def read_line(key: str) -> Any:
    """The value of a key in the JSON, where each key has its own line; None if there is no such key."""
    begin, lines = f'\n"{key}": ', read_built()
    at = lines.find(begin)
    return json.loads(lines[at + len(begin) : lines.index("\n", at + 1)].removesuffix(",")) if at >= 0 else None


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
    lines.append(f'"hooks": {json.dumps(find_hooks())}')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def find_hooks() -> dict[str, str]:
    """The module of each hook, by the name that its decorator gives it: `@property_hook("moment")`."""
    modules: dict[str, str] = {}
    for path in sorted(HOOKS.glob("*.py")):
        for names in re.findall(r"^@\w+_hook\((.*?)\)", path.read_text(encoding="utf-8"), re.M | re.S):
            modules |= dict.fromkeys(re.findall(r'"(\w+)"', names), path.stem)
    return modules


@functools.cache
def read_hook_modules() -> Mapping[str, str]:
    """The modules of the hooks, so that only those are imported that a conversion needs."""
    return read_line("hooks") or {}


if __name__ == "__main__":
    BUILT.write_text(build_tables(), encoding="utf-8", newline="\n")
