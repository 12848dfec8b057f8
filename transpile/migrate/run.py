"""Carries out a plan: converts the stacks that are out of date, and updates the destination.

Invariant: each result is saved before the next step depends on it, so a run that was stopped anywhere is continued by
the same command, and ends with the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import os
import pathlib
import posixpath
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, final

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.migrate import archive, modules
from transpile.migrate.environment_groups import DIRECTORIES, EnvironmentGroup
from transpile.migrate.executors import Executor
from transpile.migrate.folder_updates import FolderUpdates, linked_digest
from transpile.migrate.outcome import CONVERTED, COPIED, FAILED, UNCHANGED, MigrationOutcome
from transpile.migrate.progress import Progress
from transpile.migrate.root_updates import RootUpdates
from transpile.migrate.state import FOLDER, NO_DIGEST, MigrationState, StackRow
from transpile.migrate.tree import DestinationTree
from transpile.migrate.unit import UNREAD, MigrationUnit, UnitResult, digest_data, summarize_conversion
from transpile.pipeline import Conversion
from transpile.targets import Target
from transpile.text import places
from transpile.text.source import FILE_LIMIT, UnreadableFile, read_bytes
from transpile.text.urls import is_url

RELATIVE = re.compile(rb"\.\.?/[^\s\"'`$<>|;,)\]}]*")  # a relative path in a text
SKIPPED = {FOLDER, ".git", ".terraform"}  # directories without files of hot2tf or of the user's own

TRY_AGAIN = ""  # in place of the digest of a request: it is tried again in the next run


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
        """Whether all files are unchanged. Files from a URL may have changed."""
        return all(
            not is_url(name) and self.digest_file(name) == earlier_digest for name, earlier_digest in reads.items()
        )


@final
class MigrationRun:
    """One run of `migrate`. folder: where shared modules lie, below the destination. groups: the stacks that may share
    code. layout: how they do. moves: whether states and edits are moved to other places. writes: whether the user
    keeps the destination.
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
        writes: bool = True,
    ) -> None:
        self.writes = writes
        self.state, self.tree, self.target, self.progress = state, tree, target, progress
        self.contents = FileDigests(root)
        self.folder = target.shared.folder
        self.outcome = MigrationOutcome({}, [], {}, {}, {}, [], [], {}, {}, {}, {}, {}, [])
        self.updates = FolderUpdates(state, tree, self.folder, self.outcome)
        self.roots = (
            RootUpdates(self.updates, target.roots, groups, layout, moves=moves) if target.roots is not None else None
        )
        self.grouped = self.roots.grouped if self.roots is not None else set()
        self.firsts: dict[str, str] = {}  # of equal stacks in different places, the one that is converted

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
                self.updates.update_folder(result.output, result.digest, result.files, {})
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
        self.progress.begin_stage("writing" if self.writes else "comparing")
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
            self.updates.update_folder(folder, used, None, names, content_name)
        alone = [output for output in outputs if output not in self.grouped]
        self.outcome.stale.extend(row.output for row in self.state.walk_rows() if self.is_stale(row))
        here |= self.roots.update_roots(alone) if self.roots is not None else set()
        for row in self.state.walk_rows():
            last = self.state.earlier_digest(row.output)
            if last != NO_DIGEST and row.output not in self.grouped:
                here.add(row.output)
                if row.output in self.outcome.marked:  # the conflicts were written just now
                    continue
                used_names = self.updates.names_of_modules(row.output)
                self.updates.update_folder(row.output, linked_digest(last, used_names), None, used_names)
        self.remove_folders(here | set(alone))

    def is_stale(self, row: StackRow) -> bool:
        """Whether a stack cannot be converted now, but an earlier run could."""
        return not row.converted and self.state.earlier_digest(row.output) != NO_DIGEST

    def remove_folders(self, current: Collection[str]) -> None:
        """Removes directories of earlier runs that are not among the current ones, that no file refers to, and that
        have no state of the target's tool.
        """
        candidates = [folder for folder in self.state.list_folders() if folder not in current]
        used = find_used_folders(self.tree.directory, candidates) if candidates else {}
        for folder in candidates:
            if folder in used:
                self.outcome.still_used[folder] = used[folder]
            elif self.roots is not None and (environments := self.roots.list_states(folder)):
                self.outcome.abandoned[folder] = environments
            else:
                if self.tree.has_folder(folder):
                    self.outcome.removed.append(folder)
                if problems := self.tree.remove_folder(folder):
                    self.outcome.problems[folder] = problems

    def mentioned_names(self, content_name: str, names: Mapping[str, str]) -> list[str]:
        """The plain names of a module and of those that it calls."""
        text = b"".join(archive.unpack_files(self.state.read_module(content_name)).files.values())
        mentions = {match[2].decode() for match in modules.MENTION.finditer(text)}
        return [names[content_name], *(names[mention] for mention in sorted(mentions & set(names)))]


