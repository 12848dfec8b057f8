"""An output is null if `get_resource` in it names a resource that does not exist; Heat makes such a stack."""

from __future__ import annotations

from typing import Any

import pytest

import transpile
from tests.support import oracles

TEMPLATE = """\
heat_template_version: 2021-04-16
parameters:
  use: {type: boolean, default: false}
  other: {type: boolean, default: true}
conditions:
  c: {get_param: use}
  d: {get_param: other}
resources:
  net: {type: OS::Neutron::Net, condition: c, properties: {name: a}}
  router: {type: OS::Neutron::Router, condition: d, properties: {name: b}}
  never: {type: OS::Neutron::Net, condition: false, properties: {name: c}}
outputs:
"""
ID, ROUTER = "openstack_networking_network_v2.net[0].id", "openstack_networking_router_v2.router[0].id"
# expressions, and the Terraform that is null exactly if Heat's output is
EXPRESSIONS = {
    "{get_resource: net}": "one(openstack_networking_network_v2.net[*].id)",
    "[a, {get_resource: net}]": f'local.c ? ["a", {ID}] : null',
    "{if: [c, {get_resource: net}, none]}": f'local.c ? {ID} : "none"',
    "{if: [d, {get_resource: net}, none]}": 'local.d ? one(openstack_networking_network_v2.net[*].id) : "none"',
    "{a: {if: [d, {get_resource: net}, none]}}": f'!local.d || local.c ? {{ a = local.d ? {ID} : "none" }} : null',
    "{str_replace: {template: x-X, params: {X: {get_resource: net}}}}": f'local.c ? "x-${{{ID}}}" : null',
    "{list_join: [',', [{get_resource: net}, {get_resource: router}]]}": (
        f'local.c && local.d ? "${{{ID}}},${{{ROUTER}}}" : null'
    ),
    "[a, {get_resource: never}]": "null",
}


def convert(expression: str) -> Any:
    return transpile.convert(f"{TEMPLATE}  out: {{value: {expression}}}\n")


@pytest.mark.parametrize(("expression", "hcl"), EXPRESSIONS.items())
def test_the_output_is_null_as_a_whole(expression: str, hcl: str) -> None:
    done = convert(expression)
    layout = str.maketrans("", "", " \n()")  # a long conditional is wrapped in parentheses
    written = done.files["outputs.tf"].partition("value =")[2].translate(layout).removesuffix("}")
    assert written == hcl.translate(layout)
    assert "HOT552" not in [d.code for d in done.diagnostics]


@oracles.needs_heat
@pytest.mark.parametrize("expression", [e for e in EXPRESSIONS if "if: [c" not in e])
def test_heat_makes_the_stack_and_shows_no_value(expression: str) -> None:
    body = f"{TEMPLATE}  out: {{value: {expression}}}\n"
    assert oracles.ask(op="validate", body=body, level="create")["ok"]
    assert oracles.ask(op="eval", body=body)["outputs"]["out"]["value"] is None


@oracles.needs_heat
def test_heat_refuses_an_attribute_of_a_missing_resource() -> None:
    body = f"{TEMPLATE}  out: {{value: [a, {{get_attr: [net, name]}}]}}\n"
    assert not oracles.ask(op="validate", body=body, level="create")["ok"]


def test_an_attribute_and_a_property_are_reported_as_before() -> None:
    assert "HOT552" in [d.code for d in convert("[a, {get_attr: [net, name]}]").diagnostics]
    port = "resources:\n  port: {type: OS::Neutron::Port, properties: {network: {get_resource: net}}}"
    done = transpile.convert(TEMPLATE.replace("resources:", port).replace("outputs:\n", ""))
    assert "HOT552" in [d.code for d in done.diagnostics]


def test_a_reader_of_such_an_output_of_a_nested_template_is_reported(tmp_path: Any) -> None:
    (tmp_path / "inner.yaml").write_text(f"{TEMPLATE}  out: {{value: {{get_resource: net}}}}\n")
    outer = tmp_path / "outer.yaml"
    outer.write_text(
        "heat_template_version: 2021-04-16\nresources:\n  inner: {type: inner.yaml}\n"
        "  key: {type: OS::Nova::KeyPair, properties: {name: {get_attr: [inner, out]}, public_key: a}}\n"
        "outputs:\n  out: {value: {get_attr: [inner, out]}}\n"
    )
    done = transpile.convert(outer)
    assert [d.message for d in done.diagnostics if d.code == "HOT552"] == [
        "The output out of inner is null if a resource in it does not exist; then Heat fails here."
    ]
