"""Configuration: what a repository and its user want of hot2tf.

`for_file` and `graded` are all that a command needs. Invariant: reading a configuration runs nothing and writes
nothing.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from transpile.settings.finder import Finder
from transpile.settings.grading import Graded, graded, unused
from transpile.settings.model import Settings

if TYPE_CHECKING:
    import os

__all__ = ["Finder", "Graded", "Settings", "for_file", "forget", "graded", "unused"]


@functools.cache
def shared() -> Finder:
    """The finder that `for_file` uses."""
    return Finder()


def for_file(path: str | os.PathLike[str]) -> Settings:
    """What holds for a file. Configurations are read once; a program that goes on for long calls `forget` when they
    have changed.
    """
    return shared().for_file(path)


def forget() -> None:
    """Forgets what was read."""
    shared.cache_clear()
