"""The mapping tables: what becomes of each Heat resource type, property and attribute.

The easy rule to break: tables are data that an operator can review (`mappings/*.yaml`, docs/mappings.md says how they
read); loading is strict, and what needs logic is a hook named there and written in `hooks/`. A service's table is
read when a template first names one of its types.
"""

from __future__ import annotations

import functools
import pathlib
import re
from typing import TYPE_CHECKING, Any, final

import yaml

from emitters.hcl.tables import provider
from emitters.hcl.tree.types import BOOL, MAP_OF_STRINGS, NUMBER, STRING, STRINGS, Type
from transpile.model.records import node
from transpile.schema import catalog

if TYPE_CHECKING:
    from collections.abc import Mapping

UUID = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"
HEX = "^[0-9a-f]{32}$"  # of the identity service
HERE = pathlib.Path(__file__).parent / "mappings"
TYPES = {"string": STRING, "number": NUMBER, "bool": BOOL, "strings": STRINGS, "map": MAP_OF_STRINGS}
FROM_HEAT = {
    "string": STRING,
    "integer": NUMBER,
    "number": NUMBER,
    "boolean": BOOL,
    "list": STRINGS,
    "map": MAP_OF_STRINGS,
}
TREATMENTS = ("native", "folded", "embedded")


class TableError(ValueError):
    """A mapping table says something that it cannot say."""


@final
@node
class Lookup:
    """How a name is made an ID: a data source, its arguments by name and by ID (None: it cannot search by ID), and
    the types whose resources are such things. `ids`: the regular expression of an ID in lower case, in the words that
    Python and Terraform have in common. `more`: arguments that narrow each search by name. Without a data source only
    names of resources in the template become IDs.
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
class Rule:
    """What becomes of one property. Exactly one of `to`, `block`, `drop`, `implied`, `embed` and `hook` is set.

    to: an argument, with `type`; `lookup` and `result` if a name may stand for an ID. block: nested blocks, with
    `fields`. drop: lost, with the reason. implied: the target has this anyway, or needs it not, with the reason.
    embed: what sets it stays with Heat, with the reason.
    write: Heat's default is written out when the template is silent. generated: Heat makes up a name, and the
    provider wants one. empty: an empty text or list means the same as none. json: values of the map that are no texts
    are sent as JSON, null too. unsent: a value that the provider never sends. unless: the literal that loses nothing
    where the property is dropped.
    """

    to: str = ""
    type: Type = STRING
    lookup: Lookup | None = None
    result: str = "id"
    block: str = ""
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
    values: Mapping[str, str] | None = None  # literal values that the provider spells otherwise
    unsent: Any = None


@final
@node
class Attribute:
    """What stands for an attribute: an attribute of the target with its type, or a hook; neither when there is no
    counterpart.
    """

    to: str = ""
    type: Type = STRING
    hook: str = ""
    why: str = ""


@final
@node
class Kind:
    """What becomes of one resource type."""

    name: str
    treatment: str
    resource: str = ""
    reference: str = ""  # the attribute that get_resource becomes; empty if there is none
    part: int | None = None  # which part of it, where the provider joins several with slashes
    text: str = ""  # else the text that it becomes: the resource's `name`, or the `generated` one
    properties: Mapping[str, Rule] | None = None
    attributes: Mapping[str, Attribute] | None = None
    constants: Mapping[str, Any] | None = None
    hook: str = ""  # does the whole resource
    finish: str = ""  # called when the block is complete
    named: bool = False  # Heat names it by itself, and Terraform must too
    differs: str = ""  # what Terraform does otherwise than Heat with each such resource
    why: str = ""
    stays_with: tuple[str, ...] = ()
    other: Kind | None = None  # the other honest answer, which `--prefer native` asks for


def _only(where: str, given: Mapping[str, Any], known: tuple[str, ...]) -> None:
    if extra := set(given) - set(known):
        raise TableError(f"{where}: unknown {', '.join(sorted(extra))}")


RULE_KEYS = (
    "to",
    "lookup",
    "result",
    "block",
    "fields",
    "drop",
    "unless",
    "code",
    "implied",
    "embed",
    "hook",
    "write",
    "generated",
    "empty",
    "json",
    "values",
    "unsent",
)


def _rule(
    where: str,
    given: Any,
    schema: catalog.Property | None,
    lookups: Mapping[str, Lookup],
    resource: str,
    block: str = "",
) -> Rule:
    if isinstance(given, str):
        given = {"to": given}
    _only(where, given, RULE_KEYS)
    if (
        sum(bool(given.get(k)) for k in ("to", "block", "drop", "implied", "embed", "hook")) != 1
        and "hook" not in given
    ):
        raise TableError(f"{where}: exactly one of to, block, drop, implied, embed and hook")
    facts = provider.argument(resource, block + given["to"]) if "to" in given else None
    kind = (
        provider.type_of(facts["type"])
        if facts is not None
        else FROM_HEAT.get((schema or {}).get("type", "string"), STRING)
    )
    fields = None
    if "fields" in given:
        inner = (schema or {}).get("fields") or (schema or {}).get("items", {}).get("fields") or {}
        below = f"{block}{given['block']}." if "block" in given else block
        fields = {
            name: _rule(f"{where}.{name}", rule, inner.get(name), lookups, resource, below)
            for name, rule in given["fields"].items()
        }
    write = given.get("write")
    if write is True and schema is not None and "default" in schema:
        write = schema["default"]
    lookup = lookups[given["lookup"]] if "lookup" in given else None
    if "to" in given:
        given = given | {"to": block + given["to"]}
    simple = {k: given[k] for k in RULE_KEYS if k in given and k not in ("lookup", "fields", "write")}
    return Rule(**simple, type=kind, lookup=lookup, fields=fields, write=write)


def _attribute(where: str, given: Any, resource: str) -> Attribute:
    """An attribute; its type is the provider's."""
    if given is None:
        return Attribute()
    if isinstance(given, str):
        given = {"to": given}
    _only(where, given, ("to", "hook", "none"))
    to = given.get("to", "")
    facts = provider.argument(resource, to) if to else None
    kind = provider.type_of(facts["type"]) if facts is not None else STRING
    return Attribute(to, kind, given.get("hook", ""), given.get("none", ""))


