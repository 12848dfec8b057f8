"""The texts that a run wrote into a directory, kept beside its manifest, so that the next run can merge edits with its
own changes.

Invariant: a stored text counts only if the manifest has its hash. Texts that are not UTF-8 are not stored. Each text
has a line of its own, so that git can merge two stores.
"""

from __future__ import annotations

import base64
import bisect
import contextlib
import functools
import json
import os
import pathlib
import stat
import zlib
from array import array
from collections.abc import Container, Iterable, Iterator, Mapping
from typing import BinaryIO, NamedTuple

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
    return b"".join(join_lines(sorted(lines.items())))


def pack_text(data: bytes) -> bytes:
    return base64.b64encode(zlib.compress(data, 9))


def join_lines(lines: Iterable[tuple[str, bytes]]) -> Iterator[bytes]:
    """A store, line by line. lines: the paths of files with their packed texts, in order."""
    yield HEADING
    for name, packed in lines:
        yield b"%s %s\n" % (name.encode("utf-8", "surrogateescape"), packed)


def read_base(directory: pathlib.Path, hashes: Mapping[str, frozenset[str]]) -> dict[str, bytes]:
    """The stored texts that have one of the hashes of their names; none if there is no store that can be read. hashes:
    those of the manifest that counts for the directory.
    """
    if manifest.read_own_record(directory):
        lines = read_lines(directory)
    else:
        above, folder, _ = manifest.find_destination(directory)
        lines = read_destination(above).read_folder(folder, hashes) if folder else {}
    texts = unpack_lines({name: packed for name, packed in lines.items() if name in hashes})
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


def read_destination(directory: pathlib.Path) -> DestinationTexts:
    """The store of a destination; an empty one if there is none that can be read."""
    path = directory / BASE
    with contextlib.suppress(OSError):
        status = os.lstat(path)
        if stat.S_ISREG(status.st_mode) and status.st_size <= DESTINATION_LIMIT:
            return index_destination(path, (status.st_ino, status.st_mtime_ns, status.st_size))
    return DestinationTexts(path, array("Q"))


@functools.lru_cache(maxsize=2)
def index_destination(path: pathlib.Path, stamp: tuple[int, int, int]) -> DestinationTexts:
    """The store of a destination, searched once while it is the same."""
    starts, position, last, in_order = array("Q"), len(HEADING), "", True
    with path.open("rb") as file:
        for line in file if file.readline() == HEADING else ():
            if name := split_line(line)[0]:
                starts.append(position)
                last, in_order = name, in_order and last <= name
            position += len(line)
        if not in_order:  # git has merged two stores
            starts = array("Q", sorted(starts, key=lambda start: read_line(file, start)[0]))
    return DestinationTexts(path, starts)


class DestinationTexts(NamedTuple):
    """The store of a destination: where its lines start, in the order of their paths. One line is read at a time."""

    path: pathlib.Path
    starts: array[int]

    def walk(self, prefix: str = "") -> Iterator[tuple[str, bytes]]:
        """The paths that begin like this with their packed texts, in order."""
        if not self.starts:
            return
        with self.path.open("rb") as file:
            first = bisect.bisect_left(self.starts, prefix, key=lambda start: read_line(file, start)[0])
            for number in range(first, len(self.starts)):
                name, packed = read_line(file, self.starts[number])
                if not name.startswith(prefix):
                    return
                yield name, packed

    def read_folder(self, folder: str, names: Container[str]) -> dict[str, bytes]:
        """The packed texts of files of a directory."""
        lines = ((path.removeprefix(f"{folder}/"), packed) for path, packed in self.walk(f"{folder}/"))
        return {name: packed for name, packed in lines if name in names}


def read_line(file: BinaryIO, start: int) -> tuple[str, bytes]:
    file.seek(start)
    return split_line(file.readline())


def split_line(line: bytes) -> tuple[str, bytes]:
    """The path and the packed text of a line."""
    name, _, packed = line.rstrip(b"\n").rpartition(b" ")
    return name.decode("utf-8", "surrogateescape"), packed


def read_lines(directory: pathlib.Path) -> dict[str, bytes]:
    """The packed texts in the store of a directory, by path; none if there is no store that can be read."""
    path = directory / BASE
    if places.kind_at_path(path) != places.FILE:
        return {}
    try:
        return parse_lines(read_bytes(path, LIMIT))
    except UnreadableFile:
        return {}


def parse_lines(data: bytes) -> dict[str, bytes]:
    """The packed texts in a store, by path; none if it is not one."""
    if data.startswith(OLD_HEADING):
        return {name: pack_text(text.encode("utf-8", "surrogatepass")) for name, text in parse_old_base(data).items()}
    if not data.startswith(HEADING):
        return {}
    rows = map(split_line, data[len(HEADING) :].split(b"\n"))
    return {name: packed for name, packed in rows if name}


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
