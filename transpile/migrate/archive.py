"""Files as one compressed piece of data, for the state and for other machines.

Invariant: equal files give equal bytes. Reading an archive executes nothing: it is JSON, not pickle.
"""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

LEVEL = 1  # files are small, and half the size is enough
LIMIT = 1 << 30  # bytes of one archive, unpacked


class Damaged(ValueError):
    """Data that is no archive; the message says why."""


def compress_data(data: bytes) -> bytes:
    return zlib.compress(data, LEVEL)


def expand_data(data: bytes) -> bytes:
    """Raises Damaged, also if it is too large."""
    reader = zlib.decompressobj()
    try:
        out = reader.decompress(data, LIMIT)
    except zlib.error as e:
        raise Damaged(str(e)) from None
    if not reader.eof:
        raise Damaged("it is incomplete")
    return out


def expand_document(data: bytes) -> dict[str, Any]:
    """The map in compressed JSON. Raises Damaged."""
    try:
        document = json.loads(expand_data(data))
    except (ValueError, RecursionError) as e:
        raise Damaged(str(e)) from None
    if not isinstance(document, dict):
        raise Damaged("it is no map")
    return document


class PackedFiles(NamedTuple):
    """Files by name, and the names of those that only their owner may read."""

    files: dict[str, bytes]
    private: frozenset[str] = frozenset()


def pack_files(files: Mapping[str, bytes], private: Collection[str] = ()) -> bytes:
    """The files, each as text if it is UTF-8."""
    texts: dict[str, str] = {}
    others: dict[str, str] = {}
    for name, data in sorted(files.items()):
        try:
            texts[name] = data.decode("utf-8")
        except UnicodeDecodeError:
            others[name] = base64.b64encode(data).decode("ascii")
    parts = [texts, others, sorted(private)]
    return compress_data(json.dumps(parts, ensure_ascii=False, separators=(",", ":")).encode("utf-8"))


def unpack_files(data: bytes) -> PackedFiles:
    """The files. Raises Damaged."""
    try:
        texts, others, private = json.loads(expand_data(data))
        out = {str(name): text.encode("utf-8") for name, text in texts.items()}
        out |= {str(name): base64.b64decode(text) for name, text in others.items()}
        return PackedFiles(dict(sorted(out.items())), frozenset(map(str, private)))
    except (ValueError, TypeError, AttributeError, RecursionError) as e:
        raise Damaged(str(e)) from None


def digest_files(files: Mapping[str, bytes]) -> str:
    """A SHA-256 of names and contents."""
    total = hashlib.sha256()
    for name, data in sorted(files.items()):
        total.update(f"{len(name.encode('utf-8'))} {len(data)}\n{name}".encode())
        total.update(data)
    return total.hexdigest()
