"""Finds which directories of the destination its files refer to, before a directory is removed.

Invariant: only what the files say counts, not what the state says. A path that may be a reference is one, and a file
that cannot be read may refer to everything.
"""

from __future__ import annotations

import os
import pathlib
import posixpath
import re
from collections.abc import Collection, Iterator

from transpile.migrate.state import FOLDER
from transpile.text import places

RELATIVE = re.compile(rb"\.\.?/[^\s\"'`$<>|;,)\]}]*")  # a relative path in a text
SKIPPED = {FOLDER, ".git", ".terraform"}  # directories without files of hot2tf or of the user's own


def find_used_folders(directory: pathlib.Path, candidates: Collection[str]) -> dict[str, str]:
    """Those candidates that files outside of them refer to, each with such a file. What only unused candidates refer to
    is unused.
    """
    used: dict[str, str] = {}
    by_user: dict[str, set[str]] = {}  # the candidates that the files of a candidate refer to
    for name, targets in walk_references(directory, candidates):
        owner = next((folder for folder in candidates if name.startswith(f"{folder}/")), None)
        for target in targets:
            if owner is None:
                used.setdefault(target, name)
            elif owner != target:
                by_user.setdefault(owner, set()).add(target)
    waiting = list(used)
    while waiting:
        user = waiting.pop()
        for target in sorted(by_user.get(user, ())):
            if target not in used:
                used[target] = user
                waiting.append(target)
    return used


def walk_references(directory: pathlib.Path, candidates: Collection[str]) -> Iterator[tuple[str, set[str]]]:
    """Each file, by its path below the directory, with the candidates that it refers to."""
    last_names = {folder.rpartition("/")[2].encode("utf-8", "surrogateescape") for folder in candidates}
    for above, folders, files in os.walk(directory):
        folders[:] = sorted(set(folders) - SKIPPED)
        here = pathlib.Path(os.path.relpath(above, directory)).as_posix()
        for file in sorted(files):
            name = posixpath.normpath(posixpath.join(here, file))
            path = pathlib.Path(above, file)
            if places.kind_at_path(path) != places.FILE:
                continue
            if (data := places.read_regular_file(path)) is None:
                yield name, set(candidates)
            elif any(last_name in data for last_name in last_names):
                yield name, set(resolve_references(here, data)) & set(candidates)


def resolve_references(here: str, data: bytes) -> Iterator[str]:
    """The directories that the relative paths in a text lead to or through, from the directory `here`."""
    for match in RELATIVE.finditer(data):
        path = posixpath.normpath(posixpath.join(here, match[0].decode("utf-8", "surrogateescape")))
        while path not in ("", ".", "..", "/"):
            yield path
            path = posixpath.dirname(path)
