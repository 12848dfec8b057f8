"""Resources that need no Heat with the default preference, because no used part of them does: a small case for each
way, with a similar case that does need Heat.
"""

from __future__ import annotations

import json
import pathlib
import subprocess
from typing import Any

import pytest
import yaml

from emitters.hcl.hooks.zero_ports import ONE_CODE
from emitters.hcl.tables.tables import tables_of_catalog
from tests.support import conversions, oracles
from tests.support.conversions import codes, print_hcl
from transpile.report import template_reports
from transpile.schema.catalog import read_openstack_catalog

HEAD = "heat_template_version: 2018-08-31\n"
SERVER = "{type: OS::Nova::Server, properties: {image: i, flavor: f, user_data_format: RAW%s}}"
STACK = 'resource "openstack_orchestration_stack_v1"'


def convert(where: pathlib.Path, template: str, nested: dict[str, str] | None = None, env: str = "") -> Any:
    """A conversion of a template, with nested ones beside it and an environment."""
    for name, text in (nested or {}).items():
        (where / name).write_text(HEAD + text, encoding="utf-8")
    (where / "input.yaml").write_text(HEAD + template, encoding="utf-8")
    (where / "env.yaml").write_text(env or "{}", encoding="utf-8")
    return conversions.convert(where / "input.yaml", environments=[where / "env.yaml"])


def needs_heat(done: Any) -> bool:
    return STACK in print_hcl(done)


def reports(done: Any) -> list[Any]:
    return list(template_reports(done.report))


# outputs of nested templates

INTERFACE = """
parameters: {router: {type: string}}
resources:
  net: {type: OS::Neutron::Net}
  sub: {type: OS::Neutron::Subnet, properties: {network: {get_resource: net}, cidr: 10.0.0.0/24}}
  port: {type: OS::Neutron::RouterInterface, properties: {router: {get_param: router}, subnet: {get_resource: sub}}}
outputs:
  net: {value: {get_resource: net}}
  port: {value: {get_attr: [net, status]}}
"""
CALL = "resources: {r: {type: OS::Neutron::Router}, n: {type: net.yaml, properties: {router: {get_resource: r}}}%s}\n"
TAGS = ", u: {type: OS::Neutron::Net, properties: {tags: [{get_attr: [n, %s]}]}}"


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        (CALL % "", False),
        (CALL % (TAGS % "net"), False),
        (CALL % (TAGS % "port"), True),  # a resource reads it
        (CALL % "" + "outputs: {o: {value: {get_attr: [n, port]}}}", True),  # the root returns it
        (CALL % ", v: {type: OS::Heat::Value, properties: {value: {get_attr: [n, port]}}}", True),
    ],
)
def test_an_output_that_nothing_reads_keeps_nothing(template: str, expected: bool, tmp_path: pathlib.Path) -> None:
    done = convert(tmp_path, template, {"net.yaml": INTERFACE})
    assert needs_heat(done) == expected
    assert ("HOT466" in codes(done)) == (not expected)
    outputs = reports(done)[1]["outputs"]["port"]
    assert ("why" in outputs and "output" not in outputs) == (not expected)
    assert ('output "port"' in print_hcl(done)) == expected


def test_all_outputs_at_once_are_read(tmp_path: pathlib.Path) -> None:
    """`{get_attr: [n]}` is a map that Terraform does not have, so the nested stack stays as it is."""
    done = convert(tmp_path, CALL % "" + "outputs: {o: {value: {get_attr: [n]}}}", {"net.yaml": INTERFACE})
    assert needs_heat(done)
    assert "HOT466" not in codes(done)


@pytest.mark.parametrize("read", [False, True])
def test_values_that_only_an_unread_output_reads_are_unread(read: bool, tmp_path: pathlib.Path) -> None:
    """A chain of two: the output of the outer template only passes on that of the inner one."""
    outer = """
parameters: {router: {type: string}}
resources: {inner: {type: net.yaml, properties: {router: {get_param: router}}}}
outputs: {port: {value: {get_attr: [inner, port]}}}
"""
    template = CALL.replace("net.yaml", "outer.yaml") % (TAGS % "port" if read else "")
    done = convert(tmp_path, template, {"net.yaml": INTERFACE, "outer.yaml": outer})
    assert needs_heat(done) == read
    assert sum(d.code == "HOT466" for d in done.diagnostics) == (0 if read else 2)


