"""Reads the commands in scripts, makefiles and jobs that create stacks: the names, values and loops in them.

Invariant: nothing is run. A variable counts as its value only if the file assigns it once, from a literal text.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import final

from transpile.model.lazy_patterns import compile_lazily
from transpile.model.records import EMPTY, node
from transpile.repository.shell_syntax import ShellReader
from transpile.repository.shell_words import MAKE, SHELL
from transpile.repository.stack_commands import ADOPT, CREATE, UPDATE, StackCommand, is_wrapped, parse_stack_command

SCRIPTS = (".sh", ".bash", ".zsh", ".ksh", ".mk", ".yml", ".yaml")
MAKEFILES = ("Makefile", "makefile", "GNUmakefile")
CREATION = compile_lazily(r"\bstack[ -](?:create|update|adopt)\b")
FRONT = compile_lazily(
    r"[\t @+-]*(?:(?:run|script|command|shell|cmd)\s*:\s+)?"
)  # of a recipe's line, or an item of a job
REFERENCE = compile_lazily(r"\$\{(\w+)\}|\$\((\w+)\)|\{\{\s*(\w+)\s*\}\}")
DYNAMIC = compile_lazily(r"[$`{}<>*?]")
COMPUTED = compile_lazily(r"\$[{(]|`|\{\{|\{%")  # in the value of a parameter, which may be JSON
ASSIGNED = compile_lazily(
    r"(?:^|[;&|]|\bthen\b|\bdo\b)[ \t]*(?:(?:export|readonly|local|override|declare)[ \t]+)*([A-Za-z_]\w*)"
    r"[ \t]*(\?|\+|::?|!)?=[ \t]*(\"[^\"\n]*\"|'[^'\n]*'|[^\s;&|#\"']*)",
    re.M,
)
CHANGED = compile_lazily(r"\b(?:read|getopts|mapfile|readarray)\b[^\n;]*?\b([A-Za-z_]\w*)\s*(?:$|[;<])", re.M)
LOOP = compile_lazily(r"\bfor[ \t]+([A-Za-z_]\w*)[ \t]+in[ \t]+([^;\n]{1,400}?)[ \t]*(?:;|\\?\r?\n)")
ITEM = compile_lazily(r"[\w./:@-]+")
PARAMETER = compile_lazily(r"[\w:-]+")
MOST = 200  # commands of one file
MOST_ITEMS = 100  # of one loop
LONGEST = 8000  # characters of one command


@final
@node
class ScriptVariables:
    """The variables of a file. `assigned`: the value of a variable that has only one, None for others; `loops`: the
    literal values of a variable in a loop.
    """

    assigned: Mapping[str, str | None] = EMPTY
    loops: Mapping[str, tuple[str, ...]] = EMPTY

    def resolve(self, text: str) -> str:
        """A text with the variables that have one value."""

        def value_of(match: re.Match[str]) -> str:
            value = self.assigned.get(name_in(match))
            return value if value is not None else match[0]

        return REFERENCE.sub(value_of, text) if len(text) < 1000 else text


@final
@node
class ScriptCommand:
    """A command that creates or updates a stack. `names`, `parameters` (name and value) and the files are as written,
    with the variables of one value replaced.
    """

    action: str
    name: str
    templates: tuple[str, ...]
    environments: tuple[str, ...]
    parameters: tuple[tuple[str, str], ...]
    loops: Mapping[str, tuple[str, ...]] = EMPTY


def name_in(match: re.Match[str]) -> str:
    return match[1] or match[2] or match[3] or ""


def list_variables(text: str) -> list[str]:
    """The variables in a text, each once, in order."""
    return list(dict.fromkeys(name_in(match) for match in REFERENCE.finditer(text)))


def is_fixed(text: str) -> bool:
    """Whether the name of a stack is the same in every run."""
    return not DYNAMIC.search(text)


def is_script(path: str, data: bytes) -> bool:
    """Whether a file is one whose commands run: no document, and no module of Python."""
    name = posixpath.basename(path)
    return name.endswith(SCRIPTS) or name in MAKEFILES or ("." not in name and data.startswith(b"#!"))


def read_variables(text: str) -> ScriptVariables:
    """The variables of a script or makefile."""
    assigned: dict[str, str | None] = {}
    for match in ASSIGNED.finditer(text):
        written = match[3]
        value: str | None = written[1:-1] if written[:1] in ("'", '"') else written
        follows = text[match.end() : match.end() + 1]
        if (
            match[2] in ("?", "+", "!")
            or re.search(r"[$`\\(]", value or "")
            or follows not in ("", "\n", ";", "\r", " ")
        ):
            value = None
        rest = text[match.end() : match.end() + 80].split("\n")[0].strip()
        if rest and not rest.startswith(("#", ";", "&", "|")):
            value = None  # set for one command, or a list of words
        assigned[match[1]] = None if match[1] in assigned and assigned[match[1]] != value else value
    loops: dict[str, tuple[str, ...]] = {}
    for match in LOOP.finditer(text):
        items = match[2].split()
        literal = len(items) <= MOST_ITEMS and all(map(ITEM.fullmatch, items))
        assigned[match[1]] = None
        loops[match[1]] = tuple(items) if literal and match[1] not in loops else ()
    for match in CHANGED.finditer(text):
        assigned[match[1]] = None
    return ScriptVariables(assigned, {name: items for name, items in loops.items() if items})


def read_script_commands(path: str, text: str) -> dict[int, list[ScriptCommand]]:
    """The commands in a script that create or update stacks, by the number of the line on which each begins."""
    variables = read_variables(text)
    dialect = MAKE if posixpath.basename(path) in MAKEFILES or path.endswith(".mk") else SHELL
    commands: dict[int, list[ScriptCommand]] = {}
    end, line, counted = 0, 1, 0
    for number, match in enumerate(CREATION.finditer(text)):
        if number == MOST:
            break
        if match.start() < end:  # of the same line
            continue
        line += text.count("\n", counted, match.start())
        counted = match.start()
        begin = text.rfind("\n", 0, match.start()) + 1
        while begin and text[:begin].rstrip("\r\n").endswith("\\") and match.start() - begin < LONGEST:
            begin = text.rfind("\n", 0, begin - 1) + 1
        front = FRONT.match(text, begin)
        begin = front.end() if front is not None else begin
        end = find_line_end(text, match.end())
        for shell_command in ShellReader(text, begin, end, dialect).read_commands():
            stack = parse_stack_command(shell_command.words)
            if (
                stack is None
                or not shell_command.is_closed
                or is_wrapped(stack)
                or stack.action
                not in (
                    CREATE,
                    UPDATE,
                    ADOPT,
                )
            ):
                continue
            at = text.count("\n", counted, stack.start) if stack.start > counted else 0
            commands.setdefault(line + at, []).append(describe_command(stack, variables))
    return commands


def find_line_end(text: str, at: int) -> int:
    """The end of the line at a place, with the lines that continue it."""
    limit = min(len(text), at + LONGEST)
    end = text.find("\n", at, limit)
    while end >= 0 and text[max(at, end - 2) : end].rstrip("\r").endswith("\\"):
        end = text.find("\n", end + 1, limit)
    return end if end >= 0 else limit


def describe_command(command: StackCommand, variables: ScriptVariables) -> ScriptCommand:
    """Reads the stack that a command creates: its name, template, environments and parameters."""

    def read(option: str) -> tuple[str, ...]:
        return tuple(variables.resolve(word.value) for word in command.values(option))

    names = command.names
    return ScriptCommand(
        command.action,
        variables.resolve(names[0].value) if len(names) == 1 else "",
        read("--template"),
        read("--environment"),
        split_parameters(read("--parameter")),
        variables.loops,
    )


def split_parameters(words: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """The names and values of the options `--parameter`. One alone may hold several, with semicolons between them."""
    return tuple(iterate_parameters(words))


def iterate_parameters(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    for word in words:
        for part in word.split(";") if len(words) == 1 else [word]:
            name, equals, value = part.partition("=")
            if equals and PARAMETER.fullmatch(name.strip()):
                yield name.strip(), value


def substitute(text: str, values: Mapping[str, str]) -> str:
    """A text with some variables replaced by values."""
    return REFERENCE.sub(lambda match: values.get(name_in(match), match[0]), text)
