"""The texts that a run wrote into a directory, kept beside its manifest, so that the next run can merge edits with its
own changes.

Invariant: a stored text counts only if the manifest has its hash. Texts that are not UTF-8 are not stored. Each text
has a line of its own, so that git can merge two stores.
"""

from __future__ import annotations

import base64
import contextlib
import functools
import json
import os
import pathlib
import zlib
from collections.abc import Mapping

from transpile.text import manifest, places
from transpile.text.manifest import MANIFEST, encode_content, hash_file
from transpile.text.source import UnreadableFile, read_bytes

BASE = ".hot2tf.base"
HEADING = b"hot2tf 2: what the last run wrote, each file as zlib in Base64\n"
OLD_HEADING = b"hot2tf 1: what the last run wrote, as zlib in Base64\n"  # of all files at once
LIMIT = 64 * 1024 * 1024  # bytes of the store of one directory
DESTINATION_LIMIT = 512 * 1024 * 1024
EXPANDED_LIMIT = 512 * 1024 * 1024


def print_base(files: Mapping[str, str | bytes]) -> bytes:
    """The store for these files."""
    lines = {}
    for name, content in files.items():
        data = encode_content(content)
        with contextlib.suppress(UnicodeDecodeError):
            if name != MANIFEST and "\n" not in name and data.decode("utf-8") is not None:
                lines[name] = pack_text(data)
    return join_lines(lines)


def pack_text(data: bytes) -> bytes:
    return base64.b64encode(zlib.compress(data, 9))


def join_lines(lines: Mapping[str, bytes]) -> bytes:
    """A store. lines: the packed texts by the paths of their files."""
    rows = (b"%s %s\n" % (name.encode("utf-8", "surrogateescape"), data) for name, data in sorted(lines.items()))
    return HEADING + b"".join(rows)


def read_base(directory: pathlib.Path, hashes: Mapping[str, frozenset[str]]) -> dict[str, bytes]:
    """The stored texts that have one of the hashes of their names; none if there is no store that can be read. hashes:
    those of the manifest that counts for the directory.
    """
    if manifest.read_own_record(directory):
        lines, prefix = read_lines(directory, LIMIT), ""
    else:
        above, folder, _ = manifest.find_destination(directory)
        lines, prefix = read_destination(above) if folder else {}, f"{folder}/"
    texts = unpack_lines({name: packed for name in hashes if (packed := lines.get(prefix + name)) is not None})
    return {name: text for name, text in texts.items() if hash_file(name, text) in hashes[name]}


def keep_packed(now: Mapping[str, bytes], earlier: Mapping[str, bytes]) -> dict[str, bytes]:
    """Packed texts, those that did not change as they were: versions of zlib pack the same text in different ways."""
    before, texts = unpack_lines(earlier), unpack_lines(now)
    return {name: earlier[name] if before.get(name) == text else now[name] for name, text in texts.items()}


def unpack_lines(lines: Mapping[str, bytes]) -> dict[str, bytes]:
    """The texts that can be unpacked."""
    texts, left = {}, EXPANDED_LIMIT
    for name, packed in lines.items():
        try:
            reader = zlib.decompressobj()
            text = reader.decompress(base64.b64decode(packed), left)
        except (ValueError, zlib.error):
            continue
        if reader.eof:
            texts[name] = text
            left = max(left - len(text), 1)  # 0 is no limit
    return texts


def read_destination(directory: pathlib.Path) -> dict[str, bytes]:
    """The lines of the store of a destination."""
    try:
        status = os.lstat(directory / BASE)
    except OSError:
        return {}
    return parse_destination(directory, (status.st_ino, status.st_mtime_ns, status.st_size))


@functools.lru_cache(maxsize=2)
def parse_destination(directory: pathlib.Path, stamp: tuple[int, int, int]) -> dict[str, bytes]:
    """The lines of the store of a destination, read once while its file is the same."""
    return read_lines(directory, DESTINATION_LIMIT)


def read_lines(directory: pathlib.Path, limit: int) -> dict[str, bytes]:
    """The packed texts in the store of a directory, by path; none if there is no store that can be read."""
    path = directory / BASE
    if places.kind_at_path(path) != places.FILE:
        return {}
    try:
        return parse_lines(read_bytes(path, limit))
    except UnreadableFile:
        return {}


def parse_lines(data: bytes) -> dict[str, bytes]:
    """The packed texts in a store, by path; none if it is not one."""
    if data.startswith(OLD_HEADING):
        return {name: pack_text(text.encode("utf-8", "surrogatepass")) for name, text in parse_old_base(data).items()}
    if not data.startswith(HEADING):
        return {}
    rows = (line.rpartition(b" ") for line in data[len(HEADING) :].split(b"\n"))
    return {name.decode("utf-8", "surrogateescape"): packed for name, space, packed in rows if space}


def parse_old_base(data: bytes) -> dict[str, str]:
    """The texts in a store of the earlier form, with all texts in one; none if it is not one."""
    try:
        reader = zlib.decompressobj()
        expanded = reader.decompress(base64.b64decode(data[len(OLD_HEADING) :]), EXPANDED_LIMIT)
        texts = json.loads(expanded) if reader.eof else {}
    except (ValueError, RecursionError, zlib.error):
        return {}
    if not isinstance(texts, dict) or not all(isinstance(text, str) for text in texts.values()):
        return {}
    return texts
