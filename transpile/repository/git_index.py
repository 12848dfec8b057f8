"""Reads which files git tracks from its index, without running git.

Invariant: an index that cannot be read tells nothing, so that no file counts as tracked.
"""

from __future__ import annotations

import os
import pathlib
import struct
from collections.abc import Iterator

from transpile.text.places import FILE, kind_at_path
from transpile.text.source import REPOSITORY, UnreadableFile, read_bytes

LIMIT = 64 * 1024 * 1024  # bytes of an index; that of Linux has 10 MB
FIXED = 62  # bytes of an entry before its name
EXTENDED, NAME_LENGTH = 0x4000, 0x0FFF  # parts of the flags of an entry


def read_tracked_paths(repository: str) -> frozenset[str]:
    """The files that git tracks in a repository, and the directories around them, each of these with a slash at its
    end.
    """
    try:
        data = read_bytes(os.path.join(find_git_directory(repository), "index"), LIMIT)
        names = list(parse_index(data))
    except (OSError, UnreadableFile, ValueError, IndexError, struct.error):
        return frozenset()
    paths = set(names)
    for name in names:
        at = name.rfind("/")
        while at >= 0 and name[: at + 1] not in paths:
            paths.add(name[: at + 1])
            at = name.rfind("/", 0, at)
    return frozenset(paths)


def find_git_directory(repository: str) -> str:
    """The directory with the index. In a work tree of its own, `.git` is a file that names it: `gitdir: PATH`."""
    path = os.path.join(repository, REPOSITORY)
    if kind_at_path(path) != FILE:
        return path
    word, _, target = pathlib.Path(path).read_text(encoding="utf-8", errors="surrogateescape").partition(": ")
    return os.path.join(repository, target.strip()) if word == "gitdir" else path


def parse_index(data: bytes) -> Iterator[str]:
    """The names in an index of git, of version 2, 3 or 4. Raises ValueError, IndexError or struct.error."""
    magic, version, count = struct.unpack_from(">4sLL", data)
    if magic != b"DIRC" or version not in (2, 3, 4):
        raise ValueError("this is no index")
    at, name = 12, b""
    for _ in range(count):
        (flags,) = struct.unpack_from(">H", data, at + FIXED - 2)
        start = at + FIXED + (2 if version > 2 and flags & EXTENDED else 0)
        if version == 4:
            removed, start = read_offset(data, start)
            end = data.index(b"\0", start)
            name = name[: len(name) - removed] + data[start:end]
            at = end + 1
        else:
            end = data.index(b"\0", start)
            name = data[start:end]
            at += (end - at) // 8 * 8 + 8
        yield name.decode("utf-8", "surrogateescape")


def read_offset(data: bytes, at: int) -> tuple[int, int]:
    """A number of variable length, as git writes it, and the place after it."""
    byte = data[at]
    value = byte & 127
    while byte & 128:
        at += 1
        byte = data[at]
        value = ((value + 1) << 7) | (byte & 127)
    return value, at + 1
