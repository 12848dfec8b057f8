"""The command `hot2tf migrate`."""

# No postponed evaluation of annotations: typer would compile each of them separately, which is slow.

import pathlib
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from transpile.cli import findings, interrupts, options
from transpile.cli.configured import configured
from transpile.cli.invocation import CommandOptions, Invocation
from transpile.model import printable
from transpile.model.records import replace
from transpile.model.words import count_noun, list_first
from transpile.settings.command_paths import describe_paths
from transpile.settings.table import Request
from transpile.text import check_boxes

if TYPE_CHECKING:
    from transpile.migrate.calls import StackCalls
    from transpile.migrate.session import MigrationRequest, MigrationResult

T = TypeVar("T")

PLAN_FILE = "hot2tf-migrate.yaml"  # as in transpile/migrate/session.py, which is slow to import
BACKUPS = ".hot2tf/moved"  # as in transpile/migrate/moving.py
SHOWN = 10  # the maximum length of a list on the terminal; the report has all entries


Src = Annotated[str, typer.Argument(help="The directory with the templates.", metavar="SRC")]
Dest = Annotated[
    str | None,
    typer.Argument(
        help="The directory to write to. Without it, show the result and write nothing.",
        metavar="DEST",
    ),
]
Plan = Annotated[bool, typer.Option("--plan", help="Only show the plan and its reasons.", rich_help_panel="Input")]
Write = Annotated[
    str | None,
    typer.Option("--write", help=f"With --plan: write the plan to a file, usually {PLAN_FILE}.", metavar="FILE"),
]
PlanFile = Annotated[
    str | None,
    typer.Option(
        "--plan-file",
        help=f"The plan to obey; by default SRC/{PLAN_FILE}, if it exists.",
        metavar="FILE",
        rich_help_panel="Input",
    ),
]
Cluster = Annotated[
    str | None, typer.Option("--cluster", help="Convert on the workers of a Dask scheduler.", metavar="ADDRESS")
]
Validate = Annotated[bool, typer.Option("--validate", help="Run terraform validate and tofu validate on each stack.")]
Progress = Annotated[str, typer.Option("--progress", help="How to show progress.", metavar="auto|bar|plain|none")]
Report = Annotated[
    str | None, typer.Option("--report", help="Write the report on all stacks to a file, as JSON.", metavar="FILE")
]
Html = Annotated[
    str | None,
    typer.Option("--html", help="Write the report as one page for a browser, without network.", metavar="FILE"),
]
Sarif = Annotated[
    str | None, typer.Option("--sarif", help="Write all diagnostics to a file, as SARIF 2.1.0.", metavar="FILE")
]
Summary = Annotated[
    str | None,
    typer.Option("--summary", help="Write the summary to a file, too.", metavar="FILE", rich_help_panel="Reporting"),
]
Calls = Annotated[
    bool, typer.Option("--calls", help="List the calls of Heat in the repository, and the replacement of each.")
]
Patch = Annotated[
    str | None,
    typer.Option(
        "--patch", help="Write a patch for git apply that replaces calls of Heat by Terraform.", metavar="FILE"
    ),
]
FailFast = Annotated[
    bool, typer.Option("--fail-fast/--keep-going", help="Stop at the first template that cannot be converted.")
]
Force = Annotated[bool, typer.Option("--force", help="Overwrite files that were changed since.")]
Move = Annotated[
    bool, typer.Option("--move", help="Move the states and edits of environments to the places that they have now.")
]
Quiet = Annotated[bool, typer.Option("-q", "--quiet", help="Do not print the summary.")]


