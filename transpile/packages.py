"""Packages of resource types, which installed packages offer by the entry points `hot2tf.resources`.

Code of a package runs only because the user installed it: its entry point is imported, which may register hooks.

Invariant: a package that fails causes a diagnostic and has no other effect.
"""

from __future__ import annotations

import functools
import json
import pathlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, final

from transpile import registrations
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.model.printable import make_log_line
from transpile.model.records import EMPTY, node

if TYPE_CHECKING:
    from transpile.schema.catalog import TypeFacts

GROUP = "hot2tf.resources"  # of entry points
FACTS = ("properties", "attributes")  # the keys that the facts of every type have


@final
@node
class Resources:
    """The offers of a package, as paths.

    `mappings`: a mapping file, or a directory with such files. `types`: the facts of plug-in types as JSON, by name, as
    `hot2tf types --json` prints them.
    """

    mappings: str = ""
    types: str = ""


@final
@node
class Installed:
    """The offers of all packages, in the order of their names: paths of mappings, and facts of types."""

    mappings: tuple[str, ...] = ()
    types: Mapping[str, TypeFacts] = EMPTY
    diagnostics: tuple[Diagnostic, ...] = ()


@functools.cache
def installed_packages() -> Installed:
    """The offers of the packages in this environment."""
    mappings: list[str] = []
    types: dict[str, TypeFacts] = {}
    diagnostics: list[Diagnostic] = []
    for entry in sorted(registrations.outside(GROUP), key=lambda entry: (entry.name, entry.value)):
        try:
            offered = entry.load()
            if not isinstance(offered, Resources):
                raise TypeError(f"{entry.value} is not a transpile.packages.Resources")
            own = read_type_facts(offered.types, entry.value) if offered.types else {}
        except (Exception, SystemExit) as e:  # code of other packages may raise anything
            why = make_log_line(f"{type(e).__name__}: {e}")
            diagnostics.append(
                Diagnostic(
                    codes.UNUSABLE_PACKAGE,
                    f"The package of resource types {make_log_line(entry.name)} cannot be used: {why}.",
                )
            )
            continue
        mappings += [offered.mappings] if offered.mappings else []
        types |= own
    return Installed(tuple(mappings), types, tuple(diagnostics))


def read_type_facts(path: str, origin: str) -> dict[str, TypeFacts]:
    """The facts of types in a JSON file. `origin`: the origin of the types in the report. Raises OSError and
    ValueError.
    """
    document: Any = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    if not isinstance(document, dict):
        raise ValueError(f"{path} must be a map of types")
    for name, facts in document.items():
        if not isinstance(facts, dict) or not all(isinstance(facts.get(word), dict) for word in FACTS):
            raise ValueError(f"the facts of {name} in {path} need {' and '.join(FACTS)}")
        facts["origin"] = origin
    return document
