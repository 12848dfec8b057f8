"""Writes the directories of the destination: a new one appears as a whole, an existing one is updated.

Invariant: a file that a person has changed is overwritten only with `force`, and nothing is written through links.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import pathlib
import shutil
from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple, final

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.migrate.state import FOLDER, MigrationState, PlacedFiles
from transpile.text import destination_records, manifest, merge, output, places
from transpile.text.addresses import CARRIED, Follow, FollowedDirectory, follow_directory
from transpile.text.base_store import BASE, print_base
from transpile.text.directory_plan import DirectoryPlan

STAGING = "staging"
LEFT = 0, 0  # size and time of a file that a person edited or removed: it is looked at again in each run


class FolderChange(NamedTuple):
    """The changes of one directory. edited: files that differ from the written ones, and were left as they are.
    merged: files that got a person's changes and ours; marked: those with conflicts. written: whether anything was.
    """

    written: bool
    edited: list[str]
    problems: list[Diagnostic]
    merged: Collection[str] = ()
    marked: Collection[str] = ()


class FileChange(NamedTuple):
    """A file that would change: its path below the destination, its text before and after, and whether it holds hidden
    values.
    """

    path: str
    before: bytes
    after: bytes
    private: bool


@final
class DestinationTree:
    """The destination. `owns`: whether the target writes files of a name and content; `force`: overwrite edits;
    `conflicts`: write conflicts with edits with markers; `writes`: whether anything is written; `follow`: see `Target`.
    followed: by directory, the addresses that have changed.
    """

    def __init__(
        self,
        directory: pathlib.Path,
        state: MigrationState,
        owns: Callable[[str, bytes], bool],
        optional: Collection[str] = (),
        *,
        follow: Follow | None = None,
        force: bool = False,
        conflicts: bool = False,
        writes: bool = True,
    ) -> None:
        self.directory, self.state, self.owns, self.force = directory, state, owns, force
        self.conflicts, self.writes = conflicts, writes
        self.follow = follow
        self.changes_by_folder: dict[str, list[FileChange]] = {}
        self.followed: dict[str, FollowedDirectory] = {}
        self.optional = optional
        self.staging = directory / FOLDER / STAGING
        self.records = manifest.read_destination(directory)
        self.removed: set[str] = set()

    @property
    def losses(self) -> list[Diagnostic]:
        """The warnings about objects that Terraform destroys or replaces although Heat keeps them."""
        problems = [problem for followed in self.followed.values() for problem in followed.diagnostics]
        return [problem for problem in problems if problem.severity != "info"]

    @property
    def changes(self) -> list[FileChange]:
        """The changes that a run without output would make. A directory that was planned twice counts once."""
        return [change for changes in self.changes_by_folder.values() for change in changes]

    def check_current(self, folder: str, digest: str) -> list[str] | None:
        """The edited files of a directory that is up to date; None if it must be written.

        Contents are read only if size or time differ from the saved ones, which keeps a run without changes fast.
        """
        placed = self.state.find_placed(folder)
        if placed is None or placed.digest != digest or not self.is_remembered(folder, placed):
            return None
        edited, above = [], os.fspath(self.directory / folder)
        for name, (size, changed, content) in placed.files.items():
            try:
                status = os.lstat(f"{above}/{name}")
            except OSError:
                if (size, changed) == LEFT and pathlib.Path(above).is_dir():
                    edited.append(name)
                    continue
                return None
            if (status.st_size, status.st_mtime_ns) != (size, changed):
                data = places.read_regular_file(pathlib.Path(above, name))
                if data is None or manifest.hash_file(name, data) != content:
                    edited.append(name)
                if data is not None and merge.has_markers(data):
                    return None
        return None if edited and self.force else edited

    def is_remembered(self, folder: str, placed: PlacedFiles) -> bool:
        """Whether the directory or the destination has the same hashes as the state. Git may bring others."""
        try:
            record = manifest.read_own_record(self.directory / folder) or self.records.get(folder, {})
        except OSError:
            return False
        hashes = {name: content for name, (_, _, content) in placed.files.items()}
        return record.get("files") == hashes and "before" not in record

    def update_folder(
        self, folder: str, digest: str, files: Mapping[str, bytes], private: Collection[str] = ()
    ) -> FolderChange:
        """Makes a directory have these files. `digest`: of their inputs; `private`: those that only their
        owner may read.
        """
        if (
            outside_name := next((name for name in (folder, *files) if not places.is_plain_path(name)), None)
        ) is not None:
            return FolderChange(
                False, [], [Diagnostic(codes.OUTPUT_CANNOT_BE_WRITTEN, f"{outside_name} is outside {self.directory}.")]
            )
        files_with_manifest: dict[str, str | bytes] = {name: data for name, data in files.items() if name != CARRIED}
        section = json.loads(files[CARRIED]) if CARRIED in files else None
        files_with_manifest[manifest.MANIFEST] = manifest.print_manifest(files_with_manifest, section)
        directory = self.directory / folder
        try:
            if reason := places.find_obstacle(self.directory, f"{folder}/{manifest.MANIFEST}"):
                return FolderChange(False, [], [Diagnostic(codes.OUTPUT_CANNOT_BE_WRITTEN, reason)])
            if self.writes and places.kind_at_path(directory) == places.NOTHING:
                files_with_manifest = dict(follow_directory(directory, files_with_manifest, self.follow).files)
                self.make_directory(directory, files_with_manifest, private)
                change = output.DirectoryChange(True, [], [], [], [])
                left: list[str] = []
            else:
                owns = self.make_owner_test(folder)
                left = [] if self.force else self.find_foreign_files(directory, owns, files)
                change = output.update_directory(
                    directory,
                    files_with_manifest,
                    owns=owns,
                    left=left,
                    optional=self.optional,
                    private=private,
                    force=self.force,
                    conflicts=self.conflicts or not self.writes,
                    writes=self.writes,
                    follow=self.follow,
                )
                if change.followed is not None:
                    files_with_manifest = dict(change.followed.files)
                    self.followed[folder] = change.followed._replace(files={}, accepted={})  # neither is needed
                if change.plan is not None and not self.writes:
                    self.keep_changes(folder, change.plan, private)
                if any(p.severity == "error" for p in change.problems) and not change.changed:
                    return FolderChange(False, self.find_edits(folder), change.problems)
            edited = sorted({*left, *change.kept})
            stamped = [*edited, *change.merged, *change.marked]
            if self.writes:
                self.state.save_placed(
                    folder, digest, dict(sorted(self.read_stamps(directory, files_with_manifest, stamped)))
                )
        except OSError as e:
            return FolderChange(False, [], [output.unwritable(e.filename or directory, e.strerror)])
        errors = [problem for problem in change.problems if problem.severity == "error"]
        return FolderChange(change.changed, edited, errors, change.merged, change.marked)

    def write_edits(self, folder: str, texts: Mapping[str, bytes]) -> None:
        """Writes files as a person edited them elsewhere, so that later runs see edits. Raises OSError."""
        directory = self.directory / folder
        for name, data in texts.items():
            path = directory / name
            if places.find_obstacle(directory, name) == "" and places.read_regular_file(path) != data:
                path.parent.mkdir(parents=True, exist_ok=True)
                places.write_atomically(path, data)

    def keep_changes(self, folder: str, plan: DirectoryPlan, private: Collection[str] = ()) -> None:
        """Keeps the changes that a plan would make in a directory, to show them."""
        self.changes_by_folder[folder] = [
            FileChange(f"{folder}/{name}", before, after, name in private or self.is_private(folder, name))
            for name, before, after in plan.walk_changes()
        ]

    def is_private(self, folder: str, name: str) -> bool:
        """Whether only its owner may read an existing file, because it holds hidden values."""
        path = self.directory / folder / name
        there = os.name == "posix" and places.kind_at_path(path) == places.FILE
        return there and not places.is_readable_by_others(path)

    def find_foreign_files(
        self, directory: pathlib.Path, owns: Callable[[str, bytes], bool], files: Mapping[str, bytes]
    ) -> list[str]:
        """Of our files those for people, such as README.md, that a person wrote or edited."""
        return [name for name in output.find_foreign_files(directory, self.optional, owns) if name in files]

    def make_owner_test(self, folder: str) -> Callable[[str, bytes], bool]:
        """The test whether a file in a directory is ours: the target writes such files, or the state has it."""
        placed = self.state.find_placed(folder)
        names = placed.files if placed is not None else {}
        return lambda name, content: name in names or self.owns(name, content)

    def make_directory(
        self, directory: pathlib.Path, files: Mapping[str, str | bytes], private: Collection[str]
    ) -> None:
        """Makes a new directory, which appears when it is complete. Raises OSError."""
        staged = self.staging / hashlib.sha256(os.fsencode(directory)).hexdigest()[:16]
        if staged.exists():
            shutil.rmtree(staged)
        staged.mkdir(parents=True)
        folders = {staged}
        store = print_base(files)
        places.write_atomically(staged / BASE, store, places.PRIVATE if private else None)
        for name, content in files.items():
            path = staged / name
            if path.parent not in folders:
                path.parent.mkdir(parents=True, exist_ok=True)
                folders.add(path.parent)
            if name in private:
                places.write_atomically(path, manifest.encode_content(content), places.PRIVATE)
            else:
                path.write_bytes(manifest.encode_content(content))
        directory.parent.mkdir(parents=True, exist_ok=True)
        staged.rename(directory)

    def read_stamps(
        self, directory: pathlib.Path, files: Mapping[str, str | bytes], left: Collection[str]
    ) -> list[tuple[str, tuple[int, int, str]]]:
        out = []
        for name, content in files.items():
            if name == manifest.MANIFEST:
                continue
            if name in left:  # which is looked at again in the next run
                out.append((name, (*LEFT, manifest.hash_file(name, content))))
                continue
            status = os.lstat(directory / name)
            out.append((name, (status.st_size, status.st_mtime_ns, manifest.hash_file(name, content))))
        return out

    def find_edits(self, folder: str) -> list[str]:
        """The files of a directory that are not as they were written."""
        placed = self.state.find_placed(folder) or PlacedFiles("", {})
        edits = []
        for name, (_, _, content) in placed.files.items():
            data = places.read_regular_file(self.directory / folder / name)
            if data is not None and manifest.hash_file(name, data) != content:
                edits.append(name)
        return edits

    def has_folder(self, folder: str) -> bool:
        """Whether there is such a directory below the destination."""
        return places.is_plain_path(folder) and places.kind_at_path(self.directory / folder) == places.DIRECTORY

    def remove_folder(self, folder: str) -> list[Diagnostic]:
        """Removes the files of earlier runs from a directory that is not needed any more."""
        directory = self.directory / folder
        diagnostics: list[Diagnostic] = []
        if self.has_folder(folder):
            change = output.update_directory(
                directory, {}, owns=self.make_owner_test(folder), force=self.force, writes=self.writes
            )
            diagnostics = change.problems
            if change.plan is not None and not self.writes:
                self.keep_changes(folder, change.plan)
            if not self.writes or any(p.severity == "error" for p in diagnostics):
                return diagnostics
            with contextlib.suppress(OSError):
                places.remove_file(directory / manifest.MANIFEST)
                places.remove_file(directory / BASE)
                places.remove_empty_directories(self.directory, directory)
        self.removed.add(folder)
        self.state.forget_placed(folder)
        return diagnostics

    def gather_records(self, top: Mapping[str, str]) -> None:
        """Writes the records of all directories to the top of the destination, with the hashes of the files there.
        Raises OSError.
        """
        destination_records.gather_records(self.directory, self.state.list_folders(), self.removed, top)
