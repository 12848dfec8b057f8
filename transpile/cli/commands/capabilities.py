"""The commands `hot2tf capabilities find` and `hot2tf capabilities summary`.

Invariant: only results go to standard output. An empty result is not an error.
"""

# No postponed evaluation of annotations: typer would compile each of them separately, which is slow.

import json
from typing import TYPE_CHECKING, Annotated

import typer

from transpile.cli import options
from transpile.cli.configured import configured
from transpile.model.printable import escaped, printable

if TYPE_CHECKING:
    from transpile.cli.invocation import CommandOptions
    from transpile.diagnostics.model import Diagnostic

app = typer.Typer(
    rich_markup_mode=None,
    no_args_is_help=True,
    help="Show the capabilities that templates declare.",
    context_settings={"help_option_names": ["-h", "--help"]},
)
Recursive = Annotated[bool, typer.Option("-r", "--recursive", help="Search subdirectories, too.")]


@app.command()
@configured("capabilities")
def find(
    paths: Annotated[list[str], typer.Argument(help="Templates, or directories of them.", metavar="PATH")],
    capability: Annotated[
        list[str],
        typer.Option(
            "-c", "--capability", help="A required capability. Can be repeated; all must match.", metavar="KEY=VALUE"
        ),
    ],
    recursive: Recursive = False,
    *,
    line: "CommandOptions",
) -> None:
    """Print the paths of the templates that have the given capabilities."""
    from transpile.cli import capability_search

    wanted = []
    for one in capability:
        name, equals, value = one.partition("=")
        if not equals or not name:
            raise options.usage(f"-c takes KEY=VALUE, not {one!r}")
        wanted.append((name, value))
    found: list[Diagnostic] = []
    for path in capability_search.find(wanted, capability_search.declared(paths, found, deep=recursive)):
        typer.echo(printable(path))
    end(found, line)


@app.command()
@configured("capabilities")
def summary(
    paths: Annotated[
        list[str] | None, typer.Argument(help="Templates, or directories of them.", metavar="PATH")
    ] = None,
    environment: Annotated[
        list[str] | None,
        typer.Option(
            "-e", "--environment", help="An environment, to include the templates that it names.", metavar="FILE"
        ),
    ] = None,
    root: Annotated[
        str | None, typer.Option("--root", help="The directory that environments may read files from.", metavar="DIR")
    ] = None,
    recursive: Recursive = False,
    *,
    line: "CommandOptions",
) -> None:
    """Print all declared capabilities and their values, as JSON."""
    from transpile.cli import capability_search

    if not paths and not environment:
        raise options.usage("capabilities summary takes templates, directories, or environments with -e")
    found: list[Diagnostic] = []
    among = capability_search.declared(paths or (), found, deep=recursive)
    known = capability_search.summary(among, capability_search.of_environments(environment or (), root, found))
    typer.echo(escaped(json.dumps(known, indent=1, ensure_ascii=False)))
    end(found, line)


def end(found: "list[Diagnostic]", line: "CommandOptions") -> None:
    """Prints the diagnostics, and exits with status 1 if there is an error."""
    from transpile.diagnostics.model import failed, in_order

    options.say(in_order(found), line.for_directory(".").request.diagnostics)
    if failed(found):
        raise typer.Exit(1)
