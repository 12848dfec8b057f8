"""The judge evaluates all that Terraform evaluates: it finds each fault of a lowering, and leaves the rest alone."""

from __future__ import annotations

from typing import Any

import pytest

import transpile
from emitters.hcl.lowering.expressions import ExpressionLowering
from emitters.hcl.resources import rules, writer
from emitters.hcl.symbols import Symbols
from emitters.hcl.tree.types import ANY, HclType, TypedValue
from transpile.diagnostics import codes
from transpile.model import ir

HEAD = """\
heat_template_version: 2021-04-16
parameters:
  there: {type: boolean, default: false}
  subnet: {type: string, default: ""}
  pairs: {type: json, default: [{ip_address: 10.0.0.9}]}
  size: {type: number, hidden: true, default: 2}
conditions: {there: {get_param: there}}
resources:
"""
PAIRS = """\
  port: {type: OS::Neutron::Port,
    properties: {network: n, allowed_address_pairs: {if: [there, {get_param: pairs}]}}}
"""
GATEWAY = """\
  net: {type: OS::Neutron::Subnet,
    properties: {network: n, cidr: 10.0.0.0/24, gateway_ip: {if: [there, 10.0.0.2]}}}
"""
IMAGE = "  volume: {type: OS::Cinder::Volume, properties: {size: 1, image: {if: [there, ubuntu]}}}\n"
NAME = "  net: {type: OS::Neutron::Net, properties: {name: {if: [there, front]}}}\n"
SUBNET = "  port: {type: OS::Neutron::Port, properties: {network: n, fixed_ips: [{subnet_id: {get_param: subnet}}]}}\n"
SIZE = """\
  nets:
    type: OS::Heat::ResourceGroup
    properties:
      count: {get_param: size}
      removal_policies: [{resource_list: ['0']}]
      resource_def: {type: OS::Neutron::Net, properties: {name: "n%index%"}}
"""


def differences(text: str, **options: Any) -> list[str]:
    done = transpile.convert(HEAD + text, **options)
    return [d.message for d in done.diagnostics if d.code == codes.VALUE_DIFFERS_FROM_HEAT]


def test_a_lookup_without_a_name_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fault is an `if` without an else that never becomes null."""
    for module in (rules, writer):
        monkeypatch.setattr(module, "with_else", lambda entry, rule, schema: entry)
    lower_value = ExpressionLowering.lower_value

    def lower_without_null(self: ExpressionLowering, expr: ir.Expr, want: HclType = ANY) -> TypedValue:
        return lower_value(self, expr, want)._replace(null=False)

    monkeypatch.setattr(ExpressionLowering, "lower_value", lower_without_null)
    (message,) = differences(IMAGE)
    assert message.startswith(
        "data.openstack_images_image_v2.volume_image: this Terraform fails: it has no search criterion"
    )


def test_a_sensitive_for_each_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Symbols, "is_sensitive", lambda self, expr: False)
    (message,) = differences(SIZE)
    assert "a sensitive value cannot decide about the keys of for_each" in message


@pytest.mark.parametrize("text", [PAIRS, GATEWAY, IMAGE, NAME, SUBNET, SIZE])
def test_right_output_is_left_alone(text: str) -> None:
    assert differences(text) == []


def test_a_lookup_by_an_empty_name_is_null() -> None:
    main = transpile.convert(HEAD + SUBNET).files["main.tf"]
    assert "subnet_id = one(data.openstack_networking_subnet_v2.subnet[*].id)" in main


def test_a_name_that_is_left_out_is_made_up_and_null_is_an_empty_name() -> None:
    main = transpile.convert(HEAD + NAME).files["main.tf"]
    assert 'name = local.there ? "front" : "${var.stack_name}-net"' in main
    main = transpile.convert(HEAD + NAME.replace("front]", "front, null]")).files["main.tf"]
    assert 'name = local.there ? "front" : ""' in main


def test_a_gateway_that_is_left_out_is_the_first_address_and_null_is_none() -> None:
    assert 'local.there ? "10.0.0.2" : "auto"' in transpile.convert(HEAD + GATEWAY).files["locals.tf"]
    null = transpile.convert(HEAD + GATEWAY.replace("10.0.0.2]", "10.0.0.2, null]"))
    assert 'local.there ? "10.0.0.2" : ""' in null.files["locals.tf"]


@pytest.mark.parametrize("group", ["77777777-7777-7777-7777-777777777777", "{get_param: [given, id]}"])
def test_a_security_group_by_its_id_is_no_difference(group: str) -> None:
    server = f"  vm: {{type: OS::Nova::Server, properties: {{image: i, flavor: f, security_groups: [{group}]}}}}\n"
    given = HEAD.replace(
        "parameters: {", "parameters: {given: {type: json, default: {id: 77777777-7777-7777-7777-777777777777}}, "
    )
    done = transpile.convert(given + server)
    assert done.ok


def test_a_members_index_is_a_text_for_a_string_parameter(tmp_path: Any) -> None:
    (tmp_path / "child.yaml").write_text(
        "heat_template_version: 2018-08-31\n"
        "parameters: {index: {type: string}}\n"
        "conditions: {first: {equals: [{get_param: index}, '0']}}\n"
        "resources: {net: {type: OS::Neutron::Net, condition: first}}\n"
    )
    (tmp_path / "main.yaml").write_text(
        "heat_template_version: 2018-08-31\nresources:\n  group:\n    type: OS::Heat::ResourceGroup\n"
        "    properties: {count: 2, resource_def: {type: child.yaml, properties: {index: '%index%'}}}\n"
    )
    assert transpile.convert(tmp_path / "main.yaml").ok
