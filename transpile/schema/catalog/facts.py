"""The shapes of the catalog's entries, for the type checker.

The easy rule to break: nothing imports this when it runs; making such classes takes as long as reading ten types.
"""

from __future__ import annotations

from typing import Any, TypedDict


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
