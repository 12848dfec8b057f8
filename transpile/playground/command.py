"""The command line for the same conversion as the page, and the switches of the page: both from the table of options.

Invariant: an option that `convert` gets becomes a switch of the page without a change here.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from typing import Any

from transpile import targets
from transpile.settings.table import CHOICE, CONVERT, FLAG, OPTIONS, TEXT, TEXTS, ConfiguredOption

OUTPUT = "out"  # where the command writes
FIRST = ("prefer", "roll_up", "provider", "hot_version", "tosca_version")  # switches that are not folded away
PATHS = {"plugin_dirs": "--plugin-dir", "mappings": "--mapping"}
ROWS: Mapping[str, ConfiguredOption] = {row.field: row for row in OPTIONS}


def command_line(request: Mapping[str, Any]) -> str:
    """Returns the command that writes the files of a request."""
    words = ["hot2tf", "convert", request["template"]]
    for path in request.get("environments", ()):
        words += ["-e", path]
    for name, value in (request.get("parameters") or {}).items():
        words += ["--parameter", f"{name}={value}"]
    for name, value in (request.get("render") or {}).items():
        words += ["--render", f"{name}={value}"]
    options = request.get("options", {})
    for name in sorted(options, key=[*ROWS].index):
        words += option_words(name, options[name])
    return shlex.join([*words, "-o", OUTPUT])


def option_words(name: str, value: Any) -> Iterator[str]:
    """An option on a command line; nothing for a default."""
    if name == "options":
        for further, setting in value.items():
            yield from ("--option", f"{further}={setting}")
        return
    row = ROWS[name]
    if value in (None, "", [], ()) or value == row.default:
        return
    if row.kind == FLAG:
        yield row.flag if value else f"--no-{row.flag.removeprefix('--')}"
        return
    for item in value if isinstance(value, (list, tuple)) else (value,):
        yield from (row.flag, str(item))


def path_options(request: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The options of a request that name files, in the order in which the command has them."""
    options = [("-e", path) for path in request.get("environments", ())]
    chosen = request.get("options", {})
    return options + [(PATHS[name], path) for name in ("mappings", "plugin_dirs") for path in chosen.get(name, ())]


def describe_switches() -> dict[str, Any]:
    """The targets, and the switches of each, for the page."""
    built_in = {name: targets.find_target(name) for name in targets.BUILT_IN}
    switches = []
    for row in OPTIONS:
        takers = [name for name, target in built_in.items() if row.field in target.options_by_name]
        if row.of_target and CONVERT in row.commands and row.kind in (CHOICE, FLAG, TEXT, TEXTS) and takers:
            switches.append(
                {
                    "name": row.field,
                    "flag": row.flag,
                    "kind": row.kind,
                    "choices": list(row.choices),
                    "default": list(row.default) if isinstance(row.default, tuple) else row.default,
                    "help": row.help,
                    "targets": takers,
                    "first": row.field in FIRST,
                }
            )
    return {"targets": list(built_in), "default": targets.DEFAULT, "switches": switches}
