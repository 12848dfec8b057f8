"""The environments of one configuration: running stacks of one template that Terraform takes over with the same code.

Invariant: a difference between the running stacks is a value of a variable, so it is in the files of the environment.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, final

from transpile.adoption.lookups import Cloud
from transpile.model.records import EMPTY, field, record

if TYPE_CHECKING:
    from transpile.adoption.live import LiveStack

FOLDER = "environments"
# The name of an environment, which is part of file names. It has no dot, so no two environments have the same files.
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,62}")
IDS, SECRETS = "import_ids", "import_secrets"  # the keys of the variables with IDs to import
COMPARE_PATCH = f"{FOLDER}/compare.patch"
# Reasons for `ignore_changes`, by the label of a module and the address of a block, and then by argument
IgnoredArguments: TypeAlias = "Mapping[tuple[str, str], Mapping[str, str]]"


@final
@record
class AdoptedEnvironment:
    """One of several environments that share a configuration; one without a name stands for the only one.

    `names`: the names of all environments; `lives`, `clouds`: the running stacks of those that the run writes, and the
    source of answers about each. `ignored`: arguments that some environment must ignore, None while that is not known.
    The emitter fills in the rest: `import_ids` and `secret_ids`: the IDs by the address of a resource without keys of
    instances, and by these keys; `import_notes`: comments on IDs that are not known; `ids_label`: the variable with the
    IDs; `defaults`: the values of variables for nested templates, by the keys of these; `compared_otherwise`: the
    arguments that this environment must ignore.
    """

    name: str = ""
    names: Sequence[str] = ()
    lives: Sequence[LiveStack] = ()
    clouds: Sequence[Cloud] = ()
    ignored: IgnoredArguments | None = None
    import_ids: dict[str, dict[str, str]] = field(default_factory=dict)
    secret_ids: dict[str, dict[str, str]] = field(default_factory=dict)
    import_notes: list[str] = field(default_factory=list)
    ids_label: str = IDS
    defaults: dict[str, Any] = field(default_factory=dict)
    compared_otherwise: dict[tuple[str, str], dict[str, str]] = field(default_factory=dict)

    @property
    def exists(self) -> bool:
        """Whether there are several."""
        return bool(self.name)

    @property
    def values_file(self) -> str:
        """The file with the values of the environment's variables."""
        return f"{FOLDER}/{self.name}.tfvars"

    @property
    def secrets_file(self) -> str:
        """The file with IDs that are secrets."""
        return f"{FOLDER}/{self.name}.secrets.tfvars"

    @property
    def backend_file(self) -> str:
        """The file that says where the state of the environment is."""
        return f"{FOLDER}/{self.name}.backend.hcl"

    @property
    def state_file(self) -> str:
        """The state of the environment, as long as it is on this machine."""
        return f"{FOLDER}/{self.name}.tfstate"

    def place_file(self, name: str) -> str:
        """Returns the path of a file for the updates of the stack. The patch of the code belongs to all
        environments.
        """
        return COMPARE_PATCH if name.endswith(".patch") else f"{self.folder}/{name}"

    @property
    def init_command(self) -> str:
        """The command that chooses the state of the environment."""
        return f"terraform init -reconfigure -backend-config={self.backend_file}"

    def format_command(self, command: str, *, imports: bool = False) -> str:
        """A command of terraform with the values of the environment. `imports`: with those that the import needs."""
        files = [self.values_file, *([self.secrets_file] if imports and self.secret_ids else ())]
        return " ".join([command, *(f"-var-file={file}" for file in files)])

    @property
    def folder(self) -> str:
        """The folder for the guide and the updates of the environment's stack."""
        return f"{FOLDER}/{self.name}"


def join_ignored_arguments(environments: Sequence[AdoptedEnvironment]) -> dict[tuple[str, str], dict[str, str]]:
    """Returns the arguments that at least one environment must ignore, with the reasons."""
    union: dict[tuple[str, str], dict[str, str]] = {}
    for environment in environments:
        for place, reasons in environment.compared_otherwise.items():
            union[place] = {**reasons, **union.get(place, EMPTY)}
    return {place: dict(sorted(reasons.items())) for place, reasons in sorted(union.items())}


def find_difference(first: Mapping[str, Any], other: Mapping[str, Any]) -> str:
    """The place at which two configurations differ, a file or a line of it; empty if they are equal."""
    for name in sorted({*first, *other}):
        if name not in first or name not in other:
            return f"only one has {name}"
        if first[name] != other[name]:
            rows = (str(text).splitlines() for text in (first[name], other[name]))
            number = next((i for i, (a, b) in enumerate(zip(*rows, strict=False), 1) if a != b), 0)
            return f"{name}, line {number}" if number else f"the end of {name}"
    return ""
