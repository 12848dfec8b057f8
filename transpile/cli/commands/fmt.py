"""The command `hot2tf fmt`."""

# No postponed evaluation of annotations: typer would compile each of them separately, which is slow.

import os
import sys
from collections.abc import Mapping, Sequence
from typing import Annotated

import typer

from transpile.cli import findings, options
from transpile.cli.configured import configured
from transpile.cli.invocation import CommandOptions
from transpile.diagnostics.model import Diagnostic
from transpile.diagnostics.render import PEOPLE

Paths = Annotated[
    list[str], typer.Argument(help="Templates, environments or directories; - for standard input.", metavar="PATH")
]
Check = Annotated[bool, typer.Option("--check", help="Change nothing; exit with status 1 if a file would change.")]
Diff = Annotated[bool, typer.Option("--diff", help="Change nothing; show what would change.")]


@options.with_examples("hot2tf fmt .", "hot2tf fmt --check --diff .")
@configured("fmt")
def fmt(
    paths: Paths,
    check: Check = False,
    diff: Diff = False,
    show_secrets: options.ShowSecrets = False,
    output_file: options.OutputFile = None,
    color: options.Color = "auto",
    quiet: options.Quiet = False,
    *,
    line: "CommandOptions",
) -> None:
    """Lay out templates in canonical form, in place.

    It takes environments and other documents that hot2tf knows, too.
    """
    from transpile import document_kinds
    from transpile.cli import fmt

    options.check_choice("--color", color, findings.COLORS)
    if "-" in paths and len(paths) > 1:
        raise options.usage_error("- cannot be combined with other paths")
    if output_file is not None:
        from transpile.cli import result_files

        result_files.check_result_files({"--output-file": output_file}, inputs=paths)
    run = line.for_directory(options.common_directory(paths))
    form, limits = run.request.diagnostics, run.request.limits
    out = FormatOutput(form, output_file, color, results=check and not diff)
    if "-" in paths:
        format_input(check=check, diff=diff, show_secrets=show_secrets, out=out, limits=limits)
        return
    at_once = form == "text" and output_file is None
    quiet = quiet or form not in PEOPLE
    results: list[fmt.FormatResult] = []
    write = not check and not diff
    workers, report = run.request.jobs or os.cpu_count() or 1, check and not at_once
    for result in fmt.format_files(
        paths,
        write=write,
        diff=diff,
        show_secrets=show_secrets,
        limits=limits,
        jobs=workers,
        finder=run.finder,
        report=report,
    ):
        results.append(result)
        sys.stdout.write(result.diff)
        if at_once:
            out.print_diagnostics(result.diagnostics)
        if quiet:
            continue
        if result.changed:
            options.tell_user(f"{'formatted' if write else 'would format'} {result.path}")
        elif not result.kind and not result.discovered and not result.diagnostics:
            names = ["HOT template", "environment", *(kind.name for kind in document_kinds.all_kinds())]
            options.tell_user(f"{result.path} is no {', '.join(names[:-1])} or {names[-1]}; skipped")
    for directory in fmt.empty_directories(paths, results):
        raise options.usage_error(f"there is no template below {directory}")
    if not at_once:
        out.print_diagnostics([d for r in results for d in r.diagnostics])
    if not quiet:
        options.tell_user(fmt.format_summary(results, written=write))
    if any(not r.ok for r in results) or (check and any(r.changed for r in results)):
        raise typer.Exit(1)


class FormatOutput:
    """The destination of findings. `results`: whether findings are the result of the command, as with `--check`."""

    def __init__(self, form: str, file: str | None, color: str, *, results: bool) -> None:
        self.form, self.file, self.color, self.results = form, file, color, results

    def print_diagnostics(self, diagnostics: "Sequence[Diagnostic]") -> None:
        if self.file is not None:
            options.put_text(findings.render_diagnostics(diagnostics, self.form), self.file)
        else:
            findings.print_diagnostics(diagnostics, self.form, results=self.results, color=self.color)


def format_input(
    *, check: bool, diff: bool, show_secrets: bool, out: FormatOutput, limits: "Mapping[str, int]"
) -> None:
    """Formats standard input to standard output."""
    from transpile.cli.differences import unified_difference
    from transpile.cli.fmt import unformatted_diagnostic
    from transpile.format import canonical
    from transpile.model.budget import Budget
    from transpile.resolve.secrets import Secrets
    from transpile.text.source import UnreadableFile, diagnose_unreadable, from_bytes

    try:
        source = from_bytes(options.standard_input(), "<stdin>", Budget(limits))
    except UnreadableFile as e:
        out.results = False
        out.print_diagnostics([diagnose_unreadable(e, "<stdin>")])
        raise typer.Exit(1) from None
    done = canonical.format_text(source)
    diagnostics = Secrets().conceal_in_diagnostics(done.diagnostics)
    changed = done.text != source.text
    if check and changed and out.form != "text":
        diagnostics.append(unformatted_diagnostic(source, done.text))
    out.print_diagnostics(diagnostics)
    if diff:
        sys.stdout.write(unified_difference(source.name, source.text, done.text, show_secrets=show_secrets))
    elif not check:
        sys.stdout.write(done.text)
    if any(d.severity == "error" for d in done.diagnostics) or (check and changed):
        raise typer.Exit(1)
