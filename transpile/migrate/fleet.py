"""Makes the report on a whole migration: each stack, the shared modules, and the reasons that keep stacks in Heat.

Invariant: it is made from the state and the plan alone, one stack at a time, so it needs the same memory for any number
of stacks. docs/report.md specifies the format.
"""

from __future__ import annotations

import json
import os
import pathlib
import posixpath
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, final

from transpile import targets
from transpile.migrate import archive, modules
from transpile.migrate.outcome import MigrationOutcome
from transpile.migrate.state import MigrationState, StackRow
from transpile.migrate.unit import CODE, TASKS
from transpile.model.printable import escape_json_text
from transpile.report import list_hidden_names, template_reports
from transpile.repository.plan import MigrationPlan, StackPlan
from transpile.text.manifest import MANIFEST
from transpile.text.urls import is_url
from transpile.todo.todo_list import TodoList
from transpile.version import __version__

FORMAT = 1
KEPT_KEYS = ("type", "code", "why", "resources")  # the keys of the entries in a summary's `kept`


class Blocker(NamedTuple):
    """A reason that alone keeps resources in Heat, with their type."""

    type: str
    code: str
    why: str


@final
class FleetReport:
    """The stacks of a migration. root: the directory to which paths in conversion reports are relative; src: the one to
    which they are shown. named_src: that directory as the user named it.
    """

    def __init__(
        self, plan: MigrationPlan, state: MigrationState, outcome: MigrationOutcome, root: str, src: str, target: str
    ) -> None:
        self.plan, self.state, self.outcome, self.target = plan, state, outcome, target
        self.root, self.src, self.named_src = os.path.realpath(root), os.path.realpath(src), src
        self.validation: dict[str, dict[str, Any]] = {}  # by directory
        self.calls: list[dict[str, Any]] | None = None  # of Heat in the repository, if they were searched for

    def walk_stacks(self) -> Iterator[dict[str, Any]]:
        """The entry of each stack, in order, with its whole report."""
        for stack, row in self.walk_rows():
            yield {**self.make_entry(stack, row), "report": self.read_report(stack, row)}

    def walk_rows(self) -> Iterator[tuple[StackPlan, StackRow]]:
        """Yields each stack that was tried, in order, with its row of the state."""
        plans = {stack.output: stack for stack in self.plan.stacks}
        for row in self.state.walk_rows():
            if (stack := plans.get(row.output)) is not None:
                yield stack, row

    def make_entry(self, stack: StackPlan, row: StackRow) -> dict[str, Any]:
        """Returns the entry of a stack in the report, without the report on its conversion."""
        used = self.state.modules_of_stack(row.output) if row.converted else []
        entry: dict[str, Any] = {
            "output": row.output,
            "name": stack.name,
            "template": stack.template,
            "environments": list(stack.environments),
            "why": stack.why,
            "status": "converted" if row.converted else "failed",
            **{key: value for key, value in row.summary.items() if key not in (CODE, TASKS)},
            "kept": [dict(zip(KEPT_KEYS, reason, strict=True)) for reason in row.summary["kept"]],
            "modules": sorted(self.outcome.names.get(name, name) for name in used),
        }
        place, roots = self.outcome.places.get(row.output), targets.find_target(self.target).roots
        if place is not None and place.environment and roots is not None:
            entry["directory"], entry["environment"] = place
            entry["values"] = roots.name_values(place.environment)
        folder = self.outcome.folder_of(row.output)
        if edited := self.outcome.edited.get(folder):
            entry["edited"] = edited
        if problems := self.outcome.problems.get(folder):
            entry["problems"] = [d.as_json() for d in problems]
        if folder in self.validation:
            entry["validation"] = self.validation[folder]
        return entry

    def read_report(self, stack: StackPlan, row: StackRow) -> dict[str, Any]:
        """The report on the conversion of a stack, with paths and names as they are after the migration."""
        report: dict[str, Any] = archive.expand_document(self.state.read_report(row.output))
        if "files" in report:
            names = [name for name in report["files"] if not modules.find_mentions(name.encode())]
            names = [self.name_in_root(name, row.output) for name in names]
            report["files"] = [name for name in names if name != MANIFEST]
        for inner in template_reports(report):
            for diagnostic in inner.get("diagnostics", ()):
                self.relocate_diagnostic(diagnostic, stack)
            nested_modules: dict[str, Any] = inner.get("modules", {})
            renamed = {self.outcome.names.get(name, name): module for name, module in nested_modules.items()}
            nested_modules.clear()
            nested_modules |= renamed
            for module in nested_modules.values():
                module["source"] = self.path_from_source(module["source"])
        return report

    def name_in_root(self, name: str, output: str) -> str:
        """The name that a file of a stack has in the directory that environments share."""
        place, roots = self.outcome.places.get(output), targets.find_target(self.target).roots
        placed = self.state.find_placed(place.folder) if place is not None and place.environment else None
        if place is None or placed is None or roots is None or name in placed.files:
            return name
        names = (other for other in placed.files if roots.own_name(other, place.environment) == name)
        return next(names, name)

    def find_hidden_names(self) -> set[str]:
        """The names of all parameters with hidden values, and of the variables that they became."""
        reports = (self.read_report(stack, row) for stack, row in self.walk_rows())
        return {name for report in reports for name in list_hidden_names(report)}

    def relocate_diagnostic(self, diagnostic: dict[str, Any], stack: StackPlan) -> None:
        """Replaces the file of a diagnostic by its path from the source.

        The conversion names the template and the environments without their directories, and all other files by their
        paths from the root.
        """
        file = diagnostic.get("file")
        if not file:
            return
        joined = [stack.joined.template] if stack.joined is not None else []
        for path in (*joined, stack.template, *stack.environments):
            if file == posixpath.basename(path):
                diagnostic["file"] = path
                return
        diagnostic["file"] = self.path_from_source(file)

    def relocate_place(self, place: str, stack: StackPlan) -> str:
        """A place `file:line` in the tasks of a stack, with the path of its file from the source."""
        file, _, line = place.rpartition(":")
        diagnostic = {"file": file}
        self.relocate_diagnostic(diagnostic, stack)
        return f"{diagnostic['file']}:{line}"

    def path_from_source(self, name: str) -> str:
        """The path from the source, for a path from the root."""
        return name if is_url(name) else pathlib.Path(os.path.relpath(f"{self.root}/{name}", self.src)).as_posix()

    def walk_modules(self) -> Iterator[dict[str, Any]]:
        """The shared modules, by directory: the nested template that each was made of, as the first of its stacks says
        it, the stacks that use it, and the modules that it calls.
        """
        names = self.outcome.names
        plans = {stack.output: stack for stack in self.plan.stacks}
        for content_name, name in sorted(names.items(), key=lambda item: item[1]):
            users = self.state.stacks_of_module(content_name)
            text = b"".join(archive.unpack_files(self.state.read_module(content_name)).files.values())
            calls = sorted({names[mention] for mention in modules.find_mentions(text) if mention in names})
            yield {
                "module": name,
                "template": self.find_module_template(name, plans, users),
                "stacks": users,
                "calls": [call for call in calls if call != name],
            }

    def find_module_template(self, module: str, plans: Mapping[str, StackPlan], users: list[str]) -> str:
        """The nested template that became a module; empty if none of its stacks is known any more."""
        for user in users:
            row = self.state.find_row(user)
            if row is not None and user in plans:
                report = self.read_report(plans[user], row)
                module_maps = (
                    inner["modules"] for inner in template_reports(report) if module in inner.get("modules", {})
                )
                return next((str(module_map[module]["source"]) for module_map in module_maps), "")
        return ""

    def make_head(self) -> dict[str, Any]:
        plan = self.plan
        return {
            "format": FORMAT,
            "generator": f"hot2tf {__version__}",
            "target": self.target,
            "nested": {name: list(users) for name, users in plan.nested.items()},
            "others": dict(plan.others),
            "ignored": list(plan.ignored),
            "removed": list(self.outcome.removed),
            "diagnostics": [d.as_json() for d in plan.diagnostics],
            **({"calls": self.calls} if self.calls is not None else {}),
        }


