"""Reads property values as a resource's plug-in does, and collects the problems with them.

Invariant: the order of reading is Heat's (`heat.engine.properties`, `heat.engine.translation`), oddities included: null
is a value, and values under deprecated names are read first. A value that only a running stack has is UNKNOWN: every
type and constraint accepts it, and the values around it are still checked.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias

from transpile.model import ir
from transpile.model.budget import Budget
from transpile.model.records import node, record, replace
from transpile.schema import catalog, coercion, constraints
from transpile.schema.parameters import read_limit

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
class PropertyProblem:
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


def read_properties(
    facts: catalog.TypeFacts,
    values: Mapping[str, Any],
    description: str | None = None,
    *,
    checked: bool = True,
    budget: Budget,
) -> tuple[dict[str, Any], list[PropertyProblem]]:
    """The properties of a resource as its plug-in sees them, and all problems that Heat finds when it creates a stack.

    `values`: resolved values, with UNKNOWN parts; `description`: that of the resource, which some types also have as a
    property. A property without a value is None; a property whose value does not have its type is left out. `checked`:
    constraints are checked, too; `budget`: pays for patterns.
    """
    if facts.get("any") or facts.get("retired"):
        return {}, []
    reader, values = PropertyReader(budget=budget), keep_schema_properties(facts, values)
    properties = reader.read_fields(
        facts.get("properties", {}), values, (), checked=checked, description=description or None
    )
    return {name: value for name, value in properties.items() if value is not BROKEN}, reader.collect_problems(values)


def check_properties(facts: catalog.TypeFacts, values: Mapping[str, Any], budget: Budget) -> list[PropertyProblem]:
    """All problems with a resource's properties. Faster than `read_properties`: properties that cannot have a problem
    are not read.
    """
    if facts.get("any") or facts.get("retired"):
        return []
    reader, values = PropertyReader(sparse=True, budget=budget), keep_schema_properties(facts, values)
    reader.read_fields(facts.get("properties", {}), values, (), checked=True)
    return reader.collect_problems(values) if reader.problems else []


def keep_schema_properties(facts: catalog.TypeFacts, values: Mapping[str, Any]) -> Mapping[str, Any]:
    """The values of properties that the schema has. Of an `open` schema, which a plug-in may extend, others are left
    out.
    """
    if not facts.get("open"):
        return values
    return {name: value for name, value in values.items() if name in facts["properties"]}


def read_typed_value(
    schema: catalog.PropertySchema,
    value: Any,
    path: tuple[Step, ...] = (),
    *,
    checked: bool = True,
    budget: Budget,
) -> tuple[Any, list[PropertyProblem]]:
    """A value as a property with that schema reads it, and the problems with it. `checked`: constraints are checked,
    too.
    """
    reader = PropertyReader(budget=budget)
    result = reader.read_value(schema, value, path, checked=checked)
    return (None if result is BROKEN else result), reader.problems


def schemas_of_parameters(parameters: Mapping[str, ir.Param]) -> dict[str, catalog.PropertySchema]:
    """The property schemas of a template used as a resource type: one for each parameter.

    Defaults are not copied: a property that is left out stays unset, and the template's own default applies.
    """
    schemas: dict[str, catalog.PropertySchema] = {}
    for name, param in parameters.items():
        kind = PROPERTY_TYPES[param.type]
        schemas[name] = {"type": kind, "update": True}
        if param.default is None:
            schemas[name]["required"] = True
        if kind in ("list", "map"):
            schemas[name]["converts"] = True
        if param.constraints:
            schemas[name]["constraints"] = [
                [
                    constraint.kind,
                    limits_of_constraint(constraint),
                    *([constraint.description] if constraint.description else []),
                ]
                for constraint in param.constraints
            ]
    return schemas


def limits_of_constraint(constraint: ir.Constraint) -> Any:
    """The limits of a constraint as plain data, with the minimum and maximum as numbers."""
    if constraint.kind in ("length", "range", "modulo") and isinstance(constraint.value, ir.Map):
        return {e.key: read_limit(e.value) for e in constraint.value.entries}
    return ir.to_data(constraint.value)


PROPERTY_TYPES: Mapping[str, str] = {
    "string": "string",
    "number": "number",
    "boolean": "boolean",
    "comma_delimited_list": "list",
    "json": "map",
}


MOVING_KEYS = frozenset(
    ("typed_by", "gone", "alias", "takes", "adds")
)  # schema keys by which other properties affect the value

GIVING_KEYS = MOVING_KEYS | {"default", "required", "unread"}  # those by which a property that is not set is not None


class PropertyReader:
    """Reads the properties of one resource and collects problems. `sparse`: skips properties that cannot have a
    problem; `budget`: pays for patterns.
    """

    def __init__(self, *, sparse: bool = False, budget: Budget) -> None:
        self.budget = budget
        self.problems: list[PropertyProblem] = []
        self.sparse = sparse

    def collect_problems(self, values: Mapping[str, Any]) -> list[PropertyProblem]:
        """The problems, each once. A problem is `late` if the value of its property contains UNKNOWN."""
        problems = dict.fromkeys(self.problems)
        late = {
            key for key in {str(p.path[0]) for p in problems if p.kind in LATE} if contains_unknown(values.get(key))
        }
        return [replace(p, late=True) if p.kind in LATE and str(p.path[0]) in late else p for p in problems]

    def report_problem(self, kind: Kind, path: tuple[Step, ...], message: str) -> _Broken:
        self.problems.append(PropertyProblem(path, message, kind))
        return BROKEN

    # the properties of a resource or map

    def read_fields(
        self,
        schemas: Mapping[str, catalog.PropertySchema],
        values: Mapping[str, Any],
        path: tuple[Step, ...],
        *,
        checked: bool,
        description: str | None = None,
    ) -> dict[str, Any]:
        if checked and not values.keys() <= schemas.keys():
            self.problems += find_unknown(schemas, values, path)
        names: Iterable[str] = schemas
        if self.sparse:
            names = [name for name in find_watched(schemas).required if name not in values]
            names += [name for name in values if name in schemas]
        out: dict[str, Any] = {}
        absent = find_watched(schemas).absent
        for name in names:
            if name not in values and name in absent:
                out[name] = absent[name]
            elif name in values and MOVING_KEYS.isdisjoint(schemas[name]):  # the common case
                out[name] = self.read_value(schemas[name], values[name], (*path, name), checked=checked)
            else:
                out[name] = self.read_field(schemas, name, values, path, checked=checked, description=description)
        if checked and find_watched(schemas).unimplemented:
            self.problems += find_unimplemented(schemas, values, path)
        return out

    def read_field(
        self,
        schemas: Mapping[str, catalog.PropertySchema],
        name: str,
        values: Mapping[str, Any],
        path: tuple[Step, ...],
        *,
        checked: bool,
        description: str | None = None,
    ) -> Any:
        """A property's value: its own, one taken from another property, or its default."""
        schema, here = schemas[name], (*path, name)
        if "typed_by" in schema:
            schema = self.resolve_type(schemas, schema, values, path)
        is_moved = self.moves_elsewhere(schemas, name, values, path)
        if is_moved is not False:
            return self.read_own_value(schema, name, {}, path, checked=False) if is_moved else BROKEN
        is_set = name in values
        value = values.get(name)
        if "takes" in schema:
            value = self.take_other_value(schemas, name, value, values, path, checked=checked and not is_set)
        elif "adds" in schema:
            value = self.add_item(schemas, name, value, values, path)
        if value is BROKEN:
            return BROKEN
        if is_set:
            return self.read_value(schema, value, here, checked=checked)
        if value is not None:
            return self.read_value(schema, value, here, checked=False)
        if name == "description" and schema.get("update") and not schema.get("required") and "default" not in schema:
            return description
        return self.read_own_value(schema, name, values, path, checked=checked)

    def read_own_value(
        self,
        schema: catalog.PropertySchema,
        name: str,
        values: Mapping[str, Any],
        path: tuple[Step, ...],
        *,
        checked: bool,
    ) -> Any:
        """The value that a property has itself: the one that is set, else its default."""
        here = (*path, name)
        if name in values:
            return self.read_value(schema, values[name], here, checked=checked)
        if "default" in schema:
            return self.read_value(schema, None, here, checked=checked)
        if "default" in schema.get("unread", ()):
            return UNKNOWN
        return self.report_problem("required", here, f"{name} is required") if schema.get("required") else None

    def moves_elsewhere(
        self,
        schemas: Mapping[str, catalog.PropertySchema],
        name: str,
        values: Mapping[str, Any],
        path: tuple[Step, ...],
    ) -> bool | None:
        """Whether the value of a property moves to another property; None if the value cannot be read."""
        schema = schemas[name]
        if schema.get("gone") == "given":
            value = self.read_own_value(schema, name, values, path, checked=False)
            return None if value is BROKEN else bool(value)
        return "alias" in schema or "gone" in schema

    def resolve_type(
        self,
        schemas: Mapping[str, catalog.PropertySchema],
        schema: catalog.PropertySchema,
        values: Mapping[str, Any],
        path: tuple[Step, ...],
    ) -> catalog.PropertySchema:
        kind = self.read_own_value(schemas[schema["typed_by"]], schema["typed_by"], values, path, checked=False)
        return {**schema, "type": PROPERTY_TYPES[kind]} if isinstance(kind, str) and kind in PROPERTY_TYPES else schema

    def take_other_value(
        self,
        schemas: Mapping[str, catalog.PropertySchema],
        name: str,
        value: Any,
        values: Mapping[str, Any],
        path: tuple[Step, ...],
        *,
        checked: bool,
    ) -> Any:
        """The value of a property that has a deprecated name: the value under that name, if there is one. Reports a
        problem if both names have a value.
        """
        source = schemas[name]["takes"]
        old, *steps = source["path"]
        if source.get("raw"):
            try:
                old_value = value_at_path(values, source["path"])
            except TypeError:
                return self.report_problem(
                    "type", (*path, old), f"{constraints.shorten_repr(values[old])} is not a map"
                )
        else:
            old_value = self.read_own_value(schemas[old], old, values, path, checked=checked)
        if old_value is BROKEN or (old_value is UNKNOWN and value is not None):
            return old_value
        if old_value and value and value is not UNKNOWN:
            both = f"{name} and {'.'.join([old, *steps])} are the same property, and only one of them can have a value"
            return self.report_problem("both", (*path, name), both)
        return value if old_value is None else old_value

    def add_item(
        self,
        schemas: Mapping[str, catalog.PropertySchema],
        name: str,
        value: Any,
        values: Mapping[str, Any],
        path: tuple[Step, ...],
    ) -> Any:
        """The list with the one item that another property adds, such as `sequence` of OS::Heat::RandomString. Heat
        refuses the property if both are set.
        """
        adds = schemas[name]["adds"]
        other = self.read_own_value(schemas[adds["of"]], adds["of"], values, path, checked=False)
        if not other or other is BROKEN or other is UNKNOWN:
            return UNKNOWN if other is UNKNOWN else value
        if name in values:
            both = f"{name} and {adds['of']} are the same property, and only one of them can be set"
            return self.report_problem("both", (*path, name), both)
        return [{adds["key"]: other, **adds["more"]} if "key" in adds else other]

    # the value of a property

    def read_value(self, schema: catalog.PropertySchema, value: Any, path: tuple[Step, ...], *, checked: bool) -> Any:
        """A value converted to its schema, with all its parts; BROKEN if it has the wrong type."""
        if value is UNKNOWN:
            return UNKNOWN
        kind = schema.get("type", "any")
        if kind == "map":
            value = self.read_map(schema, value, path, checked=checked)
        elif kind == "list":
            value = self.read_list(schema, value, path, checked=checked)
        elif kind != "any":
            try:
                value = coercion.SCALARS[kind](schema.get("default") if value is None else value)
            except (ValueError, TypeError, OverflowError):
                return self.report_problem(
                    "type", path, f"{constraints.shorten_repr(value)} is not {coercion.NOUNS[kind]}"
                )
        if checked and "constraints" in schema and value is not BROKEN and value is not UNKNOWN:
            self.check_constraints(schema, value, path)
        return value

    def read_map(self, schema: catalog.PropertySchema, value: Any, path: tuple[Step, ...], *, checked: bool) -> Any:
        if value is None:
            value = schema.get("default", {})
        if not isinstance(value, dict):
            if schema.get("converts") and isinstance(value, str):
                return value
            if schema.get("converts") and isinstance(value, list):
                return UNKNOWN if contains_unknown(value) else json.dumps(value)
            return self.report_problem("type", path, f"{constraints.shorten_repr(value)} is not a map")
        if "fields" not in schema:
            return dict(value)
        fields = self.read_fields(schema["fields"], value, path, checked=checked)
        return BROKEN if BROKEN in fields.values() else fields

    def read_list(self, schema: catalog.PropertySchema, value: Any, path: tuple[Step, ...], *, checked: bool) -> Any:
        if value is None:
            value = schema.get("default") or []
        if schema.get("converts") and isinstance(value, str):
            value = value.split(",") if value else []
        if not isinstance(value, list):
            return self.report_problem("type", path, f"{constraints.shorten_repr(value)} is not a list")
        if "items" not in schema:
            return list(value)
        items = [self.read_value(schema["items"], item, (*path, i), checked=checked) for i, item in enumerate(value)]
        if checked and items and not schema["items"].get("implemented", True):
            self.report_problem("unimplemented", (*path, 0), "Heat does not implement items of this list")
        return BROKEN if BROKEN in items else items

    def check_constraints(self, schema: catalog.PropertySchema, value: Any, path: tuple[Step, ...]) -> None:
        """Reports the first constraint that the value violates. UNKNOWN items of a list satisfy all constraints."""
        partly = isinstance(value, list) and UNKNOWN in value
        for kind, limits, *description in schema["constraints"]:
            if partly and kind != "length":
                if kind != "allowed_values":
                    continue
                checked_value: Any = [item for item in value if item is not UNKNOWN]
            else:
                checked_value = value
            convert = coercion.ALLOWED.get(schema["type"], lambda limit: limit)
            reason = constraints.explain_failure(kind, limits, checked_value, convert, budget=self.budget)
            if reason:
                self.report_problem("constraint", path, description[0] if description else reason)
                return


