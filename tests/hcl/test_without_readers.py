"""With `--prefer native`, no stack of Heat's reads anything: data sources do, and variables have the values that these
cannot read.
"""

from __future__ import annotations

import json
import pathlib
import re
from typing import Any

import pytest

import transpile
from emitters.hcl import summary
from tests.support import conversions, oracles
from tests.support.files import write_files

UUID = "0c2c36a8-1ad4-4d5b-8d5a-0c2d9a6d6a01"
PORT = "  p: {type: OS::Neutron::Port, properties: {name: p, network: n}}\n"
ASSOCIATION = "OS::Neutron::FloatingIPAssociation, properties: {port_id: {get_resource: p}, floatingip_id: %s}"
BY_ID = f"  a: {{type: {ASSOCIATION}}}\n"
PARAMETERS = """\
parameters:
  ip: {type: string}
  ips: {type: comma_delimited_list}
  id: {type: string}
  fails: {type: boolean, default: false}
"""
MADE = "  f: {type: OS::Neutron::FloatingIP, properties: {floating_network: public}}\n"
SERVER = "  s: {type: OS::Nova::Server, properties: {name: s, flavor: f, image: i, user_data_format: RAW}}\n"
READS = "  v: {type: OS::Cinder::Volume, properties: {name: v, size: 1, description: {get_attr: [s, accessIPv4]}}}\n"
OF_SERVER = "OS::Nova::FloatingIPAssociation, properties: {floating_ip: {get_resource: f}, server_id: {get_param: id}}"
NESTED = f"heat_template_version: 2018-08-31\nparameters: {{ip: {{type: string}}}}\nresources:\n{PORT}{BY_ID}"


def convert(
    where: pathlib.Path, resources: str, outputs: str = "", prefer: str = "native", keep: str = "", **nested: str
) -> transpile.Conversion:
    text = f"heat_template_version: 2018-08-31\n{PARAMETERS}resources:\n{resources}outputs: {{{outputs}}}\n"
    for name, content in {"input": text, **nested}.items():
        (where / f"{name}.yaml").write_text(content, encoding="utf-8")
    return conversions.convert(where / "input.yaml", prefer=prefer, options={"keep": keep})


def read_output_file(done: Any, name: str = "main.tf") -> str:
    return re.sub(r" +", " ", str(done.files[name]))


def codes(done: Any) -> list[str]:
    return [d.code for d in done.diagnostics if d.severity != "info"]


def treatment(done: Any, name: str) -> str:
    return str(done.report["resources"][name]["treatment"])


# the address of a floating IP by its ID


@pytest.mark.parametrize(
    ("given", "expression"),
    [
        ("{get_param: ip}", "var.floating_ip_addresses[var.ip]"),
        ("0c2c36a8-1ad4-4d5b-8d5a-0c2d9a6d6a01", 'var.floating_ip_addresses["0c2c36a8-1ad4-4d5b-8d5a-0c2d9a6d6a01"]'),
        ("{get_param: [ips, 0]}", 'var.floating_ip_addresses[try(var.ips[0], "")]'),
    ],
)
def test_a_variable_has_the_address(given: str, expression: str, tmp_path: pathlib.Path) -> None:
    done = convert(tmp_path, PORT + BY_ID % given)
    assert f"floating_ip = {expression}" in read_output_file(done)
    assert codes(done) == ["HOT528"]
    assert "floating_ip_addresses" in done.report["asks"]
    assert done.report["resources"]["a"]["properties"]["floatingip_id"]["as"] == "derived"


def test_resources_of_the_template_have_their_address(tmp_path: pathlib.Path) -> None:
    assert codes(convert(tmp_path, PORT + MADE + BY_ID % "{get_resource: f}")) == []


def test_each_branch_has_its_address(tmp_path: pathlib.Path) -> None:
    done = convert(
        tmp_path, PORT + MADE + BY_ID % "{if: [{equals: [{get_param: id}, x]}, {get_resource: f}, {get_param: ip}]}"
    )
    assert "openstack_networking_floatingip_v2.f.address" in read_output_file(done)
    assert "var.floating_ip_addresses[var.ip]" in read_output_file(done)


