"""Carries out a plan: converts the stacks that are out of date, and updates the destination.

Invariant: each result is saved before the next step depends on it, so a run that was stopped anywhere is continued by
the same command, and ends with the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import posixpath
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, final

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.migrate import archive, modules, references
from transpile.migrate.environment_groups import (
    DIRECTORIES,
    EnvironmentGroup,
    RootChooser,
    SharedRoot,
    StackPlace,
    digest_code,
)
from transpile.migrate.executors import Executor
from transpile.migrate.moving import GroupMove
from transpile.migrate.progress import Progress
from transpile.migrate.relocation import EarlierDirectory, EarlierPlaces
from transpile.migrate.state import NO_DIGEST, MigrationState, StackRow
from transpile.migrate.tree import DestinationTree
from transpile.migrate.unit import CODE, UNREAD, MigrationUnit, UnitResult, digest_data
from transpile.targets import Target
from transpile.text import output as writer
from transpile.text.source import FILE_LIMIT, UnreadableFile, read_bytes
from transpile.text.urls import is_url

OTHERS_FAIL = "others cannot be"
TRY_AGAIN = ""  # in place of the digest of a request: it is tried again in the next run
CONVERTED, UNCHANGED, COPIED, FAILED = "converted", "unchanged", "copied", "failed"


class MigrationOutcome(NamedTuple):
    """The result of a run. done: by stack, one of the words above. written: the directories that were written. edited:
    by directory, the files that a person changed and that were left as they are. problems: by directory, why it could
    not be written. names: the plain name of each shared module, by its content name. removed: directories of stacks
    that are no longer in the plan. stale: directories of an earlier run whose stacks cannot be converted now.
    still_used: directories that nothing is written into any more, each with a file that refers to it.
    merged: by directory, the files that got a person's changes and ours. marked: those with
    markers of conflicts. places: where each stack is, by its output. abandoned: by directory, environments that the
    source has not got any more, and that have a state. moved: what was moved, in words.
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