def test_one_reader_is_enough(tmp_path: pathlib.Path) -> None:
    """A module is written once for all calls, so an output that one of them reads is read."""
    template = CALL % (", m: {type: net.yaml, properties: {router: {get_resource: r}}}" + TAGS % "port")
    assert needs_heat(convert(tmp_path, template, {"net.yaml": INTERFACE}))


def test_a_group_reads_an_output_of_its_members(tmp_path: pathlib.Path) -> None:
    group = (
        "resources:\n  r: {type: OS::Neutron::Router}\n"
        "  g: {type: OS::Heat::ResourceGroup, properties: {count: 2, resource_def: {type: net.yaml, properties: "
        "{router: {get_resource: r}}}}}\n"
    )
    assert not needs_heat(convert(tmp_path, group, {"net.yaml": INTERFACE}))
    read = group + "outputs: {o: {value: {get_attr: [g, port]}}}\n"
    assert needs_heat(convert(tmp_path, read, {"net.yaml": INTERFACE}))


def test_the_comment_of_an_output_that_is_left_out_names_its_subject(tmp_path: pathlib.Path) -> None:
    nested = INTERFACE.replace("  port: {value:", "  # for the curious\n  port: {value:")
    done = convert(tmp_path, CALL % "", {"net.yaml": nested})
    assert "# About port, which is not written here:\n#   for the curious\n" in done.files["modules/net/outputs.tf"]


UNREAD = {
    "value": "{type: OS::Heat::Value, properties: {value: {get_attr: [net, status]}}}",
    "text": "{type: OS::Heat::SoftwareConfig, properties: {config: {list_join: ['', [a, {get_attr: [net, status]}]]}}}",
    "argument": "{type: leaf.yaml, properties: {unused: {get_attr: [net, status]}}}",
}
LEAF = "parameters: {unused: {type: string, default: x}}\nresources: {n: {type: OS::Neutron::Net}}\n"


@pytest.mark.parametrize("value", UNREAD)
def test_a_value_that_nothing_uses_is_not_written(value: str, tmp_path: pathlib.Path) -> None:
    template = f"resources:\n  net: {{type: OS::Neutron::Net}}\n  v: {UNREAD[value]}\n"
    done = convert(tmp_path, template, {"leaf.yaml": LEAF})
    assert not needs_heat(done)
    assert "HOT466" in codes(done)
    assert "status" not in print_hcl(done)


@pytest.mark.parametrize("value", UNREAD)
def test_a_value_that_something_uses_is(value: str, tmp_path: pathlib.Path) -> None:
    path = {"value": "{get_attr: [v, value]}", "text": "{get_attr: [v, config]}", "argument": "{get_attr: [v, o]}"}[
        value
    ]
    template = f"resources:\n  net: {{type: OS::Neutron::Net}}\n  v: {UNREAD[value]}\n"
    used = LEAF + "outputs: {o: {value: {get_param: unused}}}\n"
    done = convert(tmp_path, f"{template}outputs: {{o: {{value: {path}}}}}\n", {"leaf.yaml": used})
    assert needs_heat(done)
    assert "HOT466" not in codes(done)


def test_an_output_of_the_root_that_names_nothing_is_null(tmp_path: pathlib.Path) -> None:
    """Heat creates the stack, and shows an error for the output (real Heat: golden nothing_for_heat)."""
    done = convert(tmp_path, "outputs: {o: {value: [{get_param: elsewhere}, x]}}\n")
    assert not needs_heat(done)
    assert 'output "o" {\n  value = null\n}' in done.files["outputs.tf"]
    branch = (
        "parameters: {b: {type: boolean}}\noutputs: {o: {value: {if: [{get_param: b}, {get_param: elsewhere}, x]}}}"
    )
    assert needs_heat(convert(tmp_path, branch))  # Heat may never evaluate the bad branch