def test_a_module_gets_the_address_with_the_id(tmp_path: pathlib.Path) -> None:
    calls = "".join(
        f"  {name}: {{type: inner.yaml, properties: {{ip: {expression}}}}}\n"
        for name, expression in (("made", "{get_resource: f}"), ("told", "{get_param: ip}"))
    )
    done = convert(tmp_path, MADE + calls, inner=NESTED % "{get_param: ip}")
    assert "floating_ip = var.ip_address" in read_output_file(done, "modules/inner/main.tf")
    made, looked_up = re.findall(r"ip_address = (.*)", read_output_file(done))
    assert made == "openstack_networking_floatingip_v2.f.address"
    assert looked_up == "lookup(var.floating_ip_addresses, var.ip, null)"  # the module decides whether it needs one


def test_through_modules_in_modules(tmp_path: pathlib.Path) -> None:
    middle = (
        "heat_template_version: 2018-08-31\nparameters: {through: {type: string}}\n"
        "resources: {inside: {type: inner.yaml, properties: {ip: {get_param: through}}}}\n"
    )
    call = "  outer: {type: middle.yaml, properties: {through: {get_resource: f}}}\n"
    done = convert(tmp_path, MADE + call, middle=middle, inner=NESTED % "{get_param: ip}")
    assert "ip_address = var.through_address" in read_output_file(done, "modules/middle/main.tf")
    assert "through_address = openstack_networking_floatingip_v2.f.address" in read_output_file(done)
    assert codes(done) == ["HOT569"]  # the port inside does not wait for the address


def test_modules_share_the_addresses(tmp_path: pathlib.Path) -> None:
    """The user sets one variable, at the root."""
    inner = (NESTED % "0c2c36a8-1ad4-4d5b-8d5a-0c2d9a6d6a01").replace("{ip: {type: string}}", "{}")
    other = inner.replace("name: p", "name: q")
    text = "  one: {type: inner.yaml}\n  two: {type: other.yaml}\n"
    done = convert(tmp_path, text, inner=inner, other=other)
    assert read_output_file(done).count("floating_ip_addresses = var.floating_ip_addresses\n") == 2
    assert read_output_file(done, "variables.tf").count("map(string)") == 1


# attributes


def test_an_attribute_of_a_new_resource_comes_after_the_first_apply(tmp_path: pathlib.Path) -> None:
    done = convert(tmp_path, SERVER + READS)
    assert codes(done) == ["HOT529"]
    assert "description = var.s_access_ipv4" in read_output_file(done)
    assert re.search(r'"s_access_ipv4" {[^}]*default = null', read_output_file(done, "variables.tf"))
    assert "s_access_ipv4" not in done.report.get("asks", ())


def test_an_attribute_of_an_existing_resource_is_asked_for(tmp_path: pathlib.Path) -> None:
    text = "  e: {type: OS::Cinder::Volume, external_id: x}\n"
    text += "  v: {type: OS::Cinder::Volume, properties: {name: v, size: {get_attr: [e, size]}}}\n"
    done = convert(tmp_path, text)
    assert codes(done) == ["HOT529"]
    assert "e_size" in done.report["asks"]


@pytest.mark.parametrize(
    "calls",
    [
        "  g: {type: OS::Heat::ResourceGroup, properties: {count: 2, resource_def: {type: inner.yaml}}}\n",
        "  one: {type: inner.yaml}\n  two: {type: inner.yaml}\n",
        "  one: {type: middle.yaml}\n  two: {type: middle.yaml}\n",
    ],
)
def test_several_of_a_template_do_not_share_a_variable(calls: str, tmp_path: pathlib.Path) -> None:
    """Each instance has another value, so its reader stays with Heat."""
    head = "heat_template_version: 2018-08-31\nresources:\n"
    done = convert(tmp_path, calls, inner=f"{head}{SERVER}{READS}", middle=f"{head}  m: {{type: inner.yaml}}\n")
    assert "HOT529" not in codes(done)
    assert not any("var.s_access" in str(text) for text in done.files.values())
    once = convert(tmp_path, "  one: {type: inner.yaml}\n", inner=f"{head}{SERVER}{READS}")
    assert "HOT529" in codes(once)
    assert "s_access_ipv4 = var.s_access_ipv4" in read_output_file(once)


@pytest.mark.parametrize("attribute", ["console_urls", "[show, progress]", "accessIPv6"])
def test_an_output_is_null(attribute: str, tmp_path: pathlib.Path) -> None:
    path = attribute.strip("[]")
    done = convert(tmp_path, SERVER, f"o: {{value: {{get_attr: [s, {path}]}}}}")
    assert codes(done) == ["HOT565"]
    assert "value = null" in read_output_file(done, "outputs.tf")


