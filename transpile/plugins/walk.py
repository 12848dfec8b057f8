"""Finds the modules below plug-in directories, in the order in which Heat loads them.

Invariant: the order is that of `pkgutil.walk_packages`, and of two modules with one name the first counts. Links that
lead out of the directory are not followed. The budget limits the number of files and of directories.
"""

from __future__ import annotations

import os
import pathlib
from collections.abc import Sequence
from typing import final

from transpile.model.budget import Budget
from transpile.model.records import record
from transpile.plugins.syntax import PluginUnit
from transpile.plugins.values import ModuleValue

DEPTH = 20  # nested directories
SKIPPED = ("__pycache__", ".git", ".tox", ".venv", "node_modules")


@final
@record
class PluginFile:
    """The file of a module. `path`: as the user wrote it, and as diagnostics show it; `parts`: those of the absolute
    path, without `.py`; `root`: those of the plug-in directory; `loaded`: whether Heat loads it even if nothing imports
    it; `shadowed`: whether an earlier module has the same name.
    """

    path: str
    name: str
    parts: tuple[str, ...]
    root: tuple[str, ...]
    directory: int
    package: bool = False
    loaded: bool = False
    shadowed: bool = False
    module: ModuleValue | None = None
    unit: PluginUnit | None = None


@final
class PluginWalk:
    """The modules of directories. `outside`: links that lead out of their directory; `failed`: directories that cannot
    be read, with the reason; `full`: the path at which the limit of the budget was reached.
    """

    def __init__(self, directories: Sequence[str], budget: Budget) -> None:
        self.files: list[PluginFile] = []
        self.outside: list[str] = []
        self.failed: list[tuple[str, str]] = []
        self.full = ""
        self.budget = budget
        self.taken: set[str] = set()
        for index, directory in enumerate(directories):
            self.root = pathlib.Path(directory).absolute().parts
            self.real = os.path.realpath(directory)
            self.index = index
            self._walk_directory(directory)

    def _walk_directory(self, path: str) -> None:
        """Adds the files of all modules in a directory and in the directories below it."""
        todo = [(path, "", self.root, 0, True)]
        while todo:
            path, prefix, parts, depth, loads = todo.pop()
            if depth and self._too_many(path):
                return
            for entry in [] if self.full else self._list_directory(path):
                inner = self._visit_entry(entry, path, prefix, parts, loads=loads)
                if inner is not None and depth < DEPTH:
                    todo.append((os.path.join(path, entry), inner[0], (*parts, entry), depth + 1, inner[1]))

    def _list_directory(self, path: str) -> list[str]:
        try:
            entries = sorted(os.listdir(path))
        except OSError as error:
            self.failed.append((path, error.strerror or "it cannot be read"))
            return []
        return [entry for entry in entries if entry not in SKIPPED and not entry.startswith(".")]

    def _visit_entry(
        self, entry: str, path: str, prefix: str, parts: tuple[str, ...], *, loads: bool
    ) -> tuple[str, bool] | None:
        """Adds the file of a module. For a directory, returns the prefix of the names in it, and whether Heat loads
        them.
        """
        full = os.path.join(path, entry)
        if entry.endswith(".py"):
            stem = entry[:-3]
            if self._too_many(full) or not self._is_inside(full) or not os.path.isfile(full):
                return None
            if stem == "__init__":
                if prefix:
                    self._add_file(full, prefix.rstrip("."), parts, loads, package=True)
                return None
            self._add_file(full, prefix + stem, (*parts, stem), loads and "." not in stem)
            return None
        if "." in entry or not os.path.isdir(full) or not self._is_inside(full):
            return None
        package = os.path.isfile(os.path.join(full, "__init__.py"))
        return f"{prefix}{entry}.", loads and package and f"{prefix}{entry}" not in self.taken

    def _is_inside(self, path: str) -> bool:
        """Whether a path is inside the plug-in directory when links are followed; if not, it is noted in `outside`."""
        real = os.path.realpath(path)
        if real == self.real or real.startswith(os.path.join(self.real, "")):
            return True
        self.outside.append(path)
        return False

    def _too_many(self, path: str) -> bool:
        if self.full or not self.budget.spend("modules", 1):
            self.full = self.full or path
            return True
        return False

    def _add_file(self, path: str, name: str, parts: tuple[str, ...], loads: bool, *, package: bool = False) -> None:
        """Adds the file of a module. Like Heat, it does not load setup modules and tests."""
        skipped = name.endswith(".setup") or name == "setup" or ".tests." in f".{name}"
        shadowed = name in self.taken and not skipped
        self.taken.add(name)
        self.files.append(
            PluginFile(
                path, name, parts, self.root, self.index, package, loads and not skipped and not shadowed, shadowed
            )
        )


def sort_in_load_order(files: Sequence[PluginFile]) -> list[PluginFile]:
    """The files that Heat loads, in Heat's order: by directory and name, a package before the modules in it."""

    def sort_key(file: PluginFile) -> tuple[int, list[str]]:
        words = file.name.split(".")
        return file.directory, words if file.package else [*words[:-1], f"{words[-1]}.py"]

    return sorted((file for file in files if file.loaded), key=sort_key)
