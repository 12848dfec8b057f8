"""A page for each command, from the definitions that `--help` shows.

Invariant: nothing about an option is written here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer.main
from markdown_parts import block, code, joined, listed, prose, table

from transpile.cli.app import app

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
    "fmt": "formatting.md",
    "graph": "graph.md",
    "home": "homing-solver.md",
    "lsp": "editors.md",
    "migrate": "migrate.md",
    "targets": "targets.md",
    "types": "resource-types.md",
}


def commands() -> Mapping[str, Any]:
    """The commands by name, without hidden ones."""
    root: Any = typer.main.get_command(app)
    return {name: one for name, one in root.commands.items() if not one.hidden}


def index(text: str) -> str:
    """The page docs/commands.md with the list of all commands."""
    rows = (
        (f"[`{PROGRAM} {name}`](commands/{name}.md)", prose(one.get_short_help_str(200)))
        for name, one in commands().items()
    )
    return joined([text.rstrip("\n"), "## All commands", table(("command", "what it does"), rows)])


def page(name: str, has: frozenset[str]) -> str:
    """The page of a command. `has`: the pages that there are."""
    root: Any = typer.main.get_command(app)
    with root.make_context(PROGRAM, [], resilient_parsing=True) as above:
        parts = [f"# {PROGRAM} {name}", *described(commands()[name], above, name, "##")]
    guide = GUIDES.get(name, "")
    links = [f"[Guide](../{guide})"] if guide in has else []
    return joined([*parts, "## See also", *listed([*links, "[All commands](../commands.md)"])])


def described(command: Any, above: Any, name: str, level: str) -> Iterator[str]:
    """A command and its subcommands."""
    context = type(above)(command, info_name=name, parent=above)
    if command.help:
        yield from (prose(one.replace("\n", " "), "../") for one in command.help.split("\n\n"))
    usage = [one.replace("{", "").replace("}", "") for one in command.collect_usage_pieces(context)]
    yield block("", " ".join([context.command_path, *usage]))
    for title, kind in (("Arguments", "argument"), ("Options", "option")):
        rows = [
            row(one, context)
            for one in command.params
            if one.param_type_name == kind and not getattr(one, "hidden", False)
        ]
        if rows:
            yield f"{level} {title}"
            yield table((title.lower()[:-1], "meaning"), rows)
    for inner, one in getattr(command, "commands", {}).items():
        yield f"{level} {context.command_path} {inner}"
        yield from described(one, context, inner, level + "#")


def row(one: Any, context: Any) -> tuple[str, str]:
    if one.param_type_name == "argument":
        return code(one.make_metavar(context).strip("[]{}.")), said(one)
    takes = "" if one.is_flag or one.count else f" {one.make_metavar(context)}"
    return code("/".join([", ".join(one.opts), *one.secondary_opts]) + takes), said(one)


def said(one: Any) -> str:
    """The help of a parameter, with its default."""
    words = [prose(one.help or "", "../")]
    default = one.default
    if one.required:
        words.append("Required.")
    elif default not in (None, False, "", ()) and not callable(default) and not getattr(one, "is_flag", False):
        words.append(f"Default: {code(str(default))}.")
    if getattr(one, "multiple", False) and "repeated" not in words[0]:
        words.append("Can be repeated.")
    if one.envvar:
        words.append(f"Environment variable: {code(str(one.envvar))}.")
    return " ".join(filter(None, words))