# references that are made of properties


def test_the_id_of_a_router_interface_is_computed(tmp_path: pathlib.Path) -> None:
    """Heat joins the IDs of router and subnet (RouterInterface.handle_create), and templates pass that on to wait."""
    template = (
        "parameters: {router: {type: string}}\nresources:\n"
        "  i: {type: OS::Neutron::RouterInterface, properties: {router: {get_param: router}, subnet: s}}\n"
        "  r:\n    type: OS::Neutron::ExtraRoute\n"
        "    properties: {router_id: x, destination: 192.0.2.0/24, nexthop: 10.0.0.1}\n"
        "outputs: {i: {value: {get_resource: i}}, r: {value: {get_resource: r}}}\n"
    )
    done = convert(tmp_path, template)
    assert not needs_heat(done)
    interface, route = "openstack_networking_router_interface_v2.i", "openstack_networking_router_route_v2.r"
    outputs = str(done.files["outputs.tf"])
    assert f'value = "${{{interface}.router_id}}:subnet_id=${{{interface}.subnet_id}}"' in outputs
    assert f'value = "${{{route}.router_id}}:192.0.2.0/24:10.0.0.1"' in outputs


OF_HEAT = """
import json, uuid
from unittest import mock
from heat.engine.resources.openstack.heat import none_resource
from heat.engine.resources.openstack.neutron import extraroute, router
from heat.engine.resources.openstack.neutron.lbaas import pool_member

def made_id(kind, **properties):
    resource = mock.Mock(properties=properties, **{n: getattr(kind, n) for n in dir(kind) if n.isupper()})
    resource.client.return_value.show_router.return_value = {"router": {}}
    kind.handle_create(resource)
    return resource.resource_id_set.call_args[0][0]

print(json.dumps({
    "interface": made_id(router.RouterInterface, router="r", subnet="s"),
    "route": made_id(extraroute.ExtraRoute, router_id="r", destination="d", nexthop="n"),
    "none": str(uuid.UUID(made_id(none_resource.NoneResource))).count("-"),
    "attribute": none_resource.NoneResource.get_attribute(mock.Mock(), "show", "id"),
    "retired": issubclass(pool_member.PoolMember, none_resource.NoneResource),
}))
"""


@oracles.needs_heat
def test_heat_makes_these_ids_and_attributes() -> None:
    """The IDs and attributes of the table and of the handles are those of Heat's own classes."""
    done = subprocess.run([oracles.HEAT_PYTHON, "-c", OF_HEAT], capture_output=True, text=True, check=True)
    heat = json.loads(done.stdout.splitlines()[-1])
    tables = tables_of_catalog(read_openstack_catalog())
    interface = tables.find_mapping("OS::Neutron::RouterInterface")
    route = tables.find_mapping("OS::Neutron::ExtraRoute")
    assert str(interface.joined).replace("${router}", "r").replace("${subnet}", "s") == heat["interface"]
    values = {"${router_id}": "r", "${destination}": "d", "${nexthop}": "n"}
    text = str(route.joined)
    for name, value in values.items():
        text = text.replace(name, value)
    assert text == heat["route"]
    assert heat["none"] == 4  # a UUID
    assert heat["attribute"] is None
    assert heat["retired"]


# types for which Heat does nothing

MEMBER = (
    "{type: OS::Neutron::LBaaS::PoolMember, properties: {pool: p, address: 10.0.0.1, protocol_port: 80, subnet: s}}"
)


def test_an_attribute_of_a_retired_type_is_null(tmp_path: pathlib.Path) -> None:
    template = f"resources: {{m: {MEMBER}}}\noutputs: {{o: {{value: {{get_attr: [m, show]}}}}}}\n"
    done = convert(tmp_path, template)
    assert not needs_heat(done)
    assert 'output "o" {\n  value = null\n}' in done.files["outputs.tf"]
    assert any(d.code == "HOT454" and "show of m is null" in d.message for d in done.diagnostics)
    octavia = template.replace("Neutron::LBaaS", "Octavia")
    assert needs_heat(convert(tmp_path, octavia))  # Heat reads the member there