@final
class FileDigests:
    """The digests of files below the root, each read once."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.digests: dict[str, str] = {}

    def digest_file(self, name: str) -> str:
        """The SHA-256 of a file; UNREAD if it cannot be read. URLs are not fetched for this."""
        if name not in self.digests:
            try:
                data = read_bytes(f"{self.root}/{name}", FILE_LIMIT)
                self.digests[name] = digest_data(data)
            except UnreadableFile:
                self.digests[name] = UNREAD
        return self.digests[name]

    def are_unchanged(self, reads: Mapping[str, str]) -> bool:
        """Whether all files are as they were. What was fetched from a URL may have changed."""
        return all(
            not is_url(name) and self.digest_file(name) == earlier_digest for name, earlier_digest in reads.items()
        )


@final
class MigrationRun:
    """One run of `migrate`. folder: where shared modules lie, below the destination. groups: the stacks that may share
    code. layout: how they do. moves: whether states and edits are moved to other places.
    """

    def __init__(
        self,
        state: MigrationState,
        tree: DestinationTree,
        target: Target,
        root: str,
        progress: Progress,
        groups: Sequence[EnvironmentGroup] = (),
        layout: str = DIRECTORIES,
        *,
        moves: bool = False,
    ) -> None:
        self.state, self.tree, self.target, self.progress = state, tree, target, progress
        self.contents = FileDigests(root)
        self.folder = target.shared.folder if target.shared is not None else ""
        self.unmoved: set[str] = set()  # directories of environments that stay although these have other places now
        self.groups, self.layout, self.moves = groups, layout, moves
        self.grouped = {stack.output for group in groups for stack in group.stacks}
        self.outcome = MigrationOutcome({}, [], {}, {}, {}, [], [], {}, {}, {}, {}, {}, [])
        self.firsts: dict[str, str] = {}  # of equal stacks in different places, the one that is converted
        self.checked: set[str] = set()  # stacks of earlier runs whose saved files have their digest

    def run_all(
        self, units: Iterable[MigrationUnit], executor: Executor, *, fail_fast: bool = False
    ) -> MigrationOutcome:
        """Converts the units that are not up to date, and brings the destination up to date."""
        units = list(units)
        waiting = self.find_outdated(units)
        equal: list[MigrationUnit] = []
        todo: list[MigrationUnit] = []
        for unit in waiting:
            anywhere = self.request_digest(unit, anywhere=True)
            (equal if anywhere in self.firsts else todo).append(unit)
            self.firsts.setdefault(anywhere, unit.output)
        self.progress.begin(len(units), len(units) - len(waiting))
        stopped = not self.convert_units(todo, executor, fail_fast=fail_fast)
        if not stopped:
            others = [unit for unit in equal if not self.copy_equal_result(unit)]
            stopped = not self.convert_units(others, executor, fail_fast=fail_fast)
        if not stopped:
            self.link_modules([unit.output for unit in units])
        return self.outcome

    def find_outdated(self, units: Iterable[MigrationUnit]) -> list[MigrationUnit]:
        """The units without a result, and those whose files have changed since. Forgets stacks that the plan lacks."""
        rows = {row.output: (row.request, row.reads, row.converted, row.anywhere) for row in self.state.walk_rows()}
        outdated = []
        for unit in units:
            request, reads, converted, anywhere = rows.pop(unit.output, ("", {}, False, ""))
            if request == self.request_digest(unit) and self.contents.are_unchanged(reads):
                self.outcome.done[unit.output] = UNCHANGED if converted else FAILED
                self.firsts.setdefault(anywhere, unit.output)
            else:
                outdated.append(unit)
        with self.state.transaction():
            for output in rows:
                self.state.forget_stack(output)
        return outdated

    def request_digest(self, unit: MigrationUnit, *, anywhere: bool = False) -> str:
        digests = {name: self.contents.digest_file(name) for name in unit.named_files}
        return unit.digest(digests, anywhere=anywhere)

    def convert_units(self, units: list[MigrationUnit], executor: Executor, *, fail_fast: bool) -> bool:
        """Converts units and saves their results. Returns whether all were converted, or at least tried."""
        for unit, result_or_error in executor.run_units(units):
            result = (
                result_or_error
                if isinstance(result_or_error, UnitResult)
                else make_failed_result(unit, result_or_error)
            )
            # the digest may be that of a file that could be read then
            unread = codes.UNREADABLE_FILE in result.summary["codes"]
            request = TRY_AGAIN if unread or result is not result_or_error else self.request_digest(unit)
            self.state.save_result(result, request, self.request_digest(unit, anywhere=True))
            self.outcome.done[unit.output] = CONVERTED if result.converted else FAILED
            self.progress.finish_unit(unit, self.outcome.done[unit.output], result)
            if not result.converted and fail_fast:
                executor.close()
                return False
            if result.converted and not result.modules and result.output not in self.grouped:
                self.update_folder(result.output, result.digest, result.files, {})
        return True

    def copy_equal_result(self, unit: MigrationUnit) -> bool:
        """Whether the result of an equal stack holds here, too: it read no other files, and does not have its name."""
        row = self.state.find_row(self.firsts[self.request_digest(unit, anywhere=True)])
        if row is None or row.reads or row.summary.get("named", True):
            return False
        request = self.request_digest(unit) if row.request != TRY_AGAIN else TRY_AGAIN
        self.state.copy_result(row, unit.output, request)
        self.outcome.done[unit.output] = COPIED if row.converted else FAILED
        self.progress.finish_unit(unit, self.outcome.done[unit.output], None)
        return True

    def link_modules(self, outputs: list[str]) -> None:
        """Names the shared modules and brings all directories up to date."""
        self.progress.begin_stage("writing")
        self.state.remove_unused_modules()
        used_modules = list(self.state.walk_modules())
        below = self.folder + "/"
        taken = {output[len(below) :].partition("/")[0] for output in outputs if output.startswith(below)}
        names = modules.choose_plain_names(used_modules, taken)
        self.outcome.names.update(names)
        here = set()
        for content_name, name in names.items():
            folder = f"{self.folder}/{name}"
            here.add(folder)
            used = digest_data(content_name + json.dumps(self.mentioned_names(content_name, names)))
            self.update_folder(folder, used, None, names, content_name)
        alone = [output for output in outputs if output not in self.grouped]
        self.outcome.stale.extend(row.output for row in self.state.walk_rows() if self.is_stale(row))
        here |= self.update_roots(alone)
        for row in self.state.walk_rows():
            last = self.state.earlier_digest(row.output)
            if last != NO_DIGEST and row.output not in self.grouped:
                here.add(row.output)
                used_names = self.names_of_modules(row.output)
                self.update_folder(row.output, linked_digest(last, used_names), None, used_names)
        self.remove_folders(here | set(alone))

    def is_stale(self, row: StackRow) -> bool:
        """Whether a stack cannot be converted now, but an earlier run could."""
        return not row.converted and self.state.earlier_digest(row.output) != NO_DIGEST

    def names_of_modules(self, output: str) -> dict[str, str]:
        """The plain names of the modules that a stack uses, by content name."""
        return {module: self.outcome.names[module] for module in self.state.modules_of_stack(output)}

    def update_roots(self, alone: Collection[str]) -> set[str]:
        """Brings the directories up to date that environments share, and returns them. alone: the other directories of
        stacks.
        """
        if not self.groups or self.target.roots is None:
            return set()
        codes: dict[str, str] = {}
        for row in self.state.walk_rows():
            if row.output in self.grouped and self.state.earlier_digest(row.output) != NO_DIGEST:
                code = row.summary.get(CODE) if row.converted else None
                if code is None:
                    code = digest_code(archive.unpack_files(self.state.read_files(row.output)).files, self.target.roots)
                codes[row.output] = code + json.dumps(self.state.modules_of_stack(row.output))
        chooser = RootChooser(self.tree.directory, self.target.roots, self.groups, alone, self.layout)
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
        """Moves what earlier runs left of environments elsewhere, if the user wants that. Returns the groups that stay
        as they are; the outcome says why. alone: the directories of stacks outside of groups.
        """
        assert self.target.roots is not None
        earlier = EarlierPlaces(self.tree.directory, self.target.roots, self.layout)
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
            names = self.names_of_modules(row_output)
            digest = linked_digest(self.state.earlier_digest(row_output), names)
            self.update_folder(root.folder, digest, None, names)
            return
        digests = {
            environment: linked_digest(self.state.earlier_digest(output), self.names_of_modules(output))
            for environment, output in root.outputs.items()
        }
        left = self.find_abandoned(root.folder, environments)
        digest = digest_data(json.dumps([self.layout, digests, sorted(left)]))
        edited = self.tree.check_current(root.folder, digest)
        if edited is None:
            files, private = self.join_root(root, left)
            edited = self.write_folder(root.folder, digest, files, private)
        if edited:
            self.outcome.edited[root.folder] = edited
        if left:
            self.outcome.abandoned[root.folder] = sorted(left)

    def join_root(self, root: SharedRoot, left: Collection[str]) -> tuple[dict[str, bytes], Collection[str]]:
        """The files of a root, and those that only their owner may read. left: environments that are gone, of which the
        files stay.
        """
        assert self.target.roots is not None
        parts: dict[str, dict[str, bytes]] = {}
        private: set[str] = set()
        names: dict[str, str] = {}
        roots, current = self.target.roots, set(root.outputs.values()) - set(self.outcome.stale)
        for environment, output in root.outputs.items():
            self.check_saved([output])
            unpacked = archive.unpack_files(self.state.read_files(output))
            of_environment = {name: data for name, data in unpacked.files.items() if roots.belongs(name)}
            parts[environment] = of_environment if current and output not in current else unpacked.files
            private |= unpacked.private
            names |= self.names_of_modules(output)
        if root.outputs.keys() == {""}:
            files = parts[""]
        else:
            files = self.target.roots.join(self.layout, parts)
        directory = EarlierDirectory(self.tree.directory, root.folder)
        for environment in left:
            front = self.target.roots.name_values(environment, "").removesuffix("tfvars")
            kept = {name: directory.base.get(name) for name in directory.hashes if name.startswith(front)}
            files |= {name: text for name, text in kept.items() if text is not None}
        above = modules.path_to_modules(root.folder, self.folder) if names else ".."
        files = modules.replace_content_names(files, names, above) if names else files
        return files, private & files.keys()

    def find_abandoned(self, folder: str, environments: Collection[str]) -> set[str]:
        """The environments of a directory that the source has not got any more, and that have a state. environments:
        those of the template.
        """
        assert self.target.roots is not None
        earlier = EarlierPlaces(self.tree.directory, self.target.roots, self.layout)
        there = {self.target.roots.environment_of(name) for name in earlier.directory(folder).hashes}
        gone = there - set(environments) - {""}
        return {environment for environment in gone if earlier.find_states(StackPlace(folder, environment))}

    def remove_folders(self, current: Collection[str]) -> None:
        """Removes directories of earlier runs that are not among the current ones, that no file refers to, and that
        have no state of the target's tool.
        """
        candidates = [folder for folder in self.state.list_folders() if folder not in current]
        used = references.find_used_folders(self.tree.directory, candidates) if candidates else {}
        for folder in candidates:
            if folder in used:
                self.outcome.still_used[folder] = used[folder]
            elif environments := self.list_states(folder):
                self.outcome.abandoned[folder] = environments
            else:
                if self.tree.has_folder(folder):
                    self.outcome.removed.append(folder)
                if problems := self.tree.remove_folder(folder):
                    self.outcome.problems[folder] = problems

    def list_states(self, folder: str) -> list[str]:
        """The environments that have a state in a directory; an empty name for a state of the whole directory."""
        if self.target.roots is None:
            return []
        earlier = EarlierPlaces(self.tree.directory, self.target.roots, self.layout)
        there = {self.target.roots.environment_of(name) for name in earlier.directory(folder).hashes}
        return [name for name in sorted({*there, ""}) if earlier.find_states(StackPlace(folder, name))]

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
        """Writes a directory, notes what came of it, and returns the edited files."""
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
        one is enough. Raises archive.Damaged. What this run has converted itself is right.
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

    def mentioned_names(self, content_name: str, names: Mapping[str, str]) -> list[str]:
        """The plain names of a module and of those that it calls."""
        text = b"".join(archive.unpack_files(self.state.read_module(content_name)).files.values())
        mentions = {match[2].decode() for match in modules.MENTION.finditer(text)}
        return [names[content_name], *(names[mention] for mention in sorted(mentions & set(names)))]


def linked_digest(own: str, names: Mapping[str, str]) -> str:
    """A digest of a stack's files as they are written: their own, and the names of the modules that they call."""
    return digest_data(own + json.dumps(sorted(names.items()))) if names else own


def make_failed_result(unit: MigrationUnit, reason: Exception) -> UnitResult:
    """The result of a unit that raised an exception or ended its process."""
    source = posixpath.basename(unit.template)
    diagnostic = Diagnostic(codes.INTERNAL_ERROR, f"hot2tf failed: {type(reason).__name__}: {reason}")
    report: dict[str, Any] = {"source": source, "target": unit.request_digest.to, "diagnostics": [diagnostic.as_json()]}
    packed = archive.compress_data(json.dumps(report).encode())
    summary = {
        "treatments": {},
        "dropped": 0,
        "diagnostics": {"error": 1},
        "codes": {codes.INTERNAL_ERROR: 1},
        "kept": [],
    }
    return UnitResult(unit.output, False, {}, archive.pack_files({}), {}, packed, summary, hashlib.sha256().hexdigest())
