"""Collects the user's tasks after a migration, from the summaries of its stacks and from the run itself."""

from __future__ import annotations

import pathlib
from collections.abc import Iterable, Iterator

from transpile.diagnostics.model import Diagnostic
from transpile.migrate.calls import StackCalls, describe_call, describe_fate
from transpile.migrate.environment_groups import StackPlace
from transpile.migrate.fleet import FleetReport
from transpile.migrate.similar_templates import SimilarTemplates, find_similar_templates
from transpile.migrate.unit import TASKS
from transpile.model.printable import make_log_line
from transpile.model.records import replace
from transpile.model.words import list_first
from transpile.todo.tasks import DECIDE, FIX, REPLACE, SET, Task, collect_finding_tasks, make_task
from transpile.todo.todo_list import TodoList

MOST_VALUES = 4
HOW_TO_JOIN = "A plan file (hot2tf migrate SRC --plan --write FILE) offers one directory for them, with variables."
HOW_TO_REWRITE = "One template with parameters for these, and an environment for each, becomes one root."


def collect_todo_list(fleet: FleetReport, findings: Iterable[Diagnostic], calls: StackCalls | None) -> TodoList:
    """The list of a run. findings: about the migration as a whole. Directories that could not be written because of
    edits are not in it: the next run may write them.
    """
    todo = TodoList(walk_stack_tasks(fleet))
    for task in collect_finding_tasks(finding.as_json() for finding in findings):
        todo.add(task)
    for name in fleet.plan.undecided:
        how = "Say it in a plan file: hot2tf migrate SRC --plan shows the candidates."
        todo.add(Task(FIX, "An environment is left out: it fits several templates.", how, "", (make_log_line(name),)))
    alone = (stack.template for stack in fleet.plan.stacks if stack.joined is None)
    for group in find_similar_templates(pathlib.Path(fleet.src), alone):
        how = f"{group.obstacle[:1].upper()}{group.obstacle[1:]}. {HOW_TO_REWRITE}" if group.obstacle else HOW_TO_JOIN
        places = tuple(map(make_log_line, group.templates))
        todo.add(Task(DECIDE, describe_similar(group), make_log_line(how), "", places))
    for site in calls.search.sites if calls is not None else ():
        place = make_log_line(f"{site.path}:{site.line}")
        how = "; ".join(site.replacement)
        how = f"{how}. {describe_fate(site)}" if how else describe_fate(site)
        todo.add(Task(REPLACE, make_log_line(describe_call(site)), make_log_line(how), "", (place,)))
    return todo


def describe_similar(group: SimilarTemplates) -> str:
    """Describes similar templates in a sentence: their number, and the values that differ."""
    if not group.values:
        return (
            f"{len(group.templates)} templates are equal{' but for their descriptions' * bool(group.list_variables())}."
        )
    values = list_first(group.values, MOST_VALUES)
    number = f"{len(group.values)} value{'s' * (len(group.values) != 1)}"
    return make_log_line(f"{len(group.templates)} templates are equal but for {number}: {values}.")


def walk_stack_tasks(fleet: FleetReport) -> Iterator[Task]:
    """The tasks of all stacks, with paths and directories as they are after the migration."""
    for stack, row in fleet.walk_rows():
        place = fleet.outcome.places.get(row.output, StackPlace(row.output))
        directory = f"{place.folder} ({place.environment})" if place.environment else place.folder
        for data in row.summary.get(TASKS, ()):
            task = make_task(data)
            if task.kind == SET and not task.places:
                yield replace(task, places=(make_log_line(directory),))
            else:
                yield replace(task, places=tuple(fleet.relocate_place(name, stack) for name in task.places))
