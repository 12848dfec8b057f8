"""The texts that a run wrote into a directory, kept beside them, so that the next run can merge edits with its own
changes.

Invariant: a stored text counts only if the manifest has its hash. Texts that are not UTF-8 are not stored.
"""

from __future__ import annotations

import base64
import json
import pathlib
import zlib
from collections.abc import Mapping

from transpile.text import places
from transpile.text.manifest import MANIFEST, encode_content, hash_file
from transpile.text.source import UnreadableFile, read_bytes

BASE = ".hot2tf.base"
HEADING = "hot2tf 1: what the last run wrote, as zlib in Base64\n"
LIMIT = 64 * 1024 * 1024  # bytes of the store
EXPANDED_LIMIT = 512 * 1024 * 1024
WIDTH = 120


def print_base(files: Mapping[str, str | bytes]) -> bytes:
    """The store for these files."""
    texts = {}
    for name, content in sorted(files.items()):
        try:
            texts[name] = encode_content(content).decode("utf-8")
        except UnicodeDecodeError:
            continue
    texts.pop(MANIFEST, None)
    data = base64.b64encode(zlib.compress(json.dumps(texts, separators=(",", ":")).encode("ascii"), 9)).decode("ascii")
    lines = (data[at : at + WIDTH] for at in range(0, len(data), WIDTH))  # textwrap takes the square of the size
    return (HEADING + "".join(f"{line}\n" for line in lines)).encode("ascii")


def read_base(directory: pathlib.Path, hashes: Mapping[str, frozenset[str]]) -> dict[str, bytes]:
    """The stored texts that have one of the hashes of their names; none if there is no store that can be read."""
    path = directory / BASE
    if places.kind_at_path(path) != places.FILE:
        return {}
    try:
        data = read_bytes(path, LIMIT)
    except UnreadableFile:
        return {}
    texts = {name: text.encode("utf-8", "surrogatepass") for name, text in parse_base(data).items()}
    return {name: text for name, text in texts.items() if hash_file(name, text) in hashes.get(name, frozenset())}


def parse_base(data: bytes) -> dict[str, str]:
    """The texts in a store; none if it is not one. Stores of different versions of zlib can differ, their texts not."""
    heading = HEADING.encode("ascii")
    if not data.startswith(heading):
        return {}
    try:
        reader = zlib.decompressobj()
        expanded = reader.decompress(base64.b64decode(data[len(heading) :]), EXPANDED_LIMIT)
        texts = json.loads(expanded) if reader.eof else {}
    except (ValueError, RecursionError, zlib.error):
        return {}
    if not isinstance(texts, dict) or not all(isinstance(text, str) for text in texts.values()):
        return {}
    return texts
