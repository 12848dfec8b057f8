"""Dependencies that neither references nor Heat have, but that creation or removal needs.

A port that is created before the subnets of its network has no address, wherever the port is.
"""

from __future__ import annotations

import pathlib

import pytest

import transpile

NETWORK = """\
heat_template_version: 2018-08-31
resources:
  net: {type: OS::Neutron::Net, properties: {name: net}}
  subnet: {type: OS::Neutron::Subnet, properties: {name: subnet, network: {get_resource: net}, cidr: 10.0.0.0/24}}
"""
WAITS = "depends_on = [openstack_networking_subnet_v2.subnet]"


def converted(resource: str, where: pathlib.Path, **others: str) -> dict[str, str]:
    for name, text in others.items():
        (where / f"{name}.yaml").write_text(text)
    (where / "stack.yaml").write_text(NETWORK + resource)
    done = transpile.convert(where / "stack.yaml")
    assert done.ok
    return {name: str(text) for name, text in done.files.items()}


@pytest.mark.parametrize(
    "member",
    [
        "{type: OS::Neutron::Port, properties: {name: p, network: {get_resource: net}}}",
        "{type: OS::Nova::Server, properties: {image: i, flavor: f, networks: [{network: {get_resource: net}}]}}",
    ],
    ids=["port", "server"],
)
def test_members_of_a_group_wait_for_the_subnet(member: str, tmp_path: pathlib.Path) -> None:
    """Heat creates them in a stack of their own, which takes it longer than the subnet."""
    group = f"  group: {{type: OS::Heat::ResourceGroup, properties: {{count: 2, resource_def: {member}}}}}\n"
    assert WAITS in converted(group, tmp_path)["main.tf"]


@pytest.mark.parametrize(
    ("inner", "waits"),
    [
        ("port: {type: OS::Neutron::Port, properties: {name: p, network: {get_param: network}}}", True),
        ("subnet: {type: OS::Neutron::Subnet, properties: {network: {get_param: network}, cidr: 10.1.0.0/24}}", False),
    ],
    ids=["with a port", "without"],
)
def test_a_nested_stack_with_ports_waits_for_the_subnet(inner: str, waits: bool, tmp_path: pathlib.Path) -> None:
    nested = f"heat_template_version: 2018-08-31\nparameters: {{network: {{type: string}}}}\nresources:\n  {inner}\n"
    call = "  inner: {type: inner.yaml, properties: {network: {get_resource: net}}}\n"
    files = converted(call, tmp_path, inner=nested)
    call = files["main.tf"].partition('module "inner"')[2]
    assert ("depends_on = [openstack_networking_subnet_v2.subnet]" in call) is waits


def test_users_of_a_shared_qos_policy_are_removed_before_the_rbac_policy(tmp_path: pathlib.Path) -> None:
    """Neutron does not remove the RBAC policy before, and Terraform removes in the reverse order of depends_on."""
    files = converted(
        """\
  qos: {type: OS::Neutron::QoSPolicy, properties: {name: slow}}
  user: {type: OS::Neutron::Net, properties: {name: user, qos_policy: {get_resource: qos}}}
  rbac:
    type: OS::Neutron::RBACPolicy
    properties: {object_type: qos_policy, object_id: {get_resource: qos}, action: access_as_shared, target_tenant: "*"}
""",
        tmp_path,
    )
    user = files["main.tf"].partition('"user" {')[2].partition("\nresource")[0]
    assert "depends_on = [openstack_networking_rbac_policy_v2.rbac]" in user


BRANCHES = """\
heat_template_version: 2018-08-31
parameters: {flag: {type: boolean, default: true}}
conditions: {flag: {get_param: flag}}
resources:
  net: {type: OS::Neutron::Net, properties: {name: net}}
  subnet: {type: OS::Neutron::Subnet, properties: {name: subnet, network: {get_resource: net}, cidr: 10.0.0.0/24}}
  router: {type: OS::Neutron::Router, properties: {external_gateway_info: {network: public}}}
  plug: {type: OS::Neutron::RouterInterface, properties: {router: {get_resource: router}, subnet: PLUG}}
  port: {type: OS::Neutron::Port, properties: {network: {get_resource: net}, fixed_ips: FIXED}}
  ip: {type: OS::Neutron::FloatingIP, properties: {floating_network: public, port_id: PORT}}
"""
BRANCHED = {
    "PLUG": "{get_resource: subnet}",
    "FIXED": "[{subnet: {get_resource: subnet}}]",
    "PORT": "{get_resource: port}",
}


@pytest.mark.parametrize("branched", BRANCHED)
def test_each_branch_of_an_if_counts(branched: str) -> None:
    """Heat waits for the resources that the values name when it creates the stack."""
    text = BRANCHES
    for word, value in BRANCHED.items():
        other = "[{subnet: other}]" if word == "FIXED" else "other"
        text = text.replace(word, f"{{if: [flag, {value}, {other}]}}" if word == branched else value)
    block = str(transpile.convert(text).files["main.tf"]).partition('"openstack_networking_floatingip_v2"')[2]
    assert "openstack_networking_router_interface_v2.plug" in block.partition("depends_on")[2].partition("]")[0]
