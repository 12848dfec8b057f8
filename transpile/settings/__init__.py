"""Configuration: what a repository and its user want of hot2tf.

`settings_for_file` and `grade_diagnostics` are all that a command needs. Invariant: reading a configuration runs
nothing and writes nothing. The modules that read them are imported on first use, because most of what the commands
need at the start is the table.
"""

from __future__ import annotations

import functools
import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import os

    from transpile.settings.finder import Finder
    from transpile.settings.grading import GradedDiagnostics, grade_diagnostics, unused_comments
    from transpile.settings.model import Settings

__all__ = [
    "Finder",
    "GradedDiagnostics",
    "Settings",
    "forget_configurations",
    "grade_diagnostics",
    "settings_for_file",
    "unused_comments",
]
MODULES = {
    "Finder": "finder",
    "GradedDiagnostics": "grading",
    "Settings": "model",
    "grade_diagnostics": "grading",
    "unused_comments": "grading",
}


def __getattr__(name: str) -> Any:
    if name in MODULES:
        return getattr(importlib.import_module(f"transpile.settings.{MODULES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@functools.cache
def shared_finder() -> Finder:
    """The finder that `settings_for_file` uses."""
    from transpile.settings.finder import Finder

    return Finder()


def settings_for_file(path: str | os.PathLike[str]) -> Settings:
    """What holds for a file. Configurations are read once. A program that runs for long calls `forget_configurations`
    when they have changed.
    """
    return shared_finder().for_file(path)


def forget_configurations() -> None:
    """Forgets what was read."""
    shared_finder.cache_clear()
