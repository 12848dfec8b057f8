"""Carries out a plan: what must be converted is, and the destination is brought up to date.

Invariant: each result is saved before the next step depends on it, so a run that was stopped anywhere is continued by
the same command, and ends with the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import posixpath
from typing import TYPE_CHECKING, Any, NamedTuple, final

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.migrate import archive, modules
from transpile.migrate.state import NOTHING
from transpile.migrate.unit import UNREAD, Result, Unit, digest
from transpile.text.source import FILE_LIMIT, Unreadable, read_bytes
from transpile.text.urls import is_url

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from transpile.migrate.executors import Executor
    from transpile.migrate.progress import Progress
    from transpile.migrate.state import State
    from transpile.migrate.tree import Tree
    from transpile.targets import Target

AGAIN = ""  # in place of the digest of a request: it is tried again in the next run
CONVERTED, UNCHANGED, COPIED, FAILED = "converted", "unchanged", "copied", "failed"


class Outcome(NamedTuple):
    """What came of a run. done: by stack, one of the words above. written: directories that were. edited: files by
    directory that a person changed, and which were left. problems: why directories could not be written. names: the
    plain name of each shared module, by its content name. removed: directories of stacks that are no more. stale:
    directories of stacks that cannot be converted now, as an earlier run could.
    """

    done: dict[str, str]
    written: list[str]
    edited: dict[str, list[str]]
    problems: dict[str, list[Diagnostic]]
    names: dict[str, str]
    removed: list[str]
    stale: list[str]


@final
class Contents:
    """The digests of files below the root, each read once."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.known: dict[str, str] = {}

    def digest(self, name: str) -> str:
        """The SHA-256 of a file; UNREAD if it cannot be read. URLs are not fetched for this."""
        if name not in self.known:
            try:
                data = read_bytes(f"{self.root}/{name}", FILE_LIMIT)
                self.known[name] = digest(data)
            except Unreadable:
                self.known[name] = UNREAD
        return self.known[name]

    def same(self, reads: Mapping[str, str]) -> bool:
        """Whether all files are as they were. What was fetched from a URL may have changed."""
        return all(not is_url(name) and self.digest(name) == found for name, found in reads.items())


