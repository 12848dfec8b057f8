"""The NICs of a server in all pairs of forms: who has the security groups.

The provider reads the groups of all ports of a server back as `security_groups`. So a server with a port that has
groups of its own must not set that argument, or its second plan takes the groups of the port away.
"""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest

import transpile

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
    done = transpile.convert(json.dumps({"heat_template_version": "2018-08-31", "resources": resources}))
    assert done.ok, [d.message for d in done.diagnostics]
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
