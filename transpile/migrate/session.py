"""A migration from the plan to the report: what `hot2tf migrate` does.

Invariant: what the user must know is in the value that `migrate` returns; nothing here prints, except the progress.
"""

from __future__ import annotations

import dataclasses
import os
import pathlib
import posixpath
from typing import TYPE_CHECKING, Any

from transpile import targets
from transpile.diagnostics.model import Diagnostic
from transpile.migrate import destination, executors, fleet, front_page
from transpile.migrate.run import FAILED, Run
from transpile.migrate.tree import Tree
from transpile.migrate.unit import Unit, stem
from transpile.text import output, places
from transpile.text.source import repository

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from transpile.migrate.progress import Progress
    from transpile.migrate.run import Outcome
    from transpile.repository.plan import Plan


@dataclasses.dataclass(frozen=True, slots=True)
class Settings:
    """What the user wants. to, options: the target. root: what may be read; None for the repository around the source.
    render: values for Jinja2 sources. jobs: processes, 0 for one per processor. fail_fast: stop at the first failure.
    force: overwrite what was edited. report, html, sarif: where the reports go.
    """

    to: str = targets.DEFAULT
    options: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    root: str | None = None
    allow: tuple[str, ...] = ()
    render: Mapping[str, Any] | None = None
    jobs: int = 0
    fail_fast: bool = False
    force: bool = False
    report: str | None = None
    html: str | None = None
    sarif: str | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class Done:
    """What came of a migration. left: files at the top that a person wrote or changed. complete: whether all stacks
    were tried. diagnostics: about the migration as a whole.
    """

    outcome: Outcome
    totals: fleet.Totals
    left: list[str]
    complete: bool
    diagnostics: list[Diagnostic]

    @property
    def ok(self) -> bool:
        errors = any(one.severity == "error" for one in self.diagnostics)
        return self.complete and not self.totals.failed and not self.outcome.problems and not errors


def migrate(src: pathlib.Path, dest: pathlib.Path, plan: Plan, settings: Settings, progress: Progress) -> Done:
    """Converts what the plan says. Raises destination.Unusable if the destination cannot be used, and OSError."""
    target = targets.find(settings.to)
    destination.check(src, dest, force=settings.force)
    root = os.path.realpath(settings.root or repository(src) or src)
    units = [unit(one, plan, settings, root, src) for one in plan.stacks]
    found: list[Diagnostic] = []
    with destination.opened(dest, found) as state:
        tree = Tree(dest, state, owner(target, units), force=settings.force)
        run = Run(state, tree, target, root, progress)
        executor = executors.local(settings.jobs, len(units), settings.to)
        try:
            outcome = run.all(units, executor, fail_fast=settings.fail_fast)
        finally:
            executor.close()
            progress.end()
        totals = fleet.Totals(state.rows())
        complete = len(outcome.done) == len(units)
        left: list[str] = []
        if complete:
            files = front_page.files(
                state, outcome, totals, target.name, target.next_steps.replace("{output}", "STACK")
            )
            left = front_page.bring(dest, state, files, force=settings.force)
        report = fleet.Fleet(plan, state, outcome, root, os.fspath(src), target.name)
        found += reports(settings, report, totals, os.fspath(dest))
    return Done(outcome, totals, left, complete, found)


def unit(stack: Any, plan: Plan, settings: Settings, root: str, src: pathlib.Path) -> Unit:
    below = pathlib.Path(os.path.relpath(os.path.realpath(src), root)).as_posix()

    def path(name: str) -> str:
        return posixpath.normpath(posixpath.join(below, name))

    return Unit(
        stack.output,
        path(stack.template),
        tuple(map(path, stack.environments)),
        settings.to,
        {**settings.options, **stack.options},
        stack.parameters,
        stack.render or settings.render,
        root,
        settings.allow,
    )


def owner(target: targets.Target, units: Sequence[Unit]) -> Callable[[str, bytes], bool]:
    """Whether the target writes files of a name and content. A single file is named like its template, and those beside
    it lie in a folder of its name.
    """
    if target.writes == targets.DIRECTORY:
        return target.owns or output.marked
    stems = {stem(one.template) for one in units}

    def owns(name: str, content: bytes) -> bool:
        top = name.partition("/")[0]
        return top.removesuffix(".files" if "/" in name else ".yaml") in stems or output.marked(name, content)

    return owns


def reports(settings: Settings, report: fleet.Fleet, totals: fleet.Totals, dest: str) -> list[Diagnostic]:
    """Writes the reports that are wanted."""
    from transpile.migrate import page, sarif

    found = []
    if settings.report is not None:
        found += saved(settings.report, lambda out, _: fleet.write(report, totals, out))
    if settings.html is not None:
        found += saved(settings.html, lambda out, place: page.write(report, totals, place, dest, out))
    if settings.sarif is not None:
        found += saved(settings.sarif, lambda out, _: sarif.write(report, totals, out))
    return found


def saved(path: str, write: Callable[[Callable[[str], Any], str | None], None]) -> list[Diagnostic]:
    """Writes a report, one stack after the other. `write` gets the directory that it will be in, if there is one."""
    if (problem := output.refused(path)) is not None:
        return [problem]
    place = pathlib.Path(path)
    try:
        if places.device(place):
            with place.open("w", encoding="utf-8", errors="replace") as file:
                write(file.write, None)
            return []
        place.parent.mkdir(parents=True, exist_ok=True)
        with places.replaced(place) as file:
            write(file.write, os.fspath(place.parent))
    except OSError as e:
        return [Diagnostic("HOT902", f"{path} cannot be written: {e.strerror}.")]
    return []


def failures(outcome: Outcome) -> list[str]:
    return [name for name, how in outcome.done.items() if how == FAILED]
