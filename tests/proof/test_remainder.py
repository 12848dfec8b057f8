"""Values that Heat does not compute are asserted as converted, once, and never in place of Heat's value."""

from __future__ import annotations

import re

import pytest

from tests.proof.stacks import FILE, SHOP, with_tests
from tests.support.cases import all_cases

HEAD = "heat_template_version: 2018-08-31\n"
LOOKUP = f"""{HEAD}parameters:
  image: {{type: string}}
resources:
  server:
    type: OS::Nova::Server
    properties: {{image: {{get_param: image}}, flavor: m1.small, networks: [{{network: private}}]}}
  volume:
    type: OS::Cinder::Volume
    properties: {{size: 1, image: {{get_param: image}}}}
"""
OPTIONAL = """heat_template_version: wallaby
parameters:
  more: {type: boolean, default: false}
  second: {type: string, default: b}
  first: {type: string, default: a}
conditions:
  more: {get_param: more}
resources:
  net: {type: OS::Neutron::Net}
  parent: {type: OS::Neutron::Port, properties: {network: {get_resource: net}}}
  child: {type: OS::Neutron::Port, properties: {network: {get_resource: net}}}
  trunk:
    type: OS::Neutron::Trunk
    properties:
      port: {get_resource: parent}
      sub_ports:
        - {port: {get_resource: child}, segmentation_type: {get_param: first}, segmentation_id: 101}
        - if:
            - more
            - {port: {get_param: second}, segmentation_type: vlan, segmentation_id: 102}
"""


def runs_of(template: str) -> dict[str, str]:
    """The runs of the tests of a template, by name."""
    text = str(with_tests(template).files[FILE])
    return dict(re.findall(r'run "(\w+)" \{\n(.*?)\n\}\n', text, re.S))


def conditions_in(run: str) -> list[str]:
    """The conditions of a run, each on one line."""
    blocks = re.findall(r"\n  assert \{\n    condition += (.*?)\n+    error_message", run, re.S)
    return [" ".join(block.split()) for block in blocks]


def test_other_values_are_those_that_no_condition_reads_and_nothing_hides() -> None:
    net = "{type: OS::Neutron::Net, condition: on, properties: {name: {get_param: plain}, tags: [{get_param: secret}]}}"
    run = runs_of(
        "heat_template_version: 2021-04-16\n"
        "parameters: {plain: {type: string, default: p}, mode: {type: string, default: on},\n"
        "  secret: {type: string, default: s, hidden: true}}\n"
        f"conditions: {{on: {{equals: [{{get_param: mode}}, 'on']}}}}\nresources: {{net: {net}}}\n"
    )["other_values"]
    assert re.findall(r"\n    (\w+) += ", run.partition("assert {")[0]) == ["plain"]


def test_an_argument_that_a_mapping_table_adds_is_asserted_as_converted() -> None:
    port = "{type: OS::Neutron::Port, condition: %s, properties: {network: n, name: p, security_groups: []}}"
    run = runs_of(f"{HEAD}resources:\n  port: {port % '{equals: [a, a]}'}\n")["as_converted"]
    assert "length(openstack_networking_port_v2.port)" not in run  # its condition always holds, so it has no count
    assert "openstack_networking_port_v2.port.no_security_groups == true" in conditions_in(run)
    assert "openstack_networking_port_v2.port.no_security_groups must be true, as converted." in run
    assert "port.name must be p, as in Heat." in run


@pytest.mark.parametrize("template", [SHOP, LOOKUP, OPTIONAL])
def test_no_place_is_asserted_twice_in_a_run(template: str) -> None:
    for name, run in runs_of(template).items():
        places = [condition.partition(" == ")[0] for condition in conditions_in(run)]
        assert len(places) == len(set(places)), name


def test_the_file_and_the_report_count_them() -> None:
    done = with_tests(LOOKUP)
    text, about = str(done.files[FILE]), done.report["tests"][FILE]
    number = len(re.findall(r'as converted\."$', text, re.M))
    assert number > 0
    assert about["converted"] == number
    assert f"# As converted: {number} assertion" in text


def test_a_run_has_ids_in_place_of_names() -> None:
    """In this run no data source looks for the image, and the volume gets the ID itself."""
    runs = runs_of(LOOKUP)
    conditions = [
        c for c in conditions_in(runs["as_converted"]) if c.startswith("length(data.openstack_images_image_v2")
    ]
    assert [c.partition(" == ")[2] for c in conditions] == ["1"]
    run = runs["with_ids"]
    (identity,) = re.findall(r'image += "([0-9a-f-]{36})"', run)
    assert f'openstack_blockstorage_volume_v3.volume.image_id == "{identity}"' in conditions_in(run)
    assert conditions[0].replace("== 1", "== 0") in conditions_in(run)


def test_blocks_of_a_set_are_counted_before_its_parts_are_known() -> None:
    """A set with an unknown part has no known length, but Terraform can go through it."""
    (case,) = [case for case in all_cases() if case.name == "neutron_trunk"]
    text = str(case.convert(tests=True, test_runs="all").files[FILE])
    (run,) = re.findall(r'run "with_second" \{\n(.*?)\n\}\n', text, re.S)
    assert "command = plan" in run
    assert "length([for item in openstack_networking_trunk_v2.trunk.sub_port : true]) == 3" in conditions_in(run)


LEFT_OUT = f"""{HEAD}resources:
  handle: {{type: OS::Heat::WaitConditionHandle}}
  group: {{type: OS::Neutron::SecurityGroup, properties: {{name: g}}}}
  net: {{type: OS::Neutron::Net, properties: {{name: n}}}}
  attached:
    type: OS::Neutron::Subnet
    properties: {{network: {{get_attr: [handle, endpoint]}}, cidr: 192.0.2.0/24}}
outputs: {{made: {{value: here}}}}
"""


def test_no_run_applies_if_a_resource_is_left_out() -> None:
    """OpenTofu plans everything when it destroys a run's objects, and a required argument is null there."""
    text = str(with_tests(LEFT_OUT).files[FILE])
    assert "# Left out: openstack_networking_subnet_v2.attached: network_id is null." in text
    assert "command = plan" in text
    assert "command = apply" not in text
    assert "output." not in text  # not every output is computed when only a part is planned


def test_ignored_changes_allow_one_run_that_applies() -> None:
    """Nothing is ignored when a resource is made; a second run would change the objects of the first."""
    (case,) = [case for case in all_cases() if case.name == "barbican"]
    done = case.convert(tests=True, test_runs="all")
    assert "ignore_changes" in str(done.files["main.tf"])
    commands = re.findall(r'run "(\w+)" \{\n  command = (\w+)', str(done.files[FILE]))
    assert [name for name, command in commands if command == "apply"] == ["as_converted"]
    assert len(commands) > 1


@pytest.mark.parametrize(("second", "counted"), [("192.0.2.9", False), ("192.0.2.10", True)])
def test_equal_blocks_of_a_set_are_not_counted(second: str, counted: bool) -> None:
    """Heat sends both pairs; Terraform has a set, in which equal blocks are one."""
    run = runs_of(
        f"""{HEAD}parameters:
  first: {{type: string, default: 192.0.2.9}}
  second: {{type: string, default: {second}}}
resources:
  port:
    type: OS::Neutron::Port
    properties:
      network: n
      allowed_address_pairs: [{{ip_address: {{get_param: first}}}}, {{ip_address: {{get_param: second}}}}]
"""
    )["as_converted"]
    number = "length(openstack_networking_port_v2.port.allowed_address_pairs) == 2"
    assert (number in conditions_in(run)) == counted
