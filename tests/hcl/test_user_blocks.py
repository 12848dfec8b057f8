"""Mapping tables of users may have blocks within blocks, for literals and for lists known only at run time."""

from __future__ import annotations

import json
import pathlib
from collections.abc import Mapping
from typing import Any

import pytest
import yaml

from tests.support import oracles
from tests.support.shop import STRING, block, converted, fates, list_diagnostics, used
from transpile.pipeline import Conversion
from transpile.schema.catalog.facts import TypeFacts

TYPES: Mapping[str, TypeFacts] = yaml.safe_load("""
Shop::Safe:
  properties:
    name: {type: string, required: true}
    label: {type: string}
    rights:
      type: list
      items:
        type: map
        fields:
          readers:
            type: list
            items:
              type: map
              fields:
                people: {type: list, items: {type: string}}
                open: {type: boolean}
                floor: {type: string}
    lock: {type: map, fields: {reader: {type: map, fields: {open: {type: boolean}}}}}
  attributes: {}
""")
TABLE = """\
Shop::Safe:
  resource: openstack_keymanager_container_v1
  reference: container_ref
  constants: { type: generic }
  properties:
    name: name
    label: { to: secret_refs.name, empty: true }
    rights:
      block: acl
      fields:
        readers:
          block: read
          fields:
            people: users
            open: project_access
            floor: { drop: a safe has no floor }
    lock:
      block: acl
      fields: { reader: { block: read, fields: { open: project_access } } }
"""
STACK = """\
heat_template_version: 2021-04-16
parameters:
  rights: { type: json, default: [] }
  readers: { type: json, default: [] }
  ajar: { type: boolean, default: true }
conditions:
  ajar: { get_param: ajar }
resources:
  safe:
    type: Shop::Safe
    properties: { name: gold, PROPERTIES }
"""
SAFE = 'resource "openstack_keymanager_container_v1" "safe"'


def safe(where: pathlib.Path, properties: str, table: str = TABLE) -> Conversion:
    return converted(where, STACK.replace("PROPERTIES", properties), table, TYPES)


def lines(done: Conversion) -> list[str]:
    """The nested blocks, by the first of them."""
    written = block(done, SAFE).splitlines()
    start = next(i for i, line in enumerate(written) if line.endswith("{"))
    return [line for line in written[start:] if line]


def test_a_table_with_blocks_in_blocks_has_nothing_wrong(tmp_path: pathlib.Path) -> None:
    table = TABLE.replace("    label: { to: secret_refs.name, empty: true }\n", "")
    assert list_diagnostics(used(tmp_path, table, types={})) != []
    assert [d for d in list_diagnostics(used(tmp_path, TABLE, types=TYPES)) if d.severity == "error"] == []


def test_literals(tmp_path: pathlib.Path) -> None:
    done = safe(tmp_path, "rights: [{ readers: [{ people: [ann, bob], open: 'false' }] }]")
    assert lines(done) == [
        "  acl {",
        "    read {",
        '      users = ["ann", "bob"]',
        "      project_access = false",
        "    }",
        "  }",
    ]
    assert {path: fate["argument"] for path, fate in fates(done, "safe").items() if path != "name"} == {
        "rights.0.readers.0.people.0": "acl.0.read.0.users.0",
        "rights.0.readers.0.people.1": "acl.0.read.0.users.1",
        "rights.0.readers.0.open": "acl.0.read.0.project_access",
    }


def test_an_inner_list_known_only_at_run_time(tmp_path: pathlib.Path) -> None:
    done = safe(tmp_path, "rights: [{ readers: { get_param: readers } }]")
    assert lines(done)[:9] == [
        "  acl {",
        "    # HOT401: floor is dropped: a safe has no floor.",
        '    dynamic "read" {',
        "      for_each = var.readers",
        "      content {",
        "        users = try(read.value.people, null)",
        "        project_access = try(read.value.open, null)",
        "      }",
        "    }",
    ]
    assert fates(done, "safe")["rights.0.readers"]["argument"] == "acl.0.read"
    assert [(d.code, d.message) for d in done.diagnostics if "floor" in d.message] == [
        ("HOT401", "floor of rights.0.readers of safe is dropped, if an item has it: a safe has no floor.")
    ]


def test_an_outer_list_known_only_at_run_time(tmp_path: pathlib.Path) -> None:
    """An item may lack the inner list, and may have null there or in it."""
    done = safe(tmp_path, "rights: { get_param: rights }")
    assert lines(done)[:6] == [
        '  dynamic "acl" {',
        "    for_each = var.rights",
        "    content {",
        "      # HOT401: floor is dropped: a safe has no floor.",
        '      dynamic "read" {',
        "        for_each = try([for part in acl.value.readers : part if part != null], [])",
    ]


