"""Values for parameters are accepted by Heat's rules, and those that are to be refused are refused."""

from __future__ import annotations

import pathlib
import re
import tempfile
from typing import Any

import pytest

import transpile
from emitters.hcl.proof import samples
from transpile.diagnostics import codes
from transpile.front import template as templates
from transpile.model import ir
from transpile.model.budget import Budget
from transpile.schema import parameters
from transpile.text.source import from_text

PARAMETERS = {
    "plain": "{type: string}",
    "cidr": "{type: string, constraints: [{custom_constraint: net_cidr}]}",
    "address": "{type: string, constraints: [{custom_constraint: ip_addr}]}",
    "one of": "{type: string, constraints: [{allowed_values: [red, green]}]}",
    "long": "{type: string, constraints: [{length: {min: 20, max: 30}}]}",
    "short": "{type: string, constraints: [{length: {max: 2}}]}",
    "letters": "{type: string, constraints: [{allowed_pattern: '[a-z]+'}]}",
    "a date": "{type: string, constraints: [{allowed_pattern: '\\d{4}-\\d\\d-\\d\\d'}]}",
    "range": "{type: number, constraints: [{range: {min: 7, max: 9}}]}",
    "even": "{type: number, constraints: [{modulo: {step: 2, offset: 0}}]}",
    "number of": "{type: number, constraints: [{allowed_values: [3, 5]}]}",
    "flag": "{type: boolean}",
    "list": "{type: comma_delimited_list}",
    "list of two": "{type: comma_delimited_list, constraints: [{length: {min: 2, max: 2}}]}",
    "json": "{type: json}",
}


def parameter(text: str) -> ir.Param:
    source = from_text(f"heat_template_version: 2018-08-31\nparameters:\n  p: {text}\n", "t.yaml", Budget({}))
    template, sink = templates.read_template(source)
    assert template is not None
    assert sink.diagnostics == []
    return template.parameters["p"]


@pytest.mark.parametrize("text", PARAMETERS.values(), ids=PARAMETERS.keys())
def test_a_sample_is_accepted(text: str) -> None:
    """The test asks Heat's own rules, and not the code under test."""
    param = parameter(text)
    value = samples.find_accepted_value(param, Budget({}))
    assert value is not None
    converted = parameters.convert_value(param.type, value)
    assert not parameters.check_constraints(param, converted, custom=True, budget=Budget())


def test_there_is_not_always_a_sample() -> None:
    assert (
        samples.find_accepted_value(parameter("{type: string, constraints: [{allowed_pattern: 'q{17}z'}]}"), Budget({}))
        is None
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (PARAMETERS["range"], ["too small", "too large"]),
        (PARAMETERS["long"], ["too short", "too long"]),
        (PARAMETERS["one of"], ["not allowed"]),
        (PARAMETERS["letters"], ["not matching"]),
        (PARAMETERS["even"], ["between the steps"]),
        (PARAMETERS["number of"], ["not allowed"]),
        (PARAMETERS["plain"], []),
    ],
)
def test_each_constraint_is_violated(text: str, words: list[str]) -> None:
    param = parameter(text)
    refused = list(samples.refused_values(param, Budget({})))
    assert [word for _, word, _ in refused] == words
    for constraint, _, value in refused:
        converted = parameters.convert_value(param.type, value)
        assert parameters.explain_refusal(param.type, constraint, converted, budget=Budget())


@pytest.mark.parametrize(
    ("name", "limits"),
    [
        ("range", {"smallest": 7, "largest": 9}),
        ("long", {"shortest": "x" * 20, "longest": "x" * 30}),
        ("short", {"longest": "xx"}),
        ("list of two", {}),
    ],
)
def test_limits_of_constraints_are_values(name: str, limits: dict[str, Any]) -> None:
    assert dict(samples.values_at_limits(parameter(PARAMETERS[name]))) == limits


@pytest.mark.parametrize(
    ("paths", "value"),
    [
        ([("a", "b"), ("a", "c")], {"a": {"b": "p-a-b", "c": "p-a-c"}}),
        ([(0, "x"), (2,)], [{"x": "p-0-x"}, "p-1", "p-2"]),
        ([], {}),
    ],
)
def test_json_has_the_keys_that_are_read(paths: list[tuple[Any, ...]], value: Any) -> None:
    assert samples.value_with_paths("p", paths) == value


