"""Models Heat's own classes: schemas, constraints, support statuses, translation rules, and the resource classes from
which plug-ins derive theirs.

Invariant: the facts are those of one release of Heat (`heat.json`, the catalog); the names that older releases used are
accepted, too. Arguments that Heat certainly refuses raise Raised.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from transpile.plugins import inherited
from transpile.plugins.inherited import RESOURCE, read_heat_facts
from transpile.plugins.machine import PluginMachine
from transpile.plugins.values import (
    MISSING,
    BuiltinValue,
    ClassValue,
    InstanceValue,
    NodePlace,
    OpaqueValue,
    Raised,
    TableValue,
    Value,
    holds_unknown,
    is_opaque,
)

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
REQUIRED_ARGUMENTS = {
    "property": "data_type",
    "allowed_values": "allowed",
    "allowed_pattern": "pattern",
    "rule": "rule",
}


def make_heat_instance(
    run: PluginMachine, cls: ClassValue, makes: str, arguments: list[Value], named: dict[str, Value], place: NodePlace
) -> InstanceValue:
    """An instance of one of Heat's classes. Raises Raised for arguments that Heat refuses."""
    names = ARGUMENTS[makes]
    if len(arguments) > len(names):
        raise Raised("TypeError", f"{cls.name} gets too many arguments", place)
    fields = dict(zip(names, arguments, strict=False))
    for name, value in named.items():
        if name in fields or (name not in names and makes not in ("option", "group")):
            raise Raised("TypeError", f"{cls.name} got an unexpected argument {name}", place)
        fields[name] = value
    if (needed := REQUIRED_ARGUMENTS.get(makes)) and needed not in fields:
        raise Raised("TypeError", f"{cls.name} misses an argument {needed}", place)
    check_arguments(makes, fields, place)
    if makes == "allowed_values" and isinstance(fields["allowed"], list):
        fields["allowed"] = tuple(fields["allowed"])  # as Heat does: later changes of the list are not seen
    if makes == "property" and fields.get("constraints") == []:
        fields["constraints"] = run.journal.track_new([])  # Heat keeps a list of constraints, but not an empty one
    if makes == "property":  # the attribute of Heat's object has another name than the argument
        fields["type"] = fields.pop("data_type")
    out = run.journal.track_new(InstanceValue(cls, makes, fields, place))
    run.journal.track_new(fields)
    return out


def check_arguments(makes: str, fields: dict[str, Value], place: NodePlace) -> None:
    """Raises Raised for arguments that Heat refuses."""
    kind = fields.get("data_type", fields.get("type"))
    if makes == "property":
        if not is_opaque(kind) and (not isinstance(kind, str) or kind not in TYPES):
            displayed = kind if isinstance(kind, str | int | float | None) else "a value"
            raise Raised("InvalidSchemaError", f"Invalid type ({displayed})", place)
        inner = fields.get("schema")
        if isinstance(inner, InstanceValue) and not is_opaque(kind) and kind != "List":
            raise Raised("InvalidSchemaError", f"Single schema valid only for List, not {kind}", place)
        if isinstance(inner, TableValue | InstanceValue) and not is_opaque(kind) and kind not in ("List", "Map"):
            raise Raised("InvalidSchemaError", f"Schema valid only for List or Map, not {kind}", place)
    elif makes in ("range", "length"):
        if fields.get("min") is None and fields.get("max") is None:
            raise Raised("InvalidSchemaError", f"A {makes} constraint must have a min or a max value", place)
    elif makes == "attribute" and isinstance(kind, str) and kind not in ("String", "Map", "List", "Integer", "Boolean"):
        fields["refused"] = f"Invalid type ({kind[:40]})"
    elif makes == "allowed_values" and isinstance(fields["allowed"], str | int | float | None):
        raise Raised("InvalidSchemaError", "AllowedValues must be a list", place)


def read_constraint(instance: InstanceValue) -> tuple[list[Any] | None, OpaqueValue | None]:
    """A constraint in the form of the catalog, or the reason why it is unknown: `["range", {"min": 1}, "too small"],
    None`. The description, with which Heat refuses a value, is left out if there is none.
    """
    constraint, why = read_limits(instance)
    words = instance.fields.get("description")
    return ([*constraint, words] if constraint is not None and isinstance(words, str) and words else constraint), why


