"""Features of users' mapping tables: joined texts, a resource for each item, configurations of providers."""

from __future__ import annotations

import json
import pathlib
from collections.abc import Mapping
from typing import Any

import pytest
import yaml

import transpile
from tests.support import oracles
from tests.support.shop import STACK, STRING, TABLE, TYPES, block, converted, fates, list_diagnostics, net, used
from transpile.schema.catalog.facts import TypeFacts

NEEDED_BY_AN_OUTPUT = """\
heat_template_version: 2021-04-16
resources:
  word: {type: OS::Heat::RandomString}
outputs:
  word: {value: {get_attr: [word, value]}}
"""

# joined texts


def test_a_text_of_several_properties(tmp_path: pathlib.Path) -> None:
    done = converted(tmp_path, net("room: { get_param: 'OS::stack_name' }, floor: 2, note: 'a ${b} %{c} \"d\"'"))
    written = block(done, 'resource "openstack_networking_network_v2" "net"')
    assert 'name = "/${var.stack_name}/web"\n' in written
    assert r'description = "floor 2: a $${b} %%{c} \"d\""' in written
    assert {path: (fate["as"], fate["argument"]) for path, fate in fates(done).items()} == {
        "name": ("derived", "name"),
        "room": ("derived", "name"),
        "floor": ("derived", "description"),
        "note": ("derived", "description"),
    }


def test_heats_default_is_a_part(tmp_path: pathlib.Path) -> None:
    assert 'name = "/hall/web"\n' in block(
        converted(tmp_path, net("room: null")), 'resource "openstack_networking_network_v2" "net"'
    )


def test_without_any_of_its_properties_a_text_is_not_written(tmp_path: pathlib.Path) -> None:
    done = converted(tmp_path, net("note: null"))
    assert "description" not in block(done, 'resource "openstack_networking_network_v2" "net"')
    assert fates(done)["note"]["as"] == "implied"


@pytest.mark.parametrize(
    ("properties", "why"),
    [
        ("floor: 3", "description of net is made of note, which has no value"),
        ("floor: 3, note: { if: [wanted, x] }", "description of net is made of note, which may be null"),
    ],
)
def test_a_text_with_a_missing_part_stays_with_heat(properties: str, why: str, tmp_path: pathlib.Path) -> None:
    template = net(properties).replace("2021-04-16", "2018-08-31" if "if" not in properties else "2021-04-16")
    done = converted(tmp_path, template)
    assert done.report["resources"]["net"]["kept"]["why"] == why


def test_a_reference_made_of_properties(tmp_path: pathlib.Path) -> None:
    table = TABLE.replace("reference: id", 'reference: { text: "$${a}/${room}/${name}/b" }')
    done = converted(tmp_path, net("mtu: 1") + "outputs:\n  id: { value: { get_resource: net } }\n", table)
    assert 'value = "$${a}/hall/web/b"' in str(done.files["outputs.tf"])


# one resource for each item


def test_a_literal_list(tmp_path: pathlib.Path) -> None:
    items = "[{ cidr: 10.0.0.0/24, label: a }, { cidr: 10.0.1.0/24, label: b, part: 7, tag: x }]"
    done = converted(tmp_path, net(f"ranges: {items}, owners: [ann]"))
    first = block(done, 'resource "openstack_networking_subnet_v2" "net_0"')
    assert first.splitlines() == [
        "  network_id = openstack_networking_network_v2.net.id",
        "  ip_version = 4",
        '  cidr = "10.0.0.0/24"',
        '  name = "a-1"',
    ]
    assert 'name = "b-7"\n' in block(done, 'resource "openstack_networking_subnet_v2" "net_1"')
    assert 'target_tenant = "ann"\n' in block(done, 'resource "openstack_networking_rbac_policy_v2" "net_0"')
    subnet = "openstack_networking_subnet_v2.net_1"
    assert {path: (fate["as"], fate.get("to"), fate.get("argument")) for path, fate in fates(done).items()} == {
        "name": ("derived", "openstack_networking_network_v2.net", "name"),
        "ranges.0.cidr": ("value", "openstack_networking_subnet_v2.net_0", "cidr"),
        "ranges.0.label": ("derived", "openstack_networking_subnet_v2.net_0", "name"),
        "ranges.1.cidr": ("value", subnet, "cidr"),
        "ranges.1.label": ("derived", subnet, "name"),
        "ranges.1.part": ("derived", subnet, "name"),
        "ranges.1.tag": ("dropped", None, None),
        "owners.0": ("value", "openstack_networking_rbac_policy_v2.net_0", "target_tenant"),
    }