# OS::Heat::None

NONE = 'resource_registry: {"My::Disk": "OS::Heat::None"}\n'


@pytest.mark.parametrize("kind", ["OS::Heat::None", "My::Disk"])
def test_the_id_of_none_is_a_random_uuid(kind: str, tmp_path: pathlib.Path) -> None:
    template = (
        'parameters: {"yes": {type: boolean, default: true}}\nconditions: {there: {get_param: "yes"}}\n'
        f"resources:\n  a: {{type: '{kind}', properties: {{size: 1}}}}\n  b: {{type: '{kind}', condition: there}}\n"
        f"  unused: {{type: '{kind}'}}\n"
        "  net: {type: OS::Neutron::Net, properties: {tags: [{get_resource: a}]}}\n"
        "outputs:\n  b: {value: {get_resource: b}}\n  c: {value: {get_attr: [a, show, id]}}\n"
        "  d: {value: {get_attr: [b, x]}}\n"
    )
    done = convert(tmp_path, template, env=NONE)
    text = print_hcl(done)
    assert not needs_heat(done)
    assert text.count('resource "random_uuid"') == 2
    assert "tags = [random_uuid.a.result]" in text
    assert "value = one(random_uuid.b[*].result)" in text
    assert text.count("value = null") == 2  # Heat returns null for every attribute
    assert done.report["resources"]["unused"]["treatment"] == "folded"


@pytest.mark.parametrize("kind", ["OS::Heat::HARestarter", "OS::Aodh::CombinationAlarm"])
def test_a_type_without_effect_is_the_same_as_none(kind: str, tmp_path: pathlib.Path) -> None:
    """Heat has made nothing but an ID for these since their services went, for all properties."""
    resource = f"resources:\n  a: {{type: '{kind}', properties: {{InstanceId: x}}}}\n"
    done = convert(tmp_path, resource)
    assert not needs_heat(done)
    assert done.report["resources"]["a"]["treatment"] == "folded"
    done = convert(
        tmp_path, resource + "outputs: {a: {value: {get_resource: a}}, u: {value: {get_attr: [a, AlarmUrl]}}}"
    )
    assert not needs_heat(done)
    assert "value = random_uuid.a.result" in print_hcl(done)
    assert "value = null" in print_hcl(done)


def test_a_group_of_nones(tmp_path: pathlib.Path) -> None:
    group = (
        "resources: {g: {type: OS::Heat::ResourceGroup, properties: {count: 3, resource_def: {type: 'My::Disk'}}}}\n"
        "outputs: {ids: {value: {get_attr: [g, refs]}}, sizes: {value: {get_attr: [g, size]}}}\n"
    )
    done = convert(tmp_path, group, env=NONE)
    assert not needs_heat(done)
    assert "value = random_uuid.g[*].result" in done.files["outputs.tf"]
    assert "value = [for member in random_uuid.g : null]" in done.files["outputs.tf"]


CHAIN = """
resources:
  c: {type: OS::Heat::ResourceChain, properties: {resources: [%s], resource_properties: {name: x}}}
"""


def test_nones_in_a_chain(tmp_path: pathlib.Path) -> None:
    """An environment removes some of the listed types, as those of TripleO do. The members keep their numbers."""
    output = "outputs: {ids: {value: {get_attr: [c, refs]}}}\n"
    done = convert(tmp_path, CHAIN % "'My::Disk', OS::Neutron::Net" + output, env=NONE)
    assert not needs_heat(done)
    text = print_hcl(done)
    assert 'resource "random_uuid" "c_0"' in text
    assert "[random_uuid.c_0.result, openstack_networking_network_v2.c_1.id]" in text
    assert done.report["resources"]["c"]["properties"]["resource_properties.name"]["argument"] == "name"
    leaf = "parameters: {name: {type: string}}\nresources: {n: {type: OS::Neutron::Net}}\n"
    done = convert(tmp_path, CHAIN % "leaf.yaml, 'My::Disk'", {"leaf.yaml": leaf}, env=NONE)
    assert not needs_heat(done)
    assert "depends_on = [module.c_0]" in " ".join(print_hcl(done).split())


