"""Surveys a source tree: reads its files, and plans the stacks.

Invariant: nothing outside the tree is read, except git's rules in the repository around it; no link is followed, and
the network is not used. Every file of Heat's is in the plan: in a stack, as a nested template, or with
the reason why it is neither.
"""

from __future__ import annotations

import contextlib
import os
import pathlib
from typing import TYPE_CHECKING, final

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, in_order
from transpile.front import kinds
from transpile.model.records import replace
from transpile.model.source import Source
from transpile.repository import contents, outputs
from transpile.repository import memory as memories
from transpile.repository.command_lines import Places, command_lines
from transpile.repository.contents import EnvironmentFacts, Other, TemplateFacts
from transpile.repository.ignoring import Ignored
from transpile.repository.pairing import Pairing
from transpile.repository.plan import Plan, StackPlan
from transpile.repository.references import References
from transpile.repository.walking import DOCUMENT, MODULE, Walk, encodable, shown
from transpile.resolve import graph
from transpile.text.places import FILE, kind, obstacle
from transpile.text.source import LIMIT, Unreadable, read_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, MutableMapping, Sequence

    from transpile.repository.command_lines import CommandLine
    from transpile.repository.contents import Facts
    from transpile.repository.walking import Found

    Told = Callable[[str], tuple[tuple[str, ...], str] | None]

TEXT_LIMIT = 512 * 1024  # bytes of a script or document
MODULE_LIMIT = 1024 * 1024  # bytes of a Python module
MOST_TEXTS = 4000  # scripts and documents that are searched for command lines