def test_a_list_known_only_at_run_time(tmp_path: pathlib.Path) -> None:
    done = converted(tmp_path, net("ranges: { get_param: ranges }, owners: { get_param: people }"))
    written = block(done, 'resource "openstack_networking_subnet_v2" "net"')
    assert "for_each = { for index, member in var.ranges : index => member }\n" in written
    assert 'name = "${each.value.label}-${try(each.value.part, 1)}"\n' in written
    assert "network_id = openstack_networking_network_v2.net.id\n" in written
    policy = block(done, 'resource "openstack_networking_rbac_policy_v2" "net"')
    assert "for_each = toset(var.people)\n" in policy
    assert "target_tenant = each.value\n" in policy


def test_under_a_condition(tmp_path: pathlib.Path) -> None:
    template = net("ranges: [{ cidr: 10.0.0.0/24, label: a }]", "    condition: wanted\n")
    written = block(converted(tmp_path, template), 'resource "openstack_networking_subnet_v2" "net_0"')
    assert "count = local.wanted ? 1 : 0\n" in written
    assert "network_id = openstack_networking_network_v2.net[0].id\n" in written
    template = net("ranges: { get_param: ranges }", "    condition: wanted\n")
    written = block(converted(tmp_path, template), 'resource "openstack_networking_subnet_v2" "net"')
    assert "for_each = { for index, member in var.ranges : index => member if local.wanted }\n" in written


def test_in_a_group(tmp_path: pathlib.Path) -> None:
    grouped = """\
  nets:
    type: OS::Heat::ResourceGroup
    properties:
      count: 2
      resource_def:
        type: Shop::Net
        properties: { name: "web%index%", ranges: RANGES }
"""
    done = converted(tmp_path, STACK + grouped.replace("RANGES", "[{ cidr: 10.0.0.0/24, label: a }]"))
    written = block(done, 'resource "openstack_networking_subnet_v2" "nets_0"')
    assert "count = 2\n" in written
    assert "network_id = openstack_networking_network_v2.nets[count.index].id\n" in written
    done = converted(tmp_path, STACK + grouped.replace("RANGES", "{ get_param: ranges }"))
    assert done.report["resources"]["nets"]["kept"]["why"].endswith("are known only at run time")


def test_a_choice_among_items_is_one_resource_unless_there_may_be_none(tmp_path: pathlib.Path) -> None:
    done = converted(tmp_path, net("owners: [{ if: [wanted, ann, bob] }]"))
    written = block(done, 'resource "openstack_networking_rbac_policy_v2" "net_0"')
    assert 'target_tenant = local.wanted ? "ann" : "bob"\n' in written
    done = converted(tmp_path, net("owners: [{ if: [wanted, ann, null] }]"))
    written = block(done, 'resource "openstack_networking_rbac_policy_v2" "net"')
    assert "for_each = toset(" in written
    assert "target_tenant = each.value\n" in written


def test_a_list_known_only_after_apply_stays_with_heat(tmp_path: pathlib.Path) -> None:
    more = "  other:\n    type: OS::Neutron::Net\n"
    done = converted(tmp_path, net("owners: { get_attr: [other, subnets] }") + more)
    assert done.report["resources"]["net"]["kept"]["code"] == "HOT404"


def test_an_empty_list_makes_nothing(tmp_path: pathlib.Path) -> None:
    done = converted(tmp_path, net("ranges: [], owners: null"))
    assert {path: fates(done)[path]["as"] for path in ("ranges", "owners")} == {
        "ranges": "implied",
        "owners": "implied",
    }


# configurations of providers


def test_a_resource_becomes_the_configuration_of_a_provider(tmp_path: pathlib.Path) -> None:
    done = converted(tmp_path, net("cloud: { get_resource: cloud }, owners: [ann]"))
    assert block(done, 'provider "openstack"', "providers.tf").splitlines() == [
        '  alias = "cloud"',
        '  auth_url = "https://shop.example:5000"',
        '  user_name = "clerk"',
        "  password = var.password",
    ]
    assert block(done, 'resource "openstack_networking_network_v2" "net"').startswith("  provider = openstack.cloud\n")
    assert "  provider = openstack.cloud\n" in block(done, 'resource "openstack_networking_rbac_policy_v2" "net_0"')
    assert "sensitive = true" in block(done, 'variable "password"', "variables.tf")
    report = done.report["resources"]["cloud"]
    assert (report["treatment"], report["addresses"]) == ("folded", [])
    assert report["why"] == "it became the configuration provider.openstack.cloud"
    assert fates(done)["cloud"] == {
        "as": "derived",
        "to": "openstack_networking_network_v2.net",
        "argument": "provider",
        "why": "the configuration that the resource became",
    }


