"""`--option ids`: how a value is taken that may be a name or an ID, where no known value tells."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import pytest

import transpile
from emitters.hcl.plan.open_forms import BOTH, IDS, NAMES, form_of_open_parameter
from tests.support import conversions, oracles
from tests.support.conversions import print_hcl
from transpile import Conversion
from transpile.front.template import read_template
from transpile.model.budget import Budget
from transpile.model.source import Source

UUID = "0a0a0a0a-1111-4222-8333-444444444444"
HOT = "heat_template_version: 2021-04-16\n"
SERVER = (
    HOT
    + """
parameters:
  image: {type: string}
  network: {type: string, description: Name or ID of the network}
  subnet_id: {type: string}
  groups: {type: comma_delimited_list}
  more: {type: json}
resources:
  port:
    type: OS::Neutron::Port
    properties:
      network: {get_param: network}
      fixed_ips: [{subnet: {get_param: subnet_id}}]
      security_groups: {get_param: groups}
  server:
    type: OS::Nova::Server
    properties:
      image: {get_param: image}
      flavor: {get_param: [more, flavor]}
      networks: [{port: {get_resource: port}}, {network: {list_join: ['-', [net, {get_param: image}]]}}]
"""
)
PORT = HOT + "parameters: {net: {type: string}}\nresources:\n"
PORT += "  port: {type: OS::Neutron::Port, properties: {network: {get_param: net}}}\n"


def convert(text: str, prefer: str = "faithful", **more: Any) -> Conversion:
    return conversions.convert(text, prefer=prefer, **more)


def findings(done: Conversion) -> list[str]:
    return [diagnostic.message for diagnostic in done.diagnostics if diagnostic.code == "HOT413"]


def squeezed(done: Conversion) -> str:
    return " ".join(print_hcl(done).split())


# whole servers


def test_both_forms_are_handled_without_a_preference() -> None:
    done = convert(SERVER)
    assert print_hcl(done).count("_is_id") > 3
    assert findings(done) == []
    assert print_hcl(done) == print_hcl(convert(SERVER, options={"ids": "both"})).replace(" --option ids=both", "")


def test_names_need_no_test() -> None:
    """The name of a parameter still says that it holds an ID, and a computed text is a name."""
    done = convert(SERVER, "native")
    text = squeezed(done)
    assert "is_id" not in text
    assert "uuid_pattern" not in text
    assert 'data "openstack_networking_network_v2" "network" { name = var.network }' in text
    assert "fixed_ip { subnet_id = var.subnet_id }" in text
    assert 'image_name = var.image flavor_name = try(var.more.flavor, "")' in text
    assert 'network { name = "net-${var.image}" }' in text
    assert "for_each = toset(var.groups) name = each.value" in text
    assert findings(done) == [
        "Taken as names, not IDs: network, groups (security group), image, more.flavor (flavor), server (network). "
        "Heat accepts both, and no known value tells which.",
        "Taken as IDs, not names: subnet_id (subnet). Heat accepts both, and no known value tells which.",
    ]


def test_ids_need_no_data_source() -> None:
    done = convert(SERVER, options={"ids": "ids"})
    text = squeezed(done)
    assert "data.openstack_networking_subnet_v2" not in text
    assert "network_id = var.network" in text
    assert "security_group_ids = var.groups" in text
    assert 'image_id = var.image flavor_id = try(var.more.flavor, "")' in text
    assert "network { name = local.server_network_is_id ? null" in text  # computed, so perhaps a name
    assert len(findings(done)) == 1


@pytest.mark.parametrize("ids", ["names", "ids", "both", "auto"])
@pytest.mark.parametrize("prefer", ["faithful", "native", "provisioners"])
def test_values_are_those_of_heat_with_every_choice(ids: str, prefer: str) -> None:
    """The judge compares them in each conversion, and refuses a difference."""
    given = {"image": UUID, "network": "net", "subnet_id": UUID, "groups": f"web,{UUID}", "more": '{"flavor": "small"}'}
    done = convert(SERVER, prefer, options={"ids": ids}, parameters=given)
    assert findings(done) == [
        message for message in findings(done) if "server (network)" in message
    ]  # only the computed text is open
    assert "image_id = var.image" in squeezed(done)


# known values decide


@pytest.mark.parametrize(("default", "form"), [("private", "name = var.net"), (UUID, "network_id = var.net")])
def test_a_known_value_decides(default: str, form: str) -> None:
    text = PORT.replace("{type: string}", f"{{type: string, default: '{default}'}}")
    done = convert(text, "native")
    assert form in squeezed(done)
    assert findings(done) == []


def test_an_empty_value_tells_nothing_and_is_not_looked_up() -> None:
    text = (
        f"{HOT}parameters: {{image: {{type: string, default: ''}}}}\nresources:\n"
        "  volume: {type: OS::Cinder::Volume, properties: {size: 1, image: {get_param: image}}}\n"
    )
    done = convert(text, "native")
    assert 'count = var.image != "" ? 1 : 0 name = var.image' in squeezed(done)
    assert len(findings(done)) == 1


def test_values_of_both_forms_are_handled_both_ways(tmp_path: pathlib.Path) -> None:
    """Two calls of a module pass a name and an ID."""
    (tmp_path / "port.yaml").write_text(PORT)
    resources = "".join(
        f"  r{i}: {{type: port.yaml, properties: {{net: {net}}}}}\n" for i, net in enumerate(["private", UUID])
    )
    (tmp_path / "stack.yaml").write_text(f"{HOT}resources:\n{resources}")
    done = conversions.convert(tmp_path / "stack.yaml", prefer="native")
    assert "net_is_id" in print_hcl(done)


@pytest.mark.parametrize(("other", "ids"), [("{get_resource: made}", True), ("private", False)])
def test_callers_decide_whether_a_module_gets_an_id(other: str, ids: bool, tmp_path: pathlib.Path) -> None:
    """A parameter of the root is a name. If another call passes the ID of a resource of the root, the caller looks the
    name up.
    """
    (tmp_path / "port.yaml").write_text(PORT)
    (tmp_path / "stack.yaml").write_text(
        f"{HOT}parameters: {{given: {{type: string}}}}\nresources:\n"
        "  made: {type: OS::Neutron::Net, properties: {name: made}}\n"
        "  a: {type: port.yaml, properties: {net: {get_param: given}}}\n"
        f"  b: {{type: port.yaml, properties: {{net: {other}}}}}\n"
    )
    done = conversions.convert(tmp_path / "stack.yaml", prefer="native")
    assert "is_id" not in print_hcl(done)
    assert ("network_id = var.net" in " ".join(str(done.files["modules/port/main.tf"]).split())) is ids
    assert ("modules/port/data.tf" in done.files) is not ids


@pytest.mark.parametrize(
    ("declaration", "names", "ids"),
    [
        ("p: {type: string}", "name", "id"),
        ("image_id: {type: string}", "id", "id"),
        ("imageIds: {type: comma_delimited_list}", "id", "id"),
        ("net_name: {type: string}", "name", "name"),
        ("network_names: {type: comma_delimited_list}", "name", "name"),
        ("p: {type: string, description: ID of the network}", "id", "id"),
        ("p: {type: string, label: Network name}", "name", "name"),
        ("p: {type: string, description: Name or ID of the network}", "name", "id"),
        ("grid: {type: string}", "name", "id"),
    ],
)
def test_the_words_of_a_parameter_decide_first(declaration: str, names: str, ids: str) -> None:
    template, _ = read_template(
        Source("t.yaml", f"{HOT}parameters:\n  {declaration}\nresources: {{}}\n", budget=Budget())
    )
    assert template is not None
    (param,) = template.parameters.values()
    assert form_of_open_parameter(NAMES, param) == names
    assert form_of_open_parameter(IDS, param) == ids
    assert form_of_open_parameter(BOTH, param) == ""


@oracles.needs_providers
@pytest.mark.parametrize("ids", ["names", "ids"])
def test_terraform_accepts_each_form(ids: str, tmp_path: pathlib.Path) -> None:
    for name, content in convert(SERVER, "native", options={"ids": ids}).files.items():
        (tmp_path / name).write_text(str(content))
    assert oracles.invalid(tmp_path) == []


@pytest.mark.parametrize("prefer", ["faithful", "native"])
@pytest.mark.parametrize(("default", "looked_up"), [(f"{UUID},{UUID}", False), ("web,db", True), (f"web,{UUID}", True)])
def test_the_items_of_a_list_decide_in_a_module(
    default: str, looked_up: bool, prefer: str, tmp_path: pathlib.Path
) -> None:
    """A list of several IDs was taken as one name, and looked up."""
    (tmp_path / "port.yaml").write_text(
        f"{HOT}parameters: {{groups: {{type: comma_delimited_list}}}}\nresources:\n"
        "  port: {type: OS::Neutron::Port, properties: {network: n, security_groups: {get_param: groups}}}\n"
    )
    (tmp_path / "stack.yaml").write_text(
        f"{HOT}parameters: {{groups: {{type: comma_delimited_list, default: '{default}'}}}}\nresources:\n"
        "  a: {type: port.yaml, properties: {groups: {get_param: groups}}}\n"
    )
    done = conversions.convert(tmp_path / "stack.yaml", prefer=prefer)
    assert ("openstack_networking_secgroup_v2" in print_hcl(done)) is looked_up
    assert ("can(regex" in print_hcl(done)) is (default == f"web,{UUID}")


def test_a_computed_text_in_a_module_is_handled_both_ways_with_ids(tmp_path: pathlib.Path) -> None:
    (tmp_path / "port.yaml").write_text(PORT)
    (tmp_path / "stack.yaml").write_text(
        f"{HOT}parameters: {{given: {{type: string}}}}\nresources:\n"
        "  a: {type: port.yaml, properties: {net: {list_join: ['-', [a, {get_param: given}]]}}}\n"
    )
    done = transpile.convert(tmp_path / "stack.yaml", options={"ids": "ids"})
    assert "net_is_id" in print_hcl(done)
    assert "is_id" not in print_hcl(transpile.convert(tmp_path / "stack.yaml", options={"ids": "names"}))


# volume types: no data source finds them, and the provider reads back a name


@pytest.mark.parametrize(
    ("volume_type_value", "ignored"),
    [
        (UUID, True),
        ("ssd", False),
        ({"get_param": "by_id"}, True),
        ({"get_param": "by_name"}, False),
        ({"get_param": "open"}, False),
        ({"get_param": ["map", "id"]}, True),
        ({"if": ["flag", "ssd", UUID]}, True),
        ({"get_attr": ["value", "value"]}, True),
        ({"get_resource": "own"}, False),
    ],
    ids=str,
)
def test_a_volume_type_that_may_be_an_id_is_no_change_in_every_plan(volume_type_value: Any, ignored: bool) -> None:
    template = {
        "heat_template_version": "2021-04-16",
        "parameters": {
            "by_id": {"type": "string", "default": UUID},
            "by_name": {"type": "string", "default": "ssd"},
            "open": {"type": "string"},
            "map": {"type": "json", "default": {"id": UUID}},
            "flag": {"type": "boolean", "default": True},
        },
        "conditions": {"flag": {"get_param": "flag"}},
        "resources": {
            "own": {"type": "OS::Cinder::VolumeType", "properties": {"name": "own"}},
            "value": {"type": "OS::Heat::Value", "properties": {"value": {"get_param": "by_id"}}},
            "volume": {"type": "OS::Cinder::Volume", "properties": {"size": 1, "volume_type": volume_type_value}},
        },
    }
    done = convert(json.dumps(template))
    assert ("ignore_changes = [volume_type]" in print_hcl(done)) == ignored
    assert [d.code for d in done.diagnostics if d.severity == "warning"] == (["HOT421"] if ignored else [])
