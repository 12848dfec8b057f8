"""Spells the commands of Terraform that take the place of Heat's, for the directory of a stack.

This is the only module that knows how a stack's environments lie in its directory (`locate_stack`), and how commands
name them. Invariant: a command is a list of words that are already safe in a shell.
"""

from __future__ import annotations

import posixpath
import re
from typing import final

from transpile.model.records import node
from transpile.repository.plan import StackPlan

SAFE = re.compile(r"[\w./+@%=:,-]+")


@final
@node
class StackLocation:
    """Where a stack is in the result. `directory`: from its top; `label`: the environment, if the directory has
    several: each has its own variables and state then.
    """

    directory: str
    label: str = ""

    @property
    def var_file(self) -> str:
        """The file of the environment's values, from the directory."""
        return f"environments/{self.label}.tfvars" if self.label else ""

    @property
    def backend_file(self) -> str:
        """The file that says where the environment's state is, from the directory."""
        return f"environments/{self.label}.backend.hcl" if self.label else ""


def locate_stack(stack: StackPlan) -> StackLocation:
    """Where a stack of the plan is written: a directory of its own."""
    return StackLocation(stack.output)


@final
class TerraformCommands:
    """The commands for one stack. `directory`: a word of the shell that names its directory from where a script runs.
    `is_interactive`: for people, who confirm each step themselves.
    """

    def __init__(self, directory: str, location: StackLocation, *, is_interactive: bool = False) -> None:
        self.start = f"terraform -chdir={directory}"
        self.location, self.is_interactive = location, is_interactive
        self.asks_nothing = "" if is_interactive else " -input=false"

    def init(self) -> str:
        if self.location.label:
            return f"{self.start} init -reconfigure -backend-config={self.location.backend_file}{self.asks_nothing}"
        return f"{self.start} init{self.asks_nothing}"

    def apply(self, arguments: list[str], separator: str = " ") -> str:
        """`apply`, with further arguments such as `-var NAME=VALUE`."""
        approval = "" if self.is_interactive else " -auto-approve"
        return separator.join([f"{self.start} apply{self.asks_nothing}{approval}{self.var_file()}", *arguments])

    def plan(self, arguments: list[str], separator: str = " ") -> str:
        return separator.join([f"{self.start} plan{self.asks_nothing}{self.var_file()}", *arguments])

    def destroy(self, arguments: list[str], *, approved: bool, separator: str = " ") -> str:
        asks = " -input=false -auto-approve" if approved else ""
        return separator.join([f"{self.start} destroy{asks}{self.var_file()}", *arguments])

    def output(self, name: str, *, form: str) -> str:
        """`output` of one value; `form`: raw or json."""
        return f"{self.start} output -{form} {name}"

    def outputs(self) -> str:
        return f"{self.start} output"

    def show(self) -> str:
        return f"{self.start} show"

    def list_resources(self) -> str:
        return f"{self.start} state list"

    def var_file(self) -> str:
        return f" -var-file={self.location.var_file}" if self.location.label else ""


def quote_directory(prefix: str, path: str) -> str | None:
    """The word that names a directory. `prefix`: a variable in front of it, as it is written in the script, without
    quotes; `path`: from there. None if it has characters that no quoting makes safe everywhere.
    """
    normal = posixpath.normpath(path)
    if SAFE.fullmatch(normal) is None:
        return None
    return f'"{prefix}/{normal}"' if prefix else normal
