"""Decides the action for each file of a directory: write, merge, leave or remove it.

Invariant: files that hot2tf did not write stay. A file that was edited since is left if hot2tf would write the same
text as before, and merged otherwise. All conflicts are known before anything is written.
"""

from __future__ import annotations

import functools
import json
import pathlib
from collections.abc import Callable, Collection, Mapping
from typing import final

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.model.records import EMPTY
from transpile.model.words import count_noun
from transpile.text import manifest, merge, places
from transpile.text.base_store import parse_lines, print_base, read_base
from transpile.text.manifest import MANIFEST, encode_content

IGNORING = ".gitignore"  # the only hidden file that a target writes


CONFLICT_HINT = "--diff shows it, --conflicts writes both versions with markers, and --force overwrites yours."


class EarlierRun:
    """The files that an earlier run wrote into a directory, by its manifest.

    `owns`: whether the target writes files of this name and content.
    """

    def __init__(self, directory: pathlib.Path, owns: Callable[[str, bytes], bool]) -> None:
        self.directory, self.owns = directory, owns
        self.record = manifest.read_record(directory)
        self.files = manifest.list_hashes(self.record)
        self.finished = bool(self.record) and "before" not in self.record

    @functools.cached_property
    def base(self) -> dict[str, bytes]:
        """The texts that were written."""
        return read_base(self.directory, self.files) if self.files else {}

    def find_conflict(self, name: str, new: bytes | None) -> Diagnostic | None:
        """Why an existing file may not be replaced or, if `new` is None, removed; None if it may."""
        path = self.directory / name
        existing = places.read_regular_file(path)
        if existing is None:
            there = places.kind_at_path(path) == places.FILE
            return Diagnostic(codes.OUTPUT_CANNOT_BE_WRITTEN, f"{path} cannot be read.") if there else None
        if existing == new:
            return None
        if name in self.files and manifest.hash_file(name, existing) not in self.files[name]:
            return Diagnostic(codes.FILES_WOULD_BE_OVERWRITTEN, f"{path} was changed since hot2tf wrote it.")
        if name not in self.files or not self.could_be_ours(name, existing):
            return Diagnostic(codes.FILES_WOULD_BE_OVERWRITTEN, f"{path} already exists, and hot2tf did not write it.")
        return None

    def could_be_ours(self, name: str, existing: bytes) -> bool:
        """Whether hot2tf writes files of this name and content. The manifest alone does not prove it, because somebody
        who can change a template can write a manifest, too.
        """
        hidden = name != IGNORING and any(part.startswith(".") for part in name.split("/"))
        return places.is_plain_path(name) and not hidden and self.owns(name, existing)


