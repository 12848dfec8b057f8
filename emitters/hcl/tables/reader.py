"""Reads mapping tables strictly, from the plain values of their YAML.

Invariant: an invalid table is a `TableError` at the keys that lead to the error.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, final

from emitters.hcl.tables.mapping import UUID, Attribute, Kind, Lookup, Rule
from emitters.hcl.tables.provider import type_of
from emitters.hcl.tree.types import BOOL, MAP_OF_STRINGS, NUMBER, STRING, STRINGS
from transpile.diagnostics.model import did_you_mean
from transpile.model.records import node

if TYPE_CHECKING:
    from collections.abc import Mapping

    from emitters.hcl.tables.provider import Providers
    from transpile.schema import catalog

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


def checked_map(path: Path, given: Any, known: Mapping[str, Any] | None = None) -> Mapping[str, Any]:
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


@final
@node
class Reader:
    """Reads the entries of a table. They may name these lookups, and the provider's facts type their arguments."""

    lookups: Mapping[str, Lookup]
    providers: Providers

    def rule(self, path: Path, given: Any, schema: catalog.Property | None, resource: str, block: str = "") -> Rule:
        if isinstance(given, str):
            given = {"to": given}
        given = checked_map(path, given, RULE_KEYS)
        if (
            sum(bool(given.get(k)) for k in ("to", "block", "drop", "implied", "embed", "hook")) != 1
            and "hook" not in given
        ):
            raise TableError(path, "exactly one of to, block, drop, implied, embed and hook is required")
        facts = self.providers.argument(resource, block + given["to"]) if "to" in given else None
        kind = type_of(facts["type"]) if facts else FROM_HEAT.get((schema or {}).get("type", "string"), STRING)
        fields = None
        if "fields" in given:
            inner = (schema or {}).get("fields") or (schema or {}).get("items", {}).get("fields") or {}
            below = f"{block}{given['block']}." if "block" in given else block
            fields = {
                name: self.rule((*path, "fields", name), rule, inner.get(name), resource, below)
                for name, rule in checked_map((*path, "fields"), given["fields"]).items()
            }
        keys = {
            name: self.rule((*path, "keys", name), rule, None, resource)
            for name, rule in checked_map((*path, "keys"), given.get("keys", {})).items()
        }
        write = given.get("write")
        if write is True and schema is not None and "default" in schema:
            write = schema["default"]
        found = self.lookups.get(given["lookup"]) if "lookup" in given else None
        if found is None and "lookup" in given:
            name = given["lookup"]
            raise TableError((*path, "lookup"), f"there is no lookup {name}", did_you_mean(name, self.lookups))
        if "to" in given:
            given = {**given, "to": block + given["to"]}
        simple = {k: given[k] for k in RULE_KEYS if k in given and k not in ("lookup", "fields", "keys", "write")}
        return Rule(**simple, type=kind, lookup=found, fields=fields, keys=keys or None, write=write)

    def attribute(self, path: Path, given: Any, resource: str) -> Attribute:
        """An attribute, with the type that the provider declares."""
        if given is None:
            return Attribute()
        if isinstance(given, str):
            given = {"to": given}
        given = checked_map(path, given, {"to": str, "hook": str, "none": str, "given": bool})
        to = given.get("to", "")
        facts = self.providers.argument(resource, to) if to else None
        kind = type_of(facts["type"]) if facts is not None else STRING
        return Attribute(to, kind, given.get("hook", ""), given.get("none", ""), given.get("given", False))

    def kind(self, name: str, given: Any, schema: Mapping[str, catalog.Property]) -> Kind:
        """A type. schema: its properties."""
        given = checked_map((name,), given, KIND_KEYS)
        treatment = known_treatment((name,), given.get("treatment", "native"), TREATMENTS)
        resource = given.get("resource", "")
        reference = given.get("reference", "")
        if isinstance(reference, str):
            reference = {"to": reference}
        checked_map((name, "reference"), reference, REFERENCE_KEYS)
        if "text" in reference and ("to" in reference or reference["text"] not in ("name", "generated")):
            raise TableError((name, "reference"), "text must be name or generated, and excludes to")
        attributes, show = (
            {
                word: self.attribute((name, section, word), row, resource)
                for word, row in checked_map((name, section), given.get(section, {})).items()
            }
            for section in ("attributes", "show")
        )
        return Kind(
            name,
            treatment,
            resource,
            reference.get("to", ""),
            reference.get("part"),
            reference.get("text", ""),
            {
                word: self.rule((name, "properties", word), row, schema.get(word), resource)
                for word, row in checked_map((name, "properties"), given.get("properties", {})).items()
            },
            attributes,
            show,
            given.get("constants") or {},
            given.get("hook", ""),
            given.get("finish", ""),
            tuple(given.get("named", ())),
            given.get("differs", ""),
            given.get("why", ""),
            tuple(given.get("stays_with", ())),
            other(name, given["prefer"]) if "prefer" in given else None,
        )


def known_treatment(path: Path, given: str, known: tuple[str, ...]) -> str:
    if given not in known:
        raise TableError((*path, "treatment"), f"there is no treatment {given} here", did_you_mean(given, known))
    return given


def other(name: str, given: Any) -> Kind:
    """The conversion of a type with `--prefer native`."""
    path = (name, "prefer")
    checked_map(path, given, PREFER_KEYS)
    if missing := [key for key in PREFER_KEYS if key not in given]:
        raise TableError(path, f"{missing[0]} is missing")
    return Kind(
        name, known_treatment(path, given["treatment"], ("native", "folded")), hook=given["hook"], why=given["why"]
    )


def lookup(key: str, given: Any) -> Lookup:
    checked_map((key,), given, LOOKUP_KEYS)
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
