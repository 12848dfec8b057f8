"""The command `hot2tf migrate`."""

# No postponed evaluation of annotations: typer would compile each of them separately, which is slow.

import pathlib
from typing import TYPE_CHECKING, Annotated, Any

import typer

from transpile import targets
from transpile.cli import interrupts, options
from transpile.model import printable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from transpile.migrate.session import Done, Settings
    from transpile.settings import Settings as Held

PLAN_FILE = "hot2tf-migrate.yaml"  # as in transpile/migrate/session.py, which is slow to import
SHOWN = 10  # entries of a list on the terminal; the report has all


def migrate(
    src: Annotated[str, typer.Argument(help="The directory with the templates.", metavar="SRC")],
    dest: Annotated[
        str | None, typer.Argument(help="The directory to write to; not needed with --plan.", metavar="DEST")
    ] = None,
    to: Annotated[
        str | None,
        typer.Option(
            "--to", help=f"The target; by default {targets.DEFAULT}.", metavar="|".join([*targets.BUILT_IN, "NAME"])
        ),
    ] = None,
    plan: Annotated[bool, typer.Option("--plan", help="Only show what would be done, and why.")] = False,
    write: Annotated[
        str | None,
        typer.Option("--write", help=f"With --plan: write the plan to a file, usually {PLAN_FILE}.", metavar="FILE"),
    ] = None,
    plan_file: Annotated[
        str | None,
        typer.Option(
            "--plan-file", help=f"The plan to obey; by default SRC/{PLAN_FILE}, if it exists.", metavar="FILE"
        ),
    ] = None,
    exclude: Annotated[
        list[str] | None,
        typer.Option("--exclude", help="Leave out these paths; a pattern as in .gitignore.", metavar="PATTERN"),
    ] = None,
    option: options.TargetOptions = None,
    prefer: options.Prefer = None,
    keep: options.Keep = None,
    tests: options.Tests = None,
    root: options.Root = None,
    allow: options.Allow = None,
    limit: options.Limits = None,
    plugin_dir: options.PluginDirs = None,
    mapping: options.MappingFiles = None,
    render: options.Render = None,
    jobs: options.GivenJobs = None,
    cluster: Annotated[
        str | None, typer.Option("--cluster", help="Convert on the workers of a Dask scheduler.", metavar="ADDRESS")
    ] = None,
    validate: Annotated[
        bool, typer.Option("--validate", help="Run terraform validate and tofu validate on each stack.")
    ] = False,
    progress: Annotated[
        str, typer.Option("--progress", help="How to show progress.", metavar="auto|bar|plain|none")
    ] = "auto",
    report: Annotated[
        str | None, typer.Option("--report", help="Write the report on all stacks to a file, as JSON.", metavar="FILE")
    ] = None,
    html: Annotated[
        str | None,
        typer.Option("--html", help="Write the report as one page for a browser, without network.", metavar="FILE"),
    ] = None,
    sarif: Annotated[
        str | None, typer.Option("--sarif", help="Write all diagnostics to a file, as SARIF 2.1.0.", metavar="FILE")
    ] = None,
    fail_fast: Annotated[
        bool, typer.Option("--fail-fast/--keep-going", help="Stop at the first template that cannot be converted.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite files that were changed since.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Do not print the summary.")] = False,
    config: options.Config = None,
    isolated: options.Isolated = False,
) -> None:
    """Convert all templates of a directory, and again only what changed."""
    from transpile.diagnostics.model import Stopped
    from transpile.migrate import destination, executors, session
    from transpile.migrate import progress as shown
    from transpile.migrate.validation import tools
    from transpile.repository.ignoring import WrongPattern

    if progress not in shown.FORMS:
        raise options.usage(f"--progress takes {', '.join(shown.FORMS[:-1])} or {shown.FORMS[-1]}, not {progress}")
    if jobs is not None and jobs < 0:
        raise options.usage("--jobs takes a number from 0")
    source = pathlib.Path(src)
    if not source.is_dir():
        raise options.usage(f"{src} is not a directory")
    finder = options.finder(
        config,
        {
            "to": to,
            "prefer": prefer,
            "keep": keep,
            "tests": tests,
            "root": root,
            "allow": allow,
            "limits": options.limits(limit) or None,
            "render": options.rendering_values(render),
            "plugin-dirs": plugin_dir,
            "mappings": mapping,
            "jobs": jobs,
        },
        isolated=isolated,
    )
    held = options.held(finder.for_directory(src))
    target = target_of(held.get("to"))
    wanted = session.Settings(
        to=target.name,
        options=settings(target, held, options.pairs(option, "--option")),
        root=held.get("root"),
        allow=held.texts("allow"),
        limits=dict(held.get("limits")),  # units are sent to other processes
        render=held.given("render"),
        jobs=held.get("jobs"),
        fail_fast=fail_fast,
        force=force,
        report=report,
        cluster=cluster,
        plan_file=plan_file,
        exclude=(*held.excluded_below(src), *(exclude or ())),
        validate=validate,
        html=html,
        sarif=sarif,
        added=options.additions(held.texts("plugin-dirs"), held.texts("mappings")),
        told=finder.environments_in(src),
    )
    if mapping and target.tables is None:
        raise options.usage(f"the target {target.name} takes no --mapping")
    if tests and "tests" not in target.known:
        raise options.usage(f"the target {target.name} takes no --tests")
    options.say(held.diagnostics, "text")
    interrupts.raise_it()
    try:
        if plan:
            raise typer.Exit(show(source, wanted, write))
        if write is not None:
            raise options.usage("--write needs --plan")
        if validate and not tools():
            raise options.usage("--validate needs terraform or tofu on the PATH")
        if dest is None:
            raise options.usage("name a directory to write to, or use --plan to see what would be done")
        done = session.migrate(source, pathlib.Path(dest), wanted, shown.of("none" if quiet else progress))
    except (destination.Unusable, executors.NoCluster, WrongPattern, OSError) as e:
        raise options.usage(str(e)) from None
    except Stopped as e:
        options.say(e.found, "text")
        raise typer.Exit(1) from None
    except KeyboardInterrupt:
        typer.echo("Stopped. What was converted is kept; the same command goes on from there.", err=True)
        raise typer.Exit(130) from None
    options.say([*done.diagnostics, *(p for one in done.outcome.problems.values() for p in one)], "text")
    if not quiet:
        typer.echo(summary(done, target.name), err=True)
    raise typer.Exit(int(not done.ok))


