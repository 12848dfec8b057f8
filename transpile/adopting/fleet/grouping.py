"""Which stacks of a fleet share a configuration, and the names of directories and environments.

Invariant: a stack keeps the directory and the environment that an earlier run gave it.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, final

from transpile.adopting.fleet.stacks import FleetStack
from transpile.adoption import environments
from transpile.adoption.live import LiveStack
from transpile.model.records import record
from transpile.model.source import Source
from transpile.repository.outputs import TakenDirectories, make_slug, make_unique_name

OTHER_CHARACTERS = re.compile("[^A-Za-z0-9_-]+")
LONGEST = 60  # characters of the name of an environment


class StackHome(NamedTuple):
    """The place of a stack in the tree: a directory, and the environment there; empty if the directory has one
    stack.
    """

    folder: str
    environment: str = ""


@final
@record
class FleetRoot:
    """A directory of the tree with the stacks that it is for. `environments`: the names of the stacks' environments, by
    the stack's key; empty if the directory is for one stack alone.
    """

    folder: str
    stacks: Sequence[FleetStack]
    environments: Mapping[str, str]


def digest_template(live: LiveStack) -> str:
    """Returns a digest of a template as Heat has stored it, with its files and the environment's types. Files go
    by their contents: their names are paths on the machine from which the stack was made.
    """
    contents = {name: hashlib.sha256(text.encode("utf-8", "replace")).hexdigest() for name, text in live.files.items()}

    def name_by_content(value: Any) -> Any:
        if isinstance(value, dict):
            return {contents.get(key, key): name_by_content(item) for key, item in value.items()}
        if isinstance(value, list):
            return [name_by_content(item) for item in value]
        return contents.get(value, value) if isinstance(value, str) else value

    environment = read_document(live.environment)
    registry = environment.get("resource_registry") if isinstance(environment, dict) else environment
    template = read_document(live.template)
    document = [name_by_content(template), sorted(contents.values()), name_by_content(registry)]
    return hashlib.sha256(json.dumps(document, sort_keys=True).encode("utf-8", "replace")).hexdigest()


def read_document(source: Source | None) -> Any:
    """The data of a text in JSON; another text, such as YAML in a file of the client, as it is."""
    if source is None:
        return None
    try:
        return json.loads(source.text)
    except (ValueError, RecursionError):
        return source.text


def group_stacks(stacks: Iterable[FleetStack]) -> list[list[FleetStack]]:
    """The stacks that were read, those of one template together."""
    groups: dict[str, list[FleetStack]] = {}
    for stack in stacks:
        if stack.live is not None:
            groups.setdefault(digest_template(stack.live), []).append(stack)
    return list(groups.values())


@final
class HomeChooser:
    """Chooses directories. `earlier`: the homes of stacks that earlier runs chose, by their keys; those of stacks that
    are gone stay taken. `shares`: whether stacks of a template share a directory. `several`: whether there are several
    projects.
    """

    def __init__(self, earlier: Mapping[str, StackHome], *, shares: bool, several: bool) -> None:
        self.earlier, self.shares, self.several = earlier, shares, several
        self.taken = TakenDirectories()
        for folder in {home.folder for home in earlier.values()}:
            self.taken.take(folder)
        self.claimed: set[str] = set()  # directories of earlier runs that a group of this run has

    def choose_roots(self, groups: Iterable[Sequence[FleetStack]]) -> list[FleetRoot]:
        """The directories, in the order of their names. Groups that have one come first, the largest of them first."""
        parts = [[stack] for group in groups for stack in group] if not self.shares else [list(g) for g in groups]
        known = [sum(stack.key in self.earlier for stack in part) for part in parts]
        order = sorted(range(len(parts)), key=lambda n: (-known[n], -len(parts[n]), parts[n][0].label))
        return sorted((self.choose_root(parts[n]) for n in order), key=lambda root: root.folder)

    def choose_root(self, stacks: Sequence[FleetStack], *, anew: bool = False) -> FleetRoot:
        """The directory of stacks with one template. `anew`: one that no run has had."""
        homes = [self.earlier[stack.key] for stack in stacks if stack.key in self.earlier and not anew]
        folder = next((home.folder for home in homes if home.folder not in self.claimed), "")
        if not folder:
            folder = self.take_folder(stacks)
        self.claimed.add(folder)
        here = {key: home.environment for key, home in self.earlier.items() if home.folder == folder}
        if len(stacks) == 1 and not any(here.values()) and (not here or stacks[0].key in here):
            return FleetRoot(folder, stacks, {})
        return FleetRoot(folder, stacks, self.name_environments(stacks, here))

    def take_folder(self, stacks: Sequence[FleetStack]) -> str:
        """A free directory with the words that the names of the stacks begin with, or the first name."""
        names = sorted({stack.summary.name for stack in stacks})
        words = [re.split(r"(?<=[-_.])", name) for name in names]
        common = "".join(
            same[0] for same in itertools.takewhile(lambda parts: len(set(parts)) == 1, zip(*words, strict=False))
        )
        common = next((name for name in names if all(other.startswith(name) for other in names)), common)
        name = make_slug(common.rstrip("-_.") or names[0])
        if self.several and not self.taken.is_free(name):
            projects = {stack.project.name for stack in stacks}
            name = f"{make_slug(min(projects))}-{name}"
        return self.taken.take_free(name)

    def name_environments(self, stacks: Sequence[FleetStack], here: Mapping[str, str]) -> dict[str, str]:
        """The environments of stacks in a directory. `here`: those that it has already, by the keys of stacks."""
        own = [stack for stack in stacks if not here.get(stack.key)]
        projects, names = [stack.project.name for stack in stacks], [stack.summary.name for stack in stacks]
        chosen = {stack.key: here[stack.key] for stack in stacks if here.get(stack.key)}
        taken = {name.casefold() for name in here.values() if name}
        for stack in own:
            if len(set(names)) == len(names):
                name = stack.summary.name
            elif len(set(names)) == 1 and len(set(projects)) == len(projects):
                name = stack.project.name
            else:
                name = f"{stack.project.name}-{stack.summary.name}"
            name = OTHER_CHARACTERS.sub("-", name).strip("-_")[:LONGEST] or "stack"
            name = make_unique_name(name, lambda candidate: candidate.casefold() in taken)
            assert environments.NAME.fullmatch(name)
            taken.add(name.casefold())
            chosen[stack.key] = name
        return chosen


def split_by_shape(stacks: Iterable[FleetStack]) -> list[list[FleetStack]]:
    """Stacks of one template in parts that have the same resources: conditions and groups make others."""
    parts: dict[str, list[FleetStack]] = {}
    for stack in stacks:
        shape = [(path, resource.type) for path, resource in stack.live.walk_resources()] if stack.live else []
        parts.setdefault(repr(sorted(shape)), []).append(stack)
    return list(parts.values())
