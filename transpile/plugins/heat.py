"""Models Heat's own classes: schemas, constraints, support statuses, translation rules, and the resource classes from
which plug-ins derive theirs.

Invariant: the facts are those of one release of Heat (`heat.json`, the catalog); the names that older releases used are
accepted, too. Arguments that Heat certainly refuses raise Raised.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from transpile.plugins import inherited
from transpile.plugins.inherited import RESOURCE, data
from transpile.plugins.values import MISSING, Builtin, Class, Instance, Opaque, Raised, Table, holds, is_opaque

if TYPE_CHECKING:
    from collections.abc import Mapping

    from transpile.plugins.machine import Machine
    from transpile.plugins.values import Place, Value

TYPES = ("Integer", "String", "Number", "Boolean", "Map", "List", "Any")
STATUSES = ("UNKNOWN", "SUPPORTED", "DEPRECATED", "UNSUPPORTED", "HIDDEN")
# The kinds of instances, and the names of the arguments of their classes by position.
ARGUMENTS: Mapping[str, tuple[str, ...]] = {
    "property": (
        "data_type", "description", "default", "schema", "required", "constraints", "implemented", "update_allowed",
        "immutable", "support_status", "allow_conversion",
    ),
    "attribute": ("description", "support_status", "cache_mode", "type"),
    "range": ("min", "max", "description"),
    "length": ("min", "max", "description"),
    "modulo": ("step", "offset", "description"),
    "allowed_values": ("allowed", "description"),
    "allowed_pattern": ("pattern", "description"),
    "custom_constraint": ("name", "description", "environment"),
    "support": ("status", "message", "version", "previous_status", "substitute_class"),
    "rule": (
        "properties", "rule", "translation_path", "value", "value_name", "value_path", "client_plugin", "finder",
        "entity", "custom_value_path",
    ),
    "option": ("name",),
    "group": ("name",),
}  # fmt: skip
NEEDED = {"property": "data_type", "allowed_values": "allowed", "allowed_pattern": "pattern", "rule": "rule"}


def made(
    run: Machine, cls: Class, makes: str, arguments: list[Value], named: dict[str, Value], place: Place
) -> Instance:
    """An instance of one of Heat's classes. Raises Raised for arguments that Heat refuses."""
    names = ARGUMENTS[makes]
    if len(arguments) > len(names):
        raise Raised("TypeError", f"{cls.name} gets too many arguments", place)
    fields = dict(zip(names, arguments, strict=False))
    for name, value in named.items():
        if name in fields or (name not in names and makes not in ("option", "group")):
            raise Raised("TypeError", f"{cls.name} got an unexpected argument {name}", place)
        fields[name] = value
    if (needed := NEEDED.get(makes)) and needed not in fields:
        raise Raised("TypeError", f"{cls.name} misses an argument {needed}", place)
    refused(makes, fields, place)
    if makes == "property":  # the attribute of Heat's object has another name than the argument
        fields["type"] = fields.pop("data_type")
    out = run.journal.new(Instance(cls, makes, fields, place))
    run.journal.new(fields)
    return out


def refused(makes: str, fields: dict[str, Value], place: Place) -> None:
    """Raises Raised for arguments that Heat refuses."""
    kind = fields.get("data_type", fields.get("type"))
    if makes == "property":
        if not is_opaque(kind) and (not isinstance(kind, str) or kind not in TYPES):
            shown = kind if isinstance(kind, str | int | float | None) else "a value"
            raise Raised("InvalidSchemaError", f"Invalid type ({shown})", place)
        inner = fields.get("schema")
        if isinstance(inner, Instance) and not is_opaque(kind) and kind != "List":
            raise Raised("InvalidSchemaError", f"Single schema valid only for List, not {kind}", place)
        if isinstance(inner, Table | Instance) and not is_opaque(kind) and kind not in ("List", "Map"):
            raise Raised("InvalidSchemaError", f"Schema valid only for List or Map, not {kind}", place)
    elif makes in ("range", "length"):
        if fields.get("min") is None and fields.get("max") is None:
            raise Raised("InvalidSchemaError", f"A {makes} constraint must have a min or a max value", place)
    elif makes == "attribute" and isinstance(kind, str) and kind not in ("String", "Map", "List", "Integer", "Boolean"):
        fields["refused"] = f"Invalid type ({kind[:40]})"
    elif makes == "allowed_values" and isinstance(fields["allowed"], str | int | float | None):
        raise Raised("InvalidSchemaError", "AllowedValues must be a list", place)


