"""The command `hot2tf check`."""
# No postponed evaluation of annotations: typer would compile each of them separately, which is slow.

import os
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from transpile.cli import findings, heat_client, options
from transpile.cli.configured import configured
from transpile.cli.invocation import CommandOptions, Invocation
from transpile.diagnostics.model import Diagnostic, Stopped
from transpile.diagnostics.render import PEOPLE
from transpile.model.words import count_noun
from transpile.settings.table import ALL

if TYPE_CHECKING:
    from transpile.checking import CheckedFiles, ConfiguredRequests
    from transpile.checking.baseline import Baseline
    from transpile.cli.fixing import Fixed


import json

from transpile.diagnostics import registry
from transpile.diagnostics.registry import SEVERITIES

Paths = Annotated[
    list[str] | None,
    typer.Argument(help="Templates, or directories of them; - for standard input.", metavar="PATH"),
]
Fix = Annotated[bool, typer.Option("--fix", help="Apply the fixes that are certain, and check again.")]
Diff = Annotated[bool, typer.Option("--diff", help="Change nothing; show what --fix would change.")]
Watch = Annotated[bool, typer.Option("--watch", help="Check again whenever a file changes, until Ctrl-C.")]
Statistics = Annotated[
    bool, typer.Option("--statistics", help="Show how many findings of each code there are, not each of them.")
]
Verbose = Annotated[
    bool,
    typer.Option("-v", "--verbose", help="Show infos, too, and with which environments each template was checked."),
]
WriteBaseline = Annotated[
    str | None,
    typer.Option("--write-baseline", help="Write all findings to a file, as a baseline; report none.", metavar="FILE"),
]
ExitZero = Annotated[bool, typer.Option("--exit-zero", help="Exit with status 0 even if there are findings.")]


@options.with_examples("hot2tf check .", "hot2tf check --fix templates")
@configured("check")
def check(
    paths: Paths = None,
    template: heat_client.Template = None,
    fix: Fix = False,
    diff: Diff = False,
    show_secrets: options.ShowSecrets = False,
    watch: Watch = False,
    statistics: Statistics = False,
    verbose: Verbose = False,
    write_baseline: WriteBaseline = None,
    output_file: options.OutputFile = None,
    color: options.Color = "auto",
    exit_zero: ExitZero = False,
    quiet: options.Quiet = False,
    *,
    line: "CommandOptions",
) -> None:
    """Check templates as Heat does.

    It also reports likely mistakes, and checks environments and other documents that hot2tf knows.
    """
    from transpile import checking

    paths = heat_client.named_templates(paths, template)
    options.check_choice("--color", color, findings.COLORS)
    reject_combinations(paths, changes=fix or diff, watch=watch, output_file=output_file)
    if write_baseline is not None and (fix or diff or watch or "-" in paths):
        raise options.usage_error("--write-baseline cannot be combined with --fix, --diff, --watch or -")
    if output_file is not None or write_baseline is not None:
        from transpile.cli import result_files

        files = {"--output-file": output_file, "--write-baseline": write_baseline}
        result_files.check_result_files(files, inputs=paths)
    run = line.for_directory(options.common_directory(paths))
    form = run.request.diagnostics
    if statistics and form not in ("text", "json"):
        raise options.usage_error("--statistics comes as text or json")
    output = CheckOutput(form, output_file, color, statistics=statistics, verbose=verbose, quiet=quiet)
    output.create, output.min_severity = run.request.level == "create", run.min_severity(verbose=verbose or statistics)
    if write_baseline is None and run.request.baseline is not None:
        output.baseline = read_baseline(os.fspath(run.request.baseline), form)
        output.all_codes = run.request.select == (ALL,)
    if watch:
        from transpile.cli.watching import watch_paths as keep_checking

        keep_checking(paths, line.new_finder, process_count(run), output.show_results)
    configured_requests = checking.ConfiguredRequests(run.finder)
    if fix or diff:
        checked, fixed = fix_files(paths, configured_requests, process_count(run), write=not diff)
        output.show_fixes(fixed, written=not diff, show_secrets=show_secrets)
        if diff:
            raise typer.Exit(1 if fixed.after and not exit_zero else 0)
    elif "-" in paths:
        asked = configured_requests.of_settings(run.settings)
        result = checking.check_standard_input(options.standard_input(), asked)
        checked = checking.CheckedFiles([result], configured_requests.findings)
    else:
        checked = checking.check_files(paths, configured_requests, process_count(run))
    if write_baseline is not None:
        save_baseline(checked, write_baseline, form, quiet=quiet)
        return
    if run.fails(output.show_results(checked)) and not exit_zero:
        raise typer.Exit(1)


