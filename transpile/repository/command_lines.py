"""Finds command lines and Ansible tasks in scripts and documents that create or update stacks.

Invariant: nothing is run, and no variable is expanded. A command line counts if the template and all environments that
it names are files of the tree.
"""

from __future__ import annotations

import functools
import itertools
import posixpath
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import final

from yaml.nodes import ScalarNode, SequenceNode

from transpile.diagnostics.model import Sink
from transpile.front import documents, nodes
from transpile.front.kinds import node_pairs
from transpile.model.budget import Budget
from transpile.model.lazy_patterns import compile_lazily
from transpile.model.records import node
from transpile.model.source import Source
from transpile.repository.stack_commands import ENVIRONMENT, TEMPLATE

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


@final
@node
class CommandLine:
    """A command line or task that creates a stack: the files that it names, as written, and its own file and line."""

    template: str
    environments: tuple[str, ...]
    path: str
    line: int

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
    joined = CONTINUED.sub(lambda match: " " + "\0" * match[0].count("\n"), text)
    for number, match in enumerate(COMMAND.finditer(joined)):
        if number == MOST:
            return
        line = joined.count("\n", 0, match.start()) + joined.count("\0", 0, match.start()) + 1
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
            yield CommandLine(template.value, tuple(environment.value for environment in environments), path, line)


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
    """The files of the stack that a command line names. `base`: the directory from which it names the template; None if
    that was only found by the end of its path.
    """

    template: str
    environments: tuple[str, ...]
    base: str | None


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

    def find_stack(self, command_line: CommandLine) -> tuple[str, tuple[str, ...]] | None:
        """The template and the environments of a command line; None if any of them is missing."""
        stack = self.locate_stack(command_line, enclosing_directories(posixpath.dirname(command_line.path)))
        return (stack.template, stack.environments) if stack is not None else None

    def locate_stack(self, command_line: CommandLine, bases: Sequence[str]) -> NamedStack | None:
        """The stack of a command line that runs in one of some directories; None if any of its files is missing."""
        located = self.locate_file(command_line.template, bases, self.templates.__contains__)
        if located is None:
            return None
        template, base = located
        written = VARIABLE.sub("", command_line.template)
        around = [template.removesuffix(posixpath.normpath(written))] if template.endswith(written) else []
        paths = [
            self.find_file(name, [*around, *bases], self.environments.__contains__)
            for name in command_line.environments
        ]
        environments = tuple(dict.fromkeys(path for path in paths if path is not None))
        return None if None in paths else NamedStack(template, environments, base)

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


def enclosing_directories(where: str) -> list[str]:
    """A directory and those that contain it, the nearest first."""
    directories = [where]
    while where:
        where = posixpath.dirname(where)
        directories.append(where)
    return directories
