"""The command `hot2tf graph`."""

# No postponed evaluation of annotations: typer would compile each of them separately, which is slow.

import pathlib
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from transpile import targets
from transpile.cli import heat_client, options
from transpile.cli.configured import configured

if TYPE_CHECKING:
    from collections.abc import Mapping

    from transpile.settings import Finder

TARGET = "graph"
FORMS, KINDS = ("mermaid", "dot", "svg"), ("native", "heat")


@configured("graph")
def graph(
    template: Annotated[
        str | None, typer.Argument(help="A template; - for standard input.", metavar="TEMPLATE")
    ] = None,
    template_option: heat_client.Template = None,
    to: Annotated[str, typer.Option("--to", help="The language of the graph.", metavar="|".join(FORMS))] = FORMS[0],
    output: Annotated[
        str, typer.Option("-o", "--output", help="The file for the graph; - for standard output.", metavar="FILE")
    ] = "-",
    depth: Annotated[
        int, typer.Option("--depth", help="How many levels of nested stacks to open; 0 means all.", metavar="N")
    ] = 0,
    only: Annotated[
        str | None,
        typer.Option(
            "--only", help="Draw only what becomes Terraform, or what stays with Heat.", metavar="|".join(KINDS)
        ),
    ] = None,
    *,
    finder: "Finder",
    told: "Mapping[str, Any]",
) -> None:
    """Draw what needs what in a stack, and what becomes of each resource."""
    from transpile import pipeline
    from transpile.text import output as writer

    template = heat_client.template(template, template_option)
    if to not in FORMS:
        raise options.usage(f"--to takes {', '.join(FORMS[:-1])} or {FORMS[-1]}, not {to}")
    if only is not None and only not in KINDS:
        raise options.usage(f"--only takes {' or '.join(KINDS)}, not {only}")
    if depth < 0:
        raise options.usage("--depth takes a number that is not negative")
    if not output:
        raise options.usage("-o takes a path, or - for standard output")
    held = options.settings(finder, template, told["diagnostics"])
    target = targets.find(TARGET)
    preferred = options.preferences(target, held)
    given = {**preferred, "form": to, "depth": depth, "only": only or ""}
    try:
        target.settings(given)
    except targets.WrongOption as e:
        raise options.usage(str(e)) from None
    environments = held.texts("environments")
    heat_client.local(environments)
    done = pipeline.convert(
        options.standard_input() if template == "-" else pathlib.Path(template),
        to=TARGET,
        environments=[pathlib.Path(e) for e in environments],
        parameters=held.get("parameters"),
        root=held.get("root"),
        allow=held.texts("allow"),
        name="<stdin>" if template == "-" else None,
        render=held.given("render"),
        options=given,
        limits=held.get("limits"),
        added=options.additions(held.texts("plugin-dirs"), held.texts("mappings")),
    )
    form = held.get("diagnostics")
    found, _ = options.graded(done, held, finder, template, environments, "graph", TARGET)
    options.say([*held.diagnostics, *found], form, [template, *environments])
    if not done.ok or any(
        one.severity == "error" or (one.severity == "warning" and held.get("strict")) for one in found
    ):
        raise typer.Exit(1)
    ((_, text),) = done.files.items()
    if output == "-":
        sys.stdout.write(str(text))
    elif (problem := writer.record(output, str(text).encode("utf-8", "replace"))) is not None:
        options.say([problem], form)
        raise typer.Exit(1)
