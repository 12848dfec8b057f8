"""The tables that were built as JSON are those that are written in YAML."""

from __future__ import annotations

import pathlib

import pytest
import yaml

from emitters.hcl.tables import built, tables


def test_the_built_tables_are_those_of_the_yaml_files() -> None:
    """If this fails, run `python -m emitters.hcl.tables.built`."""
    assert built.BUILT.read_text("utf-8") == built.build_tables()


@pytest.mark.parametrize("path", sorted(tables.HERE.glob("*.yaml")), ids=lambda path: path.stem)
def test_a_built_table_has_the_values_of_its_file(path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = yaml.load(path.read_text("utf-8"), yaml.CSafeLoader)
    monkeypatch.setattr(yaml, "load", None)
    assert built.load_yaml_file(path) == expected


def test_a_file_that_was_changed_since_is_read_as_it_is(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "nova.yaml"
    path.write_text("a: 1\n")
    assert built.load_yaml_file(path) == {"a": 1}
