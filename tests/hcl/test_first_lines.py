"""The first line of each file: its source, the command that makes it again, and the part that later runs recognize."""

from __future__ import annotations

import os
import pathlib
import shlex
import shutil
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import transpile
from emitters.hcl.assemble import origin
from tests.support.cases import all_cases
from transpile.cli.application import make_application
from transpile.model.printable import make_printable
from transpile.settings.command_paths import CommandPaths, describe_paths

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


def run_command(*words: str) -> Callable[[pathlib.Path], str]:
    """Runs a command. Returns a function that reads the command in README.md of a directory."""
    ended = CliRunner().invoke(make_application(), words)
    assert ended.exit_code == 0, ended.output
    return lambda folder: read_made(folder).removeprefix("hot2tf ")


def read_made(folder: pathlib.Path) -> str:
    return (folder / "README.md").read_text().partition("Made with hot2tf: `")[2].partition("`")[0]


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
        assert len(line) <= 120


def test_the_command_makes_the_same_again(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """README.md has a command for a shell: with the values in place of the placeholder, a second run changes nothing.
    No value is in it.
    """
    monkeypatch.chdir(tmp_path)
    (name, _, _) = put(tmp_path, **{"a stack": STACK, "one": "parameters: {name: x}\n", "two": "parameters: {}\n"})
    given_ = {"token": "s3cr3t-s3cr3t"}
    options = ["-e", "one.yaml", "-e", "two.yaml", "--parameter", "token=s3cr3t-s3cr3t", "--prefer", "native"]
    assert CliRunner().invoke(make_application(), ["convert", name.name, *options, "-o", "out"]).exit_code == 0
    text = (tmp_path / "out" / "main.tf").read_text(encoding="utf-8")
    assert given_["token"] not in text
    made = read_made(tmp_path / "out")
    before = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    shutil.rmtree(tmp_path / "out")
    program, *words = shlex.split(made.replace("VALUE", given_["token"]))
    assert (program, words[-2:]) == ("hot2tf", ["-o", "DIR"])
    words[-1] = "out"
    assert CliRunner().invoke(make_application(), words).exit_code == 0
    assert {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()} == before


def test_a_command_has_its_paths_as_they_were_typed(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Absolute paths are shortened: to the part below the working directory, or else to their last name. Options that
    shape no output are left out.
    """
    (tmp_path / "work" / "heat").mkdir(parents=True)
    put(tmp_path / "work" / "heat", stack=STACK, prod="parameters: {name: x}\n")
    monkeypatch.chdir(tmp_path / "work")
    command_in = run_command("convert", "heat/stack.yaml", "-e", "heat/prod.yaml", "-o", "tf/web", "-q", "--strict")
    assert command_in(tmp_path / "work" / "tf" / "web") == "convert heat/stack.yaml -e heat/prod.yaml -o DIR"
    command_in = run_command("convert", f"{tmp_path}/work/heat/stack.yaml", "-o", f"{tmp_path}/far/out")
    assert command_in(tmp_path / "far" / "out") == "convert heat/stack.yaml -o DIR"
    command_in = run_command("convert", "../work/heat/stack.yaml", "-o", "near", "--missing", "stub")
    assert command_in(tmp_path / "work" / "near") == "convert ../work/heat/stack.yaml --missing stub -o DIR"


def test_a_migration_has_its_paths_as_they_were_typed(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the files of stacks and in those at the top; a run with --diff has the same line."""
    (tmp_path / "heat").mkdir()
    put(tmp_path / "heat", web=STACK)
    monkeypatch.chdir(tmp_path)
    command = ["migrate", "heat", f"{tmp_path}/tf", "--prefer", "native", "--exclude", "old/"]
    command_in = run_command(*command)
    assert command_in(tmp_path / "tf") == "migrate heat DEST --exclude old/ --prefer native"
    for name in ("README.md", ".gitignore"):
        assert ": hot2tf migrate heat DEST" in (tmp_path / "tf" / name).read_text().partition("\n")[0]
    diff = CliRunner().invoke(make_application(), [*command, "--diff", "--progress", "none"])
    assert "0 files would change" in diff.output


def test_addresses_have_no_passwords() -> None:
    """An address that may be read keeps its host and its path alone."""
    paths = describe_paths("-", "-", [("--allow", "https://me:secret@host/a?token=secret")])
    assert paths == CommandPaths("", "", (("--allow", "https://host/a"),))


def test_a_module_names_its_own_template(tmp_path: pathlib.Path) -> None:
    path, _ = put(tmp_path, outer=CALLER, inner=STACK)
    done = transpile.convert(path)
    assert first(done, "modules/inner/main.tf") == "# Made by hot2tf from inner.yaml"
    assert first(done, "main.tf") == "# Made by hot2tf from outer.yaml"


def test_only_a_migration_makes_its_output_again(tmp_path: pathlib.Path) -> None:
    """A shared module names no stack: all that use it have the same."""
    path, _ = put(tmp_path, outer=CALLER, inner=STACK)
    done = transpile.convert(path, options={"content_names": True})
    (module,) = (name for name in done.files if name.startswith("modules/") and name.endswith("/main.tf"))
    assert first(done, module) == "# Made by hot2tf from inner.yaml"
    assert first(done, "main.tf") == "# Made by hot2tf from outer.yaml"


def test_other_options_change_no_first_line(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a diff shows the effect of an option."""
    monkeypatch.chdir(tmp_path)
    put(tmp_path, stack=STACK)
    for output, words in (("one", ()), ("two", ("--prefer", "native", "--tests"))):
        run_command("convert", "stack.yaml", *words, "-o", output)
    assert (tmp_path / "one/main.tf").read_text() == (tmp_path / "two/main.tf").read_text()


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
    assert first(done, "main.tf") == "# Made by hot2tf"


def test_a_long_command_has_placeholders() -> None:
    names = [f"environment-number-{i}.yaml" for i in range(9)]
    made = origin.origin_of_conversion("stack.yaml", [*(("-e", name) for name in names), ("--prefer", "native")])
    assert all(name in made.commands[0] for name in names)
    assert made.commands[1] == "hot2tf convert stack.yaml -e FILE --prefer native -o DIR"
    assert made.make_note().lines == [" Made by hot2tf from stack.yaml"]
    assert len(made.make_note("x" * 200).lines[0]) < 120


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
