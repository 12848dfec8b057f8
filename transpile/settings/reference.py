"""Prints the list of options in docs/configuration.md: `python -m transpile.settings.reference`.

Invariant: the list is generated from the table of options.
"""

from __future__ import annotations

import json
import sys

from transpile import registrations
from transpile.settings import all_options, table
from transpile.settings.schema import plain_default
from transpile.settings.table import ConfiguredOption

TITLE = "## Options"
KINDS = {
    table.TEXT: "a text",
    table.FLAG: "`true` or `false`",
    table.NUMBER: "a number",
    table.TEXTS: "a list of texts",
    table.PATH: "a path",
    table.PATHS: "a list of paths",
    table.PLACES: "a list of paths",
    table.PATTERNS: "a list of patterns",
    table.CODES: "a list of codes",
    table.CODES_BY_PATH: "a table: pattern = list of codes",
    table.SEVERITY: "a table: code = severity",
    table.VALUES: "a table: name = value",
    table.LIMIT: "a table: name = number",
    table.DIRECTORIES: "a table: URL = path",
}


def options_section() -> str:
    """Returns the section "Options" of the page."""
    for entry in registrations.registered(registrations.COMMANDS).values():
        entry.load()  # a command says which options it takes
    rows = "".join(map(option_row, all_options.OPTIONS))
    return f"{TITLE}\n\n| option | value | default | used by | |\n|---|---|---|---|---|\n{rows}"


def option_row(option: ConfiguredOption) -> str:
    takes = KINDS.get(option.kind) or " or ".join(f"`{choice}`" for choice in option.choices)
    default = f"`{json.dumps(plain_default(option.default))}`" if option.default is not None else option.default_text
    notes = [option.doc]
    notes += [f"Flag: `{flag_cell(option)}`."] if option.flag else [f"No flag: {option.unflagged}."]
    notes += [f"Variable: `{option.variable}`."] if option.variable else []
    notes += ["Only with `--config`."] if option.trusted else []
    name = f"`{option.name}`" + ("" if option.per_path else " ¹")
    return f"| {name} | {takes} | {default} | {', '.join(option.users)} | {' '.join(notes)} |\n"


def flag_cell(option: ConfiguredOption) -> str:
    """Returns the flag that a user would type: `--no-…` for an option that is on by default, else the short form if it
    exists.
    """
    if option.kind == table.FLAG and option.default:
        return option.flag.replace("--", "--no-", 1)
    return option.short or option.flag


if __name__ == "__main__":
    sys.stdout.write(options_section())
