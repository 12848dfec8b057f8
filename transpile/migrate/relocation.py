"""Finds output of earlier runs, edits and states of an environment at another place than its present one.

Invariant: nothing is changed here. If one file needs a decision of the user, nothing is moved.
"""

from __future__ import annotations

import functools
import json
import os
import pathlib
import posixpath
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, final

from transpile.migrate.environment_groups import StackPlace
from transpile.targets import SharedRoots
from transpile.text import manifest, merge, places
from transpile.text.base_store import BASE, read_base
from transpile.text.manifest import MANIFEST

BACKUP = ".backup"  # the suffix that Terraform adds to the name of an earlier state
TOOL_FOLDER, LOCK_FILE, STATE_LOCK = ".terraform", ".terraform.lock.hcl", ".terraform.tfstate.lock.info"
CHOSEN_WORKSPACE = f"{TOOL_FOLDER}/environment"
CHOSEN_BACKEND = f"{TOOL_FOLDER}/terraform.tfstate"  # where Terraform keeps the backend that `init` configured
OWN_VALUES, OWN_SECRETS = "values.auto.tfvars", "secrets.auto.tfvars"  # files of people, which one directory reads


class StateMove(NamedTuple):
    """A state: its file now, and the one where it belongs. Both are paths below the destination."""

    source: str
    target: str


@final
class EarlierDirectory:
    """A directory as it is: the files that a run wrote, and those of people."""

    def __init__(self, destination: pathlib.Path, folder: str) -> None:
        self.folder, self.path = folder, destination / folder
        self.stacks = manifest.read_destination(destination)
        try:
            self.hashes = manifest.read_manifest(self.path)
        except OSError:
            self.hashes = {}

    @functools.cached_property
    def base(self) -> Mapping[str, bytes]:
        """The texts that were written."""
        return read_base(self.path, self.hashes) if self.hashes else {}

    def read_file(self, name: str) -> bytes | None:
        return places.read_regular_file(self.path / name) if places.is_plain_path(name) else None

    def is_edited(self, name: str) -> bool:
        """Whether a file differs from the one that was written, or is gone."""
        data = self.read_file(name)
        return name in self.hashes and (data is None or manifest.hash_file(name, data) not in self.hashes[name])

    def edited_files(self) -> list[str]:
        return sorted(name for name in self.hashes if self.is_edited(name))

    def own_files(self) -> list[str]:
        """The files of people: neither hot2tf nor Terraform wrote them."""
        return sorted(name for name in self.walk_files() if name not in self.hashes and not is_made_by_tools(name))

    def walk_files(self) -> Iterator[str]:
        """All files, without those of other stacks further down."""
        for above, folders, files in os.walk(self.path):
            here = pathlib.Path(os.path.relpath(above, self.path)).as_posix()
            if here != "." and (MANIFEST in files or f"{self.folder}/{here}" in self.stacks):
                folders.clear()
                continue
            folders[:] = sorted(set(folders) - {TOOL_FOLDER})
            yield from (file if here == "." else f"{here}/{file}" for file in sorted(files))

    def explain_backend(self, *, alone: bool) -> str:
        """Why the state is no file that can be moved; empty if it is one, or if there is none. alone: the directory is
        that of one environment.
        """
        for name in self.own_files():
            if name.endswith(".tf") and b'backend "' in (self.read_file(name) or b""):
                return f"{self.folder}/{name} has a backend of its own"
        try:
            chosen = json.loads(self.read_file(CHOSEN_BACKEND) or b"{}")
            kind = chosen.get("backend", {}).get("type", "local") if isinstance(chosen, dict) else "local"
        except (ValueError, AttributeError):
            kind = "unknown"
        if kind != "local":
            return f"the state of {self.folder} is in a backend {kind}"
        if alone and any(name.startswith("terraform.tfstate.d/") for name in self.walk_files()):
            return f"{self.folder} has workspaces of its own"
        return f"the state of {self.folder} is locked" if self.read_file(STATE_LOCK) is not None else ""


def is_made_by_tools(name: str) -> bool:
    """Whether hot2tf or Terraform keeps a file beside the code."""
    base = name.rpartition("/")[2]
    return (
        base in (MANIFEST, BASE, LOCK_FILE, STATE_LOCK, "crash.log")
        or base.endswith((".tfstate", ".tfplan"))
        or ".tfstate." in base
    )


