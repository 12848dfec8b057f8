"""Walks through a source tree, and yields the files that may matter to a migration.

Invariant: no file is opened except `.gitignore` and manifests, no link is followed, and files come in the same order on
every file system. Directories that cannot be read are reported.
"""

from __future__ import annotations

import os
import pathlib
from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING, final

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.model.records import node
from transpile.model.source import name_file
from transpile.repository.ignoring import NAME, IgnoreRules
from transpile.text import manifest
from transpile.text.source import JINJA_NAMES

if TYPE_CHECKING:
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
HIDDEN_DIRECTORIES = (".github", ".gitlab", ".circleci", ".zuul.d", ".ci", ".jenkins", ".buildkite", ".woodpecker")
SUFFIXES = (*DOCUMENTS, *MODULES, *TEXTS)


@final
@node
class TreeFile:
    """A file, by its path in the tree. `kind`: DOCUMENT, MODULE or TEXT."""

    path: str
    kind: str


@final
class TreeWalk:
    """One walk through a tree. `written`: for each file that hot2tf wrote the manifest that lists it; these files are
    left out. `classify`: the kind of a file by its name; empty for one that does not matter. `hidden`: the hidden
    directories that are walked into.
    """

    def __init__(
        self,
        source: str,
        ignored: IgnoreRules,
        classify: Callable[[str], str] | None = None,
        hidden: Collection[str] = (),
    ) -> None:
        self.source, self.ignored, self.hidden = source, ignored, hidden
        self.classify = classify if classify is not None else classify_name
        self.written: dict[str, str] = {}
        self.diagnostics: list[Diagnostic] = []

    def walk_files(self) -> Iterator[TreeFile]:
        """The files, each directory's before those of its subdirectories."""
        todo: list[tuple[str, tuple[tuple[int, GitIgnoreSpec], ...]]] = [("", ())]
        while todo:
            where, rules = todo.pop()
            if (entries := self.read_entries(where)) is None:
                continue
            names = [entry.name for entry in entries]
            if manifest.MANIFEST in names:
                self.written.update(dict.fromkeys(self.list_written_files(where), where + manifest.MANIFEST))
            if NAME in names:
                mine = self.ignored.read_ignore_file(os.path.join(self.source, where, NAME), where + NAME)
                rules = rules if mine is None else (*rules, (len(where), mine))
            inner = []
            for entry in entries:
                path = where + entry.name
                kind, is_file, is_directory = self.classify_entry(entry, path)
                if is_file and path not in self.written and not self.ignored.is_left_out(path, rules):
                    yield TreeFile(path, kind)
                elif is_directory and not self.ignored.is_left_out(f"{path}/", rules):
                    inner.append((f"{path}/", rules))
            todo += reversed(inner)

    def read_entries(self, where: str) -> list[os.DirEntry[str]] | None:
        """The entries of a directory, sorted by name; None if it cannot be read."""
        try:
            with os.scandir(os.path.join(self.source, where)) as directory:
                return sorted(directory, key=lambda entry: entry.name)
        except OSError as e:
            message = f"The directory {escape_path(where) or '.'} cannot be read: {e.strerror}."
            self.diagnostics.append(
                Diagnostic(codes.UNREADABLE_DIRECTORY, message, name_file(escape_path(where) or "."))
            )
            return None

    def classify_entry(self, entry: os.DirEntry[str], path: str) -> tuple[str, bool, bool]:
        """The kind of an entry by its name, whether it is a file that may matter, and whether it is a directory to walk
        into. Some file systems need another system call for this, which may fail.
        """
        kind = self.classify(entry.name)
        try:
            if kind and entry.is_file(follow_symlinks=False):
                return kind, True, False
            is_open = entry.name[0] != "." or entry.name in self.hidden
            return "", False, is_open and entry.is_dir(follow_symlinks=False)
        except OSError as e:
            message = f"{escape_path(path)} cannot be read: {e.strerror}."
            self.diagnostics.append(Diagnostic(codes.UNREADABLE_SOURCE_FILE, message, name_file(escape_path(path))))
            return "", False, False

    def list_written_files(self, where: str) -> list[str]:
        """The files that an earlier run of hot2tf wrote into a directory and below."""
        directory = pathlib.Path(self.source, where)
        records = manifest.read_destination(directory)
        try:
            names = list(manifest.list_hashes(manifest.read_own_record(directory)))
        except OSError:
            names = []
        for folder, record in records.items():
            names += [f"{folder}/{name}".lstrip("/") for name in manifest.list_hashes(record)]
        return [where + name for name in names]


def classify_name(name: str) -> str:
    """The kind of a file by its name: DOCUMENT, MODULE or TEXT; empty for files that do not matter, such as most hidden
    ones.
    """
    if not name.endswith(SUFFIXES) and name not in NAMED:
        return ""
    if name[0] == ".":
        return TEXT if name in HIDDEN else ""
    return DOCUMENT if name.endswith(DOCUMENTS) else MODULE if name.endswith(MODULES) else TEXT


def is_encodable_path(path: str) -> bool:
    """Whether a path is UTF-8. In Python's strings other bytes are lone surrogates."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def escape_path(path: str) -> str:
    """A path as messages show it, on one line: bytes that are not UTF-8, and control characters, are escaped."""
    text = os.fsencode(path).decode("utf-8", "backslashreplace")
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
