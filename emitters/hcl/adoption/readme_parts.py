"""What the README.md of an adopted directory says of the running stacks."""

from __future__ import annotations

from emitters.hcl.assemble.readme import RunningParts
from transpile.adoption.adoption import Adoption
from transpile.adoption.environments import AdoptedEnvironment
from transpile.model.records import replace
from transpile.text.markdown import escape_markdown_line, format_code

COMMAND = format_code("hot2tf adopt")


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
    """What an adoption leaves to fill in."""
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