DYNAMIC = {
    "a condition": (
        net("cloud: { get_resource: cloud }").replace("Cloud\n", "Cloud\n    condition: wanted\n", 1),
        "cloud has a condition, and the configuration of a provider cannot",
    ),
    "another resource": (
        net("cloud: { get_resource: cloud }").replace("user: clerk", "user: { get_attr: [x, value] }")
        + "  x: { type: OS::Heat::RandomString }\n",
        "user of cloud is known only after apply, and a provider is configured before",
    ),
    "a reference elsewhere": (
        net("cloud: { get_resource: cloud }, note: { get_resource: cloud }, floor: 1"),
        "cloud would be the configuration of a provider, to which nothing else can refer",
    ),
}


@pytest.mark.parametrize(("template", "why"), DYNAMIC.values(), ids=DYNAMIC)
def test_a_configuration_that_is_not_static_stays_with_heat_with_its_users(
    template: str, why: str, tmp_path: pathlib.Path
) -> None:
    done = converted(tmp_path, template)
    kept = done.report["resources"]
    assert (kept["cloud"]["kept"]["why"], kept["cloud"]["treatment"]) == (why, "embedded")
    assert kept["net"]["treatment"] == "embedded"
    assert "providers.tf" not in done.files


def test_a_type_that_is_dropped_needs_nothing(tmp_path: pathlib.Path) -> None:
    """A diagnostic and the fates report it, and resources that it refers to need not stay with Heat. A reader keeps it
    there.
    """
    types: Mapping[str, TypeFacts] = {
        **TYPES,
        "Shop::Bell": {"properties": {"cloud": STRING}, "attributes": {"tone": "string"}},
    }
    table = TABLE + "Shop::Bell: { treatment: dropped, why: clouds ring no bells }\n"
    bell = "  bell:\n    type: Shop::Bell\n    depends_on: net\n    properties: { cloud: { get_resource: cloud } }\n"
    template = net("cloud: { get_resource: cloud }") + bell
    done = converted(tmp_path, template, table, types)
    assert {name: resource["treatment"] for name, resource in done.report["resources"].items()} == {
        "cloud": "folded",
        "net": "native",
        "bell": "folded",
    }
    assert fates(done, "bell")["cloud"] == {"as": "dropped", "code": "HOT401", "why": "clouds ring no bells"}
    assert "bell is dropped: clouds ring no bells." in [d.message for d in done.diagnostics]
    done = converted(
        tmp_path,
        template.replace("name: web", "name: { get_attr: [bell, tone] }").replace("    depends_on: net\n", ""),
        table,
        types,
    )
    assert done.report["resources"]["bell"]["treatment"] == "embedded"


def test_an_output_that_reads_a_dropped_resource_says_so_with_its_code(tmp_path: pathlib.Path) -> None:
    (tmp_path / "map.yaml").write_text("OS::Heat::RandomString: { treatment: dropped, why: nobody needs it }\n")
    done = transpile.convert(NEEDED_BY_AN_OUTPUT, mappings=[tmp_path / "map.yaml"])
    said_ = [(d.code, d.severity) for d in done.diagnostics if "this is null" in d.message]
    assert said_ == [("HOT401", "warning")]
    assert "value = null" in str(done.files["outputs.tf"])


def test_a_choice_that_is_no_resource_stays_with_heat(tmp_path: pathlib.Path) -> None:
    done = converted(tmp_path, net("cloud: far"))
    assert "is no resource here that becomes the configuration" in done.report["resources"]["net"]["kept"]["why"]
    assert done.report["resources"]["cloud"]["treatment"] == "folded"


def test_in_a_module_a_configuration_stays_with_heat(tmp_path: pathlib.Path) -> None:
    (tmp_path / "inner.yaml").write_text(net("cloud: { get_resource: cloud }"))
    outer = """\
heat_template_version: 2021-04-16
parameters: { password: { type: string, hidden: true } }
resources:
  inner: { type: inner.yaml, properties: { password: { get_param: password } } }
"""
    (tmp_path / "outer.yaml").write_text(outer)
    done = transpile.convert(tmp_path / "outer.yaml", added=used(tmp_path, TABLE))
    assert done.ok
    inner = done.report["modules"]["inner"]["report"]["resources"]
    assert {name: resource["treatment"] for name, resource in inner.items()} == {"cloud": "embedded", "net": "embedded"}


