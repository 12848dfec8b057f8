"""What lets a command begin sooner, in a process that is all its own.

The easy rule to break: only the command does this. Whoever imports the package has threads that we know nothing of, and
a patched module would be theirs as well.
"""

from __future__ import annotations

import re
from typing import Any, final


@final
class Later:
    """A pattern that is compiled when it is first asked something."""

    def __init__(self, pattern: Any, flags: Any = 0) -> None:
        self.given = pattern, flags

    def __getattr__(self, name: str) -> Any:
        found = getattr(re.compile(*self.given), name)
        setattr(self, name, found)
        return found


def import_yaml() -> None:
    """Imports PyYAML without the patterns of its reader in Python, which no command uses: one is over all of Unicode,
    and takes a third of the import.
    """
    compiled = re.compile
    re.compile = Later  # type: ignore[assignment]
    try:
        import yaml  # noqa: F401
    finally:
        re.compile = compiled
