"""The files at the top of the destination: a README, and `.gitignore`.

Invariant: a file that a person wrote or changed is left as it is.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from transpile.migrate.destination import MADE_BY, MADE_BY_TOOL
from transpile.migrate.environment_groups import StackPlace
from transpile.migrate.fleet import FleetTotals
from transpile.migrate.overview import MigrationOverview
from transpile.migrate.state import FOLDER, MigrationState
from transpile.migrate.state_tables import TOP_FOLDER
from transpile.migrate.tree import DestinationTree
from transpile.model.printable import make_printable
from transpile.settings.command_paths import CommandPaths
from transpile.text import check_boxes, destination_records, manifest, places
from transpile.text.page_templates import fill_template

MOST_ROWS = 200  # of a table; the report has all


def make_top_files(
    state: MigrationState,
    overview: MigrationOverview,
    totals: FleetTotals,
    ignored: Sequence[str],
    next_steps: str,
    environment_steps: Sequence[str],
    command: str,
    paths: CommandPaths,
) -> dict[str, str]:
    """README.md, TODO.md if anything is to do, .gitignore, and .gitattributes, by which a diff leaves out the records
    of hot2tf. ignored: the patterns of files that the target's tools make. paths: those of the command line.
    """
    first = describe_origin(paths)
    command = command or first.removeprefix(MADE_BY_TOOL)
    lines = [f"# {first}", "", *ignored, f"{FOLDER}/"]
    return {
        "README.md": write_readme(state, overview, totals, next_steps, environment_steps, command, first),
        **({check_boxes.FILE: overview.todo.print_page(first)} if overview.todo.number else {}),
        ".gitignore": "".join(f"{line}\n" for line in lines),
        ".gitattributes": f"# {first}\n\n.hot2tf.* -diff linguist-generated gitlab-generated\n",
    }


def describe_origin(paths: CommandPaths) -> str:
    """The first line of each file, without the mark of a comment."""
    options = (word for option in paths.options for word in option)
    words = make_printable(paths.source) or "SRC", "DEST", *map(make_printable, (*options, *paths.words))
    return MADE_BY + shlex.join(words)


def write_readme(
    state: MigrationState,
    overview: MigrationOverview,
    totals: FleetTotals,
    next_steps: str,
    environment_steps: Sequence[str],
    command: str,
    first: str,
) -> str:
    """The text of README.md. next_steps, environment_steps: the commands in a directory for one stack, and in one that
    environments share. command: the one that makes the files again. first: its first line.
    """
    directories: dict[str, list[Any]] = {}  # environments, resources and those kept in Heat, by directory
    for row in state.walk_rows():
        place = overview.places.get(row.output, StackPlace(row.output))
        name = place.folder if row.converted else f"{row.output} (not converted)"
        entry = directories.setdefault(name, [[], 0, 0])
        entry[0] += [place.environment] if place.environment else []
        entry[1] = max(entry[1], sum(row.summary["treatments"].values()))
        entry[2] = max(entry[2], row.summary["treatments"].get("embedded", 0))
    variables = {
        "first": first,
        "stacks": totals.stacks - totals.failed,
        "modules": overview.modules,
        "todo": overview.todo.counts(),
        "shared": any(place.environment for place in overview.places.values()),
        "directories": [(name, *entry) for name, entry in list(directories.items())[:MOST_ROWS]],
        "more": max(len(directories) - MOST_ROWS, 0),
        "command": command,
        "next_steps": next_steps,
        "environment_steps": environment_steps,
    }
    return fill_template(__package__, "README.md.j2", variables)


def write_top_files(tree: DestinationTree, texts: Mapping[str, str]) -> list[str]:
    """Writes the files, except those that a person wrote or changed, whose names it returns, and removes those that an
    earlier run wrote and that are not wanted any more. At last the records go to the top. Raises
    OSError.
    """
    directory, placed = tree.directory, tree.state.find_placed(TOP_FOLDER)
    remembered = destination_records.read_top_files(directory)  # git may have brought them without a state
    before = placed.files if placed is not None else {name: (0, 0, content) for name, content in remembered.items()}
    left, now = [], {}
    for name, new_text in texts.items():
        path, text = directory / name, new_text
        content = places.read_regular_file(path)
        if name == check_boxes.FILE and content is not None:
            text = check_boxes.keep_ticks(text, content.decode("utf-8", "replace"))
        data = text.encode("utf-8")
        blocked = bool(places.find_obstacle(directory, name))  # a link, or a file that is no directory
        if blocked or (content is None and places.kind_at_path(path) != places.NOTHING):
            left.append(name)
            continue
        ours = content is None or (name in before and manifest.hash_file(name, content) == before[name][2])
        if content != data:
            if not ours and not tree.force:
                left.append(name)
                if name in before:
                    now[name] = before[name]
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            places.write_atomically(path, data)
        status = os.lstat(path)
        now[name] = (status.st_size, status.st_mtime_ns, manifest.hash_file(name, data))
    for name in sorted(before.keys() - texts.keys()):  # of an earlier run with other options
        content = places.read_regular_file(directory / name)
        if content is not None and manifest.hash_file(name, content) == before[name][2]:
            places.remove_file(directory / name)
            places.remove_empty_directories(directory, (directory / name).parent)
        elif content is not None:
            left.append(name)
    tree.state.save_placed(TOP_FOLDER, "", now)
    tree.gather_records({name: content for name, (_, _, content) in sorted(now.items())})
    return left
