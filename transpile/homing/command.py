"""The command `hot2tf home`, which the command line finds by its registration."""

# No postponed evaluation of annotations: typer would compile each of them separately, which is slow.

import json
import pathlib
import sys
from typing import Annotated

import typer

from transpile.cli import options
from transpile.cli.configured import configured
from transpile.cli.invocation import CommandOptions
from transpile.diagnostics.render import PEOPLE
from transpile.model import printable

FORMATS = ("text", "json")


@options.with_examples("hot2tf home template.yaml --inventory sites.yaml")
@configured("home", "root allow limits strict diagnostics")
def home(
    template: Annotated[str, typer.Argument(help="A homing template; - for standard input.", metavar="TEMPLATE")],
    inventory: Annotated[
        str,
        typer.Option("--inventory", help="The candidates, in YAML or JSON.", metavar="FILE", rich_help_panel="Input"),
    ],
    parameter: Annotated[
        list[str] | None,
        typer.Option("-p", "--parameter", help="The value of a parameter.", metavar="KEY=VALUE"),
    ] = None,
    assume: Annotated[
        str,
        typer.Option(
            "--assume", help="Whether constraints hold that the inventory does not decide.", metavar="fit|unfit"
        ),
    ] = "fit",
    top: Annotated[
        int,
        typer.Option(
            "--top", help="The number of solutions, the best first.", metavar="N", rich_help_panel="Translation"
        ),
    ] = 1,
    explain: Annotated[
        bool,
        typer.Option(
            "--explain", help="Show the candidates that each constraint removes.", rich_help_panel="Reporting"
        ),
    ] = False,
    format: Annotated[
        str, typer.Option("--format", help="The form of the answer.", metavar="|".join(FORMATS))
    ] = "text",
    time_limit: Annotated[
        float | None,
        typer.Option("--time-limit", help="Stop after so long, with the best solution so far.", metavar="SECONDS"),
    ] = None,
    output: Annotated[
        str, typer.Option("-o", "--output", help="The file for the answer; - for standard output.", metavar="FILE")
    ] = "-",
    quiet: options.Quiet = False,
    *,
    line: "CommandOptions",
) -> None:
    """Find the best placement for a homing template.

    The candidates come from an inventory file.
    """
    from transpile.cli import result_files
    from transpile.homing import home as homing
    from transpile.text import output as writer

    run = line.for_template(template)
    request = run.request
    if assume not in (homing.FIT, homing.UNFIT):
        raise options.usage_error(f"--assume takes {homing.FIT} or {homing.UNFIT}, not {assume}")
    if format not in FORMATS:
        raise options.usage_error(f"--format takes {' or '.join(FORMATS)}, not {format}")
    if top < 1:
        raise options.usage_error("--top takes a positive number")
    if time_limit is not None and not 0 < time_limit < float("inf"):
        raise options.usage_error("--time-limit takes a positive number of seconds")
    result_files.check_result_files({"--output": output}, inputs=[template, inventory])
    done = homing.home(
        options.standard_input() if template == "-" else pathlib.Path(template),
        pathlib.Path(inventory),
        parameters=options.parse_pairs(parameter, "--parameter"),
        assume=assume,
        top=top,
        time_limit=time_limit,
        root=request.root,
        allow=request.allow,
        name="<stdin>" if template == "-" else None,
        limits=request.limits,
        engine=request.contributed.get("engine") or "",
    )
    options.say_diagnostics([*run.settings.diagnostics, *done.diagnostics], request.diagnostics, [template, inventory])
    if format == "json":
        text = printable.escape_json_text(json.dumps(done.as_json(), indent=2, ensure_ascii=False)) + "\n"
    else:
        text = done.as_text(explain=explain)
    refused = not done.ok or run.fails(done.diagnostics)
    if output == "-":
        sys.stdout.write(text)
    elif not refused and (problem := writer.write_user_file(output, text.encode("utf-8", "replace"))) is not None:
        options.say_diagnostics([problem], "text")
        raise typer.Exit(1)
    if not quiet and request.diagnostics in PEOPLE and not done.ok and done.answer is None:
        options.tell_user("There is no answer because of errors.")
    if refused:
        raise typer.Exit(1)
