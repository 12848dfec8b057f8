"""The rules of a table for a hook hold for each type that the hook serves: null and empty values, and literals."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

import transpile
from emitters.hcl.tables import tables
from emitters.hcl.tables.mapping import HookRule
from tests.support import samples
from transpile.schema.catalog import read_openstack_catalog


def hook_rules() -> Iterator[tuple[str, str, HookRule]]:
    """The properties of native types that a hook writes, each with its rule."""
    built_in = tables.load_built_in_tables()
    for kind in read_openstack_catalog().type_names():
        mapping = built_in.find_mapping(kind)
        if mapping is not None and mapping.treatment == "native" and not mapping.hook:
            for name, rule in mapping.properties.items():
                if isinstance(rule, HookRule):
                    yield kind, name, rule


def convert(kind: str, name: str, value: Any) -> transpile.Conversion:
    sample = samples.required(kind)
    resource = {"type": kind, "properties": {**sample.properties, name: value}}
    template = {
        "heat_template_version": "2021-04-16",
        "parameters": {"p": {"type": "json"}},
        "resources": {**sample.others, "r": resource},
    }
    return transpile.convert(json.dumps(template))


@pytest.mark.parametrize(("kind", "name", "rule"), [row for row in hook_rules() if row[2].unset])
def test_null_has_the_meaning_of_the_table(kind: str, name: str, rule: HookRule) -> None:
    report = convert(kind, name, None).report["resources"]["r"]
    if "kept" in report:
        pytest.skip("the resource stays with Heat for another reason")
    assert report["properties"][name] == {"as": "implied", "why": rule.unset}


@pytest.mark.parametrize(("kind", "name", "rule"), [row for row in hook_rules() if row[2].literal])
def test_a_value_that_must_be_a_literal_else_stays_with_heat(kind: str, name: str, rule: HookRule) -> None:
    done = convert(kind, name, {"get_param": "p"})
    report = done.report["resources"]["r"]
    assert report["treatment"] == "embedded"
    assert any(f"the {rule.literal} of r" in diagnostic.message for diagnostic in done.diagnostics)
