"""Surveys a source tree: reads its files, and plans the stacks.

Invariant: nothing outside the tree is read, except git's rules in the repository around it; no link is followed, and
the network is not used. Every file of Heat's is in the plan: in a stack, as a nested template, or with
the reason why it is neither.
"""

from __future__ import annotations

import contextlib
import os
import pathlib
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from typing import TYPE_CHECKING, final

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, sort_diagnostics
from transpile.front import kinds
from transpile.model.records import EMPTY, replace
from transpile.model.source import name_file
from transpile.repository import contents, outputs
from transpile.repository import memory as memories
from transpile.repository.command_lines import CommandLine, CommandLineFiles, find_command_lines
from transpile.repository.contents import EnvironmentFacts, Facts, OtherFile, TemplateFacts
from transpile.repository.created_stacks import CreatedStacks
from transpile.repository.ignoring import IgnoreRules
from transpile.repository.pairing import Pairing
from transpile.repository.plan import MigrationPlan, StackPlan
from transpile.repository.references import FileReferences
from transpile.repository.walking import DOCUMENT, MODULE, TreeFile, TreeWalk, escape_path, is_encodable_path
from transpile.resolve import graph
from transpile.text.places import FILE, find_obstacle, kind_at_path
from transpile.text.source import LIMIT, UnreadableFile, read_bytes

if TYPE_CHECKING:
    ConfigurationLookup = Callable[[str], tuple[tuple[str, ...], str] | None]

TEXT_LIMIT = 512 * 1024  # bytes of a script or document
MODULE_LIMIT = 1024 * 1024  # bytes of a Python module
MOST_TEXTS = 4000  # scripts and documents that are searched for command lines


def survey_tree(
    src: pathlib.Path,
    exclude: Sequence[str] = (),
    memory: MutableMapping[str, str] | None = None,
    *,
    rendered: bool = False,
    configuration: ConfigurationLookup | None = None,
    url_map: Mapping[str, str] = EMPTY,
) -> MigrationPlan:
    """The plan for a directory. `exclude`: patterns as in `.gitignore`. `memory`: the facts about files from earlier
    surveys; new ones are added. `rendered`: there are values for all Jinja2 sources, so they count as templates.
    `configuration`: returns the environments of a template that a configuration names, by their paths, and the place
    where it names them; None if it names none. `url_map`: directories that stand for the beginnings of URLs. Raises
    `ignoring.WrongPattern`.
    """
    tree = Survey(src, exclude, memory, rendered=rendered, configuration=configuration, url_map=url_map)
    tree.read_tree()
    return tree.propose_plan()