def test_no_hidden_value_is_in_a_test() -> None:
    """A sample stands for it, whether it comes from the template or from an environment."""
    template = """\
heat_template_version: 2018-08-31
parameters:
  secret: {type: string, hidden: true, default: from-the-template}
  key: {type: string, hidden: true}
resources:
  server:
    type: OS::Nova::Server
    properties:
      {image: i, flavor: f, networks: [{network: n}], admin_pass: {get_param: secret}, name: {get_param: key}}
"""
    done = transpile.convert(
        template,
        options={"tests": True, "test_runs": "all"},
        environments=["parameters:\n  key: from-the-environment\n"],
    )
    text = str(done.files["tests/heat.tftest.hcl"])
    assert '"a-secret"' in text
    assert '"a-key"' in text
    assert "from-the" not in text


@pytest.mark.parametrize(
    ("resource", "why"),
    [
        ("{type: OS::Zaqar::Queue}", "no value is known before everything exists"),
        ("{type: OS::Neutron::Net, properties: {name: {get_param: p}}}", "no value is known that p accepts"),
    ],
)
def test_the_report_says_why_there_are_no_tests(resource: str, why: str) -> None:
    pattern = "parameters:\n  p: {type: string, constraints: [{allowed_pattern: 'q{17}z'}]}\n"
    used = pattern if "get_param" in resource else ""
    text = f"heat_template_version: 2018-08-31\n{used}resources:\n  r: {resource}\n"
    done = transpile.convert(text, options={"tests": True, "test_runs": "all"})
    assert done.ok
    assert done.report["tests"] == {"tests/heat.tftest.hcl": {"why": why}}
    assert [d.message for d in done.diagnostics if d.code == codes.TESTS_NOT_WRITTEN] == [
        f"No tests are written in tests/heat.tftest.hcl: {why}."
    ]
    assert not any(name.startswith("tests/") for name in done.files)


def test_no_two_resources_have_the_same_stand_in() -> None:
    """Ports and a network of one name, in instances of a module, too."""
    template = """\
heat_template_version: 2018-08-31
resources:
  web: {type: OS::Neutron::Net, properties: {name: web}}
  group:
    type: OS::Heat::ResourceGroup
    properties: {count: 2, resource_def: {type: web.yaml, properties: {network: {get_resource: web}}}}
outputs:
  ids: {value: [{get_resource: web}, {get_attr: [group, id]}]}
"""
    files = {
        "web.yaml": "heat_template_version: 2018-08-31\nparameters: {network: {type: string}}\n"
        "resources: {web: {type: OS::Neutron::Port, properties: {network: {get_param: network}}}}\n"
        "outputs: {id: {value: {get_resource: web}}}\n"
    }
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            pathlib.Path(folder, name).write_text(text, encoding="utf-8")
        done = transpile.convert(template, root=folder, options={"tests": True, "test_runs": "all"})
    text = str(done.files["tests/heat.tftest.hcl"])
    assert re.findall(r"  target = (.*)", text) == [
        "openstack_networking_network_v2.web",
        "module.group[0].openstack_networking_port_v2.web",
        "module.group[1].openstack_networking_port_v2.web",
    ]
    made = re.findall(r'\bid = "(.*?)"', text)
    assert len(set(made)) == len(made) == 3


def test_a_name_stands_for_an_id_that_hides_the_name() -> None:
    """A floating IP needs the name of its network, which a mock does not know by its ID."""
    template = """\
heat_template_version: 2018-08-31
parameters: {outside: {type: string, default: 2d0a1c7e-9a55-4b6a-8f1f-6f3f2b1c0d9e}}
resources:
  address: {type: OS::Neutron::FloatingIP, properties: {floating_network: {get_param: outside}}}
"""
    text = str(transpile.convert(template, options={"tests": True, "test_runs": "all"}).files["tests/heat.tftest.hcl"])
    assert 'openstack_networking_floatingip_v2.address.pool == "a-outside"' in text


@pytest.mark.parametrize(
    ("value", "other"),
    [
        ("192.0.2.0/24", "192.0.3.0/24"),
        ("192.0.2.7", "192.0.2.8"),
        ("2040-12-31", "2041-12-31"),
        ("80", "81"),
        ("true", "false"),
        ("fa:16:3e:00:00:0a", "fa:16:3e:00:00:01"),
        ("fa:16:3e:00:00:01", "fa:16:3e:00:00:02"),
        ("m1.small", "other-m1.small"),
    ],
)
def test_another_value_is_of_the_same_kind(value: str, other: str) -> None:
    assert samples.other_value(parameter("{type: string}"), value, Budget({})) == other
