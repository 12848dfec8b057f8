"""The kind of a linked resource, which environments may map to another type than the word in the template."""

from __future__ import annotations

import pathlib

import pytest

import transpile
from transpile.front import environment as environments
from transpile.front import template as templates
from transpile.model.budget import Budget
from transpile.model.source import Source
from transpile.resolve import linker
from transpile.text.source import Root

RESOURCES = """\
heat_template_version: 2018-08-31
resources:
  plain: {type: OS::Heat::Value, properties: {value: 1}}
  alias: {type: My::Value, properties: {value: 1}}
  wild: {type: Their::Thing, properties: {value: 1}}
  single: {type: Our::Value, properties: {value: 1}}
  nothing: {type: My::Nothing}
  nested: {type: My::Nested}
  newer: {type: OS::Neutron::Pool}
  unknown: {type: Not::Known}
"""
ENVIRONMENT = """\
resource_registry:
  My::Value: OS::Heat::Value
  Their::*: My::Value
  Our::Value: OS::Heat::None
  My::Nothing: OS::Heat::None
  My::Nested: nested.yaml
  resources: {single: {Our::Value: OS::Heat::Value}}
"""
KINDS = {
    "plain": "OS::Heat::Value",
    "alias": "OS::Heat::Value",
    "wild": "OS::Heat::Value",
    "single": "OS::Heat::Value",
    "nothing": "OS::Heat::None",
    "nested": "nested.yaml",
    "newer": "OS::Neutron::Pool",
    "unknown": "Not::Known",
}


def test_a_linked_resource_has_its_kind_and_keeps_its_word(tmp_path: pathlib.Path) -> None:
    (tmp_path / "nested.yaml").write_text("heat_template_version: 2018-08-31\n", encoding="utf-8")
    template, _ = templates.read_template(Source("t.yaml", RESOURCES, budget=Budget()))
    environment, _ = environments.read_environment_text(Source("e.yaml", ENVIRONMENT, budget=Budget()))
    assert template is not None
    assert environment is not None
    stack, _ = linker.link_template(template, [environment], root=Root(tmp_path), options=linker.LinkOptions("load"))
    linked = stack.template.resources
    assert {name: resource.kind for name, resource in linked.items()} == KINDS
    assert {name: stack.types[name] for name in linked} == KINDS
    assert linked == template.resources
    assert all(resource.kind == "" for resource in template.resources.values())


VALUES = """\
heat_template_version: 2018-08-31
resources:
  v: {type: TYPE, properties: {value: {mtu: 1400, "provider:network_type": vlan}}}
  n: {type: OS::Neutron::Net, properties: {name: a, value_specs: {get_attr: [v, value]}}}
  w: {type: TYPE, properties: {value: {list: [p, q]}}}
outputs:
  o: {value: {get_attr: [w, value, list, 0]}}
  x: {value: {get_attr: [w, value, nope]}}
"""


@pytest.mark.parametrize("file", ["main.tf", "outputs.tf"])
def test_a_value_behind_an_alias_is_seen_through(file: str) -> None:
    plain = transpile.convert(VALUES.replace("TYPE", "OS::Heat::Value"))
    alias = transpile.convert(
        VALUES.replace("TYPE", "My::Value"), environments=['resource_registry:\n  "My::Value": OS::Heat::Value\n']
    )
    assert 'network_type = "vlan"' in str(plain.files["main.tf"])
    assert body(alias.files[file]) == body(plain.files[file])


def body(text: str | bytes) -> list[str]:
    """The lines of a file, without the command that made it."""
    return str(text).splitlines()[1:]
