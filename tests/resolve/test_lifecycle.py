"""The lifecycle of software configuration: the same facts for all targets, as Heat has them."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

import transpile
from transpile.front import template as templates
from transpile.model import ir
from transpile.model.budget import Budget
from transpile.model.source import Source
from transpile.resolve import linker
from transpile.resolve.lifecycle import Deployment, find_deployments
from transpile.text.source import Root

TEMPLATE = """\
heat_template_version: 2021-04-16
parameters: {p: {type: comma_delimited_list, default: CREATE}, j: {type: json, default: {}}}
resources:
  server: {type: OS::Nova::Server, properties: {image: i, flavor: f, user_data_format: SOFTWARE_CONFIG}}
  script:
    type: OS::Heat::SoftwareConfig
    properties: {group: script, config: run, inputs: [{name: a, default: 1, type: Number}, {name: b}]}
  parts:
    type: OS::Heat::SoftwareComponent
    properties:
      configs: %s
  d: {type: %s, properties: {%s}}
"""
PARTS = "[{actions: [CREATE], tool: script, config: one}, {actions: [UPDATE, DELETE], tool: script, config: two}]"
SINGLE = "OS::Heat::SoftwareDeployment"
SERVER = ", server: {get_resource: server}"


def link(properties: str, kind: str = SINGLE, parts: str = PARTS) -> Deployment:
    template, _ = templates.read_template(Source("t.yaml", TEMPLATE % (parts, kind, properties), budget=Budget()))
    assert template is not None
    stack, diagnostics = linker.link_template(template, [], None, Root(None), linker.LinkOptions())
    assert [d.message for d in diagnostics if d.severity == "error"] == []
    return find_deployments(stack)["d"]


def scripts(deployment: Deployment) -> list[tuple[str, Any]]:
    written = {action: operation.script for action, operation in deployment.operations.items()}
    return [(action, script.value if isinstance(script, ir.Lit) else script) for action, script in written.items()]


@pytest.mark.parametrize(
    ("properties", "expected"),
    [
        ("config: {get_resource: script}", [("CREATE", "run"), ("UPDATE", "run")]),
        ("config: {get_resource: script}, actions: null", [("CREATE", "run"), ("UPDATE", "run")]),
        ("config: {get_resource: script}, actions: [DELETE, CREATE]", [("DELETE", "run"), ("CREATE", "run")]),
        ("config: {get_resource: script}, actions: []", []),
        ("config: {get_resource: parts}", [("CREATE", "one"), ("UPDATE", "two"), ("DELETE", "two")]),
        ("config: {get_resource: parts}, actions: [DELETE]", [("CREATE", "one"), ("UPDATE", "two"), ("DELETE", "two")]),
        (
            "config: {get_resource: parts}, actions: {get_param: p}",
            [("CREATE", "one"), ("UPDATE", "two"), ("DELETE", "two")],
        ),
        ("config: 3f0b2a3e", [("CREATE", None), ("UPDATE", None)]),
        ("actions: [CREATE]", []),
    ],
)
def test_the_script_of_each_action(properties: str, expected: list[tuple[str, Any]]) -> None:
    """Heat ignores the actions of a deployment of a component, computed or not."""
    deployment = link(properties + SERVER)
    assert (scripts(deployment), deployment.unknown) == (expected, "")


def test_parts_of_a_component_run_on_create_and_update_by_default() -> None:
    deployment = link("config: {get_resource: parts}" + SERVER, parts="[{tool: script, config: one}]")
    assert scripts(deployment) == [("CREATE", "one"), ("UPDATE", "one")]


@pytest.mark.parametrize(
    ("properties", "parts", "why"),
    [
        ("config: {get_resource: script}, actions: {get_param: p}", PARTS, "its actions are known only at run time"),
        ("config: {get_resource: parts}", "{get_param: j}", "its configurations are known only at run time"),
        (
            "config: {get_resource: parts}",
            "[{actions: {get_param: p}, tool: script, config: one}]",
            "the actions of its configurations are known only at run time",
        ),
    ],
)
def test_values_of_a_running_stack_are_unknown(properties: str, parts: str, why: str) -> None:
    deployment = link(properties + SERVER, parts=parts)
    assert (dict(deployment.operations), deployment.unknown) == ({}, why)


def test_words_that_are_no_action_of_heats_run_nothing() -> None:
    parts = "[{actions: [CHECK, create, DELETE], tool: script, config: one}]"
    assert scripts(link("config: {get_resource: parts}" + SERVER, parts=parts)) == [("DELETE", "one")]


def test_two_scripts_for_an_action_are_no_operations() -> None:
    """`validate` of OS::Heat::SoftwareComponent refuses this, also for two parts that name no actions."""
    for parts in (PARTS.replace("UPDATE", "CREATE"), "[{tool: script, config: one}, {tool: script, config: two}]"):
        deployment = link("config: {get_resource: parts}" + SERVER, parts=parts)
        why = "two configurations of its component run on CREATE, which Heat refuses"
        assert (dict(deployment.operations), deployment.unknown) == ({}, why)


def test_inputs_have_the_values_of_the_deployment_or_defaults() -> None:
    deployment = link("config: {get_resource: script}, input_values: {c: 3, b: 2}" + SERVER)
    assert [(item.name, item.type, item.default, item.value) for item in deployment.inputs] == [
        ("a", "Number", ir.Lit(1), ir.Lit(1)),
        ("b", "String", ir.Lit(None), ir.Lit(2)),
        ("c", "String", ir.Lit(None), ir.Lit(3)),
    ]
    assert deployment.inputs_known
    computed = link("config: {get_resource: script}, input_values: {get_param: j}" + SERVER)
    assert ([item.name for item in computed.inputs], computed.inputs_known) == (["a", "b"], False)


def test_servers_of_a_group_have_keys() -> None:
    group = "config: {get_resource: script}, servers: {first: {get_resource: server}, second: a-b}"
    servers = link(group, "OS::Heat::SoftwareDeploymentGroup").servers
    assert servers == {"first": ir.ResourceRef("server"), "second": ir.Lit("a-b")}


def test_targets_agree_on_the_scripts_of_actions() -> None:
    """TOSCA let the actions of a deployment choose among the scripts of a component."""
    text = TEMPLATE % (PARTS, SINGLE, "config: {get_resource: parts}, actions: [DELETE]" + SERVER)
    main = yaml.safe_load(str(transpile.convert(text, to="tosca").files["main.yaml"]))
    operations = main["topology_template"]["node_templates"]["d"]["interfaces"]["Standard"]["operations"]
    assert sorted(operations) == ["create", "delete"]
    terraform = transpile.convert(text, prefer="native")
    assert terraform.report["resources"]["d"]["treatment"] == "folded"
