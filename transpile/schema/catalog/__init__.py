"""What Heat's resource types accept: properties, attributes and aliases, as Heat 27 describes them.

The easy rule to break: these are facts about Heat, not about any target. A service's file is read when a template
first names one of its types, and of its lines, one for each type, only those that are asked for: a template has few
types, and a service many.
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
    """The file that a type's facts stand in."""
    parts = kind.split("::")
    return "aws" if parts[0] == "AWS" else parts[1].lower() if len(parts) > 2 else "other"


@functools.cache
def _text(name: str) -> str:
    """A file of the catalog, "" if there is none."""
    if not name.isalpha():  # it may come from a template
        return ""
    try:
        return (HERE / f"{name}.json").read_text(encoding="utf-8")
    except OSError:  # there is none, or there is no such name
        return ""


@functools.cache
def _entry(name: str, key: str) -> Any:
    """What a file says of a key, None if nothing."""
    begin = f'\n"{key}": '
    text = _text(name)
    at = text.find(begin) if '"' not in key else -1
    return None if at < 0 else json.loads(text[at + len(begin) : text.index("\n", at + 1)].removesuffix(","))


@functools.cache
def canonical(kind: str) -> str:
    """The type that Heat's own environment maps a type to, or the type itself."""
    if kind.startswith("OS::Quantum::"):
        kind = kind.replace("OS::Quantum::", "OS::Neutron::")
    return _entry("aliases", kind) or kind


@functools.cache
def find(kind: str) -> Type | None:
    """The facts about a type; None when Heat does not have it."""
    name = canonical(kind)
    found: Type | None = _entry(service(name), name)
    return found


def aliases() -> dict[str, str]:
    """What Heat's own environment calls a type besides; a name that ends with a star stands for all that begin so."""
    found: dict[str, str] = json.loads(_text("aliases"))
    return found


def constraints() -> list[str]:
    """The names of the custom constraints that Heat has."""
    found: list[str] = _entry("index", "constraints")
    return found


def types() -> list[str]:
    """The names of all types that Heat has or has had, in alphabetical order."""
    found: list[str] = _entry("index", "types")
    return found