def test_an_output_that_cannot_be_written_is_null_unless_it_reads_from_heat(tmp_path: pathlib.Path) -> None:
    output = "o: {value: {yaql: {expression: '$.data.select($ + now())', data: {%s}}}}"
    assert codes(convert(tmp_path, SERVER, output % "get_param: ips")) == ["HOT565"]
    queue = "  q: {type: OS::Zaqar::Queue, properties: {name: q}}\n"
    done = convert(tmp_path, queue, output % "get_attr: [q, queue_id]", keep="OS::Zaqar::Queue")
    assert treatment(done, "q") == "embedded"
    assert "Heat computes it" in done.report["outputs"]["o"]["why"]


# existing resources


EXISTING = """\
  server: {type: OS::Nova::Server, external_id: {get_param: id}}
  port: {type: OS::Neutron::Port, external_id: {get_param: id}}
  address: {type: OS::Neutron::FloatingIP, external_id: {get_param: ip}}
"""


@pytest.mark.parametrize(
    ("path", "expression"),
    [
        ("server, name", "data.openstack_compute_instance_v2.server.name"),
        ("server, first_address", "data.openstack_compute_instance_v2.server.access_ip_v4"),
        ("port, fixed_ips, 0, ip_address", "try(data.openstack_networking_port_v2.port.all_fixed_ips[0], null)"),
        ("port, mac_address", "data.openstack_networking_port_v2.port.mac_address"),
        ("address, floating_ip_address", "data.openstack_networking_floatingip_v2.address.address"),
        ("address, port_id", "data.openstack_networking_floatingip_v2.address.port_id"),
    ],
)
def test_data_sources_read_it(path: str, expression: str, tmp_path: pathlib.Path) -> None:
    done = convert(tmp_path, EXISTING, f"o: {{value: {{get_attr: [{path}]}}}}")
    assert f"value = {expression}" in read_output_file(done, "outputs.tf")
    assert {resource["treatment"] for resource in done.report["resources"].values()} == {"data"}


def test_a_handle_of_another_stack_stays_with_heat(tmp_path: pathlib.Path) -> None:
    text = "  h: {type: OS::Heat::WaitConditionHandle, external_id: x}\n"
    server = SERVER.replace("user_data_format: RAW", "user_data_format: RAW, user_data: {get_attr: [h, curl_cli]}")
    assert treatment(convert(tmp_path, text + server), "h") == "embedded"


def test_the_port_of_an_existing_server(tmp_path: pathlib.Path) -> None:
    done = convert(tmp_path, f"{MADE}  a: {{type: {OF_SERVER}}}\n")
    assert codes(done) == ["HOT530"]
    assert "device_id = var.id" in read_output_file(done, "data.tf")


# names that no data source finds


def test_ids_by_name(tmp_path: pathlib.Path) -> None:
    rule = "type: OS::Octavia::L7Rule, properties: {type: PATH, compare_type: STARTS_WITH, value: /, l7policy: %s}"
    text = "".join(f"  r{i}: {{{rule % policy}}}\n" for i, policy in enumerate(("old", "{get_param: id}", UUID)))
    main = read_output_file(convert(tmp_path, text))
    assert re.findall(r"l7policy_id = (.*)", main) == [
        'var.layer_7_policy_ids["old"]',
        "var.id",  # its name says that it holds an ID
        f'"{UUID}"',
    ]


def test_possible_ids_are_looked_up_by_name_first(tmp_path: pathlib.Path) -> None:
    rule = "type: OS::Octavia::L7Rule, properties: {type: PATH, compare_type: STARTS_WITH, value: /, l7policy: %s}"
    text = f"  r: {{{rule % '{get_param: policy}'}}}\n"
    (tmp_path / "input.yaml").write_text(
        f"heat_template_version: 2018-08-31\nparameters: {{policy: {{type: string}}}}\nresources:\n{text}"
    )
    main = read_output_file(transpile.convert(tmp_path / "input.yaml", prefer="native"))
    assert "l7policy_id = lookup(var.layer_7_policy_ids, var.policy, var.policy)" in main


# other work that Heat need not do


