"""The command `hot2tf fmt`."""

# No postponed evaluation of annotations: typer would compile each of them separately, which is slow.

import os
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from transpile.cli import options

if TYPE_CHECKING:
    from collections.abc import Mapping


def fmt(
    paths: Annotated[
        list[str], typer.Argument(help="Templates, environments or directories; - for standard input.", metavar="PATH")
    ],
    check: Annotated[
        bool, typer.Option("--check", help="Change nothing; exit with status 1 if a file would change.")
    ] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Change nothing; show what would change.")] = False,
    limit: options.Limits = None,
    jobs: options.GivenJobs = None,
    exclude: options.Exclude = None,
    respect_gitignore: options.RespectGitignore = None,
    force_exclude: options.ForceExclude = None,
    diagnostics: options.GivenForm = None,
    quiet: options.Quiet = False,
    config: options.Config = None,
    isolated: options.Isolated = False,
) -> None:
    """Rewrite HOT templates, environments and homing templates in canonical form, in place."""
    from transpile.cli import fmt

    options.check_form(diagnostics or "text")
    if jobs is not None and jobs < 0:
        raise options.usage("--jobs takes a positive number")
    if "-" in paths and len(paths) > 1:
        raise options.usage("- cannot be combined with other paths")
    finder = options.finder(
        config,
        {
            "limits": options.limits(limit) or None,
            "jobs": jobs,
            "exclude": options.patterns(exclude, "--exclude"),
            "respect-gitignore": respect_gitignore,
            "force-exclude": force_exclude,
            "diagnostics": diagnostics,
        },
        isolated=isolated,
    )
    held = options.held(finder.for_directory(options.together(paths)), diagnostics)
    form = held.get("diagnostics")
    if "-" in paths:
        format_input(check=check, diff=diff, form=form, limits=held.get("limits"))
        return
    quiet = quiet or form != "text"
    results: list[fmt.Result] = []
    write = not check and not diff
    workers = held.get("jobs") or os.cpu_count() or 1
    for result in fmt.run(paths, write=write, diff=diff, limits=held.get("limits"), jobs=workers, finder=finder):
        results.append(result)
        sys.stdout.write(result.diff)
        if form == "text":
            options.say(list(result.diagnostics), "text", results=check and not diff)
        if quiet:
            continue
        if result.changed:
            options.tell(f"{'formatted' if write else 'would format'} {result.path}")
        elif not result.kind and not result.found and not result.diagnostics:
            options.tell(f"{result.path} is no HOT template, environment or homing template; skipped")
    if form != "text":
        options.say([d for r in results for d in r.diagnostics], form, results=check and not diff)
    if not quiet:
        options.tell(fmt.closing(results, written=write))
    if any(not r.ok for r in results) or (check and any(r.changed for r in results)):
        raise typer.Exit(1)


def format_input(*, check: bool, diff: bool, form: str, limits: "Mapping[str, int]") -> None:
    """Formats standard input to standard output."""
    from transpile.cli import fmt
    from transpile.format import canonical
    from transpile.model.budget import Budget
    from transpile.resolve.secrets import Secrets
    from transpile.text.source import Unreadable, from_bytes, unreadable

    try:
        source = from_bytes(options.standard_input(), "<stdin>", Budget(limits))
    except Unreadable as e:
        options.say([unreadable(e, "<stdin>")], form)
        raise typer.Exit(1) from None
    done = canonical.format_text(source)
    options.say(Secrets().conceal(done.diagnostics), form, results=check and not diff)
    if diff:
        sys.stdout.write(fmt.difference(source, done.text))
    elif not check:
        sys.stdout.write(done.text)
    if any(d.severity == "error" for d in done.diagnostics) or (check and done.text != source.text):
        raise typer.Exit(1)
