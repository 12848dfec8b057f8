"""`hot2tf check --fix`: applies the fixes that are certain, and checks again.

Invariant: a fix is kept only if its finding is gone afterwards and no new error appears. Only named files and files
below named directories are changed, and only at the places of the fixes. Nothing is written until all fixes have been
checked.
"""

from __future__ import annotations

import collections
import os
import pathlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import final

from transpile.checking.results import CheckedFiles, diagnostic_identity
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, Edit
from transpile.model.records import node, record
from transpile.repository import nearby
from transpile.rewrite.edits import apply_edits
from transpile.text import output
from transpile.text.source import LIMIT, UnreadableFile, decode_utf8, override_files, read_bytes

ROUNDS = 8  # a fix may reveal a further finding, which may have a fix, too
TWICE = (codes.DUPLICATE_KEY, codes.PROPERTY_SET_UNDER_TWO_NAMES)  # a key, or a property under its old and its new name
TRIES = 40  # the maximum number of tries with a part of a round, after the whole round made something worse

Kind = tuple[str, str, str]  # file, code and message of a finding; fixes may move its position, so that is left out


@final
@node
class Repair:
    """A fix of a finding in a file. `path`: the real path, with symbolic links resolved. `name`: the path as findings
    show it.
    """

    path: str
    name: str
    kind: Kind
    edits: tuple[Edit, ...]


@record
class Fixed:
    """The result of fixing.

    `checked`: the remaining findings. `before`, `after`: the texts of the changed files by their names. `fixes`: the
    number of fixes that were applied.
    """

    checked: CheckedFiles
    before: Mapping[str, str]
    after: Mapping[str, str]
    fixes: int = 0