def test_a_none_called_stack_id(tmp_path: pathlib.Path) -> None:
    """The ID of the stack is a random_uuid as well, with a label of its own."""
    template = (
        "resources:\n  stack_id: {type: OS::Heat::None}\n  net: {type: OS::Neutron::Net, properties: {tags: "
        '[{get_param: "OS::stack_id"}, {get_resource: stack_id}]}}\n'
    )
    text = print_hcl(convert(tmp_path, template))
    assert "random_uuid.stack_id_2.result, random_uuid.stack_id.result" in text


# security groups

GROUPS = """
parameters: {groups: {type: comma_delimited_list}}
resources:
  s: {type: OS::Nova::Server, properties: {image: i, flavor: f, user_data_format: RAW, networks: [{network: n}],
      security_groups: {get_param: groups}}}
"""
MIDDLE = """
parameters: {groups: {type: comma_delimited_list}}
resources:
  x: {type: OS::Heat::ResourceGroup, properties: {count: 2, resource_def: {type: node.yaml, properties: {groups:
      {get_param: groups}}}}}
"""
CALLER = """resources:
  g: {type: OS::Neutron::SecurityGroup, properties: {name: g}}
  a: {type: %s, properties: {groups: %s}}
"""
BY_NAME = "openstack_networking_secgroup_v2.g.name"


@pytest.mark.parametrize("template", ["node.yaml", "middle.yaml"])
@pytest.mark.parametrize(
    ("groups", "expected"),
    [("[default, {get_resource: g}]", f'["default", {BY_NAME}]'), ("[{get_resource: g}]", f"[{BY_NAME}]")],
)
def test_groups_of_servers_reach_a_module_by_name(
    template: str, groups: str, expected: str, tmp_path: pathlib.Path
) -> None:
    done = convert(tmp_path, CALLER % (template, groups), {"node.yaml": GROUPS, "middle.yaml": MIDDLE})
    assert not needs_heat(done)
    call = str(done.files["main.tf"])
    assert f"groups = {expected}" in " ".join(call.split()).replace("groups =", "groups =")
    assert "security_groups = var.groups" in print_hcl(done)


def test_all_calls_of_a_module_pass_names(tmp_path: pathlib.Path) -> None:
    template = (
        CALLER % ("node.yaml", "[default, {get_resource: g}]") + "  b: {type: node.yaml, properties: {groups: 'x,y'}}\n"
    )
    done = convert(tmp_path, template, {"node.yaml": GROUPS})
    assert not needs_heat(done)
    assert 'groups = ["x", "y"]' in " ".join(str(done.files["main.tf"]).split())


def test_groups_that_are_also_those_of_a_port_are_ids(tmp_path: pathlib.Path) -> None:
    """One variable cannot hold names for the server and IDs for the port, so the server stays with Heat."""
    both = GROUPS + "  p: {type: OS::Neutron::Port, properties: {network: n, security_groups: {get_param: groups}}}\n"
    done = convert(tmp_path, CALLER % ("node.yaml", "[default, {get_resource: g}]"), {"node.yaml": both})
    assert needs_heat(done)
    assert "security_group_ids = var.groups" in print_hcl(done)


# ports and addresses of servers

PORT = "{get_attr: [s, addresses, %s, 0, port]}"
ADDRESS = f"{{type: OS::Neutron::FloatingIP, properties: {{floating_network: pub, port_id: {PORT}}}}}"
NIC = "openstack_compute_instance_v2.s.network[%d].uuid"


