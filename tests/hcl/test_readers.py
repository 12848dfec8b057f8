"""Attributes that the provider does not read: when a small Heat stack looks them up, and when that is impossible.

A reader stack creates nothing and delays nothing. If its resource stays with Heat, that resource supplies the attribute
itself.
"""

from __future__ import annotations

import pathlib
import re
from typing import Any

import pytest
import yaml

import transpile
from tests.support import conversions
from tests.support.conversions import codes, treatments

SERVER = "{type: OS::Nova::Server, properties: {flavor: f, image: i%s}}"


def convert(where: pathlib.Path, resources: str, outputs: str = "", version: str = "2018-08-31", **options: Any) -> Any:
    text = f"heat_template_version: {version}\nresources:\n{resources}\noutputs: {{{outputs}}}\n"
    (where / "input.yaml").write_text(text, encoding="utf-8")
    return conversions.convert(where / "input.yaml", options=options)


@pytest.mark.parametrize(
    ("kind", "properties", "attribute"),
    [
        ("OS::Nova::Server", "flavor: f, image: i", "accessIPv4"),
        ("OS::Nova::Server", "flavor: f, image: i", "console_urls, novnc"),
        ("OS::Cinder::Volume", "size: 1", "status"),
        ("OS::Neutron::Port", "network: n", "show"),
        ("OS::Neutron::Net", "", "show"),
        ("OS::Swift::Container", "name: c", "ObjectCount"),
    ],
)
def test_a_readable_attribute_does_not_keep_the_resource(
    kind: str, properties: str, attribute: str, tmp_path: pathlib.Path
) -> None:
    resources = f"  a: {{type: {kind}, properties: {{{properties}}}}}"
    done = convert(tmp_path, resources, f"o: {{value: {{get_attr: [a, {attribute}]}}}}")
    assert treatments(done) == {"a": "native"}
    assert "HOT457" in codes(done)
    template = done.files["templates/a_attributes.yaml"]
    assert re.search(rf"type: {kind}\n    external_id: {{ get_param: a }}\n", template)
    assert "properties" not in template


def test_a_bucket_is_read_by_its_name(tmp_path: pathlib.Path) -> None:
    (tmp_path / "input.yaml").write_text(
        "HeatTemplateFormatVersion: '2012-12-12'\nResources: {b: {Type: AWS::S3::Bucket}}\n"
        "Outputs: {o: {Value: {'Fn::GetAtt': [b, WebsiteURL]}}}\n"
    )
    done = transpile.convert(tmp_path / "input.yaml")
    assert treatments(done) == {"b": "native"}
    assert "b = openstack_objectstorage_container_v1.b.name" in done.files["main.tf"]


# existing resources

PORT = "  p: {type: OS::Neutron::Port, properties: {network: n}}\n"


def association(id_: str, more: str = "") -> str:
    kind = "OS::Neutron::FloatingIPAssociation"
    return PORT + f"  a: {{type: {kind}, {more}properties: {{floatingip_id: {id_}, port_id: {{get_resource: p}}}}}}\n"


PARAMETER = "parameters: {ip: {type: string}, other: {type: boolean}, number: {type: number}, any: {type: json}}\n"


def test_an_address_that_is_known_by_its_id_is_read(tmp_path: pathlib.Path) -> None:
    done = convert(tmp_path, association("{get_param: ip}") + PARAMETER)
    assert treatments(done) == {"p": "native", "a": "native"}
    assert [d.code for d in done.diagnostics if d.severity != "info"] == []
    template = done.files["templates/a_floating_ip.yaml"]
    assert re.search(r"type: OS::Neutron::FloatingIP\n    external_id: { get_param: ip }\n", template)
    # another ID is another stack: Heat never changes an external_id
    main = done.files["main.tf"]
    assert re.search(r'"terraform_data" "a_floating_ip" {\n  input = var.ip\n}', main)
    assert "replace_triggered_by = [terraform_data.a_floating_ip]" in main
    fates = done.report["resources"]["a"]["properties"]
    assert fates["floatingip_id"]["as"] == "derived"
    assert "a_floating_ip" not in done.report["resources"]


