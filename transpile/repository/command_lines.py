"""Finds command lines and Ansible tasks in scripts and documents that create or update stacks.

Invariant: nothing is run. A command line counts if the template and all environments that it names are files of the
tree. A variable in the path of an environment stands for every value with which the path is a file.
"""

from __future__ import annotations

import functools
import itertools
import posixpath
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import final

from yaml.nodes import MappingNode, ScalarNode, SequenceNode

from transpile.diagnostics.model import Sink
from transpile.front import documents, nodes
from transpile.front.kinds import mentions_version_key, node_pairs
from transpile.model.budget import Budget
from transpile.model.lazy_patterns import compile_lazily
from transpile.model.records import EMPTY, node, replace
from transpile.model.source import Source
from transpile.repository.scripts import (
    COMPUTED,
    REFERENCE,
    is_fixed,
    is_script,
    list_variables,
    name_in,
    read_script_commands,
    substitute,
)
from transpile.repository.stack_commands import CREATE, ENVIRONMENT, TEMPLATE

COMMAND = compile_lazily(r"\bstack[ -](?:create|update|adopt|preview)\b([^\n]*)")
MARK = re.compile(rb"\bstack[ -](?:create|update|adopt|preview)\b")
CONTINUED = compile_lazily(r"(?:\\|`|\^)\r?\n[ \t#>*|]*")  # in a shell, PowerShell and cmd, also within a comment
QUOTES = compile_lazily(r"[`'\"<>]")
END = compile_lazily(r"\s(?:&&|\|\||[;|&])(?:\s|$)")
VARIABLE = compile_lazily(r"^(?:\$\{\w+\}|\$\(\w+\)|\$\w+|%\w+%|\{\{\s*\w+\s*\}\}|~)/+")
TASK = compile_lazily(r"^([ \t]*(?:- +)?)(?:os_stack|(?:openstack\.cloud\.)(?:os_)?stack):[ \t]*$", re.M)
TASK_MARK = re.compile(rb"\b(?:os_stack|openstack\.cloud\.(?:os_)?stack):")
TASK_LINES = 60  # of one task
MOST = 200  # command lines of one file
MOST_VALUES = 200  # files that the path of an environment with variables may be


@final
@node
class CommandLine:
    """A command line or task that creates a stack: the files that it names, as written, and its own file and line.

    `action`: its effect on the stack, empty for an example in a document. `name`, `parameters`: of the stack, as
    written, of one that runs. `loops`: the values of variables that go through a list.
    """

    template: str
    environments: tuple[str, ...]
    path: str
    line: int
    action: str = ""
    name: str = ""
    parameters: tuple[tuple[str, str], ...] = ()
    loops: Mapping[str, tuple[str, ...]] = EMPTY

    @property
    def place(self) -> str:
        return f"{self.path}:{self.line}"


def find_command_lines(path: str, data: bytes) -> Iterator[CommandLine]:
    """The command lines and Ansible tasks in a file that name exactly one template."""
    if TASK_MARK.search(data):
        yield from read_ansible_tasks(path, data.decode("utf-8", "replace"))
    if not MARK.search(data):
        return
    text = data.decode("utf-8", "replace")
    running = read_script_commands(path, text) if is_script(path, data) and not mentions_version_key(data) else {}
    joined = CONTINUED.sub(lambda match: " " + "\0" * match[0].count("\n"), text)
    for number, match in enumerate(COMMAND.finditer(joined)):
        if number == MOST:
            return
        line = joined.count("\n", 0, match.start()) + joined.count("\0", 0, match.start()) + 1
        if line in running:
            for command in running[line]:
                if len(command.templates) == 1:
                    yield CommandLine(
                        command.templates[0],
                        command.environments,
                        path,
                        line,
                        command.action,
                        command.name,
                        command.parameters,
                        command.loops,
                    )
            continue
        templates, environments = parse_options(match[1])
        if len(templates) == 1:
            yield CommandLine(templates[0], tuple(environments), path, line)


