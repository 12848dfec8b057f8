"""Packages of resource types: what installed packages offer by the entry points `hot2tf.resources`.

Code of a package runs only because the user installed it: its entry point is imported, which may register hooks.

Invariant: a package that fails is a diagnostic and changes nothing else.
"""

from __future__ import annotations

import functools
import json
import pathlib
from typing import TYPE_CHECKING, Any, final

from transpile import registrations
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.model.printable import line
from transpile.model.records import EMPTY, node

if TYPE_CHECKING:
    from collections.abc import Mapping

    from transpile.schema.catalog import Type

GROUP = "hot2tf.resources"  # of entry points
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
    mappings: list[str] = []
    types: dict[str, Type] = {}
    found: list[Diagnostic] = []
    for entry in sorted(registrations.outside(GROUP), key=lambda entry: (entry.name, entry.value)):
        try:
            offered = entry.load()
            if not isinstance(offered, Resources):
                raise TypeError(f"{entry.value} is not a transpile.packages.Resources")
            own = facts(offered.types, entry.value) if offered.types else {}
        except (Exception, SystemExit) as e:  # code of others may raise anything
            why = line(f"{type(e).__name__}: {e}")
            found.append(
                Diagnostic(
                    codes.UNUSABLE_PACKAGE, f"The package of resource types {line(entry.name)} cannot be used: {why}."
                )
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
