"""Trees of files that tests write."""

from __future__ import annotations

import pathlib
from collections.abc import Collection, Mapping


def write_files(where: pathlib.Path, files: Mapping[str, str | bytes]) -> pathlib.Path:
    """Writes files below a directory, with the directories above them. Returns the directory."""
    for name, content in files.items():
        path = where / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return where


def check_golden(folder: pathlib.Path, files: Mapping[str, str], inputs: Collection[str], *, update: bool) -> None:
    """Asserts that a golden folder has exactly these files beside its inputs; with `update`, after it got them."""
    paths = [path for path in folder.rglob("*") if path.is_file() and path.relative_to(folder).parts[0] not in inputs]
    present = {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in paths}
    if update:
        for name in present.keys() - files.keys():
            (folder / name).unlink()
        present = dict(files)
        write_files(folder, files)
    assert files == present
