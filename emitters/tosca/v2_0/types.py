"""Writes the type definitions of TOSCA 2.0.

TOSCA 2.0 has only a few data types, so the file declares all other types. Invariant: if a string or key begins with a
dollar sign, a second dollar sign is added, in definitions too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from emitters.tosca.shapes import Shape
from emitters.tosca.v2_0.functions import ABOUT, escape_dollar

FEATURE, FILE = "hot.capabilities.Feature", "hot.artifacts.File"
DEPENDS, REFERENCES = "hot.relationships.DependsOn", "hot.relationships.References"
LIFECYCLE = "openstack.interfaces.heat.Lifecycle"


def attribute_name(output: str) -> str:
    return "id_attribute" if output == "id" else output


def escape_dollars(value: Any) -> Any:
    """Escapes the dollar signs in data."""
    if isinstance(value, str):
        return escape_dollar(value)
    if isinstance(value, list):
        return [escape_dollars(v) for v in value]
    if isinstance(value, dict):
        return {escape_dollar(k): escape_dollars(v) for k, v in value.items()}
    return value


def function_declaration(name: str) -> dict[str, Any]:
    about = {"description": ABOUT[name]} if name in ABOUT else {"description": f"HOT's {name.removeprefix('hot_')}"}
    return {**about, "signatures": [{"variadic": True}]}


def define_requirement(name: str, relationship: str, counts: list[Any] | None = None) -> dict[str, Any]:
    return {name: {"capability": FEATURE, "relationship": relationship, "count_range": counts or [0, "UNBOUNDED"]}}


def shape_definition(shape: Shape) -> dict[str, Any]:
    out = shape.schema_definition()
    return {
        "type": out["type"],
        **({"entry_schema": shorten_schema(out["entry_schema"])} if "entry_schema" in out else {}),
    }


def shorten_schema(schema: dict[str, Any]) -> Any:
    """Returns the schema of entries, shortened to a type name if that is sufficient."""
    if "entry_schema" in schema:
        return {"type": schema["type"], "entry_schema": shorten_schema(schema["entry_schema"])}
    return schema["type"]


def define_property(shape: Shape, required: bool) -> dict[str, Any]:
    out = shape_definition(shape)
    notes = shape.notes
    if notes.description:
        out["description"] = notes.description
    if not required:
        out["required"] = False
    if notes.default is not None:
        out["default"] = escape_dollars(notes.default)
    if notes.clauses:
        clauses = [clause for old in notes.clauses for clause in validation_of_constraint(old)]
        out["validation"] = clauses[0] if len(clauses) == 1 else {"$and": clauses}
    elif shape.allowed:
        out["validation"] = {"$valid_values": ["$value", [escape_dollars(a) for a in shape.allowed]]}
    return out


def validation_of_constraint(constraint: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The validation clauses for a constraint of TOSCA 1.3: `{"in_range": [5, 10]}`."""
    ((word, operand),) = constraint.items()
    if word == "in_range":
        return [{"$greater_or_equal": ["$value", operand[0]]}, {"$less_or_equal": ["$value", operand[1]]}]
    if word in ("min_length", "max_length"):
        compared = "$greater_or_equal" if word == "min_length" else "$less_or_equal"
        return [{compared: [{"$length": ["$value"]}, operand]}]
    name = {"pattern": "$matches"}.get(word, f"${word}")
    return [{name: ["$value", escape_dollars(operand)]}]


def define_data_type(shape: Shape) -> dict[str, Any]:
    return {
        "properties": {
            escape_dollar(key): define_property(field, key in shape.required) for key, field in shape.fields.items()
        }
    }
