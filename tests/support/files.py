"""Trees of files that tests write."""

from __future__ import annotations

import pathlib
from collections.abc import Mapping


def write_files(where: pathlib.Path, files: Mapping[str, str | bytes]) -> pathlib.Path:
    """Writes files below a directory, with the directories above them. Returns the directory."""
    for name, content in files.items():
        path = where / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return where
