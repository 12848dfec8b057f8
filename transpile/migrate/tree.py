"""The directories of the destination: a new one appears as a whole, and an existing one is brought up to date.

Invariant: what a person changed since is never overwritten unless they ask for it, and nothing is written through
links.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pathlib
import shutil
from typing import TYPE_CHECKING, NamedTuple, final

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.migrate.state import FOLDER, Placed
from transpile.text import manifest, output, places

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from transpile.migrate.state import State

STAGING = "staging"


class Change(NamedTuple):
    """What was done to a directory. edited: files that differ from what was written, and were left as they are."""

    written: bool
    edited: list[str]
    problems: list[Diagnostic]


@final
class Tree:
    """The destination. `owns`: whether the target writes files of a name and content; `force`: overwrite edits."""

    def __init__(
        self,
        directory: pathlib.Path,
        state: State,
        owns: Callable[[str, bytes], bool],
        optional: Collection[str] = (),
        *,
        force: bool = False,
    ) -> None:
        self.directory, self.state, self.owns, self.force = directory, state, owns, force
        self.optional = optional
        self.staging = directory / FOLDER / STAGING

    def current(self, folder: str, digest: str) -> list[str] | None:
        """The edited files of a directory that needs no writing; None if it does."""
        known = self.state.placed(folder)
        if known is None or known.digest != digest:
            return None
        edited, above = [], os.fspath(self.directory / folder)
        for name, (size, changed, content) in known.files.items():
            try:
                status = os.lstat(f"{above}/{name}")
            except OSError:
                return None
            if (status.st_size, status.st_mtime_ns) != (size, changed):
                found = places.content(pathlib.Path(above, name))
                if found is None or manifest.digest(found) != content:
                    edited.append(name)
        return None if edited and self.force else edited

    def bring(self, folder: str, digest: str, files: Mapping[str, bytes], private: Collection[str] = ()) -> Change:
        """Makes a directory have these files. `digest`: of what they were made of; `private`: those that only their
        owner may read.
        """
        if (strange := next((name for name in (folder, *files) if not places.plain(name)), None)) is not None:
            return Change(
                False, [], [Diagnostic(codes.OUTPUT_CANNOT_BE_WRITTEN, f"{strange} is outside {self.directory}.")]
            )
        all_: dict[str, str | bytes] = {**files}
        all_[manifest.MANIFEST] = manifest.text(all_)
        directory = self.directory / folder
        try:
            if reason := places.obstacle(self.directory, f"{folder}/{manifest.MANIFEST}"):
                return Change(False, [], [Diagnostic(codes.OUTPUT_CANNOT_BE_WRITTEN, reason)])
            left: list[str] = []
            if places.kind(directory) == places.NOTHING:
                self.make(directory, all_, private)
            else:
                left = [] if self.force else self.standing(folder, files)
                owns = self.writes(folder)
                if not self.force:
                    left += [n for n in output.in_place(directory, self.optional, owns) if n in files and n not in left]
                problems = output.write(directory, all_, owns=owns, left=left, private=private, force=self.force)
                if any(p.severity == "error" for p in problems):
                    return Change(False, self.edited(folder), problems)
            self.state.place(folder, digest, dict(sorted(self.stamps(directory, all_, left))))
        except OSError as e:
            return Change(
                False,
                [],
                [
                    Diagnostic(
                        codes.OUTPUT_CANNOT_BE_WRITTEN, f"{e.filename or directory} cannot be written: {e.strerror}."
                    )
                ],
            )
        return Change(True, left, [])

    def writes(self, folder: str) -> Callable[[str, bytes], bool]:
        """What may be ours in a directory: what the target writes, and what the state says that we wrote."""
        known = self.state.placed(folder)
        names = known.files if known is not None else {}
        return lambda name, content: name in names or self.owns(name, content)

    def make(self, directory: pathlib.Path, files: Mapping[str, str | bytes], private: Collection[str]) -> None:
        """Makes a new directory, which appears when it is complete. Raises OSError."""
        beside = self.staging / hashlib.sha256(os.fsencode(directory)).hexdigest()[:16]
        if beside.exists():
            shutil.rmtree(beside)
        beside.mkdir(parents=True)
        folders = {beside}
        for name, content in files.items():
            path = beside / name
            if path.parent not in folders:
                path.parent.mkdir(parents=True, exist_ok=True)
                folders.add(path.parent)
            if name in private:
                places.place(path, manifest.encoded(content), places.PRIVATE)
            else:
                path.write_bytes(manifest.encoded(content))
        directory.parent.mkdir(parents=True, exist_ok=True)
        beside.rename(directory)

    def stamps(
        self, directory: pathlib.Path, files: Mapping[str, str | bytes], left: Collection[str]
    ) -> list[tuple[str, tuple[int, int, str]]]:
        out = []
        for name, content in files.items():
            if name in left:  # which is looked at again in the next run
                out.append((name, (0, 0, manifest.digest(content))))
                continue
            status = os.lstat(directory / name)
            out.append((name, (status.st_size, status.st_mtime_ns, manifest.digest(content))))
        return out

    def standing(self, folder: str, files: Mapping[str, bytes]) -> list[str]:
        """The edited files whose content is the same as before, so that the edit can stand."""
        known = self.state.placed(folder) or Placed("", {})
        edited = self.edited(folder)
        return [name for name in edited if name in files and manifest.digest(files[name]) == known.files[name][2]]

    def edited(self, folder: str) -> list[str]:
        """The files of a directory that are not as they were written."""
        known = self.state.placed(folder) or Placed("", {})
        out = []
        for name, (_, _, content) in known.files.items():
            found = places.content(self.directory / folder / name)
            if found is not None and manifest.digest(found) != content:
                out.append(name)
        return out

    def remove(self, folder: str) -> list[Diagnostic]:
        """Removes what earlier runs wrote into a directory that nothing belongs into any more."""
        directory = self.directory / folder
        found: list[Diagnostic] = []
        if places.plain(folder) and places.kind(directory) == places.DIRECTORY:
            found = output.write(directory, {}, owns=self.writes(folder), force=self.force)
            if any(p.severity == "error" for p in found):
                return found
            with contextlib.suppress(OSError):
                places.forget(directory / manifest.MANIFEST)
                places.prune(self.directory, directory)
        self.state.displace(folder)
        return found
