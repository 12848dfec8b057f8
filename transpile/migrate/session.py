"""A migration from the plan to the report: the work of `hot2tf migrate`.

Invariant: `migrate_stacks` returns everything that the user must know; nothing here prints, except the progress.
"""

from __future__ import annotations

import os
import pathlib
import posixpath
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from typing import Any

from transpile import additions, targets
from transpile.additions import Additions
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, Stopped, has_errors
from transpile.migrate import (
    archive,
    destination,
    environment_groups,
    executors,
    fleet,
    front_page,
    pipelines,
    similar_templates,
    validation,
)
from transpile.migrate.calls import StackCalls, find_stack_calls
from transpile.migrate.executors import Executor
from transpile.migrate.findings import list_findings
from transpile.migrate.outcome import MigrationOutcome
from transpile.migrate.overview import MigrationOverview
from transpile.migrate.progress import Progress
from transpile.migrate.run import MigrationRun
from transpile.migrate.state import MigrationState
from transpile.migrate.todo import collect_todo_list
from transpile.migrate.tree import DestinationTree, FileChange
from transpile.migrate.unit import MigrationUnit
from transpile.model.records import field, node, replace
from transpile.model.source import name_file
from transpile.repository import plan_file, survey
from transpile.repository.plan import JoinedStack, MigrationPlan, StackPlan
from transpile.repository.plan_file import PLAN_FILE
from transpile.repository.walking import escape_path
from transpile.resolve.stack_name import STACK_NAME, make_stack_name
from transpile.settings.command_paths import CommandPaths, describe_paths
from transpile.settings.table import Request
from transpile.text import output, places
from transpile.text.source import find_repository
from transpile.todo.todo_list import TodoList

MOST_SEARCHED = 500  # stacks whose calls are searched for unasked: each stack takes some milliseconds
MOST_SIBLINGS = 100  # environments of a template whose values are known to the conversions of the others
NO_BACKEND, STATE_KEY = "none", "state_key"  # a value, and a name, of the target's options


@node
class MigrationRequest:
    """The user's request for a migration. request: the options for all stacks; its root is None for the repository
    around the source. fail_fast: stop at the first failure. moves: move the states and edits of environments to other
    places. force: overwrite edited files. conflicts: write conflicts with edits, with markers. writes: false for a run
    that only reports the changes. plan_file: the plan to obey; by default PLAN_FILE in the source, if it is there.
    report, html, sarif: where reports go. cluster: the address of a Dask scheduler. validate: run the installed
    validators. added: types and mappings for all stacks. environments_of: looks up the environments of a template in a
    configuration, as for a survey. lists_findings: whether the result has the findings of all stacks. calls: whether
    calls of Heat in the repository are searched for. named_dest: the destination as the user named it; None if it is a
    temporary one.
    """

    request: Request = field(default_factory=Request)
    fail_fast: bool = False
    moves: bool = False
    force: bool = False
    conflicts: bool = False
    writes: bool = True
    report: str | None = None
    cluster: str | None = None
    plan_file: str | None = None
    validate: bool = False
    html: str | None = None
    sarif: str | None = None
    added: Additions = field(default_factory=additions.installed_additions)
    environments_of: Callable[[str], tuple[tuple[str, ...], str] | None] | None = None
    lists_findings: bool = False
    calls: bool = False
    named_dest: str | None = None


@node
class MigrationResult:
    """The result of a migration. left: files at the top that a person wrote or changed. complete: whether all stacks
    were tried. diagnostics: about the migration as a whole. findings: those of all stacks, if they were asked for.
    changes: the files that would change, if nothing was written. hidden_names: of variables with hidden values, then.
    calls: the calls of Heat in the repository, if they were asked for. moves: by directory, the addresses that change.
    """

    outcome: MigrationOutcome
    totals: fleet.FleetTotals
    overview: MigrationOverview
    left: list[str]
    complete: bool
    verdicts: dict[str, dict[str, Any]]
    diagnostics: list[Diagnostic]
    findings: list[Diagnostic]
    changes: list[FileChange] = field(default_factory=list)
    hidden_names: set[str] = field(default_factory=set)
    calls: StackCalls | None = None
    moves: Mapping[str, Sequence[tuple[str, str]]] = field(default_factory=dict)

    @property
    def invalid_folders(self) -> list[str]:
        """The directories that a validator refuses."""
        return [
            folder
            for folder, verdicts in self.verdicts.items()
            if not all(verdict["valid"] for verdict in verdicts.values())
        ]

    @property
    def ok(self) -> bool:
        errors = any(diagnostic.severity == "error" for diagnostic in self.diagnostics)
        return (
            self.complete
            and not self.invalid_folders
            and not self.totals.failed
            and not self.totals.severities.get("error")
            and not self.outcome.problems
            and not errors
        )