def read_limits(instance: InstanceValue) -> tuple[list[Any] | None, OpaqueValue | None]:
    """The kind and the limits of a constraint, or the reason why they are unknown."""
    keys = {"range": ("min", "max"), "length": ("min", "max"), "modulo": ("step", "offset")}.get(instance.makes)
    if keys:
        limits = {key: instance.fields.get(key) for key in keys}
        for value in limits.values():
            if isinstance(value, OpaqueValue):
                return None, value
            if not isinstance(value, int | float | None):
                return None, OpaqueValue("a limit is no number", instance.place)
        return [instance.makes, {key: value for key, value in limits.items() if value is not None}], None
    value = next(iter(instance.fields.get(key, MISSING) for key in ARGUMENTS[instance.makes][:1]))
    if isinstance(value, tuple | set | list):
        value = sorted(value, key=repr) if isinstance(value, set) else list(value)
    elif isinstance(value, TableValue) and value.unknown is None:  # d.keys() and others in Python 2
        value = list(value)
    if holds_unknown(value):
        unknown = next((v for v in value if isinstance(v, OpaqueValue)), None) if isinstance(value, list) else value
        return None, unknown if isinstance(unknown, OpaqueValue) else OpaqueValue(
            "its values are not known", instance.place
        )
    expected_type = list if instance.makes == "allowed_values" else str
    if not isinstance(value, expected_type):
        return None, OpaqueValue("its argument is not read", instance.place)
    return [instance.makes, value], None


class Knowledge:
    """Heat's classes for one reading; each reading has its own, because a plug-in may change them. `schemas`: the
    classes of schemas of properties and attributes, of constraints by kind, and of support statuses.
    """

    def __init__(self, schemas: Mapping[str, ClassValue]) -> None:
        self.classes: dict[str, ClassValue | None] = {}
        self.parts: dict[str, TableValue] = {}
        self.schemas = schemas

    def resource_class(self, path: str) -> ClassValue | None:
        """One of Heat's own resource classes by its dotted path; None if Heat has no such class."""
        if path not in self.classes:
            self.classes[path] = self._build_class(path)
        return self.classes[path]

    def find_schema_part(self, path: str) -> TableValue | None:
        """A part of a schema that Heat keeps in a module of its own."""
        location = inherited.PARTS.get(path)
        if location is None:
            return None
        if path not in self.parts:
            self.parts[path] = inherited.build_schema_part(*location, self.schemas)
        return self.parts[path]

    def _build_class(self, path: str) -> ClassValue | None:
        entry = read_heat_facts()["classes"].get(path)
        if entry is None:
            return None
        module, _, name = path.rpartition(".")
        names = {key: tuple(v) if isinstance(v, list) else v for key, v in entry.get("constants", {}).items()}
        cls = ClassValue(name, module, names)
        cls.heat_facts = entry
        if path == RESOURCE:
            cls.names.update(build_resource_methods())
            return cls
        cls.mro = [
            base_class for base in entry.get("bases", ()) if (base_class := self.resource_class(base)) is not None
        ]
        root = self.resource_class(RESOURCE)
        if root is not None and not entry.get("mixin"):
            cls.mro.append(root)
        cls.names.update(inherited.build_class_names(entry, path, self.schemas))
        return cls


def make_token_method(name: str) -> BuiltinValue:
    """A method whose result is a token: it stands for the identifier of a resource, or for its name."""
    return BuiltinValue(name, lambda run, place, arguments, named: TOKENS[name])


TOKENS = {
    "id": OpaqueValue("the identifier of the resource", None),
    "name": OpaqueValue("the name of the resource", None),
}


def build_resource_methods() -> dict[str, Value]:
    """The attributes and methods of `heat.engine.resource.Resource` that plug-ins inherit."""
    return {
        "physical_resource_name": make_token_method("name"),
        "physical_resource_name_or_FnGetRefId": make_token_method("name"),
        "get_reference_id": make_token_method("id"),
        "FnGetRefId": make_token_method("id"),
        "translation_rules": BuiltinValue("translation_rules", lambda run, place, arguments, named: []),
        "attributes_schema": TableValue(),
        "update_policy_schema": TableValue(),
        "support_status": None,
        "physical_resource_name_limit": 255,
        "default_client_name": None,
        "required_service_extension": None,
    }
