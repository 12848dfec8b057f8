"""A migration from the plan to the report: what `hot2tf migrate` does.

Invariant: what the user must know is in the value that `migrate` returns; nothing here prints, except the progress.
"""

from __future__ import annotations

import os
import pathlib
import posixpath
import sqlite3
from typing import TYPE_CHECKING, Any

from transpile import additions, targets
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, Stopped, failed
from transpile.migrate import archive, destination, executors, fleet, front_page, validation
from transpile.migrate.run import Run
from transpile.migrate.tree import Tree
from transpile.migrate.unit import Unit
from transpile.model.records import field, node, replace
from transpile.repository import plan_file, survey
from transpile.repository.plan_file import PLAN_FILE
from transpile.settings.table import Request
from transpile.text import output, places
from transpile.text.source import repository

if TYPE_CHECKING:
    from collections.abc import Callable, MutableMapping

    from transpile.additions import Additions
    from transpile.migrate.executors import Executor
    from transpile.migrate.progress import Progress
    from transpile.migrate.run import Outcome
    from transpile.migrate.state import State
    from transpile.repository.plan import Plan, StackPlan

BASIC = 0xFF  # the part of an error code of SQLite that says what kind it is


@node
class MigrationRequest:
    """What the user wants. request: what all stacks have in common; its root is None for the repository around the
    source. fail_fast: stop at the first failure. force: overwrite what was edited. plan_file: the plan to obey; by
    default PLAN_FILE in the source, if it is there. report, html, sarif: where reports go. cluster: the address of a
    Dask scheduler. validate: run the installed validators. added: types and mappings for all stacks. environments_of:
    the environments that a configuration says, as for a survey.
    """

    request: Request = field(default_factory=Request)
    fail_fast: bool = False
    force: bool = False
    report: str | None = None
    cluster: str | None = None
    plan_file: str | None = None
    validate: bool = False
    html: str | None = None
    sarif: str | None = None
    added: Additions = field(default_factory=additions.none)
    environments_of: Callable[[str], tuple[tuple[str, ...], str] | None] | None = None


@node
class Done:
    """What came of a migration. left: files at the top that a person wrote or changed. complete: whether all stacks
    were tried. diagnostics: about the migration as a whole.
    """

    outcome: Outcome
    totals: fleet.Totals
    left: list[str]
    complete: bool
    verdicts: dict[str, dict[str, Any]]
    diagnostics: list[Diagnostic]

    @property
    def invalid(self) -> list[str]:
        """The directories that a validator refuses."""
        return [folder for folder, said in self.verdicts.items() if not all(one["valid"] for one in said.values())]

    @property
    def ok(self) -> bool:
        errors = any(one.severity == "error" for one in self.diagnostics)
        return (
            self.complete and not self.invalid and not self.totals.failed and not self.outcome.problems and not errors
        )


def planned(src: pathlib.Path, asked: MigrationRequest, memory: MutableMapping[str, str] | None = None) -> Plan:
    """The plan: that of a file, or what the source tree says. `memory`: what earlier surveys learned. Raises Stopped
    for a wrong file, and ignoring.WrongPattern.
    """
    file = pathlib.Path(asked.plan_file) if asked.plan_file is not None else src / PLAN_FILE
    if asked.plan_file is not None or file.exists():
        return plan_file.read(file, src, asked.request.exclude, memory)
    return survey.survey(
        src, asked.request.exclude, memory, rendered=asked.request.render is not None, told=asked.environments_of
    )


def migrate(src: pathlib.Path, dest: pathlib.Path, asked: MigrationRequest, progress: Progress) -> Done:
    """Converts what the plan says. Raises destination.Unusable if the destination cannot be used, OSError, and what
    `planned` raises; Stopped, too, for mapping tables with errors, which would fail every stack.
    """
    usable(asked)
    destination.check(src, dest, force=asked.force)
    try:
        return carried_out(src, dest, asked, progress, [])
    except sqlite3.OperationalError as e:
        if e.sqlite_errorcode & BASIC != sqlite3.SQLITE_ERROR:  # a full disk, no permission and the like
            raise OSError(None, f"the state cannot be used: {e}", str(dest)) from None
        why = str(e)  # it has other tables
    except (archive.Damaged, sqlite3.DatabaseError) as e:  # of what an earlier run has saved
        why = str(e)
    return carried_out(src, dest, asked, progress, [destination.begun_again(dest, why)])


def usable(asked: MigrationRequest) -> None:
    """Raises Stopped if what all stacks share has errors."""
    target = targets.find(asked.request.to)
    found = [*asked.added.diagnostics, *(target.tables(asked.added)[1] if target.tables is not None else ())]
    if failed(found):
        raise Stopped(found)


