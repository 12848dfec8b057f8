"""Moves the states and the edits of environments to the places that they have now.

Invariant: a state is copied to its new place, and to a backup, before it is removed at the old one; so a run that was
stopped anywhere is continued by the same command. Either all environments of a template are moved, or none.
"""

from __future__ import annotations

import pathlib
import shutil
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple, final

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.migrate.environment_groups import EnvironmentGroup, SharedRoot, StackPlace
from transpile.migrate.relocation import (
    CHOSEN_WORKSPACE,
    TOOL_FOLDER,
    CarriedFiles,
    EarlierPlaces,
    RootMember,
    StateMove,
    carry_edits,
    carry_own_files,
)
from transpile.migrate.state import FOLDER
from transpile.model.words import list_first
from transpile.repository.outputs import make_unique_name
from transpile.text import places

BACKUPS = "moved"  # below the directory of the state
NAMED = 6  # files that are named one by one in a message


@final
class EnvironmentMove(NamedTuple):
    """An environment that is at another place than its own. edits: the files that a person edited or added there."""

    output: str
    old: StackPlace
    new: StackPlace
    states: Sequence[StateMove]
    edits: Sequence[str]


@final
class GroupMove:
    """The moves of a template's environments from the places of an earlier run."""

    def __init__(self, earlier: EarlierPlaces, group: EnvironmentGroup, roots: Sequence[SharedRoot]) -> None:
        self.earlier, self.group, self.roots = earlier, group, roots
        self.destination = earlier.destination
        self.places = {output: StackPlace(r.folder, name) for r in roots for name, output in r.outputs.items()}
        self.moves: list[EnvironmentMove] = []
        self.unknown: list[str] = []  # states of which nobody knows to which environment they belong

    def find_moves(self, others: Collection[str]) -> None:
        """Finds the environments at other places. others: the directories of stacks outside of the group."""
        environments = {stack.output: stack.environment for stack in self.group.stacks}
        alone = {stack.output: stack.joined.output for stack in self.group.stacks if stack.joined is not None}
        used = {root.folder for root in self.roots}
        for output, new in self.places.items():
            candidates = [*self.list_candidates(output, environments[output], others), *places_alone(alone.get(output))]
            for old in dict.fromkeys(candidates):
                states = self.earlier.list_moves(old, new)
                edits = self.earlier.list_edits(old, whole=old.folder not in used) if old != new else []
                if (old != new or states) and self.earlier.is_there(old):
                    self.moves.append(EnvironmentMove(output, old, new, states, edits))
        base = StackPlace(self.group.folder)
        if base.folder not in others and self.earlier.is_there(base):
            kept = [*self.earlier.find_states(base), *self.earlier.list_edits(base, whole=True)]
            self.unknown += [f"{base.folder}/{name}" for name in kept]

    def list_candidates(self, output: str, environment: str, others: Collection[str]) -> Iterable[StackPlace]:
        """The places where an environment may be: a directory of its own, or one that it shares or shared."""
        folder = self.group.folder
        shared = [folder, *(f"{folder}-{stack.environment}" for stack in self.group.stacks)]
        shared += [place.folder for place in self.places.values()]
        yield StackPlace(output)
        for name in dict.fromkeys(shared):
            if name not in others:
                yield StackPlace(name, environment)

    def is_needed(self, *, force: bool) -> bool:
        """Whether there are files that a run may neither remove nor leave behind. force: edits may be lost."""
        return bool(self.unknown) or any(move.states or (move.edits and not force) for move in self.moves)

    def describe(self) -> list[str]:
        """Returns one line for each environment that is moved."""
        return [f"{move.old.folder} → {name_place(move.new)}" for move in self.moves]

    @property
    def old_folders(self) -> set[str]:
        return {move.old.folder for move in self.moves} | {name.rpartition("/")[0] for name in self.unknown}

    def refuse(self, reasons: Sequence[str] = ()) -> Diagnostic:
        """The diagnostic for a group that stays as it is. reasons: why it cannot be moved, if the user wants that."""
        folder = self.group.folder
        if reasons:
            message = f"The environments of {folder} cannot be moved: {abbreviate('; '.join(reasons))}."
            return Diagnostic(
                codes.ENVIRONMENTS_NOT_MOVED, message, hint="Nothing was moved. Change that, and try again."
            )
        kept = [f"{m.old.folder}/{name}" for m in self.moves for name in m.edits]
        kept = [*(state.source for m in self.moves for state in m.states), *kept, *self.unknown]
        names = abbreviate(list_names(kept))
        message = f"The environments of {folder} have other places now, but {names} would be left behind."
        hint = "--move carries states and edits over; --environments directories keeps a directory for each."
        return Diagnostic(codes.ENVIRONMENTS_NOT_MOVED, message, hint=hint)

    def carry(self, root: SharedRoot, files: Mapping[str, bytes]) -> CarriedFiles:
        """Returns the files that a root takes over from earlier places, and the problems that prevent it."""
        members = [
            RootMember(name, old, self.earlier.directory(old.folder))
            for name, output in root.outputs.items()
            for old in self.earlier_places(output)
        ]
        carried = carry_edits(files, members, self.earlier.roots)
        used = {each.folder for each in self.roots}
        leaving = [m for m in members if not m.earlier.environment or m.earlier.folder not in used]
        carry_own_files(carried, files, [m for m in leaving if m.earlier.folder != root.folder], self.earlier.roots)
        return carried

    def list_removals(self, used: Collection[str]) -> list[str]:
        """The states and files of people that are removed, one by one, from directories that other stacks are in. used:
        the directories of all roots.
        """
        names: dict[str, None] = {}
        for move in self.moves:
            if move.old.environment or move.old.folder in used:
                directory = self.earlier.directory(move.old.folder)
                unused = move.old.folder not in used
                left = [*directory.edited_files(), *directory.own_files()] if unused else move.edits
                names |= dict.fromkeys(state.source for state in move.states)
                names |= {f"{move.old.folder}/{name}": None for name in left}
        return list(names)

    def earlier_places(self, output: str) -> list[StackPlace]:
        """Returns the present places of an environment: others, or its own."""
        old = [move.old for move in self.moves if move.output == output]
        new = self.places[output]
        return old if old or not self.earlier.is_there(new) else [new]

    def list_problems(self) -> list[str]:
        """Why states cannot be moved."""
        place = f"{self.group.folder}/{self.earlier.roots.state_file(self.earlier.layout, 'NAME')}"
        problems = [
            f"nobody knows to which environment {name} belongs (move a state to {place})" for name in self.unknown
        ]
        for folder, alone in sorted({(move.old.folder, not move.old.environment) for move in self.moves}):
            if why := self.earlier.directory(folder).explain_backend(alone=alone):
                problems.append(why)
        targets: dict[str, str] = {}
        for move in self.moves:
            for source, target in move.states:
                there = places.read_regular_file(self.destination / target)
                if there is not None and there != places.read_regular_file(self.destination / source):
                    problems.append(f"both {source} and {target} are states")
                if targets.setdefault(target, source) != source:
                    problems.append(f"both {targets[target]} and {source} are states")
        return problems

    def save_backups(self) -> None:
        """Copies files that will be removed one by one. Raises OSError."""
        for name in self.list_removals({root.folder for root in self.roots}):
            if (data := places.read_regular_file(self.destination / name)) is not None:
                path = self.backup_path(name)
                path.parent.mkdir(parents=True, exist_ok=True)
                places.write_atomically(path, data, places.PRIVATE)

    def backup_path(self, name: str) -> pathlib.Path:
        """Returns a free path for the backup of a file or directory. Raises OSError."""
        top = self.destination / FOLDER / BACKUPS
        top.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = top / name
        return path.with_name(make_unique_name(path.name, lambda n: places.kind_at_path(path.with_name(n)) != ""))

    def move_states(self) -> None:
        """Copies the states to their places. Raises OSError."""
        for move in self.moves:
            for source, target in move.states:
                data = places.read_regular_file(self.destination / source)
                path = self.destination / target
                if data is not None and places.read_regular_file(path) != data:
                    path.parent.mkdir(parents=True, exist_ok=True)
                    places.write_atomically(path, data, places.PRIVATE)

    def remove_old(self) -> None:
        """Removes the old places. A directory of an environment becomes its backup as a whole. Raises OSError."""
        used = {root.folder for root in self.roots}
        removals = self.list_removals(used)
        for move in self.moves:
            path = self.destination / move.old.folder
            if not move.old.environment and move.old.folder not in used:
                shutil.rmtree(path / TOOL_FOLDER, ignore_errors=True)
                target = self.backup_path(move.old.folder)
                target.parent.mkdir(parents=True, exist_ok=True)
                path.rename(target)
                places.remove_empty_directories(self.destination, path.parent)
            elif move.states:
                places.remove_file(path / CHOSEN_WORKSPACE)
        for name in removals:
            places.remove_file(self.destination / name)
            places.remove_empty_directories(self.destination, (self.destination / name).parent)


def places_alone(output: str | None) -> list[StackPlace]:
    """Returns the possible places of a stack from before its template was joined with others."""
    folder, _, environment = (output or "").rpartition("/")
    return [*([StackPlace(output)] if output else []), *([StackPlace(folder, environment)] if folder else [])]


def name_place(place: StackPlace) -> str:
    return f"{place.folder} ({place.environment})" if place.environment else place.folder


def list_names(names: Sequence[str]) -> str:
    return list_first(list(dict.fromkeys(names)), NAMED)


def abbreviate(text: str, longest: int = 2000) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