@oracles.needs_providers
def test_a_random_text_has_all_its_parts_in_another_order(tmp_path: pathlib.Path) -> None:
    properties = "length: 60, character_classes: [{class: digits, min: 20}, {class: hexdigits}], "
    properties += "character_sequences: [{sequence: '+-', min: 5}]"
    text = f"  r: {{type: OS::Heat::RandomString, properties: {{{properties}}}}}\n"
    done = convert(tmp_path, text, "o: {value: {get_attr: [r, value]}}")
    where = write_files(tmp_path / "out", done.files)
    oracles.run(where, "init")
    oracles.run(where, "apply", "-auto-approve")
    text = json.loads(oracles.terraform(where, "output", "-json").stdout)["o"]["value"]
    state = json.loads((where / "terraform.tfstate").read_text(encoding="utf-8"))["resources"]
    parts = [i["attributes"] for resource in state if resource["name"] == "r_parts" for i in resource["instances"]]
    made = "".join(part["result"] for part in parts)
    assert (text != made, sorted(text)) == (True, sorted(made))
    part_settings = {(part["override_special"], part["length"]) for part in parts}
    assert part_settings == {("0123456789", 20), ("0123456789ABCDEF", 1), ("+-", 5), ("+-0123456789ABCDEF", 34)}
    assert not any(part[word] for part in parts for word in ("lower", "upper", "numeric"))


@oracles.needs_terraform
@pytest.mark.parametrize("fails", ["false", "true"])
def test_a_test_resource_fails(fails: str, tmp_path: pathlib.Path) -> None:
    text = "  t: {type: OS::Heat::TestResource, properties: {value: x, fail: {get_param: fails}}}\n"
    done = convert(tmp_path, text + "  u: {type: OS::Heat::TestResource, depends_on: t}\n")
    where = write_files(tmp_path / "out", done.files)
    oracles.run(where, "init")
    applied = oracles.terraform(where, "apply", "-auto-approve", f"-var=fails={fails}")
    assert (applied.returncode, "t fails on purpose" in applied.stderr) == (
        (1, True) if fails == "true" else (0, False)
    )
    kept = oracles.terraform(where, "state", "list").stdout.split()
    assert "terraform_data.t" in kept
    assert ("terraform_data.u" in kept) == (fails == "false")


# the closing line


def test_the_promised_resources_are_free_after_the_conversion(tmp_path: pathlib.Path) -> None:
    done = convert(tmp_path, f"{MADE}  a: {{type: {OF_SERVER}}}\n", prefer="faithful")
    closing = summary.summarize_report(done.report)
    assert "1 kept in Heat; 0 properties dropped; --prefer native frees it from Heat" in closing
    assert "--prefer native frees it" in next(d.hint for d in done.diagnostics if d.code == "HOT450")


def test_resources_that_no_preference_frees_are_not_promised(tmp_path: pathlib.Path) -> None:
    """A group whose members are known only at run time: its type has a conversion, but this one does not."""
    group = (
        "  g: {type: OS::Heat::AutoScalingGroup, properties: {min_size: 1, max_size: 2, resource: {get_param: any}}}\n"
    )
    text = f"heat_template_version: 2018-08-31\nparameters: {{any: {{type: json}}}}\nresources:\n{group}"
    done = conversions.convert(text, prefer="faithful", options={})
    assert summary.summarize_report(done.report) == "1 resource: 1 kept in Heat; 0 properties dropped"


def test_a_module_counts_as_free_only_if_nothing_in_it_stays(tmp_path: pathlib.Path) -> None:
    """As the member of a scaling group, the template stays with Heat; in a module, its unknown type would."""
    volume = "w: {type: OS::Cinder::Volume, properties: {size: 1}}"
    other = "x: {type: 'My::Type'}"
    inner = f"heat_template_version: 2018-08-31\nresources: {{{volume}, {other}}}\n"
    properties = "{min_size: 1, max_size: 2, resource: {type: inner.yaml}}"
    group = f"  g: {{type: OS::Heat::AutoScalingGroup, properties: {properties}}}\n"
    done = convert(tmp_path, group, prefer="faithful", inner=inner)
    assert "1 kept in Heat" in summary.summarize_report(done.report)
    assert "frees" not in summary.summarize_report(done.report)


