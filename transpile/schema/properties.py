"""Reads property values as a resource's plug-in does, and collects the problems with them.

Invariant: the order of reading is Heat's (`heat.engine.properties`, `heat.engine.translation`), oddities included: null
is a value, and values under deprecated names are read first. A value that only a running stack has is UNKNOWN: every
type and constraint accepts it, and the values around it are still checked.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from transpile.model import ir
from transpile.model.records import node, record, replace
from transpile.schema import coercion, constraints
from transpile.schema.parameters import number

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from transpile.schema import catalog

Step: TypeAlias = str | int
Kind: TypeAlias = Literal["unknown", "unimplemented", "required", "both", "type", "constraint"]
LATE: tuple[Kind, ...] = ("unknown", "unimplemented", "constraint")


class _Unknown:
    """A value that only a running stack knows."""

    def __repr__(self) -> str:
        return "UNKNOWN"


class _Broken:
    """The result for an invalid value; a Problem gives the reason."""


UNKNOWN: Final = _Unknown()
BROKEN: Final = _Broken()


@node
class Problem:
    """A value or name that Heat refuses.

    `path`: the keys and indices that lead to it. `kind`: the property does not exist ("unknown"), Heat does not
    implement it ("unimplemented"), it is missing ("required") or has a value under two names ("both"), or its value has
    the wrong "type" or violates a "constraint". `late`: Heat finds the problem only when it creates the resource,
    because the value depends on others.
    """

    path: tuple[Step, ...]
    message: str
    kind: Kind
    late: bool = False


def names(facts: catalog.Type, given: Iterable[str]) -> list[Problem]:
    """The problems that Heat finds from the names of properties alone, before it evaluates their values."""
    if facts.get("any") or facts.get("retired"):
        return []
    schemas, given = facts.get("properties", {}), list(given)
    if facts.get("open"):
        given = [name for name in given if name in schemas]
    return [*unknown(schemas, given, ()), *unimplemented(schemas, given, ())]


def properties(
    facts: catalog.Type, given: Mapping[str, Any], description: str | None = None
) -> tuple[dict[str, Any], list[Problem]]:
    """The properties of a resource as its plug-in sees them, and all problems that Heat finds when it creates a stack.

    `given`: resolved values, with UNKNOWN parts; `description`: that of the resource, which some types also have as a
    property. A property without a value is None; a property whose value does not have its type is left out.
    """
    if facts.get("any") or facts.get("retired"):
        return {}, []
    reader, given = Reader(), known(facts, given)
    found = reader.level(facts.get("properties", {}), given, (), checked=True, description=description or None)
    return {name: value for name, value in found.items() if value is not BROKEN}, reader.all(given)


def problems(facts: catalog.Type, given: Mapping[str, Any]) -> list[Problem]:
    """All problems with a resource's properties. Faster than `read_properties`: properties that cannot have a problem
    are not read.
    """
    if facts.get("any") or facts.get("retired"):
        return []
    reader, given = Reader(sparse=True), known(facts, given)
    reader.level(facts.get("properties", {}), given, (), checked=True)
    return reader.all(given) if reader.problems else []


def known(facts: catalog.Type, given: Mapping[str, Any]) -> Mapping[str, Any]:
    """The values of properties that the schema has. Of an `open` schema, which a plug-in may extend, others are left
    out.
    """
    if not facts.get("open"):
        return given
    return {name: value for name, value in given.items() if name in facts["properties"]}


def typed(
    schema: catalog.Property, value: Any, path: tuple[Step, ...] = (), *, checked: bool = True
) -> tuple[Any, list[Problem]]:
    """A value as a property with that schema reads it, and the problems with it. `checked`: constraints are checked,
    too.
    """
    reader = Reader()
    found = reader.value(schema, value, path, checked=checked)
    return (None if found is BROKEN else found), reader.problems


def of_parameters(parameters: Mapping[str, ir.Param]) -> dict[str, catalog.Property]:
    """The property schemas of a template used as a resource type: one for each parameter.

    Defaults are not copied: a property that is left out stays unset, and the template's own default applies.
    """
    out: dict[str, catalog.Property] = {}
    for name, param in parameters.items():
        kind = OF_PARAMETER[param.type]
        out[name] = {"type": kind, "update": True}
        if param.default is None:
            out[name]["required"] = True
        if kind in ("list", "map"):
            out[name]["converts"] = True
        if param.constraints:
            out[name]["constraints"] = [
                [one.kind, limits(one), *([one.description] if one.description else [])] for one in param.constraints
            ]
    return out


def limits(constraint: ir.Constraint) -> Any:
    """The limits of a constraint as plain data, with the minimum and maximum as numbers."""
    if constraint.kind in ("length", "range", "modulo") and isinstance(constraint.value, ir.Map):
        return {e.key: number(e.value) for e in constraint.value.entries}
    return ir.data(constraint.value)


OF_PARAMETER: Mapping[str, str] = {
    "string": "string",
    "number": "number",
    "boolean": "boolean",
    "comma_delimited_list": "list",
    "json": "map",
}


MOVING = frozenset(
    ("typed_by", "gone", "alias", "takes", "adds")
)  # schema keys by which other properties affect the value


class Reader:
    """Reads the properties of one resource and collects problems. `sparse`: skips properties that cannot have a
    problem.
    """

    def __init__(self, *, sparse: bool = False) -> None:
        self.problems: list[Problem] = []
        self.sparse = sparse

    def all(self, given: Mapping[str, Any]) -> list[Problem]:
        """The problems, each once. A problem is `late` if the value of its property contains UNKNOWN."""
        found = dict.fromkeys(self.problems)
        late = {key for key in {str(p.path[0]) for p in found if p.kind in LATE} if depends(given.get(key))}
        return [replace(p, late=True) if p.kind in LATE and str(p.path[0]) in late else p for p in found]

    def say(self, kind: Kind, path: tuple[Step, ...], message: str) -> _Broken:
        self.problems.append(Problem(path, message, kind))
        return BROKEN

    # the properties of a resource or map

    def level(
        self,
        schemas: Mapping[str, catalog.Property],
        given: Mapping[str, Any],
        path: tuple[Step, ...],
        *,
        checked: bool,
        description: str | None = None,
    ) -> dict[str, Any]:
        if checked and not given.keys() <= schemas.keys():
            self.problems += unknown(schemas, given, path)
        asked: Iterable[str] = schemas
        if self.sparse:
            asked = [name for name in watched(schemas).required if name not in given]
            asked += [name for name in given if name in schemas]
        out = {}
        for name in asked:
            if name in given and MOVING.isdisjoint(schemas[name]):  # the common case
                out[name] = self.value(schemas[name], given[name], (*path, name), checked=checked)
            else:
                out[name] = self.one(schemas, name, given, path, checked=checked, description=description)
        if checked and watched(schemas).unimplemented:
            self.problems += unimplemented(schemas, given, path)
        return out

    def one(
        self,
        schemas: Mapping[str, catalog.Property],
        name: str,
        given: Mapping[str, Any],
        path: tuple[Step, ...],
        *,
        checked: bool,
        description: str | None = None,
    ) -> Any:
        """A property's value: its own, one taken from another property, or its default."""
        schema, here = schemas[name], (*path, name)
        if "typed_by" in schema:
            schema = self.typed_by(schemas, schema, given, path)
        moved = self.moves(schemas, name, given, path)
        if moved is not False:
            return self.plain(schema, name, {}, path, checked=False) if moved else BROKEN
        found = name in given
        value = given.get(name)
        if "takes" in schema:
            value = self.taken(schemas, name, value, given, path, checked=checked and not found)
        elif "adds" in schema:
            value = self.added(schemas, name, value, given, path)
        if value is BROKEN:
            return BROKEN
        if found:
            return self.value(schema, value, here, checked=checked)
        if value is not None:
            return self.value(schema, value, here, checked=False)
        if name == "description" and schema.get("update") and not schema.get("required") and "default" not in schema:
            return description
        return self.plain(schema, name, given, path, checked=checked)

    def plain(
        self,
        schema: catalog.Property,
        name: str,
        given: Mapping[str, Any],
        path: tuple[Step, ...],
        *,
        checked: bool,
    ) -> Any:
        """The value that a property has itself: the one that is set, else its default."""
        here = (*path, name)
        if name in given:
            return self.value(schema, given[name], here, checked=checked)
        if "default" in schema:
            return self.value(schema, None, here, checked=checked)
        if "default" in schema.get("unread", ()):
            return UNKNOWN
        return self.say("required", here, f"{name} is required") if schema.get("required") else None

    def moves(
        self, schemas: Mapping[str, catalog.Property], name: str, given: Mapping[str, Any], path: tuple[Step, ...]
    ) -> bool | None:
        """Whether the value of a property moves to another property; None if the value cannot be read."""
        schema = schemas[name]
        if schema.get("gone") == "given":
            value = self.plain(schema, name, given, path, checked=False)
            return None if value is BROKEN else bool(value)
        return "alias" in schema or "gone" in schema

    def typed_by(
        self,
        schemas: Mapping[str, catalog.Property],
        schema: catalog.Property,
        given: Mapping[str, Any],
        path: tuple[Step, ...],
    ) -> catalog.Property:
        kind = self.plain(schemas[schema["typed_by"]], schema["typed_by"], given, path, checked=False)
        return {**schema, "type": OF_PARAMETER[kind]} if isinstance(kind, str) and kind in OF_PARAMETER else schema

    def taken(
        self,
        schemas: Mapping[str, catalog.Property],
        name: str,
        value: Any,
        given: Mapping[str, Any],
        path: tuple[Step, ...],
        *,
        checked: bool,
    ) -> Any:
        """The value of a property that has a deprecated name: the value under that name, if there is one. Reports a
        problem if both names have a value.
        """
        source = schemas[name]["takes"]
        old, *way = source["path"]
        if source.get("raw"):
            try:
                before = dug(given, source["path"])
            except TypeError:
                return self.say("type", (*path, old), f"{constraints.shown(given[old])} is not a map")
        else:
            before = self.plain(schemas[old], old, given, path, checked=checked)
        if before is BROKEN or (before is UNKNOWN and value is not None):
            return before
        if before and value and value is not UNKNOWN:
            both = f"{name} and {'.'.join([old, *way])} are the same property, and only one of them can have a value"
            return self.say("both", (*path, name), both)
        return value if before is None else before

    def added(
        self,
        schemas: Mapping[str, catalog.Property],
        name: str,
        value: Any,
        given: Mapping[str, Any],
        path: tuple[Step, ...],
    ) -> Any:
        """The list with the one item that another property adds, such as `sequence` of OS::Heat::RandomString. Heat
        refuses the property if both are set.
        """
        adds = schemas[name]["adds"]
        other = self.plain(schemas[adds["of"]], adds["of"], given, path, checked=False)
        if not other or other is BROKEN or other is UNKNOWN:
            return UNKNOWN if other is UNKNOWN else value
        if name in given:
            both = f"{name} and {adds['of']} are the same property, and only one of them can be set"
            return self.say("both", (*path, name), both)
        return [{adds["key"]: other, **adds["more"]} if "key" in adds else other]

    # the value of a property

    def value(self, schema: catalog.Property, value: Any, path: tuple[Step, ...], *, checked: bool) -> Any:
        """A value converted to its schema, with all its parts; BROKEN if it has the wrong type."""
        if value is UNKNOWN:
            return UNKNOWN
        kind = schema.get("type", "any")
        if kind == "map":
            value = self.map(schema, value, path, checked=checked)
        elif kind == "list":
            value = self.list(schema, value, path, checked=checked)
        elif kind != "any":
            try:
                value = coercion.SCALARS[kind](schema.get("default") if value is None else value)
            except (ValueError, TypeError, OverflowError):
                return self.say("type", path, f"{constraints.shown(value)} is not {coercion.NOUNS[kind]}")
        if checked and "constraints" in schema and value is not BROKEN and value is not UNKNOWN:
            self.constrain(schema, value, path)
        return value

    def map(self, schema: catalog.Property, value: Any, path: tuple[Step, ...], *, checked: bool) -> Any:
        if value is None:
            value = schema.get("default", {})
        if not isinstance(value, dict):
            if schema.get("converts") and isinstance(value, str):
                return value
            if schema.get("converts") and isinstance(value, list):
                return UNKNOWN if depends(value) else json.dumps(value)
            return self.say("type", path, f"{constraints.shown(value)} is not a map")
        if "fields" not in schema:
            return dict(value)
        found = self.level(schema["fields"], value, path, checked=checked)
        return BROKEN if BROKEN in found.values() else found

    def list(self, schema: catalog.Property, value: Any, path: tuple[Step, ...], *, checked: bool) -> Any:
        if value is None:
            value = schema.get("default") or []
        if schema.get("converts") and isinstance(value, str):
            value = value.split(",") if value else []
        if not isinstance(value, list):
            return self.say("type", path, f"{constraints.shown(value)} is not a list")
        if "items" not in schema:
            return list(value)
        found = [self.value(schema["items"], item, (*path, i), checked=checked) for i, item in enumerate(value)]
        if checked and found and not schema["items"].get("implemented", True):
            self.say("unimplemented", (*path, 0), "Heat does not implement items of this list")
        return BROKEN if BROKEN in found else found

    def constrain(self, schema: catalog.Property, value: Any, path: tuple[Step, ...]) -> None:
        """Reports the first constraint that the value violates. UNKNOWN items of a list satisfy all constraints."""
        partly = isinstance(value, list) and UNKNOWN in value
        for kind, limits, *described in schema["constraints"]:
            if partly and kind != "length":
                if kind != "allowed_values":
                    continue
                asked: Any = [item for item in value if item is not UNKNOWN]
            else:
                asked = value
            convert = coercion.ALLOWED.get(schema["type"], lambda limit: limit)
            why = constraints.failure(kind, limits, asked, convert)
            if why is not None:
                self.say("constraint", path, described[0] if described else why)
                return