def test_names_in_an_inner_list_are_looked_up(tmp_path: pathlib.Path) -> None:
    """The data source stands outside the blocks, and so goes over all inner lists."""
    table = TABLE.replace("floor: { drop: a safe has no floor }", "floor: { to: floor, lookup: project }")
    table = "providers: { shop: { source: acme/shop } }\n" + table.replace(
        "openstack_keymanager_container_v1", "shop_safe"
    )
    done = safe(tmp_path, "rights: { get_param: rights }", table)
    data = block(done, 'data "openstack_identity_project_v3" "safe_project"', "data.tf")
    lists = "flatten([for item in var.rights : try([for part in item.readers : part if part != null], [])])"
    assert f"for item in {lists} : try(item.floor, null) if try(item.floor, null) != null" in " ".join(data.split())
    assert "data.openstack_identity_project_v3.safe_project[try(read.value.floor, null)].id" in str(
        done.files["main.tf"]
    )


def test_branches_of_a_condition(tmp_path: pathlib.Path) -> None:
    done = safe(tmp_path, "lock: { reader: { if: [ajar, { open: true }, { open: false }] } }")
    assert "\n".join(lines(done)).count('dynamic "read"') == 2
    assert fates(done, "safe")["lock.reader"]["as"] == "derived"


def test_an_argument_of_a_block_that_others_share(tmp_path: pathlib.Path) -> None:
    table = TABLE.replace("    lock:", "    lock_: { to: secret_refs.secret_ref }\n    lock:")
    properties: Any = {**TYPES["Shop::Safe"]["properties"], "lock_": STRING}
    types: Mapping[str, TypeFacts] = {"Shop::Safe": {**TYPES["Shop::Safe"], "properties": properties}}
    done = converted(tmp_path, STACK.replace("PROPERTIES", "label: key, lock_: there"), table, types)
    assert lines(done) == ["  secret_refs {", '    name = "key"', '    secret_ref = "there"', "  }"]
    assert fates(done, "safe")["label"]["argument"] == "secret_refs.0.name"


WRONG = {
    "an unknown block": ("block: read\n", "block: reed\n", "openstack_keymanager_container_v1 has no block acl.reed"),
    "an unknown argument": ("people: users", "people: usres", "has no argument acl.read.usres"),
    "a hook for a field": ("{ drop: a safe has no floor }", "{ hook: net }", "a field takes no hook, which is for"),
    "a field that is no list": (
        "people: users",
        "people: users\n            open: { block: read }",
        "open is a boolean",
    ),
    "each for a field": (
        "people: users",
        "people: { each: openstack_identity_user_v3, item: name }",
        "a field takes no each, which is for whole properties",
    ),
}


@pytest.mark.parametrize(("old", "new", "message"), WRONG.values(), ids=WRONG)
def test_mistakes_in_an_inner_block_are_reported(old: str, new: str, message: str, tmp_path: pathlib.Path) -> None:
    table = TABLE.replace("            open: project_access\n", "") if "open" in new else TABLE
    errors = [
        d for d in list_diagnostics(used(tmp_path, table.replace(old, new, 1), types=TYPES)) if d.severity == "error"
    ]
    assert [d for d in errors if message in d.message], errors


VALUES = {
    "no lists": ("rights: { get_param: rights }", [{}], [[]]),
    "null": ("rights: { get_param: rights }", [{"readers": None}], [[]]),
    "a null in a list": ("rights: { get_param: rights }", [{"readers": [None, {"open": True}]}], [[(None, True)]]),
    "people": ("rights: { get_param: rights }", [{"readers": [{"people": ["ann"]}]}], [[(["ann"], None)]]),
    "an inner list": ("rights: [{ readers: { get_param: readers } }]", [{"open": False}], [[(None, False)]]),
    "a literal": ("rights: [{ readers: [{ open: true }] }]", None, [[(None, True)]]),
    "a branch": ("lock: { reader: { if: [ajar, { open: true }, { open: false }] } }", None, [[(None, True)]]),
}


@oracles.needs_providers
@pytest.mark.parametrize(("properties", "value", "planned"), VALUES.values(), ids=VALUES)
def test_terraform_plans_the_blocks(properties: str, value: Any, planned: Any, tmp_path: pathlib.Path) -> None:
    done, where = safe(tmp_path, properties), tmp_path / "out"
    where.mkdir()
    for name, text in done.files.items():
        (where / name).write_text(str(text))
    assert oracles.unformatted(where) == ""
    assert oracles.invalid(where) == []
    if value is not None:
        name = "rights" if "get_param: rights" in properties else "readers"
        (where / "terraform.tfvars.json").write_text(json.dumps({name: value}))
    (resource,) = oracles.plan(where, "-refresh=false")["planned_values"]["root_module"]["resources"]
    acls = [[(read["users"], read["project_access"]) for read in acl["read"]] for acl in resource["values"]["acl"]]
    assert acls == planned
