"""The types of homing policies, and their parts.

Invariant: a type is declared once, here, in a form that both versions are made from. A file declares the types that it
uses.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from emitters.tosca.v2_0.types import escape_dollars

DATA, NODES, POLICIES = "onap.datatypes.homing.", "onap.nodes.homing.", "onap.policies.homing."
CONSTRAINT, PLACEMENT, ROOT = f"{POLICIES}Constraint", "tosca.policies.Placement", "tosca.policies.Root"


class TypeField(NamedTuple):
    """A property of a type: its type, the type of its entries, and its constraints."""

    type: str
    entry: str = ""
    required: bool = False
    allowed: tuple[str, ...] = ()
    description: str = ""


def required_field(kind: str, *allowed: str, about: str = "") -> TypeField:
    return TypeField(kind, "", True, allowed, about)


def optional_field(kind: str, entry: str = "", about: str = "") -> TypeField:
    return TypeField(kind, entry, False, (), about)


JSON = "JSON"
DATA_TYPES: Mapping[str, Mapping[str, TypeField]] = {
    f"{DATA}Threshold": {
        "operator": required_field("string", "<", "<=", ">", ">=", "=", "in_range"),
        "value": optional_field("float"),
        "minimum": optional_field("float", about="of in_range"),
        "maximum": optional_field("float", about="of in_range"),
        "unit": optional_field("string"),
    },
    f"{DATA}AttributeThreshold": {
        "attribute": required_field("string"),
        "operator": required_field("string", "lt", "lte", "gt", "gte", "eq"),
        "threshold": required_field("float"),
        "unit": optional_field("string"),
    },
    f"{DATA}AttributeTest": {
        "attribute": required_field("string"),
        "operator": required_field("string", "eq", "ne", "lt", "gt", "lte", "gte", "any", "all", "regex"),
        "value": optional_field("string"),
        "values": optional_field("list", "string"),
        "number": optional_field("float"),
        "flags": optional_field("string", about="of regex"),
    },
    f"{DATA}Filter": {
        "attribute": required_field("string"),
        "values": TypeField("list", "string", True),
        "negated": optional_field("boolean"),
    },
    f"{DATA}Candidates": {
        "inventory_type": optional_field("string"),
        "candidate_id": TypeField("list", "string", True),
    },
    f"{DATA}Inventory": {
        "inventory_provider": optional_field("string"),
        "inventory_type": optional_field("string"),
        "filters": optional_field("list", f"{DATA}Filter"),
        "customer_id": optional_field("string"),
        "service_type": optional_field("list", "string"),
        "service_id": optional_field("list", "string"),
        "region": optional_field("string"),
        "complex": optional_field("string"),
        "default_cost": optional_field("float"),
        "unique": optional_field("boolean"),
        "candidates": optional_field("list", "string", JSON),
        "required_candidates": optional_field("list", f"{DATA}Candidates"),
        "excluded_candidates": optional_field("list", f"{DATA}Candidates"),
        "existing_placement": optional_field(f"{DATA}Candidates"),
        "other": optional_field("string", about=JSON),
    },
    f"{DATA}Term": {
        "weight": optional_field("float"),
        "function": required_field("string"),
        "demand": optional_field("string"),
        "location": optional_field("string"),
        "attribute": optional_field("string"),
    },
}
NODE_TYPES: Mapping[str, Mapping[str, TypeField]] = {
    f"{NODES}Location": {
        "latitude": optional_field("float"),
        "longitude": optional_field("float"),
        "host_name": optional_field("string"),
        "clli_code": optional_field("string"),
        "country": optional_field("string"),
        "placemark": optional_field("map", "string"),
    },
    f"{NODES}Demand": {"inventories": TypeField("list", f"{DATA}Inventory", True)},
}
FIT = {"controller": required_field("string"), "request": optional_field("string", about=JSON)}
DISTANCE = {"distance": required_field(f"{DATA}Threshold")}
NETWORK = {key: optional_field(f"{DATA}Threshold") for key in ("bandwidth", "distance", "latency")}
CONSTRAINTS: Mapping[str, tuple[str, Mapping[str, TypeField]]] = {  # by the type in the template
    "distance_to_location": ("DistanceToLocation", {**DISTANCE, "location": required_field("string")}),
    "distance_between_demands": ("DistanceBetweenDemands", DISTANCE),
    "attribute": ("Attribute", {"evaluate": TypeField("list", f"{DATA}AttributeTest", True)}),
    "threshold": ("Threshold", {"evaluate": TypeField("list", f"{DATA}AttributeThreshold", True)}),
    "zone": (
        "Zone",
        {
            "qualifier": required_field("string", "same", "different"),
            "category": required_field("string", "disaster", "region", "complex", "country", "time", "maintenance"),
            "location": optional_field("string"),
        },
    ),
    "inventory_group": ("InventoryGroup", {}),
    "instance_fit": ("InstanceFit", FIT),
    "region_fit": ("RegionFit", FIT),
    "vim_fit": ("VimFit", FIT),
    "hpa": ("Hpa", {"evaluate": required_field("string", about=JSON)}),
    "license": ("License", {"id": required_field("string"), "key": required_field("string")}),
    "network_between_demands": ("NetworkBetweenDemands", NETWORK),
    "network_to_location": ("NetworkToLocation", {**NETWORK, "location": required_field("string")}),
    "capability": (
        "Capability",
        {
            "specification": required_field("string"),
            "template": required_field("string"),
            "environment": optional_field("string"),
        },
    ),
}
OTHER = ("Other", {"properties": optional_field("string", about=JSON)})
POLICY_TYPES: Mapping[str, tuple[str, Mapping[str, TypeField]]] = {  # by name: the parent and the properties
    CONSTRAINT: (PLACEMENT, {}),
    **{f"{POLICIES}{name}": (CONSTRAINT, fields) for name, fields in (*CONSTRAINTS.values(), OTHER)},
    f"{POLICIES}Selection": (PLACEMENT, NODE_TYPES[f"{NODES}Demand"]),
    f"{POLICIES}Reservation": (
        ROOT,
        {**FIT, "controller": optional_field("string"), "service_model": optional_field("string")},
    ),
    f"{POLICIES}Optimization": (
        PLACEMENT,
        {
            "goal": required_field("string", "minimize", "maximize"),
            "sum": optional_field("list", f"{DATA}Term", "the terms that are added up"),
            "objective": optional_field("string", about="an objective that is no such sum, as JSON"),
        },
    ),
}
LOCAL = ("onap.",)


def data_types(used: Iterable[str], *, modern: bool) -> dict[str, Any]:
    """The data types that some fields need, and those inside them. `modern`: for TOSCA 2.0."""
    names: dict[str, None] = {}
    waiting = [name for name in used if name in DATA_TYPES]
    while waiting:
        name = waiting.pop()
        if name not in names:
            names[name] = None
            for field in DATA_TYPES[name].values():
                waiting += [kind for kind in (field.type, field.entry) if kind in DATA_TYPES]
    root = {} if modern else {"derived_from": "tosca.datatypes.Root"}
    return {name: {**root, **property_definitions(DATA_TYPES[name], modern)} for name in DATA_TYPES if name in names}


def node_types(used: Iterable[str], *, modern: bool) -> dict[str, Any]:
    root = {} if modern else {"derived_from": "tosca.nodes.Root"}
    names = set(used)
    return {name: {**root, **property_definitions(NODE_TYPES[name], modern)} for name in NODE_TYPES if name in names}


def policy_types(used: Iterable[str], *, modern: bool) -> dict[str, Any]:
    """The types of policies, and the types of ours that they derive from: TOSCA 2.0 has no standard ones."""
    names = set(used)
    names |= {POLICY_TYPES[name][0] for name in used}
    out = {}
    for name, (parent, fields) in POLICY_TYPES.items():
        if name in names:
            above = {} if modern and not parent.startswith(LOCAL) else {"derived_from": parent}
            out[name] = {**above, **property_definitions(fields, modern)}
    return out


def needed_types(fields: Mapping[str, TypeField]) -> list[str]:
    return [kind for field in fields.values() for kind in (field.type, field.entry)]


def property_definitions(fields: Mapping[str, TypeField], modern: bool) -> dict[str, Any]:
    return {"properties": {key: property_definition(field, modern) for key, field in fields.items()}} if fields else {}


def property_definition(field: TypeField, modern: bool) -> dict[str, Any]:
    out: dict[str, Any] = {"type": field.type}
    if field.description:
        out["description"] = field.description
    if field.entry:
        out["entry_schema"] = field.entry if modern else {"type": field.entry}
    if not field.required:
        out["required"] = False
    if field.allowed:
        values = list(field.allowed)
        if modern:
            out["validation"] = {"$valid_values": ["$value", escape_dollars(values)]}
        else:
            out["constraints"] = [{"valid_values": values}]
    return out
