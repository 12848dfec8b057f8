"""Finds an environment near a template that defines a type.

Invariant: few directories are read: the template's, those around it up to the top of the tree, and in each of these
the ones with `env` in their name. No link is followed.
"""

from __future__ import annotations

import functools
import os
from typing import TYPE_CHECKING

from transpile.front import kinds
from transpile.repository import contents
from transpile.repository.contents import EnvironmentFacts
from transpile.repository.pairing import FOLDER
from transpile.repository.walking import DOCUMENTS
from transpile.text.source import LIMIT, Unreadable, read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

HIGHEST = 16  # directories that are tried: the template's and those above it
MOST = 200  # entries of one directory
REGISTRY = b"resource_registry"


def definer(kind: str, folder: str, top: str) -> str:
    """The path of the nearest environment that defines a type, relative to the template's directory; empty if there is
    none. `folder`: the template's directory; `top`: the directory at which the search ends.
    """
    where = os.path.realpath(folder)
    top = os.path.realpath(top)
    for _ in range(HIGHEST):
        for path, types in defined(where):
            if kind in types or any(name.endswith("*") and kind.startswith(name[:-1]) for name in types):
                return os.path.join(os.path.relpath(where, os.path.realpath(folder)), path)
        above = os.path.dirname(where)
        if where == top or above == where:
            break
        where = above
    return ""


@functools.lru_cache(maxsize=1 << 10)
def defined(where: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """The environments of a directory with the types that they define, those directly in it first."""
    return tuple((path, types) for path in candidates(where) if (types := types_of(os.path.join(where, path))))


def forget() -> None:
    """Forgets the directories that were read, because their files may have changed."""
    defined.cache_clear()


def candidates(where: str) -> Iterator[str]:
    inner = []
    for name, is_directory in entries(where):
        if not is_directory:
            yield name
        elif FOLDER.search(name):
            inner.append(name)
    for one in inner:
        for name, is_directory in entries(os.path.join(where, one)):
            if not is_directory:
                yield os.path.join(one, name)


def entries(where: str) -> list[tuple[str, bool]]:
    """The documents and directories in a directory, sorted, each with whether it is a directory."""
    found: list[tuple[str, bool]] = []
    try:
        with os.scandir(where) as listed:
            for entry in listed:
                if entry.name.startswith(".") or entry.is_symlink():
                    continue
                if entry.is_dir(follow_symlinks=False):
                    found.append((entry.name, True))
                elif entry.name.endswith(DOCUMENTS):
                    found.append((entry.name, False))
    except OSError:
        return []
    return sorted(found)[:MOST]


def types_of(path: str) -> frozenset[str]:
    """The types that a file defines, if it is an environment."""
    try:
        data = read_bytes(path, LIMIT)
    except Unreadable:
        return frozenset()
    if REGISTRY not in data or not kinds.may_be_environment(path, data):
        return frozenset()
    facts = contents.of_document(path, data)
    return frozenset(facts.types) if isinstance(facts, EnvironmentFacts) else frozenset()
