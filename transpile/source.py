"""Texts, and the only reader of files.

The easy rule to break: everything that is read goes through `load` (the file named by the user) or `Root` (what a
template names), so that nothing is read outside the template's root, and no URL is fetched.
"""

from __future__ import annotations

import bisect
import io
import itertools
import re
import stat
from typing import TYPE_CHECKING, final

from transpile.ir import node

if TYPE_CHECKING:
    import pathlib

LIMIT = 8 * 1024 * 1024  # bytes of one template; Heat's own default limit is 512 KiB
FILE_LIMIT = 64 * 1024 * 1024  # bytes of one file that a template names
URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")


@final
class Source:
    """A text and the name that diagnostics give it. A position in it is one character offset."""

    __slots__ = ("_starts", "name", "text")

    def __init__(self, name: str, text: str) -> None:
        self.name, self.text = name, text
        self._starts: list[int] | None = None

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both from 1."""
        if self._starts is None:
            lines = io.StringIO(self.text, newline="")  # splits at \n, \r and \r\n, and keeps them
            self._starts = list(itertools.accumulate(map(len, lines), initial=0))
            if len(self._starts) > 1 and not self.text.endswith(("\n", "\r")):
                self._starts.pop()
        line = bisect.bisect_right(self._starts, max(offset, 0))
        return line, max(offset, 0) - self._starts[line - 1] + 1

    def line(self, number: int) -> str:
        """The text of a line, counted from 1, without its end."""
        self.position(0)
        assert self._starts is not None
        end = self._starts[number] if number < len(self._starts) else len(self.text)
        return self.text[self._starts[number - 1] : end].rstrip("\r\n")


class Unreadable(Exception):
    """A file that cannot be had.

    `kind`: missing, outside, url, directory, denied, large, encoding; `detail` is one sentence.
    """

    def __init__(self, kind: str, detail: str, offset: int = 0) -> None:
        super().__init__(detail)
        self.kind, self.detail, self.offset = kind, detail, offset
        self.source: Source | None = None


def read_bytes(path: pathlib.Path, limit: int) -> bytes:
    """The bytes of a regular file; raises Unreadable for whatever else the path is."""
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise Unreadable("directory", f"{path.name} is a directory")
        if stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode):
            raise Unreadable("denied", f"{path.name} is no regular file")
        with path.open("rb") as file:
            data = file.read(limit + 1)
    except FileNotFoundError:
        raise Unreadable("missing", f"there is no file {path.name}") from None
    except (OSError, ValueError) as e:
        reason = e.strerror if isinstance(e, OSError) else str(e)
        raise Unreadable("denied", f"{path.name} cannot be read: {reason}") from None
    if len(data) > limit:
        raise Unreadable("large", f"{path.name} has more than {limit // 1024 // 1024} MiB")
    return data


def decode(data: bytes, name: str) -> str:
    """UTF-8 text; Heat's client reads nothing else."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as e:
        offset = len(data[: e.start].decode("utf-8", "replace"))
        raise Unreadable(
            "encoding", f"{name} is not UTF-8: byte 0x{data[e.start]:02x} at offset {e.start}", offset
        ) from None


def load(path: pathlib.Path, name: str | None = None) -> Source:
    """A file named by the user, as text."""
    return from_bytes(read_bytes(path, LIMIT), name or str(path))


def from_bytes(data: bytes, name: str) -> Source:
    """What came from elsewhere, as text."""
    if len(data) > LIMIT:
        raise Unreadable("large", f"{name} has more than {LIMIT // 1024 // 1024} MiB")
    try:
        return Source(name, decode(data, name))
    except Unreadable as e:
        e.source = Source(name, data.decode("utf-8", "replace"))
        raise


@node
class File:
    """A file that a template names: its path below the root, with forward slashes, and its bytes."""

    path: str
    data: bytes

    def text(self) -> str:
        return decode(self.data, self.path)


@final
class Root:
    """The directory that a template may name files of. Without a directory nothing can be read."""

    def __init__(self, directory: pathlib.Path | None, base: pathlib.Path | None = None) -> None:
        self.directory, self.base = directory, base or directory
        self._known: dict[str, File | Unreadable] = {}

    def read(self, name: str) -> File:
        """A file by the name that a template gives it, relative to the root; raises Unreadable."""
        if name not in self._known:
            try:
                self._known[name] = self._read(name)
            except Unreadable as e:
                self._known[name] = e
        found = self._known[name]
        if isinstance(found, Unreadable):
            raise found
        return found

    def _read(self, name: str) -> File:
        if URL.match(name):
            raise Unreadable("url", "it is a URL, and nothing is fetched")
        if "\0" in name or not name:
            raise Unreadable("missing", "it is not the name of a file")
        if self.directory is None or self.base is None:
            raise Unreadable("outside", "the template came without a directory")
        try:
            root = self.directory.resolve()
            path = (self.base.resolve() / name).resolve()
            below = path.relative_to(root)
        except (ValueError, OSError, RuntimeError):
            raise Unreadable("outside", "it lies outside the template's directory") from None
        return File(below.as_posix(), read_bytes(path, FILE_LIMIT))
