"""Values that a template leaves open become variables, and references without an ID become names, with diagnostics.

Only a value that Heat and the provider both require becomes a variable. Any other null means the default.
"""

from __future__ import annotations

import hcl2
import pytest
import yaml

import transpile
from emitters.hcl.tables import reader, tables
from tests.support import conversions

PROJECT = '"openstack_identity_project_v3"'
HEAD = "heat_template_version: 2021-04-16\n"


def converted(text: str) -> transpile.Result:
    return conversions.convert(HEAD + text)


def codes(done: transpile.Result) -> list[str]:
    return [d.code for d in done.diagnostics]


@pytest.mark.parametrize(
    "properties", ["{name: p, network: null}", "{name: p, network: }", "{name: p, network_id: null}"]
)
def test_a_variable_asks_for_a_required_value(properties: str) -> None:
    done = converted(f"resources:\n  p:\n    type: OS::Neutron::Port\n    properties: {properties}\n")
    assert codes(done) == ["HOT412"]
    assert "network_id = var.p_network_id" in str(done.files["main.tf"])
    assert 'variable "p_network_id" {' in str(done.files["variables.tf"])
    assert "default" not in str(done.files["variables.tf"])
    report = done.report["resources"]["p"]
    assert report["treatment"] == "native"
    assert [p["as"] for name, p in report["properties"].items() if name != "name"] == ["derived"]


def test_heat_itself_refuses_a_missing_property() -> None:
    done = converted("resources:\n  p: {type: OS::Neutron::Port, properties: {name: p}}\n")
    assert codes(done) == ["HOT309", "HOT403"]
    assert done.report["resources"]["p"]["treatment"] == "embedded"


def test_the_variable_has_the_type_of_the_argument() -> None:
    done = converted(
        "resources:\n  f: {type: OS::Nova::Flavor, properties: {name: f, ram: null, vcpus: 1, disk: null}}\n"
    )
    assert codes(done) == ["HOT412"]  # Heat's default for disk is 0
    assert 'variable "f_ram" {' in str(done.files["variables.tf"])
    assert "= number" in str(done.files["variables.tf"])


def test_each_port_of_a_group_gets_the_one_network_that_is_asked_for() -> None:
    done = converted(
        "resources:\n  g:\n    type: OS::Heat::ResourceGroup\n    properties:\n      count: 2\n"
        "      resource_def: {type: OS::Neutron::Port, properties: {network: null}}\n"
    )
    assert codes(done).count("HOT412") == 1
    assert str(done.files["variables.tf"]).count('variable "g_network_id"') == 1


def test_a_reference_to_a_resource_without_an_id_is_its_name() -> None:
    done = converted(
        "resources:\n  d: {type: OS::Heat::Delay, properties: {min_wait: 1}}\n"
        "outputs: {o: {value: {get_resource: d}}}\n"
    )
    assert codes(done) == []
    assert 'value = "d"' in str(done.files["outputs.tf"])
    assert done.report["resources"]["d"]["reference"] == '"d"'


REFERRED = """
parameters: {used: {type: boolean, default: true}}
conditions: {c: {get_param: used}}
resources:
  t: {type: OS::Heat::TestResource, condition: c}
  s: {type: OS::Swift::Container, properties: {name: %s}}
"""


def test_a_reference_is_the_name_that_heat_would_make_up() -> None:
    done = converted(REFERRED % "{if: [c, {get_resource: t}, none]}")
    assert '? "${var.stack_name}-t" : "none"' in str(done.files["main.tf"])
    assert codes(done) == ["HOT410"]


def test_a_reference_to_an_optional_resource_stays_with_heat() -> None:
    """Heat rejects the reference if the condition is false. A string would be accepted."""
    done = converted(REFERRED % "{get_resource: t}")
    assert done.report["resources"]["t"]["treatment"] == "embedded"
    assert any(d.code == "HOT553" and "an ID that Heat generates" in d.message for d in done.diagnostics)


@pytest.mark.parametrize("reference", ["{text: id}", "{text: name, to: id}", "{text: name, parts: 1}"])
def test_a_table_says_name_or_generated(reference: str) -> None:
    keys = yaml.safe_load(f"{{resource: time_sleep, reference: {reference}}}")
    with pytest.raises(reader.TableError, match="reference"):
        tables.load_built_in_tables().reader.read_mapping("OS::Heat::Delay", keys, {})


@pytest.mark.parametrize(
    ("text", "name", "domain"),
    [
        ("shop{sales}", "shop", "sales"),
        ("a{b}c{sales}", "a{b}c", "sales"),
        ("shop", "shop", None),
        ("{sales}", "{sales}", None),
        ("shop{sales", "shop{sales", None),
    ],
)
def test_the_name_of_a_project_may_end_with_its_domain(text: str, name: str, domain: str | None) -> None:
    done = converted(
        f"resources:\n  a:\n    type: OS::Keystone::Project\n    properties: {{name: a, parent: '{text}'}}\n"
    )
    blocks = [block[PROJECT] for block in hcl2.loads(str(done.files["data.tf"]))["data"] if PROJECT in block]
    named = {body["name"].strip('"'): body for block in blocks for body in block.values()}
    assert set(named) == {name, *([domain] if domain is not None else [])}  # a domain is a project, too
    assert ("domain_id" in named[name]) == (domain is not None)
