"""The outcome of one run of a migration.

Invariant: stacks are named by their outputs, and all else by directories of the destination.
"""

from __future__ import annotations

from typing import NamedTuple

from transpile.diagnostics.model import Diagnostic
from transpile.migrate.environment_groups import StackPlace

CONVERTED, UNCHANGED, COPIED, FAILED = "converted", "unchanged", "copied", "failed"


class MigrationOutcome(NamedTuple):
    """The result of a run. done: by stack, one of the words above. written: the directories that were written. edited:
    by directory, the files that a person changed and that were left as they are. problems: by directory, why it could
    not be written. names: the plain name of each shared module, by its content name. removed: directories of stacks
    that are no longer in the plan. stale: directories of an earlier run whose stacks cannot be converted now.
    still_used: directories that nothing is written into any more, each with a file that refers to it.
    merged: by directory, the files that got a person's changes and ours. marked: those with
    markers of conflicts. places: where each stack is, by its output. abandoned: by directory, environments that the
    source has not got any more, and that have a state. moved: the moves, in words.
    """

    done: dict[str, str]
    written: list[str]
    edited: dict[str, list[str]]
    problems: dict[str, list[Diagnostic]]
    names: dict[str, str]
    removed: list[str]
    stale: list[str]
    still_used: dict[str, str]
    merged: dict[str, list[str]]
    marked: dict[str, list[str]]
    places: dict[str, StackPlace]
    abandoned: dict[str, list[str]]
    moved: list[str]

    def folder_of(self, output: str) -> str:
        """The directory of a stack."""
        return self.places[output].folder if output in self.places else output
