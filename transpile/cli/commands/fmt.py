"""The command `hot2tf fmt`."""

# No postponed evaluation of annotations: typer would compile each of them separately, which is slow.

import os
import sys
from typing import Annotated

import typer

from transpile.cli import options


def fmt(
    paths: Annotated[
        list[str], typer.Argument(help="Templates, environments or directories; - for standard input.", metavar="PATH")
    ],
    check: Annotated[
        bool, typer.Option("--check", help="Change nothing; exit with status 1 if a file would change.")
    ] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Change nothing; show what would change.")] = False,
    limit: options.Limits = None,
    jobs: options.Jobs = 0,
    diagnostics: options.Form = "text",
    quiet: options.Quiet = False,
) -> None:
    """Rewrite HOT templates, environments and homing templates in canonical form, in place."""
    from transpile.cli import fmt

    options.check_form(diagnostics)
    if jobs < 0:
        raise options.usage("--jobs takes a positive number")
    if "-" in paths:
        if len(paths) > 1:
            raise options.usage("- cannot be combined with other paths")
        format_input(check=check, diff=diff, form=diagnostics, limits=options.limits(limit))
        return
    quiet = quiet or diagnostics != "text"
    results: list[fmt.Result] = []
    write = not check and not diff
    workers, limits = jobs or os.cpu_count() or 1, options.limits(limit)
    for result in fmt.run(paths, write=write, diff=diff, limits=limits, jobs=workers):
        results.append(result)
        sys.stdout.write(result.diff)
        if diagnostics == "text":
            options.say(list(result.diagnostics), "text", results=check and not diff)
        if quiet:
            continue
        if result.changed:
            options.tell(f"{'formatted' if write else 'would format'} {result.path}")
        elif not result.kind and not result.found and not result.diagnostics:
            options.tell(f"{result.path} is no HOT template, environment or homing template; skipped")
    if diagnostics != "text":
        options.say([d for r in results for d in r.diagnostics], diagnostics, results=check and not diff)
    if not quiet:
        options.tell(fmt.closing(results, written=write))
    if any(not r.ok for r in results) or (check and any(r.changed for r in results)):
        raise typer.Exit(1)


def format_input(*, check: bool, diff: bool, form: str, limits: dict[str, int]) -> None:
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
