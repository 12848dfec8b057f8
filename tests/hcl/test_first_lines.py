"""The first line of each file: what made it and how to make it again, and what of it a later run recognizes."""

from __future__ import annotations

import os
import pathlib
import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

import transpile
from emitters.hcl.assemble import origin
from tests.support.cases import all_cases
from transpile.model.printable import make_printable

STACK = """
heat_template_version: 2018-08-31
parameters: {name: {type: string}, token: {type: string, hidden: true}}
resources:
  net: {type: OS::Neutron::Net, properties: {name: {get_param: name}, value_specs: {token: {get_param: token}}}}
"""
CALLER = """
heat_template_version: 2018-08-31
resources:
  one: {type: inner.yaml, properties: {name: a, token: b}}
"""


def first(done: transpile.Conversion, name: str) -> str:
    assert done.ok, done.diagnostics
    return str(done.files[name]).partition("\n")[0]


def put(folder: pathlib.Path, **files: str) -> list[pathlib.Path]:
    paths = [folder / f"{name}.yaml" for name in files]
    for path, text in zip(paths, files.values(), strict=True):
        path.write_text(text, encoding="utf-8")
    return paths


@pytest.mark.parametrize("case", all_cases(), ids=lambda case: case.name)
def test_every_file_of_terraform_has_one(case: object) -> None:
    """In all golden cases; only files that other programs read as they are have none."""
    files = case.convert().files  # type: ignore[attr-defined]
    ours = {name: str(text) for name, text in files.items() if name.endswith((".tf", ".tfvars", ".example"))}
    assert "versions.tf" in ours
    for text in ours.values():
        line = text.partition("\n")[0]
        assert line.startswith("# Made by hot2tf")
        assert ": hot2tf convert " in line
        assert len(line) <= 120


def test_the_command_makes_the_same_again(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The line is a command for a shell: with a directory and the values in place of the placeholders, the files equal
    each other. No value is in it.
    """
    from typer.testing import CliRunner

    from transpile.cli.app import app

    monkeypatch.chdir(tmp_path)
    (name, _, _) = put(tmp_path, **{"a stack": STACK, "one": "parameters: {name: x}\n", "two": "parameters: {}\n"})
    given_ = {"token": "s3cr3t-s3cr3t"}
    options = ["-e", "one.yaml", "-e", "two.yaml", "--parameter", "token=s3cr3t-s3cr3t", "--prefer", "native"]
    assert CliRunner().invoke(app, ["convert", name.name, *options, "-o", "out"]).exit_code == 0
    text = (tmp_path / "out" / "main.tf").read_text(encoding="utf-8")
    assert given_["token"] not in text
    made = text.partition("\n")[0].removeprefix("# Made by hot2tf: ")
    program, *words = shlex.split(made.replace("DIR", "again").replace("VALUE", given_["token"]))
    assert program == "hot2tf"
    assert CliRunner().invoke(app, words).exit_code == 0
    for path in (tmp_path / "out").iterdir():
        assert path.read_bytes() == (tmp_path / "again" / path.name).read_bytes()


def test_a_module_names_its_own_template(tmp_path: pathlib.Path) -> None:
    path, _ = put(tmp_path, outer=CALLER, inner=STACK)
    done = transpile.convert(path)
    assert first(done, "modules/inner/main.tf") == "# Made by hot2tf from inner.yaml: hot2tf convert outer.yaml -o DIR"
    assert first(done, "main.tf") == "# Made by hot2tf: hot2tf convert outer.yaml -o DIR"


def test_what_a_migration_makes_is_made_again_by_one(tmp_path: pathlib.Path) -> None:
    """A shared module names no stack: all that use it have the same."""
    path, _ = put(tmp_path, outer=CALLER, inner=STACK)
    done = transpile.convert(path, options={"content_names": True})
    (module,) = (name for name in done.files if name.startswith("modules/") and name.endswith("/main.tf"))
    assert first(done, module) == "# Made by hot2tf from inner.yaml: hot2tf migrate SRC DEST"
    assert first(done, "main.tf") == "# Made by hot2tf from outer.yaml: hot2tf migrate SRC DEST"


def test_it_is_the_same_from_everywhere(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No directory is in it, wherever the command runs."""
    (path,) = put(tmp_path, stack=CALLER.replace("inner.yaml", "OS::Heat::RandomString").split("properties")[0] + "}\n")
    monkeypatch.chdir(tmp_path)
    near = transpile.convert(pathlib.Path(path.name))
    monkeypatch.chdir("/")
    assert transpile.convert(path).files == near.files
    assert str(tmp_path) not in "".join(map(str, near.files.values()))


def test_a_text_has_no_name() -> None:
    done = transpile.convert(STACK, environments=["parameters:\n  name: x\n"], name="<stdin>")
    assert first(done, "main.tf") == "# Made by hot2tf: hot2tf convert TEMPLATE -e environment -o DIR"


def test_a_long_command_has_placeholders() -> None:
    names = [f"environment-number-{i}.yaml" for i in range(9)]
    made = origin.origin_of_conversion("stack.yaml", [*(("-e", name) for name in names), ("--prefer", "native")])
    assert all(name in made.commands[0] for name in names)
    assert made.make_note().lines == [" Made by hot2tf: hot2tf convert stack.yaml -e FILE --prefer native -o DIR"]
    assert made.make_note("x" * 200).lines == [" Made by hot2tf: hot2tf convert TEMPLATE -e FILE --prefer FORM -o DIR"]


@given(st.text(min_size=1, max_size=300), st.text(max_size=300))
def test_any_name_stays_on_the_line(name: str, nested: str) -> None:
    made = origin.origin_of_conversion(origin.base_name(name), [("-e", name), ("--parameter", f"{name}=VALUE")])
    (line,) = made.make_note(nested).lines
    assert make_printable(line) == line
    assert len(line.splitlines()) == 1
    assert len(line) < 120
    assert made.make_html_comment().count("-->") == 1
    assert made.make_html_comment().endswith(" -->")


@pytest.mark.parametrize("line", ["# Made by hot2tf: hot2tf convert x -o DIR", "# Converted from x.yaml by hot2tf."])
def test_files_of_this_version_and_the_first_are_recognized(line: str) -> None:
    assert origin.is_own_file("main.tf", f"{line}\n".encode())
    assert not origin.is_own_file("main.tf", f"# Ours{os.linesep}{line}\n".encode())
    assert not origin.is_own_file("own_file.tf", f"{line}\n".encode())
