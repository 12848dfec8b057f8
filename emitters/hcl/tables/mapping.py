"""Loads the mapping tables, which say how each Heat resource type, property and attribute is converted.

Tables are data that an operator can review (`mappings/*.yaml`; docs/mappings.md describes the format). Logic goes into
hooks, which are named in a table and written in `hooks/`. A service's table is loaded on first use of one of its types.

Invariant: loading is strict. An invalid table is a diagnostic with file and line. Positions are looked up only then,
because parsing with positions is far slower.
"""

from __future__ import annotations

import functools
import pathlib
import re
from typing import TYPE_CHECKING, Any, TypeAlias, final

import yaml

from emitters.hcl.tables import provider
from emitters.hcl.tree.types import BOOL, MAP_OF_STRINGS, NUMBER, STRING, STRINGS, Type
from transpile.diagnostics.model import Diagnostic, Stopped, did_you_mean
from transpile.model.records import node
from transpile.model.source import Source
from transpile.schema import catalog

if TYPE_CHECKING:
    from collections.abc import Mapping

UUID = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"
HEX = "^[0-9a-f]{32}$"  # IDs of the identity service
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
Path: TypeAlias = tuple[str, ...]


class TableError(ValueError):
    """A mapping table is invalid. `path`: the keys that lead to the error."""

    def __init__(self, path: Path, message: str, hint: str = "") -> None:
        super().__init__(f"{'.'.join(path)}: {message}")
        self.path, self.hint = path, hint


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
class Rule:
    """How one property is converted. Exactly one of `to`, `block`, `drop`, `implied`, `embed` and `hook` is set.

    to: the argument, of type `type`; with `lookup` and `result`, names are resolved. block: the nested block, with
    `fields`. drop: the reason why the property is dropped. implied: the reason why it is not needed. embed: the reason
    why a resource that sets it stays with Heat. hook: the function that handles it.
    write: the value to write if the template does not set the property. generated: Heat makes up a name if there is
    none. empty: an empty string or list means "not set". json: values of the map other than strings are
    sent as JSON, null included. stored: the form in which the service stores the value. unsent: a value that the
    provider never sends. unless: the literal value with which dropping the property loses nothing.
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


def _map(path: Path, given: Any, known: Mapping[str, Any] | None = None) -> Mapping[str, Any]:
    """Checks a map of a table. `known`: its keys, with the types of their values; None for any keys."""
    if not isinstance(given, dict):
        raise TableError(path, "this must be a map")
    for key, value in given.items():
        if not isinstance(key, str):
            raise TableError(path, f"the key {key} must be a string")
        if known is None:
            continue
        if key not in known:
            raise TableError((*path, key), f"there is no key {key} here", did_you_mean(key, known))
        if not isinstance(value, known[key]):
            raise TableError((*path, key), f"{key} must be {WORDS.get(known[key], 'a string or a map')}")
    return given


WORDS: Mapping[Any, str] = {str: "a string", bool: "true or false", dict: "a map", list: "a list"}
RULE_KEYS: Mapping[str, Any] = {
    "to": str,
    "lookup": str,
    "result": str,
    "block": str,
    "fields": dict,
    "drop": str,
    "unless": object,
    "code": str,
    "implied": str,
    "embed": str,
    "hook": str,
    "write": object,
    "generated": bool,
    "empty": bool,
    "json": bool,
    "values": dict,
    "keys": dict,
    "unsent": object,
    "stored": str,
}


def _rule(
    path: Path,
    given: Any,
    schema: catalog.Property | None,
    lookups: Mapping[str, Lookup],
    resource: str,
    block: str = "",
) -> Rule:
    if isinstance(given, str):
        given = {"to": given}
    given = _map(path, given, RULE_KEYS)
    if (
        sum(bool(given.get(k)) for k in ("to", "block", "drop", "implied", "embed", "hook")) != 1
        and "hook" not in given
    ):
        raise TableError(path, "exactly one of to, block, drop, implied, embed and hook is required")
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
            name: _rule((*path, "fields", name), rule, inner.get(name), lookups, resource, below)
            for name, rule in _map((*path, "fields"), given["fields"]).items()
        }
    keys = {
        name: _rule((*path, "keys", name), rule, None, lookups, resource)
        for name, rule in _map((*path, "keys"), given.get("keys", {})).items()
    }
    write = given.get("write")
    if write is True and schema is not None and "default" in schema:
        write = schema["default"]
    lookup = lookups.get(given["lookup"]) if "lookup" in given else None
    if lookup is None and "lookup" in given:
        name = given["lookup"]
        raise TableError((*path, "lookup"), f"there is no lookup {name}", did_you_mean(name, lookups))
    if "to" in given:
        given = {**given, "to": block + given["to"]}
    simple = {k: given[k] for k in RULE_KEYS if k in given and k not in ("lookup", "fields", "keys", "write")}
    return Rule(**simple, type=kind, lookup=lookup, fields=fields, keys=keys or None, write=write)


def _attribute(path: Path, given: Any, resource: str) -> Attribute:
    """An attribute, with the type that the provider declares."""
    if given is None:
        return Attribute()
    if isinstance(given, str):
        given = {"to": given}
    given = _map(path, given, {"to": str, "hook": str, "none": str, "given": bool})
    to = given.get("to", "")
    facts = provider.argument(resource, to) if to else None
    kind = provider.type_of(facts["type"]) if facts is not None else STRING
    return Attribute(to, kind, given.get("hook", ""), given.get("none", ""), given.get("given", False))


KIND_KEYS: Mapping[str, Any] = {
    "treatment": str,
    "resource": str,
    "reference": (str, dict),
    "properties": dict,
    "attributes": dict,
    "show": dict,
    "constants": dict,
    "hook": str,
    "finish": str,
    "named": list,
    "differs": str,
    "why": str,
    "stays_with": list,
    "prefer": dict,
}
REFERENCE_KEYS: Mapping[str, Any] = {"to": str, "part": int, "text": str}
PREFER_KEYS: Mapping[str, Any] = {"treatment": str, "hook": str, "why": str}
LOOKUP_KEYS: Mapping[str, Any] = {
    "data": str,
    "what": str,
    "name": str,
    "id": str,
    "of": list,
    "ids": str,
    "with": dict,
}


def _kind(name: str, given: Any, lookups: Mapping[str, Lookup]) -> Kind:
    given = _map((name,), given, KIND_KEYS)
    treatment = _treatment((name,), given.get("treatment", "native"), TREATMENTS)
    facts = catalog.find(name)
    schema = facts["properties"] if facts else {}
    reference = given.get("reference", "")
    if isinstance(reference, str):
        reference = {"to": reference}
    _map((name, "reference"), reference, REFERENCE_KEYS)
    if "text" in reference and ("to" in reference or reference["text"] not in ("name", "generated")):
        raise TableError((name, "reference"), "text must be name or generated, and excludes to")
    return Kind(
        name,
        treatment,
        given.get("resource", ""),
        reference.get("to", ""),
        reference.get("part"),
        reference.get("text", ""),
        {
            p: _rule((name, "properties", p), rule, schema.get(p), lookups, given.get("resource", ""))
            for p, rule in _map((name, "properties"), given.get("properties", {})).items()
        },
        {
            a: _attribute((name, "attributes", a), attribute, given.get("resource", ""))
            for a, attribute in _map((name, "attributes"), given.get("attributes", {})).items()
        },
        {
            a: _attribute((name, "show", a), attribute, given.get("resource", ""))
            for a, attribute in _map((name, "show"), given.get("show", {})).items()
        },
        given.get("constants") or {},
        given.get("hook", ""),
        given.get("finish", ""),
        tuple(given.get("named", ())),
        given.get("differs", ""),
        given.get("why", ""),
        tuple(given.get("stays_with", ())),
        _other(name, given["prefer"]) if "prefer" in given else None,
    )


def _treatment(path: Path, given: str, known: tuple[str, ...]) -> str:
    if given not in known:
        raise TableError((*path, "treatment"), f"there is no treatment {given} here", did_you_mean(given, known))
    return given


def _other(name: str, given: Any) -> Kind:
    """The conversion of a type with `--prefer native`."""
    path = (name, "prefer")
    _map(path, given, PREFER_KEYS)
    if missing := [key for key in PREFER_KEYS if key not in given]:
        raise TableError(path, f"{missing[0]} is missing")
    return Kind(name, _treatment(path, given["treatment"], ("native", "folded")), hook=given["hook"], why=given["why"])


def _load(name: str) -> Mapping[str, Any]:
    path = HERE / f"{name}.yaml"
    try:
        text = path.read_text(encoding="utf-8")
    except OSError:  # there is no such table, or the name (perhaps from a template) is no file name
        return {}
    try:
        return _map((), yaml.load(text, Loader=yaml.CSafeLoader))
    except yaml.YAMLError as e:
        mark = getattr(e, "problem_mark", None)
        why = getattr(e, "problem", None) or "it is not YAML"
        found = Diagnostic(
            "HOT905", f"This table cannot be read: {why}.", Source(str(path), text), mark.index if mark else 0
        )
        raise Stopped([found]) from e
    except TableError as e:
        raise refused(name, e) from e


def refused(name: str, error: TableError) -> Stopped:
    """The diagnostic for an invalid table, at the offending key."""
    path = HERE / f"{name}.yaml"
    text = path.read_text(encoding="utf-8")
    at, end = 0, -1
    node = yaml.compose(text, Loader=yaml.CSafeLoader)  # parses again, with positions
    for key in error.path:
        entries = {k.value: (k, v) for k, v in node.value} if isinstance(node, yaml.MappingNode) else {}
        if key not in entries:
            break
        found, node = entries[key]
        at, end = found.start_mark.index, found.end_mark.index
    return Stopped([Diagnostic("HOT905", f"{error}.", Source(str(path), text), at, end, error.hint)])


@functools.cache
def lookups() -> Mapping[str, Lookup]:
    """All lookups, by the name that rules use."""
    try:
        return {key: _lookup(key, given) for key, given in _load("lookups").items()}
    except TableError as e:
        raise refused("lookups", e) from e


def _lookup(key: str, given: Any) -> Lookup:
    _map((key,), given, LOOKUP_KEYS)
    if "what" not in given:
        raise TableError((key,), "what is missing")
    if "with" in given and "id" in given:
        raise TableError((key,), "with narrows searches by name, so it excludes id")
    if "data" not in given and {"name", "id", "with"} & set(given):
        raise TableError((key,), "name, id and with require a data source (data)")
    return Lookup(
        key,
        given.get("data", ""),
        given["what"],
        given.get("name", "name"),
        given.get("id"),
        tuple(given.get("of", ())),
        given.get("ids", UUID),
        tuple(given.get("with", {}).items()),
    )


@functools.cache
def table(service: str) -> Mapping[str, Any]:
    """A service's table as loaded from its file."""
    return _load(service) if service.isalpha() and service != "lookups" else {}


@functools.cache
def find(kind: str) -> Kind | None:
    """How a type is converted; None if Heat has no such type."""
    service = catalog.service(kind)
    given = table(service)
    if kind not in given:
        facts = catalog.find(kind)
        return None if facts is None else Kind(kind, "embedded", why="no mapping to Terraform resources yet")
    try:
        return _kind(kind, given[kind], lookups())
    except TableError as e:
        raise refused(service, e) from e


def services() -> list[str]:
    """The services that have a table."""
    return sorted(p.stem for p in HERE.glob("*.yaml") if p.stem != "lookups")


def looks_like_id(lookup: Lookup, text: str) -> bool:
    """Whether a literal looks like an ID."""
    return bool(re.search(lookup.ids, text.lower()))


def form_of(known: list[str], lookup: Lookup) -> str:
    """Whether values are all names ("name"), all IDs ("id"), or neither ("")."""
    if not known:
        return ""
    ids = [looks_like_id(lookup, v) for v in known]
    return "id" if all(ids) else "name" if not any(ids) and all(known) else ""
