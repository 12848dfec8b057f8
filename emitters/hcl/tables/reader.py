"""Reads mapping tables strictly, from the plain values of their YAML.

Invariant: an invalid table is a `TableError` at the keys that lead to the error.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, TypeAlias, final

from emitters.hcl.tables.mapping import UUID, Attribute, Joined, Kind, Lookup, Rule
from emitters.hcl.tables.provider import CONFIGURATION, type_of
from emitters.hcl.tree.types import ANY, BOOL, MAP_OF_STRINGS, NUMBER, STRING, STRINGS
from transpile.diagnostics.model import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping

    from emitters.hcl.tables.provider import Providers
    from emitters.hcl.tree.types import Type
    from transpile.schema import catalog

FROM_HEAT = {
    "string": STRING,
    "integer": NUMBER,
    "number": NUMBER,
    "boolean": BOOL,
    "list": STRINGS,
    "map": MAP_OF_STRINGS,
}
TREATMENTS = ("native", "folded", "embedded", "provider", "dropped")
WAYS = ("to", "block", "each", "drop", "implied", "embed", "hook")  # what becomes of a property
ALONE = ("to", "text", "code")  # keys that a joined text may stand beside
BESIDE: Mapping[str, tuple[str, ...]] = {  # keys that stand only beside one of some others
    "lookup": ("to", "each"),
    "result": ("lookup",),
    "empty": ("to", "embed"),
    "write": ("to",),
    "generated": ("to",),
    "keys": ("to",),
    "values": ("to",),
    "json": ("to",),
    "unsent": ("to",),
    "stored": ("to",),
    "unless": ("drop",),
    "code": ("drop",),
    "fields": ("block", "each"),
}
OF_EACH = ("item", "owner", "constants")
Path: TypeAlias = tuple[str, ...]


class TableError(ValueError):
    """A mapping table is invalid. `path`: the keys that lead to the error."""

    def __init__(self, path: Path, message: str, hint: str = "") -> None:
        super().__init__(f"{'.'.join(path)}: {message}" if path else message)
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
    "text": str,
    "block": str,
    "each": str,
    "item": str,
    "owner": dict,
    "constants": dict,
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


BUILT = ("lookup", "text", "fields", "keys", "write")  # keys whose values are not taken as they are
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
    "provider": str,
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
class Reader:
    """Reads the entries of a table. They may name these lookups, and the provider's facts type their arguments."""

    def __init__(self, lookups: Mapping[str, Lookup], providers: Providers) -> None:
        self.lookups, self.providers = lookups, providers

    def rule(self, path: Path, given: Any, schema: catalog.Property | None, resource: str, block: str = "") -> Rule:
        if isinstance(given, str):
            given = {"to": given}
        given = checked_map(path, given, RULE_KEYS)
        if sum(bool(given.get(k)) for k in WAYS) != 1 and "hook" not in given:
            raise TableError(path, f"exactly one of {', '.join(WAYS[:-1])} and {WAYS[-1]} is required")
        extended(path, given)
        if "each" in given:
            resource = given["each"]
        facts = self.providers.argument(resource, block + given["to"]) if "to" in given else None
        kind = type_of(facts["type"]) if facts else self.of_heat(schema or {}, resource)
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
        text = joined((*path, "text"), given["text"]) if "text" in given else None
        simple = {k: given[k] for k in RULE_KEYS if k in given and k not in BUILT}
        return Rule(**simple, type=kind, lookup=found, text=text, fields=fields, keys=keys or None, write=write)

    def of_heat(self, schema: catalog.Property, resource: str) -> Type:
        """The type of an argument without facts: what Heat says of the property. Nothing is said of what is inside."""
        if (
            resource
            and self.providers.find(resource) is None
            and ("fields" in schema or "fields" in schema.get("items", {}))
        ):
            return ANY
        return FROM_HEAT.get(schema.get("type", "string"), STRING)

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
        resource, hook = given.get("resource", ""), given.get("hook", "")
        if treatment == "provider":
            if not resource or "reference" in given or "provider" in given:
                raise TableError((name,), "a provider needs resource, and takes no reference and no provider")
            resource, hook = CONFIGURATION + resource, "provider_configuration"
        if treatment == "dropped":
            if not given.get("why") or set(given) - {"treatment", "why"}:
                raise TableError((name,), "a dropped type has only why, the reason")
            hook = "dropped_resource"
        reference = given.get("reference", "")
        if isinstance(reference, str):
            reference = {"to": reference}
        checked_map((name, "reference"), reference, REFERENCE_KEYS)
        text, whole = reference.get("text", ""), None
        if "${" in text and "to" not in reference:
            text, whole = "", joined((name, "reference", "text"), text)
        elif "text" in reference and ("to" in reference or text not in ("name", "generated")):
            message = 'text must be name, generated or a text such as "/${partition}/${name}", and excludes to'
            raise TableError((name, "reference"), message)
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
            text,
            whole,
            {
                word: self.rule((name, "properties", word), row, schema.get(word), resource)
                for word, row in checked_map((name, "properties"), given.get("properties", {})).items()
            },
            attributes,
            show,
            given.get("constants") or {},
            hook,
            given.get("finish", ""),
            words((name, "named"), given.get("named", ())),
            given.get("differs", ""),
            given.get("why", ""),
            words((name, "stays_with"), given.get("stays_with", ())),
            other(name, given["prefer"]) if "prefer" in given else None,
            given.get("provider", ""),
        )


