"""The files of a source tree that may matter to a migration.

Invariant: nothing is opened here but `.gitignore`, no link is followed, and files come in the same order on every file
system. What cannot be looked into is reported.
"""

from __future__ import annotations

import os
import pathlib
from typing import TYPE_CHECKING, final

from transpile.diagnostics.model import Diagnostic
from transpile.model.records import node
from transpile.model.source import Source
from transpile.repository.ignoring import NAME, Ignored
from transpile.text import manifest
from transpile.text.source import JINJA_NAMES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pathspec import GitIgnoreSpec

DOCUMENT, MODULE, TEXT = "document", "module", "text"
DOCUMENTS = (".yaml", ".yml", ".template", ".hot", ".json", ".env", *JINJA_NAMES)
MODULES = (".py",)
TEXTS = (
    *(".sh", ".bash", ".zsh", ".ksh", ".ps1", ".bat", ".cmd", ".mk", ".groovy", ".toml", ".ini", ".cfg"),
    *(".md", ".markdown", ".rst", ".txt", ".adoc", ".asciidoc", ".org", ".html"),
)
NAMED = ("README", "INSTALL", "HOWTO", "USAGE", "Makefile", "GNUmakefile", "makefile", "Jenkinsfile", "justfile")
HIDDEN = (".gitlab-ci.yml", ".travis.yml", ".zuul.yaml")  # hidden files that run commands
SUFFIXES = (*DOCUMENTS, *MODULES, *TEXTS)


@final
@node
class Found:
    """A file, by its path in the tree. `kind`: DOCUMENT, MODULE or TEXT."""

    path: str
    kind: str


@final
class Walk:
    """One walk through a tree. `written`: files that hot2tf wrote, which are left out, by the manifest that lists them;
    `found`: diagnostics.
    """

    def __init__(self, source: str, ignored: Ignored) -> None:
        self.source, self.ignored = source, ignored
        self.written: dict[str, str] = {}
        self.found: list[Diagnostic] = []

    def files(self) -> Iterator[Found]:
        """The files, each directory's before those of its subdirectories."""
        todo: list[tuple[str, tuple[tuple[int, GitIgnoreSpec], ...]]] = [("", ())]
        while todo:
            where, rules = todo.pop()
            if (entries := self.entries(where)) is None:
                continue
            names = [entry.name for entry in entries]
            if manifest.MANIFEST in names:
                self.written.update(dict.fromkeys(self.listed(where), where + manifest.MANIFEST))
            if NAME in names:
                mine = self.ignored.read(os.path.join(self.source, where, NAME), where + NAME)
                rules = rules if mine is None else (*rules, (len(where), mine))
            inner = []
            for entry in entries:
                path = where + entry.name
                kind, is_file, is_directory = self.sort(entry, path)
                if is_file and path not in self.written and not self.ignored.leaves_out(path, rules):
                    yield Found(path, kind)
                elif is_directory and not self.ignored.leaves_out(f"{path}/", rules):
                    inner.append((f"{path}/", rules))
            todo += reversed(inner)

    def entries(self, where: str) -> list[os.DirEntry[str]] | None:
        """What is in a directory, in order; None if it cannot be read."""
        try:
            with os.scandir(os.path.join(self.source, where)) as found:
                return sorted(found, key=lambda entry: entry.name)
        except OSError as e:
            message = f"The directory {shown(where) or '.'} cannot be read: {e.strerror}."
            self.found.append(Diagnostic("HOT930", message, Source(shown(where) or ".", "")))
            return None

    def sort(self, entry: os.DirEntry[str], path: str) -> tuple[str, bool, bool]:
        """What an entry's name means, whether it is a file that may matter, and whether a directory to look into. Some
        file systems must ask for the latter, and may be refused.
        """
        kind = kind_of(entry.name)
        try:
            if kind and entry.is_file(follow_symlinks=False):
                return kind, True, False
            return "", False, entry.name[0] != "." and entry.is_dir(follow_symlinks=False)
        except OSError as e:
            message = f"{shown(path)} cannot be read: {e.strerror}."
            self.found.append(Diagnostic("HOT932", message, Source(shown(path), "")))
            return "", False, False

    def listed(self, where: str) -> list[str]:
        """The files that an earlier run of hot2tf wrote into a directory and below."""
        try:
            return [where + name for name in manifest.read(pathlib.Path(self.source, where))]
        except OSError:
            return []


def kind_of(name: str) -> str:
    """Which kind of file a name means; empty for files that do not matter, and hidden ones that run no commands."""
    if not name.endswith(SUFFIXES) and name not in NAMED:
        return ""
    if name[0] == ".":
        return TEXT if name in HIDDEN else ""
    return DOCUMENT if name.endswith(DOCUMENTS) else MODULE if name.endswith(MODULES) else TEXT


def encodable(path: str) -> bool:
    """Whether a path is UTF-8. Python has bytes that are not as lone surrogates."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def shown(path: str) -> str:
    """A path as messages show it, on one line: bytes that are not UTF-8, and control characters, are escaped."""
    text = os.fsencode(path).decode("utf-8", "backslashreplace")
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