KIND_KEYS = (
    "treatment",
    "resource",
    "reference",
    "properties",
    "attributes",
    "constants",
    "hook",
    "finish",
    "named",
    "differs",
    "why",
    "stays_with",
    "prefer",
)


def _kind(name: str, given: Mapping[str, Any], lookups: Mapping[str, Lookup]) -> Kind:
    _only(name, given, KIND_KEYS)
    treatment = given.get("treatment", "native")
    if treatment not in TREATMENTS:
        raise TableError(f"{name}: treatment {treatment}")
    facts = catalog.find(name)
    schema = facts["properties"] if facts else {}
    reference = given.get("reference", "")
    if isinstance(reference, str):
        reference = {"to": reference}
    _only(f"{name}.reference", reference, ("to", "part", "text"))
    if "text" in reference and ("to" in reference or reference["text"] not in ("name", "generated")):
        raise TableError(f"{name}.reference: text is name or generated, and stands alone")
    return Kind(
        name,
        treatment,
        given.get("resource", ""),
        reference.get("to", ""),
        reference.get("part"),
        reference.get("text", ""),
        {
            p: _rule(f"{name}.{p}", rule, schema.get(p), lookups, given.get("resource", ""))
            for p, rule in (given.get("properties") or {}).items()
        },
        {
            a: _attribute(f"{name}.{a}", attribute, given.get("resource", ""))
            for a, attribute in (given.get("attributes") or {}).items()
        },
        given.get("constants") or {},
        given.get("hook", ""),
        given.get("finish", ""),
        given.get("named", False),
        given.get("differs", ""),
        given.get("why", ""),
        tuple(given.get("stays_with", ())),
        _other(name, given["prefer"]) if "prefer" in given else None,
    )


def _other(name: str, given: Mapping[str, Any]) -> Kind:
    """What a type becomes where the user would rather have it native."""
    _only(f"{name}.prefer", given, ("treatment", "hook", "why"))
    if given["treatment"] not in ("native", "folded"):
        raise TableError(f"{name}.prefer: treatment {given['treatment']}")
    return Kind(name, given["treatment"], hook=given["hook"], why=given["why"])


def _load(name: str) -> Any:
    try:
        text = (HERE / f"{name}.yaml").read_text(encoding="utf-8")
    except OSError:  # there is none, or there is no such name: it may come from a template
        return {}
    return yaml.load(text, Loader=yaml.CSafeLoader)


@functools.cache
def lookups() -> Mapping[str, Lookup]:
    """All look-ups, by the name that rules use."""
    out = {}
    for key, given in _load("lookups").items():
        _only(key, given, ("data", "what", "name", "id", "of", "ids", "with"))
        if "with" in given and "id" in given:
            raise TableError(f"{key}: with narrows a search by name, and id searches without")
        if "data" not in given and {"name", "id", "with"} & set(given):
            raise TableError(f"{key}: name, id and with are about the data source, and there is none")
        out[key] = Lookup(
            key,
            given.get("data", ""),
            given["what"],
            given.get("name", "name"),
            given.get("id"),
            tuple(given.get("of", ())),
            given.get("ids", UUID),
            tuple(given.get("with", {}).items()),
        )
    return out


@functools.cache
def table(service: str) -> Mapping[str, Any]:
    """A service's table as it stands in its file."""
    return _load(service) if service.isalpha() and service != "lookups" else {}


@functools.cache
def find(kind: str) -> Kind | None:
    """What becomes of a type of Heat's; None for a type that Heat has not got."""
    given = table(catalog.service(kind)).get(kind)
    if given is None:
        facts = catalog.find(kind)
        return None if facts is None else Kind(kind, "embedded", why="no mapping to Terraform resources yet")
    return _kind(kind, given, lookups())


def services() -> list[str]:
    """The services that have a table."""
    return sorted(p.stem for p in HERE.glob("*.yaml") if p.stem != "lookups")


def looks_like_id(lookup: Lookup, text: str) -> bool:
    """Whether a literal is taken for an ID."""
    return bool(re.search(lookup.ids, text.lower()))


def form_of(known: list[str], lookup: Lookup) -> str:
    """Whether values are all names ("name"), all IDs ("id"), or do not tell ("")."""
    if not known:
        return ""
    ids = [looks_like_id(lookup, v) for v in known]
    return "id" if all(ids) else "name" if not any(ids) and all(known) else ""
