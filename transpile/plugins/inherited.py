"""Builds the schemas of Heat's own resource classes as values that plug-ins copy, change and inherit.

Invariant: the schemas come from the catalog; `heat.json` adds the facts that the catalog leaves out.
"""

from __future__ import annotations

import functools
import json
import pathlib
from collections.abc import Mapping
from typing import Any, cast

from transpile.model import heat_types
from transpile.plugins.values import ClassValue, InstanceValue, OpaqueValue, TableValue, Value
from transpile.schema import catalog

RESOURCE = "heat.engine.resource.Resource"
OWN_SCHEMA = ("heat.engine.resources.openstack.neutron.qos.QoSRule",)  # without a type: the catalog does not have it
EMPTY_SCHEMA = (  # classes without a type that have a schema; a class derived from any other must define its own
    "heat.engine.resources.openstack.senlin.res_base.BaseSenlinResource",
    "heat.engine.resources.wait_condition.BaseWaitConditionHandle",
)
PARTS = {
    "heat.engine.software_config_io.input_config_schema": (heat_types.SOFTWARE_CONFIG, "inputs"),
    "heat.engine.software_config_io.output_config_schema": (heat_types.SOFTWARE_CONFIG, "outputs"),
}
NOTES = ("converts", "typed_by", "alias", "takes", "adds", "gone")


@functools.cache
def read_heat_facts() -> dict[str, Any]:
    """The content of heat.json."""
    path = pathlib.Path(__file__).parent / "heat.json"
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content


def build_class_names(entry: Mapping[str, Any], path: str, schemas: Mapping[str, ClassValue]) -> dict[str, Value]:
    """The class attributes of one of Heat's resource classes: `properties_schema`, `attributes_schema`, … `entry`: its
    entry in heat.json.
    """
    kind = entry.get("type")
    if kind is None:
        out: dict[str, Value] = {"default_client_name": entry["client"]} if "client" in entry else {}
        if path in EMPTY_SCHEMA:
            out["properties_schema"] = TableValue()
        if path in OWN_SCHEMA:
            out["properties_schema"] = OpaqueValue("the schema of this class of Heat's is not known", None)
        return out
    facts, more = catalog.HEAT.find_type(kind), read_heat_facts()["types"].get(kind, {})
    if not facts or facts.get("any") or facts.get("retired"):
        why = OpaqueValue("the schema of this class of Heat's is not known", None)
        return {"properties_schema": why, "attributes_schema": why}
    statuses: Mapping[str, Any] = more.get("statuses", {})
    properties = TableValue(
        {
            name: build_schema(cast("dict[str, Any]", property_facts), name, statuses, schemas)
            for name, property_facts in facts["properties"].items()
        }
    )
    attributes = TableValue()
    for name, attribute_type in facts["attributes"].items():
        notes = more.get("attributes", {}).get(name, {})
        fields: dict[str, Value] = {"type": attribute_type.capitalize() if attribute_type else None}
        if notes.get("cache") == "none":
            fields["cache_mode"] = "cache_none"
        if "status" in notes:
            fields["support_status"] = build_support_status(notes["status"], schemas)
        attributes[name] = InstanceValue(schemas["attribute"], "attribute", fields, None)
    out = {"properties_schema": properties, "attributes_schema": attributes}
    if "status" in more:
        out["support_status"] = build_support_status(more["status"], schemas)
    if "client" in more:
        out["default_client_name"] = more["client"]
    if "extension" in more:
        out["required_service_extension"] = tuple(more["extension"])
    if "name_limit" in more:
        out["physical_resource_name_limit"] = more["name_limit"]
    return out


def build_schema_part(kind: str, name: str, schemas: Mapping[str, ClassValue]) -> TableValue:
    """The schema of the items of a list property, as a table."""
    fields = catalog.HEAT.find_type(kind)["properties"][name]["items"]["fields"]
    statuses = read_heat_facts()["types"][kind].get("statuses", {})
    return TableValue({
        key: build_schema(cast("dict[str, Any]", property_facts), f"{name}.*.{key}", statuses, schemas)
        for key, property_facts in fields.items()
    })  # fmt: skip


def build_schema(
    facts: dict[str, Any], path: str, statuses: Mapping[str, Any], schemas: Mapping[str, ClassValue]
) -> InstanceValue:
    """The schema of a property as an instance of Heat's class, such as a plug-in makes."""
    fields: dict[str, Value] = {
        "type": facts["type"].capitalize(),
        "required": facts.get("required", False),
        "update_allowed": facts.get("update", False),
        "immutable": facts.get("immutable", False),
        "implemented": facts.get("implemented", True),
    }
    if "default" in facts:
        fields["default"] = convert_json_value(facts["default"])
    if "constraints" in facts:
        fields["constraints"] = [build_constraint(kind, argument, schemas) for kind, argument in facts["constraints"]]
    if "items" in facts:
        fields["schema"] = build_schema(facts["items"], f"{path}.*", statuses, schemas)
    elif "fields" in facts:
        fields["schema"] = TableValue(
            {name: build_schema(field, f"{path}.{name}", statuses, schemas) for name, field in facts["fields"].items()}
        )
    if path in statuses:
        fields["support_status"] = build_support_status(statuses[path], schemas)
    if notes := {key: facts[key] for key in NOTES if key in facts}:
        fields["notes"] = notes
    return InstanceValue(schemas["property"], "property", fields, None)


def build_constraint(kind: str, argument: Any, schemas: Mapping[str, ClassValue]) -> InstanceValue:
    first = {"allowed_values": "allowed", "allowed_pattern": "pattern", "custom_constraint": "name"}
    return InstanceValue(
        schemas[kind], kind, {first[kind]: convert_json_value(argument)} if kind in first else dict(argument), None
    )


def build_support_status(status: Mapping[str, Any], schemas: Mapping[str, ClassValue]) -> InstanceValue:
    fields: dict[str, Value] = {"status": status.get("status", "SUPPORTED"), "version": status.get("version")}
    if "previous" in status:
        fields["previous_status"] = build_support_status(status["previous"], schemas)
    if "substituted" in status:
        fields["substitute_class"] = OpaqueValue("it is a class", None)
    return InstanceValue(schemas["support"], "support", fields, None)


def convert_json_value(plain: Any) -> Value:
    """A JSON value with Tables in place of dicts, as a plug-in would have it."""
    if isinstance(plain, dict):
        return TableValue({key: convert_json_value(item) for key, item in plain.items()})
    return [convert_json_value(item) for item in plain] if isinstance(plain, list) else plain
