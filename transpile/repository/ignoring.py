"""Decides which files of a source tree are left out: those that git ignores, and those that the user excludes.

Invariant: the rules are git's. The last pattern that matches a path decides; a deeper `.gitignore` counts before an
outer one, and the user's patterns before all of them. A file in a directory that is left out cannot be brought back. A
tracked file is never ignored.
"""

from __future__ import annotations

import functools
import os
import pathlib
import re
import struct
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, final

from transpile.text.places import FILE, kind_at_path
from transpile.text.source import REPOSITORY, UnreadableFile, find_repository, read_bytes

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

LIMIT = 64 * 1024 * 1024  # bytes of an index; that of Linux has 10 MB
FIXED = 62  # bytes of an entry before its name
EXTENDED, NAME_LENGTH = 0x4000, 0x0FFF  # parts of the flags of an entry

NAME = ".gitignore"
LIMIT = 256 * 1024  # bytes of one file of patterns
MOST_STARS, MOST_IN_NAME = 6, 3  # each star multiplies the time that a long name can take


class WrongPattern(ValueError):
    """The user has given a pattern that cannot be used."""

    def __init__(self, pattern: str) -> None:
        super().__init__(f"{pattern!r} cannot be used as a pattern")
        self.pattern = pattern


@final
class IgnoreRules:
    """The rules of one source tree. `unused`: for each file of patterns, sentences about the patterns that were not
    used.
    """

    def __init__(self, source: str, exclude: Sequence[str]) -> None:
        self.source = source
        self.unused: dict[str, list[str]] = {}
        wrong: list[str] = []
        self.user = compile_patterns(usable_patterns(exclude, wrong))
        if wrong:
            raise WrongPattern(wrong[0])
        self.around = find_repository(self.source)
        inside = os.path.relpath(os.path.realpath(source), self.around) if self.around else os.curdir
        self.inside = [] if inside == os.curdir else inside.split(os.sep)  # the path of the tree in the repository
        self.outer = list(
            self._read_outer_rules()
        )  # a prefix for paths of the tree, and rules; the inner before the outer

    def _read_outer_rules(self) -> Iterator[tuple[str, GitIgnoreSpec]]:
        """The rules of the repository around the tree; none if they leave out the tree itself, which the user names."""
        around, parts = self.around, self.inside
        if not around:
            return
        outer_rules: list[tuple[str, GitIgnoreSpec]] = []
        for depth in range(len(parts)):
            if (rules := self.read_ignore_file(os.path.join(around, *parts[:depth], NAME), "")) is not None:
                outer_rules.insert(0, ("/".join(parts[depth:]) + "/", rules))
        exclude = os.path.join(around, REPOSITORY, "info", "exclude")
        if (rules := self.read_ignore_file(exclude, "")) is not None:
            outer_rules.append(("".join(f"{part}/" for part in parts), rules))
        if not any(prefix and apply_rules(rules, prefix) for prefix, rules in outer_rules):
            yield from outer_rules

    def read_ignore_file(self, path: str, display_path: str) -> GitIgnoreSpec | None:
        """The rules in a file; None if there are none. As in git, links are not followed. `display_path`: the path for
        messages, empty for none.
        """
        try:
            if kind_at_path(path) != FILE:
                return None
            lines = read_bytes(path, LIMIT).decode("utf-8", "surrogateescape").splitlines()
        except (OSError, UnreadableFile) as e:
            if display_path:
                self.unused[display_path] = [f"Its patterns were not used: {e}."]
            return None
        wrong: list[str] = []
        usable = usable_patterns(lines, wrong)
        if wrong and display_path:
            self.unused[display_path] = [f"The pattern {pattern} was not used." for pattern in wrong]
        return compile_patterns(usable)

    def is_left_out(self, path: str, inner: Sequence[tuple[int, GitIgnoreSpec]]) -> bool:
        """Whether a path, with a slash at the end if it is a directory, is left out. `inner`: the rules of the
        directories around it within the tree, from the outermost, each with the length of the directory's path.
        """
        if self.user is not None and (verdict := apply_rules(self.user, path)) is not None:
            return verdict
        for length, rules in reversed(inner):
            if (verdict := apply_rules(rules, path[length:])) is not None:
                return verdict and not self.is_tracked(path)
        for prefix, rules in self.outer:
            if (verdict := apply_rules(rules, prefix + path)) is not None:
                return verdict and not self.is_tracked(path)
        return False

    def is_tracked(self, path: str) -> bool:
        """Whether git tracks a file, or a file below a directory."""
        return "/".join((*self.inside, path)) in self.tracked

    @functools.cached_property
    def tracked(self) -> frozenset[str]:
        """The paths that git tracks in the repository around the tree; read only if a rule leaves files out."""
        return read_tracked_paths(self.around) if self.around else frozenset()


def apply_rules(rules: GitIgnoreSpec, path: str) -> bool | None:
    """Whether rules leave a path out; None if no pattern matches."""
    return rules.check_file(path).include


def usable_patterns(lines: Iterable[str], wrong: list[str]) -> list[str]:
    """The patterns that can be used. The others are added to `wrong`."""
    usable = []
    for line in lines:
        if not line.strip() or line.startswith("#"):
            continue
        names = [len(re.findall(r"\*+", name)) for name in line.split("/")]
        if sum(names) > MOST_STARS or max(names) > MOST_IN_NAME or compile_patterns([line]) is None:
            wrong.append(line)
        else:
            usable.append(line)
    return usable


def compile_patterns(lines: Sequence[str]) -> GitIgnoreSpec | None:
    """Compiled patterns; None if there are none, or one is invalid."""
    if not lines:
        return None
    from pathspec import GitIgnoreSpec  # takes as long to import as a small conversion

    try:
        return GitIgnoreSpec.from_lines(lines)
    except (ValueError, re.error):
        return None


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
