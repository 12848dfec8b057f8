"""Reads schemas in their first form, dicts, which Heat still accepts; converts values of plug-ins to JSON."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from transpile.plugins import heat
from transpile.plugins.values import MISSING, Instance, Opaque, Place, Raised, Table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from transpile.plugins.machine import Machine
    from transpile.plugins.values import Value

LEGACY = ("Required", "Implemented", "Default", "Type", "Schema", "AllowedPattern", "MinValue", "MaxValue",
          "AllowedValues", "MinLength", "MaxLength", "Description", "UpdateAllowed", "Immutable")  # fmt: skip
ITEMS, NESTED = 20_000, 40  # of a default


class TooMuch(Exception):
    """A value is unknown or too large."""


def legacy(run: Machine, table: Table, place: Place) -> Value:
    """The schema in a dict of the first form, as Heat reads it: `{"Type": "String", "MinLength": 1}`. An Opaque if a
    part is unknown or invalid.
    """
    if table.unknown is not None:
        return table.unknown
    strange = [key for key in table if key not in LEGACY]
    if strange:
        return Opaque(f"Heat does not know the key {str(strange[0])[:40]}", place)
    names: Mapping[str, str] = {
        "Type": "data_type", "Description": "description", "Default": "default", "Required": "required",
        "Implemented": "implemented", "UpdateAllowed": "update_allowed", "Immutable": "immutable",
    }  # fmt: skip
    given = {names[key]: value for key, value in table.items() if key in names}
    if "Schema" in table and isinstance(table["Schema"], Table):
        inner = table["Schema"]
        if table.get("Type") == "List":
            given["schema"] = legacy(run, inner, place)
        else:
            given["schema"] = Table({
                key: legacy(run, one, place) if isinstance(one, Table) else one for key, one in inner.items()
            })  # fmt: skip
    elif "Schema" in table:
        given["schema"] = table["Schema"]
    limits = []
    for kind, least, most in (("range", "MinValue", "MaxValue"), ("length", "MinLength", "MaxLength")):
        if least in table or most in table:
            values = {key: amount(table.get(name)) for key, name in (("min", least), ("max", most))}
            limits.append(Instance(run.schema(kind), kind, values, place))
    for kind, name, key in (
        ("allowed_values", "AllowedValues", "allowed"),
        ("allowed_pattern", "AllowedPattern", "pattern"),
    ):
        if name in table:
            limits.append(Instance(run.schema(kind), kind, {key: table[name]}, place))
    given["constraints"] = limits
    try:
        return heat.made(run, run.schema("property"), "property", [], given, place)
    except Raised as error:
        return Opaque(f"{error.name}: {error.message}", place)


def amount(value: Value) -> Value:
    """A limit as a number; Heat also accepts texts like "5"."""
    if not isinstance(value, str) or len(value) > 400:
        return value
    try:
        return int(value)
    except ValueError:
        try:
            return float(value)
        except ValueError:
            return Opaque("a limit is no number", None)


def plain(value: Value) -> Any:
    """A value as plain data; MISSING if it is unknown or too large, None for MISSING."""
    left = [ITEMS]

    def convert(one: Value, depth: int) -> Any:
        left[0] -= 1
        if left[0] < 0 or depth > NESTED:
            raise TooMuch
        if isinstance(one, Table) and one.unknown is None:
            return {str(key): convert(inner, depth + 1) for key, inner in one.items()}
        if isinstance(one, list | tuple):
            return [convert(inner, depth + 1) for inner in one]
        if one is None or isinstance(one, str | int) or (isinstance(one, float) and math.isfinite(one)):
            return one
        raise TooMuch

    try:
        return None if value is MISSING else convert(value, 0)
    except TooMuch:
        return MISSING
