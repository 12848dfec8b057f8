"""Finds the kind of object at a path, and writes a file there, without following links.

Invariant: a file appears complete or not at all, and nothing is written through a link, into a device or into a pipe.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import pathlib
import stat
from collections.abc import Iterable, Iterator
from typing import TextIO

from transpile.model.lazy_patterns import compile_lazily
from transpile.text.source import UnreadableFile, read_bytes

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

OURS_LIMIT = 256 * 1024 * 1024  # bytes of an existing file that is compared with a new one
EXCLUSIVE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
BLOCK = 4096  # bytes; a disk has room for so many or for none
PRIVATE = 0o600  # the permissions of a file that only its owner may read
RESERVED = compile_lazily(r"(?i)(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)")  # Windows has no files of these names
FILE, DIRECTORY, LINK, OTHER, NOTHING = "a file", "a directory", "a link", "not a regular file", ""


def kind_at_path(path: str | os.PathLike[str]) -> str:
    """Returns FILE, DIRECTORY, LINK, OTHER or NOTHING for a path. Raises OSError if that cannot be found out."""
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


def is_device(path: pathlib.Path) -> bool:
    """Whether a path leads to a device or a pipe."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return stat.S_ISCHR(mode) or stat.S_ISFIFO(mode)


def find_obstacle(directory: pathlib.Path, name: str) -> str:
    """Returns why a file cannot be written below a directory, as a sentence about the obstacle; empty if it can."""
    if not is_plain_path(name):
        return f"{name} is outside {directory}, so it was not written."
    parts = name.split("/")
    path = directory
    for part in parts[:-1]:
        path = path / part
        kind = kind_at_path(path)
        if kind == NOTHING:
            return ""
        if kind == LINK:
            return f"{path} is a link; hot2tf writes through no link."
        if kind != DIRECTORY:
            return f"{path} is not a directory."
    kind = kind_at_path(directory / name)
    if kind == LINK:
        return f"{directory / name} is a link; hot2tf writes through no link."
    return "" if kind in (FILE, NOTHING) else f"{directory / name} is {kind}."


def is_plain_path(name: str) -> bool:
    """Whether a name is a path below a directory: forward slashes, no `..`, no empty part, and UTF-8."""
    if "\0" in name or (os.sep != "/" and (os.sep in name or ":" in name)):
        return False
    try:
        os.fsencode(name)
    except ValueError:  # a lone surrogate
        return False
    return all(part not in ("", ".", "..") for part in name.split("/"))


def avoid_reserved_names(path: str) -> str:
    """A path whose parts are names that Windows can have: `con/aux.yaml` -> `con_/aux_.yaml`."""
    parts = path.split("/")
    return "/".join(f"{match[0]}_{part[match.end() :]}" if (match := RESERVED.match(part)) else part for part in parts)


def read_regular_file(path: pathlib.Path) -> bytes | None:
    """The bytes of a regular file; None for anything else."""
    if kind_at_path(path) != FILE:
        return None
    try:
        return read_bytes(path, OURS_LIMIT)
    except UnreadableFile:
        return None


def write_atomically(path: pathlib.Path, data: bytes | Iterable[bytes], mode: int | None = None) -> None:
    """Writes a temporary file in the same directory and renames it, so that an existing file is replaced as a whole.
    `data`: the content, or its pieces. `mode`: the permissions; by default those of the existing file, or of any new
    one. Raises OSError.
    """
    if mode is None and kind_at_path(path) == FILE:
        mode = stat.S_IMODE(path.stat().st_mode)
    with open_temporary(path, 0o666 if mode is None else mode) as (temporary, number):
        with os.fdopen(number, "wb", closefd=False) as file:
            file.writelines([data] if isinstance(data, bytes) else data)
        if mode is not None:
            temporary.chmod(mode)


@contextlib.contextmanager
def open_replacement(path: pathlib.Path) -> Iterator[TextIO]:
    """A text file that is renamed to `path` when the block ends without an error. Raises OSError."""
    with (
        open_temporary(path, 0o666) as (_, number),
        os.fdopen(number, "w", encoding="utf-8", errors="replace", newline="\n", closefd=False) as file,
    ):
        yield file