def make_failed_result(unit: MigrationUnit, reason: Exception) -> UnitResult:
    """The result of a unit that raised an exception or ended its process."""
    source = posixpath.basename(unit.template)
    diagnostic = Diagnostic(codes.INTERNAL_ERROR, f"hot2tf failed: {type(reason).__name__}: {reason}")
    report: dict[str, Any] = {"source": source, "target": unit.request_digest.to, "diagnostics": [diagnostic.as_json()]}
    packed = archive.compress_data(json.dumps(report).encode())
    summary = summarize_conversion(Conversion({}, [diagnostic], report))
    return UnitResult(unit.output, False, {}, archive.pack_files({}), {}, packed, summary, hashlib.sha256().hexdigest())


def find_used_folders(directory: pathlib.Path, candidates: Collection[str]) -> dict[str, str]:
    """Those candidates that files outside of them refer to, each with such a file. A candidate to which only unused
    candidates refer is unused, too.
    """
    used: dict[str, str] = {}
    by_user: dict[str, set[str]] = {}  # the candidates that the files of a candidate refer to
    for name, targets in walk_references(directory, candidates):
        owner = next((folder for folder in candidates if name.startswith(f"{folder}/")), None)
        for target in targets:
            if owner is None:
                used.setdefault(target, name)
            elif owner != target:
                by_user.setdefault(owner, set()).add(target)
    waiting = list(used)
    while waiting:
        user = waiting.pop()
        for target in sorted(by_user.get(user, ())):
            if target not in used:
                used[target] = user
                waiting.append(target)
    return used


def walk_references(directory: pathlib.Path, candidates: Collection[str]) -> Iterator[tuple[str, set[str]]]:
    """Each file, by its path below the directory, with the candidates that it refers to."""
    last_names = {folder.rpartition("/")[2].encode("utf-8", "surrogateescape") for folder in candidates}
    for above, folders, files in os.walk(directory):
        folders[:] = sorted(set(folders) - SKIPPED)
        here = pathlib.Path(os.path.relpath(above, directory)).as_posix()
        for file in sorted(files):
            name = posixpath.normpath(posixpath.join(here, file))
            path = pathlib.Path(above, file)
            if places.kind_at_path(path) != places.FILE:
                continue
            if (data := places.read_regular_file(path)) is None:
                yield name, set(candidates)
            elif any(last_name in data for last_name in last_names):
                yield name, set(resolve_references(here, data)) & set(candidates)


def resolve_references(here: str, data: bytes) -> Iterator[str]:
    """The directories that the relative paths in a text lead to or through, from the directory `here`."""
    for match in RELATIVE.finditer(data):
        path = posixpath.normpath(posixpath.join(here, match[0].decode("utf-8", "surrogateescape")))
        while path not in ("", ".", "..", "/"):
            yield path
            path = posixpath.dirname(path)
