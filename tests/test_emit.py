"""The public module for targets: each of its functions, as its documentation says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from transpile import emit
from transpile.emit import ABSENT, UNKNOWN, ir
from transpile.front import template as templates
from transpile.model.budget import Budget
from transpile.model.source import Source
from transpile.resolve import linker
from transpile.text.source import Root

PARAMETERS = """\
heat_template_version: 2021-04-16
parameters: {p: {type: string, default: x}, unset: {type: string}}
conditions: {low: {equals: [{get_param: p}, y]}, never: {equals: [a, b]}}
"""
NETWORK = """\
heat_template_version: 2021-04-16
resources:
  server: {type: OS::Nova::Server, properties: {image: i, flavor: f, networks: [{network: {get_resource: net}}]}}
  last: {type: OS::Heat::None, depends_on: first}
  net: {type: OS::Neutron::Net}
  alone: {type: OS::Heat::None}
  subnet: {type: OS::Neutron::Subnet, properties: {network: {get_resource: net}, cidr: 10.0.0.0/24}}
  first: {type: OS::Heat::None}
"""


def link(text: str, folder: Path | None = None) -> emit.Stack:
    template, _ = templates.read_template(Source("t.yaml", text, budget=Budget()))
    assert template is not None
    return linker.link_template(template, [], None, Root(folder, folder), linker.LinkOptions())[0]


@pytest.mark.parametrize(
    ("value", "with_parameters", "without"),
    [
        ("{list_join: ['-', [a, b]]}", "a-b", "a-b"),
        ("[a, {get_resource: r}]", ["a", UNKNOWN], ["a", UNKNOWN]),
        ("{list_join: ['-', [a, {get_param: p}]]}", "a-x", UNKNOWN),
        ("{k: {get_param: p}, l: 1}", {"k": "x", "l": 1}, {"k": UNKNOWN, "l": 1}),
        ("{if: [low, a, b]}", "b", UNKNOWN),
        ("{if: [never, a]}", ABSENT, ABSENT),
        ("{get_param: unset}", UNKNOWN, UNKNOWN),
        ("{get_param: 'OS::stack_name'}", UNKNOWN, UNKNOWN),
        ("{get_attr: [r, value]}", UNKNOWN, UNKNOWN),
        ("{str_replace: {template: {get_param: 'OS::project_id'}, params: {a: b}}}", UNKNOWN, UNKNOWN),
        ("{list_join: ['-', [1]]}", UNKNOWN, UNKNOWN),
        ("{get_file: text.sh}", "echo", "echo"),
        ("{get_file: other.sh}", UNKNOWN, UNKNOWN),
    ],
)
def test_the_value_of_an_expression_if_it_is_known(
    value: str, with_parameters: Any, without: Any, tmp_path: Path
) -> None:
    (tmp_path / "text.sh").write_text("echo")
    text = f"{PARAMETERS}resources: {{r: {{type: OS::Heat::Value}}}}\noutputs: {{o: {{value: {value}}}}}\n"
    stack = link(text, tmp_path)
    expr = stack.template.outputs["o"].value
    assert emit.known_value(stack, expr) == with_parameters
    assert emit.known_value(stack, expr, with_parameters=False) == without


@pytest.mark.parametrize(
    ("value", "whole"),
    [({"a": ["b"]}, True), (None, True), (["a", UNKNOWN], False), ({"a": {"b": ABSENT}}, False), (UNKNOWN, False)],
)
def test_values_that_are_fully_known(value: Any, whole: bool) -> None:
    assert emit.fully_known(value) is whole


def test_resources_come_after_their_needs_and_else_in_their_order() -> None:
    """The server refers to the network alone, but Heat waits for its subnets."""
    order = emit.creation_order(link(NETWORK))
    assert order == ["net", "subnet", "server", "first", "last", "alone"]


def test_resources_in_a_circle_come_after_their_references() -> None:
    """The server waits for the subnet of its network, and the subnet refers to the server."""
    order = emit.creation_order(link(NETWORK.replace("cidr:", "name: {get_attr: [server, name]}, cidr:")))
    assert order.index("net") < order.index("server") < order.index("subnet")


def test_tables_and_schemas_are_data() -> None:
    mapping = emit.mapping_of("OS::Neutron::Net")
    schema = emit.provider_schema("openstack_networking_network_v2")
    assert mapping is not None
    assert schema is not None
    assert (mapping["resource"], mapping["properties"]["shared"]) == ("openstack_networking_network_v2", "shared")
    assert schema["arguments"]["mtu"]["type"] == "number"
    assert emit.mapping_of("OS::Neutron::FirewallRule") is not None
    assert (emit.mapping_of("My::Type"), emit.provider_schema("nothing")) == (None, None)


def test_data_of_the_tables_is_a_copy() -> None:
    mapping: Any = emit.mapping_of("OS::Neutron::Net")
    mapping["properties"].clear()
    schema: Any = emit.provider_schema("openstack_networking_network_v2")
    schema["arguments"].clear()
    again: Any = emit.mapping_of("OS::Neutron::Net")
    assert again["properties"]["shared"] == "shared"
    other: Any = emit.provider_schema("openstack_networking_network_v2")
    assert "mtu" in other["arguments"]


def test_an_outcome_has_the_fates_of_resources() -> None:
    outcome = emit.Outcome(link(NETWORK))
    outcome.became("net", "tasks.net")
    outcome.stays_with_heat("subnet", "HOT404", "nobody knows why")
    output = outcome.output({"a": "b"})
    subnet, (diagnostic,) = output.report["resources"]["subnet"], output.diagnostics
    assert (output.files, output.report["resources"]["net"]["addresses"]) == ({"a": "b"}, ["tasks.net"])
    assert (subnet["treatment"], subnet["kept"]) == ("embedded", {"code": "HOT404", "why": "nobody knows why"})
    assert diagnostic.message == "subnet stays with Heat: nobody knows why."
    assert diagnostic.source is not None
    assert diagnostic.source.text[diagnostic.at : diagnostic.end] == "OS::Neutron::Subnet"


def test_all_that_is_public_is_there() -> None:
    """And an expression can be walked, taken apart and put together again."""
    assert all(hasattr(emit, name) for name in emit.__all__)
    expr = ir.Seq((ir.Lit("a"), ir.ParamRef("p")))
    assert [type(part) for part in emit.walk(expr)] == [ir.Seq, ir.Lit, ir.ParamRef]
    assert list(emit.children(expr)) == [ir.Lit("a"), ir.ParamRef("p")]
    changed = emit.rebuilt(expr, lambda part: ir.Lit("b") if isinstance(part, ir.ParamRef) else part)
    assert changed == ir.Seq((ir.Lit("a"), ir.Lit("b")))


def test_availability_zones_are_not_known_before_there_is_a_stack() -> None:
    text = "HeatTemplateFormatVersion: '2012-12-12'\nOutputs: {o: {Value: {'Fn::GetAZs': ''}}}\n"
    stack = link(text)
    assert emit.known_value(stack, stack.template.outputs["o"].value) is UNKNOWN
