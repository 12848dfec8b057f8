"""The manual page, made from the commands: `python -m transpile.cli.manual > docs/hot2tf.1`.

Invariant: text is escaped in one place, so that roff reads no part of a help text as a request or an escape.
"""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Iterator

import typer

from transpile.cli import command_tree
from transpile.cli.application import make_application
from transpile.cli.command_tree import CommandNode, Parameter
from transpile.version import RELEASED, __version__

WIDTH = 78
NAME = "convert OpenStack Heat templates to Terraform"
DESCRIPTION = (
    "hot2tf reads Heat templates (HOT, and the older CloudFormation syntax) and writes Terraform that means the same, "
    "or TOSCA, or HOT of another version. It also checks and formats templates, takes over running stacks, and draws "
    "the dependencies of resources. Anything without an exact equivalent is reported with a code, a place and a hint.",
    "Results go to standard output or to the named files, diagnostics and the closing line to standard error. Where a "
    "file is expected, - is standard input or output.",
)
STATUS = (
    ("0", "Success."),
    (
        "1",
        "Errors in the input, or with --strict warnings. Nothing was written, unless the error is HOT910.",
    ),
    ("2", "Wrong usage."),
    ("130", "Stopped by Ctrl-C."),
)
ENVIRONMENT = (
    ("HOT2TF_PLUGIN_DIRS", "Directories of Heat plug-ins, as PATH lists them, where --plugin-dir is not given."),
    ("HOT2TF_DEBUG", "If set, a failure of hot2tf itself shows a traceback."),
    ("XDG_CACHE_HOME", "The directory for the cache of plug-ins; otherwise ~/.cache."),
)
EXAMPLES = (
    ("Convert a stack with its environment:", "hot2tf convert stack.yaml -e prod.env.yaml -o out"),
    ("Check every template below a directory, in a pipeline:", "hot2tf check --strict --diagnostics github ."),
    ("Learn what a diagnostic means:", "hot2tf explain HOT201"),
    ("Complete the command line in bash:", 'eval "$(hot2tf completion bash)"'),
)


def manual_page() -> str:
    root = command_tree.read_command(typer.main.get_command(make_application()), "hot2tf")
    return "".join(f"{line}\n" for line in manual_lines(root))


def manual_lines(root: CommandNode) -> Iterator[str]:
    yield r".\" Made by python -m transpile.cli.manual; changes here are lost."
    yield f'.TH HOT2TF 1 "{RELEASED}" "hot2tf {__version__}" "User Commands"'
    yield ".SH NAME"
    yield rf"hot2tf \- {escape_roff(NAME)}"
    yield ".SH SYNOPSIS"
    yield rf"{bold('hot2tf')} {italic('COMMAND')} [{italic('OPTION')}] ..."
    yield ".SH DESCRIPTION"
    for number, text in enumerate(DESCRIPTION):
        yield from ([".PP"] if number else [])
        yield from running_text(text)
    yield ".SH OPTIONS"
    yield from (line for option in root.options for line in describe_option(option))
    yield ".SH COMMANDS"
    for command in root.commands:
        yield from command_section(command, command.name)
    yield ".SH EXIT STATUS"
    yield from (line for key, text in STATUS for line in manual_item(bold(key), text))
    yield ".SH ENVIRONMENT"
    yield from (line for key, text in ENVIRONMENT for line in manual_item(bold(key), text))
    yield ".SH EXAMPLES"
    for number, (text, command_line) in enumerate(EXAMPLES):
        yield from ([".PP"] if number else [])
        yield from running_text(text)
        yield from (".PP", ".in +4n", ".nf", escape_roff(command_line), ".fi", ".in")
    yield ".SH SEE ALSO"
    yield f"{bold('openstack')}(1), {bold('terraform')}(1), {bold('tofu')}(1)"


def command_section(command: CommandNode, name: str) -> Iterator[str]:
    """The options and arguments of a command, or of each command of a group."""
    if command.commands:
        for below in command.commands:
            yield from command_section(below, f"{name} {below.name}")
        return
    yield f'.SS "hot2tf {escape_roff(name)}"'
    arguments = [f" {argument_usage(argument)}" for argument in command.arguments]
    yield f"{bold(f'hot2tf {name}')} [{italic('OPTION')}] ...{''.join(arguments)}"
    yield ".PP"
    yield from running_text(command.help)
    for argument in command.arguments:
        yield from manual_item(italic(argument.takes), f"{argument.help}{default_text(argument)}")
    for option in command.options:
        yield from describe_option(option)


def argument_usage(argument: Parameter) -> str:
    usage = italic(argument.takes) + (" ..." if argument.many else "")
    return usage if argument.required else f"[{usage}]"


def describe_option(option: Parameter) -> Iterator[str]:
    names = ", ".join(bold(name) for name in (*option.names, *option.off))
    repeated = " Can be repeated." if option.many and "repeated" not in option.help else ""
    yield from manual_item(
        f"{names} {italic(option.takes)}" if option.takes else names, option.help + repeated + default_text(option)
    )


def default_text(parameter: Parameter) -> str:
    return f" Default: {parameter.default}." if parameter.default and parameter.takes else ""


def manual_item(tag: str, text: str) -> Iterator[str]:
    yield ".TP"
    yield tag
    yield from running_text(text)


def running_text(text: str) -> Iterator[str]:
    """A paragraph with each sentence on a line of its own, so that roff sets the space between sentences."""
    for sentence in re.split(r"(?<=[.:;?!]) (?=[A-Z])", text):
        for line in textwrap.wrap(escape_roff(sentence), WIDTH, break_long_words=False, break_on_hyphens=False):
            yield rf"\&{line}" if line.startswith(".") else line


def bold(text: str) -> str:
    return rf"\fB{escape_roff(text)}\fR"


def italic(text: str) -> str:
    return rf"\fI{escape_roff(text)}\fR"


def escape_roff(text: str) -> str:
    """A text escaped for roff, so that it is shown unchanged and its hyphens and quotes can be copied."""
    out = (
        text.replace("\\", r"\e").replace("-", r"\-").replace("'", r"\(aq").replace("`", r"\(ga").replace('"', r"\(dq")
    )
    return out.replace("^", r"\(ha").replace("~", r"\(ti")


if __name__ == "__main__":
    sys.stdout.write(manual_page())
