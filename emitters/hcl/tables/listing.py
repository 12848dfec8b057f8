"""Prints the mapping tables for `hot2tf types` and docs/resource-types.md.

Regenerate the page after every change of a table: `python -m emitters.hcl.tables.listing > docs/resource-types.md`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from itertools import groupby

from emitters.hcl.tables.mapping import (
    UNMAPPED,
    ArgumentRule,
    AttributeRule,
    BlockRule,
    HookRule,
    ImpliedRule,
    Rule,
    TextRule,
    TypeMapping,
)
from emitters.hcl.tables.provider import CONFIGURATION
from emitters.hcl.tables.tables import Tables, load_built_in_tables
from transpile.diagnostics.model import did_you_mean
from transpile.schema.catalog import read_aliases
from transpile.targets import Fate
from transpile.text.markdown import escape_prose
from transpile.text.page_templates import fill_template

HEAT = "stays with Heat"


def list_types(tables: Tables, name: str | None) -> str:
    """A list of all types, or of those whose names contain `name`. For the full name of a type: its properties and
    attributes. Raises LookupError if nothing matches.
    """
    catalog = tables.catalog
    type_names = catalog.type_names()
    if name in type_names or catalog.resolve_alias(str(name)) in type_names:
        return "\n".join(describe_conversion(tables, str(name))) + "\n"
    matches = [k for k in type_names if name is None or name.lower() in k.lower()]
    if not matches:
        guess = did_you_mean(str(name), type_names) or did_you_mean(
            str(name), sorted({k.rpartition("::")[2] for k in type_names})
        )
        raise LookupError(f"there is no resource type {name} in Heat. {guess or 'Unknown types stay with Heat.'}")
    return "\n".join(align_columns([(kind, describe_target(tables, kind)) for kind in matches])) + "\n"


def describe_target(tables: Tables, name: str) -> str:
    """A short description of the conversion of a type."""
    mapping = tables.find_mapping(name)
    if mapping is UNMAPPED:
        return HEAT
    if mapping.treatment == "embedded":
        return f"{HEAT}: {mapping.why}{describe_preferred(mapping)}"
    if mapping.treatment == "dropped":
        return f"dropped: {mapping.why}"
    if mapping.treatment == "provider":
        return f"the configuration of the provider {mapping.resource.removeprefix(CONFIGURATION)}"
    if mapping.resource:
        return mapping.resource
    return mapping.why or (
        "becomes part of the resource that uses it" if mapping.treatment == "folded" else "depends on its properties"
    )


def describe_preferred(mapping: TypeMapping) -> str:
    """The conversion of a type with `--prefer native`, if it differs; otherwise empty."""
    return f"; with --prefer native: {mapping.other.why}" if mapping.other is not None else ""


def describe_conversion(tables: Tables, name: str) -> Iterator[str]:
    canonical = tables.catalog.resolve_alias(name)
    if canonical != name:
        yield f"{name} is {canonical}"
        name = canonical
    type_fate = fate_of_type(tables, name)
    yield f"{name} → {type_fate.kind}"
    if type_fate.properties:
        yield from [
            "",
            "properties",
            *align_columns([(f"  {path}", description) for path, description in type_fate.properties]),
        ]
    if type_fate.attributes:
        yield from [
            "",
            "attributes",
            *align_columns([(f"  {path}", description) for path, description in type_fate.attributes]),
        ]


def fate_of_type(tables: Tables, name: str) -> Fate:
    """The conversion of a type, of its properties, and of the attributes that others read."""
    canonical = tables.catalog.resolve_alias(name)
    mapping = tables.find_mapping(canonical)
    if mapping.treatment in ("embedded", UNMAPPED.treatment):
        return Fate(describe_target(tables, canonical))
    properties = [
        (path, description) for prop, rule in mapping.properties.items() for path, description in rule.describe(prop)
    ]
    if mapping.properties:
        properties += [(part, "a part of texts") for part in sorted(mapping.properties_in_texts)]
        properties += [(mapping.provider, "chooses the configuration of the provider")] if mapping.provider else []
    referred = describe_reference(mapping)
    part = "" if mapping.part is None else f", part {mapping.part} of it when split at slashes (from 0)"
    read = [("get_resource", referred + part)] if referred else []
    read += [(a, describe_attribute_rule(rule)) for a, rule in mapping.attributes.items()]
    if mapping.attributes or referred:
        read += [(f"show.{a}", describe_attribute_rule(rule)) for a, rule in mapping.show.items()]
    return Fate(describe_target(tables, canonical), tuple(properties), tuple(read))


def describe_reference(mapping: TypeMapping) -> str:
    """A description of the conversion of get_resource; empty if there is none."""
    if mapping.joined is not None:
        return f"the text {mapping.joined}"
    return {"name": "the resource's name in the template", "generated": "a generated name"}.get(
        mapping.text, mapping.reference
    )


def describe_attribute_rule(rule: AttributeRule) -> str:
    if rule.to:
        return rule.to + (", if the template sets it" if rule.only_if_set else "")
    return "handled case by case" if rule.hook else f"not in Terraform: {rule.why}" if rule.why else "not in Terraform"


def align_columns(rows: Iterable[tuple[str, str]]) -> list[str]:
    pairs = list(rows)
    width = max((len(left) for left, _ in pairs), default=0)
    return [f"{left:{width}}  {right}".rstrip() for left, right in pairs]


# the page


def print_types_page() -> str:
    """The page docs/resource-types.md: all of Heat's types by service, and aliases."""
    tables = load_built_in_tables()
    services = []
    for service, names in list_services(tables):
        notes = [(name, listed) for name in names if (listed := list(list_notes(tables, name)))]
        services.append((service, [type_row(tables, name) for name in names], notes))
    aliases = [(f"`{alias}`", f"`{name}`") for alias, name in read_aliases().items()]
    page = fill_template(__package__, "resource-types.md.j2", {"services": services, "aliases": aliases})
    return page.replace("|  |", "| |")


