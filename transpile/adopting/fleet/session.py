"""Adopts the stacks of a fleet into one tree, from the lists of the projects to the files.

Invariant: the verdict on each stack is known, and announced, before a file of the tree is written. Each directory's
result is saved as soon as there is one, so a run that was stopped anywhere is continued by the same command. Files of
earlier runs stay, also for stacks that Heat no longer has.
"""

from __future__ import annotations

import hashlib
import json
import pathlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, final

from transpile import targets
from transpile.additions import Additions
from transpile.adopting.fleet import order_of_work
from transpile.adopting.fleet.conversion import RootConverter
from transpile.adopting.fleet.grouping import FleetRoot, HomeChooser, StackHome, group_stacks, read_document
from transpile.adopting.fleet.reading import KEPT, NUMBER, FleetReader
from transpile.adopting.fleet.stacks import (
    UNDER_WAY,
    FleetProject,
    FleetResult,
    FleetStack,
    StackVerdict,
    make_verdict,
)
from transpile.adopting.fleet.templates import RepositoryTemplates
from transpile.adopting.run import TARGET
from transpile.adoption.steps import TREE_PATCH
from transpile.diagnostics.model import Diagnostic
from transpile.migrate import archive, destination, front_page
from transpile.migrate.outcome import CONVERTED, UNCHANGED
from transpile.migrate.progress import SilentProgress
from transpile.migrate.run import TRY_AGAIN, MigrationRun
from transpile.migrate.state import FOLDER, MigrationState, SurveyMemory
from transpile.migrate.tree import DestinationTree
from transpile.model.records import node, replace
from transpile.pipeline import Conversion
from transpile.report import list_hidden_names
from transpile.settings.table import OPTIONS, Request
from transpile.text import check_boxes, output, places
from transpile.todo.tasks import collect_tasks
from transpile.todo.todo_list import TodoList
from transpile.version import __version__

PATCHED = re.compile(r"--- a/(.*)\n\+\+\+ b/.*\n")
HOME = "home "  # begins the key under which the state has the home of a stack


@node
class FleetRequest:
    """The user's request for the adoption of a fleet. `shares`: whether stacks of one template share a configuration.
    `drift`: whether live values are compared with the templates. `grade`: grades the findings of a conversion, and
    returns whether they prevent output. `tell`: gets the findings of a directory or a stack, by its name. `announce`:
    gets the verdicts before anything is written. `at_once`: the requests that may be under way. `repository`: templates
    that take the place of Heat's. `force`, `conflicts`, `writes`: as for a migration. `cloud`: the entry in
    clouds.yaml, for the guide.
    """

    request: Request
    added: Additions | None
    cloud: str
    grade: Callable[[Conversion, str], tuple[list[Diagnostic], bool]]
    tell: Callable[[str, Sequence[Diagnostic]], None]
    announce: Callable[[Sequence[StackVerdict]], None]
    shares: bool = True
    drift: bool = False
    at_once: int = NUMBER
    repository: RepositoryTemplates | None = None
    force: bool = False
    conflicts: bool = False
    writes: bool = True


def adopt_fleet(projects: Sequence[FleetProject], dest: pathlib.Path, asked: FleetRequest) -> FleetResult:
    """Adopts all stacks of projects. Raises destination.Unusable, OSError, and Stopped."""
    if (problem := output.refuse_links(str(dest))) is not None:
        raise destination.Unusable(problem.message)
    if places.kind_at_path(dest) not in (places.NOTHING, places.DIRECTORY, places.LINK):
        raise destination.Unusable(f"{dest} is not a directory")
    diagnostics: list[Diagnostic] = []
    damage = ""
    for _ in range(2):
        opened = destination.open_state(dest, diagnostics, damage) if asked.writes else destination.open_copy(dest)
        try:
            with opened as state:
                return FleetRun(projects, dest, asked, state, diagnostics).run()
        except archive.Damaged as e:
            damage = str(e)
    raise destination.Unusable(f"no state can be kept in {dest}: {damage}")