@final
class Fixing:
    """One run. `check`: a function that checks everything. `paths`: the files that may be changed."""

    def __init__(self, check: Callable[[], CheckedFiles], paths: Iterable[str]) -> None:
        self.check_all = check
        self.allowed = {os.path.realpath(path) for path in paths}
        self.original: dict[str, str] = {}  # original texts, by path
        self.names: dict[str, str] = {}
        self.refused: set[tuple[Kind, tuple[Edit, ...]]] = set()
        self.tries = 0

    def fix_all(self) -> Fixed:
        texts: dict[str, str] = {}
        checked, fixes, rounds = self.check_texts(texts), 0, 0
        while rounds < ROUNDS and (repairs := self.find_repairs(checked, texts)):
            done = self.attempt_repairs(texts, checked, repairs)
            rounds += done is not None
            done = done or self.attempt_part(texts, checked, repairs)
            if done is not None:
                texts, checked, number = done
                fixes += number
            elif self.tries >= TRIES:
                break  # otherwise all of these were refused, and others may be possible now
        changed = {path: text for path, text in texts.items() if text != self.original[path]}
        names = {path: self.names[path] for path in sorted(changed, key=self.names.__getitem__)}
        before = {name: self.original[path] for path, name in names.items()}
        return Fixed(checked, before, {name: changed[path] for path, name in names.items()}, fixes)

    def check_texts(self, texts: Mapping[str, str]) -> CheckedFiles:
        """Checks with these texts in place of the contents of files."""
        nearby.forget_directories()
        try:
            with override_files({path: text.encode() for path, text in texts.items()}):
                return self.check_all()
        finally:
            nearby.forget_directories()

    def find_repairs(self, checked: CheckedFiles, texts: Mapping[str, str]) -> list[Repair]:
        """The fixes that are certain and can be applied together, in the order of their findings."""
        repairs: list[Repair] = []
        taken: dict[str, list[Edit]] = {}
        for d in checked.diagnostics:
            if d.fix is None or not d.fix.certain or d.source is None or d.source.rendered_from is not None:
                continue
            path = os.path.realpath(d.source.name)
            if path not in self.allowed or (diagnostic_kind(d), d.fix.edits) in self.refused:
                continue
            if self.text_of(path, d.source.name, texts) != d.source.text:
                continue
            mine = taken.setdefault(path, [])
            if not any(a.at < b.end and b.at < a.end for a in d.fix.edits for b in mine):
                mine += d.fix.edits
                repairs.append(Repair(path, d.source.name, diagnostic_kind(d), d.fix.edits))
        return repairs

    def text_of(self, path: str, name: str, texts: Mapping[str, str]) -> str | None:
        """The current text of a file; None if it cannot be read."""
        if path not in self.original:
            try:
                self.original[path] = decode_utf8(read_bytes(path, LIMIT), name)
            except UnreadableFile:
                return None
            self.names[path] = name
        return texts.get(path, self.original[path])

    def attempt_repairs(
        self, texts: dict[str, str], checked: CheckedFiles, repairs: Sequence[Repair]
    ) -> tuple[dict[str, str], CheckedFiles, int] | None:
        """Applies fixes. Returns the new texts, their findings, and the number of fixes.

        Returns None if a finding remains after its fix, or if there is a new error that cannot be fixed.
        """
        harm, number = count_harmful(checked.diagnostics), 0
        now, now_checked = texts, checked
        for _ in range(ROUNDS):
            now = self.apply_repairs(now, repairs)
            number += len(repairs)
            expected = count_kinds(now_checked.diagnostics)
            now_checked = self.check_texts(now)
            after = count_kinds(now_checked.diagnostics)
            done = collections.Counter(repair.kind for repair in repairs)
            if any(after[kind] > expected[kind] - fixed for kind, fixed in done.items()):
                return None
            new = count_harmful(now_checked.diagnostics) - harm
            if not new:
                return now, now_checked, number
            repairs = [repair for repair in self.find_repairs(now_checked, now) if repair.kind in new]
            if not repairs:
                return None
        return None

    def attempt_part(
        self, texts: dict[str, str], checked: CheckedFiles, repairs: Sequence[Repair]
    ) -> tuple[dict[str, str], CheckedFiles, int] | None:
        """Searches a failed round for fixes that work, by trying each half. Later rounds apply the others.

        A fix that fails alone is refused for the rest of the run.
        """
        if len(repairs) == 1:
            self.refused.add((repairs[0].kind, repairs[0].edits))
            return None
        half = len(repairs) // 2
        for some in (repairs[:half], repairs[half:]):
            if self.tries >= TRIES:
                return None
            self.tries += 1
            done = self.attempt_repairs(texts, checked, some) or self.attempt_part(texts, checked, some)
            if done is not None:
                return done
        return None

    def apply_repairs(self, texts: Mapping[str, str], repairs: Iterable[Repair]) -> dict[str, str]:
        """The texts with edits applied, from the end of each text to its beginning."""
        out = dict(texts)
        by_path: dict[str, list[Edit]] = {}
        for repair in repairs:
            by_path.setdefault(repair.path, []).extend(repair.edits)
        for path, edits in by_path.items():
            out[path] = apply_edits(out.get(path, self.original[path]), edits)
        return out


def diagnostic_kind(d: Diagnostic) -> Kind:
    file, _, code, message = diagnostic_identity(d)
    return str(file), str(code), str(message)


def count_kinds(diagnostics: Iterable[Diagnostic]) -> collections.Counter[Kind]:
    return collections.Counter(map(diagnostic_kind, diagnostics))


def count_harmful(diagnostics: Iterable[Diagnostic]) -> collections.Counter[Kind]:
    """Counts the findings that a fix must not cause: errors, and conflicts of two values for one setting."""
    return count_kinds(d for d in diagnostics if d.severity == "error" or d.code in TWICE)


def write_fixes(fixed: Fixed) -> list[Diagnostic]:
    """Writes the changed files, and returns problems. A file that was changed in the meantime is left alone."""
    problems = []
    for name, text in fixed.after.items():
        path = pathlib.Path(name)
        try:
            now = decode_utf8(read_bytes(path, LIMIT), name)
        except UnreadableFile as e:
            problems.append(Diagnostic(codes.OUTPUT_CANNOT_BE_WRITTEN, f"{name} cannot be read: {e.detail}."))
            continue
        if now != fixed.before[name]:
            problems.append(
                Diagnostic(
                    codes.OUTPUT_CANNOT_BE_WRITTEN, f"{name} was changed while it was checked, so it was left as it is."
                )
            )
        elif (problem := output.replace_file(path, text)) is not None:
            problems.append(problem)
    return problems