@final
class Run:
    """One run of `migrate`. folder: where shared modules lie, below the destination."""

    def __init__(self, state: State, tree: Tree, target: Target, root: str, progress: Progress) -> None:
        self.state, self.tree, self.target, self.progress = state, tree, target, progress
        self.contents = Contents(root)
        self.folder = target.shared.folder if target.shared is not None else ""
        self.outcome = Outcome({}, [], {}, {}, {}, [], [])
        self.firsts: dict[str, str] = {}  # of equal stacks in different places, the one that is converted

    def all(self, units: Iterable[Unit], executor: Executor, *, fail_fast: bool = False) -> Outcome:
        """Converts the units that are not up to date, and brings the destination up to date."""
        units = list(units)
        waiting = self.outdated(units)
        equal: list[Unit] = []
        todo: list[Unit] = []
        for unit in waiting:
            anywhere = self.request(unit, anywhere=True)
            (equal if anywhere in self.firsts else todo).append(unit)
            self.firsts.setdefault(anywhere, unit.output)
        self.progress.begin(len(units), len(units) - len(waiting))
        stopped = not self.convert(todo, executor, fail_fast=fail_fast)
        if not stopped:
            others = [unit for unit in equal if not self.copied(unit)]
            stopped = not self.convert(others, executor, fail_fast=fail_fast)
        if not stopped:
            self.link([unit.output for unit in units])
        return self.outcome

    def outdated(self, units: Iterable[Unit]) -> list[Unit]:
        """The units whose results are not known, or are about other files."""
        known = {row.output: (row.request, row.reads, row.converted, row.anywhere) for row in self.state.rows()}
        out = []
        for unit in units:
            request, reads, converted, anywhere = known.pop(unit.output, ("", {}, False, ""))
            if request == self.request(unit) and self.contents.same(reads):
                self.outcome.done[unit.output] = UNCHANGED if converted else FAILED
                self.firsts.setdefault(anywhere, unit.output)
            else:
                out.append(unit)
        with self.state.transaction():
            for output in known:
                self.state.forget(output)
        return out

    def request(self, unit: Unit, *, anywhere: bool = False) -> str:
        named = (unit.template, *unit.environments)
        return unit.digest({name: self.contents.digest(name) for name in named}, anywhere=anywhere)

    def convert(self, units: list[Unit], executor: Executor, *, fail_fast: bool) -> bool:
        """Converts units and saves their results. Whether all were."""
        for unit, found in executor.run(units):
            result = found if isinstance(found, Result) else broken(unit, found)
            request = self.request(unit) if result is found else AGAIN
            self.state.save(result, request, self.request(unit, anywhere=True))
            self.outcome.done[unit.output] = CONVERTED if result.converted else FAILED
            self.progress.done(unit, self.outcome.done[unit.output], result)
            if not result.converted and fail_fast:
                executor.close()
                return False
            if result.converted and not result.modules:
                self.bring(result.output, result.digest, result.files, {})
        return True

    def copied(self, unit: Unit) -> bool:
        """Whether an equal stack read no other files, so that its result holds here, too."""
        row = self.state.row(self.firsts[self.request(unit, anywhere=True)])
        if row is None or row.reads:
            return False
        self.state.copy(row, unit.output, self.request(unit))
        self.outcome.done[unit.output] = COPIED if row.converted else FAILED
        self.progress.done(unit, self.outcome.done[unit.output], None)
        return True

    def link(self, outputs: list[str]) -> None:
        """Names the shared modules and brings all directories up to date."""
        self.progress.stage("writing")
        self.state.clean()
        known = list(self.state.modules())
        below = self.folder + "/"
        taken = {output[len(below) :].partition("/")[0] for output in outputs if output.startswith(below)}
        names = modules.named(known, taken)
        self.outcome.names.update(names)
        here = set()
        for content_name, name in names.items():
            folder = f"{self.folder}/{name}"
            here.add(folder)
            used = digest(content_name + json.dumps(self.mentioned(content_name, names)))
            self.bring(folder, used, None, names, content_name)
        for row in self.state.rows():
            if (last := self.state.earlier(row.output)) != NOTHING:
                here.add(row.output)
                used_names = {one: names[one] for one in self.state.used(row.output)}
                self.bring(row.output, linked_digest(last, used_names), None, used_names)
                if not row.converted:
                    self.outcome.stale.append(row.output)
        for folder in self.state.folders():
            if folder not in here:
                self.outcome.removed.append(folder)
                if problems := self.tree.remove(folder):
                    self.outcome.problems[folder] = problems

    def bring(
        self, folder: str, digest_: str, files: bytes | None, names: Mapping[str, str], content_name: str | None = None
    ) -> None:
        """Brings one directory up to date. `files`: their archive, if it is at hand."""
        edited = self.tree.current(folder, digest_)
        if edited is None:
            if files is None:
                files = self.state.module(content_name) if content_name is not None else self.state.files(folder)
            above = ".." if content_name is not None or not names else modules.above(folder, self.folder)
            found = archive.unpacked(files)
            linked = modules.linked(found.files, names, above) if names else found.files
            change = self.tree.bring(folder, digest_, linked, found.private)
            edited = change.edited
            if change.written:
                self.outcome.written.append(folder)
            if change.problems:
                self.outcome.problems[folder] = change.problems
        if edited:
            self.outcome.edited[folder] = edited

    def mentioned(self, content_name: str, names: Mapping[str, str]) -> list[str]:
        """The plain names of a module and of those that it calls."""
        text = b"".join(archive.unpacked(self.state.module(content_name)).files.values())
        found = {match[2].decode() for match in modules.MENTION.finditer(text)}
        return [names[content_name], *(names[one] for one in sorted(found & set(names)))]


def linked_digest(own: str, names: Mapping[str, str]) -> str:
    """A digest of a stack's files as they are written: their own, and the names of the modules that they call."""
    return digest(own + json.dumps(sorted(names.items()))) if names else own


def broken(unit: Unit, reason: Exception) -> Result:
    """The result of a unit that raised an exception or ended its process."""
    source = posixpath.basename(unit.template)
    said = Diagnostic(codes.INTERNAL_ERROR, f"hot2tf failed: {type(reason).__name__}: {reason}")
    report: dict[str, Any] = {"source": source, "target": unit.request.to, "diagnostics": [said.as_json()]}
    packed = archive.compressed(json.dumps(report).encode())
    summary = {
        "treatments": {},
        "dropped": 0,
        "diagnostics": {"error": 1},
        "codes": {codes.INTERNAL_ERROR: 1},
        "kept": [],
    }
    return Result(unit.output, False, {}, archive.packed({}), {}, packed, summary, hashlib.sha256().hexdigest())