def read_plan(
    src: pathlib.Path, asked: MigrationRequest, memory: MutableMapping[str, str] | None = None
) -> MigrationPlan:
    """Returns the plan: from a file, or from a survey of the source tree. `memory`: the results of earlier surveys.
    Raises Stopped for a wrong file, and ignoring.WrongPattern.
    """
    file = pathlib.Path(asked.plan_file) if asked.plan_file is not None else src / PLAN_FILE
    if asked.plan_file is not None or file.exists():
        plan = plan_file.read_plan_file(file, src, asked.request.exclude, memory, asked.request.map_url)
        if wrong := find_wrong_options(plan, asked.request, file):
            raise Stopped(wrong)
        return plan
    return survey.survey_tree(
        src,
        asked.request.exclude,
        memory,
        rendered=asked.request.render is not None,
        configuration=asked.environments_of,
        url_map=asked.request.map_url,
    )


def join_stacks(plan: MigrationPlan, src: pathlib.Path) -> MigrationPlan:
    """The plan, in which stacks of joined templates share a directory. Raises Stopped if these cannot be joined."""
    for join in plan.joins:
        group = similar_templates.compare_files(src, join.templates)
        if group.obstacle:
            names = ", ".join(map(escape_path, join.templates))
            message = f"{names} cannot become one configuration, {escape_path(join.output)}: {group.obstacle}."
            raise Stopped([Diagnostic(codes.MALFORMED_PLAN, message, name_file(PLAN_FILE))])
        plan = replace(plan, stacks=similar_templates.join_stacks(plan.stacks, join, group, src))
    return replace(plan, stacks=tuple(sorted(plan.stacks, key=lambda stack: stack.output)))


def find_wrong_options(plan: MigrationPlan, request: Request, file: pathlib.Path) -> list[Diagnostic]:
    """The stacks of a plan file whose options the target does not accept."""
    target, wrong = targets.find_target(request.to), []
    for stack in plan.stacks:
        try:
            replace(request, options={**request.options, **stack.options}).target_options(target)
        except targets.WrongOption as e:
            message = f"The options of {escape_path(stack.template)} are wrong: {e}"
            wrong.append(Diagnostic(codes.MALFORMED_PLAN, message, name_file(os.fspath(file))))
    return wrong


def migrate_stacks(
    src: pathlib.Path, dest: pathlib.Path, asked: MigrationRequest, progress: Progress
) -> MigrationResult:
    """Converts the stacks of the plan. Raises destination.Unusable if the destination cannot be used, OSError, and the
    exceptions of `read_plan`; Stopped, too, for mapping tables with errors, which would fail every stack.
    """
    check_settings(asked)
    if asked.request.paths == CommandPaths():
        paths = describe_paths(os.fspath(src), os.fspath(dest))
        asked = replace(asked, request=replace(asked.request, paths=paths))
    destination.check_destination(src, dest, force=asked.force)
    learned: dict[str, str] = {}
    if places.kind_at_path(dest) == places.NOTHING and not read_plan(src, asked, learned).stacks:
        raise destination.Unusable(f"there is no stack below {src}")
    try:
        return carry_out_plan(src, dest, asked, progress, learned)
    except archive.Damaged as e:  # a part of the state that is read only now
        damage = str(e)
    try:
        return carry_out_plan(src, dest, asked, progress, {}, damage)
    except archive.Damaged as e:
        raise destination.Unusable(f"no state can be kept in {dest}: {e}") from None


def check_settings(asked: MigrationRequest) -> None:
    """Raises Stopped if the common settings of all stacks have errors."""
    target = targets.find_target(asked.request.to)
    diagnostics = [*asked.added.diagnostics, *(target.tables(asked.added)[1] if target.tables is not None else ())]
    if has_errors(diagnostics):
        raise Stopped(diagnostics)


