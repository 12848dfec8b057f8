"""The commands of `hot2tf` as an application of typer, whose help shows options in groups, with examples below.

Invariant: an application for one command imports the module of that command alone, and typer prepares no other
parameters. In the help, a group has the options that most users need, and `Advanced` has all others, so a new option is
shown without a change here. At most fifteen options stand outside of `Advanced` (`tests/cli/test_help.py`).
"""

# No postponed evaluation of annotations: typer would compile each of them separately, which is slow.
from collections.abc import Mapping
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from transpile import registrations
from transpile.model import printable
from transpile.version import __version__

ADVANCED = "Advanced"
GROUPS: Mapping[str, tuple[str, ...]] = {
    "Input": ("--environment", "--parameter", "--missing"),
    "Output": ("--output", "--to", "--check", "--fix", "--diff", "--force", "--format"),
    "Translation": ("--prefer", "--keep", "--tests", "--level", "--ci"),
    "Reporting": (
        "--report", "--html", "--diagnostics", "--verbose", "--strict", "--statistics",
        "--write-baseline", "--baseline",
    ),
}  # fmt: skip
ORDER: Mapping[str, int] = {flag: number for number, flag in enumerate(f for flags in GROUPS.values() for f in flags)}
GROUP_OF: Mapping[str, str] = {flag: group for group, flags in GROUPS.items() for flag in flags}
# Options of targets, which `hot2tf targets` lists. They work everywhere, but like options for documents of other kinds,
# help shows them only where most users of the command need them.
HIDDEN: Mapping[str, tuple[str, ...]] = {"convert": ("--hot-version", "--tosca-version", "--readme")}
READS_ALL = "completion"  # the command that needs all others
VERSION_FLAGS = ("-V", "--version")


class GroupedCommand(TyperCommand):
    """A command whose help shows its options in groups."""

    def __init__(self, name: str | None, **settings: Any) -> None:
        super().__init__(name, **settings)
        if flags := HIDDEN.get(name or ""):
            from transpile.settings.all_options import CONTRIBUTED

            for parameter in self.params:
                if parameter.opts[-1] in {*flags, *(row.flag for row in CONTRIBUTED)}:
                    parameter.hidden = True  # type: ignore[attr-defined]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        rows: dict[str, list[tuple[str, str]]] = {"Arguments": [], **{group: [] for group in GROUPS}, ADVANCED: []}
        for parameter in sorted(self.get_params(ctx), key=lambda parameter: ORDER.get(parameter.opts[-1], len(ORDER))):
            if (record := parameter.get_help_record(ctx)) is not None:
                rows[group_of(parameter)].append(record)
        grouped = any(rows[group] for group in GROUPS)
        for group, records in rows.items():
            if records:
                with formatter.section(group if grouped or group != ADVANCED else "Options"):
                    formatter.write_dl(records)
        if examples := getattr(self.callback, "examples", ()):
            with formatter.section("Examples" if len(examples) > 1 else "Example"):
                for example in examples:
                    formatter.write(f"{'':>{formatter.current_indent}}{example}\n")


def group_of(parameter: Any) -> str:
    """The group of an option or argument in the help of its command."""
    if parameter.param_type_name != "option":
        return "Arguments"
    return parameter.rich_help_panel or GROUP_OF.get(parameter.opts[-1], ADVANCED)


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
    """Adds a command, or a group of commands. An exception from the command of another package becomes a message."""
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
