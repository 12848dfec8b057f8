"""The command `hot2tf check`."""

# No postponed evaluation of annotations: typer would compile each of them separately, which is slow.

import os
from typing import Annotated

import typer

from transpile.cli import heat_client, options


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
            help="What counts as an error: problems when validating the template, or also when creating the stack.",
            metavar="template|create",
            show_default="template",
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
    limit: options.Limits = None,
    jobs: options.GivenJobs = None,
    select: options.Select = None,
    ignore: options.Ignore = None,
    exclude: options.Exclude = None,
    respect_gitignore: options.RespectGitignore = None,
    force_exclude: options.ForceExclude = None,
    diagnostics: options.GivenForm = None,
    strict: options.GivenStrict = None,
    quiet: options.Quiet = False,
    config: options.Config = None,
    isolated: options.Isolated = False,
) -> None:
    """Check templates as Heat does, and homing templates; report likely mistakes."""
    from transpile.cli import check as checking

    paths = heat_client.templates(paths, template)
    heat_client.local(environment or ())
    options.check_form(diagnostics or "text")
    if level not in (None, "template", "create"):
        raise options.usage(f"--level takes template or create, not {level}")
    if engine not in (None, "", "has"):
        raise options.usage(f"--engine takes has, not {engine}")
    if jobs is not None and jobs < 0:
        raise options.usage("--jobs takes a positive number")
    if "-" in paths and len(paths) > 1:
        raise options.usage("- cannot be combined with other paths")
    options.check_directories(plugin_dir)
    finder = options.finder(
        config,
        {
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
        },
        isolated=isolated,
    )
    held = options.held(finder.for_directory(options.together(paths)), diagnostics)
    form, severe = held.get("diagnostics"), held.get("strict")
    configured = checking.Configured(finder)
    if "-" in paths:
        how = configured.of(held)
        checked = checking.Checked([checking.standard_input(options.standard_input(), how)], configured.said)
    else:
        checked = checking.run(paths, configured, held.get("jobs") or os.cpu_count() or 1)
    found = checked.diagnostics
    options.say(found, form, results=True)
    if not quiet and form == "text":
        options.tell(checking.closing(checked, found, held.get("level") == "create"))
    for directory in checked.empty:
        raise options.usage(f"no template or environment is below {directory}")
    if any(d.severity == "error" or (severe and d.severity == "warning") for d in found):
        raise typer.Exit(1)
