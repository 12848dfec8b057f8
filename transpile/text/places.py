"""What is at a path, and how a file gets there, without following links.

Invariant: a file appears complete or not at all, and nothing is written through a link, into a device or into a pipe.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import pathlib
import stat
from typing import TYPE_CHECKING, TextIO

from transpile.text.source import Unreadable, read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

OURS_LIMIT = 256 * 1024 * 1024  # bytes of an existing file that is compared with ours
EXCLUSIVE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
PRIVATE = 0o600  # the permissions of a file that only its owner may read
FILE, DIRECTORY, LINK, OTHER, NOTHING = "a file", "a directory", "a link", "not a regular file", ""


def kind(path: str | os.PathLike[str]) -> str:
    """What is at a path: FILE, DIRECTORY, LINK, OTHER or NOTHING. Raises OSError if the system does not tell."""
    try:
        mode = os.lstat(path).st_mode
    except OSError as e:
        if e.errno in (errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG):
            return NOTHING
        raise
    if stat.S_ISREG(mode):
        return FILE
    if stat.S_ISDIR(mode):
        return DIRECTORY
    return LINK if stat.S_ISLNK(mode) else OTHER


def device(path: pathlib.Path) -> bool:
    """Whether a path leads to a device or a pipe."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return stat.S_ISCHR(mode) or stat.S_ISFIFO(mode)


def obstacle(directory: pathlib.Path, name: str) -> str:
    """Why a file cannot be written below a directory: what stands on the way to it, in words; empty if nothing."""
    if not plain(name):
        return f"{name} is outside {directory}, so it was not written."
    parts = name.split("/")
    path = directory
    for part in parts[:-1]:
        path = path / part
        found = kind(path)
        if found == NOTHING:
            return ""
        if found == LINK:
            return f"{path} is a link; hot2tf writes through no link."
        if found != DIRECTORY:
            return f"{path} is not a directory."
    found = kind(directory / name)
    if found == LINK:
        return f"{directory / name} is a link; hot2tf writes through no link."
    return "" if found in (FILE, NOTHING) else f"{directory / name} is {found}."


def plain(name: str) -> bool:
    """Whether a name is a path below a directory, with forward slashes and nothing special."""
    if "\0" in name or (os.sep != "/" and (os.sep in name or ":" in name)):
        return False
    try:
        os.fsencode(name)
    except ValueError:  # a lone surrogate
        return False
    return all(part not in ("", ".", "..") for part in name.split("/"))


def content(path: pathlib.Path) -> bytes | None:
    """The bytes of a regular file; None for anything else."""
    if kind(path) != FILE:
        return None
    try:
        return read_bytes(path, OURS_LIMIT)
    except Unreadable:
        return None


def place(path: pathlib.Path, data: bytes, mode: int | None = None) -> None:
    """Writes a file beside its place and renames it, so that what was there is replaced as a whole. `mode`: its
    permissions; by default those of what is there, or what the system gives to new files. Raises OSError.
    """
    if mode is None and kind(path) == FILE:
        mode = stat.S_IMODE(path.stat().st_mode)
    beside = unfinished(path)
    forget(beside)
    number = os.open(beside, EXCLUSIVE, 0o666 if mode is None else mode)
    try:
        with os.fdopen(number, "wb") as file:
            file.write(data)
        if mode is not None:
            beside.chmod(mode)
        beside.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            forget(beside)
        raise


@contextlib.contextmanager
def replaced(path: pathlib.Path) -> Iterator[TextIO]:
    """A text file that takes its place when it is complete. Raises OSError."""
    beside = unfinished(path)
    forget(beside)
    try:
        with os.fdopen(
            os.open(beside, EXCLUSIVE, 0o666), "w", encoding="utf-8", errors="replace", newline="\n"
        ) as file:
            yield file
        beside.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            forget(beside)
        raise


def readable(path: pathlib.Path) -> bool:
    """Whether others than its owner may read or write a file, if the system has such permissions."""
    return os.name == "posix" and bool(path.stat().st_mode & 0o077)


def unfinished(path: pathlib.Path) -> pathlib.Path:
    """Where a file is written before it is renamed. The name is the same in every run, so that the next run finds what
    a killed one left.
    """
    return path.with_name(f".hot2tf-{hashlib.sha256(os.fsencode(path.name)).hexdigest()[:16]}")


def forget(path: pathlib.Path) -> None:
    """Removes a file or link, if there is one."""
    if kind(path) in (FILE, LINK):
        path.unlink()


def prune(directory: pathlib.Path, path: pathlib.Path) -> None:
    """Removes directories below `directory` that became empty, from `path` upwards."""
    while path != directory and kind(path) == DIRECTORY and empty(path):
        path.rmdir()
        path = path.parent


def empty(path: pathlib.Path) -> bool:
    with os.scandir(path) as found:
        return next(found, None) is None


def linked(named: str) -> Iterator[pathlib.Path]:
    """The links in a path that the user names: in an absolute one only its end counts, for systems have links such as
    /tmp of their own. A slash at the end says that links are meant.
    """
    if named.endswith(("/", os.sep)):
        return
    path = pathlib.Path(named)
    for one in [path] if path.is_absolute() else [*reversed(path.parents), path]:
        if kind(one) == LINK:
            yield one