def carry_out_plan(
    src: pathlib.Path,
    dest: pathlib.Path,
    asked: MigrationRequest,
    progress: Progress,
    learned: MutableMapping[str, str],
    damage: str = "",
) -> MigrationResult:
    """One run. `learned`: the result of a survey in this run, which goes to the state. `damage`: why the state of
    earlier runs cannot be used. Raises archive.Damaged if results in the state cannot be read.
    """
    diagnostics: list[Diagnostic] = []
    target = targets.find_target(asked.request.to)
    root = os.path.realpath(asked.request.root or find_repository(src) or src)
    opened = destination.open_state(dest, diagnostics, damage) if asked.writes else destination.open_copy(dest, damage)
    with opened as state:
        of_state = len(diagnostics)  # findings about the state of earlier runs, which leave nothing to do
        memory = state.open_memory()
        memory.update(learned)
        learned.clear()
        layout = find_layout(asked.request, target)
        plan = read_plan(src, asked, memory)
        roots = target.roots if layout != environment_groups.DIRECTORIES else None
        if roots is not None:
            plan = join_stacks(plan, src)
        elif plan.joins:
            message = f"{PLAN_FILE} joins templates, and here each environment gets a directory of its own."
            hint = "Remove join from the plan, or name another one with --plan-file."
            raise Stopped([Diagnostic(codes.MALFORMED_PLAN, message, name_file(PLAN_FILE), hint=hint)])
        check_removals(src, asked, plan, state, target)
        memory.save_used()
        diagnostics += plan.diagnostics
        diagnostics += asked.added.diagnostics
        added = asked.added.as_bytes()
        if roots is not None:
            plan = environment_groups.keep_environments(plan, dest, roots)
        groups = environment_groups.find_groups(plan.stacks, target)
        shared = groups if layout != environment_groups.DIRECTORIES else ()
        siblings = {stack.output: group.stacks for group in shared for stack in group.stacks}
        units = [
            make_unit(stack, asked.request, root, src, added, siblings.get(stack.output, ())) for stack in plan.stacks
        ]
        tree = DestinationTree(
            dest,
            state,
            target.owns or output.has_marker,
            target.optional,
            force=asked.force,
            conflicts=asked.conflicts,
            writes=asked.writes,
            follow=target.follow,
        )
        writes = asked.writes and asked.named_dest is not None
        run = MigrationRun(state, tree, target, root, progress, groups, layout, moves=asked.moves, writes=writes)
        executor = make_executor(asked, root, len(units))
        try:
            outcome = run.run_all(units, executor, fail_fast=asked.fail_fast)
        finally:
            executor.close()
            progress.end()
        diagnostics += report_abandoned(outcome)
        diagnostics += tree.losses
        diagnostics += report_local_states(dest, outcome, target, asked.request)
        totals = fleet.FleetTotals(state.walk_rows())
        complete = len(outcome.done) == len(units)
        fleet_report = fleet.FleetReport(plan, state, outcome, root, os.fspath(src), target.name)
        overview = MigrationOverview(fleet_report)
        left: list[str] = []
        calls = None
        if complete and (asked.calls or (target.roots is not None and len(units) <= MOST_SEARCHED)):
            calls = find_stack_calls(fleet_report, src, asked.named_dest, root, asked.request.exclude)
            fleet_report.calls = calls.as_json() if asked.calls else None
        files: dict[str, str] = {}
        if complete:
            files = pipelines.make_pipeline_files(dest, state, outcome.places, target, asked.request, diagnostics)
        overview.todo = collect_todo_list(fleet_report, diagnostics[of_state:], calls)
        if complete:
            files |= front_page.make_top_files(
                state,
                overview,
                totals,
                target.ignored,
                targets.fill_next_steps(target.next_steps, "STACK", report_of_backend(target, asked.request)),
                list_environment_steps(target, layout),
                find_command(fleet_report),
                asked.request.paths,
            )
            if asked.writes:
                left = front_page.write_top_files(tree, files)
        verdicts = validate_stacks(dest, state, outcome, asked, progress) if asked.validate and complete else {}
        fleet_report.validation = verdicts
        diagnostics += write_reports(asked, fleet_report, totals, overview.todo, os.fspath(dest))
        findings = list_findings(fleet_report) if asked.lists_findings else []
        hidden = set() if asked.writes else fleet_report.find_hidden_names()
    return MigrationResult(
        outcome,
        totals,
        overview,
        left,
        complete,
        verdicts,
        diagnostics,
        findings,
        tree.changes,
        hidden,
        calls if asked.calls else None,
        {folder: followed.moves for folder, followed in sorted(tree.followed.items()) if followed.moves},
    )


def report_abandoned(outcome: MigrationOutcome) -> list[Diagnostic]:
    """Warnings of environments that are gone from the source and still have a state."""
    return [
        Diagnostic(
            codes.ABANDONED_ENVIRONMENT,
            f"{folder}{f' (environment {environment})' if environment else ''} is no longer in the source, but it has a"
            " state, so its files stay.",
            hint="Destroy its resources, remove the state, and run this again.",
        )
        for folder, environments in sorted(outcome.abandoned.items())
        for environment in environments
    ]


