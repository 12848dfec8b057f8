"""A placeholder in place of a value is no value: the forms of placeholders, and their conversion."""

from __future__ import annotations

import pathlib

import pytest

import transpile
from transpile.diagnostics import codes
from transpile.pipeline import Conversion
from transpile.resolve.placeholder_values import RULES, PlaceholderRule, is_placeholder

TEMPLATE = """\
heat_template_version: 2018-08-31
parameters:
  net: {type: string, label: Network name or ID}
  mode: {type: string, constraints: [{allowed_values: [normal, direct]}]}
  size: {type: number}
  keys: {type: comma_delimited_list, default: [a, "YOUR_KEY"]}
  secret: {type: string, hidden: true}
  idle: {type: string, default: CHANGEME}
resources:
  port:
    type: OS::Neutron::Port
    properties: {network: {get_param: net}, "binding:vnic_type": {get_param: mode}}
  disk:
    type: OS::Cinder::Volume
    properties:
      size: {get_param: size}
      metadata: {keys: {list_join: [",", {get_param: keys}]}, s: {get_param: secret}}
"""
ENVIRONMENT = """\
parameters:
  net: PUT THE NETWORK ID HERE
  mode: normal or direct
  size: TODO
  secret: <the secret>
"""


def convert(environment: str = ENVIRONMENT, template: str = TEMPLATE, **options: str) -> Conversion:
    return transpile.convert(template, environments=[environment], options=options)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.example)
def test_each_rule_has_an_example_and_a_value_that_looks_alike(rule: PlaceholderRule) -> None:
    assert rule.matches(rule.example)
    assert any(word in rule.example.lower() for word in rule.words)  # or the pattern is never tried
    assert is_placeholder(rule.example)
    assert not is_placeholder(rule.meant)


@pytest.mark.parametrize(
    "text",
    [
        "<>",  # both directions, in Contrail
        "a < b and c > d",
        "<p>Welcome</p>",
        "<br>",
        "List<String>",
        "(?P<name>.*)",
        "Joe <joe@example.org>",
        "cat <<EOF>",
        "echo <a>\nTODO",  # a script
        "example.com",
        "mog_dummy_0",
        "changeit",  # the password of Java's key stores
        "todo",
        "m1.xxlarge",
        "XX",
        "node-14.x.x",
        "atmosphere",
        "foo-replaceme",
        "Your server is ready",
        "${HOME}",
        "* * * * *",
        "Ubuntu 22.04 LTS",
        "my network",
        "",
    ],
)
def test_texts_that_are_meant(text: str) -> None:
    assert not is_placeholder(text)


def test_a_placeholder_decides_nothing_and_terraform_asks_for_the_value() -> None:
    made = convert()
    assert made.ok, made.diagnostics
    assert "terraform.tfvars" not in made.files
    example = str(made.files["terraform.tfvars.example"])
    assert 'net = "PUT THE NETWORK ID HERE"' in example  # its author's words help who fills it in
    assert 'mode = "normal or direct"' in example
    assert "size = null" in example  # no text fits the type
    assert 'keys = ["a", "YOUR_KEY"]' in example
    assert "<the secret>" not in "".join(map(str, made.files.values()))
    assert "network_id = local.net_is_id ? var.net : null" in str(made.files["data.tf"])  # a name or an ID, as labelled
    assert made.report["resources"]["port"]["treatment"] == "native"
    assert "default" not in str(made.files["variables.tf"])
    assert made.report["asks"] == ["stack_name", "net", "mode", "size", "keys", "secret"]


def test_one_warning_for_each_file_names_the_variables_that_are_written() -> None:
    messages = [d.message for d in convert().diagnostics if d.code == codes.PLACEHOLDER_VALUE]
    assert messages == [
        "The values of net, mode, size, secret are placeholders, so Terraform asks for them.",
        "The value of keys is a placeholder, so Terraform asks for it.",  # not for idle, which nothing uses
    ]
    assert not [d for d in convert().diagnostics if d.code == codes.INVALID_PARAMETER_VALUE]  # Heat's word on `mode`


def test_every_entry_of_the_environment_has_its_fate() -> None:
    fates = next(iter(convert().report["environments"].values()))
    assert {path: fate.get("code") for path, fate in fates.items()} == dict.fromkeys(
        (f"parameters.{name}" for name in ("net", "mode", "size", "secret")), "HOT613"
    )


def test_a_value_counts_as_written_if_somebody_says_so() -> None:
    kept = "parameters:\n  net: <net>  # hot2tf: ignore HOT613 -- it is called so\n"
    for made in (
        convert("parameters:\n  net: <net>\n", placeholders="keep"),
        convert(kept),
        transpile.convert(TEMPLATE, parameters={"net": "<net>"}),  # typed just now
    ):
        assert 'net = "<net>"' in str(made.files["terraform.tfvars"])


def test_an_allowed_value_is_no_placeholder() -> None:
    template = TEMPLATE.replace("[normal, direct]", '["<normal>", direct]')
    assert 'mode = "<normal>"' in str(convert("parameters:\n  mode: <normal>\n", template).files["terraform.tfvars"])


def test_a_default_that_another_value_replaces_stays() -> None:
    made = convert("parameters:\n  keys: b\n")
    assert 'default = ["a", "YOUR_KEY"]' in str(made.files["variables.tf"])
    assert 'keys = ["b"]' in str(made.files["terraform.tfvars"])


def test_a_condition_is_as_open_as_its_placeholder() -> None:
    template = """\
heat_template_version: 2018-08-31
parameters: {mode: {type: string, default: TODO}}
conditions: {is_x: {equals: [{get_param: mode}, x]}}
resources: {net: {type: OS::Neutron::Net, condition: is_x, properties: {name: n}}}
"""
    assert "count = local.is_x ? 1 : 0" in " ".join(str(convert("parameters: {}\n", template).files["main.tf"]).split())


@pytest.mark.parametrize("words", ["description: uuid/name of a network", "label: Network ID", "tags: []"])
def test_a_name_may_be_replaced_by_an_id_where_the_parameter_speaks_of_one(words: str) -> None:
    template = TEMPLATE.replace("label: Network name or ID", f"default: public, {words}")
    data = str(convert("parameters: {mode: normal}\n", template).files["data.tf"])
    assert ("network_id" in data) is ("tags" not in words)


def test_other_targets_keep_the_written_value(tmp_path: pathlib.Path) -> None:
    made = transpile.convert(TEMPLATE, environments=[ENVIRONMENT], to="tosca")
    assert "PUT THE NETWORK ID HERE" in "".join(map(str, made.files.values()))
