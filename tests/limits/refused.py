"""Templates with values that Heat refuses, made from the catalog and from the table of functions: for each constraint
of a property a value that breaks it, and for each function calls of which one part is something else.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

from tests.limits.generated import set_path, write_template
from tests.support import samples
from transpile.model.intrinsics import INTRINSICS, Intrinsic
from transpile.schema.catalog import read_openstack_catalog

CFN = "AWSTemplateFormatVersion"

# constraints


def breaking_values(kind: str, limits: Any) -> list[Any]:
    """Values that a constraint does not allow."""
    if kind == "range":
        return [limits["min"] - 1] if "min" in limits else [limits["max"] + 1]
    if kind == "length":
        return ["" if limits.get("min") else "x" * (limits["max"] + 1)]
    return ["", "??"]


def refused_values(kind: str) -> Iterator[str]:
    """For each constraint in the schema of a type, a template in which a value breaks it. All else is right."""
    facts = read_openstack_catalog().find_type(kind) or {}
    if facts.get("any") or facts.get("retired"):
        return
    fullest = max(samples.samples(kind), key=lambda sample: (sample.variant == "names", len(sample.text)))
    for path, schema in samples.every(facts.get("properties", {})):
        values = [
            value for name, limits, *_ in schema.get("constraints", ()) for value in breaking_values(name, limits)
        ]
        for name, limits, *_ in schema.get("items", {}).get("constraints", ()):
            values += [[value] for value in breaking_values(name, limits)]
        for value in values:
            properties = copy.deepcopy(dict(fullest.properties))
            if "resource_def" in properties:  # a group: a text in which the index is put
                properties["resource_def"] = {"type": "OS::Neutron::Net", "properties": {"name": "a %index% b"}}
            set_path(properties, path.split("."), value)
            yield write_template({**fullest.others, "sample": {"type": kind, "properties": properties}})


# calls of functions

CALLS: dict[str, list[Any]] = {
    "get_param": ["p", ["j", "k"]],
    "get_resource": ["r"],
    "get_attr": [["r", "name"], ["r", "show", "a"]],
    "get_file": ["f"],
    "resource_facade": ["metadata"],
    "list_join": [[",", ["a", {"get_param": "p"}], ["b"]]],
    "str_replace": [{"template": "a $b", "params": {"$b": {"get_param": "p"}}}],
    "repeat": [{"template": "a%b%", "for_each": {"%b%": ["x", {"get_param": "p"}]}, "permutations": False}],
    "digest": [["md5", {"get_param": "p"}]],
    "str_split": [[",", {"get_param": "p"}, 0]],
    "map_merge": [[{"a": 1}, {"get_param": "j"}]],
    "map_replace": [[{"a": "b"}, {"keys": {"a": "c"}, "values": {"b": {"get_param": "p"}}}]],
    "yaql": [{"expression": "$.data.a", "data": {"a": {"get_param": "p"}}}],
    "if": [["c", "a", {"get_param": "p"}]],
    "filter": [[["a"], ["a", {"get_param": "p"}]]],
    "list_concat": [[["a"], {"get_param": "l"}]],
    "contains": [["a", {"get_param": "l"}]],
    "make_url": [{"scheme": "http", "host": {"get_param": "p"}, "port": 80, "query": {"a": {"get_param": "p"}}}],
    "equals": [[{"get_param": "p"}, "a"]],
    "not": [{"equals": ["a", {"get_param": "p"}]}],
    "and": [[{"equals": ["a", "a"]}, "c"]],
    "Ref": ["p", "r"],
    "Fn::GetAtt": [["r", "name"]],
    "Fn::FindInMap": [["M", "a", {"Ref": "p"}]],
    "Fn::Base64": [{"Ref": "p"}],
    "Fn::GetAZs": ["", {"Ref": "p"}],
    "Fn::Join": [[",", ["a", {"Ref": "p"}]]],
    "Fn::MemberListToMap": [["Name", "Value", [".member.0.Name=a", ".member.0.Value=b"]]],
    "Fn::Replace": [[{"$b": {"Ref": "p"}}, "a $b"]],
    "Fn::ResourceFacade": ["Metadata"],
    "Fn::Select": [["0", ["a", {"Ref": "p"}]]],
    "Fn::Split": [[",", {"Ref": "p"}]],
    "Fn::If": [["c", "a", {"Ref": "p"}]],
    "Fn::Equals": [[{"Ref": "p"}, "a"]],
    "Fn::Not": [[{"Fn::Equals": ["a", "b"]}]],
    "Fn::And": [[{"Fn::Equals": ["a", "b"]}, {"Condition": "c"}]],
}
CALLS |= {"str_replace_strict": CALLS["str_replace"], "str_replace_vstrict": CALLS["str_replace"]}
CALLS |= {"list_concat_unique": CALLS["list_concat"], "or": CALLS["and"], "Fn::Or": CALLS["Fn::And"]}
ODD: tuple[Any, ...] = (
    *(None, "", 0, -1, 1.5, True, [], {}, "x", "/", [[]], [""], [None], {"a": 1}, {"": ""}, {"": [""]}, {"a": None}),
    *({"get_param": "p"}, {"get_param": {"Fn::Base64": "p"}}, {"get_attr": ["r", "x"]}, {"get_param": ["j", "", -1]}),
    *({"Fn::Base64": "p"}, {"Fn::Base64": ["p"]}, {"Fn::Join": ["", ["r"]]}, {"Fn::Select": [0, ["p"]]}, {"Ref": "p"}),
    *({"if": ["c", 1, 2]}, {"get_param": "nope"}, {"list_join": ["", ["a"]]}),
)


def variants(value: Any) -> Iterator[Any]:
    """A value with one part left out, repeated, or something else in its place."""
    yield from ODD
    if isinstance(value, list):
        for i, item in enumerate(value):
            yield from ([*value[:i], other, *value[i + 1 :]] for other in variants(item))
            yield value[:i] + value[i + 1 :]
        yield from ([*value, odd] for odd in ODD)
    elif isinstance(value, dict):
        for key, item in value.items():
            rest = {other: kept for other, kept in value.items() if other != key}
            yield from ({**value, key: other} for other in variants(item))
            yield rest
            yield from ({**rest, odd: item} for odd in ("", "x"))


def refused_calls(row: Intrinsic, version: str) -> Iterator[str]:
    """Templates with calls of a function in which one part is something else. `version`: of HOT, or `CFN`."""
    in_condition = row.cfn_condition if version == CFN else bool(row.condition) and version > "2016-10"
    for value in CALLS[row.name]:
        for argument in variants(value):
            call = {row.name: argument}
            yield write_call(call, version)
            if in_condition:
                yield write_call(call, version, in_condition=True)


def write_call(call: Any, version: str, *, in_condition: bool = False) -> str:
    """A template with a call as a condition, or else as a property and an output."""
    own, value, name = (call, "a", {}) if in_condition else (None, call, {"name": call})
    if version == CFN:
        return json.dumps(
            {
                CFN: "2010-09-09",
                "Parameters": {
                    "p": {"Type": "String", "Default": "a"},
                    "j": {"Type": "Json", "Default": "{}"},
                    "l": {"Type": "CommaDelimitedList", "Default": "a,b"},
                },
                "Mappings": {"M": {"a": {"a": "b"}}},
                "Conditions": {"c": own or {"Fn::Equals": ["a", "a"]}},
                "Resources": {"r": {"Type": "OS::Neutron::Net", "Properties": name}},
                "Outputs": {"o": {"Value": value}},
            }
        )
    template: dict[str, Any] = {
        "heat_template_version": version,
        "parameters": {
            "p": {"type": "string", "default": "a"},
            "j": {"type": "json", "default": {"k": "v"}},
            "l": {"type": "comma_delimited_list", "default": "a,b"},
        },
        "resources": {"r": {"type": "OS::Neutron::Net", "properties": name}},
        "outputs": {"o": {"value": value}},
    }
    if version > "2016-10":
        template["conditions"] = {"c": own or {"equals": ["a", "a"]}}
    return json.dumps(template)


def versions_of(row: Intrinsic) -> list[str]:
    """The versions in which a function differs: the first and the last HOT that has it, and CFN."""
    versions = [CFN] if row.cfn or row.cfn_condition else []
    since = row.since or row.condition
    return [*versions, *dict.fromkeys((since, row.until or "2021-04-16"))] if since else versions


NAMES = tuple(INTRINSICS)
