"""Brings single directories of the destination up to date with the saved results of conversions.

Invariant: a saved result that is older than this run is compared with its digest before anything is written from it.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from typing import final

from transpile.migrate import archive, modules
from transpile.migrate.outcome import CONVERTED, MigrationOutcome
from transpile.migrate.state import MigrationState
from transpile.migrate.tree import DestinationTree
from transpile.migrate.unit import digest_data


@final
class FolderUpdates:
    """Writes directories, and records the results in the outcome. folder: where shared modules lie, below the
    destination.
    """

    def __init__(self, state: MigrationState, tree: DestinationTree, folder: str, outcome: MigrationOutcome) -> None:
        self.state, self.tree, self.folder, self.outcome = state, tree, folder, outcome
        self.checked: set[str] = set()  # stacks of earlier runs whose saved files have their digest

    def names_of_modules(self, output: str) -> dict[str, str]:
        """The plain names of the modules that a stack uses, by content name."""
        return {module: self.outcome.names[module] for module in self.state.modules_of_stack(output)}

    def update_folder(
        self,
        folder: str,
        folder_digest: str,
        files: bytes | None,
        names: Mapping[str, str],
        content_name: str | None = None,
    ) -> None:
        """Brings one directory up to date. `files`: their archive, if it is at hand."""
        edited = self.tree.check_current(folder, folder_digest)
        if edited is None:
            if files is None and content_name is not None:
                self.check_saved(self.state.stacks_of_module(content_name))
                files = self.state.read_module(content_name)
            elif files is None:
                self.check_saved([folder])
                files = self.state.read_files(folder)
            above = ".." if content_name is not None or not names else modules.path_to_modules(folder, self.folder)
            unpacked = archive.unpack_files(files)
            linked = modules.replace_content_names(unpacked.files, names, above) if names else unpacked.files
            edited = self.write_folder(folder, folder_digest, linked, unpacked.private)
        if edited:
            self.outcome.edited[folder] = edited

    def write_folder(
        self, folder: str, folder_digest: str, files: Mapping[str, bytes], private: Collection[str]
    ) -> list[str]:
        """Writes a directory, records the result, and returns the edited files."""
        change = self.tree.update_folder(folder, folder_digest, files, private)
        if change.written:
            self.outcome.written.append(folder)
        if change.merged:
            self.outcome.merged[folder] = list(change.merged)
        if change.written and change.marked:
            self.outcome.marked[folder] = list(change.marked)
        if change.problems:
            self.outcome.problems[folder] = change.problems
        return change.edited

    def check_saved(self, users: Sequence[str]) -> None:
        """Compares saved files with the digest of the stack that they were made for. `users`: the stacks that use them;
        one is enough. Raises archive.Damaged. Results of this run are right without a check.
        """
        if any(self.outcome.done.get(user) == CONVERTED for user in users) or not self.checked.isdisjoint(users):
            return
        user = users[0]
        files = archive.unpack_files(self.state.read_files(user)).files
        for name in self.state.modules_of_stack(user):
            inside = archive.unpack_files(self.state.read_module(name)).files
            files = {**files, **{f"{name}/{at}": data for at, data in inside.items()}}
        if archive.digest_files(files) != self.state.earlier_digest(user):
            raise archive.Damaged(f"the saved files of {user} are others than those that it was converted to")
        self.checked.add(user)


def linked_digest(own: str, names: Mapping[str, str]) -> str:
    """A digest of a stack's files as they are written: their own, and the names of the modules that they call."""
    return digest_data(own + json.dumps(sorted(names.items()))) if names else own
