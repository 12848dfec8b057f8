"""What a mapping table says, as records: how each Heat resource type, property and attribute is converted.

Tables are data that an operator can review (docs/mappings.md describes the format). Logic goes into hooks, which are
named in a table and written in `hooks/`. `reader.py` reads a table strictly, `tables.py` has those of a conversion.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, final

from emitters.hcl.tree.types import STRING, Type
from transpile.model.records import node

if TYPE_CHECKING:
    from collections.abc import Mapping

UUID = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"
HEX = "^[0-9a-f]{32}$"  # IDs of the identity service


@final
@node
class Lookup:
    """How a name is resolved to an ID.

    data: the data source; without one, only names of resources in the template are resolved. what: the kind of thing,
    for messages. name, id: the data source's arguments for a search by name and by ID; id is None if it cannot search
    by ID. of: Heat's types whose resources have such IDs. ids: a regular expression for an ID in lower case, valid in
    Python and in Terraform. more: arguments that narrow every search by name.
    """

    key: str
    data: str  # empty if there is none
    what: str
    name: str = "name"
    id: str | None = None
    of: tuple[str, ...] = ()
    ids: str = UUID
    more: tuple[tuple[str, Any], ...] = ()


@final
@node
class Joined:
    """A text made of several properties: each literal is followed by the value of a property; the last property is ""
    if the text ends in a literal.
    """

    parts: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        return "".join(part.replace("${", "$${") + (f"${{{name}}}" if name else "") for part, name in self.parts)

    @property
    def names(self) -> tuple[str, ...]:
        """The properties, each once."""
        return tuple(dict.fromkeys(name for _, name in self.parts if name))


@final
@node
class Rule:
    """How one property is converted. Just one of `to`, `block`, `each`, `drop`, `implied`, `embed` and `hook` is set.

    to: the argument, of type `type`; with `lookup` and `result`, names are resolved. text: what it gets in place of the
    property's own value. block: the nested block, with `fields`. each: the resource that each item of a list becomes,
    with the argument `item` for the item or rules for its `fields`, the attributes of the main resource that arguments
    get (`owner`), and `constants`. drop: the reason why the property is dropped. implied: the reason why it is not
    needed. embed: the reason why a resource that sets it stays with Heat. hook: the function that handles it.
    write: the value to write if the template does not set the property. generated: Heat makes up a name if there is
    none. empty: an empty string or list means "not set". json: values of the map other than strings are
    sent as JSON, null included. stored: the form in which the service stores the value. unsent: a value that the
    provider never sends. unless: the literal value with which dropping the property loses nothing.
    """

    to: str = ""
    type: Type = STRING
    lookup: Lookup | None = None
    result: str = "id"
    text: Joined | None = None
    block: str = ""
    each: str = ""
    item: str = ""
    owner: Mapping[str, str] | None = None
    constants: Mapping[str, Any] | None = None
    fields: Mapping[str, Rule] | None = None
    drop: str = ""
    unless: Any = None
    code: str = "HOT401"
    implied: str = ""
    embed: str = ""
    hook: str = ""
    write: Any = None
    generated: bool = False
    empty: bool = False
    json: bool = False
    values: Mapping[str, str] | None = None  # literal values with another spelling in the provider
    keys: Mapping[str, Rule] | None = None  # keys of a map of texts that have arguments of their own
    unsent: Any = None
    stored: str = ""


@final
@node
class Attribute:
    """How an attribute is converted: to the provider's attribute `to`, or by a hook. Neither is set if Terraform has no
    equivalent; `why` is then the reason, if the table gives one. given: only if the template sets the argument; if it
    does not, the API returns null and the provider an empty value.
    """

    to: str = ""
    type: Type = STRING
    hook: str = ""
    why: str = ""
    given: bool = False


@final
@node
class Kind:
    """How one resource type is converted."""

    name: str
    treatment: str
    resource: str = ""
    reference: str = ""  # the attribute that get_resource is converted to; empty if there is none
    part: int | None = None  # the index of the part to take, if the attribute has parts separated by slashes
    text: str = ""  # instead of `reference`: the resource's `name`, or a `generated` name
    joined: Joined | None = None  # instead of `reference`: a text made of the resource's properties
    properties: Mapping[str, Rule] | None = None
    attributes: Mapping[str, Attribute] | None = None
    show: Mapping[str, Attribute] | None = None  # fields of the API object, which Heat's attribute `show` returns
    constants: Mapping[str, Any] | None = None
    hook: str = ""  # converts the whole resource
    finish: str = ""  # a hook called when the block is complete
    named: tuple[str, ...] = ()  # arguments that get the name that Heat makes up, for types without a property for it
    differs: str = ""  # how Terraform's behaviour differs from Heat's for every such resource
    why: str = ""
    stays_with: tuple[str, ...] = ()  # types with which it must share a stack if they are kept in Heat
    other: Kind | None = None  # the conversion with `--prefer native`
    provider: str = ""  # the property that refers to the resource which became the provider's configuration

    @property
    def parts(self) -> frozenset[str]:
        """The properties that are only parts of texts."""
        return parts(self.properties or {})


def parts(rules: Mapping[str, Rule]) -> frozenset[str]:
    """The properties that are parts of a text and have no rule of their own."""
    return frozenset(name for rule in rules.values() if rule.text is not None for name in rule.text.names) - set(rules)


def looks_like_id(lookup: Lookup, text: str) -> bool:
    """Whether a literal looks like an ID."""
    return bool(re.search(lookup.ids, text.lower()))


def form_of(known: list[str], lookup: Lookup) -> str:
    """Whether values are all names ("name"), all IDs ("id"), or neither ("")."""
    if not known:
        return ""
    ids = [looks_like_id(lookup, v) for v in known]
    return "id" if all(ids) else "name" if not any(ids) and all(known) else ""
