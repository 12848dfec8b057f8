"""The command `hot2tf migrate`."""

# No postponed evaluation of annotations: typer would compile each of them separately, which is slow.

import pathlib
from typing import TYPE_CHECKING, Annotated, Any

import typer

from transpile import targets
from transpile.cli import options

if TYPE_CHECKING:
    from transpile.diagnostics.model import Diagnostic
    from transpile.migrate.session import Done
    from transpile.repository.plan import Plan

PLAN_FILE = "hot2tf-migrate.yaml"
SHOWN = 10  # entries of a list on the terminal; the report has all


def migrate(
    src: Annotated[str, typer.Argument(help="The directory with the templates.", metavar="SRC")],
    dest: Annotated[
        str | None, typer.Argument(help="The directory to write to; not needed with --plan.", metavar="DEST")
    ] = None,
    to: Annotated[
        str, typer.Option("--to", help="The target.", metavar="|".join([*targets.BUILT_IN, "NAME"]))
    ] = targets.DEFAULT,
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
    option: Annotated[
        list[str] | None,
        typer.Option("--option", help="An option of the target; see hot2tf targets.", metavar="KEY=VALUE"),
    ] = None,
    prefer: Annotated[
        str | None,
        typer.Option(
            "--prefer",
            help="If a type has several translations: prefer exact ones, native resources, or also provisioners.",
            metavar="faithful|native|provisioners",
        ),
    ] = None,
    root: options.Root = None,
    allow: options.Allow = None,
    render: options.Render = None,
    jobs: options.Jobs = 0,
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
) -> None:
    """Convert all templates of a directory, and again only what changed."""
    from transpile.migrate import destination, session
    from transpile.migrate import progress as shown
    from transpile.repository import plan_file as plans
    from transpile.repository import table

    if progress not in shown.FORMS:
        raise options.usage(f"--progress takes {', '.join(shown.FORMS[:-1])} or {shown.FORMS[-1]}, not {progress}")
    if jobs < 0:
        raise options.usage("--jobs takes a number from 0")
    source = pathlib.Path(src)
    if not source.is_dir():
        raise options.usage(f"{src} is not a directory")
    given = settings(to, option, prefer)
    found: list[Diagnostic] = []
    what = understood(source, plan_file, exclude or [], found)
    if plan:
        typer.echo(table.table(what), nl=False)
        if write is not None:
            from transpile.cli.commands.convert import check_place
            from transpile.text import output as writer

            check_place(write)
            if (problem := writer.record(write, plans.as_yaml(what).encode())) is not None:
                raise options.usage(problem.message)
        options.say(found, "text")
        raise typer.Exit(int(any(d.severity == "error" for d in found)))
    if write is not None:
        raise options.usage("--write needs --plan")
    if dest is None:
        raise options.usage("name a directory to write to, or use --plan to see what would be done")
    wanted = session.Settings(
        to,
        given,
        root,
        tuple(allow or ()),
        options.rendering_values(render),
        jobs,
        fail_fast,
        force,
        report=report,
        html=html,
        sarif=sarif,
    )
    try:
        done = session.migrate(source, pathlib.Path(dest), what, wanted, shown.of("none" if quiet else progress))
    except (destination.Unusable, OSError) as e:
        raise options.usage(str(e)) from None
    except KeyboardInterrupt:
        typer.echo("Stopped. What was converted is kept; the same command goes on from there.", err=True)
        raise typer.Exit(130) from None
    options.say([*found, *done.diagnostics, *(p for one in done.outcome.problems.values() for p in one)], "text")
    if not quiet:
        typer.echo(summary(done, dest), err=True)
    raise typer.Exit(int(not done.ok or any(d.severity == "error" for d in found)))


def settings(to: str, option: list[str] | None, prefer: str | None) -> dict[str, Any]:
    """The options of the target, checked."""
    try:
        target = targets.find(to)
        given: dict[str, Any] = dict(options.pairs(option, "--option"))
        if prefer is not None and "prefer" in target.known:
            given.setdefault("prefer", prefer)
        target.settings(given)
    except (targets.UnknownTarget, targets.WrongOption) as e:
        raise options.usage(str(e)) from None
    return given


def understood(source: pathlib.Path, named: str | None, exclude: list[str], found: "list[Diagnostic]") -> "Plan":
    """The plan: that of a file, or else what the source tree says."""
    from transpile.repository import plan_file, survey
    from transpile.repository.ignoring import WrongPattern

    file = pathlib.Path(named) if named is not None else source / PLAN_FILE
    if named is None and not file.exists():
        try:
            plan = survey.survey(source, exclude)
        except WrongPattern as e:
            raise options.usage(str(e)) from None
    else:
        plan = plan_file.read(file, source)
    found += plan.diagnostics
    return plan


def summary(done: "Done", dest: str) -> str:
    """What came of it, in a few lines."""
    outcome, totals = done.outcome, done.totals
    counts: dict[str, int] = {}
    for how in outcome.done.values():
        counts[how] = counts.get(how, 0) + 1
    parts = [f"{counts[how]} {how}" for how in ("converted", "copied", "unchanged", "failed") if how in counts]
    lines = [f"{len(outcome.done)} stack{'s' * (len(outcome.done) != 1)}: {', '.join(parts) or 'nothing to do'}."]
    good = totals.stacks - totals.failed
    if good:
        lines.append(f"{totals.without_heat} of {good} need no Heat; {len(outcome.names)} shared modules.")
    listed = [f"{folder}: {name}" for folder, names in sorted(outcome.edited.items()) for name in names] + done.left
    if listed:
        lines.append(f"Edited by hand, and left: {some(listed)}. --force overwrites them.")
    if outcome.removed:
        lines.append(f"Removed, for their stacks are gone: {some(outcome.removed)}.")
    if not done.complete:
        lines.append("Stopped at the first failure; the same command goes on from there.")
    return "\n".join(lines)


def some(names: "list[str]") -> str:
    more = len(names) - SHOWN
    return ", ".join(names[:SHOWN]) + (f" and {more} more" if more > 0 else "")
