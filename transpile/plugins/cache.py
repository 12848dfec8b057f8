"""Saves readings of plug-ins in the user's cache directory, by the texts of all modules and the reader's version.

Invariant: a file of the cache begins with the digest of the rest, and is ignored if the digest is wrong. Files are
replaced atomically, and an error when writing is ignored.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from typing import Any, final

from transpile.diagnostics.model import Diagnostic
from transpile.diagnostics.rules import RULES
from transpile.model.records import record
from transpile.model.source import Source
from transpile.model.span import Span
from transpile.plugins.model import PluginPlace, PluginType
from transpile.version import __version__

FORMAT = 5  # of the files; increase it when a reading gets other facts
SIZE = 64 << 20  # bytes of a file


@final
@record
class CachedReading:
    """The result of one reading, as it is saved."""

    types: dict[str, PluginType]
    constraints: dict[str, PluginPlace]
    diagnostics: list[Diagnostic]
    names: list[list[str]]
    unread: list[list[str]]


def find_cache_directory() -> str:
    """The directory of the cache."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(base, "hot2tf", "plugins")


def compute_key(directories: Sequence[str], files: Sequence[tuple[str, str, str]]) -> str:
    """The name of a reading: a digest of its directories, of the path, module and text of each file, and of the
    version.
    """
    digest = hashlib.sha256(f"{FORMAT} {__version__} {json.dumps(directories)}".encode())
    for parts in files:
        for part in parts:
            data = part.encode("utf-8", "surrogatepass")
            digest.update(b"%d:" % len(data))
            digest.update(data)
    return digest.hexdigest()


def load_reading(name: str, sources: Mapping[str, Source]) -> CachedReading | None:
    """The reading that was saved under a name; None if there is none, or if its file is damaged."""
    path = os.path.join(find_cache_directory(), f"{name}.json")
    try:
        if os.stat(path).st_size > SIZE:
            return None
        with open(path, "rb") as stream:
            digest, _, data = stream.read().partition(b"\n")
        if digest != hashlib.sha256(data).hexdigest().encode():
            return None
        return restore_reading(json.loads(data), sources)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError):
        return None


def restore_reading(data: Any, sources: Mapping[str, Source]) -> CachedReading:
    """A reading from the data of a file. Raises an exception that `load_reading` catches if the data is malformed."""

    def find_source(path: str | None) -> Source | None:
        return None if path is None else sources[path]

    types = {}
    for name, entry in data["types"].items():
        facts = entry["facts"]
        if not isinstance(facts["properties"], dict) or not isinstance(facts["attributes"], dict):
            raise TypeError("facts")
        types[name] = PluginType(
            name, facts, sources[entry["source"]], Span(int(entry["at"]), int(entry["end"])), str(entry["module"]),
            str(entry["requires"]), bool(entry["replaces"]), tuple(map(str, entry["handlers"])),
            bool(entry["checks_itself"]), tuple(map(str, entry["unread"]))
        )  # fmt: skip
    constraints = {
        str(name): PluginPlace(sources[row[0]], Span(int(row[1]), int(row[2])), str(row[3]))
        for name, row in data["constraints"].items()
    }
    diagnostics = []
    for code, message, path, at, end, hint in data["diagnostics"]:
        if code not in RULES:
            raise ValueError(code)
        diagnostics.append(Diagnostic(code, str(message), find_source(path), Span(int(at), int(end)), str(hint)))
    lists = [[[str(name) for name in group] for group in data[section]] for section in ("names", "unread")]
    return CachedReading(types, constraints, diagnostics, lists[0], lists[1])


def save_reading(name: str, reading: CachedReading) -> None:
    """Saves a reading under a name."""
    data = {
        "types": {
            kind: {
                "facts": plugin_type.facts, "source": plugin_type.source.name, "at": plugin_type.at,
                "end": plugin_type.end, "module": plugin_type.module, "requires": plugin_type.requires,
                "replaces": plugin_type.replaces, "handlers": plugin_type.handlers,
                "checks_itself": plugin_type.checks_itself, "unread": plugin_type.unread,
            }
            for kind, plugin_type in reading.types.items()
        },
        "constraints": {
            constraint: [place.source.name, place.at, place.end, place.name]
            for constraint, place in reading.constraints.items()
        },
        "diagnostics": [
            [d.code, d.message, d.source.name if d.source else None, d.at, d.end, d.hint]
            for d in reading.diagnostics
        ],
        "names": reading.names,
        "unread": reading.unread,
    }  # fmt: skip
    directory = find_cache_directory()
    temporary = ""
    try:
        written = json.dumps(data).encode()
        os.makedirs(directory, mode=0o700, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=directory, suffix=".part")
        with os.fdopen(handle, "wb") as stream:
            stream.write(hashlib.sha256(written).hexdigest().encode() + b"\n" + written)
        os.replace(temporary, os.path.join(directory, f"{name}.json"))
    except (OSError, ValueError, TypeError):
        with contextlib.suppress(OSError):
            if temporary:
                os.unlink(temporary)