@record
class WatchedSchemas:
    """The properties of a type that can have a problem even if they are not set, the values of those that are not set
    as far as nothing else decides them, and whether Heat leaves some of its properties unimplemented.
    """

    schemas: Mapping[str, catalog.PropertySchema]
    required: Sequence[str]
    absent: Mapping[str, Any]
    unimplemented: bool


WATCHED_SCHEMAS: dict[int, WatchedSchemas] = {}


def find_watched(schemas: Mapping[str, catalog.PropertySchema]) -> WatchedSchemas:
    """The WatchedSchemas of a type, computed once. The key is the identity of the schemas: a dict has no hash."""
    watched = WATCHED_SCHEMAS.get(id(schemas))
    if watched is None or watched.schemas is not schemas:
        if len(WATCHED_SCHEMAS) > 1000:  # schemas of nested templates are short-lived
            WATCHED_SCHEMAS.clear()
        names = [n for n, s in schemas.items() if s.get("required") or "takes" in s or "adds" in s]
        absent = {n: value for n, s in schemas.items() if n != "description" for value in constant_default(s)}
        has_unimplemented = any(not s.get("implemented", True) for s in schemas.values())
        watched = WATCHED_SCHEMAS[id(schemas)] = WatchedSchemas(schemas, names, absent, has_unimplemented)
    return watched


