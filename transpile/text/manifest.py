"""The list of the files that a run wrote into a directory, with the hashes of their contents.

Invariant: the manifest alone proves nothing, for anybody can write one. A file is ours if the manifest has its hash and
the target says that it writes such files.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from transpile.text import places
from transpile.text.source import Unreadable, read_bytes
from transpile.version import __version__

if TYPE_CHECKING:
    import pathlib
    from collections.abc import Mapping

MANIFEST = ".hot2tf.json"
LIMIT = 16 * 1024 * 1024  # bytes


def encoded(content: str | bytes) -> bytes:
    return content.encode("utf-8") if isinstance(content, str) else content


def digest(content: str | bytes) -> str:
    return hashlib.sha256(encoded(content)).hexdigest()


def text(files: Mapping[str, str | bytes]) -> str:
    """The manifest of a finished run, as JSON."""
    return shown({name: digest(content) for name, content in sorted(files.items()) if name != MANIFEST})


def unfinished(files: Mapping[str, str | bytes], before: Mapping[str, frozenset[str]]) -> str:
    """The manifest while files are written: each file may still be the old one, or already the new one."""
    now = {name: digest(content) for name, content in sorted(files.items()) if name != MANIFEST}
    return shown(now, {name: sorted(found) for name, found in sorted(before.items())})


def shown(files: Mapping[str, str], before: Mapping[str, list[str]] | None = None) -> str:
    listed: dict[str, Any] = {"generator": f"hot2tf {__version__}", "files": files}
    if before is not None:
        listed["before"] = before
    return json.dumps(listed, indent=1) + "\n"


def read(directory: pathlib.Path) -> dict[str, frozenset[str]]:
    """The files of an earlier run, each with the hashes that it may have; empty if there is no valid manifest. Raises
    OSError if there is one that cannot be read.
    """
    path = directory / MANIFEST
    if places.kind(path) != places.FILE:
        return {}
    try:
        data = read_bytes(path, LIMIT)
    except Unreadable as e:
        if e.kind == "large":
            return {}
        raise OSError(None, e.detail, str(path)) from None
    try:
        found = json.loads(data)
        listed = {str(name): {str(one)} for name, one in found["files"].items()}
        for name, hashes in found.get("before", {}).items():
            listed.setdefault(str(name), set()).update(map(str, hashes))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return {}
    return {name: frozenset(hashes) for name, hashes in listed.items()}
