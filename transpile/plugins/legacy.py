"""Reads schemas in their first form, dicts, which Heat still accepts; converts values of plug-ins to JSON."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from transpile.plugins import heat
from transpile.plugins.machine import PluginMachine
from transpile.plugins.values import MISSING, InstanceValue, NodePlace, OpaqueValue, Raised, TableValue, Value

LEGACY = ("Required", "Implemented", "Default", "Type", "Schema", "AllowedPattern", "MinValue", "MaxValue",
          "AllowedValues", "MinLength", "MaxLength", "Description", "UpdateAllowed", "Immutable")  # fmt: skip
ITEMS, NESTED = 20_000, 40  # of a default


class TooMuch(Exception):
    """A value is unknown or too large."""


def read_legacy_schema(run: PluginMachine, table: TableValue, place: NodePlace) -> Value:
    """The schema in a dict of the first form, as Heat reads it: `{"Type": "String", "MinLength": 1}`. An Opaque if a
    part is unknown or invalid.
    """
    if table.unknown is not None:
        return table.unknown
    strange = [key for key in table if key not in LEGACY]
    if strange:
        return OpaqueValue(f"Heat does not know the key {str(strange[0])[:40]}", place)
    names: Mapping[str, str] = {
        "Type": "data_type", "Description": "description", "Default": "default", "Required": "required",
        "Implemented": "implemented", "UpdateAllowed": "update_allowed", "Immutable": "immutable",
    }  # fmt: skip
    fields = {names[key]: value for key, value in table.items() if key in names}
    if "Schema" in table and isinstance(table["Schema"], TableValue):
        inner = table["Schema"]
        if table.get("Type") == "List":
            fields["schema"] = read_legacy_schema(run, inner, place)
        else:
            fields["schema"] = TableValue({
                key: read_legacy_schema(run, field, place) if isinstance(field, TableValue) else field
                for key, field in inner.items()
            })  # fmt: skip
    elif "Schema" in table:
        fields["schema"] = table["Schema"]
    limits = []
    for kind, least, most in (("range", "MinValue", "MaxValue"), ("length", "MinLength", "MaxLength")):
        if least in table or most in table:
            values = {key: read_amount(table.get(name)) for key, name in (("min", least), ("max", most))}
            limits.append(InstanceValue(run.schema_class(kind), kind, values, place))
    for kind, name, key in (
        ("allowed_values", "AllowedValues", "allowed"),
        ("allowed_pattern", "AllowedPattern", "pattern"),
    ):
        if name in table:
            limits.append(InstanceValue(run.schema_class(kind), kind, {key: table[name]}, place))
    fields["constraints"] = limits
    try:
        return heat.make_heat_instance(run, run.schema_class("property"), "property", [], fields, place)
    except Raised as error:
        return OpaqueValue(f"{error.name}: {error.message}", place)


def read_amount(value: Value) -> Value:
    """A limit as a number; Heat also accepts texts like "5"."""
    if not isinstance(value, str) or len(value) > 400:
        return value
    try:
        return int(value)
    except ValueError:
        try:
            return float(value)
        except ValueError:
            return OpaqueValue("a limit is no number", None)


def convert_to_json(value: Value) -> Any:
    """A value as plain data; MISSING if it is unknown or too large, None for MISSING."""
    left = [ITEMS]

    def convert_part(part: Value, depth: int) -> Any:
        left[0] -= 1
        if left[0] < 0 or depth > NESTED:
            raise TooMuch
        if isinstance(part, TableValue) and part.unknown is None:
            return {str(key): convert_part(inner, depth + 1) for key, inner in part.items()}
        if isinstance(part, list | tuple):
            return [convert_part(inner, depth + 1) for inner in part]
        if part is None or isinstance(part, str | int) or (isinstance(part, float) and math.isfinite(part)):
            return part
        raise TooMuch

    try:
        return None if value is MISSING else convert_part(value, 0)
    except TooMuch:
        return MISSING
