"""A misspelt type of Heat's is an error of a conversion, as it is of `check`; a type of a plug-in stays with Heat."""

from __future__ import annotations

import pathlib

import pytest

import transpile
from tests.conftest import Run
from tests.support import conversions

HOT = "heat_template_version: 2018-08-31\n"
WRONG = HOT + "resources:\n  a: {type: OS::Nova::Srver}\n"


def codes_and_hints(result: transpile.Conversion) -> list[tuple[str, str, str]]:
    return [(d.code, d.severity, d.help()) for d in result.diagnostics if d.code in ("HOT214", "HOT451")]


@pytest.mark.parametrize("target", ["hcl", "tosca"])
def test_a_misspelt_type_is_an_error_with_a_suggestion(target: str) -> None:
    result = transpile.convert(WRONG, to=target)
    assert codes_and_hints(result) == [("HOT214", "error", "Did you mean OS::Nova::Server?")]
    assert result.files == {}


def test_canonical_hot_keeps_it() -> None:
    """The output has the type as it was read; `check` reports the mistake."""
    assert transpile.convert(WRONG, to="hot").ok


@pytest.mark.parametrize("kind", ["My::Server", "OS::Custom::Server", "OS::Nova::QuantumTeleporter"])
def test_a_type_that_is_no_likely_mistake_stays_with_heat(kind: str) -> None:
    result = conversions.convert(WRONG.replace("OS::Nova::Srver", kind))
    assert [code for code, *_ in codes_and_hints(result)] == ["HOT451"]


@pytest.mark.parametrize("kind", ["lib/server", "server.yml"])
def test_a_path_that_heat_reads_as_a_type_is_a_warning(kind: str) -> None:
    result = transpile.convert(WRONG.replace("OS::Nova::Srver", kind))
    hint = "Template names end with .yaml or .template. An environment can also map the type to a template."
    assert ("HOT214", "warning", hint) in codes_and_hints(result)


def test_a_kept_type_is_meant() -> None:
    conversions.convert(WRONG, options={"keep": "OS::Nova::Srver"})


def test_a_type_with_a_mapping_table_is_meant(tmp_path: pathlib.Path) -> None:
    table = tmp_path / "table.yaml"
    table.write_text("OS::Nova::Srver:\n  resource: openstack_compute_keypair_v2\n  properties: {}\n")
    result = transpile.convert(WRONG, mappings=[table])
    assert "HOT214" not in {d.code for d in result.diagnostics}


def test_nested_templates_and_groups_are_looked_at_once(tmp_path: pathlib.Path) -> None:
    inner = WRONG + "  b: {type: OS::Neutron::Prt}\n"
    (tmp_path / "inner.yaml").write_text(inner)
    (tmp_path / "outer.yaml").write_text(HOT + "resources: {x: {type: inner.yaml}, y: {type: inner.yaml}}\n")
    result = transpile.convert(tmp_path / "outer.yaml")
    places = [(d.code, d.source.name if d.source else "", d.message) for d in result.diagnostics]
    assert places == [
        ("HOT214", "inner.yaml", "Unknown resource type OS::Nova::Srver."),
        ("HOT214", "inner.yaml", "Unknown resource type OS::Neutron::Prt."),
    ]


def test_migrate_names_the_cause(tmp_path: pathlib.Path, command: Run) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/a.yaml").write_text(WRONG)
    assert "HOT214 Unknown resource type" in command("migrate", "src").err
