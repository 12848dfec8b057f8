"""Every mapped property with values of every kind: what is written has a type that the provider takes.

One template has a resource for each property of each native type. A resource whose value does not fit stays with Heat;
terraform validates all others.
"""

from __future__ import annotations

import json
import pathlib
from collections.abc import Mapping
from typing import Any

import pytest

import transpile
from emitters.hcl.tables import tables
from tests.support import oracles
from tests.support.examples import sampled, thinned
from transpile.schema import catalog
from transpile.schema.catalog import read_openstack_catalog

PORT = {
    "type": "OS::Neutron::Port",
    "properties": {"name": "port", "network": "12345678-1234-1234-1234-123456789abc"},
}
TYPES = {"s": "string", "n": "number", "b": "boolean", "l": "comma_delimited_list", "j": "json"}
KINDS: Mapping[str, Any] = {
    "text": "words",
    "text_of_a_number": "7",
    "number": 7,
    "boolean": True,
    "list": ["a", "b"],
    "list_of_lists": [["a"], ["b"]],
    "list_of_maps": [{"a": "b"}],
    "map": {"a": "b"},
    "map_of_maps": {"a": {"b": "c"}},
    "map_of_lists": {"a": ["b"]},
    **{f"parameter_{kind}": {"get_param": name} for name, kind in TYPES.items()},
    "inside_json": {"get_param": ["j", "key"]},
    "list_join": {"list_join": [",", [{"get_param": "s"}, "x"]]},
    "str_split": {"str_split": [",", {"get_param": "s"}]},
    "text_or_null": {"if": ["c", {"get_param": "s"}, None]},
    "list_or_null": {"if": ["c", ["a"], None]},
    "reference": {"get_resource": "port"},
    "attribute_list": {"get_attr": ["port", "security_groups"]},
    "attribute_boolean": {"get_attr": ["port", "admin_state_up"]},
}


def sample(name: str, schema: catalog.PropertySchema) -> Any:
    """Some value that the schema of a required property allows."""
    for kind, constraint in schema.get("constraints", ()):
        if kind == "allowed_values":
            return constraint[0]
        if kind == "range":
            return constraint.get("min", constraint.get("max", 1))
    fields = schema.get("fields") or schema.get("items", {}).get("fields") or {}
    inner = {
        field: sample(field, field_schema) for field, field_schema in fields.items() if field_schema.get("required")
    }
    of = schema.get("type")
    if of == "map":
        return inner
    if of == "list":
        return [inner] if fields else ["a"]
    return {"integer": 80, "number": 80, "boolean": True}.get(of or "", "10.0.0.0/24" if "cidr" in name else "words.")


def resources(value: Any) -> dict[str, Any]:
    template_resources: dict[str, Any] = {"port": PORT}
    for name in [name for service in tables.list_services() for name in tables.load_table(service)]:
        kind, facts = tables.load_built_in_tables().find_mapping(name), read_openstack_catalog().find_type(name)
        if kind is None or facts is None or kind.treatment != "native" or not kind.resource or kind.hook:
            continue
        schemas = facts["properties"]
        needed = {p: sample(p, schema) for p, schema in schemas.items() if schema.get("required")}
        for prop in kind.properties or {}:
            if prop in schemas:
                template_resources[f"r{len(template_resources)}"] = {
                    "type": name,
                    "properties": {**needed, prop: value},
                }
    return template_resources


@oracles.needs_providers
@pytest.mark.parametrize("kind", sampled(thinned(KINDS, 2), len(KINDS)))
def test_nothing_of_a_wrong_type_is_written(kind: str, tmp_path: pathlib.Path) -> None:
    template = {
        "heat_template_version": "2021-04-16",
        "parameters": {name: {"type": of} for name, of in TYPES.items()},
        "conditions": {"c": {"get_param": "b"}},
        "resources": resources(KINDS[kind]),
    }
    done = transpile.convert(json.dumps(template))
    assert [d.message for d in done.diagnostics if d.severity == "error"] == []
    for name, content in done.files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    errors = [(e["detail"], (e.get("snippet") or {}).get("code")) for e in oracles.invalid(tmp_path)]
    assert errors == []
