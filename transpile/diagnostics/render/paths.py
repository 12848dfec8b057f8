"""File names for programs that compare them with their own files.

Invariant: a file below the working directory is named from there, with forward slashes.
"""

from __future__ import annotations

import pathlib


def relative(name: str) -> str:
    """A name, from the working directory if the file is below it."""
    path = pathlib.Path(name)
    if path.is_absolute() and path.is_relative_to(here := pathlib.Path.cwd()):
        path = path.relative_to(here)
    return path.as_posix()
