"""What the user decides in `hot2tf init`: the question, the choices, and what each choice changes.

Invariant: the choices of an option are those of the table of options. An option that the table does not have is no
decision.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import final

from transpile.initialization import pipelines
from transpile.model.records import node
from transpile.settings.table import OPTIONS, ConfiguredOption

PREFER, MISSING, PIPELINE = "prefer", "missing", "ci"
RECOMMENDED = "native"
EFFECTS: Mapping[tuple[str, str], str] = {
    (PREFER, "faithful"): "what Terraform cannot do exactly as Heat stays in a small Heat stack",
    (PREFER, "native"): "fewer stacks need Heat; a warning says where Terraform then works otherwise than Heat",
    (PREFER, "provisioners"): "as native, and Terraform runs scripts on servers over SSH where Heat's agents did",
    (MISSING, "error"): "a stack that names such a file is not converted",
    (MISSING, "stub"): "a script stands for the file, which says its name and fails; a warning says where",
    (PIPELINE, "github"): "a workflow checks the templates at each push and pull request",
    (PIPELINE, "gitlab"): "a job checks the templates in each pipeline",
    (PIPELINE, "pre-commit"): "hooks format and check the templates before each commit",
    (PIPELINE, "none"): "no job for CI",
}


@final
@node
class Decision:
    """`name`: of the flag and, for an option, of the key. `default`: what holds if the user says nothing."""

    name: str
    question: str
    choices: tuple[str, ...]
    default: str

    def describe_choice(self, choice: str) -> str:
        """A choice, what it changes, and whether it is recommended."""
        effect = EFFECTS.get((self.name, choice), "")
        recommended = " (recommended)" if (self.name, choice) == (PREFER, RECOMMENDED) else ""
        return f"{choice}{recommended}: {effect}" if effect else choice


def find_option(name: str) -> ConfiguredOption | None:
    """The option of the table with this name; None if this version does not have it."""
    return next((row for row in OPTIONS if row.name == name), None)


def preference_decision() -> Decision:
    option = find_option(PREFER)
    assert option is not None
    return Decision(PREFER, "Which translation, if a resource has several?", option.choices, RECOMMENDED)


def missing_files_decision(description: str) -> Decision | None:
    """What stands for missing files. None if this version has no choice. `description`: which files are missing."""
    option = find_option(MISSING)
    if option is None:
        return None
    question = f"{description} What stands for such files?"
    return Decision(MISSING, question, option.choices, str(option.default or option.choices[-1]))


def pipeline_decision(default: str) -> Decision:
    return Decision(PIPELINE, "Which job for CI?", pipelines.CHOICES, default)
