"""The tables fit both sides in depth: fields of nested properties, types, required arguments, names that are looked up.

The easy rule to break: an exception stands in one of the dictionaries with its reason, and goes when it is no longer
needed. What hooks do with fields is proven by `tests/test_samples.py`, where every field must get a fate.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from emitters.hcl.tables import mapping, provider
from tests import oracles
from transpile.schema import catalog

KINDS = sorted(
    name
    for service in mapping.services()
    for name in mapping.table(service)
    if (kind := mapping.find(name)) is not None and kind.treatment != "embedded"
)

# fields of nested properties that have no rule, and why: what sets one stays with Heat
WITHOUT_RULE: Mapping[str, str] = {}

# arguments that the provider requires and that can be missing, and why: what lacks one stays with Heat (HOT403)
CAN_BE_MISSING: Mapping[str, str] = {
    "AWS::EC2::Volume.size": "Cinder takes the size of the snapshot where there is none",
    "OS::Cinder::Volume.size": "Cinder takes the size of the snapshot, volume or backup where there is none",
    "OS::Keystone::Endpoint.endpoint_region": "Keystone has endpoints without a region",
    "OS::Manila::ShareNetwork.neutron_net_id": "Heat finds the network of a subnet, and Manila needs neither",
    "OS::Neutron::FloatingIPPortForward.internal_port": "Heat leaves it to Neutron to ask for a port",
    "OS::Neutron::LBaaS::Listener.loadbalancer_id": "a listener can belong to the pool that it is the default of",
    "OS::Octavia::FlavorProfile.provider_name": "Octavia takes its default provider",
}

# rules whose argument is of another type than the property, and why that is right
OTHER_TYPE: Mapping[str, str] = {
    "OS::Neutron::FirewallRule.ip_version": "its values are 4 and 6, as texts",
}

# what Heat resolves and the tables need not, and why
NAMES_ARE_IDS: Mapping[str, str] = {"OS::Keystone::Endpoint.region": "a region has no name beside its ID"}

# what an argument of the provider's type holds without loss: Heat's types
FITS: Mapping[str, tuple[str, ...]] = {
    "string": ("string", "integer", "number", "any"),
    "number": ("integer", "number"),
    "bool": ("boolean",),
    "list": ("list",),
    "set": ("list",),
    "map": ("map",),
}


def rules(kind: mapping.Kind) -> Iterator[tuple[str, mapping.Rule, catalog.Property]]:
    """All rules of a kind, those of fields too, with their paths and the schemas that they are about."""
    facts = catalog.find(kind.name)
    assert facts is not None
    yield from below("", kind.properties or {}, facts.get("properties", {}))


def below(
    path: str, found: Mapping[str, mapping.Rule], schemas: Mapping[str, catalog.Property]
) -> Iterator[tuple[str, mapping.Rule, catalog.Property]]:
    for name, rule in found.items():
        here = f"{path}.{name}" if path else name
        yield here, rule, schemas.get(name, {})
        yield from below(here, rule.fields or {}, fields(schemas.get(name, {})))


def fields(schema: catalog.Property) -> Mapping[str, catalog.Property]:
    return schema.get("fields") or schema.get("items", {}).get("fields") or {}


def of(name: str) -> mapping.Kind:
    kind = mapping.find(name)
    assert kind is not None
    return kind


@pytest.mark.parametrize("name", KINDS)
def test_every_field_has_a_rule(name: str) -> None:
    """Where a table says what becomes of fields, it does so for all that Heat has and for no others."""
    for path, rule, schema in rules(of(name)):
        assert not rule.block or rule.fields, f"{path}: a block without fields"
        if rule.fields is not None:
            wanted = {field for field, one in fields(schema).items() if "alias" not in one}
            known = {field for field in wanted if f"{name}.{path}.{field}" in WITHOUT_RULE}
            assert wanted - set(rule.fields) == known, f"{path}: fields without a rule"
            assert set(rule.fields) - set(fields(schema)) == set(), f"{path}: rules without a field"


@pytest.mark.parametrize("name", KINDS)
def test_types_fit(name: str) -> None:
    """An argument can hold what the property is: numbers in texts, but no texts in numbers, and items likewise."""
    for path, rule, schema in rules(of(name)):
        if rule.to and not rule.hook:
            good = fits(rule.type, schema)
            assert good != (f"{name}.{path}" in OTHER_TYPE), (path, schema.get("type"), rule.to, rule.type)


def fits(target: Any, schema: catalog.Property) -> bool:
    if target.kind == "any":
        return True
    if schema.get("type", "any") not in FITS[target.kind]:
        return False
    items = schema.get("items")
    return items is None or target.of is None or fits(target.of, items)


@pytest.mark.parametrize("name", KINDS)
def test_required_arguments_are_reached(name: str) -> None:
    """What the provider requires comes from a property that Heat requires, a default, a constant, or a hook."""
    kind = of(name)
    if kind.hook or not kind.resource:
        return
    schemas = catalog.find(name) or {}
    hooked = kind.finish or any(rule.hook for rule in (kind.properties or {}).values())
    where = (provider.find(kind.resource) or {}, kind.properties or {}, schemas.get("properties", {}))
    for argument in missing(*where, given=set(kind.constants or {})):
        assert f"{name}.{argument}" in CAN_BE_MISSING or hooked, f"{argument} may be missing"
    for path, rule, schema in rules(kind):
        if rule.block:
            block = provider.block(kind.resource, rule.block) or {}
            assert list(missing(block, rule.fields or {}, fields(schema), given=set())) == [], path


def missing(
    facts: Mapping[str, Any],
    found: Mapping[str, mapping.Rule],
    schemas: Mapping[str, catalog.Property],
    *,
    given: set[str],
) -> Iterator[str]:
    """The required arguments of a block that no rule writes for sure."""
    sure = {
        rule.to.rpartition(".")[2]
        for name, rule in found.items()
        if rule.generated or rule.write is not None or schemas.get(name, {}).get("required")
    }
    for argument, about in facts.get("arguments", {}).items():
        if about.get("required") and argument not in sure | given:
            yield argument


def test_exceptions_are_needed() -> None:
    """Each exception about a mapped type is about something that is there."""
    for path in {**WITHOUT_RULE, **OTHER_TYPE}:
        name, _, rest = path.partition(".")
        kind = mapping.find(name)
        assert kind is not None
        if name in KINDS and path in OTHER_TYPE:
            assert rest in {p for p, _, _ in rules(kind)}, path
    for path in CAN_BE_MISSING:
        name, _, argument = path.partition(".")
        kind = of(name)
        if name in KINDS:
            facts = catalog.find(name) or {}
            found = missing(
                provider.find(kind.resource) or {}, kind.properties or {}, facts.get("properties", {}), given=set()
            )
            assert argument in set(found), path


@oracles.needs_heat
@pytest.mark.parametrize("name", KINDS)
def test_names_that_heat_resolves_are_looked_up(name: str) -> None:
    """Where Heat makes an ID of a name, the tables do so too, or a hook does."""
    told = json.loads((oracles.SHARED / "heat" / "heat_schema.json").read_text(encoding="utf-8"))["types"]
    known = {path: rule for path, rule, _ in rules(of(name))}
    for one in told.get(name, {}).get("translations", ()):
        path = one["path"]
        if one["rule"] == "Resolve" and path[0] in known:
            ways = [rule for i in range(len(path)) if (rule := known.get(".".join(path[: i + 1]))) is not None]
            good = any(rule.lookup or rule.hook or not (rule.to or rule.block) for rule in ways)
            assert good != (f"{name}.{'.'.join(path)}" in NAMES_ARE_IDS), path
