"""A page for each directory of examples, with its files, so that links to the directory lead somewhere.

Invariant: files are shown as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from markdown_parts import joined

from transpile.text.markdown import format_block

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
    return sorted(path.name for path in docs.iterdir() if path.is_dir() and path.name.startswith("example"))


def page(directory: pathlib.Path) -> str:
    parts = [f"# {directory.name}", f"The files of `docs/{directory.name}` in the repository."]
    for path in sorted(directory.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts and path.suffix in LANGUAGES:
            parts.append(f"## {path.relative_to(directory).as_posix()}")
            parts.append(format_block(path.read_text(encoding="utf-8"), LANGUAGES[path.suffix]))
    return joined(parts)