def list_services(tables: Tables) -> Iterator[tuple[str, list[str]]]:
    """The services, each with the names of its types."""
    names = sorted(tables.catalog.type_names(), key=lambda name: (service_of_type(name), name))
    for service, of_service in groupby(names, service_of_type):
        yield service, list(of_service)


def service_of_type(name: str) -> str:
    """The service part of a type's name."""
    return name.rpartition("::")[0] if name.startswith("AWS::") else "::".join(name.split("::")[:2])


def type_row(tables: Tables, name: str) -> tuple[str, ...]:
    mapping, facts = tables.find_mapping(name), tables.catalog.find_type(name)
    treatment = "embedded" if mapping is UNMAPPED else mapping.treatment
    name_cell = f"`{name}`" + (f" (retired, last in Heat {facts['retired']})" if facts.get("retired") else "")
    if treatment == "embedded":
        return name_cell, treatment, escape_prose(mapping.why + describe_preferred(mapping)), ""
    description = f"`{mapping.resource}`" if mapping.resource else ""
    description += (": " if description and mapping.why else "") + escape_prose(mapping.why)
    referred = f"`{mapping.reference}`" if mapping.reference else describe_reference(mapping)
    return name_cell, treatment, description or escape_prose(describe_target(tables, name)), referred


def list_notes(tables: Tables, name: str) -> Iterator[tuple[str, str]]:
    """The properties that are dropped, looked up or handled by a hook, described as in `hot2tf types`."""
    mapping = tables.find_mapping(name)
    if mapping.treatment in ("embedded", UNMAPPED.treatment):
        return
    for prop, rule in mapping.properties.items():
        if not mapping.hook:
            descriptions = dict(rule.describe(prop))
            for path, inner in walk_fields(prop, rule):
                if is_on_page(inner):
                    yield f"`{path}`", escape_prose(descriptions[path])


def is_on_page(rule: Rule | None) -> bool:
    """Whether the page describes a rule: not if it only renames a property, or if nothing is lost without it."""
    match rule:
        case ArgumentRule():
            return rule.lookup is not None or not rule.to
        case HookRule():
            return is_on_page(rule.inner)
        case TextRule() | BlockRule() | ImpliedRule():
            return False
        case _:
            return True


def walk_fields(path: str, rule: Rule) -> Iterator[tuple[str, Rule]]:
    """A rule and those of its fields, with paths as in `Rule.describe`."""
    yield path, rule
    for field, inner in rule.fields.items():
        yield from walk_fields(f"{path}.*.{field}", inner)


if __name__ == "__main__":
    sys.stdout.write(print_types_page())
