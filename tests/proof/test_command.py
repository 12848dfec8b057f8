"""`--tests` of the commands: which files it writes, and that a second run knows them as its own."""

from __future__ import annotations

import pathlib
from typing import TYPE_CHECKING

import pytest

from tests.proof.stacks import FILE, SHOP, failures
from tests.support import oracles

if TYPE_CHECKING:
    from tests.conftest import Run

INNER = """\
heat_template_version: 2018-08-31
parameters:
  name: {type: string}
resources:
  net: {type: OS::Neutron::Net, properties: {name: {get_param: name}}}
"""
OUTER = "heat_template_version: 2018-08-31\nresources:\n  inner: {type: inner.yaml, properties: {name: %s}}\n"


@pytest.fixture
def folder(tmp_path: pathlib.Path) -> pathlib.Path:
    (tmp_path / "shop.yaml").write_text(SHOP)
    return tmp_path


def test_convert_writes_tests_only_if_asked(command: Run, folder: pathlib.Path) -> None:
    assert command("convert", "shop.yaml", "-o", "out").status == 0
    assert not pathlib.Path("out/tests").exists()
    assert command("convert", "shop.yaml", "-o", "out", "--tests").status == 0
    first = pathlib.Path("out", FILE).read_text().partition("\n")[0]
    assert first == "# Made by hot2tf: hot2tf convert shop.yaml --tests -o DIR"
    assert command("convert", "shop.yaml", "-o", "out").status == 0
    assert not pathlib.Path("out", FILE).exists()


def test_an_edited_test_is_not_overwritten(command: Run, folder: pathlib.Path) -> None:
    command("convert", "shop.yaml", "-o", "out", "--tests")
    mine = pathlib.Path("out", FILE)
    mine.write_text(mine.read_text() + "# mine\n")
    ended = command("convert", "shop.yaml", "-o", "out", "--tests")
    assert ended.status == 1
    assert FILE in ended.err
    assert mine.read_text().endswith("# mine\n")


def test_a_configuration_may_ask_for_tests(command: Run, folder: pathlib.Path) -> None:
    (folder / "hot2tf.toml").write_text("tests = true\n")
    assert command("convert", "shop.yaml", "-o", "out").status == 0
    assert pathlib.Path("out", FILE).exists()


def test_another_target_has_no_tests(command: Run, folder: pathlib.Path) -> None:
    ended = command("convert", "shop.yaml", "--to", "tosca", "--tests")
    assert (ended.status, ended.out) == (2, "")
    assert "--tests requires --to hcl" in ended.err


def test_a_migration_tests_shared_modules_in_each_stack(command: Run, tmp_path: pathlib.Path) -> None:
    """The tests of a shared module find it by the path from their stack, and its provider by its name."""
    (tmp_path / "src").mkdir()
    for name, text in (("inner.yaml", INNER), ("one.yaml", OUTER % "one"), ("two.yaml", OUTER % "two")):
        (tmp_path / "src" / name).write_text(text)
    assert command("migrate", "src", "dest", "--tests", "--jobs", "1").status == 0
    for stack in ("one", "two"):
        text = (tmp_path / "dest" / stack / "tests" / "heat_inner.tftest.hcl").read_text()
        assert 'source = "../modules/inner"' in text
        assert f'net.name == "{stack}"' in text
        assert "terraform-provider-openstack/openstack" in (tmp_path / "dest" / stack / "versions.tf").read_text()


@oracles.needs_providers
def test_the_tests_of_a_migration_pass(command: Run, tmp_path: pathlib.Path) -> None:
    (tmp_path / "src").mkdir()
    for name, text in (("inner.yaml", INNER), ("one.yaml", OUTER % "one"), ("two.yaml", OUTER % "two")):
        (tmp_path / "src" / name).write_text(text)
    assert command("migrate", "src", "dest", "--tests", "--jobs", "1").status == 0
    assert failures({}, tmp_path / "dest" / "one") == ""