def show(source: pathlib.Path, wanted: "Settings", write: str | None) -> int:
    """Shows the plan, and writes it to a file if asked to. Returns the exit status."""
    from transpile.migrate import session
    from transpile.repository import plan_file, table
    from transpile.text import output as writer

    plan = session.planned(source, wanted)
    typer.echo(table.table(plan), nl=False)
    options.say(list(plan.diagnostics), "text")
    if write is not None and (problem := writer.record(write, plan_file.as_yaml(plan).encode())) is not None:
        raise options.usage(problem.message)
    return int(any(one.severity == "error" for one in plan.diagnostics))


def target_of(name: str) -> targets.Target:
    try:
        return targets.find(name)
    except targets.UnknownTarget as e:
        raise options.usage(str(e)) from None


def settings(target: targets.Target, held: "Held", told: "Mapping[str, str]") -> dict[str, Any]:
    """The options of the target, checked. `told`: those of the command line; those of a configuration may be for other
    targets.
    """
    preferred = options.preferences(target, held)
    own = {name: value for name, value in held.get("options").items() if name in target.known}
    given = {**preferred, **own, **told}
    try:
        target.settings(given)
    except targets.WrongOption as e:
        raise options.usage(str(e)) from None
    return given


def summary(done: "Done", to: str) -> str:
    """What came of it, in a few lines."""
    outcome, totals = done.outcome, done.totals
    counts: dict[str, int] = {}
    for how in outcome.done.values():
        counts[how] = counts.get(how, 0) + 1
    parts = [f"{counts[how]} {how}" for how in ("converted", "copied", "unchanged", "failed") if how in counts]
    lines = [f"{len(outcome.done)} stack{'s' * (len(outcome.done) != 1)}: {', '.join(parts) or 'nothing to do'}."]
    good = totals.stacks - totals.failed
    if good and to == targets.DEFAULT:
        shared = len(outcome.names)
        lines.append(f"{totals.without_heat} of {good} need no Heat; {shared} shared module{'s' * (shared != 1)}.")
    listed = [f"{folder}: {name}" for folder, names in sorted(outcome.edited.items()) for name in names] + done.left
    if listed:
        lines.append(f"Edited by hand, and left: {some(listed)}. --force overwrites them.")
    if done.verdicts:
        lines.append(f"{len(done.verdicts) - len(done.invalid)} of {len(done.verdicts)} are valid.")
    if done.invalid:
        lines.append(f"Not valid: {some(done.invalid)}. --report FILE says why.")
    if outcome.stale:
        lines.append(f"Cannot be converted now, and left as they were: {some(outcome.stale)}.")
    if outcome.removed:
        lines.append(f"Removed, for their stacks are gone: {some(outcome.removed)}.")
    if not done.complete:
        lines.append("Stopped at the first failure; the same command goes on from there.")
    return "\n".join(lines)


def some(names: "list[str]") -> str:
    more = len(names) - SHOWN
    return ", ".join(map(printable.line, names[:SHOWN])) + (f" and {more} more" if more > 0 else "")
