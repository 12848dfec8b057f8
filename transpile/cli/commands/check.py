"""The command `hot2tf check`."""

# No postponed evaluation of annotations: typer would compile each of them separately, which is slow.

import os
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from transpile.cli import findings, heat_client, options
from transpile.diagnostics.render import PEOPLE

if TYPE_CHECKING:
    from transpile.cli.check import Checked
    from transpile.cli.fixing import Fixed
    from transpile.diagnostics.model import Diagnostic


def check(
    paths: Annotated[
        list[str] | None,
        typer.Argument(help="Templates, or directories of them; - for standard input.", metavar="PATH"),
    ] = None,
    template: heat_client.Template = None,
    environment: options.Environments = None,
    parameter: options.Parameters = None,
    root: options.Root = None,
    allow: options.Allow = None,
    render: options.Render = None,
    level: Annotated[
        str | None,
        typer.Option(
            "--level",
            help="What counts as an error: problems when validating the template, which is the default, or also when "
            "creating the stack.",
            metavar="template|create",
        ),
    ] = None,
    plugin_type: Annotated[
        list[str] | None,
        typer.Option("--plugin-type", help="Resource types that plug-ins of the cloud provide.", metavar="PATTERN"),
    ] = None,
    plugin_dir: options.PluginDirs = None,
    engine: Annotated[
        str | None,
        typer.Option(
            "--engine",
            help="Of homing templates: what this engine refuses is an error, and nothing else.",
            metavar="has",
        ),
    ] = None,
    inventory: Annotated[
        str | None,
        typer.Option("--inventory", help="Of homing templates: the candidates there are.", metavar="FILE"),
    ] = None,
    skip_others: Annotated[
        bool | None,
        typer.Option("--skip-others/--no-skip-others", help="Skip files that are neither templates nor environments."),
    ] = None,
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
    jobs: options.GivenJobs = None,
    select: options.Select = None,
    ignore: options.Ignore = None,
    exclude: options.Exclude = None,
    respect_gitignore: options.RespectGitignore = None,
    force_exclude: options.ForceExclude = None,
    diagnostics: options.GivenForm = None,
    output_file: options.OutputFile = None,
    color: options.Color = "auto",
    strict: options.GivenStrict = None,
    exit_zero: Annotated[
        bool, typer.Option("--exit-zero", help="Exit with status 0 even if there are findings.")
    ] = False,
    quiet: options.Quiet = False,
    config: options.Config = None,
    isolated: options.Isolated = False,
) -> None:
    """Check templates as Heat does, and other documents that hot2tf knows; report likely mistakes."""
    from transpile.cli import check as checking

    paths = heat_client.templates(paths, template)
    heat_client.local(environment or ())
    options.check_form(diagnostics or "text")
    options.check_color(color)
    if level not in (None, "template", "create"):
        raise options.usage(f"--level takes template or create, not {level}")
    if engine not in (None, "", "has"):
        raise options.usage(f"--engine takes has, not {engine}")
    if jobs is not None and jobs < 0:
        raise options.usage("--jobs takes a positive number")
    if "-" in paths and len(paths) > 1:
        raise options.usage("- cannot be combined with other paths")
    if "-" in paths and (fix or diff or watch):
        raise options.usage("--fix, --diff and --watch need files, not standard input")
    if watch and (fix or diff or output_file is not None):
        raise options.usage("--watch cannot be combined with --fix, --diff or --output-file")
    options.check_directories(plugin_dir)
    given = {
        "environments": environment,
        "parameters": heat_client.parameters(parameter) or None,
        "root": root,
        "allow": allow,
        "render": options.rendering_values(render),
        "level": level,
        "plugin-types": plugin_type,
        "plugin-dirs": plugin_dir,
        "engine": engine,
        "inventory": inventory,
        "skip-others": skip_others,
        "limits": options.limits(limit) or None,
        "jobs": jobs,
        "select": options.codes(select, "--select"),
        "ignore": options.codes(ignore, "--ignore"),
        "exclude": options.patterns(exclude, "--exclude"),
        "respect-gitignore": respect_gitignore,
        "force-exclude": force_exclude,
        "diagnostics": diagnostics,
        "strict": strict,
    }
    finder = options.finder(config, given, isolated=isolated)
    held = options.held(finder.for_directory(options.together(paths)), diagnostics)
    form, severe = held.get("diagnostics"), held.get("strict")
    if statistics and form not in ("text", "json"):
        raise options.usage("--statistics comes as text or json")
    workers = held.get("jobs") or os.cpu_count() or 1
    shown = Shown(form, output_file, color, statistics=statistics, verbose=verbose, quiet=quiet)
    shown.create = held.get("level") == "create"
    if watch:
        from transpile.cli.watching import run as keep_checking

        keep_checking(paths, lambda: options.finder(config, given, isolated=isolated), workers, shown.results)
    configured = checking.Configured(finder)
    if fix or diff:
        from transpile.cli import fixing

        files = [file.path for file in checking.found_files(paths, finder)]
        fixed = fixing.Fixing(lambda: checking.run(paths, configured, workers), files).run()
        checked = fixed.checked
        checked.found = [*checked.found, *(fixing.write(fixed) if not diff else ())]
        shown.fixed(fixed, written=not diff)
        if diff:
            raise typer.Exit(1 if fixed.after and not exit_zero else 0)
    elif "-" in paths:
        how = configured.of(held)
        checked = checking.Checked([checking.standard_input(options.standard_input(), how)], configured.said)
    else:
        checked = checking.run(paths, configured, workers)
    found = shown.results(checked)
    if not exit_zero and any(d.severity == "error" or (severe and d.severity == "warning") for d in found):
        raise typer.Exit(1)


class Shown:
    """How results are shown."""

    def __init__(
        self, form: str, file: str | None, color: str, *, statistics: bool, verbose: bool, quiet: bool
    ) -> None:
        self.form, self.file, self.color, self.statistics = form, file, color, statistics
        self.verbose, self.quiet, self.create = verbose, quiet, False

    def results(self, checked: "Checked") -> "list[Diagnostic]":
        """Shows all findings, and returns them. A directory with nothing to check was named by mistake."""
        from transpile.cli import check as checking

        found = checked.diagnostics
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
            options.tell(checking.closing(checked, found, self.create))
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
