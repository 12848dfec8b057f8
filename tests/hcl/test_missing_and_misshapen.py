"""Every property of every mapped type, missing or of another kind: each target ends in output or a diagnostic.

Heat rejects many of these templates, some when it validates them and some when it creates the resource. hot2tf converts
them all the same, because the user may mend them later, and must not fail on missing values.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

import transpile
from emitters.hcl.tables import tables
from tests.support import samples
from tests.support.examples import sampled
from transpile.schema.catalog import read_openstack_catalog

PARAMETERS = {
    "s": {"type": "string"},
    "n": {"type": "number", "default": 1},
    "l": {"type": "comma_delimited_list", "default": "a,b"},
    "j": {"type": "json", "default": {"a": ["b"]}},
}
KINDS: Mapping[str, Any] = {
    "null": None,
    "empty_text": "",
    "number": 10**400,
    "boolean": True,
    "list": ["a", None, {"b": {"c": []}}, []],
    "map": {"a": {"b": ["c"]}, "": None},
    "text_parameter": {"get_param": "s"},
    "list_parameter": {"get_param": "l"},
    "map_parameter": {"get_param": "j"},
    "inside": {"get_param": ["j", "a", 0]},
    "if": {"if": ["c", {"get_param": "s"}, None]},
    "lists": {"if": ["c", [{"get_param": "j"}], {"get_param": "l"}]},
    "repeat": {"repeat": {"for_each": {"%a%": {"get_param": "l"}}, "template": {"a": "%a%"}}},
    "loops": {"repeat": {"for_each": {"%a%": "x", "%b%": {"get_param": "j"}}, "template": ["%a%", {"%b%": 1}]}},
    "reference": {"get_resource": "other"},
    "attribute": {"get_attr": ["other", "show", "a"]},
    "unknown_list": {"list_concat": [["a"], {"get_attr": ["other", "networks"]}]},
}
STEP = 4
OTHER = {"type": "OS::Nova::Server", "properties": {"name": "other", "flavor": "f", "image": "i"}}


def missing(kind: str) -> Iterator[dict[str, Any]]:
    """The properties of a resource that sets all required ones, each time without one of them."""
    properties = samples.required(kind).properties
    yield {}
    for name in properties:
        yield {key: value for key, value in properties.items() if key != name}


def misshapen(kind: str, word: str) -> Iterator[dict[str, Any]]:
    """The properties of a resource, each time with another one of that kind of value; and fields of theirs. Each
    property has its turn with one of STEP kinds, for all together take minutes.
    """
    properties, value, turn = samples.required(kind).properties, KINDS[word], list(KINDS).index(word)
    for i, (name, schema) in enumerate((read_openstack_catalog().find_type(kind) or {}).get("properties", {}).items()):
        if (i + turn) % STEP:
            continue
        yield {**properties, name: value}
        fields = schema.get("fields") or schema.get("items", {}).get("fields") or {}
        inner = dict.fromkeys(fields, value)
        if fields:
            yield {**properties, name: [inner, {}] if schema.get("type") == "list" else inner}


def converted(service: str, resources: list[dict[str, Any]], to: str) -> transpile.Conversion:
    """The conversion of a template with these resources, and with the resources that the samples of their types refer
    to.
    """
    other_resources = {
        name: resource
        for kind in tables.load_table(service)
        for name, resource in samples.required(kind).others.items()
    }
    template = {
        "heat_template_version": "2021-04-16",
        "parameters": PARAMETERS,
        "conditions": {"c": {"equals": [{"get_param": "s"}, "x"]}},
        "resources": {"other": OTHER} | other_resources | {f"r{i}": resource for i, resource in enumerate(resources)},
    }
    return transpile.convert(json.dumps(template), to=to)


@pytest.mark.parametrize("to", ["hcl", "tosca", "hot"])
@pytest.mark.parametrize("service", tables.list_services())
def test_a_required_property_may_be_missing(service: str, to: str) -> None:
    made = [
        {"type": kind, "properties": properties} for kind in tables.load_table(service) for properties in missing(kind)
    ]
    done = converted(service, made, to)
    assert done.ok, [d.message for d in done.diagnostics if d.severity == "error"][:3]
    assert len(done.report["resources"]) > len(made)


@pytest.mark.parametrize("to", ["hcl", "tosca", "hot"])
@pytest.mark.parametrize("value", sampled(KINDS, 6))
def test_a_property_may_be_anything(value: str, to: str) -> None:
    for service in tables.list_services():
        made = [
            {"type": kind, "properties": properties}
            for kind in tables.load_table(service)
            for properties in misshapen(kind, value)
        ]
        done = converted(service, made, to)
        assert not [d for d in done.diagnostics if d.code.startswith("HOT9")]
        assert done.ok or {d.code for d in done.diagnostics if d.severity == "error"} <= {"HOT302", "HOT306"}, [
            d.message for d in done.diagnostics if d.severity == "error"
        ][:3]
