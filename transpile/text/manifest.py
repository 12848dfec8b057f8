"""The list of the files that a run wrote into a directory, with the hashes of their contents.

It is in the directory, or in the destination of a migration above it, whose manifest has a section for each directory.

Invariant: the manifest alone proves nothing, for anybody can write one. A file is ours if the manifest has its hash and
the target says that it writes such files. The manifest in a directory counts before the one above it.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import pathlib
import stat
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, final

from transpile.text import check_boxes, places
from transpile.text.source import UnreadableFile, read_bytes
from transpile.version import __version__

MANIFEST = ".hot2tf.json"
GENERATOR = f"hot2tf {__version__}"
ADDRESSES = "addresses"  # the section that says where the things of the template are
DIRECTORIES = "directories"  # the section of a destination, with a manifest for each directory
SECTION = b": {\n"  # ends the line with the path of a directory in it
LIMIT = 16 * 1024 * 1024  # bytes of the manifest of one directory
DESTINATION_LIMIT = 256 * 1024 * 1024
SHARED_WITH_ALL = 0o1002  # the permissions of a directory such as /tmp, in which anybody may put a manifest


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
    """The manifest of a finished run, as JSON. addresses: the addresses of the template's parts, if the target reports
    them (`transpile/text/addresses.py`).
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
    document: dict[str, Any] = {"generator": GENERATOR, "files": files}
    if before is not None:
        document["before"] = before
    if addresses is not None:
        document[ADDRESSES] = addresses
    return dump_record(document) + "\n"


def dump_record(record: Mapping[str, Any]) -> str:
    """The manifest of one directory, with a line for each file and resource, so that a change changes its line."""
    text = json.dumps({key: value for key, value in record.items() if key != ADDRESSES}, indent=1)
    if (addresses := record.get(ADDRESSES)) is None:
        return text
    lines = [
        f"  {json.dumps(name)}: {dump_rows(value)}"
        if isinstance(value, list)
        else f"  {json.dumps(name)}: {json.dumps(value)}"
        for name, value in addresses.items()
    ]
    section = ",\n".join(lines)
    if len(section) > LIMIT // 2:  # so many resources that no later run would read the manifest
        return text
    return text[: -len("\n}")] + f',\n "{ADDRESSES}": {{\n' + section + "\n }\n}"


def join_sections(sections: Iterable[tuple[str, str]]) -> Iterator[bytes]:
    """The manifest of a destination, piece by piece. sections: its directories with their printed manifests."""
    before = f'{{\n "generator": {json.dumps(GENERATOR)},\n "{DIRECTORIES}": {{\n'
    for folder, section in sections:
        yield f"{before}{json.dumps(folder)}: {section}".encode()
        before = ",\n"
    yield b"\n }\n}\n"


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
    section = read_record(directory).get(ADDRESSES)
    return section if isinstance(section, dict) else None


def read_manifest(directory: pathlib.Path) -> dict[str, frozenset[str]]:
    """The files of an earlier run, each with the hashes that it may have; empty if there is no valid manifest. Raises
    OSError if there is one that cannot be read.
    """
    return list_hashes(read_record(directory))


def list_hashes(record: Mapping[str, Any]) -> dict[str, frozenset[str]]:
    """The files of a manifest, each with the hashes that it may have."""
    try:
        hashes_by_name = {str(name): {str(file_hash)} for name, file_hash in record["files"].items()}
        for name, hashes in record.get("before", {}).items():
            hashes_by_name.setdefault(str(name), set()).update(map(str, hashes))
    except (LookupError, TypeError, AttributeError):
        return {}
    return {name: frozenset(hashes) for name, hashes in hashes_by_name.items()}


def read_record(directory: pathlib.Path) -> Mapping[str, Any]:
    """Returns the manifest of a directory: its own, or its section in a destination above; empty if there is none.
    Raises OSError if there is one that cannot be read.
    """
    own = read_own_record(directory)
    return own if own else find_destination(directory)[2]


def read_own_record(directory: pathlib.Path) -> Mapping[str, Any]:
    """The manifest in a directory; empty if there is none. Raises OSError if it cannot be read."""
    document = read_document(directory, LIMIT)
    return document if isinstance(document.get("files"), dict) else {}


def find_destination(directory: pathlib.Path) -> tuple[pathlib.Path, str, Mapping[str, Any]]:
    """The destination above a directory whose manifest knows it, its path from there, and its section; all empty
    if there is none.
    """
    path = directory.absolute()
    for above in path.parents:
        folder = path.relative_to(above).as_posix()
        if (record := read_destination(above).get(folder)) is not None:
            return above, folder, record
    return pathlib.Path(), "", {}


def read_destination(directory: pathlib.Path) -> Mapping[str, Mapping[str, Any]]:
    """The manifests of the directories below a destination, by their paths; empty if it is none."""
    try:
        status = os.lstat(directory / MANIFEST)
        if directory.stat().st_mode & SHARED_WITH_ALL == SHARED_WITH_ALL:
            return {}
    except OSError:
        return {}
    if not stat.S_ISREG(status.st_mode) or status.st_size > DESTINATION_LIMIT:
        return {}
    return index_destination(directory, (status.st_ino, status.st_mtime_ns, status.st_size))


@functools.lru_cache(maxsize=2)
def index_destination(directory: pathlib.Path, stamp: tuple[int, int, int]) -> Mapping[str, Mapping[str, Any]]:
    """The manifests of a destination, whose file is searched once while it is the same."""
    try:
        if sections := DestinationSections(directory / MANIFEST):
            return sections
        records = read_document(directory, DESTINATION_LIMIT).get(DIRECTORIES)  # as a formatter leaves it
    except OSError:
        return {}
    return records if isinstance(records, dict) and all(isinstance(r, dict) for r in records.values()) else {}


@final
class DestinationSections(Mapping[str, Mapping[str, Any]]):
    """The manifests in that of a destination, by directory; none if the file is not as `join_sections` gives it.

    Invariant: only the places of the sections are in memory, and the one that is read.
    """

    def __init__(self, path: pathlib.Path) -> None:
        self.path = path
        self.places: dict[str, tuple[int, int]] = {}  # the first byte, and the length
        folder, position, start = b"", 0, 0
        with path.open("rb") as file:
            for line in file:  # of which the first and the last of a section alone are not indented
                if line.startswith(b'"') and line.endswith(SECTION):
                    folder, start = line.removesuffix(SECTION), position + len(line) - len(b"{\n")
                elif line.startswith(b"}") and folder:
                    self.places[json.loads(folder)] = start, position + len(b"}") - start
                    folder = b""
                position += len(line)

    def __getitem__(self, folder: str) -> Mapping[str, Any]:
        start, length = self.places[folder]
        try:
            with self.path.open("rb", buffering=0) as file:
                file.seek(start)
                record = json.loads(file.read(length))
        except (OSError, ValueError, RecursionError):
            return {}
        return record if isinstance(record, dict) else {}

    def __iter__(self) -> Iterator[str]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)


def read_document(directory: pathlib.Path, limit: int) -> dict[str, Any]:
    """The JSON object in the manifest of a directory; empty if there is none. Raises OSError if it cannot be read."""
    path = directory / MANIFEST
    if places.kind_at_path(path) != places.FILE:
        return {}
    try:
        document = json.loads(read_bytes(path, limit))
    except UnreadableFile as e:
        if e.kind == "large":
            return {}
        raise OSError(None, e.detail, str(path)) from None
    except (ValueError, RecursionError):
        return {}
    return document if isinstance(document, dict) else {}
