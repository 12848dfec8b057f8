"""The catalog of Heat's resource types: properties, attributes and aliases, as Heat 27 describes them.

Invariant: the facts are about Heat, not about any target. A service's file is read when one of its types is first
needed, and only the lines of needed types are parsed: a template has few types, a service many.
"""

from __future__ import annotations

import functools
import json
import pathlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from transpile.schema.catalog.facts import Property as Property
    from transpile.schema.catalog.facts import Type as Type

HERE = pathlib.Path(__file__).parent


def service(kind: str) -> str:
    """The name of the file that holds a type's facts."""
    parts = kind.split("::")
    return "aws" if parts[0] == "AWS" else parts[1].lower() if len(parts) > 2 else "other"


@functools.cache
def _text(name: str) -> str:
    """A file of the catalog; empty if there is none."""
    if not name.isalpha():  # the name may come from a template
        return ""
    try:
        return (HERE / f"{name}.json").read_text(encoding="utf-8")
    except OSError:  # no such file, or not a valid name
        return ""


@functools.cache
def _entry(name: str, key: str) -> Any:
    """The value of a key in a file; None if it is not there."""
    begin = f'\n"{key}": '
    text = _text(name)
    at = text.find(begin) if '"' not in key else -1
    return None if at < 0 else json.loads(text[at + len(begin) : text.index("\n", at + 1)].removesuffix(","))


@functools.cache
def canonical(kind: str) -> str:
    """The type that Heat's own environment maps a type to; the type itself if there is no mapping."""
    if kind.startswith("OS::Quantum::"):
        kind = kind.replace("OS::Quantum::", "OS::Neutron::")
    return _entry("aliases", kind) or kind


@functools.cache
def find(kind: str) -> Type | None:
    """The facts about a type; None if Heat does not have it."""
    name = canonical(kind)
    found: Type | None = _entry(service(name), name)
    return found


def aliases() -> dict[str, str]:
    """The aliases in Heat's own environment; a name with a final star is a prefix."""
    found: dict[str, str] = json.loads(_text("aliases"))
    return found


def constraints() -> list[str]:
    """The names of Heat's custom constraints."""
    found: list[str] = _entry("index", "constraints")
    return found


def types() -> list[str]:
    """The names of all types that Heat has or had, sorted."""
    found: list[str] = _entry("index", "types")
    return found
