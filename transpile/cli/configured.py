"""The options that a command shares with others: its flags, and the request made from flags and configurations.

Invariant: the table of options (`transpile/settings/table.py`) says everything about a flag.
"""

# No postponed evaluation of annotations: typer would compile each of them separately, which is slow.

import functools
import inspect
from collections.abc import Callable
from typing import Annotated, Any

import typer

from transpile.cli import heat_client, options
from transpile.cli.invocation import CommandOptions
from transpile.settings import table
from transpile.settings.all_options import OPTIONS
from transpile.settings.table import ConfiguredOption

Command = Callable[..., None]
TYPES = {table.FLAG: bool | None, table.NUMBER: int | None}
ONE = {table.TEXT, table.CHOICE, table.PATH}  # kinds whose flags cannot be repeated
LINE = "line"  # the parameter of a command function that gets the values of these flags


def configured(command: str, takes: str = "") -> Callable[[Command], Command]:
    """Gives a command the flags of the options that it shares with others. `takes`: the options, if the table of
    options does not know the command.

    The function of the command gets one parameter `line` in place of the flags. `line` makes the request of a run from
    the flags and from configurations.
    """

    table.TAKEN[command] = frozenset(takes.split())

    def decorate(function: Command) -> Command:
        rows = [row for row in OPTIONS if command in row.users and row.flag]
        own = [p for p in inspect.signature(function).parameters.values() if p.name != LINE]

        @functools.wraps(function)
        def run(*, config: str | None, isolated: bool, **values: Any) -> None:
            flags = {row.name: read_flag(row, values.pop(row.parameter)) for row in rows}
            function(**values, line=CommandOptions(command, flags, config, isolated=isolated))

        parameters = [
            *(p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in own),
            *(PARAMETERS[row.field] for row in rows),
            *CONFIGURATION,
        ]
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {p.name: p.annotation for p in parameters}
        del run.__wrapped__
        return run

    return decorate


def typer_parameter(name: str, annotation: Any, default: Any = None) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def flag_annotation(row: ConfiguredOption) -> Any:
    """The annotation that tells typer about a flag. If the flag is not given, its value is None and a configuration
    decides.
    """
    if row.kind == table.FLAG:
        names, metavar = [f"{row.flag}/{row.flag.replace('--', '--no-', 1)}"], None
    else:
        names, metavar = [name for name in (row.short, row.flag) if name], row.takes
    type_: Any = TYPES.get(row.kind, str | None if row.kind in ONE else list[str] | None)
    return Annotated[type_, typer.Option(*names, help=row.help, metavar=metavar, rich_help_panel=row.group or None)]


PARAMETERS = {row.field: typer_parameter(row.parameter, flag_annotation(row)) for row in OPTIONS if row.flag}
CONFIGURATION = (
    typer_parameter("config", options.Config),
    typer_parameter("isolated", options.Isolated, default=False),
)


def read_flag(row: ConfiguredOption, value: Any) -> Any:
    """The value of an option, from its flag; None if the flag was not given. Ends the command if the value is wrong."""
    if value is None or value == []:
        return None
    match row.name:
        case "parameters":
            return heat_client.parse_parameters(value)
        case "render":
            return options.rendering_values(value)
        case "environments":
            heat_client.refuse_urls(value)
        case "plugin-dirs":
            options.check_directories(value)
    match row.kind:
        case table.CODES:
            return options.check_codes(value, row.flag)
        case table.PATTERNS:
            return options.check_patterns(value, row.flag)
        case table.LIMIT:
            return options.parse_limits(value)
        case table.DIRECTORIES:
            return options.parse_url_map(value, row.flag)
        case table.VALUES:
            return options.parse_pairs(value, row.flag)
        case table.CHOICE:
            if value or row.default is not None:  # an empty word means that there is no value
                options.check_choice(row.flag, value, row.choices)
        case table.NUMBER if value < 0:
            raise options.usage_error(f"{row.flag} takes a number from 0")
    return tuple(value) if isinstance(value, list) else value