def report_local_states(
    dest: pathlib.Path, outcome: MigrationOutcome, target: targets.Target, asked: Request
) -> list[Diagnostic]:
    """Warnings of environments whose state is on this machine, while their settings now say that it is in a backend."""
    layout = find_layout(asked, target)
    kind = asked.target_options(target).get("backend", NO_BACKEND)
    if target.roots is None or layout != environment_groups.FILES or kind in (NO_BACKEND, pipelines.LOCAL):
        return []
    diagnostics = []
    for place in sorted(outcome.places.values()):
        state = target.roots.state_file(layout, place.environment)
        if place.environment and places.kind_at_path(dest / place.folder / state) == places.FILE:
            settings = target.roots.name_settings(place.environment)
            message = f"{place.folder}: the state of {place.environment} is in {state}, and not in the backend {kind}."
            hint = (
                f"Move it before anything else, in {place.folder}: terraform init -reconfigure "
                f"-backend-config={settings}, then terraform state push {state}; then remove the file."
            )
            diagnostics.append(Diagnostic(codes.STATE_NOT_IN_BACKEND, message, hint=hint))
    return diagnostics


def check_removals(
    src: pathlib.Path, asked: MigrationRequest, plan: MigrationPlan, state: MigrationState, target: targets.Target
) -> None:
    """Raises archive.Damaged if stacks of an earlier run are missing in the plan only because of wrong facts in the
    state about files of the source. Their output would be removed.
    """
    outputs = {stack.joined.output if stack.joined is not None else stack.output for stack in plan.stacks}
    shared = target.shared.prefix
    placed = {folder for folder in state.list_folders() if not shared or not folder.startswith(shared)}
    if placed | {row.output for row in state.walk_rows()} <= outputs | {stack.output for stack in plan.stacks}:
        return
    if {stack.output for stack in read_plan(src, asked).stacks} != outputs:
        raise archive.Damaged("its list of the source's stacks is wrong")


def make_executor(asked: MigrationRequest, root: str, units: int) -> Executor:
    """Returns the executor of the units: processes of this machine, or a cluster. Raises executors.NoCluster."""
    if asked.cluster is None:
        return executors.choose_executor(asked.request.jobs, units, asked.request.to)
    from transpile.migrate.cluster import ClusterExecutor
    from transpile.migrate.shipping import FileShipping

    return ClusterExecutor(asked.cluster, FileShipping(root, asked.request.allow))


def find_layout(request: Request, target: targets.Target) -> str:
    """How environments share code, for a target that has an option for it."""
    layout = request.target_options(target).get("environment_layout")
    return str(layout) if layout is not None else environment_groups.DIRECTORIES


def make_unit(
    stack: StackPlan,
    asked: Request,
    root: str,
    src: pathlib.Path,
    added: bytes,
    siblings: Sequence[StackPlan] = (),
) -> MigrationUnit:
    """The unit of a stack of the plan. siblings: the stacks that may share its code, this one among them."""
    below = pathlib.Path(os.path.relpath(os.path.realpath(src), root)).as_posix()

    def path_from_root(name: str) -> str:
        return posixpath.normpath(posixpath.join(below, name))

    joined = stack.joined or JoinedStack(stack.template, stack.output)
    request = replace(
        asked,
        options={
            **asked.options,
            **stack.options,
            **options_of_state(stack, asked, shares_root=bool(siblings)),
            **({"environment": stack.environment} if siblings else {}),
            **({"note": joined.note} if joined.note else {}),
        },
        parameters={STACK_NAME: make_stack_name(stack.name), **stack.parameters},
        variables=joined.variables,
        render=stack.render or asked.render,
    )
    return MigrationUnit(
        stack.output,
        path_from_root(joined.template),
        tuple(map(path_from_root, stack.environments)),
        request,
        root,
        added,
        tuple(
            (tuple(map(path_from_root, other.environments)), other.parameters)
            for other in (siblings if len(siblings) <= MOST_SIBLINGS else ())
        ),
    )


def options_of_state(stack: StackPlan, asked: Request, *, shares_root: bool) -> dict[str, str]:
    """The option with the name of a stack's state, if the target writes where states are. shares_root: whether other
    environments may have the same code, which names the state if these are workspaces.
    """
    target = targets.find_target(asked.to)
    if not report_of_backend(target, asked) or STATE_KEY in stack.options:
        return {}
    is_workspace = shares_root and find_layout(asked, target) == environment_groups.WORKSPACES
    alone = stack.joined.output if stack.joined is not None else stack.output
    return {STATE_KEY: posixpath.dirname(stack.output) if is_workspace else alone}


