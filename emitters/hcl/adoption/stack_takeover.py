"""The takeover of a running stack: it answers the emitter's questions while the stack is converted.

Invariant: a takeover answers for one adoption, and fills in the adoption's facts about the output.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, final

from emitters.hcl import backends, neighbours
from emitters.hcl.adoption import settling, takeover, unread
from emitters.hcl.adoption.running_stacks import RunningStacks, running_stacks_by_module
from emitters.hcl.adoption.settling import settling_names
from emitters.hcl.assemble.origin import CommandWords, Origin, format_command
from emitters.hcl.assemble.readme import RunningParts
from emitters.hcl.attempt import Attempt, Failure
from emitters.hcl.emission import Emission
from emitters.hcl.moves.replaced_arguments import find_replaced_arguments
from emitters.hcl.plan.modules import TerraformModule
from emitters.hcl.provider_names import ProviderNames
from emitters.hcl.roll_up.names import Unrolled
from emitters.hcl.takeover import Takeover
from emitters.hcl.tree.nodes import Block
from emitters.hcl.tree.printer import Item, print_hcl
from transpile.adoption.adoption import Adoption, ReplacedArgument, UnseenArguments
from transpile.adoption.environments import AdoptedEnvironment
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.model.printable import make_printable
from transpile.model.records import replace
from transpile.resolve.stack import Stack
from transpile.text.markdown import escape_markdown_line, format_code

MESSAGE = "Terraform replaces where Heat would update: {}."
HINT = (
    "A plan shows it as `forces replacement`. To be safe, add `lifecycle { prevent_destroy = true }`; "
    "docs/replaced-arguments.md has all such arguments."
)

COMMAND = format_code("hot2tf adopt")


@final
class StackTakeover(Takeover):
    """The takeover of the stack of an adoption, which was linked already."""

    exists = True

    def __init__(self, adoption: Adoption) -> None:
        assert adoption.stack is not None
        self.adoption, self.stack_name = adoption, adoption.live.name
        self.running = running_stacks_by_module(adoption, adoption.stack)
        if adoption.environment.exists:
            self.environment, self.needs = adoption.environment.name, backends.IMPORTS_WITH_KEYS

    @property
    def environment_defaults(self) -> dict[str, Any]:
        return self.adoption.environment.defaults

    def find_running(self, stack: Stack) -> RunningStacks:
        key = id(stack.template.source), id(stack.registry)
        return self.running.get(key) or RunningStacks(self.adoption, [], module=True, grows=True)

    def make_origin(self, stack: Stack, command: CommandWords) -> Origin:
        if self.environment:
            flags = ("--environments", "files", *command.flags, "-o", "DIR")
            words = format_command("adopt", "NAME=EXPORT", *command.option_words, *flags)
            return Origin((words, format_command("adopt", "NAME=EXPORT", *flags)), "running stacks")
        source = command.paths.source or "EXPORT"
        words = format_command("adopt", source, *command.option_words, *command.flags, "-o", "DIR")
        return Origin((words,), f"the running stack {make_printable(self.stack_name)}")

    def find_failures(self, attempt: Attempt) -> list[Failure]:
        return takeover.find_failures(attempt)

    def explain_stay(self, attempt: Attempt) -> str:
        return takeover.explain_stay(attempt)

    def diagnose_kept_stack(self, module: TerraformModule) -> list[Diagnostic]:
        return [takeover.diagnose_kept_stack(call, module, module.why) for call in module.calls]

    def complete_directory(self, emission: Emission) -> None:
        running = emission.unit.running
        assert isinstance(running, RunningStacks)
        unread.write_ignore_changes(emission, running)
        report_replacements(emission)

    def write_imports(
        self, root: Attempt, written: Mapping[str, Attempt], used: Sequence[Attempt]
    ) -> tuple[list[Block], list[Diagnostic]]:
        imports, diagnostics = takeover.write_imports(self.adoption, root, written)
        for attempt in used:
            record_replacements(self.adoption, attempt.emission)
        return imports, diagnostics

    def rename_addresses(self, roll_up: Unrolled) -> None:
        adoption = self.adoption
        for by_address in (adoption.imports, adoption.unknown_ids, adoption.additions):
            roll_up.rename_keys(by_address)
        adoption.settling = [roll_up.rename_address(address) for address in adoption.settling]

    def settle_file(self, emission: Emission, name: str, items: Sequence[Item], names: ProviderNames) -> None:
        if settled := settling.settle_blocks(emission, items):
            self.adoption.settled[name] = print_hcl(names.rename_items(settled))

    def place_state(self, settings_file: str, *, chosen: bool) -> list[Diagnostic]:
        self.adoption.backend_settings = settings_file
        return [] if chosen else [neighbours.diagnose_local_state()]  # environments need some backend

    def describe_readme(self) -> RunningParts:
        return describe_adoption(self.adoption)

    def record_unset_variables(self, emission: Emission, report: Mapping[str, Any]) -> None:
        self.adoption.asks = takeover.find_unset_variables(self.adoption, emission, report)


def describe_adoption(adoption: Adoption) -> RunningParts:
    """The parts for one stack, or for the environments that share the directory."""
    if adoption.environment.exists:
        origin = f"Made with {COMMAND} from running stacks, each of which is an environment."
        title = ", ".join(adoption.environment.names)
        return RunningParts(title, origin, environments=describe_environments(adoption.environment))
    stack = adoption.live
    running = f"{escape_markdown_line(stack.name)} ({format_code(stack.id)})"
    origin = f"Made with {COMMAND} from the running stack {running}; ADOPT.md says how to take it over."
    return RunningParts(stack.name, origin, describe_unknown_ids(len(adoption.unknown_ids)))


def describe_unknown_ids(number: int) -> list[str]:
    """The list item for the import blocks whose IDs are unknown; empty if all are known."""
    blocks = "One `import` block of imports.tf has" if number == 1 else f"{number} `import` blocks of imports.tf have"
    return [f"- {blocks} no ID: the comment above has the command that shows it."] if number else []


def describe_environments(environment: AdoptedEnvironment) -> list[str]:
    """The commands for an environment, and how to add another."""
    example = replace(environment, name="NAME", secret_ids={})
    return [
        f"Each environment has its values in {format_code(example.values_file)} and its own state:",
        "",
        "```sh",
        example.init_command,
        example.format_command("terraform plan"),
        "```",
        "",
        f"{format_code(f'{example.folder}/ADOPT.md')} says how to take the stack of an environment over. A new "
        "environment needs only these two files, and imports nothing: Terraform makes its resources.",
    ]


def report_replacements(emission: Emission) -> None:
    """Reports the arguments of a directory, unless `ignore_changes` hides their changes."""
    for written in find_replaced_arguments(emission):
        if not written.ignored:
            address, name = written.address, f"{written.argument} from {written.property}"
            emission.log.gather_name(codes.REPLACED_INSTEAD_OF_UPDATED, MESSAGE, address, name, written.span, HINT)


def record_replacements(adoption: Adoption, emission: Emission) -> None:
    """Records the replaced arguments for ADOPT.md, with those that Terraform never compares."""
    where = emission.unit.module.folder
    for written in find_replaced_arguments(emission):
        adoption.replaced.append(
            ReplacedArgument(where, written.address, written.property, written.argument, written.ignored)
        )
    for block, _ in emission.blocks.walk_owned():
        ignored, settling = emission.blocks.ignored_of.get(id(block), {}), settling_names(emission, block)
        if reasons := {name: why for name, why in ignored.items() if name not in settling}:
            adoption.unseen.append(UnseenArguments(where, block.address, reasons))