def carried_out(
    src: pathlib.Path, dest: pathlib.Path, asked: MigrationRequest, progress: Progress, found: list[Diagnostic]
) -> Done:
    """One run. Raises archive.Damaged if results in the state cannot be read."""
    target = targets.find(asked.request.to)
    root = os.path.realpath(asked.request.root or repository(src) or src)
    with destination.opened(dest, found) as state:
        memory = state.memory()
        plan = planned(src, asked, memory)
        memory.keep()
        found += plan.diagnostics
        found += asked.added.diagnostics
        added = asked.added.packed()
        units = [unit(one, asked.request, root, src, added) for one in plan.stacks]
        tree = Tree(dest, state, target.owns or output.marked, target.optional, force=asked.force)
        run = Run(state, tree, target, root, progress)
        executor = executor_for(asked, root, len(units))
        try:
            outcome = run.all(units, executor, fail_fast=asked.fail_fast)
        finally:
            executor.close()
            progress.end()
        totals = fleet.Totals(state.rows())
        complete = len(outcome.done) == len(units)
        left: list[str] = []
        if complete:
            files = front_page.files(
                state, outcome, totals, target.ignored, target.next_steps.replace("{output}", "STACK")
            )
            left = front_page.bring(dest, state, files, force=asked.force)
        verdicts = validated(dest, state, outcome, asked, progress) if asked.validate and complete else {}
        report = fleet.Fleet(plan, state, outcome, root, os.fspath(src), target.name)
        report.validation = verdicts
        found += reports(asked, report, totals, os.fspath(dest))
    return Done(outcome, totals, left, complete, verdicts, found)


def executor_for(asked: MigrationRequest, root: str, units: int) -> Executor:
    """Where units run. Raises executors.NoCluster."""
    if asked.cluster is None:
        return executors.local(asked.request.jobs, units, asked.request.to)
    from transpile.migrate.cluster import Cluster
    from transpile.migrate.shipping import Shipping

    return Cluster(asked.cluster, Shipping(root, asked.request.allow))


def unit(stack: StackPlan, asked: Request, root: str, src: pathlib.Path, added: bytes) -> Unit:
    """The unit of a stack of the plan."""
    below = pathlib.Path(os.path.relpath(os.path.realpath(src), root)).as_posix()

    def path(name: str) -> str:
        return posixpath.normpath(posixpath.join(below, name))

    request = replace(
        asked,
        options={**asked.options, **stack.options},
        parameters=stack.parameters,
        render=stack.render or asked.render,
    )
    return Unit(stack.output, path(stack.template), tuple(map(path, stack.environments)), request, root, added)


def reports(asked: MigrationRequest, report: fleet.Fleet, totals: fleet.Totals, dest: str) -> list[Diagnostic]:
    """Writes the reports that are wanted."""
    from transpile.migrate import page, sarif

    found = []
    if asked.report is not None:
        found += saved(asked.report, lambda out, _: fleet.write(report, totals, out))
    if asked.html is not None:
        found += saved(asked.html, lambda out, place: page.write(report, totals, place, dest, out))
    if asked.sarif is not None:
        found += saved(asked.sarif, lambda out, _: sarif.write(report, totals, out))
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
        return [Diagnostic(codes.OUTPUT_CANNOT_BE_WRITTEN, f"{path} cannot be written: {e.strerror}.")]
    return []


def validated(
    dest: pathlib.Path, state: State, outcome: Outcome, asked: MigrationRequest, progress: Progress
) -> dict[str, dict[str, Any]]:
    """By directory, what each installed validator says. What did not change is not asked about again."""
    out: dict[str, dict[str, Any]] = {}
    digests = {
        row.output: placed.digest for row in state.rows() if row.converted and (placed := state.placed(row.output))
    }
    for tool in validation.tools():
        name = f"{tool.name} {tool.version}"
        progress.stage(f"{tool.name} validate")
        tasks = []
        for folder, digest in digests.items():
            known = state.verdict(folder, name, digest)
            if known is not None and folder not in outcome.edited:
                out.setdefault(folder, {})[name] = known
            else:
                used = tuple(f"modules/{outcome.names[one]}" for one in state.used(folder))
                tasks.append(validation.Task(folder, used))
        for task, verdict in validation.validate(dest, tool, tasks, asked.request.jobs or executors.processors()):
            out.setdefault(task.folder, {})[name] = verdict
            if task.folder not in outcome.edited:
                state.judge(task.folder, name, digests[task.folder], verdict)
    return dict(sorted(out.items()))