@options.with_examples("hot2tf migrate .", "hot2tf migrate . ../terraform --prefer native --html report.html")
@configured(
    "migrate",
    "min-severity exclude render root allow map-url limits plugin-dirs mappings to prefer provider keep verify "
    "placeholders missing environment-layout tests roll-up names backend backend-config ci ci-tool options "
    "diagnostics jobs",
)
def migrate(
    src: Src,
    dest: Dest = None,
    plan: Plan = False,
    write: Write = None,
    plan_file: PlanFile = None,
    cluster: Cluster = None,
    validate: Validate = False,
    progress: Progress = "auto",
    report: Report = None,
    html: Html = None,
    sarif: Sarif = None,
    summary: Summary = None,
    calls: Calls = False,
    patch: Patch = None,
    fail_fast: FailFast = False,
    force: Force = False,
    move: Move = False,
    conflicts: options.Conflicts = False,
    diff: options.Diff = False,
    verbose: options.Verbose = False,
    quiet: Quiet = False,
    *,
    line: "CommandOptions",
) -> None:
    """Convert a repository of templates.

    Without DEST, show the result, and write nothing. The next run converts only changed stacks.
    """
    from transpile.cli import result_files
    from transpile.migrate import progress as shown
    from transpile.migrate.session import MigrationRequest

    options.check_choice("--progress", progress, shown.FORMS)
    if not pathlib.Path(src).is_dir():
        raise options.usage_error(f"{src} is not a directory")
    run = line.for_directory(src)
    request = request_for(src, run, line)
    if request.ci != "none" and options.known_target(request.to).pipeline is None:
        raise options.usage_error("--ci takes --to hcl")
    of_target = request.target_options(options.known_target(request.to))
    if of_target.get("environment_layout") == "workspaces" and of_target.get("backend") in ("http", "gitlab"):
        raise options.usage_error(f"the backend {of_target['backend']} has no workspaces: use --environments files")
    places = options.typed_paths(line.flags, "mappings", "plugin-dirs", "root", "allow")
    places += [("--plan-file", plan_file)] if plan_file is not None else []
    paths = describe_paths(src, dest or "-", places)
    patterns = tuple(("--exclude", pattern) for pattern in line.flags["exclude"] or ())
    words = options.typed_words(line.flags, "migrate")
    request = replace(request, paths=replace(paths, options=(*paths.options, *patterns), words=words))
    asked = MigrationRequest(
        request,
        fail_fast=fail_fast,
        moves=move,
        force=force,
        conflicts=conflicts,
        writes=not diff,
        report=report,
        cluster=cluster,
        plan_file=plan_file,
        validate=validate,
        html=html,
        sarif=sarif,
        added=options.requested_additions(request),
        environments_of=run.finder.environments_in(src),
        lists_findings=line.flags["diagnostics"] is not None or run.request.diagnostics != "text",
        calls=calls or patch is not None,
        named_dest=dest,
    )
    options.say_diagnostics(run.settings.diagnostics, "text")
    interrupts.raise_it()
    if plan:
        raise typer.Exit(refuse_problems(lambda: show_plan(pathlib.Path(src), asked, write)))
    if write is not None:
        raise options.usage_error("--write needs --plan")
    if diff and dest is None:
        raise options.usage_error("--diff compares with a directory, so it needs DEST")
    if diff and validate:
        raise options.usage_error("--diff writes nothing that --validate could read")
    if force and conflicts:
        raise options.usage_error("--force and --conflicts exclude each other")
    if dest is None and html is not None:
        raise options.usage_error("--html needs a directory to write to: the page links to the files there")
    if dest is None and patch is not None:
        raise options.usage_error("--patch needs DEST: the patch names the directories there")
    results = {"--report": report, "--html": html, "--sarif": sarif, "--summary": summary, "--patch": patch}
    result_files.check_result_files(results, outputs={"DEST": dest})
    done = refuse_problems(lambda: carry_out(src, dest, asked, "none" if quiet else progress))
    if done.calls is not None and patch is not None:
        save_patch(patch, done.calls)
    about = [*done.diagnostics, *(p for problems in done.outcome.problems.values() for p in problems)]
    form = run.request.diagnostics if asked.lists_findings else "text"
    listed_calls = done.calls.as_diagnostics() if done.calls is not None and form != "text" else []
    if done.calls is not None and form == "text" and calls:
        typer.echo("\n".join(done.calls.lines()))
    findings.print_diagnostics(
        [*about, *done.findings, *listed_calls],
        form,
        results=asked.lists_findings,
        min_severity=run.min_severity(verbose=verbose) if asked.lists_findings else "info",
    )
    if diff:
        show_changes(done, dest or "")
    text = describe_changes(done) if diff else migration_summary(done, src, dest)
    if summary is not None:
        from transpile.cli.conversions import save_text  # the pipeline, which takes long to import

        save_text(summary, "summary", text + "\n")
    if quiet:
        text = "\n".join(describe_failure(done, listed=asked.lists_findings))
    if text:
        for sentence in text.split("\n"):
            options.tell_user(sentence)
    raise typer.Exit(int(not done.ok))


