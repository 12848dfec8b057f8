"""The first line of a file, which names its source, and the command that makes it again, for README.md.

Invariant: the line depends on the name of the template alone, so other options change no file that they do not change.
The command has no absolute path, no value of a parameter and no version.
"""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, final

from emitters.hcl.tree.nodes import Note
from transpile.model.lazy_patterns import compile_lazily
from transpile.model.printable import make_printable
from transpile.model.records import node, record
from transpile.resolve.stack import Stack
from transpile.resolve.stack_name import STACK_NAME
from transpile.settings.command_paths import CommandPaths
from transpile.text import check_boxes
from transpile.text.markdown import write_comment

CODE = compile_lazily(
    r"(?:modules/[^/]+/)?[a-z]+\.tf|(?:terraform|environments/[^/]+)\.tfvars(?:\.example)?|\.gitignore|(?:environments/[^/]+\.)?backend\.hcl"
    r"|tests/heat[\w.-]*\.(?:tf|tofu)test\.hcl"
)
README = "README.md"
COMPANIONS = compile_lazily(
    r"(?:modules/[^/]+/)?(?:files|templates)/.+|(?:environments/[^/]+/)?(?:release/.+|ADOPT\.md)"
    r"|environments/compare\.patch"
)
MADE = "# Made by hot2tf"
EARLIER = "by hot2tf."  # how the line of version 0.1 ends
LONGEST_NAME = 80  # characters of the name of a template in the first line
VALUE = "VALUE"
PLACEHOLDERS = {  # for the values of an option, where VALUE says too little
    "--allow": "PLACE",
    "--backend": "KIND",
    "--backend-config": "KEY=VALUE",
    "--mapping": "FILE",
    "--environments": "FORM",
    "--missing": "FORM",
    "--names": "FORM",
    "--placeholders": "FORM",
    "--plugin-dir": "DIR",
    "--root": "DIR",
    "-e": "FILE",
    "--inventory": "FILE",
    "--keep": "TYPE",
    "--option": "KEY=VALUE",
    "--parameter": "KEY=VALUE",
    "--prefer": "FORM",
    "--provider": "NAME=VERSION",
    "--render": "FILE",
}


@final
@record
class Origin:
    """The origin of the files of a directory. commands: the command that makes them again, in full and then in shorter
    forms with placeholders. source: the name of the source; empty if it has none.
    """

    commands: Sequence[str]
    source: str = ""

    def make_note(self, nested: str = "") -> Note:
        """The comment at the top of a file. nested: the file of the nested template that a directory was made from."""
        source = make_printable(base_name(nested)) or self.source
        source = source if len(source) <= LONGEST_NAME else f"{source[:LONGEST_NAME]}…"
        return Note([f"{MADE}{f' from {source}' if source else ''}"[1:]])

    def make_html_comment(self) -> str:
        """The line as a comment in Markdown. Any `>` in it is replaced, so that no file name can end the comment."""
        return f"<!--{write_comment(self.make_note().lines[0])} -->"


@final
@node
class CommandWords:
    """The arguments of the command that makes a directory. paths: the paths on the command line. options: the options
    of the target that were set, with their values. flags: options without a value. is_shared: other stacks use the
    modules, too, so only a migration can make them again.
    """

    paths: CommandPaths
    options: Sequence[tuple[str, str]]
    flags: Sequence[str]
    is_shared: bool

    @property
    def option_words(self) -> list[str]:
        """The options with their values, as they are typed."""
        return flatten_options([*self.paths.options, *self.options])


def describe_command(request: Mapping[str, Any], paths: CommandPaths, *, is_shared: bool, tests: bool) -> CommandWords:
    """The command line. request: the options of the target that were set. tests: there are test files."""
    flags = (*(("--roll-up",) if request.get("roll_up") else ()), *(("--tests",) if tests else ()))
    options = [("--prefer", str(request["prefer"]))] if "prefer" in request else []
    options += [("--keep", kind) for kind in request.get("keep", ())]
    options += [("--option", f"cfn_init={request['cfn_init']}")] if "cfn_init" in request else []
    names = ("placeholders", "missing", "provider", "names", "backend", "environments")
    options += [(f"--{name}", str(request[name])) for name in names if name in request]
    options += [("--option", f"structure={request['structure']}")] if "structure" in request else []
    options += [("--backend-config", line) for line in str(request.get("backend_config", "")).split("\n") if line]
    options += [("--option", f"test_runs={request['test_runs']}")] if "test_runs" in request else []
    return CommandWords(paths, options, flags, is_shared)


def origin_of_stack(stack: Stack, command: CommandWords) -> Origin:
    """The origin of all files of a conversion."""
    paths, source = command.paths, base_name(stack.template.source.name)
    if command.is_shared:
        places = paths.source or "SRC", "DEST"
        words = format_command("migrate", *places, *flatten_options(paths.options), *paths.words)
        return Origin((words,), make_printable(source))
    rendered = [("--render", "FILE")] if stack.template.source.rendered_from is not None else []
    environments = [("-e", base_name(environment.source.name) or "FILE") for environment in stack.environments]
    if any(name == "-e" for name, _ in paths.options):
        environments = []
    parameters = [
        ("--parameter", f"{name}=VALUE") for name, binding in stack.bindings.items() if binding.environment is None
    ]
    parameters += [("--parameter", f"{STACK_NAME}={stack.name}")] if stack.name else []
    every_option = [*rendered, *paths.options, *environments, *parameters, *command.options]
    return origin_of_conversion(paths.source or source, every_option, command.flags)


def origin_of_conversion(source: str, options: Sequence[tuple[str, str]] = (), flags: Sequence[str] = ()) -> Origin:
    """The origin of files that `hot2tf convert` makes. options: names and values. flags: options without a value.

    The first shorter form has a placeholder for options that occur several times, the second one for all names.
    """
    template = source or "TEMPLATE"
    times = Counter(name for name, _ in options)
    short = list(
        dict.fromkeys((name, PLACEHOLDERS.get(name, VALUE) if times[name] > 1 else value) for name, value in options)
    )
    least = list(dict.fromkeys((name, PLACEHOLDERS.get(name, VALUE)) for name, _ in options))
    forms = ((template, options), (template, short), ("TEMPLATE", least))
    return Origin(
        tuple(
            format_command("convert", name, *flatten_options(form_options), *flags, "-o", "DIR")
            for name, form_options in forms
        ),
        make_printable(base_name(source)),
    )


def flatten_options(options: Iterable[tuple[str, str]]) -> list[str]:
    return [word for option in options for word in option]


def format_command(*words: str) -> str:
    """A command line of hot2tf, quoted for a shell. Characters that cannot be seen are escaped."""
    return shlex.join(["hot2tf", *map(make_printable, words)])


def base_name(source: str) -> str:
    """The name of a file without its directory; empty for a source that is no file, such as `<stdin>`."""
    name = re.split(r"[/\\]", source)[-1]
    return "" if "<" in name else name


def is_own_file(name: str, content: bytes) -> bool:
    """Whether an earlier run may have written a file: it has one of our names and, if it is code, our first line.
    Whoever removes that line keeps the file.
    """
    if CODE.fullmatch(name):
        first = content.partition(b"\n")[0].rstrip()
        return first.startswith(MADE.encode()) or first.endswith(EARLIER.encode())
    return name in (README, check_boxes.FILE) or COMPANIONS.fullmatch(name) is not None
