"""Diagnostics for GitHub's runner: workflow commands, which it shows beside the lines of a change.

The easy rule to break: a command is one line, and what would end it or a property of it is escaped as the runner
undoes it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from transpile.diagnostics.render.text import printable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from transpile.diagnostics.model import Diagnostic

COMMANDS = {"error": "error", "warning": "warning", "info": "notice"}
DATA = (("%", "%25"), ("\r", "%0D"), ("\n", "%0A"))  # the per cent sign first, for the others make some
PROPERTY = (*DATA, (":", "%3A"), (",", "%2C"))


def render(diagnostics: Iterable[Diagnostic]) -> str:
    """A command for each, a line for each command."""
    return "".join(f"{one(d)}\n" for d in diagnostics)


def one(d: Diagnostic) -> str:
    properties: dict[str, str | int] = {}
    if d.source is not None:
        line, column, end_line, end_column = d.source.span(d.at, d.end)
        properties = {"file": printable(d.source.name.replace("\\", "/")), "line": line}
        if line == end_line:  # the runner takes no columns otherwise
            properties |= {"col": column, "endLine": end_line, "endColumn": end_column}
        else:
            properties |= {"endLine": end_line}
    properties["title"] = d.code
    shown = ",".join(f"{name}={escaped_property(str(value))}" for name, value in properties.items())
    text = "\n".join(printable(part) for part in (d.message, d.help()) if part)
    return f"::{COMMANDS[d.severity]} {shown}::{escaped(text)}"


def escaped(data: str) -> str:
    """The message of a command."""
    for plain, code in DATA:
        data = data.replace(plain, code)
    return data


def escaped_property(value: str) -> str:
    """The value of a property of a command."""
    for plain, code in PROPERTY:
        value = value.replace(plain, code)
    return value