@final
class FleetTotals:
    """Sums over stacks."""

    def __init__(self, rows: Iterator[StackRow]) -> None:
        self.stacks = self.failed = self.without_heat = self.dropped = 0
        self.treatments: dict[str, int] = {}
        self.severities: dict[str, int] = {}
        self.codes: dict[str, list[int]] = {}  # diagnostics, stacks
        self.keeps: dict[Blocker, list[int]] = {}  # resources, stacks, stacks that nothing else keeps
        self.types: dict[str, list[int]] = {}  # stacks, stacks that no other type keeps
        for row in rows:
            self.add_row(row)

    def add_row(self, row: StackRow) -> None:
        summary = row.summary
        self.stacks += 1
        self.failed += not row.converted
        self.dropped += summary["dropped"]
        for counts, key in ((self.treatments, "treatments"), (self.severities, "diagnostics")):
            for word, n in summary[key].items():
                counts[word] = counts.get(word, 0) + n
        for code, n in summary["codes"].items():
            of_code = self.codes.setdefault(code, [0, 0])
            of_code[0] += n
            of_code[1] += 1
        self.without_heat += row.converted and not summary["kept"]
        for *reason, n in summary["kept"]:
            entry = self.keeps.setdefault(Blocker(*reason), [0, 0, 0])
            entry[0] += n
            entry[1] += 1
            entry[2] += len(summary["kept"]) == 1
        types = {reason[0] for reason in summary["kept"]}
        for kind in types:
            of_type = self.types.setdefault(kind, [0, 0])
            of_type[0] += 1
            of_type[1] += len(types) == 1

    def as_json(self) -> dict[str, Any]:
        keeps = sorted(self.keeps.items(), key=lambda item: (-item[1][2], -item[1][1], item[0]))
        codes = sorted(self.codes.items(), key=lambda item: (-item[1][0], item[0]))
        types = sorted(self.types.items(), key=lambda item: (-item[1][1], -item[1][0], item[0]))
        return {
            "stacks": self.stacks,
            "failed": self.failed,
            "without_heat": self.without_heat,
            "treatments": dict(sorted(self.treatments.items())),
            "dropped": self.dropped,
            "severities": dict(sorted(self.severities.items())),
            "codes": [{"code": code, "diagnostics": n, "stacks": stacks} for code, (n, stacks) in codes],
            "kept_types": [{"type": kind, "stacks": n, "free_without": free} for kind, (n, free) in types],
            "kept_reasons": [
                {**blocker._asdict(), "resources": r, "stacks": n, "free_without": free}
                for blocker, (r, n, free) in keeps
            ],
        }


def write_fleet_report(fleet: FleetReport, totals: FleetTotals, todo: TodoList, out: Callable[[str], Any]) -> None:
    """Writes the report as JSON, one stack after the other."""
    head = json.dumps(
        {
            **fleet.make_head(),
            "summary": totals.as_json(),
            "modules": list(fleet.walk_modules()),
            "todo": todo.as_json(),
        },
        indent=1,
    )
    out(head.removesuffix("\n}") + ',\n "stacks": [')
    for i, stack in enumerate(fleet.walk_stacks()):
        out((",\n" if i else "\n") + escape_json_text(json.dumps(stack, ensure_ascii=False, separators=(",", ":"))))
    out("\n]}\n")
