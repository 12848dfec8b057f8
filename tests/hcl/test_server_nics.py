"""The NICs of a server in all pairs of forms: who has the security groups.

The provider reads the groups of all ports of a server back as `security_groups`. So a server with a port that has
groups of its own must not set that argument, or its second plan takes the groups of the port away.
"""

from __future__ import annotations

import copy
import itertools
import json
import pathlib
from typing import Any

import pytest

import transpile
from tests.support import conversions

FORMS: dict[str, dict[str, Any]] = {
    "port": {"port": {"get_resource": "port"}},
    "network": {"network": "back"},
    "uuid": {"uuid": "11111111-2222-4333-8444-555555555555"},
    "address": {"network": "back", "fixed_ip": "192.0.2.7"},
    "subnet": {"subnet": "low"},
    "extra": {"network": "back", "port_extra_properties": {"admin_state_up": False}},
    "no port": {"port": None, "network": "back"},
}


def convert_server(*nics: dict[str, Any]) -> str:
    server = {"image": "i", "flavor": "f", "networks": list(nics), "security_groups": ["web"]}
    port = {"type": "OS::Neutron::Port", "properties": {"network": "front", "security_groups": ["admin"]}}
    resources = {"port": port, "server": {"type": "OS::Nova::Server", "properties": server}}
    done = conversions.convert(json.dumps({"heat_template_version": "2018-08-31", "resources": resources}))
    return str(done.files["main.tf"])


@pytest.mark.parametrize(("first", "second"), list(itertools.product(FORMS, repeat=2)))
def test_groups_are_the_servers_or_those_of_all_its_new_ports(first: str, second: str) -> None:
    text = convert_server(FORMS[first], FORMS[second])
    given = [first, second].count("port")
    new_ports = text.count('resource "openstack_networking_port_v2" "server')
    if given:
        assert new_ports == 2 - given
        assert "  security_groups " not in text
    else:
        assert ("  security_groups " in text) == (new_ports < 2)
    # the given port has groups of its own
    assert text.count("security_group_ids") == new_ports + 1


# a list that callers of a nested template pass

NODE = {
    "heat_template_version": "2018-08-31",
    "parameters": {"nics": {"type": "json"}},
    "resources": {
        "server": {"type": "OS::Nova::Server", "properties": {"image": "i", "networks": {"get_param": "nics"}}},
    },
}
OWN, ID = {"get_resource": "net"}, "11111111-2222-4333-8444-555555555555"


def convert_calls(path: pathlib.Path, *calls: list[dict[str, Any]], **more: Any) -> str | None:
    """The text of the module; None if its server stays with Heat. more: properties of the server."""
    node: Any = copy.deepcopy(NODE)
    node["resources"]["server"]["properties"] |= more
    (path / "node.yaml").write_text(json.dumps(node))
    middle = NODE | {"resources": {"node": {"type": "node.yaml", "properties": {"nics": {"get_param": "nics"}}}}}
    (path / "middle.yaml").write_text(json.dumps(middle))
    resources: dict[str, Any] = {"net": {"type": "OS::Neutron::Net", "properties": {"name": "front"}}}
    for index, nics in enumerate(calls):
        resources[f"call_{index}"] = {"type": "middle.yaml" if index else "node.yaml", "properties": {"nics": nics}}
    (path / "stack.yaml").write_text(json.dumps({"heat_template_version": "2018-08-31", "resources": resources}))
    done = conversions.convert(path / "stack.yaml")
    text = " ".join(str(done.files["modules/node/main.tf"]).split())
    return None if "orchestration_stack" in text else text


@pytest.mark.parametrize(
    ("calls", "written"),
    [
        ([[{"network": OWN}]], "content { uuid = network.value.network }"),
        ([[{"network": OWN}, {"network": ID}]], "content { uuid = network.value.network }"),
        ([[{"network": "a"}, {"network": "b"}]], "content { name = network.value.network }"),
        ([[{"network": "a"}], [{"network": "b"}, {"network": "c"}]], "content { name = network.value.network }"),
        ([[{"network": "a"}], [{"network": "b", "fixed_ip": "192.0.2.7"}]], "try(network.value.fixed_ip, null)"),
        ([[{"uuid": OWN}], [{"uuid": ID}]], "content { uuid = network.value.uuid }"),
        ([[{"network": "a"}, {"network": ID}]], "uuid = can(regex("),
        ([[{"network": "a"}, {"network": OWN}]], None),  # a name cannot be told from an ID that nobody knows yet
        ([[{"network": "front"}]], None),  # the name of the stack's own network, which must come first
        ([[{"network": "a"}], [{"subnet": "b"}]], None),  # Heat makes a port
        ([[{"network": "a", "fixed_ip": "2001:db8::7"}]], None),
        ([[{"network": "a", "port": ID}]], None),
        ([[{"network": "a"}], {"get_file": "nics.json"}], None),
    ],
)
def test_values_that_all_callers_pass_are_known(calls: list[Any], written: str | None, tmp_path: pathlib.Path) -> None:
    (tmp_path / "nics.json").write_text("[]")
    text = convert_calls(tmp_path, *calls)
    assert (text is None) == (written is None)
    assert text is None or (written or "") in text


def test_a_nic_that_a_caller_gives_by_port_takes_no_groups(tmp_path: pathlib.Path) -> None:
    assert "port = network.value.port" in (convert_calls(tmp_path, [{"port": ID}]) or "")
    assert convert_calls(tmp_path, [{"port": ID}], security_groups=["web"]) is None


def test_empty_properties_of_a_nic_with_a_port_of_its_own_have_fates() -> None:
    nic = "{subnet: s, network: '', fixed_ip: null}"
    done = transpile.convert(
        "heat_template_version: 2018-08-31\nresources:\n"
        f"  s: {{type: OS::Nova::Server, properties: {{image: i, flavor: f, networks: [{nic}]}}}}\n"
    )
    fates = done.report["resources"]["s"]["properties"]
    assert {"networks.0.subnet", "networks.0.network", "networks.0.fixed_ip"} <= fates.keys()
