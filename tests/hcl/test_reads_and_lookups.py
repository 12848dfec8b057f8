"""Data sources of a conversion: the subnets of a network, and the look-ups that conditions guard."""

from __future__ import annotations

import re

import pytest

import transpile

NET = """
heat_template_version: 2018-08-31
resources:
  net: {type: OS::Neutron::Net, properties: {name: n}}
  sub: {type: OS::Neutron::Subnet, properties: {network: {get_resource: net}, cidr: 10.0.0.0/24}}
"""
OUTPUT = "outputs:\n  o: {value: {get_attr: [net, subnets]}}\n"
# the reader, and the reason why only Heat knows the subnets at that time; empty if there is none
ASKERS = {
    "an output": (OUTPUT, False),
    "a resource after the subnet": (
        "  port: {type: OS::Neutron::Port, depends_on: sub,\n"
        "    properties: {network: {get_resource: net}, name: {get_attr: [net, subnets, 0]}}}\n",
        False,
    ),
    "a subnet itself": (
        "  other: {type: OS::Neutron::Subnet,\n"
        "    properties: {network: {get_resource: net}, cidr: 10.1.0.0/24, tags: {get_attr: [net, subnets]}}}\n",
        True,
    ),
    "a resource that a subnet waits for": (
        "  volume: {type: OS::Cinder::Volume, properties: {size: 1, name: {get_attr: [net, subnets, 0]}}}\n"
        "  other: {type: OS::Neutron::Subnet, depends_on: volume,\n"
        "    properties: {network: {get_resource: net}, cidr: 10.1.0.0/24}}\n",
        True,
    ),
}


@pytest.mark.parametrize("who", ASKERS)
def test_the_subnets_of_a_network_are_read_where_all_of_them_are_there(who: str) -> None:
    text, is_early = ASKERS[who]
    done = transpile.convert(NET + text, to="hcl")
    assert done.ok
    main = str(done.files["main.tf"]) + str(done.files.get("outputs.tf", ""))
    assert ("openstack_orchestration_stack_v1" in main) == is_early
    assert ("openstack_networking_subnet_v2.sub.id" in main) != is_early


CONDITIONS = """
heat_template_version: 2018-08-31
parameters:
  live: {type: boolean, default: true}
  network: {type: string, default: front}
conditions:
  plain: {get_param: live}
  twice: {not: {not: {get_param: live}}}
  dark: {not: plain}
  again: {not: dark}
  other: {equals: [{get_param: network}, back]}
resources:
"""


def test_lookups_are_shared_under_conditions_that_mean_the_same() -> None:
    """Three spellings of one condition share a data source; its negation and another condition do not."""
    port = "  {0}: {{type: OS::Neutron::Port, condition: {0}, properties: {{network: {{get_param: network}}}}}}\n"
    done = transpile.convert(
        CONDITIONS + "".join(map(port.format, ("plain", "twice", "again", "dark", "other"))), to="hcl"
    )
    data, main = str(done.files["data.tf"]), str(done.files["main.tf"])
    assert re.findall(r"count = (.*)", data) == ["local.plain ? 1 : 0", "local.dark ? 1 : 0", "local.other ? 1 : 0"]
    read = re.findall(r"network_id += data\.openstack_networking_network_v2\.(\w+)\[0\]", main)
    assert read == ["network", "network", "network", "network_2", "network_3"]