def with_server(networks: str, path: str, more: str = "") -> str:
    return (
        "parameters: {lan: {type: string, default: lan}, wan: {type: string, default: wan}}\n"
        f"resources:\n  s: {SERVER % (', networks: ' + networks)}\n  f: {ADDRESS % path}\n{more}"
    )


@pytest.mark.parametrize(
    ("networks", "path", "network"),
    [
        ("[{network: {get_param: lan}}]", "{get_param: lan}", NIC % 0),
        ("[{network: a}, {network: {get_param: lan}}]", "{get_param: lan}", NIC % 1),
        ("[{network: a}, {network: b}]", "{get_param: lan}", "data.openstack_networking_network_v2.lan.id"),
    ],
)
def test_a_data_source_finds_the_port_that_nova_makes(
    networks: str, path: str, network: str, tmp_path: pathlib.Path
) -> None:
    done = convert(tmp_path, with_server(networks, path))
    assert not needs_heat(done)
    data = " ".join(str(done.files["data.tf"]).split())
    assert f"device_id = openstack_compute_instance_v2.s.id network_id = {network}" in data
    assert "port_id = data.openstack_networking_port_v2.s_port" in str(done.files["main.tf"])


def test_one_data_source_for_each_port(tmp_path: pathlib.Path) -> None:
    more = "outputs: {o: {value: {get_attr: [s, addresses, {get_param: lan}, 0, port]}}}\n"
    done = convert(tmp_path, with_server("[{network: {get_param: lan}}]", "{get_param: lan}", more))
    assert print_hcl(done).count('data "openstack_networking_port_v2"') == 1


@pytest.mark.parametrize(
    ("more", "expected"),
    [("", False), ("  f: {type: OS::Neutron::FloatingIP, properties: {floating_network: pub}}\n", True)],
)
def test_networks_are_computed_unless_floating_ips_may_be_among_them(
    more: str, expected: bool, tmp_path: pathlib.Path
) -> None:
    server = SERVER % ", networks: [{network: n}]"
    done = convert(
        tmp_path, f"resources:\n  s: {server}\n{more}outputs: {{o: {{value: {{get_attr: [s, networks]}}}}}}\n"
    )
    assert needs_heat(done) == expected
    if not expected:
        output = " ".join(str(done.files["outputs.tf"]).split())
        assert (
            "openstack_compute_instance_v2.s.network[*].name, openstack_compute_instance_v2.s.network[*].uuid" in output
        )


# existing resources


@pytest.mark.parametrize(
    ("kind", "path", "expected"),
    [
        ("OS::Neutron::Net", "subnets", "net.subnets"),
        ("OS::Neutron::Net", "show, name", "net.name"),
        ("OS::Neutron::Net", "show, mtu", "net.mtu"),
        ("OS::Neutron::Net", "admin_state_up", "tobool(data.openstack_networking_network_v2.net.admin_state_up)"),
        ("OS::Neutron::Subnet", "allocation_pools", "net.allocation_pools"),
        ("OS::Neutron::Subnet", "host_routes, 0, nexthop", "nexthop = route.next_hop"),
        ("OS::Neutron::Router", "external_gateway_info", "external_fixed_ips = data.openstack_networking_router"),
        ("OS::Neutron::Router", "external_gateway_info, network_id", "net.external_network_id"),
        ("OS::Neutron::Port", "network, id", "net.network_id"),
        ("OS::Octavia::Pool", "healthmonitor_id", "net.healthmonitor_id"),
        ("OS::Nova::Server", "addresses, lan, 0, port", "data.openstack_networking_port_v2.net_port.id"),
    ],
)
def test_a_data_source_reads_an_existing_resource(kind: str, path: str, expected: str, tmp_path: pathlib.Path) -> None:
    existing = f"resources: {{net: {{type: {kind}, external_id: 5d2a8a1c-0f2e-4f4b-9b43-0b4c3e0a1d10}}}}\n"
    done = convert(tmp_path, existing + f"outputs: {{o: {{value: {{get_attr: [net, {path}]}}}}}}\n")
    assert not needs_heat(done)
    assert expected in str(done.files["outputs.tf"])


