"""Names that Heat makes up: which types get them, and one diagnostic for all of a template."""

from __future__ import annotations

import pytest

import transpile
from emitters.hcl.tables import tables
from emitters.hcl.tables.mapping import ArgumentRule
from transpile.schema.catalog import read_openstack_catalog

HEAD = "heat_template_version: 2021-04-16\n"
NATIVE = [
    kind
    for service in tables.list_services()
    for name in tables.load_table(service)
    if (kind := tables.load_built_in_tables().find_mapping(name)).treatment == "native" and kind.resource
]
# Heat passes the name on as it is, or leaves it out
WITHOUT = {
    *("OS::Barbican::CertificateContainer", "OS::Barbican::GenericContainer", "OS::Barbican::Order"),
    *("OS::Barbican::RSAContainer", "OS::Barbican::Secret", "OS::Magnum::Bay", "OS::Magnum::Cluster"),
    *("OS::Manila::SecurityService", "OS::Manila::Share", "OS::Manila::ShareNetwork"),
}


def text(body: str) -> str:
    done = transpile.convert(HEAD + body)
    assert done.ok
    return str(done.files["main.tf"])


def test_every_type_with_an_optional_name_tells_the_name_that_heat_makes_up() -> None:
    """Heat makes up the name of each type whose name is optional, except for those that are known not to."""
    left = {
        kind.name
        for kind in NATIVE
        if (rule := kind.properties.get("name")) is not None
        and not (isinstance(rule, ArgumentRule) and rule.generated)
        and not (read_openstack_catalog().find_type(kind.name) or {})["properties"]["name"].get("required")
    }
    assert left == WITHOUT


def test_all_are_reported_at_once() -> None:
    done = transpile.convert(HEAD + "resources:\n" + "".join(f"  n{i}: {{type: OS::Neutron::Net}}\n" for i in range(3)))
    (diagnostic,) = done.diagnostics
    assert diagnostic.code == "HOT410"
    assert diagnostic.message == "3 names that Heat would make up begin with var.stack_name: n0, n1, n2."
    assert diagnostic.at == len(HEAD) + len("resources:\n  ")


def test_a_given_name_is_kept() -> None:
    done = transpile.convert(HEAD + "resources:\n  n: {type: OS::Neutron::Net, properties: {name: x}}\n")
    assert done.diagnostics == []


CINDER, NEUTRON = "OS::Cinder::Volume, properties: {size: 1, ", "OS::Neutron::Net, properties: {"


@pytest.mark.parametrize(
    ("kind", "name", "written"),
    [
        (CINDER, "null", '"${var.stack_name}-v"'),
        (CINDER, '""', '"${var.stack_name}-v"'),
        (CINDER, "{get_param: p}", 'coalesce(var.p, "${var.stack_name}-v")'),
        (CINDER, "{if: [c, x, null]}", 'coalesce(local.c ? "x" : null, "${var.stack_name}-v")'),
        (CINDER, "{if: [c, null, x]}", 'coalesce(local.c ? null : "x", "${var.stack_name}-v")'),
        (NEUTRON, "null", '""'),
        (NEUTRON, '""', '""'),
        (NEUTRON, "{if: [c, x, null]}", 'local.c ? "x" : ""'),
        (NEUTRON, "{if: [c, null, x]}", 'local.c ? "" : "x"'),
    ],
)
def test_a_name_that_may_be_missing(kind: str, name: str, written: str) -> None:
    """Cinder gets Heat's name in place of an empty one, too. Neutron takes an empty name, which Heat makes of null."""
    body = (
        'parameters: {p: {type: string, default: ""}, b: {type: boolean}}\nconditions: {c: {get_param: b}}\n'
        f"resources:\n  v: {{type: {kind}name: {name}}}}}\n"
    )
    assert f"name = {written}\n" in text(body)


def test_names_that_heat_gives_to_aws_types() -> None:
    done = transpile.convert(
        "HeatTemplateFormatVersion: '2012-12-12'\n"
        "Resources:\n  v: {Type: AWS::EC2::Volume, Properties: {Size: 1, AvailabilityZone: nova}}\n"
    )
    main = str(done.files["main.tf"])
    assert 'name              = "${var.stack_name}-v"' in main
    assert 'description       = "${var.stack_name}-v"' in main


def test_members_of_a_group_of_fixed_size_have_numbers() -> None:
    done = transpile.convert(
        HEAD + "resources:\n  g:\n    type: OS::Heat::AutoScalingGroup\n    properties:\n      min_size: 2\n"
        "      max_size: 2\n      resource: {type: OS::Neutron::Net}\n",
        prefer="native",
    )
    assert 'name = "${var.stack_name}-g-${count.index}"' in str(done.files["main.tf"])
