"""Reads the stacks of many projects at once, and keeps them on disk until the run is at its end.

Invariant: no more requests are under way than the user allows, and a stack that cannot be read ends nothing but itself.
"""

from __future__ import annotations

import concurrent.futures
import json
import os
import pathlib
from collections.abc import Callable, Iterable, Sequence
from typing import final

from transpile.adopting.fleet.stacks import FleetProject, FleetStack
from transpile.adoption import evidence, export
from transpile.adoption.live import LiveStack
from transpile.adoption.lookups import Answers, NoAnswer
from transpile.adoption.online import CloudProject, StackSummary
from transpile.diagnostics.model import Stopped
from transpile.model.budget import Budget
from transpile.model.source import Source
from transpile.text import places

KEPT = "read"  # the folder for exports, below that of the state
NUMBER = 8  # requests that are under way at once, unless the user says otherwise


def open_project(cloud: CloudProject) -> FleetProject:
    """The project that a connection is for, with the list of its stacks. Raises Stopped."""
    name, summaries = cloud.find_project_name(), cloud.list_stack_summaries()
    return FleetProject(name, cloud.find_project_id(), cloud, Answers({}, cloud), summaries)


@final
class FleetReader:
    """Reads stacks with several threads. `folder`: where exports are kept; None to keep nothing. `notify`: gets each
    stack that was read.
    """

    def __init__(
        self, number: int, folder: pathlib.Path | None, notify: Callable[[FleetStack], None] = lambda stack: None
    ) -> None:
        self.number, self.folder, self.notify = number, folder, notify

    def read_stacks(self, projects: Sequence[FleetProject]) -> list[FleetStack]:
        """All stacks, by project and name."""
        tasks = [(project, summary) for project in projects for summary in project.summaries]
        with concurrent.futures.ThreadPoolExecutor(self.number) as pool:
            stacks = []
            for stack in pool.map(lambda task: self.read_stack(*task), tasks):
                self.notify(stack)
                stacks.append(stack)
        return stacks

    def read_stack(self, project: FleetProject, summary: StackSummary) -> FleetStack:
        if (kept := self.read_kept(summary)) is not None:
            project.cloud.exports[summary.name] = kept
            live, findings = export.read_export(Source(f"{summary.name}.json", kept, budget=Budget()))
            return FleetStack(project, summary, live, findings, resumed=True)
        try:
            live, findings = project.cloud.read_stack(summary.id or summary.name)
        except Stopped as e:
            return FleetStack(project, summary, None, e.diagnostics)
        self.keep(summary, project.cloud.exports.get(summary.name, ""))
        return FleetStack(project, summary, live, findings)

    def ask_about(self, stacks: Iterable[FleetStack]) -> None:
        """Asks for the objects of stacks, so that their adoption finds the answers. If a question about a stack has no
        answer, its adoption asks again and reports the problem.
        """

        def ask(stack: FleetStack, live: LiveStack) -> None:
            for _, lookup in evidence.list_lookups(live):
                try:
                    stack.project.answers.ask(lookup)
                except (NoAnswer, Stopped):
                    continue

        with concurrent.futures.ThreadPoolExecutor(self.number) as pool:
            tasks = [pool.submit(ask, stack, stack.live) for stack in stacks if stack.live is not None]
            for task in tasks:
                task.result()

    # stacks that a stopped run has read

    def path_of(self, summary: StackSummary) -> pathlib.Path | None:
        if self.folder is None or not places.is_plain_path(f"{summary.id}.json") or "/" in summary.id:
            return None
        return self.folder / f"{summary.id}.json"

    def read_kept(self, summary: StackSummary) -> str | None:
        """The export that a stopped run has read, if the stack has not changed since."""
        path = self.path_of(summary)
        data = places.read_regular_file(path) if path is not None else None
        try:
            document = json.loads(data) if data is not None else None
        except ValueError:
            return None
        if not isinstance(document, dict) or document.get("changed") != summary.changed:
            return None
        text = document.get("export")
        return text if isinstance(text, str) else None

    def keep(self, summary: StackSummary, text: str) -> None:
        path = self.path_of(summary)
        if path is None:
            return
        document = json.dumps({"changed": summary.changed, "export": text}, ensure_ascii=False)
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        places.write_atomically(path, document.encode("utf-8", "replace"), places.PRIVATE)

    def forget(self) -> None:
        """Removes the saved stacks at the end of the run."""
        if self.folder is None or not self.folder.is_dir():
            return
        for path in self.folder.iterdir():
            if path.suffix == ".json":
                places.remove_file(path)
        if not os.listdir(self.folder):  # noqa: PTH208 - one call
            self.folder.rmdir()
