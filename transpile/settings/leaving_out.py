"""Decides which files a walk through a directory leaves out: files that git ignores or a configuration excludes.

Invariant: the rules of git are those of `transpile/repository/ignoring.py`. If a directory is left out, the walk never
enters it.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, final

from transpile.repository.ignoring import NAME, IgnoreRules
from transpile.settings.finder import Finder
from transpile.settings.model import Settings

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


@final
class LeavingOut:
    """The rules for one walk. The walk enters outer directories before inner ones, so rules can be inherited."""

    def __init__(self, directory: str, finder: Finder) -> None:
        self.directory, self.finder = directory, finder
        settings = finder.for_directory(directory)
        self.git = IgnoreRules(directory, ()) if settings.get("respect-gitignore") else None
        self.rules: dict[str, tuple[tuple[int, GitIgnoreSpec], ...]] = {}

    def enter_directory(self, where: str, names: Sequence[str]) -> FilteredDirectory:
        """Returns the rules for the content of a directory.

        `where`: the path of the directory in the walk. `names`: the names of the files in it.
        """
        inner = os.path.relpath(where, self.directory).replace(os.sep, "/")
        inner = "" if inner == "." else f"{inner}/"
        outer = self.rules.get(inner[: inner.rfind("/", 0, -1) + 1], ())
        if self.git is not None and NAME in names:
            mine = self.git.read_ignore_file(os.path.join(where, NAME), inner + NAME)
            outer = outer if mine is None else (*outer, (len(inner), mine))
        self.rules[inner] = outer
        return FilteredDirectory(where, inner, self.git, outer, self.finder.for_directory(where))


@final
class FilteredDirectory:
    """The rules for the files and directories in one directory."""

    def __init__(
        self,
        where: str,
        inner: str,
        git: IgnoreRules | None,
        rules: tuple[tuple[int, GitIgnoreSpec], ...],
        settings: Settings,
    ) -> None:
        self.where, self.inner, self.git, self.rules, self.settings = where, inner, git, rules, settings

    def leaves_out(self, name: str) -> bool:
        """Whether a file or directory is left out. The name of a directory ends with a slash: `build/`."""
        if self.git is not None and self.git.is_left_out(self.inner + name, self.rules):
            return True
        return self.settings.excludes_path(os.path.join(self.where, name))
