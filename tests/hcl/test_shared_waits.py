"""Resources that all wait for the same many resources wait for one `terraform_data` that comes after these."""

from __future__ import annotations

import re

import transpile
from emitters.hcl.assemble.depends_on import MANY


def write_template(subnets: int, ports: int, more: str = "") -> str:
    resources = "".join(
        f"  s{i}: {{type: OS::Neutron::Subnet, properties: {{network: {{get_resource: net}}, cidr: 10.0.{i}.0/24}}}}\n"
        for i in range(subnets)
    ) + "".join(
        f"  p{i}: {{type: OS::Neutron::Port, properties: {{network: {{get_resource: net}}}}}}\n" for i in range(ports)
    )
    return f"heat_template_version: 2018-08-31\nresources:\n  net: {{type: OS::Neutron::Net}}\n{resources}{more}"


def convert(text: str) -> str:
    done = transpile.convert(text)
    assert done.ok
    return str(done.files["main.tf"])


def waits_of(text: str, address: str) -> list[str]:
    """The addresses in the `depends_on` of a block."""
    kind, label = address.split(".")
    block = text.partition(f'resource "{kind}" "{label}" {{')[2].partition("\n}")[0]
    return re.findall(r"[a-z_0-9]+\.[a-z_0-9]+", block.partition("depends_on")[2])


def test_ports_wait_for_all_subnets_by_one_block() -> None:
    text = convert(write_template(MANY, 3))
    subnets = [f"openstack_networking_subnet_v2.s{i}" for i in range(MANY)]
    assert waits_of(text, "terraform_data.subnets") == subnets
    for i in range(3):
        assert waits_of(text, f"openstack_networking_port_v2.p{i}") == ["terraform_data.subnets"]


def test_few_subnets_and_a_single_port_keep_the_list() -> None:
    for subnets, ports in ((MANY - 1, 3), (MANY, 1)):
        text = convert(write_template(subnets, ports))
        assert "terraform_data" not in text
        assert len(waits_of(text, "openstack_networking_port_v2.p0")) == subnets


def test_no_block_is_shared_if_it_would_close_a_cycle() -> None:
    """A subnet that comes after one of the ports: Terraform would refuse that all ports wait for all subnets."""
    late = "  s99:\n    type: OS::Neutron::Subnet\n    depends_on: p0\n"
    late += "    properties: {network: {get_resource: net}, cidr: 10.1.0.0/24}\n"
    text = convert(write_template(MANY, 3, late))
    assert "terraform_data" not in text
    assert "openstack_networking_subnet_v2.s99" not in waits_of(text, "openstack_networking_port_v2.p0")
    assert "openstack_networking_subnet_v2.s0" in waits_of(text, "openstack_networking_port_v2.p0")


def test_the_output_grows_as_the_template_does() -> None:
    small, large = (len(convert(write_template(n, n))) / n for n in (40, 160))
    assert large < 1.1 * small
