"""A page for each directory of examples, with its files, so that links to the directory lead somewhere.

Invariant: files are shown as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from markdown_parts import block, joined

if TYPE_CHECKING:
    import pathlib

LANGUAGES = {
    ".py": "python",
    ".yaml": "yaml",
    ".yml": "yaml",
    ".toml": "toml",
    ".json": "json",
    ".tf": "hcl",
    ".sh": "sh",
}


def directories(docs: pathlib.Path) -> list[str]:
    return sorted(one.name for one in docs.iterdir() if one.is_dir() and one.name.startswith("example"))


def page(directory: pathlib.Path) -> str:
    parts = [f"# {directory.name}", f"The files of `docs/{directory.name}` in the repository."]
    for one in sorted(directory.rglob("*")):
        if one.is_file() and "__pycache__" not in one.parts and one.suffix in LANGUAGES:
            parts.append(f"## {one.relative_to(directory).as_posix()}")
            parts.append(block(LANGUAGES[one.suffix], one.read_text(encoding="utf-8")))
    return joined(parts)
