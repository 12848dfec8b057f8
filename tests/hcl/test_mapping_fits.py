"""The tables match both schemas in depth: fields of nested properties, types, required arguments, name look-ups.

Each exception is listed in a dictionary with its reason, and must be removed when it is no longer needed.
`tests/hcl/test_samples.py` covers hooks, because it requires a fate for every field.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from emitters.hcl.tables import mapping, tables
from tests.support import oracles
from transpile.schema import catalog
from transpile.schema.catalog import read_openstack_catalog

KINDS = sorted(
    name
    for service in tables.list_services()
    for name in tables.load_table(service)
    if tables.load_built_in_tables().find_mapping(name).treatment != "embedded"
)

# fields of nested properties without a rule, and why: setting one keeps the resource with Heat
WITHOUT_RULE: Mapping[str, str] = {}

# required arguments that may be missing, and why: without one, the resource stays with Heat (HOT403)
CAN_BE_MISSING: Mapping[str, str] = {
    "AWS::EC2::Volume.size": "Cinder takes the size of the snapshot where there is none",
    "OS::Cinder::Volume.size": "Cinder takes the size of the snapshot, volume or backup where there is none",
    "OS::Keystone::Endpoint.endpoint_region": "Keystone has endpoints without a region",
    "OS::Manila::ShareNetwork.neutron_net_id": "Heat finds the network of a subnet, and Manila needs neither",
    "OS::Neutron::FloatingIPPortForward.internal_port": "Heat leaves it to Neutron to ask for a port",
    "OS::Neutron::LBaaS::Listener.loadbalancer_id": "a listener can belong to the pool that it is the default of",
    "OS::Octavia::FlavorProfile.provider_name": "Octavia takes its default provider",
}

# rules whose argument has another type than the property, and why that is right
OTHER_TYPE: Mapping[str, str] = {
    "OS::Neutron::FirewallRule.ip_version": "its values are 4 and 6, as texts",
    "OS::Neutron::ProviderNet.segmentation_id": "Neutron takes a number, which Heat passes on as a text",
}

# names that Heat resolves and the tables need not resolve, and why
NAMES_ARE_IDS: Mapping[str, str] = {"OS::Keystone::Endpoint.region": "a region has no name beside its ID"}

# the Heat types whose values an argument of this provider type holds without loss
FITS: Mapping[str, tuple[str, ...]] = {
    "string": ("string", "integer", "number", "any"),
    "number": ("integer", "number"),
    "bool": ("boolean",),
    "list": ("list",),
    "set": ("list",),
    "map": ("map",),
}


def rules(kind: mapping.TypeMapping) -> Iterator[tuple[str, mapping.Rule, catalog.PropertySchema]]:
    """All rules of a kind, including those for fields, with their paths and schemas."""
    facts = read_openstack_catalog().find_type(kind.name)
    assert facts is not None
    yield from below("", kind.properties, facts.get("properties", {}))


def below(
    path: str, rules_by_name: Mapping[str, mapping.Rule], schemas: Mapping[str, catalog.PropertySchema]
) -> Iterator[tuple[str, mapping.Rule, catalog.PropertySchema]]:
    for name, rule in rules_by_name.items():
        here = f"{path}.{name}" if path else name
        yield here, rule, schemas.get(name, {})
        yield from below(here, rule.fields, fields(schemas.get(name, {})))


def fields(schema: catalog.PropertySchema) -> Mapping[str, catalog.PropertySchema]:
    return schema.get("fields") or schema.get("items", {}).get("fields") or {}


def of(name: str) -> mapping.TypeMapping:
    return tables.load_built_in_tables().find_mapping(name)


@pytest.mark.parametrize("name", KINDS)
def test_every_field_has_a_rule(name: str) -> None:
    """If a table has rules for fields, it has one for each field in Heat, and no others."""
    for path, rule, schema in rules(of(name)):
        assert rule.fields or not isinstance(rule, mapping.BlockRule), f"{path}: a block without fields"
        if rule.fields:
            field_names = {field for field, field_schema in fields(schema).items() if "alias" not in field_schema}
            exceptions = {field for field in field_names if f"{name}.{path}.{field}" in WITHOUT_RULE}
            assert field_names - set(rule.fields) == exceptions, f"{path}: fields without a rule"
            assert set(rule.fields) - set(fields(schema)) == set(), f"{path}: rules without a field"


@pytest.mark.parametrize("name", KINDS)
def test_types_fit(name: str) -> None:
    """An argument can hold the property's type: a number fits into a string, but a string does not fit into a number.
    The same holds for items.
    """
    for path, rule, schema in rules(of(name)):
        if isinstance(rule, mapping.ArgumentRule):
            good = fits(rule.type, schema)
            assert good != (f"{name}.{path}" in OTHER_TYPE), (path, schema.get("type"), rule.to, rule.type)


def fits(target: Any, schema: catalog.PropertySchema) -> bool:
    if target.kind == "any":
        return True
    if schema.get("type", "any") not in FITS[target.kind]:
        return False
    items = schema.get("items")
    return items is None or target.of is None or fits(target.of, items)


@pytest.mark.parametrize("name", KINDS)
def test_required_arguments_are_reached(name: str) -> None:
    """An argument that the provider requires comes from a required property, a default, a constant or a hook."""
    kind = of(name)
    if kind.hook or not kind.resource:
        return
    schemas = read_openstack_catalog().find_type(name) or {}
    hooked = kind.finish or any(isinstance(rule, mapping.HookRule) for rule in (kind.properties).values())
    where = (
        tables.load_built_in_tables().providers.find_schema(kind.resource) or {},
        kind.properties,
        schemas.get("properties", {}),
    )
    for argument in missing(*where, constants=set(kind.constants)):
        assert f"{name}.{argument}" in CAN_BE_MISSING or hooked, f"{argument} may be missing"
    for path, rule, schema in rules(kind):
        if isinstance(rule, mapping.BlockRule):
            block = tables.load_built_in_tables().providers.find_block(kind.resource, rule.block) or {}
            assert list(missing(block, rule.fields, fields(schema), constants=set())) == [], path


def missing(
    facts: Mapping[str, Any],
    rules_by_name: Mapping[str, mapping.Rule],
    schemas: Mapping[str, catalog.PropertySchema],
    *,
    constants: set[str],
) -> Iterator[str]:
    """The required arguments of a block that no rule is certain to write."""
    sure = {
        rule.argument_name
        for name, rule in rules_by_name.items()
        if schemas.get(name, {}).get("required")
        or (isinstance(rule, mapping.ArgumentRule) and (rule.generated or rule.write is not None))
    }
    for argument, about in facts.get("arguments", {}).items():
        if about.get("required") and argument not in sure | constants:
            yield argument


def test_exceptions_are_needed() -> None:
    """Each exception for a mapped type refers to something that exists."""
    for path in {**WITHOUT_RULE, **OTHER_TYPE}:
        name, _, rest = path.partition(".")
        kind = tables.load_built_in_tables().find_mapping(name)
        assert kind is not mapping.UNMAPPED
        if name in KINDS and path in OTHER_TYPE:
            assert rest in {p for p, _, _ in rules(kind)}, path
    for path in CAN_BE_MISSING:
        name, _, argument = path.partition(".")
        kind = of(name)
        if name in KINDS:
            facts = read_openstack_catalog().find_type(name) or {}
            missing_arguments = missing(
                tables.load_built_in_tables().providers.find_schema(kind.resource) or {},
                kind.properties,
                facts.get("properties", {}),
                constants=set(),
            )
            assert argument in set(missing_arguments), path


@oracles.needs_heat
@pytest.mark.parametrize("name", KINDS)
def test_names_that_heat_resolves_are_looked_up(name: str) -> None:
    """The tables or a hook look a name up wherever Heat turns a name into an ID."""
    heat_types = json.loads((oracles.SHARED / "heat" / "heat_schema.json").read_text(encoding="utf-8"))["types"]
    rules_by_path = {path: rule for path, rule, _ in rules(of(name))}
    for translation in heat_types.get(name, {}).get("translations", ()):
        path = translation["path"]
        if translation["rule"] == "Resolve" and path[0] in rules_by_path:
            ways = [rule for i in range(len(path)) if (rule := rules_by_path.get(".".join(path[: i + 1]))) is not None]
            good = any(
                not isinstance(rule, (mapping.ArgumentRule, mapping.TextRule, mapping.BlockRule))
                or (isinstance(rule, mapping.ArgumentRule) and rule.lookup is not None)
                for rule in ways
            )
            assert good != (f"{name}.{'.'.join(path)}" in NAMES_ARE_IDS), path
