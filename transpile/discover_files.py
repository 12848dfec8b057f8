"""The files that a command works on: the named files, and the files found in named directories.

Invariant: files come in the same order on every file system, each once.
"""

from __future__ import annotations

import os
import pathlib
import stat
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from transpile.settings import Finder

TEMPLATES = (".yaml", ".yml", ".template", ".hot")  # the suffixes to look for in directories


class DiscoveredFile(NamedTuple):
    """A file to work on.

    `inside`: the file was found in a directory, not named. `size`: in bytes, 0 if unknown. `within`: the named
    directory that contains the file.
    """

    path: str
    inside: bool
    size: int
    within: str = ""


def discover_files(
    paths: Iterable[str],
    suffixes: tuple[str, ...] = TEMPLATES,
    *,
    deep: bool = True,
    finder: Finder | None = None,
) -> Iterator[DiscoveredFile]:
    """The files, each once. `deep`: whether subdirectories are searched, too. `finder`: finds the configurations, which
    may exclude files; without a finder no file is excluded.
    """
    seen: set[object] = set()
    for named in paths:
        status = status_of(named)
        is_directory = status is not None and stat.S_ISDIR(status.st_mode)
        files = (
            ((path, status_of(path)) for path in walk_directory(named, suffixes, deep=deep, finder=finder))
            if is_directory
            else [(named, status)]
        )
        if finder is not None and not is_directory and forced_out(named, finder):
            continue
        for path, status in files:
            if (key := file_identity(path, status)) not in seen:
                seen.add(key)
                size = status.st_size if status is not None else 0
                yield DiscoveredFile(path, is_directory, size, named if is_directory else "")


def status_of(path: str) -> os.stat_result | None:
    """The status of a file; None if there is no such file."""
    try:
        return os.stat(path)
    except (OSError, ValueError):
        return None


def file_identity(path: str, status: os.stat_result | None) -> object:
    """A key that is equal for two paths to the same file. Two hard links count as different files."""
    if status is None:
        return path
    return (status.st_dev, status.st_ino) if status.st_nlink == 1 else os.path.realpath(path)


def forced_out(path: str, finder: Finder) -> bool:
    """Whether the configuration excludes a file even if the user names it."""
    settings = finder.for_file(path)
    return bool(settings.get("force-exclude")) and settings.excludes_path(path)


def walk_directory(
    directory: str, suffixes: tuple[str, ...], *, deep: bool = True, finder: Finder | None = None
) -> Iterator[str]:
    """The files below a directory that have one of the suffixes, sorted.

    Hidden files, hidden directories and links are left out. A link may lead anywhere, and a file that it leads to
    inside the directory is found without it.
    """
    rules = None
    if finder is not None:
        from transpile.settings.leaving_out import LeavingOut

        rules = LeavingOut(directory, finder)
    for where, names, files in os.walk(directory):
        here = rules.enter_directory(where, files) if rules is not None else None
        names[:] = sorted(n for n in names if deep and not n.startswith("."))
        if here is not None:
            names[:] = [name for name in names if not here.leaves_out(f"{name}/")]
        for name in sorted(files):
            if not name.endswith(suffixes) or name.startswith(".") or os.path.islink(os.path.join(where, name)):
                continue
            if here is None or not here.leaves_out(name):
                yield str(pathlib.Path(where, name))
