"""A page for each command, from the definitions that `--help` shows.

Invariant: nothing about an option is written here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer.main
from markdown_parts import code, joined, listed, prose, table

from transpile.cli.application import make_application
from transpile.text.markdown import format_block

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

PROGRAM = "hot2tf"
GUIDES = {  # where a command is explained
    "adopt": "adopt.md",
    "capabilities": "capabilities.md",
    "check": "checking.md",
    "config": "configuration.md",
    "convert": "convert.md",
    "explain": "diagnostics.md",
    "fmt": "checking.md",
    "graph": "output.md",
    "home": "homing.md",
    "init": "migrate.md",
    "lsp": "editors.md",
    "migrate": "migrate.md",
    "targets": "python.md",
    "types": "resource-types.md",
}


def commands() -> Mapping[str, Any]:
    """The commands by name, without hidden ones."""
    root: Any = typer.main.get_command(make_application())
    return {name: command for name, command in root.commands.items() if not command.hidden}


def index(text: str) -> str:
    """The page docs/commands.md with the list of all commands."""
    rows = (
        (f"[`{PROGRAM} {name}`](commands/{name}.md)", prose(command.get_short_help_str(200)))
        for name, command in commands().items()
    )
    return joined([text.rstrip("\n"), "## All commands", table(("command", "what it does"), rows)])


def page(name: str, has: frozenset[str]) -> str:
    """The page of a command. `has`: the pages that there are."""
    root: Any = typer.main.get_command(make_application())
    with root.make_context(PROGRAM, [], resilient_parsing=True) as above:
        parts = [f"# {PROGRAM} {name}", *described(commands()[name], above, name, "##")]
    guide = GUIDES.get(name, "")
    links = [f"[Guide](../{guide})"] if guide in has else []
    return joined([*parts, "## See also { data-search-exclude }", *listed([*links, "[All commands](../commands.md)"])])


def described(command: Any, above: Any, name: str, level: str) -> Iterator[str]:
    """A command and its subcommands."""
    context = type(above)(command, info_name=name, parent=above)
    if command.help:
        yield from (prose(paragraph.replace("\n", " "), "../") for paragraph in command.help.split("\n\n"))
    usage = [piece.replace("{", "").replace("}", "") for piece in command.collect_usage_pieces(context)]
    yield format_block(" ".join([context.command_path, *usage]))
    for title, kind in (("Arguments", "argument"), ("Options", "option")):
        rows = [
            row(parameter, context)
            for parameter in command.params
            if parameter.param_type_name == kind and not getattr(parameter, "hidden", False)
        ]
        if rows:
            yield f"{level} {title}"
            yield table((title.lower()[:-1], "meaning"), rows)
    for inner, subcommand in getattr(command, "commands", {}).items():
        yield f"{level} {context.command_path} {inner}"
        yield from described(subcommand, context, inner, level + "#")


def row(parameter: Any, context: Any) -> tuple[str, str]:
    if parameter.param_type_name == "argument":
        return code(parameter.make_metavar(context).strip("[]{}.")), describe_parameter(parameter)
    takes = "" if parameter.is_flag or parameter.count else f" {parameter.make_metavar(context)}"
    return code("/".join([", ".join(parameter.opts), *parameter.secondary_opts]) + takes), describe_parameter(parameter)


def describe_parameter(parameter: Any) -> str:
    """The help of a parameter, with its default."""
    words = [prose(parameter.help or "", "../")]
    default = parameter.default
    if parameter.required:
        words.append("Required.")
    elif default not in (None, False, "", ()) and not callable(default) and not getattr(parameter, "is_flag", False):
        words.append(f"Default: {code(str(default))}.")
    if getattr(parameter, "multiple", False) and "repeated" not in words[0]:
        words.append("Can be repeated.")
    if parameter.envvar:
        words.append(f"Environment variable: {code(str(parameter.envvar))}.")
    return " ".join(filter(None, words))