def test_readers_need_heat_too(tmp_path: pathlib.Path) -> None:
    done = convert(tmp_path, SERVER, "o: {value: {get_attr: [s, accessIPv4]}}", prefer="faithful")
    assert "Heat still reads attributes that the provider does not" in summary.summarize_report(done.report)


def test_a_template_by_url_may_be_fetched(tmp_path: pathlib.Path) -> None:
    text = "  u: {type: AWS::CloudFormation::Stack, properties: {TemplateURL: 'https://example.org/t.yaml'}}\n"
    done = convert(tmp_path, text)
    assert "--allow" in next(d.hint for d in done.diagnostics if d.code == "HOT450")


# the subnet of a port's address

ROUTE = (
    "{str_replace: {template: '#!/bin/sh\n\n  ip route add CIDR', params: {CIDR: {get_attr: [p, subnets, 0, cidr]}}}}"
)
ROUTED = SERVER.replace("RAW", f"RAW, user_data: {ROUTE}")
CHOSEN = PORT.replace("network: n", "network: n, fixed_ips: [{ip_address: 10.0.0.5, subnet: office}]")


def test_the_subnet_of_an_address_is_read_in_the_same_apply(tmp_path: pathlib.Path) -> None:
    """The subnet is in an existing network: no variable that is null until the first apply, and no null in user
    data.
    """
    done = convert(tmp_path, PORT + ROUTED)
    assert "variable" not in str(done.files.get("variables.tf", ""))
    data = read_output_file(done, "data.tf")
    assert (
        'data "openstack_networking_subnet_v2" "p_subnet" {\n'
        " network_id = openstack_networking_port_v2.p.network_id\n"
        ' ip_version = strcontains(openstack_networking_port_v2.p.all_fixed_ips[0], ":") ? 6 : 4\n}'
    ) in data
    assert "ip route add ${data.openstack_networking_subnet_v2.p_subnet.cidr}" in read_output_file(done)
    assert codes(done) == ["HOT526"]


@pytest.mark.parametrize("prefer", ["faithful", "native"])
def test_the_subnet_that_the_template_sets_is_read_by_its_id(prefer: str, tmp_path: pathlib.Path) -> None:
    """The data source finds just that one, so Heat need not read it even without a preference."""
    done = convert(tmp_path, CHOSEN + ROUTED, prefer=prefer)
    assert "subnet_id = openstack_networking_port_v2.p.fixed_ip[0].subnet_id" in read_output_file(done, "data.tf")
    assert "orchestration" not in read_output_file(done)
    assert not codes(done)


def test_without_a_preference_heat_reads_a_subnet_that_the_template_does_not_set(tmp_path: pathlib.Path) -> None:
    done = convert(tmp_path, PORT + ROUTED, prefer="faithful")
    assert "orchestration" in read_output_file(done)


def test_one_data_source_for_all_attributes_of_a_subnet(tmp_path: pathlib.Path) -> None:
    words = ("cidr", "gateway_ip", "ip_version", "enable_dhcp", "name")
    outputs = ", ".join(f"{word}: {{value: {{get_attr: [p, subnets, 0, {word}]}}}}" for word in words)
    done = convert(tmp_path, CHOSEN, outputs)
    assert read_output_file(done, "data.tf").count("subnet_id =") == 1
    for word in words:
        assert f"value = data.openstack_networking_subnet_v2.p_subnet.{word}\n" in read_output_file(done, "outputs.tf")


def test_the_subnet_of_a_conditional_port_is_read_if_the_port_exists(tmp_path: pathlib.Path) -> None:
    head = "heat_template_version: 2018-08-31\nparameters: {c: {type: boolean}}\nconditions: {is: {get_param: c}}\n"
    port = PORT.replace("properties", "condition: is, properties")
    outputs = "outputs: {o: {value: {if: [is, {get_attr: [p, subnets, 0, cidr]}, none]}}}\n"
    done = transpile.convert(f"{head}resources:\n{port}{outputs}", prefer="native")
    data = read_output_file(done, "data.tf")
    assert "count = local.is ? 1 : 0\n\n network_id = openstack_networking_port_v2.p[0].network_id" in data


@oracles.needs_providers
@pytest.mark.parametrize("port", [PORT, CHOSEN])
def test_terraform_accepts_the_reads(port: str, tmp_path: pathlib.Path) -> None:
    done = convert(tmp_path, port + ROUTED)
    assert not oracles.invalid(write_files(tmp_path / "out", done.files))
