"""Decides to which stack of the plan a call belongs, and from where the result's directory is named there.

Invariant: nothing is guessed. A name counts only if it is the same in every run, and belongs to one stack of the plan.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from typing import Any, final

from transpile.call_sites.finder import MAKEFILE, FileCalls
from transpile.call_sites.model import DOCUMENT, HERE, TOP, HeatCall
from transpile.call_sites.stack_facts import StackFacts
from transpile.call_sites.variables import NotCombined, combine_stacks, write_variables
from transpile.model.records import node
from transpile.repository.command_lines import (
    VARIABLE,
    CommandLine,
    CommandLineFiles,
    NamedStack,
    enclosing_directories,
)
from transpile.repository.created_stacks import NAME_PARAMETER as NAME
from transpile.repository.scripts import REFERENCE, name_in, split_parameters
from transpile.repository.shell_words import ShellCommand, ShellWord
from transpile.repository.stack_commands import ADOPT, CREATE, LIST, PREVIEW, UPDATE

WRITES = (CREATE, UPDATE, ADOPT, PREVIEW)
SCRIPT_DIRECTORY = re.compile(
    r"""\$\(\s*dirname\s+(?:--\s+)?["']?"""
    r"""(?:\$0|\$\{0\}|\$\{?BASH_SOURCE(?:\[0\])?\}?|\$\(readlink\ -f\ ["']?\$0["']?\))["']?\s*\)"""
)


@final
@node
class Place:
    """From where a call names files. `base`: the directory at the top of the repository that paths begin at; `prefix`:
    a variable in front of the paths, as written, which stands for it.
    """

    base: str
    prefix: str = ""


@final
@node
class StackOfCall:
    """The stack of a call, if it is known, and the place; `reason`: why one of the two is not. `probable`: the stack
    that it may mean, if that is not sure.
    """

    facts: StackFacts | None
    place: Place | None
    reason: str = ""
    name: str = ""
    probable: StackFacts | None = None


@final
class StackTable:
    """The stacks of the plan, with paths from the top of the repository."""

    def __init__(self, stacks: Iterable[StackFacts], templates: Iterable[str], environments: Iterable[str]) -> None:
        self.stacks = list(stacks)
        self.by_files: dict[tuple[str, tuple[str, ...]], list[StackFacts]] = {}
        self.by_template: dict[str, list[StackFacts]] = {}
        for facts in self.stacks:
            self.by_files.setdefault((facts.plan.template, facts.plan.environments), []).append(facts)
            self.by_template.setdefault(facts.plan.template, []).append(facts)
        self.by_written_name: dict[tuple[str, str], StackFacts] = {}  # by file, of names with a variable
        self.files = CommandLineFiles(set(templates), set(environments))
        self.instances: dict[str, dict[tuple[str, str], None]] = {}  # by directory: names and clouds
        self.by_name: dict[tuple[str, str], dict[str, StackFacts]] = {}  # by name and cloud, by directory
        self.in_documents: dict[tuple[str, str], dict[str, StackFacts]] = {}
        self.document_names: dict[tuple[str, str], set[str]] = {}

    def learn_names(self, files: Iterable[FileCalls]) -> None:
        """Reads the names of stacks from the calls that create them."""
        for file in files:
            for call in file.calls:
                if call.action not in WRITES:
                    continue
                located = self.locate_call(file, call)
                name = fixed_name(file, call)
                if located.facts is not None and located.name:
                    self.by_written_name[file.path, call.name] = located.facts
                if located.facts is None or name is None:
                    continue
                directory = located.facts.plan.output
                if call.fragment.use == DOCUMENT:
                    self.in_documents.setdefault((file.path, name), {})[directory] = located.facts
                    if not (name.startswith("_") and name.endswith("_")):  # a placeholder stands for any name
                        self.document_names.setdefault((file.path, directory), set()).add(name)
                else:
                    self.instances.setdefault(directory, {})[name, cloud_of(call)] = None
                    self.by_name.setdefault((name, cloud_of(call)), {})[directory] = located.facts

    def find_stack(self, file: FileCalls, call: HeatCall) -> StackOfCall:
        """The stack of a call: by the template that it names, or by the name of the stack."""
        if call.action == LIST:
            return StackOfCall(None, None, "Terraform has no list of stacks: each directory is one")
        located = self.locate_call(file, call)
        name = located.name or fixed_name(file, call)
        has_template = bool(call.template) or (call.command is not None and bool(call.command.values("--template")))
        facts = located.facts
        if has_template and facts is None:
            return StackOfCall(None, None, located.reason, name or call.name, located.probable)
        if not has_template and (written := self.by_written_name.get((file.path, call.name))) is not None:
            facts, name = written, write_variables(call.name, call)
        if not call.name and (call.command is None or not call.command.names):
            return StackOfCall(facts, None, "it names no stack")
        if name is None:
            return StackOfCall(facts, None, "the name of the stack is only known when it runs", call.name)
        if facts is None:
            named = (
                self.in_documents.get((file.path, name)) or self.by_name.get((name, cloud_of(call)))
                if call.fragment.use == DOCUMENT
                else self.by_name.get((name, cloud_of(call)))
            )
            if not named:
                return StackOfCall(
                    None, None, f"no command line creates a stack of the plan with the name {name}", name
                )
            if len(named) > 1:
                return StackOfCall(None, None, f"several stacks of the plan are created with the name {name}", name)
            facts = next(iter(named.values()))
        if reason := self.refuse_instances(file, call, facts, name):
            return StackOfCall(facts, None, reason, name)
        place = located.place if has_template else self.place_without_template(file, call)
        if place is None:
            return StackOfCall(facts, None, located.reason or "the directory that it runs in is not known", name)
        return StackOfCall(facts, place, "", name)

    def refuse_instances(self, file: FileCalls, call: HeatCall, facts: StackFacts, name: str) -> str:
        """Why a call cannot use the one state of a stack's directory; empty if it can."""
        directory = facts.plan.output
        if call.fragment.use == DOCUMENT:
            names = self.document_names.get((file.path, directory), set())
        else:
            names = {" ".join(filter(None, each)) for each in self.instances.get(directory, {})}
        if call.fragment.use == DOCUMENT:
            same_name = self.in_documents.get((file.path, name), {})
        else:
            same_name = self.by_name.get((name, cloud_of(call)), {})
        if len(same_name) > 1 and not (name.startswith("_") and name.endswith("_")):
            return f"several stacks of the plan are created with the name {name}"
        if len(names) > 1:
            listed = ", ".join(sorted(names)[:3])
            return f"several stacks are created from this template ({listed}), and a directory has the state of one"
        return ""

    # the files of a call

    def locate_call(self, file: FileCalls, call: HeatCall) -> StackOfCall:
        """The stack by the files that a call names, and the place that follows from them."""
        templates, environments = [call.template] if call.template else [], list(call.environments)
        if call.command is not None:
            templates = [resolve(word.value, file) for word in call.command.values("--template")]
            environments = [resolve(word.value, file) for word in call.command.values("--environment")]
            if call.command.has("--template-url") or call.command.has("--template-object"):
                return StackOfCall(None, None, "its template is fetched from a URL")
        if len(templates) != 1:
            return StackOfCall(None, None, "it names no template")
        template = templates[0]
        bases, is_sure = self.directories_of(file, call)
        action = call.action if call.fragment.use != DOCUMENT else ""
        parameters = split_parameters([resolve(word.value, file) for word in self.words_of(call, "--parameter")])
        line = CommandLine(
            template, tuple(environments), file.path, 0, action, resolve(call.name, file), parameters, file.loops
        )
        named = self.files.locate_stacks(line, bases)
        if not named:
            known = self.files.locate_file(template, bases, self.files.templates.__contains__)
            if known is None:
                is_computed = "$" in VARIABLE.sub("", template) or "{" in VARIABLE.sub("", template)
                return StackOfCall(
                    None,
                    None,
                    "its template is only known when it runs" if is_computed else "its template is not in the plan",
                )
            probable = self.guess_stack(self.by_template.get(known[0], []))
            return StackOfCall(None, None, "an environment that it names is not known", probable=probable)
        stacks = [facts for each in named if (facts := self.choose_stack(each)) is not None]
        if not stacks:
            alike = self.by_files.get((named[0].template, named[0].environments), [])
            reason = "the plan has no stack of this template with these environments"
            if alike:
                reason = "the plan has several stacks of these files, and which is only known when it runs"
            probable = self.guess_stack(alike or self.by_template.get(named[0].template, []))
            return StackOfCall(None, None, reason, probable=probable)
        if not named[0].values:
            return self.place_of_template(template, named[0].template, named[0].base, stacks[0], is_sure=is_sure)
        place = self.place_of_template(template, named[0].template, named[0].base, stacks[0], is_sure=is_sure)
        probable = self.guess_stack(stacks) or stacks[0]
        try:
            facts, name = combine_stacks(call, named, stacks, parameters)
        except NotCombined as e:
            return StackOfCall(None, None, str(e), probable=probable)
        return StackOfCall(facts, place.place, place.reason, name)

    def words_of(self, call: HeatCall, option: str) -> list[ShellWord]:
        return call.command.values(option) if call.command is not None else []

    def choose_stack(self, named: NamedStack) -> StackFacts | None:
        """The stack of the plan that a command line means: by its files, then its name, then its values."""
        stacks = self.by_files.get((named.template, named.environments), [])
        if len(stacks) > 1 and named.name:
            names = (named.name,)
            stacks = [each for each in stacks if each.plan.name in names or each.plan.parameters.get(NAME) in names]
        if len(stacks) > 1:
            values = dict(named.parameters)
            stacks = [
                each
                for each in stacks
                if all(values.get(key) == value for key, value in each.plan.parameters.items() if key != NAME)
            ]
        return stacks[0] if len(stacks) == 1 else None

    def guess_stack(self, stacks: list[StackFacts]) -> StackFacts | None:
        """The stack that a call probably means: all that come into question have one directory."""
        return stacks[0] if len({each.location.directory for each in stacks}) == 1 else None

    def place_of_template(
        self, written: str, path: str, base: str | None, facts: StackFacts, *, is_sure: bool
    ) -> StackOfCall:
        """The place that the written path of a template, and where it was found, tell."""
        prefix = VARIABLE.match(written)
        if written.startswith(("/", "~", "file:")):
            return StackOfCall(facts, None, "the path of its template is absolute")
        if prefix is not None:
            bare = posixpath.normpath(VARIABLE.sub("", written))
            if bare.startswith("..") or not path.endswith(bare):
                return StackOfCall(facts, None, "the directory that it runs in is not known")
            around = posixpath.normpath(path[: len(path) - len(bare)] or ".")
            return StackOfCall(facts, Place("" if around == "." else around, written[: prefix.end()].rstrip("/")))
        if base is None:
            bare = posixpath.normpath(written)
            if not is_sure or bare.startswith("..") or not path.endswith("/" + bare):
                return StackOfCall(facts, None, "the directory that it runs in is not known")
            return StackOfCall(facts, Place(path[: len(path) - len(bare) - 1]))
        return StackOfCall(facts, Place(base))

    def directories_of(self, file: FileCalls, call: HeatCall) -> tuple[list[str], bool]:
        """The directories in which a call may run, the likeliest first, and whether no `cd` stands in between."""
        own = posixpath.dirname(file.path)
        changes = [command for fragment, command in file.directories if is_before(fragment, command, call, file)]
        if not changes:
            if call.fragment.runs_in == TOP:
                return [""], True
            if call.fragment.runs_in == HERE:
                return [own], True
            return enclosing_directories(own), True
        begin = "" if call.fragment.runs_in == TOP else own
        for change in changes:
            target = change.words[1] if len(change.words) == 2 and change.words[0].value == "cd" else None
            if target is None:
                return [], False
            if SCRIPT_DIRECTORY.fullmatch(target.value.strip()):
                begin = own
            elif target.is_literal and not target.value.startswith(("/", "~", "-")):
                begin = posixpath.normpath(posixpath.join(begin, target.value))
            else:
                return [], False
        return ["" if begin == "." else begin], False

    def place_without_template(self, file: FileCalls, call: HeatCall) -> Place | None:
        """The place of a call that names no template: by the kind of the file, or as other calls in it say."""
        changes = [command for fragment, command in file.directories if is_before(fragment, command, call, file)]
        bases, _ = self.directories_of(file, call)
        if changes:
            return Place(bases[0]) if len(bases) == 1 else None
        if call.fragment.runs_in == TOP:
            return Place("")
        if call.fragment.runs_in == HERE:
            return Place(posixpath.dirname(file.path))
        places = dict[Place, None]()
        for other in file.calls:
            if other is not call and other.action in WRITES and (other.command is not None or other.template):
                if any(is_before(fragment, command, other, file) for fragment, command in file.directories):
                    continue
                located = self.locate_call(file, other)
                if located.place is not None:
                    places[located.place] = None
        if len(places) == 1:
            place = next(iter(places))
            variable = REFERENCE.match(place.prefix)
            if variable is not None and file.assigned.get(variable[1] or variable[2] or "", "") is None:
                return place if count_assignments(file, variable[1] or variable[2] or "") <= 1 else None
            return place
        return Place("") if not places and not posixpath.dirname(file.path) else None


def is_before(fragment: Any, command: ShellCommand, call: HeatCall, file: FileCalls) -> bool:
    """Whether a change of the directory may hold where a call is: in a script all before it, in a makefile those of the
    same recipe line, in a job those of the same job.
    """
    if command.start > call.start:
        return False
    if file.kind == MAKEFILE:
        return bool(fragment.start == call.fragment.start)
    return bool(fragment.unit == call.fragment.unit)


def count_assignments(file: FileCalls, name: str) -> int:
    return len(re.findall(rf"(?m)(?:^|[\s;]){re.escape(name)}=", file.text))


def resolve(value: str, file: FileCalls) -> str:
    """A word with the variables of the file that have one literal value."""

    def known(match: re.Match[str]) -> str:
        value = file.assigned.get(name_in(match))
        return value if value is not None and "$" not in value else match[0]

    return REFERENCE.sub(known, value) if len(value) < 1000 else value


def fixed_name(file: FileCalls, call: HeatCall) -> str | None:
    """The name of a call's stack, if it is the same in every run; None otherwise."""
    name = resolve(call.name, file)
    if not name or re.search(r"[$`{}<>]", name) or (name.isupper() and call.fragment.use == DOCUMENT):
        return None
    return name


def cloud_of(call: HeatCall) -> str:
    """Returns the client's options for the cloud in a call, as written."""
    if call.command is None:
        return ""
    return " ".join(
        f"{setting.name}={setting.value.value}"
        for setting in call.command.settings
        if setting.value is not None and setting.name.startswith("--os-")
    )
