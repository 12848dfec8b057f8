"""Whole stacks evaluated by Heat and by us: attributes of nested templates, groups and values, in every form.

The templates ask, and Heat answers. No expected value is written here.
"""

from __future__ import annotations

import json
import pathlib
from typing import Any

import pytest

from tests.support import oracles, probes
from transpile import stack_evaluation

NESTED = """heat_template_version: 2021-04-16
parameters:
  s: {type: string, default: ds}
  l: {type: comma_delimited_list, default: ""}
  j: {type: json, default: {}}
resources:
  inner: {type: "OS::Heat::Value", properties: {value: {get_param: s}}}
  server: {type: "OS::Nova::Server", properties: {image: {get_param: s}}}
outputs:
  j: {value: {get_param: j}}
  l: {value: {get_param: l}}
  s: {value: {get_param: s}}
  a: {value: {get_attr: [server, addresses]}}
  n: {value: null}
  f: {value: {resource_facade: metadata}}
"""
GROUP = """heat_template_version: 2021-04-16
parameters: {k: {type: number, default: 2}}
resources:
  gg:
    type: OS::Heat::ResourceGroup
    properties: {count: {get_param: k}, resource_def: {type: c.yaml, properties: {s: "x%index%"}}}
outputs: {v: {value: {get_attr: [gg, s]}}, r: {value: {get_attr: [gg, refs]}}}
"""
FILES = {"c.yaml": NESTED, "g.yaml": GROUP}


def group(kind: str = "OS::Heat::ResourceGroup", **properties: Any) -> dict[str, Any]:
    return {"g": {"type": kind, "properties": properties}}


def nested(**properties: Any) -> dict[str, Any]:
    return {"c": {"type": "c.yaml", "properties": properties, "metadata": {"m": 1}}}


MEMBER = {"type": "c.yaml", "properties": {"s": "%index%", "j": {"a": ["%index%"]}}}
OF_VALUE = {"type": "OS::Heat::Value", "properties": {"value": "%index%"}}
REMOVED = [{"resource_list": ["1"]}, {"resource_list": [0]}]
SCALED = {"min_size": 1, "max_size": 4, "desired_capacity": 2, "resource": {**MEMBER, "metadata": {"k": "v"}}}
CHAIN = {"resources": ["c.yaml", "OS::Heat::Value"], "resource_properties": {"s": "v"}}
FORMS = (
    "s|s 0|j a 0|a|a x|n|f m|refs|refs 0|refs_map|refs_map 0|attributes|attributes s|attributes j a|removed_rsrc_list"
)
FORMS += (
    "|resource.1|resource.1.s|resource.1 s|resource.1.j.a|resource.1 resource.inner.value|resource.9|resource.x|zzz"
)
SCALING = (
    "outputs s|outputs_list s|outputs_list|outputs_list j a|refs|refs 0|refs_map|current_size|resource.0|resource.5"
)
SCALING += "|resource.x|resource.0.s|resource.0 s|resource.0.resource.inner value|s"
STACK = "s|s 0|a net 0|n x|f m|show|zzz|resource.server|resource.server.addresses x|resource.none|resource.inner value"
CASES: list[tuple[str, dict[str, Any], str]] = [
    ("nested", nested(s="q"), STACK),
    ("group", group(count=2, resource_def=MEMBER), FORMS),
    ("group without", group(count=0, resource_def=MEMBER), FORMS),
    ("group by default", group(count=None, index_var=None, resource_def=OF_VALUE), "value|refs"),
    ("group with holes", group(count=3, removal_policies=REMOVED, resource_def=OF_VALUE), "value|refs|resource.1"),
    ("group of groups", group(count=2, resource_def={"type": "g.yaml"}), "v|v 0|resource.0 v 1"),
    ("group inside", {"g": {"type": "g.yaml", "properties": {"k": 3}}}, "v|r|resource.gg s|resource.gg resource.1.s"),
    ("chain", group("OS::Heat::ResourceChain", **CHAIN), FORMS),
    ("scaling group", group("OS::Heat::AutoScalingGroup", **SCALED), SCALING),
]
TYPED: list[tuple[str | None, Any]] = [("string", v) for v in (5, 1.5, None)] + [
    ("number", v) for v in ("3.0", "x", None)
]
TYPED += [("boolean", v) for v in ("TRUE", "yes", None)] + [("json", v) for v in ({"a": 1}, [1], None)]
TYPED += [("comma_delimited_list", v) for v in ("a,b", ["a", None], None)] + [(None, {"a": [1]}), ("other", 4)]
PASSED: list[tuple[str, Any]] = [
    ("l", v) for v in (["a", "b,c"], "a,b", [["a"]], [{"a": 1}, "x"], [{"a": 1}, {"b": None}], [None, "x"], [True])
]
PASSED += [("j", v) for v in ("[1]", [1], "", {"a": {"b": 1}})] + [("s", True), ("s", 5)]


@oracles.needs_heat
@pytest.mark.parametrize("version", ["2013-05-23", "2015-10-15", "2021-04-16"])
@pytest.mark.parametrize(("name", "resources", "forms"), CASES, ids=[case[0] for case in CASES])
def test_attributes(name: str, resources: dict[str, Any], forms: str, version: str, tmp_path: pathlib.Path) -> None:
    """Each form of get_attr, with path parts as numbers where they look like numbers."""
    owner = next(iter(resources))
    asked = [[owner, *(int(step) if step.isdigit() else step for step in form.split(" "))] for form in forms.split("|")]
    agree(version, resources, [{"get_attr": path} for path in asked] + [{"get_resource": owner}], tmp_path)


@oracles.needs_heat
def test_values_of_a_type(tmp_path: pathlib.Path) -> None:
    resources = {
        f"v{n}": {"type": "OS::Heat::Value", "properties": {"type": kind, "value": value}}
        for n, (kind, value) in enumerate(TYPED)
    }
    agree("2021-04-16", resources, [{"get_attr": [name, "value"]} for name in resources], tmp_path)


@oracles.needs_heat
@pytest.mark.parametrize(("key", "value"), PASSED)
def test_properties_become_parameters(key: str, value: Any, tmp_path: pathlib.Path) -> None:
    agree("2021-04-16", nested(**{key: value}), [{"get_attr": ["c", key]}], tmp_path)


def agree(version: str, resources: dict[str, Any], values: list[Any], folder: pathlib.Path) -> None:
    outputs = {f"o{n}": {"value": value} for n, value in enumerate(values)}
    body = json.dumps({"heat_template_version": version, "resources": resources, "outputs": outputs})
    heats = oracles.ask(op="eval", body=body, files=FILES, deep=True, plugin_deps=False)
    assert heats["ok"], heats
    stack, _ = probes.linked({"body": body, "files": FILES}, folder)
    assert stack is not None
    evaluated = stack_evaluation.evaluate_stack(stack)
    ours = {n: "refused" if o.error else json.dumps(o.value, sort_keys=True) for n, o in evaluated.outputs.items()}
    theirs = {
        n: "refused" if "error" in o else json.dumps(o["value"], sort_keys=True) for n, o in heats["outputs"].items()
    }
    assert ours == theirs
