"""The command `hot2tf convert`."""

# No postponed evaluation of annotations: typer would compile each of them separately, which is slow.

import pathlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from transpile import registrations, targets
from transpile.cli import heat_client, options
from transpile.cli.configured import configured
from transpile.cli.invocation import CommandOptions, Invocation
from transpile.model.budget import Budget
from transpile.model.records import replace
from transpile.settings.command_paths import describe_paths
from transpile.settings.table import Request
from transpile.targets import Target

if TYPE_CHECKING:
    from transpile.pipeline import Conversion


Template = Annotated[str | None, typer.Argument(help="A template; - for standard input.", metavar="TEMPLATE")]
Output = Annotated[
    str,
    typer.Option(
        "-o",
        "--output",
        help="The output directory or file, depending on the target; - for standard output.",
        metavar="PATH",
    ),
]
Report = Annotated[str | None, typer.Option("--report", help="Write the report to a file, as JSON.", metavar="FILE")]
Html = Annotated[
    str | None,
    typer.Option("--html", help="With --to hcl: write a page that shows the template beside the code.", metavar="FILE"),
]
Force = Annotated[
    bool, typer.Option("--force", help="Overwrite files that hot2tf did not write, or that were changed since.")
]
Quiet = Annotated[bool, typer.Option("-q", "--quiet", help="Do not print the summary line.")]


@options.with_examples(
    "hot2tf convert stack.yaml -e production.yaml -o terraform",
    "hot2tf convert stack.yaml --prefer native --tests -o terraform",
)
@configured("convert")
def convert(
    template: Template = None,
    template_option: heat_client.Template = None,
    output: Output = "-",
    report: Report = None,
    html: Html = None,
    force: Force = False,
    conflicts: options.Conflicts = False,
    diff: options.Diff = False,
    verbose: options.Verbose = False,
    quiet: Quiet = False,
    *,
    line: "CommandOptions",
) -> None:
    """Convert one template."""
    from transpile import pipeline
    from transpile.cli import conversions, result_files

    template = heat_client.single_template(template, template_option)
    if pathlib.Path(template).is_dir():
        raise options.usage_error(f"{template} is a directory; hot2tf migrate {template} converts its templates")
    if not output:
        raise options.usage_error("-o takes a path, or - for standard output")
    options.check_edits(output, diff=diff, force=force, conflicts=conflicts)
    run = line.for_template(template)
    target = options.known_target(run.request.to)
    request = request_for(target, run, line, template, output)
    if html is not None and not target.addresses:
        raise options.usage_error(f"the target {target.name} takes no --html")
    inputs = [template, *map(str, request.environments)]
    results = {"--report": report, "--html": html}
    result_files.check_result_files(results, outputs={"-o": output}, inputs=inputs)
    source, name = options.template_source(template), "<stdin>" if template == "-" else None
    added = options.requested_additions(request)
    done = pipeline.run_conversion(source, request, name, added)
    succeeded = conversions.deliver_conversion(
        run,
        done,
        output,
        paths=inputs,
        force=force,
        verbose=verbose,
        about=run.settings.diagnostics,
        conflicts=conflicts,
        diff=diff,
    )
    if report is not None:
        conversions.save_report(report, done.report)
    if html is not None:
        render_page = registrations.registered(registrations.PARTS)["render_conversion"].load()

        def convert_again(to: str, options: Mapping[str, Any]) -> "Conversion":
            return pipeline.run_conversion(source, replace(request, to=to, options=options), name, added)

        conversions.save_text(html, "page", render_page(done, convert_again))
    conversions.close_conversion(run, done, output, succeeded=succeeded, quiet=quiet, verbose=verbose, diff=diff)
    if not succeeded:
        raise typer.Exit(1)


def request_for(target: "Target", run: "Invocation", line: "CommandOptions", template: str, output: str) -> "Request":
    """The request for a target, with the options that only this command has. Ends the command if the target does not
    accept them.
    """
    request = run.request
    further: dict[str, Any] = options.own_options(request, target, line.flags)
    if target.writes == targets.FILE and output != "-":
        further.setdefault(targets.BESIDE.name, f"{pathlib.Path(output).stem}.files")
    contributed = dict(request.contributed)
    for name in request.contributed:  # a configured option may be meant for other documents
        if run.settings.value_of(name).source is not None and not is_other(run.settings.path):
            del contributed[name]
    places = options.typed_paths(line.flags, "environments", "mappings", "plugin-dirs", "root", "allow")
    paths = describe_paths(template, output, places)
    request = replace(request, options=further, contributed=contributed, paths=paths)
    options.check_options(request, target, line.flags)
    return request


def is_other(path: str | None) -> bool:
    """Whether a file is a document of a kind that does not belong to Heat."""
    from transpile.document_kinds import claiming_key
    from transpile.text.source import UnreadableFile, load_source

    try:
        return path is not None and bool(claiming_key(load_source(path, None, Budget())))
    except UnreadableFile:
        return False