def words(path: Path, given: Any) -> tuple[str, ...]:
    """A list of strings."""
    if wrong := [one for one in given if not isinstance(one, str)]:
        raise TableError(path, f"{wrong[0]} must be a string")
    return tuple(given)


def extended(path: Path, given: Mapping[str, Any]) -> None:
    """Checks keys of a rule that stand only beside some others. A hook may take any."""
    for key, ways in () if "hook" in given else BESIDE.items():
        if key in given and not any(way in given for way in ways):
            raise TableError((*path, key), f"{key} stands only beside {' or '.join(ways)}")
    if "text" in given and (wrong := [key for key in given if key not in ALONE]):
        raise TableError((*path, wrong[0]), f"text stands only beside to, and not beside {wrong[0]}")
    if "text" in given and "to" not in given:
        raise TableError((*path, "text"), "text needs to, the argument that gets it")
    if "each" not in given and (wrong := [key for key in OF_EACH if key in given]):
        raise TableError((*path, wrong[0]), f"{wrong[0]} stands only beside each")
    if "each" in given:
        if ("item" in given) == ("fields" in given):
            raise TableError(path, "each needs item, the argument for an item, or fields, the rules for its fields")
        for argument, attribute in given.get("owner", {}).items():
            if not isinstance(attribute, str):
                raise TableError((*path, "owner", argument), "this must be an attribute of the main resource")


PLACEHOLDER = re.compile(r"\$\$\{|\$\{([^{}]*)\}|\$\{")


def joined(path: Path, text: str) -> Joined:
    """A text with properties: `${name}` stands for the value of one, and `$${` for `${` itself."""
    parts: list[tuple[str, str]] = []
    literal, at = "", 0
    for found in PLACEHOLDER.finditer(text):
        literal += text[at : found.start()]
        at = found.end()
        if found[0] == "$${":
            literal += "${"
            continue
        if not (found[1] or "").strip():
            raise TableError(path, f"{found[0]} names no property", "Write ${name}; $${ stands for ${ itself.")
        parts.append((literal, found[1].strip()))
        literal = ""
    if not parts:
        raise TableError(path, "the text names no property", "Write ${name} for the value of the property name.")
    literal += text[at:]
    return Joined((*parts, *([(literal, "")] if literal else [])))


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
        words((key, "of"), given.get("of", ())),
        given.get("ids", UUID),
        tuple(given.get("with", {}).items()),
    )
