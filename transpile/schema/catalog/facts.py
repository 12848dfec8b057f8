"""The shapes of the catalog's entries, for the type checker.

Invariant: nothing imports this module at run time; creating the classes takes as long as reading ten types.
"""

from __future__ import annotations

from typing import Any, TypedDict


class Source(TypedDict, total=False):
    """Another place for a property's value: `path` begins with a sibling property; `raw`: take the value as written
    instead of as that property's schema reads it.
    """

    path: list[str]
    raw: bool


class Item(TypedDict, total=False):
    """An item that a list gains if the sibling property `of` has a value: that value, or the map `more` with the value
    under `key`.
    """

    of: str
    key: str
    more: dict[str, Any]


class Support(TypedDict, total=False):
    """A support status: since which release, and what to use instead."""

    status: str
    version: str
    message: str


class Property(TypedDict, total=False):
    """A property's schema.

    `fields` of a map, `items` of a list; `constraints`: kind and limits of each, in order; `converts`: a property of a
    provider template, which accepts texts for maps and lists; `typed_by`: the sibling property that names its type;
    `alias`: the property that replaces this one, which `takes` its value; `gone`: when its value moves to
    another property, "always" or if it is "given". `doc`: its description; `unread`: the keys whose values only the
    plug-in knows, when it runs.
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
    doc: str
    unread: list[str]
    support: Support


class Type(TypedDict, total=False):
    """A resource type.

    `any`: properties are not checked; `any_attribute`: attributes are not checked; `retired`: Heat keeps the type as a
    placeholder; the facts are those of the release that last had it. `plugin`: the OpenStack project that brings the
    type along; Heat itself does not have it. `open`: there may be more properties than these; `refused`: why Heat
    refuses every template that uses the type; `ref`: what `get_resource` gives, if it is not the ID: "name", or "?" if
    only the plug-in knows; `origin`: the file and line that define it; `client`, `extension`: the service that it asks,
    and what that must support.
    """

    properties: dict[str, Property]
    attributes: dict[str, str | None]
    any: bool
    any_attribute: bool
    retired: str
    plugin: str
    origin: str
    open: bool
    refused: str
    ref: str
    client: str
    extension: list[str]
    doc: str
    attribute_docs: dict[str, str]
    support: Support
    status: str
    name_limit: int
    update_policy: dict[str, Property]