def constraint(one: Instance) -> tuple[list[Any] | None, Opaque | None]:
    """A constraint in the form of the catalog, or the reason why it is unknown: `["range", {"min": 1}], None`."""
    keys = {"range": ("min", "max"), "length": ("min", "max"), "modulo": ("step", "offset")}.get(one.makes)
    if keys:
        limits = {key: one.fields.get(key) for key in keys}
        for value in limits.values():
            if isinstance(value, Opaque):
                return None, value
            if not isinstance(value, int | float | None):
                return None, Opaque("a limit is no number", one.place)
        return [one.makes, {key: value for key, value in limits.items() if value is not None}], None
    value = next(iter(one.fields.get(key, MISSING) for key in ARGUMENTS[one.makes][:1]))
    if isinstance(value, tuple | set | list):
        value = sorted(value, key=repr) if isinstance(value, set) else list(value)
    elif isinstance(value, Table) and value.unknown is None:  # d.keys() and others in Python 2
        value = list(value)
    if holds(value):
        found = next((v for v in value if isinstance(v, Opaque)), None) if isinstance(value, list) else value
        return None, found if isinstance(found, Opaque) else Opaque("its values are not known", one.place)
    wanted = list if one.makes == "allowed_values" else str
    if not isinstance(value, wanted):
        return None, Opaque("its argument is not read", one.place)
    return [one.makes, value], None


class Knowledge:
    """Heat's classes for one reading; each reading has its own, because a plug-in may change them. `schemas`: the
    classes of schemas of properties and attributes, of constraints by kind, and of support statuses.
    """

    def __init__(self, schemas: Mapping[str, Class]) -> None:
        self.classes: dict[str, Class | None] = {}
        self.parts: dict[str, Table] = {}
        self.schemas = schemas

    def resource_class(self, path: str) -> Class | None:
        """One of Heat's own resource classes by its dotted path; None if Heat has no such class."""
        if path not in self.classes:
            self.classes[path] = self._class(path)
        return self.classes[path]

    def part(self, path: str) -> Table | None:
        """A part of a schema that Heat keeps in a module of its own."""
        found = inherited.PARTS.get(path)
        if found is None:
            return None
        if path not in self.parts:
            self.parts[path] = inherited.part(*found, self.schemas)
        return self.parts[path]

    def _class(self, path: str) -> Class | None:
        entry = data()["classes"].get(path)
        if entry is None:
            return None
        module, _, name = path.rpartition(".")
        names = {key: tuple(v) if isinstance(v, list) else v for key, v in entry.get("constants", {}).items()}
        made = Class(name, module, names)
        made.known = entry
        if path == RESOURCE:
            made.names.update(resource_methods())
            return made
        made.mro = [found for base in entry.get("bases", ()) if (found := self.resource_class(base)) is not None]
        root = self.resource_class(RESOURCE)
        if root is not None and not entry.get("mixin"):
            made.mro.append(root)
        made.names.update(inherited.names(entry, path, self.schemas))
        return made


def token(name: str) -> Builtin:
    """A method whose result is a token: it stands for the identifier of a resource, or for its name."""
    return Builtin(name, lambda run, place, arguments, named: TOKENS[name])


TOKENS = {"id": Opaque("the identifier of the resource", None), "name": Opaque("the name of the resource", None)}


def resource_methods() -> dict[str, Value]:
    """The attributes and methods of `heat.engine.resource.Resource` that plug-ins inherit."""
    return {
        "physical_resource_name": token("name"),
        "physical_resource_name_or_FnGetRefId": token("name"),
        "get_reference_id": token("id"),
        "FnGetRefId": token("id"),
        "translation_rules": Builtin("translation_rules", lambda run, place, arguments, named: []),
        "properties_schema": Table(),
        "attributes_schema": Table(),
        "update_policy_schema": Table(),
        "support_status": None,
        "physical_resource_name_limit": 255,
        "default_client_name": None,
        "required_service_extension": None,
    }
