"""A file that `get_file` names and that does not exist: where it was looked for, and the stub that may take its place.

Invariant: a stub never passes for the file. It is a script that names the file and fails, so the server or deployment
that runs it fails, and its text is neither JSON nor a map in YAML.
"""

from __future__ import annotations

import os
import pathlib
import shlex

from transpile.diagnostics import codes
from transpile.diagnostics.model import Sink
from transpile.model import printable
from transpile.model.span import Located
from transpile.text.source import REPOSITORY, Root, UnreadableFile
from transpile.text.urls import is_url

STUB, ERROR = "stub", "error"  # the treatment of a missing file
MOST_ENTRIES = 20_000  # entries of directories that are looked at for a file of the same name
MOST_PLACES = 3  # in a hint


def report_unreadable_file(
    sink: Sink, root: Root, name: str, place: Located, error: UnreadableFile, missing: str = ERROR
) -> None:
    """Reports a file that `get_file` cannot include. missing: STUB puts a stub in the place of a file that is lost."""
    message = f"get_file cannot include {name}: {error.detail}."
    if error.kind != "missing" or is_url(name):
        sink.add(codes.FILE_NOT_FOUND, message, place)
        return
    if missing == STUB and root.replace_missing_file(name, make_stub(name)):
        message = f"get_file cannot include {name}: {error.detail}. A stub takes its place, which fails when it is run."
        hint = f"Put the file in place, or replace the stub. {describe_search(root, name)}".strip()
        sink.add(codes.FILE_NOT_FOUND, message, place, hint, "warning")
        return
    sink.add(codes.FILE_NOT_FOUND, message, place, describe_search(root, name))


def make_stub(name: str) -> bytes:
    """The text of a stub: a script that says which file is missing, and fails."""
    printable_name = printable.make_log_line(name)
    return (
        f"#!/bin/sh\n# TODO: this stands for {printable_name}, which hot2tf did not find. Replace it.\n"
        f"echo {shlex.quote(f'{printable_name} is missing; a stub of hot2tf stands in its place')} >&2\nexit 1\n"
    ).encode("utf-8", "replace")


def describe_search(root: Root, name: str) -> str:
    """Describes where a file was looked for, and which files below the root have its name; "" without a root."""
    folder = root.folder_of_name(name)
    if folder is None or root.directory is None:
        return ""
    looked = "the root" if folder == "." else folder
    places = find_files_named(root.directory, pathlib.PurePosixPath(name).name)
    if not places:
        return f"It was looked for in {looked}, and no file below the root has this name."
    more = len(places) - MOST_PLACES
    there = ", ".join(places[:MOST_PLACES]) + (f" and {more} others" if more > 0 else "")
    return f"It was looked for in {looked}; there is {there}."


def find_files_named(directory: str, name: str) -> list[str]:
    """The files of a name below a directory, with forward slashes, in order. Looks at a limited number of entries."""
    places, entries = [], 0
    for folder, folders, files in os.walk(directory):
        folders[:] = sorted(each for each in folders if each != REPOSITORY)
        if name in files:
            places.append((pathlib.Path(folder) / name).relative_to(directory).as_posix())
        entries += len(folders) + len(files)
        if entries > MOST_ENTRIES:
            break
    return sorted(places)