def request_for(src: str, run: "Invocation", line: "CommandOptions") -> "Request":
    """The request for all stacks. Ends the command if the target does not accept its options."""
    target = options.known_target(run.request.to)
    configured_patterns = run.finder.compute_settings(src, None).excluded_below(
        src
    )  # without the patterns of the command line, which are added elsewhere
    request = replace(
        run.request,
        options=options.own_options(run.request, target, line.flags),
        exclude=(*configured_patterns, *(line.flags["exclude"] or ())),
    )
    options.check_options(request, target, line.flags)
    return request


def refuse_problems(work: Callable[[], T]) -> T:
    """Runs one step of the migration. Ends the command if the step fails, or if Ctrl-C stops it."""
    from transpile.diagnostics.model import Stopped
    from transpile.migrate import destination, executors
    from transpile.repository.ignoring import WrongPattern

    try:
        return work()
    except (destination.Unusable, executors.NoCluster, WrongPattern, OSError) as e:
        raise options.usage_error(str(e)) from None
    except Stopped as e:
        options.say_diagnostics(e.diagnostics, "text")
        raise typer.Exit(1) from None
    except KeyboardInterrupt:
        typer.echo("Stopped. Converted stacks are kept; the same command goes on from there.", err=True)
        raise typer.Exit(130) from None


def carry_out(src: str, dest: str | None, asked: "MigrationRequest", progress: str) -> "MigrationResult":
    """Writes the destination. Without one, everything happens in a temporary directory, which is removed."""
    from transpile.migrate import progress as shown
    from transpile.migrate import session
    from transpile.migrate.validation import find_tools

    if asked.validate and not find_tools():
        raise options.usage_error("--validate needs terraform or tofu on the PATH")
    source, shown_progress = pathlib.Path(src), shown.make_progress(progress)
    if dest is not None:
        return session.migrate_stacks(source, pathlib.Path(dest), asked, shown_progress)
    import tempfile  # slow to import

    with tempfile.TemporaryDirectory(prefix="hot2tf-") as folder:  # that only its owner may read
        return session.migrate_stacks(source, pathlib.Path(folder, "migrated"), asked, shown_progress)


def show_plan(source: pathlib.Path, asked: "MigrationRequest", write: str | None) -> int:
    """Shows the plan, and writes it to a file if asked to. Returns the exit status."""
    from transpile.migrate import plan_table as table
    from transpile.migrate import session, similar_templates
    from transpile.repository import plan_file
    from transpile.text import output as writer

    plan = session.read_plan(source, asked)
    typer.echo(table.render_plan_table(plan, findings.terminal_width(sys.stdout)), nl=False)
    options.say_diagnostics(list(plan.diagnostics), "text")
    if write is not None:
        text = plan_file.print_plan(plan, similar_templates.find_offers(source, plan))
        if (problem := writer.write_user_file(write, text.encode())) is not None:
            raise options.usage_error(problem.message)
    return int(any(diagnostic.severity == "error" for diagnostic in plan.diagnostics))


def save_patch(path: str, calls: "StackCalls") -> None:
    """Writes the patch for calls of Heat, for its owner alone, since its lines may have secrets. Ends the command if
    that fails.
    """
    from transpile.text import output as writer
    from transpile.text import places

    data = calls.search.patch.encode("utf-8", "surrogateescape")
    if (problem := writer.write_user_file(path, data, places.PRIVATE)) is not None:
        raise options.usage_error(problem.message)
    if not data:
        options.tell_user("The patch is empty: no call of Heat can be rewritten safely.")


def show_changes(done: "MigrationResult", dest: str) -> None:
    """Prints the changes to files, without hidden values."""
    from transpile.cli.differences import mask_file_difference

    for path, before, after, private in done.changes:
        name = str(pathlib.Path(dest, path))
        difference = mask_file_difference(name, before, after, private=private, hidden_names=done.hidden_names)
        typer.echo(difference, nl=False)


