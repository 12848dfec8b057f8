"""The commands of `hot2tf` as an application of typer.

Invariant: an application for one command imports the module of that command alone, and typer prepares no other
parameters.
"""

# No postponed evaluation of annotations: typer would compile each of them separately, which is slow.

import importlib
from collections.abc import Mapping
from typing import Annotated, Any

import typer

from transpile import registrations
from transpile.cli.grouped_help import GroupedCommand
from transpile.model import printable
from transpile.version import __version__

# name → its module in transpile/cli/commands, and the name of its function there
COMMANDS: Mapping[str, tuple[str, str]] = {
    "convert": ("convert", "convert"),
    "fmt": ("fmt", "fmt"),
    "check": ("check", "check"),
    "init": ("init", "init"),
    "migrate": ("migrate", "migrate"),
    "graph": ("graph", "graph"),
    "adopt": ("adopt", "adopt"),
    "types": ("types", "types"),
    "targets": ("targets", "show_targets"),
    "explain": ("explain", "explain"),
    "completion": ("completion", "completion"),
    "config": ("config", "config"),
    "lsp": ("lsp", "lsp"),
}
GROUPS: Mapping[str, tuple[str, str]] = {"capabilities": ("capabilities", "app")}  # commands that have commands
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
    if name != READS_ALL and add_own_command(app, name):
        return app
    registered = registrations.registered(registrations.COMMANDS)
    if name in registered:
        add_registered_command(app, registered[name])
        return app
    for own in COMMANDS:
        add_own_command(app, own)
    for key, entry in registered.items():
        if key not in COMMANDS:  # a package cannot replace a command of ours
            add_registered_command(app, entry)
    for group in GROUPS:
        add_own_command(app, group)
    return app


def add_own_command(app: typer.Typer, name: str) -> bool:
    """Adds a command of our own. Returns whether there is one of this name."""
    if name in COMMANDS:
        app.command(name, cls=GroupedCommand)(load_command(*COMMANDS[name]))
    elif name in GROUPS:
        app.add_typer(load_command(*GROUPS[name]), name=name)
    return name in COMMANDS or name in GROUPS


def load_command(module: str, name: str) -> Any:
    return getattr(importlib.import_module(f"transpile.cli.commands.{module}"), name)


def add_registered_command(app: typer.Typer, entry: registrations.RegisteredEntry) -> None:
    """Adds a command that a package has registered."""
    try:
        app.command(entry.name, cls=GroupedCommand)(entry.load())
    except (Exception, SystemExit) as e:  # code of other packages may raise anything
        typer.echo(printable.make_log_line(f"hot2tf: the command {entry.name} cannot be loaded: {e}"), err=True)