@pytest.mark.parametrize(
    ("kind", "path"),
    [
        ("OS::Neutron::Net", "status"),  # an argument of the data source, by which it searches
        ("OS::Neutron::Net", "port_security_enabled"),  # only the resource has it
        ("OS::Neutron::Net", "show, dns_domain"),  # null in Heat if it is not set, and "" in Terraform
        ("OS::Neutron::Port", "fixed_ips"),
        ("OS::Nova::Server", "addresses, lan, 1, port"),
    ],
)
def test_heat_reads_attributes_that_no_data_source_reads(kind: str, path: str, tmp_path: pathlib.Path) -> None:
    existing = f"resources: {{net: {{type: {kind}, external_id: 5d2a8a1c-0f2e-4f4b-9b43-0b4c3e0a1d10}}}}\n"
    assert needs_heat(convert(tmp_path, existing + f"outputs: {{o: {{value: {{get_attr: [net, {path}]}}}}}}\n"))


# rules for ICMP


@pytest.mark.parametrize(
    ("fields", "expected", "code"),
    [
        ("protocol: icmp, port_range_min: 8, port_range_max: 0", False, "HOT522"),
        ("protocol: icmpv6, ethertype: IPv6, port_range_min: 128, port_range_max: 0", False, "HOT522"),
        ("protocol: '1', port_range_min: '8', port_range_max: '0'", False, "HOT522"),
        ("protocol: icmp, port_range_min: 11", False, ""),  # every code of type 11, as it is written
        ("protocol: icmp, port_range_min: 3, port_range_max: 4", False, ""),
        ("protocol: icmp, port_range_min: 3, port_range_max: 0", True, "HOT403"),  # type 3 has other codes
        ("protocol: icmp, port_range_min: 0, port_range_max: 0", True, "HOT403"),  # type 0 would be every type
        ("protocol: tcp, port_range_min: 8, port_range_max: 0", True, "HOT403"),
    ],
)
@pytest.mark.parametrize("inline", [True, False])
def test_types_of_icmp(fields: str, expected: bool, code: str, inline: bool, tmp_path: pathlib.Path) -> None:
    rules = f"rules: [{{{fields}}}]" if inline else "name: g"
    template = f"resources:\n  g: {{type: OS::Neutron::SecurityGroup, properties: {{{rules}}}}}\n"
    if not inline:
        fields = f"security_group: {{get_resource: g}}, {fields}"
        template += f"  r: {{type: OS::Neutron::SecurityGroupRule, properties: {{{fields}}}}}\n"
    done = convert(tmp_path, template)
    assert needs_heat(done) == expected
    assert {"HOT403", "HOT522"} & codes(done) == ({code} if code else set())
    if not expected and not code and "11" in fields:
        assert "port_range_max = 0" in " ".join(print_hcl(done).split())


def test_no_type_with_other_codes_is_widened() -> None:
    """IANA lists several codes for these types, such as unreachable, redirect, time exceeded and parameter problem."""
    assert not {0, 3, 5, 9, 11, 12, 40, 43, 1, 2, 4} & {number for numbers in ONE_CODE.values() for number in numbers}


# the part that keeps a resource, and the change that frees it

KEPT = """
parameters: {definition: {type: json, default: {type: OS::Neutron::Net}}}
resources:
  own:
    type: OS::Neutron::SecurityGroup
    properties: {name: own, rules: [{protocol: icmp, port_range_min: 0, port_range_max: 0}]}
  other: {type: OS::Neutron::RouterInterface, properties: {router: r, port: s}}
  reader: {type: OS::Neutron::Net, properties: {name: reader, tags: [x, {get_resource: other}]}}
  returned: {type: OS::Neutron::RouterInterface, properties: {router: r, port: t}}
  members: {type: OS::Heat::ResourceGroup, properties: {count: 1, resource_def: {get_param: definition}}}
  whole: {type: OS::Heat::WaitConditionHandle}
outputs:
  result: {value: {get_resource: returned}}
"""


