"""What Heat's resource types accept: properties, attributes and aliases, as Heat 27 describes them.

The easy rule to break: these are facts about Heat, not about any target. A service's file is read when a template
first names one of its types, and of its lines, one for each type, only those that are asked for: a template has few
types, and a service many.
"""

from __future__ import annotations

import functools
import json
import pathlib
from typing import Any, TypedDict

HERE = pathlib.Path(__file__).parent


class Source(TypedDict, total=False):
    """Where else a property's value may come from: the property beside it that `path` begins with, `raw` as written
    or else as its own schema reads it.
    """

    path: list[str]
    raw: bool


class Item(TypedDict, total=False):
    """An item that a list gains if the property `of` beside it has a value: that value, or a map of `more` in which
    it stands at `key`.
    """

    of: str
    key: str
    more: dict[str, Any]


class Property(TypedDict, total=False):
    """A property's schema.

    `fields` of a map, `items` of a list; `constraints`: kind and limits of each, in order; `converts`: a provider
    template's, which takes more for maps and lists; `typed_by`: the property that says of which type it is; `alias`:
    Heat takes it for that one, which `takes` it; `gone`: what it says moves elsewhere, "always" or if "given".
    """

    type: str
    required: bool
    default: Any
    constraints: list[list[Any]]
    update: bool
    hidden: bool
    status: str
    immutable: bool
    implemented: bool
    converts: bool
    typed_by: str
    alias: str
    takes: Source
    adds: Item
    gone: str
    fields: dict[str, Property]
    items: Property


class Type(TypedDict, total=False):
    """A resource type.

    `any`: its properties are not checked, `any_attribute`: nor its attributes; `retired`: Heat keeps it as a
    placeholder, described by the release that last had it.
    """

    properties: dict[str, Property]
    attributes: dict[str, str | None]
    any: bool
    any_attribute: bool
    retired: str
    status: str
    name_limit: int
    update_policy: dict[str, Property]


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
