"""Lists changes for which Terraform replaces a resource and Heat updates it in place: the provider's ForceNew beside
Heat's `update_allowed`.

`python -m emitters.hcl.tables.replacements > docs/replaced-arguments.md` prints the page.
"""

from __future__ import annotations

import functools
import pathlib
import sys
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from emitters.hcl.tables.built import load_yaml_file
from emitters.hcl.tables.forced_new import is_forced
from emitters.hcl.tables.mapping import ArgumentRule, BlockRule, HookRule, Rule, TextRule
from emitters.hcl.tables.tables import Tables, load_built_in_tables
from transpile.schema.catalog import Catalog
from transpile.text.markdown import format_code
from transpile.text.page_templates import fill_template

FILE = pathlib.Path(__file__).parent / "replacements.yaml"


class Replacement(NamedTuple):
    """A property of a Heat type that Heat updates, and the argument of a Terraform type that forces a new resource."""

    kind: str
    property: str
    resource: str
    argument: str


@functools.cache
def load_facts() -> Mapping[str, Any]:
    facts: Mapping[str, Any] = load_yaml_file(FILE)
    return facts


def is_replaced(catalog: Catalog, kind: str, name: str, resource: str, argument: str) -> bool:
    """Whether a changed property lets Terraform replace an object that Heat would update. name: of the property."""
    if not is_forced(resource, argument) or resource in load_facts()["connections"]:
        return False
    return is_updated_by_heat(catalog, kind, name)


def is_updated_by_heat(catalog: Catalog, kind: str, name: str) -> bool:
    facts = catalog.find_type(catalog.resolve_alias(kind))
    schema = facts.get("properties", {}).get(name, {})
    return bool(schema.get("update")) and name not in load_facts()["replaced_by_heat"].get(kind, {})


def list_replacements(tables: Tables) -> Iterator[Replacement]:
    """All that the mapping tables allow, in the order of the types."""
    for kind in tables.catalog.type_names():
        mapping = tables.find_mapping(kind)
        if mapping.treatment != "native":
            continue
        for name, rule in mapping.properties.items():
            if not is_updated_by_heat(tables.catalog, kind, name):
                continue
            forced = [path for path in written_paths(rule) if is_forced(mapping.resource, path)]
            if forced:
                yield Replacement(kind, name, mapping.resource, forced[0])


def written_paths(rule: Rule, block: str = "") -> Iterator[str]:
    """The arguments and blocks of the resource itself that a rule writes."""
    match rule:
        case ArgumentRule() | TextRule() if rule.to:
            yield block + rule.to
        case BlockRule():
            yield block + rule.block
            for inner in rule.fields.values():
                yield from written_paths(inner, f"{block}{rule.block}.")
        case HookRule(inner=None):
            yield from load_facts()["hooks"].get(rule.hook, ())
        case HookRule(inner=inner) if inner is not None:
            yield from written_paths(inner, block)
            yield from load_facts()["hooks"].get(rule.hook, ())


def print_page() -> str:
    """The page of the documentation."""
    replacements, connections = list(list_replacements(load_built_in_tables())), load_facts()["connections"]
    variables = {
        "objects": [[*map(format_code, each)] for each in replacements if each.resource not in connections],
        "others": [[*map(format_code, each)] for each in replacements if each.resource in connections],
    }
    return fill_template(__package__, "replaced-arguments.md.j2", variables)


if __name__ == "__main__":
    sys.stdout.write(print_page())
