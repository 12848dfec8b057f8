"""The types and files that completion offers, and how a value is spelled in YAML.

Invariant: at most MOST_FILES entries of a directory are read, and no link is followed.
"""

from __future__ import annotations

import itertools
import os
import pathlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from transpile.front.yaml_reader import plain_tag
from transpile.language_server.documents import TextDocument
from transpile.language_server.workspace import Workspace

if TYPE_CHECKING:
    from transpile.schema.catalog import TypeFacts

MOST_FILES = 500
PLAIN_START = set("-?:,[]{}#&*!|>'\"%@` ")  # an unquoted scalar may not begin with any of these


def list_candidate_types(document: TextDocument, workspace: Workspace) -> Iterator[str]:
    """The resource types of Heat that are not hidden or retired, and those of configured plug-ins."""
    catalog = workspace.strict_catalog(document)
    return (kind for kind in catalog.type_names() if is_offered(catalog.find_type(kind)))


def is_offered(facts: TypeFacts) -> bool:
    return "retired" not in facts and facts.get("status") not in ("HIDDEN", "hidden")


def list_candidate_files(document: TextDocument, workspace: Workspace, endings: tuple[str, ...] = ()) -> list[str]:
    """The files in the directory of a document and one level below, relative to it: `net.yaml`, `parts/node.yaml`."""
    folder = workspace.find_folder(document.path)
    if folder is None or document.path is None:
        return []
    base = document.path.parent
    here, folders = list_directory(base)
    names = [name for name in here if name != document.path.name]
    for subfolder in folders:
        names += [f"{subfolder}/{name}" for name in list_directory(base / subfolder)[0]]
        if len(names) > MOST_FILES:
            break
    return [name for name in names if not endings or name.endswith(endings)][:MOST_FILES]


def list_directory(folder: pathlib.Path) -> tuple[list[str], list[str]]:
    """The names of the files and of the directories in a directory, sorted, without hidden ones and links. Both are
    empty if the directory cannot be read."""
    try:
        with os.scandir(folder) as entries:
            visible = [entry for entry in itertools.islice(entries, MOST_FILES) if not entry.name.startswith(".")]
            names = sorted(entry.name for entry in visible if entry.is_file(follow_symlinks=False))
            return names, sorted(entry.name for entry in visible if entry.is_dir(follow_symlinks=False))
    except OSError:
        return [], []


def quote_scalar(text: str) -> str:
    """A text as a YAML scalar: `web`, but `'true'`. A text of several lines is left as it is."""
    unsafe = (
        not text
        or text[0] in PLAIN_START
        or text != text.strip()
        or ": " in text
        or " #" in text
        or text.endswith(":")
        or any(char in text for char in ",[]{}\n")
        or plain_tag(text) != "tag:yaml.org,2002:str"
    )
    return "'" + text.replace("'", "''") + "'" if unsafe and "\n" not in text else text
