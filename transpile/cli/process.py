"""The entry point: the command in a process that is all its own, which lets it begin sooner and end at once.

The easy rule to break: only the command does what is here. Whoever imports the package has threads that we know nothing
of; a patched module would be theirs as well, and so would memory that nobody tidies up.
"""

from __future__ import annotations

import gc
import os
import re
import sys
from typing import Any, NoReturn, final

from transpile.cli.memory import ALLOCATIONS


def command() -> NoReturn:
    """`hot2tf`. It ends as soon as all is said: what is in memory then need not be taken apart piece by piece, which
    takes as long as checking many a template.
    """
    gc.set_threshold(ALLOCATIONS)  # before the imports, which leave nothing to collect
    from transpile.cli import app

    status: object = 0
    try:
        app.main(import_yaml)
    except SystemExit as e:
        status = e.code or 0
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except (OSError, ValueError):  # nobody reads it
            status = status or 1
    os._exit(status if isinstance(status, int) else 1)


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


if __name__ == "__main__":
    command()