@final
class EarlierPlaces:
    """The present places of a destination's environments. `is_free`: whether a directory belongs to no other stack
    now.
    """

    def __init__(self, destination: pathlib.Path, roots: SharedRoots, layout: str) -> None:
        self.destination, self.roots, self.layout = destination, roots, layout
        self.directories: dict[str, EarlierDirectory] = {}

    def directory(self, folder: str) -> EarlierDirectory:
        if folder not in self.directories:
            self.directories[folder] = EarlierDirectory(self.destination, folder)
        return self.directories[folder]

    def find_states(self, place: StackPlace) -> list[str]:
        """The state files of an environment at a place, as paths below it."""
        names = [self.roots.state_file(layout, place.environment) for layout in ("files", "workspaces")]
        kind, path = places.kind_at_path, self.destination / place.folder
        return [name for name in dict.fromkeys(names) if kind(path / name) == places.FILE]

    def is_there(self, place: StackPlace) -> bool:
        """Whether an earlier run wrote an environment to a place, or its state is there."""
        if self.find_states(place):
            return True
        names = self.directory(place.folder).hashes
        if not place.environment:
            return bool(names) and not any(map(self.roots.environment_of, names))
        return any(self.roots.environment_of(name) == place.environment for name in names)

    def list_moves(self, old: StackPlace, new: StackPlace) -> list[StateMove]:
        """The states of an environment that are not where they belong, with their backups."""
        target = f"{new.folder}/{self.roots.state_file(self.layout, new.environment)}"
        moves = []
        for name in self.find_states(old):
            source = f"{old.folder}/{name}"
            if source != target:
                moves.append(StateMove(source, target))
                if places.kind_at_path(self.destination / (source + BACKUP)) == places.FILE:
                    moves.append(StateMove(source + BACKUP, target + BACKUP))
        return moves

    def list_edits(self, old: StackPlace, *, whole: bool) -> list[str]:
        """The files of an environment that a person edited or added. whole: all in its directory, not only its values,
        because nothing else is in the directory any more.
        """
        directory = self.directory(old.folder)
        if whole or not old.environment:
            return [*directory.edited_files(), *directory.own_files()]
        names = {self.roots.name_values(old.environment), self.roots.name_secrets(old.environment)}
        return [name for name in (*directory.edited_files(), *directory.own_files()) if name in names]


class CarriedFiles(NamedTuple):
    """Files that go from earlier places to a root: the texts that differ from the new output, and the problems that
    prevent it.
    """

    texts: dict[str, bytes]
    problems: list[str]


class RootMember(NamedTuple):
    """An environment of a root, empty if the root is its own; where it was, and the directory there."""

    environment: str
    earlier: StackPlace
    directory: EarlierDirectory


def carry_edits(files: Mapping[str, bytes], members: Sequence[RootMember], roots: SharedRoots) -> CarriedFiles:
    """The edits of all earlier places of the environments of one root. files: those that are written to it."""
    carried = CarriedFiles({}, [])
    for name, text in files.items():
        results: dict[bytes, str] = {}
        edited = False
        for member in members:
            old_name = find_earlier_name(name, member, roots)
            if old_name is None:
                continue
            where = f"{member.earlier.folder}/{old_name}"
            if not member.directory.is_edited(old_name):
                results.setdefault(text, f"{where} was not edited")
                continue
            edited = True
            if (merged := merge_edit(member.directory, old_name, text)) is None:
                carried.problems.append(f"{where} was edited where its text is another one now")
            else:
                results.setdefault(merged, f"{where} was edited")
        if edited and len(results) > 1:
            carried.problems.append(", but ".join(results.values()))
        elif edited and results:
            carried.texts[name] = next(iter(results))
    return carried


def find_earlier_name(name: str, member: RootMember, roots: SharedRoots) -> str | None:
    """The file of an earlier place that corresponds to one of a root; None if there is none."""
    own_name, earlier = roots.own_name(name, member.environment), member.earlier.environment
    names = [old for old in member.directory.hashes if roots.own_name(old, earlier) == own_name]
    return max(names, key=len, default=None)


def merge_edit(directory: EarlierDirectory, name: str, text: bytes) -> bytes | None:
    """Returns a file with the user's edits and the new text; None if they conflict. A file of values that
    only lost lines stays as the person wrote it.
    """
    mine, base = directory.read_file(name), directory.base.get(name)
    if mine is None or base is None or b"\0" in mine + text:
        return None
    merged, conflicts = merge.merge_texts(base, mine, text)
    if not conflicts:
        return merged
    kept = {b" ".join(line.split()) for line in text.splitlines()} <= {b" ".join(x.split()) for x in base.splitlines()}
    return mine if kept and name.endswith(".tfvars") else None


def carry_own_files(
    carried: CarriedFiles, files: Mapping[str, bytes], members: Sequence[RootMember], roots: SharedRoots
) -> None:
    """Adds the files of people in directories that will be gone."""
    for environment, place, directory in members:
        for name in directory.own_files():
            data = directory.read_file(name)
            if data is None:
                carried.problems.append(f"{place.folder}/{name} is no plain file")
            elif place.environment and name == roots.name_secrets(posixpath.basename(posixpath.dirname(name))):
                if name == roots.name_secrets(place.environment):
                    carried.texts[roots.name_secrets(environment) if environment else OWN_SECRETS] = data
            elif name == OWN_SECRETS and environment:
                carried.texts[roots.name_secrets(environment)] = data
            elif name == OWN_VALUES and environment:
                target = roots.name_values(environment)
                before = carried.texts.get(target, files.get(target, b""))
                if names_set(before) & names_set(data):
                    carried.problems.append(f"{place.folder}/{name} and {target} set the same variables")
                else:
                    carried.texts[target] = before.rstrip(b"\n") + b"\n\n" + data
            elif name in files:
                carried.problems.append(f"{place.folder}/{name} has the name of a file of hot2tf")
            elif any(other.directory.read_file(name) != data for other in members):
                carried.problems.append(f"{place.folder}/{name} is not the same in all environments")
            else:
                carried.texts[name] = data
    locks = {data for member in members if (data := member.directory.read_file(LOCK_FILE)) is not None}
    if len(locks) == 1:
        carried.texts[LOCK_FILE] = locks.pop()


def names_set(text: bytes) -> set[bytes]:
    """The names to which a file of values gives values."""
    lines = (line.partition(b"=") for line in text.splitlines() if not line[:1].isspace())
    return {name.strip() for name, sign, _ in lines if sign and not name.lstrip().startswith(b"#")}