def test_the_address_of_a_nic_is_read_alike(tmp_path: pathlib.Path) -> None:
    nic = "[{port: {get_resource: p}, floating_ip: 0c2c36a8-1ad4-4d5b-8d5a-0c2d9a6d6a01}]"
    done = convert(tmp_path, PORT + "  s: " + SERVER % f", networks: {nic}" + "\n")
    assert treatments(done) == {"p": "native", "s": "native"}
    assert "external_id: 0c2c36a8-1ad4-4d5b-8d5a-0c2d9a6d6a01" in done.files["templates/s_floating_ip.yaml"]
    assert "terraform_data" not in done.files["main.tf"]  # it cannot change


@pytest.mark.parametrize(
    ("id_", "external"),
    [("1199", "1199"), ("{list_join: ['-', [a, {get_param: ip}]]}", {"list_join": ["-", ["a", {"get_param": "ip"}]]})],
)
def test_an_id_of_an_existing_resource_is_a_text(id_: str, external: object, tmp_path: pathlib.Path) -> None:
    done = convert(tmp_path, association(id_) + PARAMETER)
    assert treatments(done)["a"] == "native"
    template = yaml.safe_load(done.files["templates/a_floating_ip.yaml"])
    assert template["resources"]["a_floating_ip"]["external_id"] == external


def test_nothing_is_read_where_nothing_asks(tmp_path: pathlib.Path) -> None:
    sections = "conditions: {c: {get_param: other}}\n" + PARAMETER
    done = convert(tmp_path, association("{get_param: ip}", "condition: c, ") + sections)
    blocks = re.findall(r'resource "(\w+)" "a_floating_ip" {\n  count *= (.*)\n', done.files["main.tf"])
    assert blocks == [("terraform_data", "local.c ? 1 : 0"), ("openstack_orchestration_stack_v1", "local.c ? 1 : 0")]


@pytest.mark.parametrize(
    ("id_", "more"),
    [
        ("{get_attr: [v, status]}", "  v: {type: OS::Cinder::Volume, properties: {size: 1}}\n"),
        ("{if: [c, {get_param: ip}, '']}", "conditions: {c: {get_param: other}}\n"),
        ("{get_param: number}", ""),  # Heat does not accept a number as the ID of an existing resource
        ("{get_param: [any, ip]}", ""),
        ("true", ""),
    ],
)
def test_an_id_that_only_a_run_knows_is_left_with_heat(id_: str, more: str, tmp_path: pathlib.Path) -> None:
    done = convert(tmp_path, association(id_) + more + PARAMETER)
    assert treatments(done)["a"] == "embedded"
    assert not any("floating_ip" in name for name in done.files)


def test_an_id_for_each_member_is_left_with_heat(tmp_path: pathlib.Path) -> None:
    member = "{type: OS::Neutron::FloatingIPAssociation, properties: {floatingip_id: 'ip-%index%', port_id: x}}"
    group = f"  g: {{type: OS::Heat::ResourceGroup, properties: {{count: 2, resource_def: {member}}}}}\n"
    assert treatments(convert(tmp_path, group)) == {"g": "embedded"}


def test_an_old_template_gets_a_version_that_has_external_resources(tmp_path: pathlib.Path) -> None:
    done = convert(tmp_path, "  a: " + SERVER % "", "o: {value: {get_attr: [a, accessIPv4]}}", version="2013-05-23")
    assert done.files["templates/a_attributes.yaml"].startswith("heat_template_version: 2016-10-14\n")


def test_kept_resources_are_read_in_their_stack(tmp_path: pathlib.Path) -> None:
    """No reader stack is needed, because the server is in a Heat stack anyway."""
    resources = (
        "  a: " + SERVER % ", user_data_format: SOFTWARE_CONFIG" + "\n"
        "  c: {type: OS::Heat::SoftwareConfig, properties: {config: x}}\n"
        "  d: {type: OS::Heat::SoftwareDeployment, properties: {config: {get_resource: c}, server: {get_resource: a}}}"
    )
    done = convert(tmp_path, resources, "o: {value: {get_attr: [a, accessIPv4]}}")
    assert treatments(done) == {"a": "embedded", "c": "embedded", "d": "embedded"}
    assert "HOT457" not in codes(done)
    assert [n for n in done.files if n.startswith("templates/")] == ["templates/a.yaml"]