@final
class DirectoryPlan:
    """The actions for the files of a directory. Raises OSError.

    contents: the text that each file gets. removed: files of the earlier run that are not needed any more. merged:
    files that get a person's changes and ours; marked: those of them with markers of conflicts. kept: files that a
    person edited or removed, and that stay so. problems: reasons to write nothing; warnings: further findings.
    """

    def __init__(
        self,
        directory: pathlib.Path,
        files: Mapping[str, str | bytes],
        *,
        owns: Callable[[str, bytes], bool],
        left: Collection[str] = (),
        optional: Collection[str] = (),
        accepted: Mapping[str, str] = EMPTY,
        force: bool = False,
        conflicts: bool = False,
    ) -> None:
        self.directory, self.optional, self.force, self.conflicts = directory, optional, force, conflicts
        self.contents: dict[str, bytes] = {}
        self.removed: list[str] = []
        self.merged: list[str] = []
        self.marked: list[str] = []
        self.kept: list[str] = []
        self.problems: list[Diagnostic] = []
        self.warnings: list[Diagnostic] = []
        above = next((p for p in [directory, *directory.parents] if p.exists()), directory)
        if above.exists() and not above.is_dir():
            self.problems.append(Diagnostic(codes.OUTPUT_CANNOT_BE_WRITTEN, f"{above} is not a directory."))
            return
        if MANIFEST in files and manifest.read_destination(directory):
            message = f"{directory} is the destination of a migration. Name a directory in it, or another one."
            self.problems.append(Diagnostic(codes.FILES_WOULD_BE_OVERWRITTEN, message))
        self.earlier = EarlierRun(directory, owns)
        for name, edited in accepted.items():  # edits that are a part of the new text
            self.earlier.files[name] = self.earlier.files.get(name, frozenset()) | {edited}
        self.base = print_base(files) if MANIFEST in files else None
        for name, content in files.items():
            if name in left:
                continue
            if reason := places.find_obstacle(directory, name):
                self.problems.append(Diagnostic(codes.OUTPUT_CANNOT_BE_WRITTEN, reason))
            elif name == MANIFEST or force:
                self.contents[name] = encode_content(content)
            else:
                self.plan_file(name, encode_content(content))
        for name in self.earlier.files:
            if name not in files and name not in left:
                self.plan_removal(name)

    def plan_file(self, name: str, new: bytes) -> None:
        path, earlier = self.directory / name, self.earlier
        hashes = earlier.files.get(name, frozenset())
        same_as_before = earlier.finished and manifest.hash_file(name, new) in hashes
        existing = places.read_regular_file(path)
        if existing is None and places.kind_at_path(path) == places.NOTHING:
            if not hashes or not earlier.finished or name in self.optional or name not in earlier.base:
                self.contents[name] = new
            elif same_as_before:
                self.kept.append(name)
            else:
                self.add_conflict(f"{path} was removed since hot2tf wrote it, and its text would be another one now.")
        elif existing is None or existing == new or not hashes or manifest.hash_file(name, existing) in hashes:
            if (problem := earlier.find_conflict(name, new)) is not None:
                self.problems.append(problem)
            self.contents[name] = new
        elif merge.has_markers(existing):
            self.add_conflict(f"{path} still has the markers of a conflict. Choose the right lines, and remove them.")
        elif same_as_before:
            self.kept.append(name)
        else:
            self.plan_merge(name, existing, new)

    def plan_merge(self, name: str, existing: bytes, new: bytes) -> None:
        """Merges a file that was edited since, if the text of the last run is known and the file may be hot2tf's."""
        path, base = self.directory / name, self.earlier.base.get(name)
        if base is None or b"\0" in existing + new or not self.earlier.could_be_ours(name, existing):
            self.add_conflict(f"{path} was changed since hot2tf wrote it.")
            return
        text, conflicts = merge.merge_texts(base, existing, new)
        if conflicts and not self.conflicts:
            self.add_conflict(
                f"{path} was changed since hot2tf wrote it, and hot2tf changes the same lines "
                f"({count_noun(conflicts, 'conflict')}).",
                CONFLICT_HINT,
            )
            return
        self.contents[name] = text
        (self.marked if conflicts else self.merged).append(name)

    def add_conflict(self, message: str, hint: str = "") -> None:
        self.problems.append(Diagnostic(codes.FILES_WOULD_BE_OVERWRITTEN, message, hint=hint))

    def plan_removal(self, name: str) -> None:
        """Removes a file of the earlier run, if it is ours and was not edited."""
        blocked = places.find_obstacle(self.directory, name)
        there = None if blocked else places.read_regular_file(self.directory / name)
        if there is None and not blocked and places.kind_at_path(self.directory / name) == places.FILE:
            self.problems.append(Diagnostic(codes.OUTPUT_CANNOT_BE_WRITTEN, f"{self.directory / name} cannot be read."))
        elif there is not None and self.earlier.could_be_ours(name, there):
            self.removed.append(name)
            if not self.force and (problem := self.earlier.find_conflict(name, None)) is not None:
                self.problems.append(problem)
        elif there is not None or not places.is_plain_path(name):
            self.warnings.append(
                Diagnostic(
                    codes.FOREIGN_FILE_IN_MANIFEST, f"{MANIFEST} lists {name}, which hot2tf does not write; it is left."
                )
            )

    def is_carried_out(self) -> bool:
        """Whether the directory is already as it will be, so that nothing is to be written."""
        return (
            self.earlier.finished
            and not self.removed
            and all(
                places.read_regular_file(self.directory / name) == data
                for name, data in self.contents.items()
                if name != MANIFEST
            )
            and (MANIFEST not in self.contents or self.has_record(self.contents[MANIFEST]))
        )

    def has_record(self, last: bytes) -> bool:
        """Whether the record of the directory is the same as this run would write. `last`: its manifest."""
        now, earlier = {**json.loads(last), "generator": ""}, {**self.earlier.record, "generator": ""}
        return now == earlier and self.base is not None and parse_lines(self.base).keys() == self.earlier.base.keys()

    def walk_changes(self) -> list[tuple[str, bytes, bytes]]:
        """Each file that would change, with its text before and after; empty where there is no file."""
        rows = []
        for name, data in sorted({**self.contents, **dict.fromkeys(self.removed, b"")}.items()):
            before = places.read_regular_file(self.directory / name) or b""
            if name != MANIFEST and before != data:
                rows.append((name, before, data))
        return rows
