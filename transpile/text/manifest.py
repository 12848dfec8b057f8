"""The list of the files that a run wrote into a directory, with the hashes of their contents.

Invariant: the manifest alone proves nothing, for anybody can write one. A file is ours if the manifest has its hash and
the target says that it writes such files.
"""

from __future__ import annotations

import hashlib
import json
import pathlib
from collections.abc import Mapping
from typing import Any

from transpile.text import check_boxes, places
from transpile.text.source import UnreadableFile, read_bytes
from transpile.version import __version__

MANIFEST = ".hot2tf.json"
LIMIT = 16 * 1024 * 1024  # bytes


def encode_content(content: str | bytes) -> bytes:
    return content.encode("utf-8") if isinstance(content, str) else content


def hash_content(content: str | bytes) -> str:
    data = content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content
    return hashlib.sha256(data).hexdigest()


def hash_file(name: str, content: str | bytes) -> str:
    """The hash of a file, in which ticks of a person do not count."""
    if name.rpartition("/")[2] == check_boxes.FILE:
        return hash_content(check_boxes.untick(encode_content(content).decode("utf-8", "surrogateescape")))
    return hash_content(content)


def print_manifest(files: Mapping[str, str | bytes]) -> str:
    """The manifest of a finished run, as JSON."""
    return dump_manifest(
        {name: hash_file(name, content) for name, content in sorted(files.items()) if name != MANIFEST}
    )


def print_unfinished_manifest(last: bytes, before: Mapping[str, frozenset[str]]) -> str:
    """The manifest while files are written: each file may still be the old one, or already the new one. `last`: the
    manifest of the finished run.
    """
    now = json.loads(last)["files"]
    return dump_manifest(now, {name: sorted(hashes) for name, hashes in sorted(before.items())})


def dump_manifest(files: Mapping[str, str], before: Mapping[str, list[str]] | None = None) -> str:
    document: dict[str, Any] = {"generator": f"hot2tf {__version__}", "files": files}
    if before is not None:
        document["before"] = before
    return json.dumps(document, indent=1) + "\n"


def read_manifest(directory: pathlib.Path) -> dict[str, frozenset[str]]:
    """The files of an earlier run, each with the hashes that it may have; empty if there is no valid manifest. Raises
    OSError if there is one that cannot be read.
    """
    return read_manifest_and_state(directory)[0]


def read_manifest_and_state(directory: pathlib.Path) -> tuple[dict[str, frozenset[str]], bool]:
    """Like `read_manifest`, and whether that run came to its end."""
    path = directory / MANIFEST
    if places.kind_at_path(path) != places.FILE:
        return {}, False
    try:
        data = read_bytes(path, LIMIT)
    except UnreadableFile as e:
        if e.kind == "large":
            return {}, False
        raise OSError(None, e.detail, str(path)) from None
    try:
        document = json.loads(data)
        hashes_by_name = {str(name): {str(file_hash)} for name, file_hash in document["files"].items()}
        for name, hashes in document.get("before", {}).items():
            hashes_by_name.setdefault(str(name), set()).update(map(str, hashes))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return {}, False
    return {name: frozenset(hashes) for name, hashes in hashes_by_name.items()}, "before" not in document