def test_users_of_a_resource_come_before_its_last_reader(tmp_path: pathlib.Path) -> None:
    resources = (
        "  a: " + SERVER % "" + "\n"
        "  v: {type: OS::Cinder::Volume, properties: {size: 1, description: {get_attr: [a, accessIPv4]}}}\n"
        "  w: {type: OS::Cinder::Volume, properties: {size: 1}}\n"
        "  x: {type: OS::Cinder::VolumeAttachment, "
        "properties: {instance_uuid: {get_resource: a}, volume_id: {get_resource: v}}}\n"
        "  y: {type: OS::Cinder::VolumeAttachment, "
        "properties: {instance_uuid: {get_resource: a}, volume_id: {get_resource: w}}}"
    )
    done = convert(tmp_path, resources)
    main = done.files["main.tf"]
    (waits,) = re.findall(r"depends_on = \[(.*?)\]", main)
    assert waits == "openstack_compute_volume_attach_v2.y"  # x needs v, and v needs the attribute


def test_a_name_that_is_taken(tmp_path: pathlib.Path) -> None:
    resources = "  a: " + SERVER % "" + "\n  a_attributes: {type: OS::Cinder::Volume, properties: {size: 1}}"
    done = convert(tmp_path, resources, "o: {value: {get_attr: [a, accessIPv4]}}")
    assert treatments(done) == {"a": "native", "a_attributes": "native"}
    assert "a_attributes_2:" in done.files["templates/a_attributes_2.yaml"]


def test_an_attribute_that_only_a_run_names(tmp_path: pathlib.Path) -> None:
    text = "heat_template_version: 2018-08-31\nparameters: {w: {type: string}}\nresources:\n  a: " + SERVER % "" + "\n"
    path = tmp_path / "input.yaml"
    path.write_text(text + "outputs: {o: {value: {get_attr: [a, {get_param: w}]}}}\n")
    done = transpile.convert(path)
    assert treatments(done) == {"a": "native"}
    assert "get_attr: [a_attributes, { get_param: w }]" in done.files["templates/a_attributes.yaml"]
    # the name of the attribute is a parameter of the stack
    assert re.search(r"^    w = var\.w$", str(done.files["main.tf"]), re.M)


@pytest.mark.parametrize("word", ["show", "os_collect_config"])
def test_heat_reads_these_only_of_its_own_servers(tmp_path: pathlib.Path, word: str) -> None:
    """These attributes need metadata that Heat stores only of its own servers, so the server stays with Heat."""
    done = convert(tmp_path, "  a: " + SERVER % "", f"o: {{value: {{get_attr: [a, {word}]}}}}")
    assert treatments(done) == {"a": "embedded"}
    assert "HOT457" not in codes(done)


def test_a_retired_type_is_not_read(tmp_path: pathlib.Path) -> None:
    """Heat does nothing for a retired type, so it cannot read it."""
    done = convert(
        tmp_path,
        "  a: {type: OS::Magnum::Bay, properties: {baymodel: b, node_count: 1}}",
        "o: {value: {get_attr: [a, show]}}",
    )
    assert "HOT457" not in codes(done)


def test_all_attributes_at_once_are_not_read(tmp_path: pathlib.Path) -> None:
    """Heat has no attribute for all of them, so the server stays with Heat, and no reader stack is left over."""
    outputs = "o: {value: {get_attr: [a]}}, p: {value: {get_attr: [a, accessIPv4]}}"
    done = convert(tmp_path, "  a: " + SERVER % "", outputs)
    assert treatments(done) == {"a": "embedded"}
    assert "HOT457" not in codes(done)
    assert [n for n in done.files if n.startswith("templates/")] == ["templates/a.yaml"]


def test_references_that_are_no_ids_are_not_read(tmp_path: pathlib.Path) -> None:
    """get_resource gives a value that the service does not accept as an ID."""
    resources = "  a: {type: AWS::EC2::EIP}"
    done = convert(tmp_path, resources, "o: {value: {get_attr: [a, show]}}")
    assert "HOT457" not in codes(done)


def test_preferred_native_leaves_the_output_null(tmp_path: pathlib.Path) -> None:
    done = convert(tmp_path, "  a: " + SERVER % "", "o: {value: {get_attr: [a, accessIPv4]}}", prefer="native")
    assert {"HOT565"} <= codes(done)
    assert "HOT457" not in codes(done)
    assert "null" in done.files["outputs.tf"]