def survey(
    src: pathlib.Path,
    exclude: Sequence[str] = (),
    memory: MutableMapping[str, str] | None = None,
    *,
    rendered: bool = False,
    told: Told | None = None,
) -> Plan:
    """The plan for a directory. `exclude`: patterns as in `.gitignore`. `memory`: the facts about files from earlier
    surveys; new ones are added. `rendered`: there are values for all Jinja2 sources, so they count as templates.
    `configuration`: returns the environments of a template that a configuration names, by their paths, and the place
    where it names them; None if it names none. Raises `ignoring.WrongPattern`.
    """
    tree = Survey(src, exclude, memory, rendered=rendered, told=told)
    tree.look()
    return tree.proposed()


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
        told: Told | None = None,
    ) -> None:
        self.memory, self.rendered, self.told = memory, rendered, told
        self.source, self.exclude = os.fspath(src), tuple(exclude)
        self.ignored = Ignored(self.source, self.exclude)
        self.templates: dict[str, TemplateFacts] = {}
        self.environments: dict[str, EnvironmentFacts] = {}
        self.others: dict[str, str] = {}
        self.found: list[Diagnostic] = []
        self.lines: list[CommandLine] = []

    def look(self) -> None:
        """Reads the tree."""
        self.read(self.ignored)
        self.same_names()
        self.references = References(self.source, self.templates, self.environments)

    def proposed(self) -> Plan:
        """The plan that the tree suggests."""
        return self.complete(self.stacks(self.pairs()))

    def obeying(self, stacks: Sequence[StackPlan], by: str, said: Sequence[Diagnostic]) -> Plan:
        """The plan with these stacks and no others. `by`: the file that lists them; `diagnostics`: of that file."""
        listed = [one if one.why else replace(one, why=f"listed in {by}") for one in stacks]
        known = [one for one in listed if one.template in self.templates]
        reached = self.references.reached(
            (one.template, [path for path in one.environments if path in self.environments]) for one in known
        )
        for path in self.templates:
            if path not in reached:
                self.others[path] = f"a template that {by} does not list"
        for path in self.environments:
            self.others[path] = f"an environment that {by} gives no stack"
        self.found += said
        return self.complete(listed)

    def complete(self, stacks: Sequence[StackPlan]) -> Plan:
        used = {path for one in stacks for path in (one.template, *one.environments)}
        referrers = self.references.referrers()
        return Plan(
            tuple(outputs.named(stacks)),
            {path: tuple(sorted(referrers[path])) for path in sorted(referrers)},
            {path: what for path, what in sorted(self.others.items()) if path not in used},
            self.exclude,
            tuple(in_order(self.found)),
        )

    def has(self, path: str) -> bool:
        """Whether there is a file at a path, and no link on the way to it."""
        try:
            return not obstacle(pathlib.Path(self.source), path) and kind(os.path.join(self.source, path)) == FILE
        except OSError:
            return False

    # reading

    def read(self, ignored: Ignored) -> None:
        """Reads the files that may matter, each once."""
        walk = Walk(self.source, ignored)
        texts: list[Found] = []
        for file in walk.files():
            if file.kind == DOCUMENT:
                self.document(file.path)
            elif file.kind == MODULE:
                self.module(file.path)
            elif len(texts) <= MOST_TEXTS:
                texts.append(file)
        if self.templates:
            for file in texts[:MOST_TEXTS]:
                if (data := self.data(file.path, TEXT_LIMIT, silent=True)) is not None:
                    self.lines += command_lines(file.path, data)
            if len(texts) > MOST_TEXTS:
                message = f"Only {MOST_TEXTS} scripts and documents were searched for command lines."
                self.say(codes.SCRIPTS_NOT_SEARCHED, message, texts[MOST_TEXTS].path)
        self.found += walk.found
        for path, messages in ignored.unused.items():
            for message in messages:
                self.say(codes.PATTERN_NOT_USED, shown(message), path)
        lists: dict[str, int] = {}
        for path in walk.written.values():
            lists[path] = lists.get(path, 0) + 1
        for path, number in lists.items():
            self.others[path] = f"the list of {number} files that hot2tf wrote, which were left out"
        self.lines.sort(key=lambda one: (one.path, one.line))

    def document(self, path: str) -> None:
        data = self.data(path, LIMIT)
        if data is None:
            return
        facts = self.facts(path, data)
        self.lines += command_lines(path, data)
        self.keep(path, facts)

    def facts(self, path: str, data: bytes) -> Facts | None:
        """The facts about a document, from `memory` if they are there."""
        if self.memory is None or not contents.may_matter(path, data):
            return contents.of_document(path, data)
        key = memories.key(path, data)
        with contextlib.suppress(KeyError, ValueError):
            return memories.recalled(path, self.memory[key])
        facts = contents.of_document(path, data)
        self.memory[key] = memories.remembered(facts)
        return facts

    def module(self, path: str) -> None:
        if (data := self.data(path, MODULE_LIMIT, silent=True)) is not None:
            self.keep(path, contents.of_module(path, data))
            self.lines += command_lines(path, data)

    def keep(self, path: str, facts: Facts | None) -> None:
        """Keeps the facts about a file. A name that is not UTF-8 cannot be written into a plan or a report, so the file
        is left out.
        """
        if facts is None:
            return
        if not encodable(path):
            self.say(codes.FILE_NAME_NOT_UTF8, f"The name of {shown(path)} is not UTF-8, so it was left out.", path)
        elif isinstance(facts, TemplateFacts):
            self.templates[path] = facts
        elif self.rendered and isinstance(facts, Other) and facts.what == contents.JINJA_SOURCE:
            self.templates[path] = TemplateFacts(path)
        elif isinstance(facts, EnvironmentFacts):
            self.environments[path] = facts
        else:
            assert isinstance(facts, Other)
            self.others[path] = facts.what

    def data(self, path: str, limit: int, *, silent: bool = False) -> bytes | None:
        """The bytes of a file; None, with a diagnostic unless `silent`, if it cannot be read."""
        try:
            return read_bytes(os.path.join(self.source, path), limit)
        except Unreadable as e:
            if e.kind == "large" and not silent:
                self.large(path)
            elif not silent:
                self.say(codes.UNREADABLE_SOURCE_FILE, f"{shown(e.detail)}.", path)
            return None

    def large(self, path: str) -> None:
        """Reports a file that is too large, if its beginning looks like one of Heat's files."""
        try:
            with open(os.path.join(self.source, path), "rb") as file:
                begin = file.read(1 << 16)
        except OSError:
            begin = b""
        if kinds.AT_LINE.search(begin) or kinds.SECTION.search(begin):
            self.say(
                codes.UNREADABLE_SOURCE_FILE,
                f"The file has more than {LIMIT // 1024 // 1024} MiB, so it was not read.",
                path,
            )

    def say(self, code: str, message: str, path: str) -> None:
        self.found.append(Diagnostic(code, message, Source(shown(path), "")))

    def same_names(self) -> None:
        """Reports files whose names differ only in case."""
        first: dict[str, str] = {}
        for path in sorted((*self.templates, *self.environments)):
            other = first.setdefault(outputs.key(path), path)
            if other != path:
                self.say(
                    codes.NAMES_DIFFER_ONLY_IN_CASE, f"{path} and {other} are the same name on some systems.", path
                )

    # deciding

    def pairs(self) -> dict[tuple[str, tuple[str, ...]], str]:
        """The stacks that have environments or a command line, as template and environments, each with the reason.

        The configuration counts before command lines, and these before the rules of `Pairing`.
        """
        references = self.references
        nested = {target for targets in references.inner.values() for target in targets}
        mapped = {target for targets in references.mapped.values() for target in targets}
        places = Places(self.templates, self.environments)
        found: dict[tuple[str, tuple[str, ...]], str] = {}
        named: dict[str, str] = {}
        done = set[str]()
        said = self.configured(nested | mapped)
        for template, (environments, why) in said.items():
            found[template, environments] = why
            done.update(environments)
        for line in self.lines:
            if (stack := places.stack(line)) is not None and stack[0] not in said:
                template, environments = stack
                why = f"command line in {line.place}"
                if environments:
                    found.setdefault((template, environments), why)
                    done.update(environments)
                else:
                    named.setdefault(template, why)
        pairing = Pairing(references, nested, mapped)
        for pair in pairing.pairs(done):
            if pair.template not in said:
                found.setdefault((pair.template, pair.environments), pair.why)
            else:
                self.others[pair.environments[-1]] = (
                    f"an environment of {pair.template}, which has others {said[pair.template][1]}"
                )
        for path, why in pairing.reasons.items():
            self.others[path] = why
        with_environments = {template for template, _ in found}
        for template, why in named.items():
            if template not in with_environments:
                found[template, ()] = f"{why}, which has no environment"
        return found

    def configured(self, inner: set[str]) -> dict[str, tuple[tuple[str, ...], str]]:
        """The root templates whose environments a configuration names, each with these and the reason. `inner`: the
        templates that others refer to, which are no roots.
        """
        found = {}
        for path in self.templates if self.told is not None else ():
            if path not in inner and (one := self.told(path) if self.told is not None else None) is not None:
                environments, where = one
                if all(each in self.environments for each in environments):
                    found[path] = environments, f"named in {where}"
        return found

    def stacks(self, pairs: dict[tuple[str, tuple[str, ...]], str]) -> list[StackPlan]:
        """All stacks: those of `pairs`, the templates that no file refers to, and of templates that are still in no
        stack, for example because they refer to each other, one of each outermost circle.
        """
        references = self.references
        found = [StackPlan(template, environments, why=why) for (template, environments), why in pairs.items()]
        have = {one.template for one in found}
        referrers = references.referrers()
        for path, facts in self.templates.items():
            if path not in have and path not in referrers:
                found.append(StackPlan(path, why=reason(facts, "no environment found")))
        reached = references.reached((one.template, one.environments) for one in found)
        left = [path for path in sorted(self.templates) if path not in reached]
        waiting = set(left)
        inner = {path: [one for one in references.inner[path] if one in waiting] for path in left}
        circles = graph.components(inner)
        number = {path: index for index, circle in enumerate(circles) for path in circle}
        named = {number[to] for path, targets in inner.items() for to in targets if number[to] != number[path]}
        for index, circle in enumerate(circles):
            if index not in named:
                why = "only templates refer to it that it refers to"
                if len(circle) == 1:
                    why = "only environments without a stack refer to it"
                found.append(StackPlan(min(circle), why=reason(self.templates[min(circle)], why)))
        return found


def reason(facts: TemplateFacts, why: str) -> str:
    return f"{why}; it cannot be read: {facts.problem}" if facts.problem else why