# all of it


@oracles.needs_providers
def test_terraform_accepts_it(tmp_path: pathlib.Path) -> None:
    template = net(
        "cloud: { get_resource: cloud }, floor: 1, note: x, mtu: 1400, owners: { get_param: people }, "
        "ranges: [{ cidr: 10.0.0.0/24, label: a }]"
    ) + net("ranges: { get_param: ranges }", "    condition: wanted\n")[len(STACK) :].replace("  net:", "  two:")
    done = converted(tmp_path, template)
    where = tmp_path / "out"
    where.mkdir()
    for name, text in done.files.items():
        (where / name).write_text(str(text))
    assert oracles.unformatted(where) == ""
    assert oracles.invalid(where) == []


# the example of the documentation

F5: Mapping[str, TypeFacts] = {
    kind: {"properties": properties, "attributes": {}}
    for kind, properties in yaml.safe_load("""
F5::BigIP::Device: {ip: &needed {type: string, required: true}, username: *needed, password: *needed}
F5::Cm::Sync: {bigip_server: *needed}
F5::Sys::Save: {bigip_server: *needed}
F5::Sys::Partition: {bigip_server: *needed, name: *needed, subpath: {type: string, default: /}}
F5::LTM::Pool:
  bigip_server: *needed
  name: *needed
  partition: *needed
  service_down_action: {type: string}
  members: {type: list, items: {type: map, fields: {member_ip: *needed, member_port: *needed}}}
F5::LTM::VirtualServer:
  bigip_server: *needed
  name: *needed
  partition: *needed
  ip: *needed
  port: {type: integer, required: true}
  default_pool: {type: string}
  vlans: {type: list}
""").items()
}
BIGIP: Mapping[str, Mapping[str, Any]] = {
    "provider": {"address": "string", "username": "string", "password": "string"},
    "bigip_partition": {"name": "string"},
    "bigip_ltm_pool": {"name": "string", "service_down_action": "string"},
    "bigip_ltm_pool_attachment": {"pool": "string", "node": "string"},
    "bigip_ltm_virtual_server": {
        "name": "string",
        "destination": "string",
        "port": "number",
        "pool": "string",
        "vlans": ["set", "string"],
    },
}
DEVICES = """\
heat_template_version: 2018-08-31
parameters:
  password: { type: string, hidden: true }
resources:
  device:
    type: F5::BigIP::Device
    properties: { ip: 10.0.0.9, username: admin, password: { get_param: password } }
  part:
    type: F5::Sys::Partition
    properties: { name: shop, bigip_server: { get_resource: device } }
  pool:
    type: F5::LTM::Pool
    properties:
      name: web
      bigip_server: { get_resource: device }
      partition: { get_resource: part }
      members: [{ member_ip: 10.0.0.20, member_port: 80 }]
  server:
    type: F5::LTM::VirtualServer
    depends_on: pool
    properties:
      name: web
      ip: 10.0.1.5
      port: 443
      default_pool: { get_resource: pool }
      partition: { get_resource: part }
      bigip_server: { get_resource: device }
"""


def test_the_example_of_the_documentation_converts(tmp_path: pathlib.Path) -> None:
    table = (pathlib.Path(__file__).parents[2] / "docs" / "example-mapping" / "f5.yaml").read_text(encoding="utf-8")
    blocks = {
        name: {
            "block": {
                "attributes": {key: {"type": attribute_type, "optional": True} for key, attribute_type in about.items()}
            }
        }
        for name, about in BIGIP.items()
    }
    provider = blocks.pop("provider")
    (tmp_path / "bigip.json").write_text(json.dumps({"provider": provider, "resource_schemas": blocks}))
    added = used(tmp_path, table, types=F5)
    assert list_diagnostics(added) == []
    done = transpile.convert(DEVICES, added=added)
    assert [d.message for d in done.diagnostics] == []
    assert block(done, 'resource "bigip_ltm_pool" "pool"').splitlines() == [
        "  provider = bigip.device",
        '  name = "/${bigip_partition.part.name}/web"',
    ]
    assert block(done, 'resource "bigip_ltm_pool_attachment" "pool_0"').splitlines() == [
        "  provider = bigip.device",
        "  pool = bigip_ltm_pool.pool.name",
        '  node = "10.0.0.20:80"',
    ]
    server = block(done, 'resource "bigip_ltm_virtual_server" "server"')
    assert "pool = bigip_ltm_pool.pool.name\n" in server
    assert "openstack" not in str(done.files["versions.tf"])