def read_ansible_tasks(path: str, text: str) -> Iterator[CommandLine]:
    """The tasks of Ansible that create stacks. Each is parsed alone, as the file around it need not be valid YAML."""
    for match in itertools.islice(TASK.finditer(text), MOST):
        lines = text[match.end() + 1 :].split("\n", TASK_LINES)[:TASK_LINES]
        task_lines = itertools.takewhile(functools.partial(is_deeper, indent=len(match[1])), lines)
        try:
            arguments = dict(
                node_pairs(documents.compose_document(Sink(Source(path, "\n".join(task_lines), budget=Budget())), ""))
            )
        except nodes.UnreadableDocument:
            continue
        template, named = arguments.get("template"), arguments.get("environment")
        environments = named.value if isinstance(named, SequenceNode) else [named] if named is not None else []
        if isinstance(template, ScalarNode) and all(
            isinstance(environment, ScalarNode) for environment in environments
        ):
            line = text.count("\n", 0, match.start()) + 1
            words = {key: value.value for key, value in arguments.items() if isinstance(value, ScalarNode)}
            values = arguments.get("parameters")
            parameters = tuple(
                (key.value, value.value)
                for key, value in (values.value if isinstance(values, MappingNode) else ())
                if isinstance(key, ScalarNode) and isinstance(value, ScalarNode)
            )
            files = template.value, tuple(environment.value for environment in environments)
            action = CREATE if words.get("state", "present") == "present" else ""
            yield CommandLine(*files, path, line, action, words.get("name", ""), parameters)


def is_deeper(line: str, indent: int) -> bool:
    """Whether a line belongs to the block of one that begins further to the left."""
    return not line.strip() or len(line) - len(line.lstrip()) > indent


def parse_options(text: str) -> tuple[list[str], list[str]]:
    """The templates and the environments that the rest of a command line names."""
    words = QUOTES.sub(" ", END.split(text.replace("\0", " "), maxsplit=1)[0]).split()
    templates: list[str] = []
    environments: list[str] = []
    for index, word in enumerate(words):
        option, equals, value = word.partition("=")
        if not equals:
            value = words[index + 1] if index + 1 < len(words) else ""
        if value and not value.startswith("-"):
            if option in TEMPLATE:
                templates.append(value)
            elif option in ENVIRONMENT:
                environments.append(value)
    return templates, environments


@final
@node
class NamedStack:
    """A stack that a command line names. `base`: the directory from which it names the template; None if that was only
    found by the end of its path. `name`, `parameters`: those that are the same in every run, with `values` in place of
    variables; `left`: the other parameters.
    """

    template: str
    environments: tuple[str, ...]
    base: str | None
    name: str = ""
    parameters: tuple[tuple[str, str], ...] = ()
    left: tuple[str, ...] = ()
    values: Mapping[str, str] = EMPTY


