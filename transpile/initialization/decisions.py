"""The decisions of the user in `hot2tf init`: the question, the choices, and the effect of each choice.

Invariant: the choices of an option are those of the table of options.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import final

from transpile.initialization import pipelines
from transpile.model.records import node
from transpile.settings.table import OPTIONS, ConfiguredOption

PREFER, MISSING, ROLL_UP, MAP_URL, PIPELINE = "prefer", "missing", "roll-up", "map-url", "ci"
YES, NO = "yes", "no"
RECOMMENDED = {PREFER: "native", ROLL_UP: YES}
EFFECTS: Mapping[tuple[str, str], str] = {
    (PREFER, "faithful"): "resources that Terraform cannot treat exactly as Heat stay in a small Heat stack",
    (PREFER, "native"): "shorter code, and fewer stacks need Heat; the summary lists the differences from Heat",
    (PREFER, "provisioners"): "as native, and Terraform runs scripts on servers over SSH where Heat's agents did",
    (MISSING, "error"): "a stack that names such a file is not converted",
    (MISSING, "stub"): "a script takes the place of the file, prints its name and fails; a warning says where",
    (ROLL_UP, YES): "one block with count or for_each for all copies, and for the rules of security groups",
    (ROLL_UP, NO): "a block for each, with the name that it has in the template",
    (MAP_URL, YES): "the files are read from there, and nothing is fetched",
    (MAP_URL, NO): "the files are not read",
    (PIPELINE, "github"): "a workflow checks the templates at each push and pull request",
    (PIPELINE, "gitlab"): "a job checks the templates in each pipeline",
    (PIPELINE, "pre-commit"): "hooks format and check the templates before each commit",
    (PIPELINE, "none"): "no job for CI",
}


@final
@node
class Decision:
    """`name`: of the flag and, for an option, of the key. `default`: the choice without an answer."""

    name: str
    question: str
    choices: tuple[str, ...]
    default: str

    def describe_choice(self, choice: str) -> str:
        """Returns a choice with its effect, and whether it is recommended."""
        effect = EFFECTS.get((self.name, choice), "")
        recommended = " (recommended)" if choice == RECOMMENDED.get(self.name) else ""
        return f"{choice}{recommended}: {effect}" if effect else choice


def look_up_option(name: str) -> ConfiguredOption:
    """The option of the table with this name."""
    return next(row for row in OPTIONS if row.name == name)


def preference_decision() -> Decision:
    choices = look_up_option(PREFER).choices
    return Decision(PREFER, "Which translation, if a resource has several?", choices, RECOMMENDED[PREFER])


def missing_files_decision(description: str) -> Decision:
    """Returns the question about missing files. `description`: the missing files, as a sentence; it may be empty."""
    option = look_up_option(MISSING)
    question = f"{description} How are such files treated?".lstrip()
    return Decision(MISSING, question, option.choices, str(option.default))


def roll_up_decision(copies: int) -> Decision:
    """Whether numbered copies become one block, which is never longer. `copies`: how many there are."""
    question = f"{copies} resources are numbered copies, as port_1, port_2 and port_3 are. Roll them up?"
    return Decision(ROLL_UP, question if copies else "Roll numbered copies up?", (YES, NO), RECOMMENDED[ROLL_UP])


def url_map_decision(url: str, directory: str) -> Decision:
    """Whether the templates that a URL names are those of a directory."""
    question = f"Templates are named by URLs that begin with {url}. Are they those in {directory}?"
    return Decision(MAP_URL, question, (YES, NO), YES)


def pipeline_decision(default: str) -> Decision:
    """Which job for CI is written. `default`: the CI that the repository uses."""
    return Decision(PIPELINE, "Which job for CI?", pipelines.CHOICES, default)
