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
    limit: options.Limits = None,
    jobs: options.Jobs = 0,
    diagnostics: options.Form = "text",
    strict: options.Strict = False,
    quiet: options.Quiet = False,
) -> None:
    """Check templates as Heat does, and homing templates; report likely mistakes."""
    from transpile.cli import check as checking

    named = heat_client.templates(paths, template)
    heat_client.local(environment or ())
    options.check_form(diagnostics)
    if level not in ("template", "create"):
        raise options.usage(f"--level takes template or create, not {level}")
    if engine not in ("", "has"):
        raise options.usage(f"--engine takes has, not {engine}")
    if jobs < 0:
        raise options.usage("--jobs takes a positive number")
    added = options.additions(plugin_dir)
    how = checking.Options(
        tuple(environment or ()),
        heat_client.parameters(parameter),
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
    if "-" in named:
        if len(named) > 1:
            raise options.usage("- cannot be combined with other paths")
        checked = checking.Checked([checking.standard_input(options.standard_input(), how)])
    else:
        checked = checking.run(named, how, jobs or os.cpu_count() or 1)
    found = checking.distinct([*added.diagnostics, *checked.diagnostics])
    options.say(found, diagnostics, results=True)
    if not quiet and diagnostics == "text":
        options.tell(checking.closing(checked.results, found, how.create))
    for directory in checked.empty:
        raise options.usage(f"no template or environment is below {directory}")
    if any(d.severity == "error" or (strict and d.severity == "warning") for d in found):
        raise typer.Exit(1)