@contextlib.contextmanager
def open_temporary(path: pathlib.Path, mode: int) -> Iterator[tuple[pathlib.Path, int]]:
    """A new file beside a path, which takes its place when the block ends without an error, and is removed otherwise.
    Raises OSError.
    """
    temporary, number = create_temporary(path, mode)
    try:
        yield temporary, number
        if fcntl is None:  # Windows renames no open file; elsewhere closing it would give the lock away
            os.close(number)
            number = -1
        temporary.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            remove_file(temporary)
        raise
    finally:
        if number >= 0:
            os.close(number)


def create_temporary(path: pathlib.Path, mode: int) -> tuple[pathlib.Path, int]:
    """A new file beside a path, open and locked. Its name is the same in every run, so that the next run finds the file
    of a killed one. While another process writes there, the name is one of this process alone.
    """
    temporary = usual = temporary_path(path)
    for own in ("", f"{usual.name}-{os.getpid()}"):
        temporary = usual.with_name(own) if own else usual
        remove_unfinished(temporary)
        with contextlib.suppress(FileExistsError):
            number = os.open(temporary, EXCLUSIVE, mode)
            if lock_file(number) and os.fstat(number).st_nlink:  # nobody took it for that of a killed run
                return temporary, number
            os.close(number)
    raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), os.fspath(temporary))


def remove_unfinished(temporary: pathlib.Path) -> None:
    """Removes the temporary file of a run that was killed. One that a process is writing now stays."""
    if fcntl is None:
        with contextlib.suppress(PermissionError):  # Windows removes no open file
            remove_file(temporary)
        return
    try:
        number = os.open(temporary, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:  # nothing, or a link, or a file that nobody may read
        remove_file(temporary)
        return
    try:
        if lock_file(number):
            remove_file(temporary)
    finally:
        os.close(number)


def lock_file(number: int) -> bool:
    """Locks an open file until it is closed. False if another process has locked it."""
    if fcntl is None:
        return True
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return True
    return True


def try_directory(directory: pathlib.Path, name: str) -> None:
    """Writes a temporary file and removes it. Raises OSError, for example if the disk is full."""
    temporary, number = create_temporary(directory / name, PRIVATE)
    try:
        with os.fdopen(number, "wb", buffering=0, closefd=False) as file:
            file.write(b"\n" * BLOCK)
    finally:
        remove_file(temporary)
        os.close(number)


def try_device(path: pathlib.Path) -> None:
    """Writes an empty line to a device, which changes the meaning of neither JSON nor HTML. A terminal or a pipe gets
    nothing: people and programs read there. Raises OSError.
    """
    if stat.S_ISCHR(path.stat().st_mode):
        with path.open("wb", buffering=0) as device:
            if not device.isatty():
                device.write(b"\n")


def is_readable_by_others(path: pathlib.Path) -> bool:
    """Whether other users may read or write a file; false where the system has no such permissions."""
    return os.name == "posix" and bool(path.stat().st_mode & 0o077)


def temporary_path(path: pathlib.Path) -> pathlib.Path:
    """The usual temporary file for a path."""
    return path.with_name(f".hot2tf-{hashlib.sha256(os.fsencode(path.name)).hexdigest()[:16]}")


def remove_file(path: pathlib.Path) -> None:
    """Removes a file or link, if there is one."""
    if kind_at_path(path) in (FILE, LINK):
        path.unlink()


def remove_empty_directories(directory: pathlib.Path, path: pathlib.Path) -> None:
    """Removes directories below `directory` that became empty, from `path` upwards."""
    while path != directory and kind_at_path(path) == DIRECTORY and is_empty_directory(path):
        path.rmdir()
        path = path.parent


def is_empty_directory(path: pathlib.Path) -> bool:
    with os.scandir(path) as entries:
        return next(entries, None) is None


def find_links(user_path: str) -> Iterator[pathlib.Path]:
    """The links in a path that the user names. Of an absolute path only the last part counts, because systems have
    links such as /tmp of their own. With a slash at the end the user accepts links, so there are none.
    """
    if user_path.endswith(("/", os.sep)):
        return
    path = pathlib.Path(user_path)
    for candidate in [path] if path.is_absolute() else [*reversed(path.parents), path]:
        if kind_at_path(candidate) == LINK:
            yield candidate
