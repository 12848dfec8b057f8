"""Diagnostics as GitHub workflow commands, which annotate the lines of a change.

Invariant: a command is one line. Characters that would end it or one of its properties are escaped as GitHub's runner
expects.
"""

from __future__ import annotations

from collections.abc import Iterable

from transpile.diagnostics.model import Diagnostic
from transpile.model.printable import make_printable

COMMANDS = {"error": "error", "warning": "warning", "info": "notice"}
DATA = (("%", "%25"), ("\r", "%0D"), ("\n", "%0A"))  # the per cent sign first, because the other escapes contain it
PROPERTY = (*DATA, (":", "%3A"), (",", "%2C"))


def render(diagnostics: Iterable[Diagnostic]) -> str:
    """One command on each line."""
    return "".join(f"{render_command(d)}\n" for d in diagnostics)


def render_command(d: Diagnostic) -> str:
    properties: dict[str, str | int] = {}
    if d.source is not None:
        line, column, end_line, end_column = d.source.start_and_end(d)
        properties = {"file": make_printable(d.source.name.replace("\\", "/")), "line": line}
        if line == end_line:  # otherwise the runner ignores columns
            properties |= {"col": column, "endLine": end_line, "endColumn": end_column}
        else:
            properties |= {"endLine": end_line}
    properties["title"] = d.code
    rendered_properties = ",".join(
        f"{name}={escape_command_property(str(value))}" for name, value in properties.items()
    )
    text = "\n".join(make_printable(part) for part in (d.message, d.help()) if part)
    return f"::{COMMANDS[d.severity]} {rendered_properties}::{escape_command_message(text)}"


def escape_command_message(data: str) -> str:
    """Escapes the message of a command."""
    for plain, code in DATA:
        data = data.replace(plain, code)
    return data


def escape_command_property(value: str) -> str:
    """Escapes the value of a command property."""
    for plain, code in PROPERTY:
        value = value.replace(plain, code)
    return value
