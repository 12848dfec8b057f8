"""Declares the shapes of the catalog's entries for the type checker.

Invariant: nothing imports this module at run time, because creating the classes takes as long as reading ten types.
"""

from __future__ import annotations

from typing import Any, TypedDict


class PropertySource(TypedDict, total=False):
    """Another place from which a property takes its value. `path`: the keys that lead there, of which the first is a
    sibling property; `raw`: the value is taken as written, not as the schema of the sibling reads it.
    """

    path: list[str]
    raw: bool


class AddedItem(TypedDict, total=False):
    """An item that Heat adds to a list if the sibling property `of` has a value: the value itself, or the map `more`
    with the value under `key`.
    """

    of: str
    key: str
    more: dict[str, Any]


class PropertySchema(TypedDict, total=False):
    """A property's schema.

    `fields` of a map, `items` of a list; `constraints`: kind and limits of each, in order; `converts`: a property of
    a provider template, which accepts texts for maps and lists; `typed_by`: the sibling property that names its type;
    `alias`: the property that replaces this one, which `takes` its value; `gone`: when its value moves to another
    property, "always" or if it is "given". Of plug-ins also `doc`, the description; `support`: the support status,
    whole; `unread`: the facts that only running the plug-in would tell, among type, required, default, constraints,
    schema, update_allowed, immutable, implemented and presence.
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
    takes: PropertySource
    adds: AddedItem
    gone: str
    fields: dict[str, PropertySchema]
    items: PropertySchema
    doc: str
    unread: list[str]
    support: Support


class Support(TypedDict, total=False):
    """A support status as the plug-in declares it; `status` is absent if it is SUPPORTED."""

    status: str
    version: str
    message: str
    previous: Support
    substituted: bool


class AttributeNotes(TypedDict, total=False):
    """Further facts that a plug-in declares about an attribute. `cache`: "none"; `unread`: as in PropertySchema."""

    cache: str
    support: Support
    unread: list[str]


class TypeFacts(TypedDict, total=False):
    """A resource type.

    `any`: properties are not checked; `any_attribute`: attributes are not checked; `retired`: Heat keeps the type as a
    placeholder; the facts are those of the release that last had it. `plugin`: the OpenStack project that brings the
    type along; Heat itself does not have it. `origin`: the file and line that define it.

    Of plug-ins also: `doc` and `attribute_docs`, descriptions; `attribute_notes`; `open`: there may be more properties,
    and none is required; `refused`: why Heat refuses each template that uses the type; `ref`: the result of
    get_resource, "id" if absent, "name", or "?" if only running the plug-in tells; `client` and `extension`: the client
    and the extensions of a service that it needs; `without_id`: its resources never get a physical ID;
    `snapshot`: True if it supports snapshots, "?" if only the plug-in knows.
    """

    properties: dict[str, PropertySchema]
    attributes: dict[str, str | None]
    any: bool
    any_attribute: bool
    retired: str
    plugin: str
    origin: str
    status: str
    name_limit: int
    update_policy: dict[str, PropertySchema]
    doc: str
    attribute_docs: dict[str, str]
    attribute_notes: dict[str, AttributeNotes]
    open: bool
    refused: str
    ref: str
    without_id: bool
    support: Support
    client: str
    extension: list[str]
    snapshot: bool | str
