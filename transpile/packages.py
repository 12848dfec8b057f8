"""Packages of resource types: what installed packages offer by the entry points `hot2tf.resources`.

Code of a package runs only because the user installed it: its entry point is imported, which may register hooks.

Invariant: a package that fails is a diagnostic and changes nothing else. Without such a package, no time is lost:
importlib.metadata is slow to import, so the names of the entry points are looked for first.
"""

from __future__ import annotations

import functools
import json
import os
import pathlib
import sys
from typing import TYPE_CHECKING, Any, final

from transpile.diagnostics.model import Diagnostic
from transpile.model.printable import line
from transpile.model.records import EMPTY, node
from transpile.text.source import Unreadable, read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from transpile.schema.catalog import Type

GROUP = "hot2tf.resources"  # of entry points
LARGEST = 1 << 20  # bytes of a list of entry points
RECORDS = (".dist-info", ".egg-info")  # directories that describe an installed package
FACTS = ("properties", "attributes")  # what the facts of a type have at least


@final
@node
class Resources:
    """What a package offers, by paths. mappings: a mapping file, or a directory with such files. types: the facts of
    plug-in types as JSON, by name, as `hot2tf types --json` prints them.
    """

    mappings: str = ""
    types: str = ""


@final
@node
class Installed:
    """What all packages offer, in the order of their names: paths of mappings, and facts of types."""

    mappings: tuple[str, ...] = ()
    types: Mapping[str, Type] = EMPTY
    diagnostics: tuple[Diagnostic, ...] = ()


@functools.cache
def installed() -> Installed:
    """What the packages of this environment offer."""
    if not any(offers(record) for record in records()):
        return Installed()
    from importlib import metadata

    mappings: list[str] = []
    types: dict[str, Type] = {}
    found: list[Diagnostic] = []
    for entry in sorted(metadata.entry_points(group=GROUP), key=lambda one: (one.name, one.value)):
        try:
            offered = entry.load()
            if not isinstance(offered, Resources):
                raise TypeError(f"{entry.value} is not a transpile.packages.Resources")
            own = facts(offered.types, entry.value) if offered.types else {}
        except (Exception, SystemExit) as e:  # code of others may raise anything
            why = line(f"{type(e).__name__}: {e}")
            found.append(
                Diagnostic("HOT825", f"The package of resource types {line(entry.name)} cannot be used: {why}.")
            )
            continue
        mappings += [offered.mappings] if offered.mappings else []
        types |= own
    return Installed(tuple(mappings), types, tuple(found))


def facts(path: str, origin: str) -> dict[str, Type]:
    """The facts of types in a JSON file. origin: where the report says that they come from. Raises OSError and
    ValueError.
    """
    given: Any = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    if not isinstance(given, dict):
        raise ValueError(f"{path} must be a map of types")
    for name, one in given.items():
        if not isinstance(one, dict) or not all(isinstance(one.get(word), dict) for word in FACTS):
            raise ValueError(f"the facts of {name} in {path} need {' and '.join(FACTS)}")
        one["origin"] = origin
    return given


def records() -> Iterator[str]:
    """The directories that describe the packages on the path."""
    for place in sys.path:
        try:
            with os.scandir(place or ".") as entries:
                yield from (entry.path for entry in entries if entry.name.endswith(RECORDS))
        except OSError:
            continue


def offers(record: str) -> bool:
    """Whether a package has such entry points."""
    try:
        return GROUP.encode() in read_bytes(f"{record}/entry_points.txt", LARGEST)
    except Unreadable:
        return False
