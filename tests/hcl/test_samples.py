"""Every mapped type converts completely: templates that set all properties, and templates that set only required ones.

A sample that stays with Heat, or a property without a fate, is a finding. Known exceptions that cannot be avoided are
listed below with their reasons, and must be removed when they no longer apply.
"""

from __future__ import annotations

import functools
import pathlib
from collections.abc import Iterable, Mapping
from typing import Any

import pytest

import transpile
from emitters.hcl.tables import tables
from tests.support import oracles, sample_rules, samples
from transpile.schema import catalog
from transpile.text import output

KINDS = sorted(
    name
    for service in tables.list_services()
    for name in tables.load_table(service)
    if tables.load_built_in_tables().find_mapping(name).treatment != "embedded"
)
TYPES_AT_ONCE = 20  # in one terraform run

# samples that stay with Heat although their type does not: the diagnostic code, and why that is right
NO_ADDRESS = ("HOT450", "the provider wants the address, and no data source finds it by an ID that is written out")
NO_ROUTER = ("HOT450", "the gateway is an argument of the router, which is not in the template")
ROUTES = ("HOT450", "the provider's routes of a router are all that it has, and others may give it some")
PORTS = ("HOT450", "FWaaS v2 protects ports, and only Neutron knows the ports of these routers")
NO_ROLES = ("HOT403", "role_id is required")
NO_VPC = ("HOT450", "Heat works on the router of a VPC, which is not in the template")
STAYS: Mapping[str, tuple[str, str]] = {
    "aws_ec2_eipassociation_required_1": NO_VPC,
    "aws_ec2_eipassociation_names_1": NO_VPC,
    "aws_ec2_eipassociation_names_3": NO_VPC,
    "aws_ec2_eipassociation_references_1": NO_VPC,
    "aws_ec2_eipassociation_references_3": NO_VPC,
    "aws_ec2_routetable_required_1": NO_VPC,
    "aws_ec2_routetable_names_1": NO_VPC,
    "aws_ec2_subnet_required_1": NO_VPC,
    "aws_ec2_subnet_names_1": NO_VPC,
    "aws_ec2_subnetroutetableassociation_required_1": NO_VPC,
    "aws_ec2_subnetroutetableassociation_names_1": NO_VPC,
    "aws_ec2_subnetroutetableassociation_references_1": NO_VPC,
    "aws_ec2_vpcgatewayattachment_required_1": NO_VPC,
    "aws_ec2_vpcgatewayattachment_names_1": NO_VPC,
    "aws_ec2_volume_required_1": ("HOT403", "Cinder takes the size of the snapshot; the provider requires one"),
    "os_barbican_secret_required_1": (
        "HOT403",
        "the provider always sends a payload, and Barbican rejects an empty one",
    ),
    "os_keystone_endpoint_required_1": ("HOT403", "the provider requires a region"),
    "os_keystone_grouproleassignment_required_1": NO_ROLES,
    "os_keystone_userroleassignment_required_1": NO_ROLES,
    "os_manila_sharenetwork_required_1": ("HOT403", "the provider requires a network"),
    "os_neutron_extrarouteset_required_1": ROUTES,
    "os_neutron_extrarouteset_names_1": ROUTES,
    "os_neutron_firewall_required_1": PORTS,
    "os_neutron_firewall_names_1": PORTS,
    "os_neutron_floatingipportforward_required_1": ("HOT403", "Heat leaves it to Neutron to ask for a port"),
    "os_octavia_flavorprofile_required_1": ("HOT403", "Octavia takes its default provider"),
    "os_trove_instance_required_1": ("HOT403", "Trove takes its default datastore"),
    "os_neutron_routergateway_required_1": NO_ROUTER,
    "os_neutron_routergateway_names_1": NO_ROUTER,
    "os_heat_testresource_names_1": ("HOT450", "only Heat can fail on purpose"),
    "os_neutron_healthmonitor_names_1": ("HOT450", "an Octavia monitor belongs to one native pool"),
    "os_neutron_healthmonitor_required_1": ("HOT450", "an Octavia monitor belongs to one native pool"),
    "os_neutron_pool_names_1": ("HOT450", "an Octavia pool has only one monitor, and it must be native"),
    "os_nova_floatingipassociation_required_1": NO_ADDRESS,
    "os_nova_floatingipassociation_names_1": NO_ADDRESS,
    "os_nova_server_networks_port_extra_properties_no_fixed_ips_1": (
        "HOT404",
        "the port of a server's network cannot go without an address",
    ),
}

