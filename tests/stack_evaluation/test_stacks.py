"""Nested stacks and groups: properties that hold without asking Heat.

The expected results are Heat's behaviour, from its source or its answers, never ours.
"""

from __future__ import annotations

import pathlib
from collections.abc import Mapping
from typing import Any

import pytest

from tests.support import oracles, probes
from transpile import evaluate, stack_evaluation

HOT = "heat_template_version: 2021-04-16\n"


def stack(
    folder: pathlib.Path, body: str, files: dict[str, str] | None = None, **more: Any
) -> stack_evaluation.StackEvaluation:
    linked, _ = probes.linked({"body": HOT + body, "files": {k: HOT + v for k, v in (files or {}).items()}}, folder)
    assert linked is not None
    return stack_evaluation.StackEvaluation(linked, stack_evaluation.Outside(**more))


def test_a_template_in_itself_ends(tmp_path: pathlib.Path) -> None:
    inner = "resources: {r: {type: c.yaml}}\noutputs: {v: {value: {get_attr: [r, v]}}}\n"
    asked = stack(
        tmp_path, "resources: {r: {type: c.yaml}}\noutputs: {v: {value: {get_attr: [r, v]}}}\n", {"c.yaml": inner}
    )
    with pytest.raises(evaluate.EvaluationError):
        asked.evaluate_output("v")


def test_five_stacks_inside_one_another_are_the_most(tmp_path: pathlib.Path) -> None:
    output = "outputs: {v: {value: {get_attr: [r, v]}}}\n"
    files = {f"n{n}.yaml": f"resources: {{r: {{type: n{n + 1}.yaml}}}}\n{output}" for n in range(1, 6)}
    last = {"n6.yaml": "outputs: {v: {value: end}}\n"}
    assert (
        stack(tmp_path, f"resources: {{r: {{type: n2.yaml}}}}\n{output}", {**files, **last}).evaluate_output("v")
        == "end"
    )
    with pytest.raises(evaluate.EvaluationError):
        stack(tmp_path, f"resources: {{r: {{type: n1.yaml}}}}\n{output}", {**files, **last}).evaluate_output("v")


def test_resources_that_need_one_another_end(tmp_path: pathlib.Path) -> None:
    body = """
resources:
  a: {type: OS::Heat::Value, properties: {value: {get_attr: [b, value]}}}
  b: {type: OS::Heat::Value, properties: {value: {get_attr: [a, value]}}}
outputs: {v: {value: {get_attr: [a, value]}}}
"""
    with pytest.raises(evaluate.EvaluationError, match="depends on itself"):
        stack(tmp_path, body).evaluate_output("v")


def test_a_chain_of_two_thousand_values_is_no_deep_recursion(tmp_path: pathlib.Path) -> None:
    lines = ["resources:", "  v0: {type: OS::Heat::Value, properties: {value: start}}"]
    for n in range(1, 2000):
        lines.append(f"  v{n}: {{type: OS::Heat::Value, properties: {{value: {{get_attr: [v{n - 1}, value]}}}}}}")
    body = "\n".join([*lines, "outputs: {v: {value: {get_attr: [v1999, value]}}}", ""])
    assert stack(tmp_path, body).evaluate_output("v") == "start"


def test_given_values_replace_evaluated_ones(tmp_path: pathlib.Path) -> None:
    asked = stack(
        tmp_path,
        "resources: {c: {type: c.yaml}}\n"
        "outputs: {v: {value: [{get_attr: [c, v]}, {get_attr: [c, w]}, {get_resource: c}]}}\n",
        {
            "c.yaml": "resources: {s: {type: OS::Nova::Server}}\n"
            "outputs: {v: {value: {get_attr: [s, name]}}, w: {value: 1}}\n"
        },
        reference=lambda address: {"c": "told"}.get(address, evaluate.ABSENT),
        attribute=oracles.make_attribute_lookup({"c.s": {"name": "inner"}, "c": {"w": 2}}),
    )
    assert asked.evaluate_output("v") == ["inner", 2, "told"]


def test_a_group_without_end_is_refused(tmp_path: pathlib.Path) -> None:
    group = "{type: OS::Heat::ResourceGroup, properties: {count: 100000000, resource_def: {type: OS::Heat::None}}}"
    body = f"resources: {{g: {group}}}\n"
    evaluated = stack_evaluation.evaluate_stack(stack(tmp_path, body).stack)
    assert evaluated.resources["g"].nested is None
    assert "at most 1000 members" in evaluated.notes[0]


INSTANCES = """
resources:
  lc: {type: "AWS::AutoScaling::LaunchConfiguration", properties: {ImageId: i, InstanceType: f, KeyName: null}}
  g:
    type: AWS::AutoScaling::AutoScalingGroup
    properties:
      AvailabilityZones: [nova]
      LaunchConfigurationName: {get_resource: lc}
      MinSize: 2
      MaxSize: "3"
      VPCZoneIdentifier: [net]
outputs: {v: {value: {get_attr: [g, InstanceList]}}}
"""


@oracles.needs_heat
def test_instances_of_a_launch_configuration(tmp_path: pathlib.Path) -> None:
    """All except the tags: Heat adds the name of the group to them, which differs between planning and later."""
    heats = oracles.ask(op="eval", deep=True, plugin_deps=False, body=HOT + INSTANCES)
    theirs = heats["resources"]["g"]["nested"]["resources"]
    asked = stack(tmp_path, INSTANCES)
    evaluated = stack_evaluation.evaluate_stack(asked.stack)
    assert evaluated.outputs["v"].value == heats["outputs"]["v"]["value"]
    inside = evaluated.resources["g"].nested
    assert inside is not None
    assert list(inside.resources) == list(theirs)
    for name, resource in inside.resources.items():
        expected = theirs[name]
        assert resource.type == expected["type"]
        assert resource.implementation == expected["implementation"]
        assert without_tags(resource.properties) == without_tags(expected["properties"])
        assert [tag["Key"] for tag in resource.properties["Tags"]] == [
            "metering.groupname",
            "metering.AutoScalingGroupName",
        ]


def without_tags(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in properties.items() if key != "Tags"}