@final
class Survey:
    """The survey of one tree. Raises `ignoring.WrongPattern`."""

    def __init__(
        self,
        src: pathlib.Path,
        exclude: Sequence[str],
        memory: MutableMapping[str, str] | None = None,
        *,
        rendered: bool = False,
        configuration: ConfigurationLookup | None = None,
        url_map: Mapping[str, str] = EMPTY,
    ) -> None:
        self.url_map = url_map
        self.memory, self.rendered, self.configuration = memory, rendered, configuration
        self.source, self.exclude = os.fspath(src), tuple(exclude)
        self.ignored = IgnoreRules(self.source, self.exclude)
        self.templates: dict[str, TemplateFacts] = {}
        self.environments: dict[str, EnvironmentFacts] = {}
        self.others: dict[str, str] = {}
        self.undecided: tuple[str, ...] = ()
        self.diagnostics: list[Diagnostic] = []
        self.lines: list[CommandLine] = []

    def read_tree(self) -> None:
        """Reads the tree."""
        self.read_files(self.ignored)
        self.report_same_names()
        self.map_urls(self.url_map)

    def map_urls(self, url_map: Mapping[str, str]) -> None:
        """Resolves the names in the files that were read, with directories for the beginnings of URLs."""
        self.url_map = url_map
        self.references = FileReferences(self.source, self.templates, self.environments, url_map)

    def propose_plan(self) -> MigrationPlan:
        """The plan that the tree suggests."""
        return self.make_plan(self.list_stacks(self.pair_stacks()))

    def plan_listed_stacks(
        self, stacks: Sequence[StackPlan], by: str, diagnostics: Sequence[Diagnostic]
    ) -> MigrationPlan:
        """The plan with these stacks and no others. `by`: the file that lists them; `diagnostics`: of that file."""
        listed = [stack if stack.why else replace(stack, why=f"listed in {by}") for stack in stacks]
        present = [stack for stack in listed if stack.template in self.templates]
        reached = self.references.reached_templates(
            (stack.template, [path for path in stack.environments if path in self.environments]) for stack in present
        )
        for path in self.templates:
            if path not in reached:
                self.others[path] = f"a template that {by} does not list"
        for path in self.environments:
            self.others[path] = f"an environment that {by} gives no stack"
        self.diagnostics += diagnostics
        return self.make_plan(listed)

    def make_plan(self, stacks: Sequence[StackPlan]) -> MigrationPlan:
        used = {path for stack in stacks for path in (stack.template, *stack.environments)}
        referrers = self.references.map_referrers()
        return MigrationPlan(
            tuple(outputs.name_stacks(stacks)),
            {path: tuple(sorted(referrers[path])) for path in sorted(referrers)},
            {path: kind for path, kind in sorted(self.others.items()) if path not in used},
            tuple(path for path in self.undecided if path not in used),
            self.exclude,
            tuple(sort_diagnostics(self.diagnostics)),
        )

    def has_file(self, path: str) -> bool:
        """Whether there is a file at a path, and no link on the way to it."""
        try:
            return (
                not find_obstacle(pathlib.Path(self.source), path)
                and kind_at_path(os.path.join(self.source, path)) == FILE
            )
        except OSError:
            return False

    # reading

    def read_files(self, ignored: IgnoreRules) -> None:
        """Reads the files that may matter, each once."""
        walk = TreeWalk(self.source, ignored)
        texts: list[TreeFile] = []
        for file in walk.walk_files():
            if file.kind == DOCUMENT:
                self.add_document(file.path)
            elif file.kind == MODULE:
                self.add_module(file.path)
            elif len(texts) <= MOST_TEXTS:
                texts.append(file)
        if self.templates:
            for file in texts[:MOST_TEXTS]:
                if (data := self.read_content(file.path, TEXT_LIMIT, silent=True)) is not None:
                    self.lines += find_command_lines(file.path, data)
            if len(texts) > MOST_TEXTS:
                message = f"Only {MOST_TEXTS} scripts and documents were searched for command lines."
                self.report_diagnostic(codes.SCRIPTS_NOT_SEARCHED, message, texts[MOST_TEXTS].path)
        self.diagnostics += walk.diagnostics
        for path, messages in ignored.unused.items():
            for message in messages:
                self.report_diagnostic(codes.PATTERN_NOT_USED, escape_path(message), path)
        lists: dict[str, int] = {}
        for path in walk.written.values():
            lists[path] = lists.get(path, 0) + 1
        for path, number in lists.items():
            self.others[path] = f"the list of {number} files that hot2tf wrote, which were left out"
        self.lines.sort(key=lambda command_line: (command_line.path, command_line.line))

    def add_document(self, path: str) -> None:
        data = self.read_content(path, LIMIT)
        if data is None:
            return
        facts = self.read_facts(path, data)
        self.lines += find_command_lines(path, data)
        self.keep_facts(path, facts)

    def read_facts(self, path: str, data: bytes) -> Facts | None:
        """The facts about a document, from `memory` if they are there."""
        if self.memory is None or not contents.may_matter(path, data):
            return contents.classify_document(path, data)
        key = memories.make_memory_key(path, data)
        with contextlib.suppress(KeyError, ValueError):
            return memories.load_facts(path, self.memory[key])
        facts = contents.classify_document(path, data)
        self.memory[key] = memories.dump_facts(facts)
        return facts

    def add_module(self, path: str) -> None:
        if (data := self.read_content(path, MODULE_LIMIT, silent=True)) is not None:
            self.keep_facts(path, contents.classify_module(path, data))
            self.lines += find_command_lines(path, data)

    def keep_facts(self, path: str, facts: Facts | None) -> None:
        """Keeps the facts about a file. A name that is not UTF-8 cannot be written into a plan or a report, so the file
        is left out.
        """
        if facts is None:
            return
        if not is_encodable_path(path):
            self.report_diagnostic(
                codes.FILE_NAME_NOT_UTF8, f"The name of {escape_path(path)} is not UTF-8, so it was left out.", path
            )
        elif isinstance(facts, TemplateFacts):
            self.templates[path] = facts
        elif self.rendered and isinstance(facts, OtherFile) and facts.what == contents.JINJA_SOURCE:
            self.templates[path] = TemplateFacts(path)
        elif isinstance(facts, EnvironmentFacts):
            self.environments[path] = facts
        else:
            assert isinstance(facts, OtherFile)
            self.others[path] = facts.what

    def read_content(self, path: str, limit: int, *, silent: bool = False) -> bytes | None:
        """The bytes of a file; None, with a diagnostic unless `silent`, if it cannot be read."""
        try:
            return read_bytes(os.path.join(self.source, path), limit)
        except UnreadableFile as e:
            if e.kind == "large" and not silent:
                self.report_large_file(path)
            elif not silent:
                self.report_diagnostic(codes.UNREADABLE_SOURCE_FILE, f"{escape_path(e.detail)}.", path)
            return None

    def report_large_file(self, path: str) -> None:
        """Reports a file that is too large, if its beginning looks like one of Heat's files."""
        try:
            with open(os.path.join(self.source, path), "rb") as file:
                begin = file.read(1 << 16)
        except OSError:
            begin = b""
        if kinds.AT_LINE.search(begin) or kinds.SECTION.search(begin):
            self.report_diagnostic(
                codes.UNREADABLE_SOURCE_FILE,
                f"The file has more than {LIMIT // 1024 // 1024} MiB, so it was not read.",
                path,
            )

    def report_diagnostic(self, code: str, message: str, path: str) -> None:
        self.diagnostics.append(Diagnostic(code, message, name_file(escape_path(path))))

    def report_same_names(self) -> None:
        """Reports files whose names differ only in case."""
        first: dict[str, str] = {}
        for path in sorted((*self.templates, *self.environments)):
            other = first.setdefault(outputs.fold_case(path), path)
            if other != path:
                self.report_diagnostic(
                    codes.NAMES_DIFFER_ONLY_IN_CASE, f"{path} and {other} are the same name on some systems.", path
                )

    # deciding

    def pair_stacks(self) -> list[StackPlan]:
        """The stacks that have environments or a command line, each with the reason.

        The configuration counts before command lines, and these before the rules of `Pairing`.
        """
        references = self.references
        nested = {target for targets in references.inner.values() for target in targets}
        mapped = {target for targets in references.mapped.values() for target in targets}
        places = CommandLineFiles(self.templates, self.environments)
        reasons: dict[tuple[str, tuple[str, ...]], str] = {}
        done = set[str]()
        configured = self.find_configured_stacks(nested | mapped)
        for template, (environments, why) in configured.items():
            reasons[template, environments] = why
            done.update(environments)
        created = CreatedStacks(self.templates, self.environments)
        for line in self.lines:
            for named in places.find_stacks(line):
                if named.template not in configured:
                    created.add(line, named)
        stacks = created.list_stacks()
        done.update(path for stack in stacks for path in stack.environments)
        pairing = Pairing(references, nested, mapped)
        for pair in pairing.find_pairs(done):
            if pair.template not in configured:
                reasons.setdefault((pair.template, pair.environments), pair.why)
            else:
                self.others[pair.environments[-1]] = (
                    f"an environment of {pair.template}, which has others {configured[pair.template][1]}"
                )
        self.undecided = tuple(sorted(pairing.undecided))
        for path, why in pairing.reasons.items():
            self.others[path] = why
        stacks += [StackPlan(template, environments, why=why) for (template, environments), why in reasons.items()]
        with_stacks = {stack.template for stack in stacks}
        for template, why in created.unpaired.items():
            if template not in with_stacks:
                stacks.append(StackPlan(template, why=f"{why}, which has no environment"))
        return stacks

    def find_configured_stacks(self, inner: set[str]) -> dict[str, tuple[tuple[str, ...], str]]:
        """The root templates whose environments a configuration names, each with these and the reason. `inner`: the
        templates that others refer to, which are no roots.
        """
        stacks = {}
        for path in self.templates if self.configuration is not None else ():
            if (
                path not in inner
                and (setting := self.configuration(path) if self.configuration is not None else None) is not None
            ):
                environments, where = setting
                if all(each in self.environments for each in environments):
                    stacks[path] = environments, f"named in {where}"
        return stacks

    def list_stacks(self, stacks: list[StackPlan]) -> list[StackPlan]:
        """All stacks: `stacks`, the templates that no file refers to, and of templates that are still in no stack, for
        example because they refer to each other, one of each outermost circle.
        """
        references = self.references
        stacks = list(stacks)
        templates = {stack.template for stack in stacks}
        referrers = references.map_referrers()
        for path, facts in self.templates.items():
            if path not in templates and path not in referrers:
                stacks.append(StackPlan(path, why=complete_reason(facts, "no environment found")))
        reached = references.reached_templates((stack.template, stack.environments) for stack in stacks)
        left = [path for path in sorted(self.templates) if path not in reached]
        waiting = set(left)
        inner = {path: [target for target in references.inner[path] if target in waiting] for path in left}
        circles = graph.strong_components(inner)
        number = {path: index for index, circle in enumerate(circles) for path in circle}
        named = {number[to] for path, targets in inner.items() for to in targets if number[to] != number[path]}
        for index, circle in enumerate(circles):
            if index not in named:
                why = "only templates refer to it that it refers to"
                if len(circle) == 1:
                    why = "only environments without a stack refer to it"
                stacks.append(StackPlan(min(circle), why=complete_reason(self.templates[min(circle)], why)))
        return stacks


def complete_reason(facts: TemplateFacts, why: str) -> str:
    return f"{why}; it cannot be read: {facts.problem}" if facts.problem else why
