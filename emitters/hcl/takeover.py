"""The additional work of a conversion whose stack runs already: none, if the stack is new.

Invariant: the emitter asks at each place, and never whether there is an adoption; an adoption hands in a takeover that
answers otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from emitters.hcl import backends
from emitters.hcl.assemble.origin import CommandWords, Origin, origin_of_stack
from emitters.hcl.assemble.readme import RunningParts
from emitters.hcl.attempt import Attempt, Failure
from emitters.hcl.emission import Emission
from emitters.hcl.plan.modules import TerraformModule
from emitters.hcl.provider_names import ProviderNames
from emitters.hcl.roll_up.names import Unrolled
from emitters.hcl.running import NEW_DIRECTORY, RunningDirectory
from emitters.hcl.tree.nodes import Block
from emitters.hcl.tree.printer import Item
from transpile.diagnostics.model import Diagnostic
from transpile.resolve.stack import Stack


class Takeover:
    """The takeover of a new stack. exists: whether the stack runs already, so that its values are compared with the
    running ones. stack_name: its name there. environment: its name among several that share the configuration. needs:
    the lowest version of Terraform.
    """

    exists = False
    stack_name = ""
    environment = ""
    needs = backends.LOWEST

    @property
    def environment_defaults(self) -> dict[str, Any]:
        """The environment's defaults for nested templates, by the key of the variable. The emitter fills them in."""
        return {}

    def find_running(self, stack: Stack) -> RunningDirectory:
        """The running resources of a template's stack."""
        return NEW_DIRECTORY

    def make_origin(self, stack: Stack, command: CommandWords) -> Origin:
        """The origin of the files, for their first lines."""
        return origin_of_stack(stack, command)

    def find_failures(self, attempt: Attempt) -> list[Failure]:
        """The resources that cannot be taken over, so that they stay with Heat."""
        return []

    def explain_stay(self, attempt: Attempt) -> str:
        """Why a nested stack stays with Heat as a whole; empty if it need not."""
        return ""

    def diagnose_kept_stack(self, module: TerraformModule) -> list[Diagnostic]:
        """The diagnostics for such a stack, where it is used."""
        return []

    def complete_directory(self, emission: Emission) -> None:
        """Adds to the blocks of a directory the parts that only running resources need."""

    def write_imports(
        self, root: Attempt, written: Mapping[str, Attempt], used: Sequence[Attempt]
    ) -> tuple[list[Block], list[Diagnostic]]:
        """Writes the import blocks, and diagnostics. written: the attempts at modules, by label. used: all in the
        output.
        """
        return [], []

    def rename_addresses(self, roll_up: Unrolled) -> None:
        """Takes the addresses that families have."""

    def settle_file(self, emission: Emission, name: str, items: Sequence[Item], names: ProviderNames) -> None:
        """Records a file without the parts that only the import needs."""

    def place_state(self, settings_file: str, *, chosen: bool) -> list[Diagnostic]:
        """Records where the state is. chosen: the user chose the backend."""
        return []

    def describe_readme(self) -> RunningParts:
        """The parts of README.md about the running stack."""
        return RunningParts()

    def record_unset_variables(self, emission: Emission, report: Mapping[str, Any]) -> None:
        """Records the variables that need a value."""


NEW_STACK = Takeover()
