"""Reads Heat's resource plug-ins without running them: the types that a cloud added, as facts like the catalog's.

Invariant: nothing of a plug-in is executed, nothing outside the directories is read, and every cost has a bound.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from transpile.model.budget import Budget
from transpile.plugins.model import PluginDirectory, PluginPlace, Plugins, PluginType

__all__ = ["PluginDirectory", "PluginPlace", "PluginType", "Plugins", "read_plugins"]


def read_plugins(directories: Sequence[str | os.PathLike[str]], budget: Budget, *, cache: bool = True) -> Plugins:
    """Reads the plug-ins in directories, which are in the order of Heat's option plugin_dirs. `cache`: facts from the
    same texts are read from the user's cache directory, and new ones are saved there.
    """
    from transpile.plugins import reader  # most runs have no plug-ins

    return reader.read_plugins(directories, budget, cache=cache)
