"""The command `hot2tf graph`."""

# No postponed evaluation of annotations: typer would compile each of them separately, which is slow.

import os
import pathlib
import sys
from typing import Annotated

import typer

from transpile.cli import heat_client, options
from transpile.cli.configured import configured
from transpile.cli.invocation import CommandOptions
from transpile.model.records import replace

TARGET = "graph"
FORMS, KINDS = ("mermaid", "dot", "svg"), ("native", "heat")
FORM_OF_ENDING = {
    ".dot": "dot",
    ".gv": "dot",
    ".md": "mermaid",
    ".mermaid": "mermaid",
    ".mmd": "mermaid",
    ".svg": "svg",
}
PICTURES = (".jpeg", ".jpg", ".pdf", ".png", ".ps", ".webp")  # endings of files that other programs make of a graph


@options.with_examples("hot2tf graph stack.yaml -o stack.svg")
@configured(
    "graph",
    "select ignore per-file-ignores severity min-severity environments parameters render root allow map-url "
    "limits plugin-dirs mappings prefer provider keep verify placeholders missing strict diagnostics",
)
def graph(
    template: Annotated[
        str | None, typer.Argument(help="A template; - for standard input.", metavar="TEMPLATE")
    ] = None,
    template_option: heat_client.Template = None,
    to: Annotated[
        str | None,
        typer.Option(
            "--to",
            help="The language of the graph; by default that of the ending of the file, else mermaid.",
            metavar="|".join(FORMS),
        ),
    ] = None,
    output: Annotated[
        str, typer.Option("-o", "--output", help="The file for the graph; - for standard output.", metavar="FILE")
    ] = "-",
    depth: Annotated[
        int,
        typer.Option(
            "--depth",
            help="How many levels of nested stacks to open; 0 means all.",
            metavar="N",
            rich_help_panel="Output",
        ),
    ] = 0,
    only: Annotated[
        str | None,
        typer.Option(
            "--only",
            help="Draw only the resources that become Terraform, or those that stay with Heat.",
            metavar="|".join(KINDS),
            rich_help_panel="Output",
        ),
    ] = None,
    verbose: options.Verbose = False,
    *,
    line: "CommandOptions",
) -> None:
    """Draw the dependencies in a stack.

    The graph shows the fate of each resource in Terraform.
    """
    from transpile import pipeline

    template = heat_client.single_template(template, template_option)
    form = form_of(output) if to is None else to
    options.check_choice("--to", form, FORMS)
    if only is not None:
        options.check_choice("--only", only, KINDS)
    if depth < 0:
        raise options.usage_error("--depth takes a number that is not negative")
    if not output:
        raise options.usage_error("-o takes a path, or - for standard output")
    run = line.for_template(template)
    request = replace(run.request, to=TARGET, options={"form": form, "depth": depth, "only": only or ""})
    options.check_options(request, options.known_target(TARGET), {})
    source, name = options.template_source(template), "<stdin>" if template == "-" else None
    done = pipeline.run_conversion(source, request, name, options.requested_additions(request))
    findings, _ = run.grade_conversion(done, template, TARGET)
    paths = [template, *map(str, request.environments)]
    options.say_diagnostics(
        [*run.settings.diagnostics, *findings],
        request.diagnostics,
        paths,
        folder=os.fspath(request.root or os.path.dirname(template)),
        min_severity=run.min_severity(verbose=verbose),
    )
    if not done.ok or run.fails(findings):
        raise typer.Exit(1)
    ((_, text),) = done.files.items()
    write_graph(output, str(text), request.diagnostics)


def form_of(output: str) -> str:
    """The language of a graph, by the ending of its file. Ends the command for endings of pictures that it cannot
    write.
    """
    ending = pathlib.PurePath(output).suffix.lower()
    if ending in PICTURES:
        raise options.usage_error(f"a graph is written as .svg, .dot or .mmd, not as {ending}")
    return FORM_OF_ENDING.get(ending, FORMS[0])


def write_graph(output: str, text: str, form: str) -> None:
    """Writes a graph to standard output or to a file."""
    from transpile.text import output as writer

    if output == "-":
        sys.stdout.write(text)
    elif (problem := writer.write_user_file(output, text.encode("utf-8", "replace"))) is not None:
        options.say_diagnostics([problem], form)
        raise typer.Exit(1)
