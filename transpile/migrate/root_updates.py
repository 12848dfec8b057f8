"""Brings the directories up to date that environments share, and moves files there from the places of earlier runs.

Invariant: nothing of a template is written while a state or an edit of one of its environments would be left behind.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from typing import final

from transpile.migrate import archive, modules
from transpile.migrate.environment_groups import (
    DIRECTORIES,
    EnvironmentGroup,
    RootChooser,
    SharedRoot,
    StackPlace,
    digest_code,
)
from transpile.migrate.folder_updates import FolderUpdates, linked_digest
from transpile.migrate.moving import GroupMove
from transpile.migrate.relocation import EarlierDirectory, EarlierPlaces
from transpile.migrate.state import NO_DIGEST
from transpile.migrate.unit import CODE, digest_data
from transpile.targets import SharedRoots
from transpile.text import output as writer

OTHERS_FAIL = "others cannot be"


@final
class RootUpdates:
    """The directories of groups. layout: how environments share code. moves: whether states and edits are moved."""

    def __init__(
        self,
        updates: FolderUpdates,
        roots: SharedRoots,
        groups: Sequence[EnvironmentGroup],
        layout: str = DIRECTORIES,
        *,
        moves: bool = False,
    ) -> None:
        self.updates, self.roots, self.groups, self.layout, self.moves = updates, roots, groups, layout, moves
        self.state, self.tree, self.outcome = updates.state, updates.tree, updates.outcome
        self.grouped = {stack.output for group in groups for stack in group.stacks}
        self.unmoved: set[str] = set()  # directories of environments that stay although these have other places now

    def update_roots(self, alone: Collection[str]) -> set[str]:
        """Brings the directories up to date that environments share, and returns them. alone: the other directories of
        stacks.
        """
        if not self.groups:
            return set()
        codes: dict[str, str] = {}
        for row in self.state.walk_rows():
            if row.output in self.grouped and self.state.earlier_digest(row.output) != NO_DIGEST:
                code = row.summary.get(CODE) if row.converted else None
                if code is None:
                    code = digest_code(archive.unpack_files(self.state.read_files(row.output)).files, self.roots)
                codes[row.output] = code + json.dumps(self.state.modules_of_stack(row.output))
        chooser = RootChooser(self.tree.directory, self.roots, self.groups, alone, self.layout)
        chosen = [(group, chooser.choose_roots(group, codes, self.outcome.stale)) for group in self.groups]
        for _, roots in chosen:
            for root in roots:
                for environment, output in root.outputs.items():
                    self.outcome.places[output] = StackPlace(root.folder, environment)
        folders = set()
        for move in self.find_moves(chosen, alone):
            self.unmoved |= move.old_folders
            for output in move.places:
                self.outcome.places[output] = StackPlace(move.group.folder)
        for group, roots in chosen:
            folders |= {root.folder for root in roots}
            if group.folder not in self.outcome.problems:
                for root in roots:
                    self.update_root(root, {stack.environment for stack in group.stacks})
        return folders | self.unmoved

    def find_moves(
        self, chosen: Sequence[tuple[EnvironmentGroup, list[SharedRoot]]], alone: Collection[str]
    ) -> list[GroupMove]:
        """Moves environments from the places of earlier runs, if the user wants that. Returns the groups that stay
        as they are; the outcome says why. alone: the directories of stacks outside of groups.
        """
        earlier = EarlierPlaces(self.tree.directory, self.roots, self.layout)
        used = {root.folder: group.folder for group, roots in chosen for root in roots}
        needed: list[tuple[GroupMove, list[str], dict[str, dict[str, bytes]]]] = []
        for group, roots in chosen:
            move = GroupMove(earlier, group, roots)
            move.find_moves({*alone, *(folder for folder, owner in used.items() if owner != group.folder)})
            if not move.is_needed(force=self.tree.force):
                continue
            reasons = move.list_problems()
            texts = {}
            for root in roots:
                carried = move.carry(root, self.join_root(root, set())[0])
                reasons += carried.problems
                texts[root.folder] = carried.texts
            needed.append((move, reasons, texts))
        refused = any(reasons for _, reasons, _ in needed)
        for move, reasons, texts in needed:
            if not self.moves:
                self.outcome.problems[move.group.folder] = [move.refuse()]
            elif refused:
                self.outcome.problems[move.group.folder] = [move.refuse(reasons or [OTHERS_FAIL])]
            else:
                self.carry_out_move(move, texts)
        return [move for move, _, _ in needed if move.group.folder in self.outcome.problems]

    def carry_out_move(self, move: GroupMove, texts: Mapping[str, Mapping[str, bytes]]) -> None:
        """Moves the environments of a template. texts: by directory, the files that get the edits of earlier places."""
        self.outcome.moved.extend(move.describe())
        if not self.tree.writes:
            self.unmoved |= move.old_folders
            return
        try:
            move.save_backups()
            for root in move.roots:
                if root.folder in {m.new.folder for m in move.moves}:
                    self.update_root(root, {stack.environment for stack in move.group.stacks})
                    self.tree.write_edits(root.folder, texts[root.folder])
                if root.folder in self.outcome.problems:
                    return
            move.move_states()
            move.remove_old()
        except OSError as e:
            name = e.filename or self.tree.directory
            self.outcome.problems[move.group.folder] = [writer.unwritable(name, e.strerror)]

    def update_root(self, root: SharedRoot, environments: Collection[str]) -> None:
        """Brings a directory up to date that environments share. environments: all of the template."""
        if root.outputs.keys() == {""}:
            (row_output,) = root.outputs.values()
            names = self.updates.names_of_modules(row_output)
            digest = linked_digest(self.state.earlier_digest(row_output), names)
            self.updates.update_folder(root.folder, digest, None, names)
            return
        digests = {
            environment: linked_digest(self.state.earlier_digest(output), self.updates.names_of_modules(output))
            for environment, output in root.outputs.items()
        }
        left = self.find_abandoned(root.folder, environments)
        digest = digest_data(json.dumps([self.layout, digests, sorted(left)]))
        edited = self.tree.check_current(root.folder, digest)
        if edited is None:
            files, private = self.join_root(root, left)
            edited = self.updates.write_folder(root.folder, digest, files, private)
        if edited:
            self.outcome.edited[root.folder] = edited
        if left:
            self.outcome.abandoned[root.folder] = sorted(left)

    def join_root(self, root: SharedRoot, left: Collection[str]) -> tuple[dict[str, bytes], Collection[str]]:
        """The files of a root, and those that only their owner may read. left: environments that are gone, of which the
        files stay.
        """
        parts: dict[str, dict[str, bytes]] = {}
        private: set[str] = set()
        names: dict[str, str] = {}
        current = set(root.outputs.values()) - set(self.outcome.stale)
        for environment, output in root.outputs.items():
            self.updates.check_saved([output])
            unpacked = archive.unpack_files(self.state.read_files(output))
            of_environment = {name: data for name, data in unpacked.files.items() if self.roots.belongs(name)}
            parts[environment] = of_environment if current and output not in current else unpacked.files
            private |= unpacked.private
            names |= self.updates.names_of_modules(output)
        if root.outputs.keys() == {""}:
            files = parts[""]
        else:
            files = self.roots.join(self.layout, parts)
        directory = EarlierDirectory(self.tree.directory, root.folder)
        for environment in left:
            front = self.roots.name_values(environment).removesuffix("tfvars")
            kept = {name: directory.base.get(name) for name in directory.hashes if name.startswith(front)}
            files |= {name: text for name, text in kept.items() if text is not None}
        above = modules.path_to_modules(root.folder, self.updates.folder) if names else ".."
        files = modules.replace_content_names(files, names, above) if names else files
        return files, private & files.keys()

    def find_abandoned(self, folder: str, environments: Collection[str]) -> set[str]:
        """The environments of a directory that the source has not got any more, and that have a state. environments:
        those of the template.
        """
        earlier = EarlierPlaces(self.tree.directory, self.roots, self.layout)
        there = {self.roots.environment_of(name) for name in earlier.directory(folder).hashes}
        gone = there - set(environments) - {""}
        return {environment for environment in gone if earlier.find_states(StackPlace(folder, environment))}

    def list_states(self, folder: str) -> list[str]:
        """The environments that have a state in a directory; an empty name for a state of the whole directory."""
        earlier = EarlierPlaces(self.tree.directory, self.roots, self.layout)
        there = {self.roots.environment_of(name) for name in earlier.directory(folder).hashes}
        return [name for name in sorted({*there, ""}) if earlier.find_states(StackPlace(folder, name))]
