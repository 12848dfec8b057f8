"""The command `hot2tf`: its subcommands and its exit status.

Invariant: the exit status is 0, 1 (errors in the input) or 2 (wrong usage), and there is never a traceback.
"""

# No postponed evaluation of annotations: typer would compile each of them separately, which is slow.

import copy
import os
import sys
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from transpile import registrations
from transpile.cli import streams
from transpile.cli.commands import (
    adopt,
    capabilities,
    check,
    completion,
    config,
    convert,
    explain,
    fmt,
    graph,
    init,
    lsp,
    migrate,
    targets,
    types,
)
from transpile.cli.grouped_help import GroupedCommand
from transpile.model import printable
from transpile.version import __version__

app = typer.Typer(
    name="hot2tf",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    help="Convert OpenStack Heat templates to Terraform. Nothing is lost silently.",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120},
)


VERSION_FLAGS = ("-V", "--version")


def show_version(value: bool) -> None:
    if value:
        typer.echo(f"hot2tf {__version__}")
        raise typer.Exit


@app.callback()
def root_command(
    version: Annotated[
        bool, typer.Option(*VERSION_FLAGS, callback=show_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Convert OpenStack Heat templates to Terraform."""


app.command(cls=GroupedCommand)(convert.convert)
app.command(cls=GroupedCommand)(fmt.fmt)
app.command(cls=GroupedCommand)(check.check)
app.command(cls=GroupedCommand)(init.init)
app.command(cls=GroupedCommand)(migrate.migrate)
app.command(cls=GroupedCommand)(graph.graph)
app.command(cls=GroupedCommand)(adopt.adopt)
app.command(cls=GroupedCommand)(types.types)
app.command("targets", cls=GroupedCommand)(targets.show_targets)
app.command(cls=GroupedCommand)(explain.explain)
app.command(cls=GroupedCommand)(completion.completion)
app.command(cls=GroupedCommand)(config.config)
app.command(cls=GroupedCommand)(lsp.lsp)
app.add_typer(capabilities.app, name="capabilities")


def name_of_command(command: Any) -> str:
    return str(command.name or getattr(command.callback, "__name__", ""))


def add_registered_commands() -> None:
    """Adds the commands that packages have registered. They cannot replace ours."""
    names = {name_of_command(command) for command in app.registered_commands}
    for name, entry in registrations.registered(registrations.COMMANDS).items():
        if name not in names:
            try:
                app.command(name, cls=GroupedCommand)(entry.load())
            except (Exception, SystemExit) as e:  # code of other packages may raise anything
                typer.echo(printable.make_log_line(f"hot2tf: the command {name} cannot be loaded: {e}"), err=True)


add_registered_commands()


def select_commands(words: Sequence[str]) -> typer.Typer:
    """The application with the one command that the words begin with, or with all commands if they begin with none.
    Typer prepares the parameters of every command that it has, which would be a quarter of each start.
    """
    name = words[0] if words else ""
    if name == "completion":  # it reads all of them
        return app
    chosen = copy.copy(app)
    chosen.registered_commands = [command for command in app.registered_commands if name_of_command(command) == name]
    chosen.registered_groups = [group for group in app.registered_groups if group.name == name]
    needs_none = name in VERSION_FLAGS
    return chosen if chosen.registered_commands or chosen.registered_groups or needs_none else app


def read_words_as_flags(words: Sequence[str]) -> list[str]:
    """The words of the command line, in which `help`, `help convert` and `version` are the flags that they mean."""
    if words[:1] == ["help"]:
        return [*words[1:2], "--help"]
    return ["--version"] if words == ["version"] else list(words)


def run_command_line() -> None:
    """Runs the command that the arguments name. If arguments are wrong, the messages of typer repeat them."""
    try:
        words = read_words_as_flags(sys.argv[1:])
        status = select_commands(words)(words, standalone_mode=False)
    except typer.Abort:
        status = 1
    except Exception as e:
        wrong: Any = e
        if not hasattr(wrong, "format_message"):
            raise
        if any(printable.make_log_line(argument) != argument for argument in sys.argv):
            message = printable.make_log_line(wrong.format_message())
            wrong.format_message = lambda: message
        wrong.show()
        status = wrong.exit_code
    sys.exit(status or 0)


def main() -> None:
    """Runs the command, and never shows a traceback."""
    streams.prepare_streams()
    try:
        streams.run_to_the_end(run_command_line)
    except streams.LostOutput as e:
        if not e.quiet:
            typer.echo(f"hot2tf: standard output cannot be written: {e}", err=True)
        sys.exit(1)
    except Exception as e:
        if os.environ.get("HOT2TF_DEBUG"):
            raise
        sys.stderr.write(
            f"{printable.make_log_line(f'error HOT900: hot2tf failed: {type(e).__name__}: {e}')}\n"
            "  = Please report it, with the template if you can. Set HOT2TF_DEBUG=1 for a traceback.\n"
        )
        sys.exit(1)
