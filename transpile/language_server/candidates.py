"""The types and files that completion offers, and how a value is spelled in YAML.

Invariant: at most MOST_FILES entries of a directory are read, and no link is followed.
"""

from __future__ import annotations

import itertools
import os
from typing import TYPE_CHECKING

from transpile.front.yaml_reader import plain_tag

if TYPE_CHECKING:
    import pathlib
    from collections.abc import Iterator

    from transpile.language_server.documents import Document
    from transpile.language_server.workspace import Workspace
    from transpile.schema.catalog import Type

MOST_FILES = 500
PLAIN_START = set("-?:,[]{}#&*!|>'\"%@` ")  # an unquoted scalar may not begin with any of these


def types(document: Document, workspace: Workspace) -> Iterator[str]:
    """The resource types of Heat that are not hidden or retired, and those of configured plug-ins."""
    catalog = workspace.strict(document)
    return (kind for kind in catalog.types() if offered(catalog.find(kind)))


def offered(facts: Type | None) -> bool:
    return facts is not None and "retired" not in facts and facts.get("status") not in ("HIDDEN", "hidden")


def files(document: Document, workspace: Workspace, endings: tuple[str, ...] = ()) -> list[str]:
    """The files in the directory of a document and one level below, relative to it: `net.yaml`, `parts/node.yaml`."""
    folder = workspace.folder(document.path)
    if folder is None or document.path is None:
        return []
    base = document.path.parent
    here, folders = listed(base)
    found = [name for name in here if name != document.path.name]
    for one in folders:
        found += [f"{one}/{name}" for name in listed(base / one)[0]]
        if len(found) > MOST_FILES:
            break
    return [name for name in found if not endings or name.endswith(endings)][:MOST_FILES]


def listed(folder: pathlib.Path) -> tuple[list[str], list[str]]:
    """The names of the files and of the directories in a directory, sorted, without hidden ones and links. Both are
    empty if the directory cannot be read."""
    try:
        with os.scandir(folder) as entries:
            known = [one for one in itertools.islice(entries, MOST_FILES) if not one.name.startswith(".")]
            names = sorted(one.name for one in known if one.is_file(follow_symlinks=False))
            return names, sorted(one.name for one in known if one.is_dir(follow_symlinks=False))
    except OSError:
        return [], []


def quoted(text: str) -> str:
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
