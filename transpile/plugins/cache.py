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
from typing import TYPE_CHECKING, Any, final

from transpile.diagnostics.model import Diagnostic
from transpile.diagnostics.rules import RULES
from transpile.model.records import record
from transpile.model.span import Span
from transpile.plugins.model import Place, PluginType
from transpile.version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from transpile.model.source import Source

FORMAT = 1  # of the files; increase it when a reading gets other facts
SIZE = 64 << 20  # bytes of a file


@final
@record
class Kept:
    """The result of one reading, as it is saved."""

    types: dict[str, PluginType]
    constraints: dict[str, Place]
    diagnostics: list[Diagnostic]
    names: list[list[str]]
    unread: list[list[str]]


def directory() -> str:
    """The directory of the cache."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(base, "hot2tf", "plugins")


def key(directories: Sequence[str], files: Sequence[tuple[str, str, str]]) -> str:
    """The name of a reading: a digest of its directories, of the path, module and text of each file, and of the
    version.
    """
    digest = hashlib.sha256(f"{FORMAT} {__version__} {json.dumps(directories)}".encode())
    for parts in files:
        for one in parts:
            data = one.encode("utf-8", "surrogatepass")
            digest.update(b"%d:" % len(data))
            digest.update(data)
    return digest.hexdigest()


def load(name: str, sources: Mapping[str, Source]) -> Kept | None:
    """The reading that was saved under a name; None if there is none, or if its file is damaged."""
    path = os.path.join(directory(), f"{name}.json")
    try:
        if os.stat(path).st_size > SIZE:
            return None
        with open(path, "rb") as stream:
            digest, _, data = stream.read().partition(b"\n")
        if digest != hashlib.sha256(data).hexdigest().encode():
            return None
        return restored(json.loads(data), sources)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError):
        return None


def restored(data: Any, sources: Mapping[str, Source]) -> Kept:
    """A reading from the data of a file. Raises an exception that `load_reading` catches if the data is malformed."""

    def source(path: str | None) -> Source | None:
        return None if path is None else sources[path]

    types = {}
    for name, one in data["types"].items():
        facts = one["facts"]
        if not isinstance(facts["properties"], dict) or not isinstance(facts["attributes"], dict):
            raise TypeError("facts")
        types[name] = PluginType(
            name, facts, sources[one["source"]], Span(int(one["at"]), int(one["end"])), str(one["module"]),
            str(one["requires"]), bool(one["replaces"]), tuple(map(str, one["handlers"])), bool(one["checks_itself"]),
            tuple(map(str, one["unread"]))
        )  # fmt: skip
    constraints = {
        str(name): Place(sources[one[0]], Span(int(one[1]), int(one[2])), str(one[3]))
        for name, one in data["constraints"].items()
    }
    found = []
    for code, message, path, at, end, hint in data["diagnostics"]:
        if code not in RULES:
            raise ValueError(code)
        found.append(Diagnostic(code, str(message), source(path), Span(int(at), int(end)), str(hint)))
    lists = [[[str(name) for name in one] for one in data[what]] for what in ("names", "unread")]
    return Kept(types, constraints, found, lists[0], lists[1])


def save(name: str, kept: Kept) -> None:
    """Saves a reading under a name."""
    data = {
        "types": {
            kind: {
                "facts": one.facts, "source": one.source.name, "at": one.at, "end": one.end, "module": one.module,
                "requires": one.requires, "replaces": one.replaces, "handlers": one.handlers,
                "checks_itself": one.checks_itself, "unread": one.unread,
            }
            for kind, one in kept.types.items()
        },
        "constraints": {
            one: [place.source.name, place.at, place.end, place.name] for one, place in kept.constraints.items()
        },
        "diagnostics": [
            [one.code, one.message, one.source.name if one.source else None, one.at, one.end, one.hint]
            for one in kept.diagnostics
        ],
        "names": kept.names,
        "unread": kept.unread,
    }  # fmt: skip
    where = directory()
    temporary = ""
    try:
        written = json.dumps(data).encode()
        os.makedirs(where, mode=0o700, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=where, suffix=".part")
        with os.fdopen(handle, "wb") as stream:
            stream.write(hashlib.sha256(written).hexdigest().encode() + b"\n" + written)
        os.replace(temporary, os.path.join(where, f"{name}.json"))
    except (OSError, ValueError, TypeError):
        with contextlib.suppress(OSError):
            if temporary:
                os.unlink(temporary)
