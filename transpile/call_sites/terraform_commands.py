"""Spells the commands of Terraform that take the place of Heat's, for the directory of a stack.

This is the only module that knows how commands name the environments that share a directory.
Invariant: a command is text that a shell reads as it is meant.
"""

from __future__ import annotations

import posixpath
import re
from typing import final

from transpile.model.records import node

SAFE = re.compile(r"[\w./+@%=:,-]+")


@final
@node
class StackLocation:
    """The place of a stack in the result. `directory`: from the top of the result. If several environments share the
    directory, `var_file` has the values of this one, and `backend_file` has the settings for its state, both relative
    to the directory, or `workspace` is the workspace with its state.
    """

    directory: str
    var_file: str = ""
    backend_file: str = ""
    workspace: str = ""

    @property
    def is_shared(self) -> bool:
        """Whether the directory has the state of another environment at times."""
        return bool(self.backend_file or self.workspace)


@final
class TerraformCommands:
    """The commands for one stack. `directory`: a word of the shell that names its directory from where a script runs.
    `is_interactive`: for people, who confirm each step themselves.
    """

    def __init__(self, directory: str, location: StackLocation, *, is_interactive: bool = False) -> None:
        self.start = f"terraform -chdir={directory}"
        self.location, self.is_interactive = location, is_interactive
        self.asks_nothing = "" if is_interactive else " -input=false"

    def prepare(self) -> list[str]:
        """The commands without which the others do not work, or work on another environment."""
        chosen = f" -reconfigure -backend-config={self.location.backend_file}" if self.location.backend_file else ""
        commands = [f"{self.start} init{chosen}{self.asks_nothing}"]
        if self.location.workspace:
            commands.append(f"{self.start} workspace select -or-create {self.location.workspace}")
        return commands

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
        return f" -var-file={self.location.var_file}" if self.location.var_file else ""


def quote_directory(prefix: str, path: str) -> str | None:
    """The word that names a directory. `prefix`: a variable in front of it, as it is written in the script, without
    quotes; `path`: from there. None if it has characters that no quoting makes safe everywhere.
    """
    normal = posixpath.normpath(path)
    if SAFE.fullmatch(normal) is None:
        return None
    return f'"{prefix}/{normal}"' if prefix else normal