def constant_default(schema: catalog.PropertySchema) -> tuple[Any, ...]:
    """The value of a property that is not set: None, or a scalar that Heat accepts. Empty if it needs another look each
    time.
    """
    giving = schema.keys() & GIVING_KEYS
    if not giving:
        return (None,)
    patterns = any(constraint[0] == "allowed_pattern" for constraint in schema.get("constraints", ()))
    if giving != {"default"} or schema.get("type") not in coercion.SCALARS or patterns:
        return ()
    reader = PropertyReader(budget=Budget())
    value = reader.read_value(schema, None, (), checked=True)
    return () if reader.problems else (value,)


def find_unknown(
    schemas: Mapping[str, catalog.PropertySchema], names: Iterable[str], path: tuple[Step, ...]
) -> Iterable[PropertyProblem]:
    return [
        PropertyProblem((*path, key), f"there is no property {key}", "unknown") for key in names if key not in schemas
    ]


def find_unimplemented(
    schemas: Mapping[str, catalog.PropertySchema], names: Iterable[str], path: tuple[Step, ...]
) -> Iterable[PropertyProblem]:
    missing = [key for key in names if key in schemas and not schemas[key].get("implemented", True)]
    return [PropertyProblem((*path, key), f"Heat does not implement {key}", "unimplemented") for key in missing]


def contains_unknown(value: Any) -> bool:
    """Whether a value is UNKNOWN, or has a part that is."""
    if isinstance(value, dict):
        return any(map(contains_unknown, value.values()))
    return any(map(contains_unknown, value)) if isinstance(value, list) else value is UNKNOWN


def value_at_path(value: Any, path: list[str]) -> Any:
    """The value at a path, as it is written; None if there is none. For a list on the way, the result is the list of
    the values in its items. Raises TypeError for an item that is not a map.
    """
    if not value or value is UNKNOWN:
        return UNKNOWN if value is UNKNOWN else None
    inner = value[path[0]] if isinstance(value, dict) and path[0] in value else None
    if not isinstance(value, dict):
        raise TypeError
    if len(path) == 1 or inner is None:
        return inner
    if isinstance(inner, list):
        return [value_at_path(item, path[1:]) for item in inner]
    return value_at_path(inner, path[1:]) if isinstance(inner, dict) or inner is UNKNOWN else None
