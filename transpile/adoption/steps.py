"""The updates of a stack that Terraform takes over, with the commands that run them.

Invariant: a command names the stack by its ID, and every word of it is quoted for a shell.
"""

from __future__ import annotations

import collections
import difflib
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, final

from transpile.adoption.adoption import HEAT, NATIVE, Adoption
from transpile.adoption.environments import COMPARE_PATCH
from transpile.adoption.retain import ENVIRONMENT
from transpile.model.records import record

if TYPE_CHECKING:
    from transpile.adoption.environments import AdoptedEnvironment
    from transpile.adoption.live import LiveResource, LiveStack

FOLDER = "release"
ADOPT_ENVIRONMENT = "adopt.yaml"  # beside the first template, so that `openstack stack adopt` finds nested ones
IMPORTS_FILE = "imports.tf"
PATCH = f"{FOLDER}/4-compare.patch"
TREE_PATCH = "compare.patch"  # at the top of a tree, for the code of all directories
ORIGINAL, RETAIN, RELEASE, MEMBERS = (
    f"{FOLDER}/{name}" for name in ("0-original", "1-retain", "2-release", "3-members")
)


@final
@record
class DetachedStack:
    """A nested stack that the second update leaves behind as an independent stack. `path`: the names that lead to
    it.
    """

    path: tuple[str, ...]
    live: LiveStack
    name: str

    @property
    def directory(self) -> str:
        return f"{MEMBERS}/{self.name}"


@final
@record
class ReleaseSteps:
    """The facts for the guide. `retained`: the number of resources with Retain in the template of the first update.
    `ports`: those of servers whose IDs replace reads of them in that template, by server; None for an unknown ID.
    `nested_ports`: reads of ports that remain in nested templates, as pairs of file and server.
    `complete`: whether the second update was written. `adopt_environment`: the environment for the way back; empty if
    the stack needs none.
    """

    adoption: Adoption
    detached: list[DetachedStack]
    retained: int
    ports: Mapping[str, str | None]
    nested_ports: Sequence[tuple[str, str]]
    complete: bool
    adopt_environment: str = ""

    @property
    def live(self) -> LiveStack:
        return self.adoption.live

    @property
    def environment(self) -> AdoptedEnvironment | None:
        """The environment, if several share the configuration."""
        return self.adoption.environment if self.adoption.environment.exists else None

    def path_of(self, name: str) -> str:
        """The path of a file or directory of the updates, from the root of the configuration."""
        return f"{self.environment.folder}/{name}" if self.environment is not None else name

    @property
    def patch_file(self) -> str:
        """The patch of the code, from the root of the configuration; in a tree the one at its top."""
        if self.adoption.in_tree:
            return f"../{TREE_PATCH}"
        return COMPARE_PATCH if self.environment is not None else PATCH

    @property
    def patch_options(self) -> str:
        """The options with which `patch` applies the patch file."""
        return f"-p1{' -d ..' * self.adoption.in_tree} < {self.patch_file}"

    @property
    def init_command(self) -> str:
        return self.environment.init_command if self.environment is not None else self.adoption.init_command

    def terraform(self, command: str, *, imports: bool = False) -> str:
        """A command of terraform, with the values of the environment if several share the configuration. `imports`:
        with those that only the import needs.
        """
        shell_command = f"terraform {command}"
        if self.environment is None:
            return shell_command
        return self.environment.format_command(shell_command, imports=imports)

    @property
    def has_remains(self) -> bool:
        """Whether resources remain with Heat."""
        return self.adoption.reduced is not None

    def walk_resources(self, *, kept: bool) -> Iterator[tuple[tuple[str, ...], LiveResource]]:
        """The resources that stay with Heat (`kept`) or that Terraform takes, without those that are nested stacks."""
        for path, resource in self.live.walk_resources():
            fate = self.adoption.fates.get(path, HEAT)
            if resource.stack is None and (fate == HEAT if kept else fate == NATIVE):
                yield path, resource

    def patch_of(self, files: Mapping[str, str | bytes]) -> str:
        """Returns the patch that removes unneeded entries of `ignore_changes`; empty if there are none."""
        patch: list[str] = []
        for name, text in sorted(self.adoption.settled.items()):
            before, after = (t.splitlines(keepends=True) for t in (str(files[name]), text))
            patch += difflib.unified_diff(before, after, f"a/{name}", f"b/{name}")
        return "".join(patch)

    def count_taken_types(self) -> list[tuple[str, int]]:
        """How many resources of each type Terraform takes."""
        counts = collections.Counter(resource.type for _, resource in self.walk_resources(kept=False))
        return sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))


def format_update_command(directory: str, stack: str, preview: Sequence[str] = ()) -> str:
    """The command of an update, or of a preview that shows these lists."""
    words = ["openstack", "stack", "update", "--existing"]
    words += ["--dry-run"] if preview else ["--rollback", "disabled", "--wait"]
    words += ["-t", f"{directory}/template.yaml", "-e", f"{directory}/{ENVIRONMENT}"]
    if preview:
        words += ["-f", "yaml", *(word for column in preview for word in ("-c", column))]
    return shlex.join([*words, stack])


def format_stack_command(*words: str) -> str:
    return shlex.join(["openstack", "stack", *words])
