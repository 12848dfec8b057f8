"""Finds an environment near a template that defines a type.

Invariant: few directories are read: the template's, those around it up to the top of the tree, and in each of these
the ones with `env` in their name. No link is followed.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator

from transpile.front import kinds
from transpile.repository import contents
from transpile.repository.contents import EnvironmentFacts
from transpile.repository.pairing import FOLDER
from transpile.repository.walking import DOCUMENTS
from transpile.text.source import LIMIT, UnreadableFile, read_bytes

HIGHEST = 16  # directories that are tried: the template's and those above it
MOST = 200  # entries of one directory
REGISTRY = b"resource_registry"


def find_defining_environment(kind: str, folder: str, top: str) -> str:
    """The path of the nearest environment that defines a type, relative to the template's directory; empty if there is
    none. `folder`: the template's directory; `top`: the directory at which the search ends.
    """
    where = os.path.realpath(folder)
    top = os.path.realpath(top)
    for _ in range(HIGHEST):
        for path, types in environments_with_types(where):
            if kind in types or any(name.endswith("*") and kind.startswith(name[:-1]) for name in types):
                return os.path.join(os.path.relpath(where, os.path.realpath(folder)), path)
        above = os.path.dirname(where)
        if where == top or above == where:
            break
        where = above
    return ""


@functools.lru_cache(maxsize=1 << 10)
def environments_with_types(where: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """The environments of a directory with the types that they define, those directly in it first."""
    return tuple(
        (path, types) for path in list_documents(where) if (types := read_defined_types(os.path.join(where, path)))
    )


def forget_directories() -> None:
    """Forgets the directories that were read, because their files may have changed."""
    environments_with_types.cache_clear()


def list_documents(where: str) -> Iterator[str]:
    inner = []
    for name, is_directory in list_entries(where):
        if not is_directory:
            yield name
        elif FOLDER.search(name):
            inner.append(name)
    for subfolder in inner:
        for name, is_directory in list_entries(os.path.join(where, subfolder)):
            if not is_directory:
                yield os.path.join(subfolder, name)


def list_entries(where: str) -> list[tuple[str, bool]]:
    """The documents and directories in a directory, sorted, each with whether it is a directory."""
    result: list[tuple[str, bool]] = []
    try:
        with os.scandir(where) as directory:
            for entry in directory:
                if entry.name.startswith(".") or entry.is_symlink():
                    continue
                if entry.is_dir(follow_symlinks=False):
                    result.append((entry.name, True))
                elif entry.name.endswith(DOCUMENTS):
                    result.append((entry.name, False))
    except OSError:
        return []
    return sorted(result)[:MOST]


def read_defined_types(path: str) -> frozenset[str]:
    """The types that a file defines, if it is an environment."""
    try:
        data = read_bytes(path, LIMIT)
    except UnreadableFile:
        return frozenset()
    if REGISTRY not in data or not kinds.may_be_environment(path, data):
        return frozenset()
    facts = contents.classify_document(path, data)
    return frozenset(facts.types) if isinstance(facts, EnvironmentFacts) else frozenset()
