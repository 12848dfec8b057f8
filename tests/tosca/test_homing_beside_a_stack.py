"""Policies of a homing template beside the nodes of a stack."""

from __future__ import annotations

import pathlib

import pytest
import yaml

import transpile
from tests.support import oracles

STACK = """\
heat_template_version: 2021-04-16
parameters:
  reach: {type: string, default: x}
resources:
  gateway:
    type: OS::Nova::Server
    deletion_policy: Retain
    properties: {name: gw, flavor: m1.small, image: cirros}
outputs:
  id: {value: {get_resource: gateway}}
"""
TEMPLATE = """\
homing_template_version: "2017-10-10"
parameters: {reach: < 5 km}
locations:
  here: {latitude: 1, longitude: 2}
demands:
  gateway:
  - {inventory_provider: aai, inventory_type: cloud}
  cache:
  - {inventory_provider: aai, inventory_type: cloud}
constraints:
  gateway_deletion:
    type: distance_to_location
    demands: [gateway, cache]
    properties: {distance: {get_param: reach}, location: here}
"""


@pytest.mark.parametrize(("version", "body"), [("1.3", "topology_template"), ("2.0", "service_template")])
def test_policies_aim_at_the_nodes_of_the_stack(version: str, body: str) -> None:
    """The demand gateway is the server; cache is a node. Names that the stack has stay its own."""
    done = transpile.convert(TEMPLATE, to="tosca", options={"tosca_version": version, "with": STACK})
    assert [diagnostic.code for diagnostic in done.diagnostics if diagnostic.code != "HOT888"] == ["HOT858"]
    inside = yaml.safe_load(str(done.files["main.yaml"]))[body]
    assert {name: node["type"] for name, node in inside["node_templates"].items()} == {
        "gateway": "openstack.nodes.nova.Server",
        "here": "onap.nodes.homing.Location",
        "cache": "onap.nodes.homing.Demand",
    }
    policies = {name: policy for each in inside["policies"] for name, policy in each.items()}
    assert {name: policy["targets"] for name, policy in policies.items()} == {
        "gateway_deletion": ["gateway"],
        "gateway_selection": ["gateway"],
        "gateway_deletion_2": ["gateway", "cache"],
    }
    assert policies["gateway_deletion_2"]["metadata"]["homing.name"] == "gateway_deletion"
    assert inside["inputs"]["homing_reach"]["default"] == 5.0
    assert inside["inputs"]["reach"]["default"] == "x"


@pytest.mark.long
@oracles.needs_tosca
def test_the_tools_take_both_together(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "main.yaml"
    done = transpile.convert(TEMPLATE, to="tosca", options={"with": STACK})
    path.write_text(str(done.files["main.yaml"]), encoding="utf-8")
    (verdicts,) = oracles.ask_tosca([path], (*oracles.TOSCA_TOOLS, "refs"), tmp_path).values()
    assert {tool: verdict["ok"] for tool, verdict in verdicts.items()} == dict.fromkeys(verdicts, True)
