"""The name of the stack: given as a parameter, in the plan of a migration, or asked for by Terraform."""

from __future__ import annotations

import pathlib

import pytest
from typer.testing import CliRunner

import transpile
from tests.support import conversions
from transpile.cli.application import make_application
from transpile.resolve.stack_name import STACK_NAME, VALID, make_stack_name

STACK = """\
heat_template_version: 2018-08-31
resources:
  net: {type: OS::Neutron::Net}
"""
CFN = """\
HeatTemplateFormatVersion: '2012-12-12'
Resources:
  net: {Type: 'OS::Neutron::Net'}
"""


@pytest.mark.parametrize(("text", "parameter"), [(STACK, STACK_NAME), (CFN, "AWS::StackName"), (CFN, STACK_NAME)])
def test_a_name_is_a_value_and_terraform_does_not_ask(text: str, parameter: str) -> None:
    done = conversions.convert(text, parameters={parameter: "web-1"})
    assert str(done.files["terraform.tfvars"]).endswith('\nstack_name = "web-1"\n')
    assert "terraform.tfvars.example" not in done.files
    assert "asks" not in done.report


def test_without_a_name_terraform_asks() -> None:
    done = transpile.convert(STACK)
    assert "terraform.tfvars" not in done.files
    assert done.report["asks"] == ["stack_name"]


def test_a_name_that_nothing_uses_is_written_nowhere() -> None:
    text = STACK.replace("Net}", "Net, properties: {name: a}}")
    done = conversions.convert(text, parameters={STACK_NAME: "web"})
    assert "web" not in "".join(map(str, done.files.values())).replace("OS::stack_name=web", "")


@pytest.mark.parametrize("name", ["1web", "a b", "", "-", "ü", "a" * 256])
def test_a_name_that_heat_refuses_is_an_error(name: str) -> None:
    """Heat: a name begins with a letter, and has letters, digits, `_`, `.` and `-`, 255 at most."""
    done = transpile.convert(STACK, parameters={STACK_NAME: name})
    assert [(d.code, d.severity) for d in done.diagnostics] == [("HOT302", "error")]


def test_tosca_has_the_name_as_a_default() -> None:
    text = STACK + "outputs: {n: {value: {get_param: OS::stack_name}}}\n"
    done = conversions.convert(text, to="tosca", parameters={STACK_NAME: "web"})
    assert "default: web" in "".join(map(str, done.files.values()))


@pytest.mark.parametrize("text", ["net-web", "1.single", "a/b c", "ü", "x" * 300, ""])
def test_made_names_are_names_of_heat(text: str) -> None:
    assert VALID.fullmatch(make_stack_name(text))


def test_equal_stacks_of_a_migration_have_names_of_their_own(tmp_path: pathlib.Path) -> None:
    """An equal stack is not converted again, unless the name of the first would be in its files."""
    for folder in ("a", "b"):
        (tmp_path / "src" / folder).mkdir(parents=True)
        (tmp_path / "src" / folder / "web.yaml").write_text(STACK)
        (tmp_path / "src" / folder / "own.yaml").write_text(STACK.replace("Net}", "Net, properties: {name: a}}"))
    command = ["migrate", str(tmp_path / "src"), str(tmp_path / "out"), "--progress", "none"]
    ended = CliRunner().invoke(make_application(), command)
    assert ended.exit_code == 0, ended.output
    for folder in ("a", "b"):
        values = (tmp_path / "out" / folder / "web" / "terraform.tfvars").read_text()
        assert values.endswith(f'\nstack_name = "{folder}-web"\n')
        assert not (tmp_path / "out" / folder / "own" / "terraform.tfvars").exists()
    assert "4 stacks: 3 converted, 1 copied." in ended.output


def test_the_plan_file_gives_the_name(tmp_path: pathlib.Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "web.yaml").write_text(STACK)
    plan = "format: 1\nstacks:\n  - template: web.yaml\n    output: web\n    parameters: {'OS::stack_name': prod-web}\n"
    (tmp_path / "src" / "hot2tf-migrate.yaml").write_text(plan)
    ended = CliRunner().invoke(make_application(), ["migrate", str(tmp_path / "src"), str(tmp_path / "out")])
    assert ended.exit_code == 0, ended.output
    assert 'stack_name = "prod-web"' in (tmp_path / "out" / "web" / "terraform.tfvars").read_text()
