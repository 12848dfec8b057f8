"""The files at the top of the destination: a README for whoever opens it, and `.gitignore`.

Invariant: a file that a person wrote or changed is left as it is.
"""

from __future__ import annotations

import os
import pathlib
import re
import shlex
from collections.abc import Mapping, Sequence

from transpile.migrate.destination import MADE_BY
from transpile.migrate.environment_groups import StackPlace
from transpile.migrate.fleet import FleetTotals
from transpile.migrate.overview import MigrationOverview
from transpile.migrate.state import FOLDER, MigrationState
from transpile.migrate.state_tables import TOP_FOLDER
from transpile.model.printable import make_printable
from transpile.settings.command_paths import CommandPaths
from transpile.text import manifest, places

MOST_ROWS = 200  # of a table; the report has all


def make_top_files(
    state: MigrationState,
    overview: MigrationOverview,
    totals: FleetTotals,
    ignored: Sequence[str],
    next_steps: str,
    paths: CommandPaths,
) -> dict[str, str]:
    """README.md and .gitignore. ignored: the patterns of files that the target's tools make. paths: those of the
    command line.
    """
    first = describe_origin(paths)
    lines = [f"# {first}", "", *ignored, f"{FOLDER}/"]
    return {
        "README.md": write_readme(state, overview, totals, next_steps, first),
        ".gitignore": "".join(f"{line}\n" for line in lines),
    }


def describe_origin(paths: CommandPaths) -> str:
    """The first line of each file, without the mark of a comment."""
    return MADE_BY + shlex.join([make_printable(paths.source) or "SRC", make_printable(paths.output) or "DEST"])


def write_readme(
    state: MigrationState, overview: MigrationOverview, totals: FleetTotals, next_steps: str, first: str
) -> str:
    """The text of README.md. first: its first line."""
    lines = [f"<!-- {first.replace('>', '›')} -->", "", "# Converted from Heat", ""]
    done = totals.stacks - totals.failed
    shared = any(place.environment for place in overview.places.values())
    each = "a directory for each" if not shared else "a directory for each template, with files for each environment"
    lines += [f"hot2tf wrote {done} stack{'s' * (done != 1)} here, {each}."]
    if (n := overview.modules) > 0:
        lines += [f"{n} nested template{'s are modules' if n > 1 else ' is a module'}, which the stacks share."]
    lines += describe_failures(overview)
    lines += ["", "| stack | resources | kept in Heat | warnings |", "|---|---|---|---|"]
    for i, row in enumerate(state.walk_rows()):
        if i == MOST_ROWS:
            lines.append(f"| … and {totals.stacks - MOST_ROWS} more | | | |")
            break
        treatments, diagnostics = row.summary["treatments"], row.summary["diagnostics"]
        counts = sum(treatments.values()), treatments.get("embedded", 0), diagnostics.get("warning", 0)
        place = overview.places.get(row.output, StackPlace(row.output))
        where = f"[{place.folder}]({place.folder}/)" + (f" {place.environment}" if place.environment else "")
        where = where if row.converted else f"{row.output} (not converted)"
        lines.append(f"| {where} | " + " | ".join(map(str, counts)) + " |")
    keeps = totals.as_json()["kept_types"]
    if keeps:
        lines += ["", "## What stays in Heat", ""]
        kept = done - totals.without_heat
        lines += [f"{kept} stack{'s' * (kept != 1)} still need{'s' * (kept == 1)} a cloud that runs Heat.", ""]
        lines += ["| resource type | keeps so many stacks in Heat | of these, nothing else keeps |", "|---|---|---|"]
        lines += [
            f"| {format_code_cell(kept_type['type'])} | {kept_type['stacks']} | {kept_type['free_without']} |"
            for kept_type in keeps[:MOST_ROWS]
        ]
    lines += ["", "## Next steps", "", "In each directory:", "", "```", next_steps, "```", ""]
    if shared:
        lines += ["Where there is a directory `environments`, README.md has the commands for each environment.", ""]
    lines += [
        "1. Read the plan. Terraform asks for variables that have no value; put them into a `.tfvars` file.",
        "2. Begin with a stack that nothing depends on, in a project for tests.",
        "3. Run `hot2tf migrate` again when templates change. Your edits are kept, and merged.",
        "",
    ]
    return "\n".join(lines)


def describe_failures(overview: MigrationOverview) -> list[str]:
    """The causes of failures, as a table; nothing if there are none."""
    if not overview.causes:
        return []
    lines = ["", "## Not converted", ""]
    lines += ["| stacks | of these, nothing else is wrong | cause | first |", "|---|---|---|---|"]
    lines += [
        f"| {cause.stacks} | {cause.alone} | {cause.code}: {cause.title} | {format_code_cell(cause.first)} |"
        for cause in overview.causes[:MOST_ROWS]
    ]
    return [*lines, "", "`hot2tf migrate SRC --diagnostics text` shows every error.", "", "## Stacks"]


def format_code_cell(text: str) -> str:
    """Text as code in a table."""
    plain = "".join(c if c.isprintable() else "?" for c in text).replace("|", "\\|")
    ticks = "`" * (1 + max((len(run) for run in re.findall("`+", plain)), default=0))
    return f"{ticks}{plain}{ticks}" if "`" not in plain else f"{ticks} {plain} {ticks}"


def write_top_files(
    directory: pathlib.Path, state: MigrationState, texts: Mapping[str, str], *, force: bool
) -> list[str]:
    """Writes the files, except those that a person wrote or changed, whose names it returns, and removes those that an
    earlier run wrote and that are not wanted any more. Raises OSError.
    """
    placed = state.find_placed(TOP_FOLDER)
    before = placed.files if placed is not None else {}
    left, now = [], {}
    for name, text in texts.items():
        path = directory / name
        data = text.encode("utf-8")
        content = places.read_regular_file(path)
        blocked = bool(places.find_obstacle(directory, name))  # a link, or a file that is no directory
        if blocked or (content is None and places.kind_at_path(path) != places.NOTHING):
            left.append(name)
            continue
        ours = content is None or (name in before and manifest.hash_content(content) == before[name][2])
        if content != data:
            if not ours and not force:
                left.append(name)
                if name in before:
                    now[name] = before[name]
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            places.write_atomically(path, data)
        status = os.lstat(path)
        now[name] = (status.st_size, status.st_mtime_ns, manifest.hash_content(data))
    for name in sorted(before.keys() - texts.keys()):  # of an earlier run with other options
        content = places.read_regular_file(directory / name)
        if content is not None and manifest.hash_content(content) == before[name][2]:
            places.remove_file(directory / name)
            places.remove_empty_directories(directory, (directory / name).parent)
        elif content is not None:
            left.append(name)
    state.save_placed(TOP_FOLDER, "", now)
    return left
