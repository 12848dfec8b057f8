"""Configuration: the options that a repository and its user set for hot2tf.

A command needs only `settings_for_file` and `grade_diagnostics`. The modules behind them are imported on first use,
because at the start most commands need only the table of options.

Invariant: to read a configuration runs no program and writes no file.
"""

from __future__ import annotations

import functools
import importlib
import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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
    """Returns the settings of a file.

    Each configuration is read only once. A program that runs for long must call `forget_configurations` after a
    configuration has changed.
    """
    return shared_finder().for_file(path)


def forget_configurations() -> None:
    """Forgets all configurations that were read, so that they are read again."""
    shared_finder.cache_clear()