NET = "  net: {type: OS::Neutron::Net, properties: {name: n}}\n"
SUBNET = "  %s: {type: OS::Neutron::Subnet, properties: {network: {get_resource: net}, cidr: 10.0.0.0/24}}\n"
INNER = "  a: {type: OS::Neutron::Port, properties: {network: {get_resource: net}}}"


@pytest.mark.parametrize(
    ("resource", "path", "expression"),
    [
        ("OS::Nova::Server, properties: {flavor: f, image: i}", "show, status", "upper("),
        ("OS::Neutron::Net, properties: {name: n}", "show, mtu", "openstack_networking_network_v2.a.mtu"),
        ("OS::Cinder::Volume, properties: {size: 1}", "show, size", "openstack_blockstorage_volume_v3.a.size"),
    ],
)
def test_an_attribute_of_the_resource_needs_no_reader(
    resource: str, path: str, expression: str, tmp_path: pathlib.Path
) -> None:
    done = convert(tmp_path, f"  a: {{type: {resource}}}", f"o: {{value: {{get_attr: [a, {path}]}}}}")
    assert "HOT457" not in codes(done)
    assert expression in done.files["outputs.tf"]


def test_a_field_that_is_null_unless_set_is_read(tmp_path: pathlib.Path) -> None:
    """The provider has "" where the API has null."""
    rule = "{type: OS::Neutron::SecurityGroupRule, properties: {security_group: g%s}}"
    field = "o: {value: {get_attr: [a, show, protocol]}}"
    assert "HOT457" in codes(convert(tmp_path, "  a: " + rule % "", field))
    assert "HOT457" not in codes(convert(tmp_path, "  a: " + rule % ", protocol: tcp", field))


@pytest.mark.parametrize("subnets", [1, 2])
def test_the_subnet_of_an_address_is_known_if_there_is_one(subnets: int, tmp_path: pathlib.Path) -> None:
    resources = NET + "".join(SUBNET % f"s{i}" for i in range(subnets)) + INNER
    done = convert(tmp_path, resources, "o: {value: {get_attr: [a, fixed_ips, 0, subnet_id]}}")
    assert ("HOT457" in codes(done)) == (subnets > 1)
    assert ("depends_on" in done.files["main.tf"]) == (subnets > 1)


def test_another_template_may_add_a_subnet(tmp_path: pathlib.Path) -> None:
    (tmp_path / "more.yaml").write_text(
        "heat_template_version: 2018-08-31\nparameters: {net: {type: string}}\nresources:\n"
        "  s: {type: OS::Neutron::Subnet, properties: {network: {get_param: net}, cidr: 10.0.1.0/24}}\n"
    )
    resources = NET + SUBNET % "s" + "  more: {type: more.yaml, properties: {net: {get_resource: net}}}\n" + INNER
    assert "fixed_ip {" not in convert(tmp_path, resources).files["main.tf"]


@pytest.mark.parametrize("network", ["{get_attr: [net, name]}", "{get_resource: net}", "n"])
def test_a_network_of_a_server_by_its_port(network: str, tmp_path: pathlib.Path) -> None:
    server = "\n  b: " + SERVER % ", networks: [{port: {get_resource: a}}, {network: other}]"
    done = convert(tmp_path, NET + INNER + server, f"o: {{value: {{get_attr: [b, networks, {network}, 0]}}}}")
    assert "openstack_networking_port_v2.a.all_fixed_ips[0]" in done.files["outputs.tf"]


def test_a_reader_with_a_hidden_parameter_has_one_lifecycle(tmp_path: pathlib.Path) -> None:
    association = "{type: OS::Neutron::FloatingIPAssociation, properties: {floatingip_id: {get_param: p}, port_id: x}}"
    head = "heat_template_version: 2018-08-31\nparameters: {p: {type: string, hidden: true}}\n"
    done = conversions.convert(f"{head}resources: {{a: {association}}}\n")
    main = str(done.files["main.tf"])
    assert main.count("lifecycle {") == 1
    assert "ignore_changes" in main
    assert "replace_triggered_by" in main
