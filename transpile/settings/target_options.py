"""The options of a target, with further data for hot2tf's own targets.

Invariant: every target gets the options by name, also one of another package.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, final

from transpile.settings.command_paths import CommandPaths


@final
class TargetOptions(dict[str, Any]):
    """The values of all options, by name. tables: the mapping tables that the target read for the run. paths: those of
    the command line. takeover: the names and values of a running stack, from the target's wing for adoptions. tables
    and takeover are None for those that are built in, and for a new stack.
    """

    def __init__(
        self, values: Mapping[str, Any], paths: CommandPaths | None = None, tables: Any = None, takeover: Any = None
    ) -> None:
        super().__init__(values)
        self.paths, self.tables, self.takeover = paths or CommandPaths(), tables, takeover


def extend_options(options: Mapping[str, Any], values: Mapping[str, Any]) -> TargetOptions:
    """The same with other values."""
    if not isinstance(options, TargetOptions):
        return TargetOptions({**options, **values})
    return TargetOptions({**options, **values}, options.paths, options.tables, options.takeover)
