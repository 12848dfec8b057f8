"""The commands `hot2tf capabilities find` and `hot2tf capabilities summary`.

Invariant: only results go to standard output. An empty result is not an error.
"""

# No postponed evaluation of annotations: typer would compile each of them separately, which is slow.

import json
from typing import Annotated

import typer

from transpile.cli import options
from transpile.cli.configured import configured
from transpile.cli.invocation import CommandOptions
from transpile.diagnostics.model import Diagnostic
from transpile.model.printable import escape_json_text, make_printable

app = typer.Typer(
    rich_markup_mode=None,
    no_args_is_help=True,
    help="Search the capabilities of templates.",
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

    required = []
    for pair in capability:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise options.usage_error(f"-c takes KEY=VALUE, not {pair!r}")
        required.append((name, value))
    diagnostics: list[Diagnostic] = []
    for path in capability_search.find_templates(
        required, capability_search.read_declarations(paths, diagnostics, deep=recursive)
    ):
        typer.echo(make_printable(path))
    end_search(diagnostics, line)


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
    file: Annotated[
        list[str] | None,
        typer.Option("-f", "--file", help="A template. Can be repeated; the same as PATH.", metavar="FILE"),
    ] = None,
    recursive: Recursive = False,
    *,
    line: "CommandOptions",
) -> None:
    """Print all declared capabilities and their values, as JSON."""
    from transpile.cli import capability_search

    paths = [*(paths or ()), *(file or ())]
    if not paths and not environment:
        raise options.usage_error("capabilities summary takes templates, directories, or environments with -e")
    diagnostics: list[Diagnostic] = []
    among = capability_search.read_declarations(paths, diagnostics, deep=recursive)
    capabilities = capability_search.summarize_capabilities(
        among, capability_search.declarations_of_environments(environment or (), root, diagnostics)
    )
    typer.echo(escape_json_text(json.dumps(capabilities, indent=1, ensure_ascii=False)))
    end_search(diagnostics, line)


def end_search(diagnostics: "list[Diagnostic]", line: "CommandOptions") -> None:
    """Prints the diagnostics, and exits with status 1 if there is an error."""
    from transpile.diagnostics.model import has_errors, sort_diagnostics

    options.say_diagnostics(sort_diagnostics(diagnostics), line.for_directory(".").request.diagnostics)
    if has_errors(diagnostics):
        raise typer.Exit(1)