def test_a_kept_resource_names_the_value_that_keeps_it(tmp_path: pathlib.Path) -> None:
    resources = convert(tmp_path, KEPT).report["resources"]
    assert {name: r["kept"].get("by") for name, r in resources.items() if "kept" in r} == {
        "own": "rules.0.port_range_min",
        "other": "property tags.1 of reader",
        "returned": "output result",
        "members": "resource_def",
        "whole": "type",
    }
    assert "--prefer native" in resources["whole"]["kept"]["free"]


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("own", "port_range_min: 0", "port_range_min: 3"),
        ("other", "{get_resource: other}", "y"),
        ("returned", "{get_resource: returned}", "none"),
        ("members", "{get_param: definition}", "{type: OS::Neutron::Net}"),
    ],
)
def test_another_value_there_frees_it(name: str, old: str, new: str, tmp_path: pathlib.Path) -> None:
    """With another value in the place that `by` names, the resource is native: this place alone keeps it."""
    resources = convert(tmp_path, KEPT.replace(old, new).replace("port_range_max: 0", "port_range_max: 1")).report[
        "resources"
    ]
    assert "kept" not in resources[name]


def test_the_place_is_also_in_the_readme_and_the_hint(tmp_path: pathlib.Path) -> None:
    done = convert(tmp_path, KEPT)
    assert "(property tags.1 of reader)" in done.files["README.md"]
    hints = {d.hint for d in done.diagnostics}
    assert hints >= {
        "It stays because of its property rules.0.port_range_min: use another value to free it.",
        "It stays because of property tags.1 of reader: use another value there to free other.",
        "It stays because of output result: remove it, or return another value, to free returned.",
    }


# parameters without a value

ASKING = "parameters: {used: {type: number}, pw: {type: string, hidden: true}, ignored: {type: json}}\nresources:\n"
ASKING += "  v: {type: OS::Cinder::Volume, properties: {size: {get_param: used}, metadata: {a: {get_param: pw}}}}\n"
OUTER = "resources: {inner: {type: leaf.yaml}}\n"


def test_a_variable_asks_for_a_value_that_a_nested_template_requires(tmp_path: pathlib.Path) -> None:
    """Heat makes the stack until it comes to the nested one, where it misses the value. Terraform asks for it first."""
    template = "resources: {a: {type: leaf.yaml, properties: {used: 1}}, b: {type: outer.yaml}}\n"
    done = convert(tmp_path, template, {"leaf.yaml": ASKING, "outer.yaml": OUTER})
    assert not needs_heat(done)
    variables = " ".join(str(done.files["variables.tf"]).split())
    assert 'variable "inner_used" {' in variables
    assert 'variable "a_pw" { description = "The value of pw for a, which the template does not give."' in variables
    assert variables.count("sensitive = true") == 2
    assert "ignored" not in variables  # nothing uses it
    assert "a_used" not in variables  # the template sets it
    assert len([d for d in done.diagnostics if d.code == "HOT412"]) == 5
    assert "inner_used = " in str(done.files["terraform.tfvars.example"])


# values of parameters


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ("directly", "HOT467"),  # neither Heat nor the provider takes it
        ("normal or direct", "HOT613"),  # a placeholder
        ("smart-nic", ""),  # Heat takes it, and value_specs carry it
        ("direct", ""),
    ],
)
def test_a_wrong_value_in_an_environment_decides_nothing(value: str, code: str, tmp_path: pathlib.Path) -> None:
    template = (
        "parameters: {kind: {type: string}}\n"
        "resources: {p: {type: OS::Neutron::Port, properties: {network: n, 'binding:vnic_type': {get_param: kind}}}}\n"
    )
    done = convert(tmp_path, template, env=yaml.safe_dump({"parameters": {"kind": value}}))
    assert not needs_heat(done)
    assert {"HOT403", "HOT467", "HOT613"} & codes(done) == ({code} if code else set())
    assert "var.kind" in print_hcl(done)