@record
class Watched:
    """The properties of a type that can have a problem even if they are not set, and whether Heat leaves some of its
    properties unimplemented.
    """

    schemas: Mapping[str, catalog.Property]
    required: Sequence[str]
    unimplemented: bool


WATCHED: dict[int, Watched] = {}


def watched(schemas: Mapping[str, catalog.Property]) -> Watched:
    """The WatchedSchemas of a type, computed once. The key is the identity of the schemas: a dict has no hash."""
    known = WATCHED.get(id(schemas))
    if known is None or known.schemas is not schemas:
        if len(WATCHED) > 1000:  # schemas of nested templates are short-lived
            WATCHED.clear()
        names = [n for n, s in schemas.items() if s.get("required") or "takes" in s or "adds" in s]
        without = any(not s.get("implemented", True) for s in schemas.values())
        known = WATCHED[id(schemas)] = Watched(schemas, names, without)
    return known


def unknown(schemas: Mapping[str, catalog.Property], given: Iterable[str], path: tuple[Step, ...]) -> Iterable[Problem]:
    return [Problem((*path, key), f"there is no property {key}", "unknown") for key in given if key not in schemas]


def unimplemented(
    schemas: Mapping[str, catalog.Property], given: Iterable[str], path: tuple[Step, ...]
) -> Iterable[Problem]:
    missing = [key for key in given if key in schemas and not schemas[key].get("implemented", True)]
    return [Problem((*path, key), f"Heat does not implement {key}", "unimplemented") for key in missing]


def depends(value: Any) -> bool:
    """Whether a value is UNKNOWN, or has a part that is."""
    if isinstance(value, dict):
        return any(map(depends, value.values()))
    return any(map(depends, value)) if isinstance(value, list) else value is UNKNOWN


def dug(value: Any, path: list[str]) -> Any:
    """The value at a path, as it is written; None if there is none. For a list on the way, the result is the list of
    the values in its items. Raises TypeError for an item that is not a map.
    """
    if not value or value is UNKNOWN:
        return UNKNOWN if value is UNKNOWN else None
    found = value[path[0]] if isinstance(value, dict) and path[0] in value else None
    if not isinstance(value, dict):
        raise TypeError
    if len(path) == 1 or found is None:
        return found
    if isinstance(found, list):
        return [dug(item, path[1:]) for item in found]
    return dug(found, path[1:]) if isinstance(found, dict) or found is UNKNOWN else None
