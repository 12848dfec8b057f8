"""The commands with their options and arguments, as data: what completion and the manual page are made of.

Invariant: this is the only module that reads the objects that typer makes of the commands, by the attributes that they
share with click's, whose names are documented.
"""

from __future__ import annotations

from typing import Any

from transpile.model.records import node

HELP = ("-h", "--help")


@node
class Parameter:
    """An option or argument. `names`: those of an option, `-e` and `--environment`; `off`: names that say the opposite;
    `takes`: what stands for its value, as `FILE` or `text|json`, empty if it takes none; `many`: it can be repeated.
    """

    key: str
    names: tuple[str, ...]
    off: tuple[str, ...]
    takes: str
    many: bool
    required: bool
    default: str
    help: str


@node
class Command:
    """A command, or a group of commands."""

    name: str
    help: str
    options: tuple[Parameter, ...]
    arguments: tuple[Parameter, ...]
    commands: tuple[Command, ...]

    def option(self, name: str) -> Parameter | None:
        return next((one for one in self.options if name in one.names or name in one.off), None)

    def command(self, name: str) -> Command | None:
        return next((one for one in self.commands if name == one.name), None)


def read(command: Any, name: str) -> Command:
    """The tree below a command of typer."""
    parameters = [parameter(one) for one in command.params if not getattr(one, "hidden", False)]
    options = tuple(one for one in parameters if one.names)
    helping = Parameter("help", HELP, (), "", False, False, "", "Show this message and exit.")
    return Command(
        name,
        " ".join((command.help or "").split()),
        options if any("--help" in one.names for one in options) else (*options, helping),
        tuple(one for one in parameters if not one.names),
        tuple(read(one, key) for key, one in getattr(command, "commands", {}).items() if not one.hidden),
    )


def parameter(given: Any) -> Parameter:
    is_option = given.param_type_name == "option"
    flag = is_option and given.is_flag
    default = given.default
    return Parameter(
        given.name,
        tuple(given.opts) if is_option else (),
        tuple(given.secondary_opts),
        "" if flag else given.metavar or given.name.upper(),
        given.nargs == -1 or bool(getattr(given, "multiple", False)),
        given.required,
        "" if flag or default is None or callable(default) else str(default),
        " ".join((given.help or "").split()),
    )
