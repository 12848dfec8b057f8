"""Reads the columns of a candidate.

A column has one name and several readings, because the inventory has several places for a value: a test of an attribute
looks into the columns before `attributes`, a demand that selects looks into `attributes` before the columns.

Invariant: there is no other place in which a test reads the inventory's data about a candidate.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from transpile.homing import comparison
from transpile.homing.distance import GeoPoint
from transpile.homing.expressions import ATTRIBUTE, CAPACITY, SCHEMA, SELECTOR, ZONE, Column

RENAMED = {"complex": "complex_name"}  # attributes whose names in the inventory differ
ZONES = {"region": "location_id", "complex": "complex_name", "country": "country"}
SPELLED = {"disaster": "disaster_zone", "time": "time_zone", "maintenance": "maintenance_zone"}
ID, KIND, COST, LOCATION = "candidate_id", "inventory_type", "cost", "location_id"


class CandidateLike(Protocol):
    """A candidate, or a row of the inventory."""

    @property
    def id(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def point(self) -> GeoPoint | None: ...
    @property
    def data(self) -> Mapping[str, Any]: ...


def read_column(column: Column, candidate: CandidateLike) -> Any:
    """The value of a column; None if the inventory does not give one."""
    data, name = candidate.data, column.name
    if column.reading == ATTRIBUTE:
        return read_attribute(data, name)
    if column.reading == SELECTOR:
        return read_selector(data, name)
    if column.reading == ZONE:
        return read_zone(data, name)
    if column.reading == CAPACITY:
        capacity = data.get("capacity")
        return capacity.get(name) if isinstance(capacity, dict) else None
    assert column.reading == SCHEMA
    return candidate.id if name == ID else candidate.kind if name == KIND else data.get(name, candidate.id)


def has_value(column: Column, candidate: CandidateLike) -> bool:
    """Whether a candidate has a value in a column."""
    return read_column(column, candidate) is not None


def read_attribute(data: Mapping[str, Any], name: str) -> Any:
    name = RENAMED.get(name, name)
    more = data.get("attributes")
    for key in (name, name.replace("-", "_")):
        if data.get(key) is not None:
            return data[key]
        if isinstance(more, dict) and more.get(key) is not None:
            return more[key]
    return None


def read_selector(data: Mapping[str, Any], name: str) -> Any:
    """The value that demands select by: a member of `attributes`, or a column, in which hyphens are underscores."""
    more = data.get("attributes")
    for key in (name, name.replace("-", "_"), name.replace("_", "-")):
        if isinstance(more, dict) and more.get(key) is not None:
            return more[key]
    return data.get(name, data.get(name.replace("-", "_")))


def read_zone(data: Mapping[str, Any], category: str) -> str | None:
    """The zone of a category, as a text."""
    if category in ZONES:
        return comparison.text_of(data.get(ZONES[category]))
    zones = data.get("zones")
    zone = zones.get(category) if isinstance(zones, dict) else None
    return comparison.text_of(data.get(SPELLED.get(category, category)) if zone is None else zone)


def schema_column(column: Column) -> str:
    """The name that a column has in the schema of candidates."""
    if column.reading == ZONE:
        return ZONES.get(column.name) or SPELLED.get(column.name, column.name)
    return RENAMED.get(column.name, column.name)
