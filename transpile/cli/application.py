"""The commands of `hot2tf` as an application of typer.

Invariant: an application for one command imports the module of that command alone, and typer prepares no other
parameters.
"""

# No postponed evaluation of annotations: typer would compile each of them separately, which is slow.

from typing import Annotated

import typer

from transpile import registrations
from transpile.cli.grouped_help import GroupedCommand
from transpile.model import printable
from transpile.version import __version__

READS_ALL = "completion"  # the command that needs all others
VERSION_FLAGS = ("-V", "--version")


def show_version(value: bool) -> None:
    if value:
        typer.echo(f"hot2tf {__version__}")
        raise typer.Exit


def root_command(
    version: Annotated[
        bool, typer.Option(*VERSION_FLAGS, callback=show_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Convert OpenStack Heat templates to Terraform."""


def make_application(name: str = "") -> typer.Typer:
    """The application with the command of this name alone, or with all commands if there is none of this name."""
    app = typer.Typer(
        name="hot2tf",
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        no_args_is_help=True,
        help="Convert OpenStack Heat templates to Terraform. Nothing is lost silently.",
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120},
    )
    app.callback()(root_command)
    commands = registrations.registered(registrations.COMMANDS)
    for entry in [commands[name]] if name in commands and name != READS_ALL else commands.values():
        add_command(app, entry)
    return app


def add_command(app: typer.Typer, entry: registrations.RegisteredEntry) -> None:
    """Adds a command, or a group of commands. What the command of another package raises is told."""
    try:
        command = entry.load()
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=entry.name)
        else:
            app.command(entry.name, cls=GroupedCommand)(command)
    except (Exception, SystemExit) as e:  # code of other packages may raise anything
        if entry.name in registrations.OWN[registrations.COMMANDS]:
            raise
        typer.echo(printable.make_log_line(f"hot2tf: the command {entry.name} cannot be loaded: {e}"), err=True)