def describe_changes(done: "MigrationResult") -> str:
    """The closing lines of `--diff`."""
    outcome = done.outcome
    number = len(done.changes)
    lines = [f"{count_noun(number, 'file')} would change. Nothing was written."]
    merged = [f"{folder}: {name}" for folder, names in sorted(outcome.merged.items()) for name in names]
    if merged:
        lines.append(f"Would be merged with your changes: {some_names(merged)}.")
    moves = [f"{folder}: {old} to {new}" for folder, pairs in done.moves.items() for old, new in pairs]
    if moves:
        lines.append(f"Terraform would move: {some_names(moves)}.")
    if outcome.moved:
        lines.append(f"Would be moved: {some_names(outcome.moved)}.")
    if outcome.removed:
        lines.append(f"Would be removed, for their stacks are gone: {some_names(outcome.removed)}.")
    return "\n".join([*lines, *done.overview.lines(), *describe_tasks(done)])


def migration_summary(done: "MigrationResult", src: str, dest: str | None) -> str:
    """Returns a short summary of the migration, and the next commands."""
    outcome, lines = done.outcome, done.overview.lines()
    listed = [f"{folder}: {name}" for folder, names in sorted(outcome.edited.items()) for name in names] + done.left
    if listed:
        lines.append(f"Edited by hand, and left: {some_names(listed)}. --force overwrites them.")
    merged = [f"{folder}: {name}" for folder, names in sorted(outcome.merged.items()) for name in names]
    if merged:
        lines.append(f"Merged with your changes: {some_names(merged)}.")
    if outcome.marked:
        marked = [f"{folder}: {name}" for folder, names in sorted(outcome.marked.items()) for name in names]
        lines.append(f"Written, with conflicts that are marked: {some_names(marked)}.")
    if done.verdicts:
        lines.append(f"{len(done.verdicts) - len(done.invalid_folders)} of {len(done.verdicts)} are valid.")
    lines += describe_invalid(done)
    if outcome.stale:
        lines.append(f"Cannot be converted now, and left as they were: {some_names(outcome.stale)}.")
    if outcome.moved:
        lines.append(f"Moved, with their states and edits: {some_names(outcome.moved)}. {BACKUPS} has the old files.")
    if outcome.removed:
        lines.append(f"Removed, for their stacks are gone: {some_names(outcome.removed)}.")
    if outcome.still_used:
        listed = [f"{folder} ({user})" for folder, user in sorted(outcome.still_used.items())]
        lines.append(f"Left, for files still refer to them: {some_names(listed)}.")
    lines += [*describe_stop(done), *describe_tasks(done, dest)]
    if commands := done.overview.next_commands(src, dest):
        width = max(len(command) for command, _ in commands)
        lines += ["Next:", *(f"  {command:{width}}  # {purpose}" for command, purpose in commands)]
    return "\n".join(lines)


def describe_failure(done: "MigrationResult", *, listed: bool) -> list[str]:
    """Why a migration failed, for those who want no summary; nothing if it did not. `listed`: the errors have been
    shown.
    """
    from transpile.todo.tasks import FIX

    failures = [] if listed else done.overview.todo.lines([FIX])
    return [*failures, *describe_invalid(done), *describe_stop(done)]


def describe_tasks(done: "MigrationResult", dest: str | None = None) -> list[str]:
    """Returns the lines with the user's tasks; empty if there are none."""
    if not done.overview.todo.number:
        return []
    where = f" ({pathlib.Path(dest, check_boxes.FILE)} has all, with places)" if dest is not None else ""
    return [f"To do{where}:", *done.overview.todo.lines()]


def describe_invalid(done: "MigrationResult") -> list[str]:
    if not done.invalid_folders:
        return []
    return [f"Not valid: {some_names(done.invalid_folders)}. --report FILE says why."]


def describe_stop(done: "MigrationResult") -> list[str]:
    return [] if done.complete else ["Stopped at the first failure; the same command goes on from there."]


def some_names(names: "list[str]") -> str:
    return list_first([*map(printable.make_log_line, names)], SHOWN)
