"""The commands with their options and arguments, as data for completion and the manual page.

Invariant: this is the only module that reads typer's objects for commands. It uses only attributes that typer shares
with click, because click documents their names.
"""

from __future__ import annotations

from typing import Any

from transpile.model.records import node

HELP = ("-h", "--help")


@node
class Parameter:
    """An option or argument.

    `names`: the names of an option, such as `-e` and `--environment`. `off`: the names that negate it, such as
    `--keep-going` for `--fail-fast`. `takes`: the placeholder of its value, such as `FILE` or `text|json`; empty if it
    takes no value. `many`: whether it can be repeated.
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
class CommandNode:
    """A command, or a group of commands."""

    name: str
    help: str
    options: tuple[Parameter, ...]
    arguments: tuple[Parameter, ...]
    commands: tuple[CommandNode, ...]

    def find_option(self, name: str) -> Parameter | None:
        return next((option for option in self.options if name in option.names or name in option.off), None)

    def find_command(self, name: str) -> CommandNode | None:
        return next((command for command in self.commands if name == command.name), None)


def read_command(command: Any, name: str) -> CommandNode:
    """The tree below a typer command."""
    parameters = [
        read_parameter(click_parameter)
        for click_parameter in command.params
        if not getattr(click_parameter, "hidden", False)
    ]
    options = tuple(parameter_row for parameter_row in parameters if parameter_row.names)
    helping = Parameter("help", HELP, (), "", False, False, "", "Show this message and exit.")
    return CommandNode(
        name,
        " ".join((command.help or "").split()),
        options if any("--help" in option.names for option in options) else (*options, helping),
        tuple(parameter_row for parameter_row in parameters if not parameter_row.names),
        tuple(
            read_command(subcommand, key)
            for key, subcommand in getattr(command, "commands", {}).items()
            if not subcommand.hidden
        ),
    )


def read_parameter(click_parameter: Any) -> Parameter:
    is_option = click_parameter.param_type_name == "option"
    flag = is_option and click_parameter.is_flag
    default = click_parameter.default
    return Parameter(
        click_parameter.name,
        tuple(click_parameter.opts) if is_option else (),
        tuple(click_parameter.secondary_opts),
        "" if flag else click_parameter.metavar or click_parameter.name.upper(),
        click_parameter.nargs == -1 or bool(getattr(click_parameter, "multiple", False)),
        click_parameter.required,
        "" if flag or default is None or callable(default) else str(default),
        " ".join((click_parameter.help or "").split()),
    )