# samples that real Heat cannot check without a cloud, and the reason
UNASKED: Mapping[str, str] = {
    "aws_autoscaling_autoscalinggroup_names_1": "it reads the server that InstanceId names",
    "aws_autoscaling_autoscalinggroup_references_1": "it reads the server that InstanceId names",
    "aws_cloudformation_stack_required_1": "it fetches the template",
    "aws_cloudformation_stack_names_1": "it fetches the template",
    "os_heat_stack_names_1": "it asks the other cloud",
    "os_manila_sharenetwork_names_1": "it asks Neutron whose the subnet is",
}

FATES = {"value", "reference", "lookup", "derived", "implied", "dropped"}


@functools.cache
def converted(sample: samples.Sample) -> transpile.Conversion:
    return transpile.convert(sample.text, to="hcl")


def batches() -> list[list[str]]:
    count = -(-len(KINDS) // TYPES_AT_ONCE)
    return [KINDS[i::count] for i in range(count)]


# the generator


@pytest.mark.parametrize("kind", catalog.HEAT.type_names())
def test_samples_fit_heats_schema(kind: str) -> None:
    """The samples of each type match its schema and together set all of it. Two runs generate the same ones."""
    type_samples = samples.samples(kind)
    assert {s.name: samples.refused(kind, s.properties) for s in type_samples} == {s.name: [] for s in type_samples}
    facts = catalog.HEAT.find_type(kind)
    assert facts is not None
    paths = {p for p, _ in samples.every(facts.get("properties", {}))}
    assert paths - reached(type_samples) == set(sample_rules.NEVER.get(kind, {}))


def reached(type_samples: Iterable[samples.Sample]) -> set[str]:
    """The schema paths that samples set."""
    out = set[str]()
    for sample in type_samples:
        for leaf in samples.leaves(sample.properties):
            steps = ["*" if step.isdigit() else step for step in leaf.split(".")]
            out |= {".".join(steps[: i + 1]) for i in range(len(steps))}
    return out


def test_rules_are_about_existing_properties() -> None:
    """Each path in the sample rules exists in Heat, and each sample that is named exists."""
    for name in dir(sample_rules):
        rule_table = getattr(sample_rules, name)
        if name.isupper() and name[0] != "_" and name not in ("MAKES", "THINGS", "CONSTRAINED", "FORMATS", "NAMED"):
            for key, below in rule_table.items() if isinstance(rule_table, dict) else ():
                kind, _, path = key.partition(".")
                facts = catalog.HEAT.find_type(kind)
                assert facts is not None, (name, key)
                schemas = dict(samples.every(facts.get("properties", {})))
                assert not path or path.removesuffix(".*") in schemas, (name, key)
                if name in ("ONE_OF", "AT_MOST_ONE", "AT_LEAST_ONE", "ALONE", "NEEDS", "NEVER", "BY_ITSELF"):
                    assert named(below) <= fields(facts, schemas, path, deep=name in ("NEVER", "BY_ITSELF")), (
                        name,
                        key,
                    )
    made = {s.name for kind in catalog.HEAT.type_names() for s in samples.samples(kind)}
    assert (STAYS.keys() | UNASKED.keys()) - made == set()


def named(rule: Any) -> set[str]:
    """The properties that a rule mentions."""
    if isinstance(rule, dict):
        return set(rule).union(*(v for v in rule.values() if isinstance(v, dict)))
    return {name for item in rule for name in ([item] if isinstance(item, str) else item)}


def fields(
    facts: catalog.TypeFacts, schemas: Mapping[str, catalog.PropertySchema], path: str, *, deep: bool
) -> set[str]:
    if deep:
        return set(schemas)
    if not path:
        return set(facts.get("properties", {}))
    schema = schemas[path.removesuffix(".*")]
    return set(schema.get("fields") or schema.get("items", {}).get("fields", {}))


@oracles.needs_heat
@pytest.mark.parametrize(
    "kind", [k for k in catalog.HEAT.type_names() if not (catalog.HEAT.find_type(k) or {}).get("retired")]
)
def test_heat_would_create_the_samples(kind: str) -> None:
    """Real Heat, plug-ins included, accepts each sample of a type that it still has."""
    for sample in samples.samples(kind):
        if sample.name not in UNASKED:
            answer = oracles.ask(op="validate", level="create", body=sample.text)
            assert answer["ok"], (sample.name, answer.get("error"), sample.text)


# their conversions


@pytest.mark.parametrize("kind", KINDS)
def test_samples_convert(kind: str) -> None:
    """No sample of a mapped type fails or stays with Heat, except for the known ones."""
    for sample in samples.samples(kind):
        done = converted(sample)
        assert [d for d in done.diagnostics if d.severity == "error"] == [], sample.text
        assert done.files, sample.text
        treatment = done.report["resources"]["sample"]["treatment"]
        codes = {d.code for d in done.diagnostics}
        if sample.name in STAYS:
            assert treatment == "embedded", f"{sample.name} is no longer to be excused"
            assert STAYS[sample.name][0] in codes
        elif embeds(sample):
            assert treatment == "embedded", sample.text
            assert codes & {"HOT403", "HOT450"}, embeds(sample)
        else:
            messages = [f"{d.code} {d.message}" for d in done.diagnostics]
            assert treatment in ("native", "folded"), (sample.name, messages, sample.text)


def embeds(sample: samples.Sample) -> dict[str, str]:
    """The properties of a sample whose rules keep it with Heat, with the reasons."""
    reasons, paths = samples.Maker(sample.type).embedding(), reached([sample])
    return {path: why for path, why in reasons.items() if path in paths}


@pytest.mark.parametrize("kind", KINDS)
def test_everything_set_has_a_fate(kind: str) -> None:
    """Each part of each sample has a valid fate in the report. A loss also has a diagnostic."""
    for sample in samples.samples(kind):
        done = converted(sample)
        fates = done.report["resources"]["sample"]["properties"]
        silent = [leaf for leaf in samples.leaves(sample.properties) if not fates.keys() & above(leaf)]
        assert silent == [], sample.text
        codes = {d.code for d in done.diagnostics}
        for path, fate in fates.items():
            assert fate["as"] in FATES, (sample.name, path)
            assert fate["as"] != "dropped" or (fate["code"] in codes and fate["why"]), (sample.name, path)


def above(path: str) -> set[str]:
    """A path and all of its prefixes."""
    steps = path.split(".")
    return {".".join(steps[: i + 1]) for i in range(len(steps))}


@pytest.mark.long
@oracles.needs_providers
@pytest.mark.parametrize("kinds", batches(), ids=lambda kinds: f"{kinds[0]}-and-{len(kinds) - 1}-more")
def test_terraform_takes_them(kinds: list[str], tmp_path: pathlib.Path) -> None:
    """Formatted and valid. Each directory is a module of one root, so that terraform starts once for many."""
    calls = []
    for kind in kinds:
        for sample in samples.samples(kind):
            files = converted(sample).files
            assert output.write_directory(tmp_path / sample.name, dict(files)) == []
            arguments = "".join(f'  {name} = "given"\n' for name in required_variables(files))
            calls.append(f'module "{sample.name}" {{\n  source = "./{sample.name}"\n{arguments}}}\n')
    assert oracles.unformatted(tmp_path) == ""
    (tmp_path / "main.tf").write_text("\n".join(calls), encoding="utf-8")
    assert oracles.invalid(tmp_path) == []


def required_variables(files: Mapping[str, str | bytes]) -> list[str]:
    """The variables without a default. The samples have no parameters, so there is at most the stack's name."""
    return ["stack_name"] if 'variable "stack_name"' in str(files.get("variables.tf", "")) else []