@final
class FleetRun:
    """One run over a fleet."""

    def __init__(
        self,
        projects: Sequence[FleetProject],
        dest: pathlib.Path,
        asked: FleetRequest,
        state: MigrationState,
        diagnostics: list[Diagnostic],
    ) -> None:
        self.projects, self.dest, self.asked, self.state, self.diagnostics = projects, dest, asked, state, diagnostics
        self.target = targets.find_target(TARGET)
        self.reader = FleetReader(asked.at_once, dest / FOLDER / KEPT if asked.writes else None)

    def run(self) -> FleetResult:
        asked, state = self.asked, self.state
        memory = state.open_memory()
        earlier = read_homes(memory)
        stacks = self.reader.read_stacks(self.projects)
        chooser = HomeChooser(earlier, shares=asked.shares, several=len(self.projects) > 1)
        under_way = [stack for stack in stacks if self.is_under_way(stack, earlier)]
        roots = chooser.choose_roots(group_stacks(stack for stack in stacks if stack not in under_way))
        reused = {root.folder: saved for root in roots if (saved := self.find_saved(root)) is not None}
        self.reader.ask_about(
            stack for root in roots if root.folder not in reused for stack in root.stacks if stack.live is not None
        )
        converter = RootConverter(
            asked.request,
            asked.added,
            self.target,
            state,
            chooser,
            asked.repository,
            asked.grade,
            asked.tell,
            drift=asked.drift,
        )
        for stack in stacks:
            if stack.live is None:
                converter.leave_unread(stack)
        converter.verdicts += [self.describe_under_way(stack, earlier[stack.key]) for stack in under_way]
        done: dict[str, str] = {}
        homes = dict(earlier)
        for root in roots:
            if root.folder in reused:
                saved = reused[root.folder]
                converter.verdicts += map(make_verdict, saved["verdicts"])
                converter.reports += saved["reports"]
                done[root.folder] = UNCHANGED
                homes |= find_homes(root)
                continue
            converted = converter.convert_root(root)
            for part in converted:
                whole = len(converted) == 1 and len(part.root.stacks) == len(root.stacks)
                state.save_result(part.result, self.digest_root(root) if whole else TRY_AGAIN, "")
                done[part.root.folder] = CONVERTED
                homes |= find_homes(part.root)
        order = {stack.key: number for number, stack in enumerate(stacks)}
        verdicts = sorted(converter.verdicts, key=lambda verdict: order.get(verdict.stack_id, len(order)))
        asked.announce(verdicts)
        tree = DestinationTree(
            self.dest,
            state,
            self.target.owns or output.has_marker,
            self.target.optional,
            force=asked.force,
            conflicts=asked.conflicts,
            writes=asked.writes,
            follow=self.target.follow,
        )
        for key, home in homes.items():
            memory[HOME + key] = json.dumps(home)
        memory.save_used()
        migration = MigrationRun(state, tree, self.target, "", SilentProgress())
        migration.outcome.done.update(done)
        migration.link_modules([row.output for row in state.walk_rows()])
        outcome = migration.outcome
        self.diagnostics += self.find_clashes(done)
        self.diagnostics += tree.losses
        if asked.writes:
            self.write_top_files(tree, verdicts, outcome.names, converter.reports)
            self.reader.forget()
        problems = [*self.diagnostics, *(problem for problems in outcome.problems.values() for problem in problems)]
        return FleetResult(
            verdicts,
            converter.reports,
            problems,
            outcome.written,
            outcome.edited,
            {**outcome.merged, **outcome.marked},
            tree.changes,
            frozenset(name for report in converter.reports for name in list_hidden_names(report)),
            sorted(reused),
            converter.failed,
        )

    def is_under_way(self, stack: FleetStack, homes: Mapping[str, StackHome]) -> bool:
        """Whether Heat has had an update of the stack's ADOPT.md: then the files of its directory stay as they are. The
        marks are the environment of these updates, in which nothing may be replaced, and that only those resources are
        left that should stay with Heat: Terraform then gives the stack another environment.
        """
        home = homes.get(stack.key)
        if home is None or stack.live is None or self.state.find_row(home.folder) is None:
            return False
        verdict = self.find_earlier_verdict(stack, home)
        if verdict is not None and verdict.kept and stack.live.resources.keys() <= set(verdict.kept):
            return verdict.imports > 1  # one import is that of the stack itself, from which nothing was taken
        environment = read_document(stack.live.environment)
        registry = environment.get("resource_registry") if isinstance(environment, dict) else None
        rules = registry.get("resources") if isinstance(registry, dict) else None
        everything = rules.get("*") if isinstance(rules, dict) else None
        return isinstance(everything, dict) and "replace" in str(everything.get("restricted_actions"))

    def find_earlier_verdict(self, stack: FleetStack, home: StackHome) -> StackVerdict | None:
        """Returns the verdict on a stack from the run that wrote its directory."""
        saved = archive.expand_document(self.state.read_report(home.folder))["verdicts"]
        return next((make_verdict(data) for data in saved if data["stack_id"] == stack.key), None)

    def describe_under_way(self, stack: FleetStack, home: StackHome) -> StackVerdict:
        """The verdict on such a stack: as it was, with the numbers of the run that wrote its directory."""
        earlier = self.find_earlier_verdict(stack, home)
        why = "Heat has had an update of its ADOPT.md: go on there"
        if earlier is not None:
            return replace(earlier, what=UNDER_WAY, why=why, state=stack.summary.state)
        summary = stack.summary
        return StackVerdict(
            stack.project.name, summary.name, summary.id, summary.state, UNDER_WAY, why, home.folder, home.environment
        )

    def find_saved(self, root: FleetRoot) -> Mapping[str, Any] | None:
        """Returns the result for a directory from a stopped run, if its stacks are unchanged."""
        if not all(stack.resumed for stack in root.stacks):
            return None
        row = self.state.find_row(root.folder)
        if row is None or not row.converted or row.request != self.digest_root(root):
            return None
        return archive.expand_document(self.state.read_report(root.folder))

    def digest_root(self, root: FleetRoot) -> str:
        """Returns a digest of the inputs of a directory, without the live values."""
        request = self.asked.request
        options = {row.field: repr(getattr(request, row.field)) for row in OPTIONS}
        stacks = [(stack.key, stack.summary.changed, root.environments.get(stack.key)) for stack in root.stacks]
        repository = self.asked.repository.templates if self.asked.repository is not None else []
        made_of = [__version__, options, repr(request.paths), stacks, self.asked.drift, repr(repository)]
        return hashlib.sha256(json.dumps(made_of, sort_keys=True, default=repr).encode()).hexdigest()

    def find_clashes(self, folders: Mapping[str, str]) -> list[Diagnostic]:
        """Returns the conflicts between the user's own files in the directories and the new ones, each finding once."""
        findings: dict[tuple[str, str], Diagnostic] = {}
        if self.target.neighbours is None:
            return []
        for folder in folders:
            problems: list[Diagnostic] = []
            unpacked = archive.unpack_files(self.state.read_files(folder)).files
            files = {name: data.decode("utf-8", "replace") for name, data in unpacked.items()}
            others = output.read_neighbours(self.dest / folder, files, self.target.neighbours.suffixes, problems)
            for finding in (*problems, *self.target.neighbours.clashes(files, others)):
                findings.setdefault((finding.code, finding.message), finding)
        return list(findings.values())

    def join_patches(self, names: Mapping[str, str]) -> str:
        """The patches of all directories as one for the tree, in which the change of a shared module is there once."""
        parts: dict[str, str] = {}
        shared = self.target.shared.prefix
        for row in self.state.walk_rows():
            patch = archive.expand_document(self.state.read_report(row.output)).get("patch") or ""
            for path, hunks in split_patch(patch):
                module, _, inside = path.removeprefix(shared).partition("/")
                is_shared = bool(shared) and path.startswith(shared) and module in names
                parts[f"{shared}{names[module]}/{inside}" if is_shared else f"{row.output}/{path}"] = hunks
        return "".join(f"--- a/{path}\n+++ b/{path}\n{hunks}" for path, hunks in sorted(parts.items()))

    def write_top_files(
        self,
        tree: DestinationTree,
        verdicts: Sequence[StackVerdict],
        names: Mapping[str, str],
        reports: Sequence[Mapping[str, Any]],
    ) -> None:
        """Writes the order of work, TODO.md, the patch of the code, and .gitignore. `names`: of
        modules, by content name.
        """
        todo = TodoList(task for report in reports for task in collect_tasks(report))
        patch = self.join_patches(names)
        files = {
            **({TREE_PATCH: patch} if patch else {}),
            order_of_work.GUIDE_FILE: order_of_work.write_order_of_work(
                verdicts, self.asked.cloud, self.dest.name, patched=bool(patch)
            ),
            **({check_boxes.FILE: todo.print_page("Made by hot2tf: hot2tf adopt --all -o DIR")} if todo.number else {}),
            ".gitignore": "".join(f"{line}\n" for line in (*self.target.ignored, f"{FOLDER}/")),
        }
        left = front_page.write_top_files(tree, files)
        self.diagnostics += [output.diagnose_kept_file(self.dest / name) for name in left]


def split_patch(patch: str) -> Iterator[tuple[str, str]]:
    """The parts of a patch, each with the path of its file."""
    for part in re.split(r"(?m)^(?=--- a/)", patch):
        if match := PATCHED.match(part):
            yield match[1], part[match.end() :]


def read_homes(memory: SurveyMemory) -> dict[str, StackHome]:
    """The homes that earlier runs chose, by the keys of stacks."""
    homes = {}
    for key in list(memory):
        if key.startswith(HOME):
            folder, environment = json.loads(memory[key])
            homes[key.removeprefix(HOME)] = StackHome(str(folder), str(environment))
    return homes


def find_homes(root: FleetRoot) -> Iterator[tuple[str, StackHome]]:
    for stack in root.stacks:
        yield stack.key, StackHome(root.folder, root.environments.get(stack.key, ""))
