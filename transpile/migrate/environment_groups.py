"""The stacks of one template that differ in their environments, and the directories in which they share their code.

Invariant: environments share a directory only if their code is equal byte for byte. No directory is inside another, and
an environment stays in the directory in which it is, as long as the code that most environments there have allows it.
"""

from __future__ import annotations

import pathlib
import posixpath
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple, final

from transpile.front.kinds import document_stem
from transpile.migrate import archive
from transpile.model.records import node, replace
from transpile.repository.outputs import TakenDirectories, environments_label
from transpile.repository.plan import MigrationPlan, StackPlan
from transpile.targets import SharedRoots, Target
from transpile.text import manifest

FILES = "files"  # the layout in which each environment has files of values and settings
DIRECTORIES = "directories"  # the layout in which each environment has a directory of its own
WORKSPACES = "workspaces"  # the one in which each is a workspace of Terraform


@final
@node
class EnvironmentGroup:
    """The stacks of a template, in the order of their environments. folder: the directory for the code that most of
    them have.
    """

    folder: str
    stacks: tuple[StackPlan, ...]


class SharedRoot(NamedTuple):
    """A directory for stacks with equal code: the output of each, by its environment."""

    folder: str
    outputs: dict[str, str]


class StackPlace(NamedTuple):
    """The place of a stack: a directory, and the environment in it; empty if the directory has one stack."""

    folder: str
    environment: str = ""


def keep_environments(plan: MigrationPlan, directory: pathlib.Path, roots: SharedRoots) -> MigrationPlan:
    """The plan, in which the only environment that a template has left stays in the directory that it shared with
    others. directory: the destination.
    """
    stacks = []
    for stack in plan.stacks:
        label = environments_label(stack.environments, document_stem(stack.template)) if stack.environments else ""
        if label and not stack.environment and label in list_environments(directory / stack.output, roots):
            output = f"{stack.output}/{label}"
            named = stack.name != stack.output.replace("/", "-")
            name = stack.name if named else output.replace("/", "-")
            stack = replace(stack, output=output, environment=label, name=name)
        stacks.append(stack)
    return replace(plan, stacks=tuple(sorted(stacks, key=lambda stack: stack.output)))


def list_environments(directory: pathlib.Path, roots: SharedRoots) -> set[str]:
    """The environments for which an earlier run wrote files of values into a directory."""
    try:
        names = manifest.read_manifest(directory)
    except OSError:
        return set()
    return {environment for name in names if (environment := roots.environment_of(name))}


def find_groups(stacks: Sequence[StackPlan], target: Target) -> tuple[EnvironmentGroup, ...]:
    """The groups of stacks that may share code: those of one template, or of joined ones, with equal options. There
    are none for a target that has an output for each environment.
    """
    if target.roots is None:
        return ()
    members: dict[tuple[str, ...], list[StackPlan]] = {}
    taken = TakenDirectories()
    for stack in stacks:
        if stack.environment:
            template = stack.joined.template if stack.joined is not None else stack.template
            key = template, posixpath.dirname(stack.output), repr(stack.options), repr(stack.render)
            members.setdefault(key, []).append(stack)
        else:
            taken.take(stack.output)
    groups = []
    for (_, folder, *_), of_group in sorted(members.items(), key=lambda item: item[1][0].output):
        groups.append(EnvironmentGroup(taken.take_free(folder), tuple(of_group)))
    return tuple(groups)


def digest_code(files: Mapping[str, bytes], roots: SharedRoots) -> str:
    """A digest of the files that environments have in common."""
    return archive.digest_files({name: data for name, data in files.items() if not roots.belongs(name)})


@final
class RootChooser:
    """Chooses the directories of groups. directory: the destination, as an earlier run left it. taken: all outputs of
    stacks outside of groups. layout: how environments share code.
    """

    def __init__(
        self,
        directory: pathlib.Path,
        roots: SharedRoots,
        groups: Iterable[EnvironmentGroup],
        taken: Iterable[str],
        layout: str,
    ) -> None:
        self.directory, self.roots, self.layout = directory, roots, layout
        self.taken = TakenDirectories()
        for output in (*taken, *(group.folder for group in groups)):
            self.taken.take(output)

    def choose_roots(
        self, group: EnvironmentGroup, codes: Mapping[str, str], stale: Collection[str]
    ) -> list[SharedRoot]:
        """The directories of a group. codes: a digest of the code of each stack that has any, by its output. stale: the
        stacks of earlier runs that cannot be converted now; each stays where it is.
        """
        if self.layout == DIRECTORIES:
            return [SharedRoot(stack.output, {"": stack.output}) for stack in group.stacks if stack.output in codes]
        classes: dict[str, dict[str, str]] = {}
        for stack in group.stacks:
            if stack.output in codes and stack.output not in stale:
                classes.setdefault(codes[stack.output], {})[stack.environment] = stack.output
        here = self.environments_in(group.folder)
        ordered = sorted(classes.values(), key=lambda outputs: (-len(here & outputs.keys()), -len(outputs), *outputs))
        roots = [
            SharedRoot(group.folder if not at else self.choose_folder(group.folder, outputs), outputs)
            for at, outputs in enumerate(ordered)
        ]
        for stack in group.stacks:
            if stack.output in stale:
                earlier = [root for root in roots if stack.environment in self.environments_in(root.folder)]
                if root := next(iter(earlier or roots), None):
                    root.outputs[stack.environment] = stack.output
                else:
                    roots.append(SharedRoot(group.folder, {stack.environment: stack.output}))
        return [SharedRoot(root.folder, dict(sorted(root.outputs.items()))) for root in roots]

    def choose_folder(self, folder: str, outputs: Mapping[str, str]) -> str:
        """A directory beside that of the group. It is named like the first environment, or as in an earlier run."""
        names = [f"{folder}-{environment}" for environment in outputs]
        earlier = [name for name in names if self.environments_in(name) & outputs.keys() and self.taken.is_free(name)]
        return self.taken.take_free((earlier or names)[0])

    def environments_in(self, folder: str) -> set[str]:
        return list_environments(self.directory / folder, self.roots)