def read_baseline(path: str, form: str) -> "Baseline":
    """The baseline in a file. Ends the command if it cannot be read."""
    from transpile.checking import baseline

    try:
        return baseline.read_baseline(path)
    except Stopped as e:
        options.say_diagnostics(e.diagnostics, form)
        raise typer.Exit(1) from None


def save_baseline(checked: "CheckedFiles", path: str, form: str, *, quiet: bool) -> None:
    """Writes a baseline with all findings, and shows those that no baseline has. Ends the command if there are some."""
    from transpile.checking import baseline

    text = baseline.print_baseline(checked.diagnostics, path)
    options.put_text(text, path)
    written = baseline.read_baseline(path)
    rest = written.subtract(checked.diagnostics, [result.path for result in checked.results]).new
    findings.print_diagnostics(rest, form, results=True)
    if not quiet and form in PEOPLE:
        number = written.size
        options.tell_user(f"{count_noun(number, 'finding')} in {path}.")
    if any(diagnostic.severity == "error" for diagnostic in rest):
        raise typer.Exit(1)


def reject_combinations(paths: list[str], *, changes: bool, watch: bool, output_file: str | None) -> None:
    """Ends the command if options contradict each other. `changes`: whether `--fix` or `--diff` was given."""
    if "-" in paths and len(paths) > 1:
        raise options.usage_error("- cannot be combined with other paths")
    if "-" in paths and (changes or watch):
        raise options.usage_error("--fix, --diff and --watch need files, not standard input")
    if watch and (changes or output_file is not None):
        raise options.usage_error("--watch cannot be combined with --fix, --diff or --output-file")


def process_count(run: "Invocation") -> int:
    """The number of processes to check with."""
    return run.request.jobs or os.cpu_count() or 1


def fix_files(
    paths: list[str], configured_requests: "ConfiguredRequests", jobs: int, *, write: bool
) -> "tuple[CheckedFiles, Fixed]":
    """Applies the fixes that are certain. Returns the remaining findings, and the applied fixes."""
    from transpile import checking
    from transpile.cli import fixing

    files = [file.path for file in checking.files_to_check(paths, configured_requests.finder)]
    fixed = fixing.Fixing(lambda: checking.check_files(paths, configured_requests, jobs), files).fix_all()
    checked = fixed.checked
    checked.findings = [*checked.findings, *(fixing.write_fixes(fixed) if write else ())]
    return checked, fixed


