"""The command `hot2tf check`."""

# No postponed evaluation of annotations: typer would compile each of them separately, which is slow.

import os
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from transpile.cli import findings, options
from transpile.diagnostics.render import PEOPLE

if TYPE_CHECKING:
    from transpile.additions import Additions
    from transpile.cli.check import Checked, Options
    from transpile.cli.fixing import Fixed
    from transpile.diagnostics.model import Diagnostic


def check(
    paths: Annotated[
        list[str], typer.Argument(help="Templates, or directories of them; - for standard input.", metavar="PATH")
    ],
    environment: options.Environments = None,
    parameter: options.Parameters = None,
    root: options.Root = None,
    allow: options.Allow = None,
    render: options.Render = None,
    level: Annotated[
        str,
        typer.Option(
            "--level",
            help="What counts as an error: problems when validating the template, or also when creating the stack.",
            metavar="template|create",
        ),
    ] = "template",
    plugin_type: Annotated[
        list[str] | None,
        typer.Option("--plugin-type", help="Resource types that plug-ins of the cloud provide.", metavar="PATTERN"),
    ] = None,
    plugin_dir: options.PluginDirs = None,
    engine: Annotated[
        str,
        typer.Option(
            "--engine",
            help="Of homing templates: what this engine refuses is an error, and nothing else.",
            metavar="has",
        ),
    ] = "",
    inventory: Annotated[
        str,
        typer.Option("--inventory", help="Of homing templates: the candidates there are.", metavar="FILE"),
    ] = "",
    skip_others: Annotated[
        bool, typer.Option("--skip-others", help="Skip files that are neither templates nor environments.")
    ] = False,
    fix: Annotated[bool, typer.Option("--fix", help="Apply the fixes that are certain, and check again.")] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Change nothing; show what --fix would change.")] = False,
    watch: Annotated[bool, typer.Option("--watch", help="Check again whenever a file changes, until Ctrl-C.")] = False,
    statistics: Annotated[
        bool, typer.Option("--statistics", help="Show how many findings of each code there are, not each of them.")
    ] = False,
    verbose: Annotated[
        bool, typer.Option("-v", "--verbose", help="Also show with which environments each template was checked.")
    ] = False,
    limit: options.Limits = None,
    jobs: options.Jobs = 0,
    diagnostics: options.Form = "text",
    output_file: options.OutputFile = None,
    color: options.Color = "auto",
    strict: options.Strict = False,
    exit_zero: Annotated[
        bool, typer.Option("--exit-zero", help="Exit with status 0 even if there are findings.")
    ] = False,
    quiet: options.Quiet = False,
) -> None:
    """Check templates as Heat does, and homing templates; report likely mistakes."""
    from transpile.cli import check as checking

    options.check_form(diagnostics)
    options.check_color(color)
    if level not in ("template", "create"):
        raise options.usage(f"--level takes template or create, not {level}")
    if engine not in ("", "has"):
        raise options.usage(f"--engine takes has, not {engine}")
    if jobs < 0:
        raise options.usage("--jobs takes a positive number")
    if statistics and diagnostics not in ("text", "json"):
        raise options.usage("--statistics comes as text or json")
    if "-" in paths and len(paths) > 1:
        raise options.usage("- cannot be combined with other paths")
    if "-" in paths and (fix or diff or watch):
        raise options.usage("--fix, --diff and --watch need files, not standard input")
    if watch and (fix or diff or output_file is not None):
        raise options.usage("--watch cannot be combined with --fix, --diff or --output-file")
    added = options.additions(plugin_dir)
    how = checking.Options(
        tuple(environment or ()),
        options.pairs(parameter, "--parameter"),
        root,
        tuple(allow or ()),
        level == "create",
        tuple(plugin_type or ()),
        skip_others,
        options.rendering_values(render),
        options.limits(limit),
        added.packed(),
        engine,
        inventory,
    )
    workers = jobs or os.cpu_count() or 1
    shown = Shown(diagnostics, output_file, color, statistics, verbose, quiet)
    if watch:
        from transpile.cli.watching import run as keep_checking

        keep_checking(paths, how, lambda: shown.results(checking.run(paths, how, workers), added, how))
    if fix or diff:
        from transpile.cli import fixing

        files = [file.path for file in checking.files(paths)]
        fixed = fixing.Fixing(lambda: checking.run(paths, how, workers), files).run()
        problems = [] if diff else fixing.write(fixed)
        checked = fixed.checked
        checked.found = [*checked.found, *problems]
        shown.fixed(fixed, written=not diff)
        if diff:
            raise typer.Exit(1 if fixed.after and not exit_zero else 0)
    elif "-" in paths:
        checked = checking.Checked([checking.standard_input(options.standard_input(), how)])
    else:
        checked = checking.run(paths, how, workers)
    found = shown.results(checked, added, how)
    if not exit_zero and any(d.severity == "error" or (strict and d.severity == "warning") for d in found):
        raise typer.Exit(1)


class Shown:
    """How results are shown."""

    def __init__(self, form: str, file: str | None, color: str, statistics: bool, verbose: bool, quiet: bool) -> None:
        self.form, self.file, self.color, self.statistics = form, file, color, statistics
        self.verbose, self.quiet = verbose, quiet

    def results(self, checked: "Checked", added: "Additions", how: "Options") -> "list[Diagnostic]":
        """Shows all findings, and returns them. A directory with nothing to check was named by mistake."""
        from transpile.cli import check as checking

        found = checking.distinct([*added.diagnostics, *checked.diagnostics])
        if self.statistics:
            from transpile.cli import statistics

            options.put(statistics.text(found, self.form), self.file)
        elif self.file is not None:
            options.put(findings.text(found, self.form), self.file)
        else:
            findings.say(found, self.form, results=True, color=self.color)
        for directory in checked.empty:
            raise options.usage(f"there is no template and no environment below {directory}")
        if self.verbose:
            for line in checking.pairings(checked):
                options.tell(line)
        if not self.quiet and self.form in PEOPLE:
            options.tell(checking.closing(checked.results, found, how.create))
        return found

    def fixed(self, fixed: "Fixed", *, written: bool) -> None:
        """Shows what was fixed, or would be."""
        from transpile.cli.differences import difference

        if not written:
            for name, text in fixed.after.items():
                sys.stdout.write(difference(name, fixed.before[name], text))
        if not self.quiet and self.form in PEOPLE:
            number, files = fixed.fixes, len(fixed.after)
            what = f"{number} finding{'s' * (number != 1)} in {files} file{'s' * (files != 1)}"
            options.tell(f"{'Fixed' if written else 'Would fix'} {what}.")