def find_command(fleet_report: fleet.FleetReport) -> str:
    """The command that makes the files again, as the report on a stack has it; empty if no stack was converted."""
    converted = (fleet_report.read_report(stack, row) for stack, row in fleet_report.walk_rows() if row.converted)
    return str(next(converted, {}).get("command", ""))


def list_environment_steps(target: targets.Target, layout: str) -> list[str]:
    """The commands in a directory that environments share, for the environment NAME."""
    if target.roots is None:
        return []
    settings = f"terraform init -reconfigure -backend-config={target.roots.name_settings('NAME')}"
    workspace = ["terraform init", "terraform workspace select -or-create NAME"]
    values = f"terraform plan -var-file={target.roots.name_values('NAME')}"
    return [*(workspace if layout == environment_groups.WORKSPACES else [settings]), values]


def report_of_backend(target: targets.Target, asked: Request) -> dict[str, Any]:
    """Returns the entry on the common backend for the report of each stack; empty if there is none."""
    kind = asked.target_options(target).get("backend", NO_BACKEND)
    return {"backend": {"settings": "backend.hcl"}} if kind != NO_BACKEND else {}


def write_reports(
    asked: MigrationRequest, fleet_report: fleet.FleetReport, totals: fleet.FleetTotals, todo: TodoList, dest: str
) -> list[Diagnostic]:
    """Writes the reports that are wanted."""
    from transpile.migrate import findings, page

    diagnostics = []
    if asked.report is not None:
        diagnostics += save_report(
            asked.report, lambda out, _: fleet.write_fleet_report(fleet_report, totals, todo, out)
        )
    if asked.html is not None:
        diagnostics += save_report(
            asked.html, lambda out, place: page.write_page(fleet_report, totals, todo, place, dest, out)
        )
    if asked.sarif is not None:
        diagnostics += save_report(asked.sarif, lambda out, _: findings.write_sarif_log(fleet_report, totals, out))
    return diagnostics


def save_report(path: str, write: Callable[[Callable[[str], Any], str | None], None]) -> list[Diagnostic]:
    """Writes a report, one stack after the other. `write` gets the directory that it will be in, if there is one."""
    if (problem := output.refuse_links(path)) is not None:
        return [problem]
    place = pathlib.Path(path)
    try:
        if places.is_device(place):
            with place.open("w", encoding="utf-8", errors="replace") as file:
                write(file.write, None)
            return []
        place.parent.mkdir(parents=True, exist_ok=True)
        with places.open_replacement(place) as file:
            write(file.write, os.fspath(place.parent))
    except OSError as e:
        return [output.unwritable(path, e.strerror)]
    return []


def validate_stacks(
    dest: pathlib.Path, state: MigrationState, outcome: MigrationOutcome, asked: MigrationRequest, progress: Progress
) -> dict[str, dict[str, Any]]:
    """Returns the verdict of each installed validator, by directory. Unchanged directories are not validated again."""
    verdicts: dict[str, dict[str, Any]] = {}
    digests = {
        folder: placed.digest
        for row in state.walk_rows()
        if row.converted and (placed := state.find_placed(folder := outcome.folder_of(row.output)))
    }
    stacks_of_folder: dict[str, list[str]] = {}
    for row in state.walk_rows():
        stacks_of_folder.setdefault(outcome.folder_of(row.output), []).append(row.output)
    for tool in validation.find_tools():
        name = f"{tool.name} {tool.version}"
        progress.begin_stage(f"{tool.name} validate")
        tasks = []
        for folder, digest in digests.items():
            earlier_verdict = state.find_verdict(folder, name, digest)
            if earlier_verdict is not None and folder not in outcome.edited:
                verdicts.setdefault(folder, {})[name] = earlier_verdict
            else:
                called = sorted({m for output in stacks_of_folder[folder] for m in state.modules_of_stack(output)})
                used = tuple(f"modules/{outcome.names[module]}" for module in called)
                tasks.append(validation.ValidationTask(folder, used))
        for task, verdict in validation.validate_folders(
            dest, tool, tasks, asked.request.jobs or executors.count_processors()
        ):
            verdicts.setdefault(task.folder, {})[name] = verdict
            if task.folder not in outcome.edited and task.folder not in outcome.merged:
                state.save_verdict(task.folder, name, digests[task.folder], verdict)
    return dict(sorted(verdicts.items()))
