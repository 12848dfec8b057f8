"""Mapping tables are read strictly: a mistake in one is a diagnostic with file and line.

Invariant: each table is one that an operator could have written, with one mistake.
"""

from __future__ import annotations

import pathlib
from collections.abc import Iterator

import pytest
import yaml

import transpile
from emitters.hcl.tables import tables
from tests.conftest import Run
from transpile.schema import catalog

STACK = "heat_template_version: 2021-04-16\nresources:\n  net: {type: OS::Neutron::Net, properties: {name: n}}\n"
TABLE = """\
OS::Neutron::Net:
  resource: openstack_networking_network_v2
  reference: id
  properties:
    name: { to: name, generated: true }
    shared: shared
  attributes:
    mtu: mtu
"""
WRONG = {
    "not a table": (TABLE, "- a\n", 1, "this must be a map."),
    **yaml.safe_load("""
key of a kind: ["  resource:", "  resorce:", 2, "there is no key resorce here. Did you mean resource?"]
key of a rule: [generated, genrated, 5, "there is no key genrated here. Did you mean generated?"]
key of an attribute: ["mtu: mtu", "mtu: { too: mtu }", 8, there is no key too here.]
type of a value: ["true", sometimes, 5, generated must be true or false.]
type of unset: ["shared: shared", "shared: { hook: rbac_object, unset: [] }", 6, unset must be true or a string.]
map: ["{ to: name, generated: true }", "[name]", 5, this must be a map.]
one thing to do: ["to: name, ", "", 5, "exactly one of to, block, each, drop, implied, embed and hook is required."]
lookup: ["shared: shared", "shared: { to: shared, lookup: netwrk }", 6, "no lookup netwrk. Did you mean network?"]
treatment: ["  reference: id", "  treatment: nativ", 3, "there is no treatment nativ here. Did you mean native?"]
prefer: ["  reference: id", "  prefer: { treatment: native }", 3, hook is missing.]
reference: ["reference: id", "reference: { text: words }", 3, "text must be name, generated or a text such as"]
number: ["reference: id", "reference: { to: id, part: first }", 3, part must be a whole number.]
YAML: ["shared: shared", "shared: [shared", 7, This table cannot be read]
"""),
}


@pytest.fixture
def folder(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[pathlib.Path]:
    """A directory of tables, beside the lookups that there are."""
    lookups = (tables.HERE / "lookups.yaml").read_text(encoding="utf-8")
    made = tmp_path / "mappings"
    made.mkdir()
    (made / "lookups.yaml").write_text(lookups, encoding="utf-8")
    monkeypatch.setattr(tables, "HERE", made)
    cached = (tables.load_built_in_tables, tables.tables_of_catalog, tables.load_table)
    for function in cached:
        function.cache_clear()
    yield made
    for function in cached:
        function.cache_clear()


def test_a_table_without_mistakes_is_taken(folder: pathlib.Path) -> None:
    (folder / "neutron.yaml").write_text(TABLE)
    assert transpile.convert(STACK).ok


@pytest.mark.parametrize(("old", "new", "line", "why"), WRONG.values(), ids=WRONG)
def test_a_mistake_is_a_diagnostic_at_its_line(old: str, new: str, line: int, why: str, folder: pathlib.Path) -> None:
    assert catalog.file_name_of_type("OS::Neutron::Net") == "neutron"
    assert old in TABLE
    (folder / "neutron.yaml").write_text(TABLE.replace(old, new, 1))
    done = transpile.convert(STACK)
    (diagnostic,) = [d.as_json() for d in done.diagnostics]
    assert (diagnostic["code"], diagnostic["severity"], diagnostic["line"]) == ("HOT905", "error", line)
    assert diagnostic["file"] == str(folder / "neutron.yaml")
    assert why in f"{diagnostic['message']} {diagnostic.get('hint', '')}"
    assert not done.files


def test_the_same_goes_for_look_ups(folder: pathlib.Path) -> None:
    (folder / "neutron.yaml").write_text(TABLE)
    (folder / "lookups.yaml").write_text("network:\n  what: network\n  dta: openstack_networking_network_v2\n")
    (diagnostic,) = [d.as_json() for d in transpile.convert(STACK).diagnostics]
    assert (diagnostic["code"], diagnostic["line"], diagnostic["message"]) == (
        "HOT905",
        3,
        "network.dta: there is no key dta here.",
    )


@pytest.mark.parametrize("words", [["convert", "stack.yaml", "-o", "out"], ["types", "OS::Neutron::Net"]])
def test_the_command_says_it_as_any_other_diagnostic(words: list[str], folder: pathlib.Path, command: Run) -> None:
    (folder / "neutron.yaml").write_text(TABLE.replace("generated", "genrated"))
    pathlib.Path("stack.yaml").write_text(STACK)
    ended = command(*words)
    assert (ended.status, ended.out) == (1, "")
    assert f"{folder / 'neutron.yaml'}:5:23: error HOT905: OS::Neutron::Net.properties.name.genrated:" in ended.err
    assert " 5 |     name: { to: name, genrated: true }" in ended.err
