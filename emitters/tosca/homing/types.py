"""The types of homing policies, and what they consist of.

Invariant: a type is declared once, here, in a form that both versions are made from; a file declares those it uses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from emitters.tosca.v2_0.types import dollars

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

DATA, NODES, POLICIES = "onap.datatypes.homing.", "onap.nodes.homing.", "onap.policies.homing."
CONSTRAINT, PLACEMENT, ROOT = f"{POLICIES}Constraint", "tosca.policies.Placement", "tosca.policies.Root"


class Field(NamedTuple):
    """A property: its type, the type of its entries, and what it may be."""

    type: str
    entry: str = ""
    required: bool = False
    allowed: tuple[str, ...] = ()
    description: str = ""


def one(kind: str, *allowed: str, about: str = "") -> Field:
    return Field(kind, "", True, allowed, about)


def maybe(kind: str, entry: str = "", about: str = "") -> Field:
    return Field(kind, entry, False, (), about)


JSON = "JSON"
DATA_TYPES: Mapping[str, Mapping[str, Field]] = {
    f"{DATA}Threshold": {
        "operator": one("string", "<", "<=", ">", ">=", "=", "in_range"),
        "value": maybe("float"),
        "minimum": maybe("float", about="of in_range"),
        "maximum": maybe("float", about="of in_range"),
        "unit": maybe("string"),
    },
    f"{DATA}AttributeThreshold": {
        "attribute": one("string"),
        "operator": one("string", "lt", "lte", "gt", "gte", "eq"),
        "threshold": one("float"),
        "unit": maybe("string"),
    },
    f"{DATA}AttributeTest": {
        "attribute": one("string"),
        "operator": one("string", "eq", "ne", "lt", "gt", "lte", "gte", "any", "all", "regex"),
        "value": maybe("string"),
        "values": maybe("list", "string"),
        "number": maybe("float"),
        "flags": maybe("string", about="of regex"),
    },
    f"{DATA}Filter": {
        "attribute": one("string"),
        "values": Field("list", "string", True),
        "negated": maybe("boolean"),
    },
    f"{DATA}Candidates": {
        "inventory_type": maybe("string"),
        "candidate_id": Field("list", "string", True),
    },
    f"{DATA}Inventory": {
        "inventory_provider": maybe("string"),
        "inventory_type": maybe("string"),
        "filters": maybe("list", f"{DATA}Filter"),
        "customer_id": maybe("string"),
        "service_type": maybe("list", "string"),
        "service_id": maybe("list", "string"),
        "region": maybe("string"),
        "complex": maybe("string"),
        "default_cost": maybe("float"),
        "unique": maybe("boolean"),
        "candidates": maybe("list", "string", JSON),
        "required_candidates": maybe("list", f"{DATA}Candidates"),
        "excluded_candidates": maybe("list", f"{DATA}Candidates"),
        "existing_placement": maybe(f"{DATA}Candidates"),
        "other": maybe("string", about=JSON),
    },
    f"{DATA}Term": {
        "weight": maybe("float"),
        "function": one("string"),
        "demand": maybe("string"),
        "location": maybe("string"),
        "attribute": maybe("string"),
    },
}
NODE_TYPES: Mapping[str, Mapping[str, Field]] = {
    f"{NODES}Location": {
        "latitude": maybe("float"),
        "longitude": maybe("float"),
        "host_name": maybe("string"),
        "clli_code": maybe("string"),
        "country": maybe("string"),
        "placemark": maybe("map", "string"),
    },
    f"{NODES}Demand": {"inventories": Field("list", f"{DATA}Inventory", True)},
}
FIT = {"controller": one("string"), "request": maybe("string", about=JSON)}
DISTANCE = {"distance": one(f"{DATA}Threshold")}
NETWORK = {key: maybe(f"{DATA}Threshold") for key in ("bandwidth", "distance", "latency")}
CONSTRAINTS: Mapping[str, tuple[str, Mapping[str, Field]]] = {  # by the type in the template
    "distance_to_location": ("DistanceToLocation", {**DISTANCE, "location": one("string")}),
    "distance_between_demands": ("DistanceBetweenDemands", DISTANCE),
    "attribute": ("Attribute", {"evaluate": Field("list", f"{DATA}AttributeTest", True)}),
    "threshold": ("Threshold", {"evaluate": Field("list", f"{DATA}AttributeThreshold", True)}),
    "zone": (
        "Zone",
        {
            "qualifier": one("string", "same", "different"),
            "category": one("string", "disaster", "region", "complex", "country", "time", "maintenance"),
            "location": maybe("string"),
        },
    ),
    "inventory_group": ("InventoryGroup", {}),
    "instance_fit": ("InstanceFit", FIT),
    "region_fit": ("RegionFit", FIT),
    "vim_fit": ("VimFit", FIT),
    "hpa": ("Hpa", {"evaluate": one("string", about=JSON)}),
    "license": ("License", {"id": one("string"), "key": one("string")}),
    "network_between_demands": ("NetworkBetweenDemands", NETWORK),
    "network_to_location": ("NetworkToLocation", {**NETWORK, "location": one("string")}),
    "capability": (
        "Capability",
        {"specification": one("string"), "template": one("string"), "environment": maybe("string")},
    ),
}
OTHER = ("Other", {"properties": maybe("string", about=JSON)})
POLICY_TYPES: Mapping[str, tuple[str, Mapping[str, Field]]] = {  # by name: the parent and the properties
    CONSTRAINT: (PLACEMENT, {}),
    **{f"{POLICIES}{name}": (CONSTRAINT, fields) for name, fields in (*CONSTRAINTS.values(), OTHER)},
    f"{POLICIES}Selection": (PLACEMENT, NODE_TYPES[f"{NODES}Demand"]),
    f"{POLICIES}Reservation": (ROOT, {**FIT, "controller": maybe("string"), "service_model": maybe("string")}),
    f"{POLICIES}Optimization": (
        PLACEMENT,
        {
            "goal": one("string", "minimize", "maximize"),
            "sum": maybe("list", f"{DATA}Term", "what is added up"),
            "objective": maybe("string", about="what is no such sum, as JSON"),
        },
    ),
}
LOCAL = ("onap.",)


def data_types(used: Iterable[str], *, modern: bool) -> dict[str, Any]:
    """The data types that some fields need, those inside them included. `modern`: for TOSCA 2.0."""
    found: dict[str, None] = {}
    waiting = [name for name in used if name in DATA_TYPES]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = None
            for field in DATA_TYPES[name].values():
                waiting += [kind for kind in (field.type, field.entry) if kind in DATA_TYPES]
    root = {} if modern else {"derived_from": "tosca.datatypes.Root"}
    return {name: {**root, **properties(DATA_TYPES[name], modern)} for name in DATA_TYPES if name in found}


def node_types(used: Iterable[str], *, modern: bool) -> dict[str, Any]:
    root = {} if modern else {"derived_from": "tosca.nodes.Root"}
    names = set(used)
    return {name: {**root, **properties(NODE_TYPES[name], modern)} for name in NODE_TYPES if name in names}


def policy_types(used: Iterable[str], *, modern: bool) -> dict[str, Any]:
    """The types of policies, and ours that they derive from. TOSCA 2.0 has no standard ones to derive from."""
    names = set(used)
    names |= {POLICY_TYPES[name][0] for name in used}
    out = {}
    for name, (parent, fields) in POLICY_TYPES.items():
        if name in names:
            above = {} if modern and not parent.startswith(LOCAL) else {"derived_from": parent}
            out[name] = {**above, **properties(fields, modern)}
    return out


def needed(fields: Mapping[str, Field]) -> list[str]:
    return [kind for field in fields.values() for kind in (field.type, field.entry)]


def properties(fields: Mapping[str, Field], modern: bool) -> dict[str, Any]:
    return {"properties": {key: definition(field, modern) for key, field in fields.items()}} if fields else {}


def definition(field: Field, modern: bool) -> dict[str, Any]:
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
            out["validation"] = {"$valid_values": ["$value", dollars(values)]}
        else:
            out["constraints"] = [{"valid_values": values}]
    return out