class CheckOutput:
    """Shows results, in the format and at the place that the user chose."""

    def __init__(
        self, form: str, file: str | None, color: str, *, statistics: bool, verbose: bool, quiet: bool
    ) -> None:
        self.form, self.file, self.color, self.statistics = form, file, color, statistics
        self.verbose, self.quiet, self.create, self.min_severity = verbose, quiet, False, "info"
        self.baseline: Baseline | None = None
        self.all_codes = True  # whether findings of every code are reported, so that those of a baseline can be gone

    def show_results(self, checked: "CheckedFiles") -> "list[Diagnostic]":
        """Shows all findings, and returns them. A named directory without Heat files is an error."""
        diagnostics = checked.diagnostics
        asides: list[str] = []
        for directory in checked.empty:
            raise options.usage_error(f"there is no template and no environment below {directory}")
        if self.baseline is not None:
            files = [result.path for result in checked.results] if self.all_codes else []
            result = self.baseline.subtract(diagnostics, files)
            diagnostics, gone = result.new, result.gone
            asides.append(f"{result.old} in the baseline")
            asides += [f"{gone} of the baseline no longer occur{'s' * (gone == 1)}"] if gone else []
        if self.statistics:
            options.put_text(statistics_text(diagnostics, self.form), self.file)
        elif self.file is not None:
            text = findings.render_diagnostics(diagnostics, self.form, min_severity=self.min_severity)
            options.put_text(text, self.file)
        else:
            findings.print_diagnostics(
                diagnostics, self.form, results=True, color=self.color, min_severity=self.min_severity
            )
        if self.verbose:
            for line in pairing_lines(checked):
                options.tell_user(line)
        if not self.quiet and self.form in PEOPLE:
            options.tell_user(check_summary(checked, diagnostics, self.create, self.min_severity, asides))
        return diagnostics

    def show_fixes(self, fixed: "Fixed", *, written: bool, show_secrets: bool) -> None:
        """Shows the fixes that were made, or that would be made if `written` is false."""
        from transpile.cli.differences import unified_difference

        if not written:
            for name, text in fixed.after.items():
                sys.stdout.write(unified_difference(name, fixed.before[name], text, show_secrets=show_secrets))
        if not self.quiet and self.form in PEOPLE:
            number, files = fixed.fixes, len(fixed.after)
            amount = f"{count_noun(number, 'finding')} in {count_noun(files, 'file')}"
            options.tell_user(f"{'Fixed' if written else 'Would fix'} {amount}.")


def pairing_lines(checked: "CheckedFiles") -> "Iterator[str]":
    """One line for each use of a template that was found, with its environments."""
    for result in checked.results:
        for use in result.uses:
            names = " ".join(f"-e {path}" for path in use.environments)
            if names or use.called:
                how = "nested in stacks" if use.called else "a stack"
                yield f"{result.path}: {how}{f' with {names}' if names else ''}"


def check_summary(
    checked: "CheckedFiles",
    diagnostics: "Sequence[Diagnostic]",
    create: bool,
    min_severity: str = "info",
    asides: "Sequence[str]" = (),
) -> str:
    """A summary in one line. `min_severity`: the severity from which on findings were shown. `asides`: more parts."""
    results = checked.results
    counts = {s: sum(d.severity == s for d in diagnostics) for s in ("error", "warning")}
    number = sum(bool(r.kind) or not r.ok for r in results)
    parts = [count_noun(n, word) for word, n in (("error", counts["error"]), ("warning", counts["warning"]))]
    level = " with --level create" if create else ""
    stops = sum(d.stops and d.severity == "warning" for d in diagnostics)
    parts += [f"{stops} of the warnings stop{'s' * (stops == 1)} convert and migrate"] if stops else []
    parts += [f"{ignored} ignored"] if (ignored := sum(checked.ignored.values())) else []
    parts += asides
    if hidden := findings.hidden_findings([{"severity": d.severity} for d in diagnostics], min_severity):
        parts.append(hidden)
    if fixable := sum(d.fix is not None and d.fix.certain for d in diagnostics):
        parts.append(f"{fixable} fixable with --fix")
    return f"{count_noun(number, 'file')} checked{level}: {', '.join(parts)}."


def statistics_text(diagnostics: Sequence[Diagnostic], form: str) -> str:
    """A line for each code and severity, or a list of objects in JSON."""
    counts: dict[tuple[str, str], int] = {}
    for d in diagnostics:
        counts[d.code, d.severity] = counts.get((d.code, d.severity), 0) + 1
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0][0], SEVERITIES.index(item[0][1])))
    if form == "json":
        rows = [
            {"code": code, "severity": severity, "count": number, "title": registry.rule_of_code(code).title}
            for (code, severity), number in ordered
        ]
        return json.dumps(rows, indent=1, ensure_ascii=False) + "\n"
    width = max((len(str(number)) for _, number in ordered), default=0)
    return "".join(
        f"{number:>{width}}  {severity:7}  {code}  {registry.rule_of_code(code).title}\n"
        for (code, severity), number in ordered
    )
