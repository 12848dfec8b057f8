"""Skeletons of mapping tables: complete, refused until they are filled in, and never guessed."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import pytest
import yaml

from emitters.hcl.emitter import tables_of
from emitters.hcl.tables.checks import TODO
from emitters.hcl.tables.scaffold import write_skeleton
from tests.conftest import Run
from transpile import mapping_files
from transpile.additions import Additions
from transpile.diagnostics.model import Diagnostic
from transpile.model.budget import Budget
from transpile.schema.catalog import Catalog, read_openstack_catalog

NASTY: Any = {
    "properties": {
        "yes": {"type": "string", "required": True, "doc": "A doc\nof two lines: {{ x }} # \x1b[31mred"},
        "a: b #": {"type": "list", "items": {"type": "map", "fields": {"*": {"type": "integer", "default": 3}}}},
        "old": {"type": "string", "alias": "yes"},
    },
    "attributes": {"null": "string", "[x]": None},
    "attribute_docs": {"null": "Nothing."},
    "open": True,
}


def read(tmp_path: pathlib.Path, text: str, catalog: Catalog) -> list[Diagnostic]:
    file = tmp_path / "map.yaml"
    file.write_text(text, encoding="utf-8")
    texts, diagnostics = mapping_files.read_mapping_files([file], budget=Budget())
    return [*diagnostics, *tables_of(Additions(catalog, texts))[1]]


@pytest.mark.parametrize(
    "name", [*read_openstack_catalog().type_names()[::20], *sorted(read_openstack_catalog().plugin_types)]
)
def test_a_skeleton_has_everything_and_is_refused(name: str, tmp_path: pathlib.Path) -> None:
    """Each decision is an error at its place, and nothing else is."""
    text = write_skeleton(read_openstack_catalog(), name)
    (table,) = yaml.safe_load(text).values()
    facts = read_openstack_catalog().find_type(name) or {}
    assert set(table.get("properties", {})) == {k for k, s in facts["properties"].items() if "alias" not in s}
    assert set(table.get("attributes", {})) == set(facts["attributes"])
    diagnostics = read(tmp_path, text, read_openstack_catalog())
    errors = [d for d in diagnostics if d.severity == "error"]
    assert {(d.code, "still to be decided" in d.message) for d in errors if d.code == "HOT831"} == {("HOT831", True)}
    assert len([d for d in errors if d.code == "HOT831"]) == text.count(f": {TODO}")
    assert {d.code for d in errors} <= {"HOT831", "HOT823"}  # there is no provider TODO


def test_filled_in_it_loads(tmp_path: pathlib.Path) -> None:
    text = write_skeleton(read_openstack_catalog(), "OS::Neutron::AddressScope")
    for line, rule in (
        ("resource", "openstack_networking_addressscope_v2"),
        ("name", "name"),
        ("ip_version", "ip_version"),
        ("shared", "shared"),
        ("tenant_id", "{ drop: there is one project }"),
    ):
        assert f"  {line}: {TODO}\n" in text
        text = text.replace(f"  {line}: {TODO}\n", f"  {line}: {rule}\n")
    text = text.replace(f"none: {TODO}", "none: nobody reads it")
    assert [d.code for d in read(tmp_path, text, read_openstack_catalog()) if d.severity != "info"] == []


def test_names_and_texts_of_others_are_quoted(tmp_path: pathlib.Path) -> None:
    name = "Own::Odd: thing"
    catalog = Catalog({name: NASTY})
    text = write_skeleton(catalog, name)
    assert yaml.safe_load(text) == {
        name: {
            "resource": TODO,
            "properties": {"yes": TODO, "a: b #": TODO},
            "attributes": {"null": {"none": TODO}, "[x]": {"none": TODO}},
        }
    }
    assert text.replace("\n", "").isprintable()
    assert "    # string, required: A doc of two lines: {{ x }} # " in text
    assert "    #   *: integer, by default 3\n" in text
    assert "could be read only in part" in text


def test_names_of_a_schema_are_comments(tmp_path: pathlib.Path) -> None:
    def resource(*names: str) -> Any:
        return {"block": {"attributes": {name: {"type": "string"} for name in names}}}

    schemas = {"a_scope": resource("name", "ip_version"), "a_net": resource("name"), "a_other": resource("x")}
    whole = json.dumps({"provider_schemas": {"registry/x/a": {"resource_schemas": schemas}}})
    text = write_skeleton(read_openstack_catalog(), "OS::Neutron::AddressScope", whole)
    assert "  # the resources with the most arguments of the same names: a_scope, a_net\n" in text
    assert "    # the same name is in a_scope\n    ip_version: TODO\n" in text
    assert yaml.safe_load(text) == yaml.safe_load(write_skeleton(read_openstack_catalog(), "OS::Neutron::AddressScope"))


@pytest.mark.parametrize("schema", ["[]", "{", '{"resource_schemas": []}', '{"resource_schemas": {"a": {}}}', "{}"])
def test_another_schema_is_refused(schema: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        write_skeleton(read_openstack_catalog(), "OS::Neutron::Net", schema)


def test_the_command_says_what_is_missing(command: Run) -> None:
    assert command("types", "--scaffold", "OS::Neutron::AddressScope").out == write_skeleton(
        read_openstack_catalog(), "OS::Neutron::AddressScope"
    )
    pathlib.Path("schema.json").write_text("[]")
    for words, status, why in (
        (["--scaffold"], 2, "--scaffold needs the NAME of a resource type"),
        (["--scaffold", "OS::Neutron::Nett"], 1, "there is no resource type OS::Neutron::Nett"),
        (
            ["--scaffold", "OS::Neutron::Net", "--schema", "none.json"],
            2,
            "the schema cannot be read: none.json does not",
        ),
        (
            ["--scaffold", "OS::Neutron::Net", "--schema", "schema.json"],
            2,
            "schema.json cannot be read: it is not the output",
        ),
    ):
        ended = command("types", *words)
        assert (ended.status, ended.out, why in ended.err) == (status, "", True), ended.err