@final
class CommandLineFiles:
    """Finds the files that command lines name: relative to the directory of the script, then to each directory around
    it, and at last by the end of the path, if only one file has it.
    """

    def __init__(self, templates: Collection[str], environments: Collection[str]) -> None:
        self.templates, self.environments = templates, environments
        self.ends: dict[str, list[str]] = {}
        for path in (*templates, *environments):
            self.ends.setdefault(posixpath.basename(path), []).append(path)

    def find_stacks(self, command_line: CommandLine) -> list[NamedStack]:
        """The stacks of a command line: one, or one for each value of its variables; none if a file is missing."""
        return self.locate_stacks(command_line, enclosing_directories(posixpath.dirname(command_line.path)))

    def locate_stacks(self, command_line: CommandLine, bases: Sequence[str]) -> list[NamedStack]:
        """The stacks of a command line that runs in one of some directories; none if any of its files is missing."""
        located = self.locate_file(command_line.template, bases, self.templates.__contains__)
        if located is None:
            return []
        template, base = located
        written = VARIABLE.sub("", command_line.template)
        around = [template.removesuffix(posixpath.normpath(written))] if template.endswith(written) else []
        places = [*around, *bases]
        stacks = []
        for values in self.list_values(command_line, places):
            names = [substitute(name, values) for name in command_line.environments]
            paths = [self.find_file(name, places, self.environments.__contains__) for name in names]
            if None not in paths:
                environments = tuple(dict.fromkeys(path for path in paths if path is not None))
                stack = NamedStack(template, environments, base, values=values)
                stacks.append(with_name_and_parameters(stack, command_line, values))
        return stacks

    def list_values(self, command_line: CommandLine, places: Sequence[str]) -> list[dict[str, str]]:
        """The values of the variables of a command line: those with which its environments are files, and those of a
        loop through a list. One empty map if it has none of them.
        """
        for name in command_line.environments:
            if list_variables(name) and self.find_file(name, places, self.environments.__contains__) is None:
                return self.match_environments(name, places, command_line.loops)
        words = (command_line.name, *(value for _, value in command_line.parameters))
        used = list(dict.fromkeys(itertools.chain(*map(list_variables, words))))
        looped = [name for name in used if name in command_line.loops]
        if command_line.action and len(looped) == 1:
            return [{looped[0]: value} for value in command_line.loops[looped[0]]]
        return [{}]

    def match_environments(
        self, name: str, places: Sequence[str], loops: Mapping[str, tuple[str, ...]]
    ) -> list[dict[str, str]]:
        """The values of the variables in the path of an environment with which it is a file."""
        if not re.search(r"\w", REFERENCE.sub("", posixpath.splitext(name)[0])) and "/" not in name:
            return []  # a variable alone may be any file
        for place in places:
            pattern = make_pattern(posixpath.normpath(posixpath.join(place, name)))
            matches = [match for path in sorted(self.environments) if (match := pattern.fullmatch(path)) is not None]
            values = [
                {key.removeprefix("v_"): value for key, value in match.groupdict().items()}
                for match in matches[:MOST_VALUES]
            ]
            if values := [each for each in values if all(v in loops.get(key, (v,)) for key, v in each.items())]:
                return values
        return []

    def find_file(self, name: str, bases: Sequence[str], is_present: Callable[[str], bool]) -> str | None:
        located = self.locate_file(name, bases, is_present)
        return located[0] if located is not None else None

    def locate_file(
        self, name: str, bases: Sequence[str], is_present: Callable[[str], bool]
    ) -> tuple[str, str | None] | None:
        """A file that a command line names, and the directory from which it is named; None in its place if the file was
        only found by the end of its path.
        """
        bare = VARIABLE.sub("", name).removeprefix("file://")
        if not bare or "$" in bare or "{" in bare:
            return None
        for base in bases:
            if is_present(path := posixpath.normpath(posixpath.join(base, bare))):
                return path, base
        end = "/" + posixpath.normpath(bare).lstrip("./")
        candidates = [p for p in self.ends.get(posixpath.basename(bare), ()) if is_present(p) and f"/{p}".endswith(end)]
        return (candidates[0], None) if len(candidates) == 1 else None


def make_pattern(path: str) -> re.Pattern[str]:
    """A pattern for the paths that a path with variables may be."""
    parts, at, known = list[str](), 0, set[str]()
    for match in REFERENCE.finditer(path):
        name = name_in(match)
        parts += [re.escape(path[at : match.start()]), f"(?P=v_{name})" if name in known else f"(?P<v_{name}>[^/]+?)"]
        known.add(name)
        at = match.end()
    return re.compile("".join((*parts, re.escape(path[at:]))))


def with_name_and_parameters(stack: NamedStack, command_line: CommandLine, values: Mapping[str, str]) -> NamedStack:
    """The stack with its name and with the parameters that are the same in every run."""
    if not command_line.action:
        return stack
    name = substitute(command_line.name, values)
    parameters = {key: substitute(value, values) for key, value in command_line.parameters}
    return replace(
        stack,
        name=name if is_fixed(name) else "",
        parameters=tuple((key, value) for key, value in parameters.items() if not COMPUTED.search(value)),
        left=tuple(key for key, value in parameters.items() if COMPUTED.search(value)),
    )


def enclosing_directories(where: str) -> list[str]:
    """A directory and those that contain it, the nearest first."""
    directories = [where]
    while where:
        where = posixpath.dirname(where)
        directories.append(where)
    return directories
