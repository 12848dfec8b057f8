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
ADDRESSES = "addresses"  # the section that says where the things of the template are
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


def print_manifest(files: Mapping[str, str | bytes], addresses: Any = None) -> str:
    """The manifest of a finished run, as JSON. addresses: where the things of the template are, if the target says so
    (`transpile/text/addresses.py`).
    """
    hashes = {name: hash_file(name, content) for name, content in sorted(files.items()) if name != MANIFEST}
    return dump_manifest(hashes, addresses)


def print_unfinished_manifest(last: bytes, before: Mapping[str, frozenset[str]], addresses: Any = None) -> str:
    """The manifest while files are written: each file may still be the old one, or already the new one. `last`: the
    manifest of the finished run. addresses: those of the run before, which count until this one is finished.
    """
    now = json.loads(last)["files"]
    return dump_manifest(now, addresses, {name: sorted(hashes) for name, hashes in sorted(before.items())})


def dump_manifest(
    files: Mapping[str, str], addresses: Any = None, before: Mapping[str, list[str]] | None = None
) -> str:
    document: dict[str, Any] = {"generator": f"hot2tf {__version__}", "files": files}
    if before is not None:
        document["before"] = before
    text = json.dumps(document, indent=1)
    if addresses is not None:  # a line for each resource, so that a change is a change of its line
        lines = [
            f"  {json.dumps(name)}: {dump_rows(value)}"
            if isinstance(value, list)
            else f"  {json.dumps(name)}: {json.dumps(value)}"
            for name, value in addresses.items()
        ]
        section = ",\n".join(lines)
        if len(section) > LIMIT // 2:  # so many resources that no later run would read the manifest
            return text + "\n"
        text = text[: -len("\n}")] + f',\n "{ADDRESSES}": {{\n' + section + "\n }\n}"
    return text + "\n"


def dump_rows(rows: Any) -> str:
    """JSON with a line for each item of a list."""
    if not isinstance(rows, list) or not rows:
        return json.dumps(rows)
    return "[" + ",".join(f"\n   {json.dumps(row, separators=(', ', ': '))}" for row in rows) + "]"


def parse_addresses(data: str | bytes) -> Any:
    """The section with the addresses of a manifest; None if it has none."""
    try:
        document = json.loads(data)
        section = document.get(ADDRESSES)
    except (ValueError, AttributeError, RecursionError):
        return None
    return section if isinstance(section, dict) else None


def read_addresses(directory: pathlib.Path) -> Any:
    """The section with the addresses of the last run; None if it has none."""
    data = places.read_regular_file(directory / MANIFEST)
    return parse_addresses(data) if data is not None and len(data) <= LIMIT else None


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
