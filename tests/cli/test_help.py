"""Help that is read: it fits on a terminal, and shows the most needed options first."""

from __future__ import annotations

import pathlib
import re
from typing import Any

import pytest
import typer

from tests.conftest import Run
from transpile.cli import application
from transpile.cli.application import make_application

APPLICATION: Any = typer.main.get_command(make_application())
COMMANDS = sorted(name for name, command in APPLICATION.commands.items() if not command.hidden)
CONVERTIBLE = "heat_template_version: 2018-08-31\nresources:\n  net: {type: OS::Neutron::Net}\n"


@pytest.fixture(autouse=True)
def narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


def test_each_command_is_described_in_one_line(command: Run) -> None:
    out = command("--help").out
    lines = out.partition("Commands:\n")[2].splitlines()
    assert [line.split()[0] for line in lines] == sorted(COMMANDS, key=[line.split()[0] for line in lines].index)
    assert [line for line in lines if not line.endswith(".") or line.endswith("...") or len(line) > 80] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_at_most_fifteen_options_stand_before_the_advanced_ones(name: str, command: Run) -> None:
    first = command(name, "--help").out.partition(f"\n{application.ADVANCED}:")[0]
    assert len(re.findall(r"^  (?:-\w, )?--?\w", first, re.MULTILINE)) <= 15


def test_the_options_of_convert_stand_in_groups_with_examples(command: Run) -> None:
    out = command("convert", "--help").out
    titles = re.findall(r"^(\w+):$", out, re.MULTILINE)
    assert titles == ["Arguments", "Input", "Output", "Translation", "Reporting", "Advanced", "Examples"]
    assert out.index("--environment") < out.index("--output") < out.index("--prefer") < out.index("--select")
    assert "  hot2tf convert stack.yaml -e production.yaml -o terraform\n" in out


def test_examples_name_commands_and_options_that_exist(command: Run) -> None:
    for name in COMMANDS:
        out = command(name, "--help").out
        for example in getattr(APPLICATION.commands[name].callback, "examples", ()):
            assert example.split()[:2] == ["hot2tf", name]
            assert [word for word in example.split() if word.startswith("-") and f"{word} " not in out] == []


def test_groups_name_only_flags_that_some_command_has(command: Run) -> None:
    """A flag that was renamed would fall into the advanced ones without a word."""
    every = "".join(command(name, "--help").out for name in COMMANDS)
    assert [flag for flag in application.GROUP_OF if flag not in every] == []


def test_hidden_options_of_targets_still_work(command: Run) -> None:
    pathlib.Path("stack.yaml").write_text(CONVERTIBLE)
    assert "--tosca-version" not in command("convert", "--help").out
    assert command("convert", "stack.yaml", "--to", "tosca", "--tosca-version", "2.0").out.startswith(
        "tosca_definitions_version: tosca_2_0"
    )


@pytest.mark.parametrize("name", ["tf", "terraform"])
def test_terraform_is_a_name_of_the_target_hcl(name: str, command: Run) -> None:
    pathlib.Path("stack.yaml").write_text(CONVERTIBLE)
    assert command("convert", "stack.yaml", "--to", name) == command("convert", "stack.yaml")


@pytest.mark.parametrize(
    ("file", "begins"), [("g.svg", "<svg"), ("g.dot", "digraph"), ("g.mmd", "flowchart"), ("g.txt", "flowchart")]
)
def test_the_ending_of_its_file_chooses_the_language_of_a_graph(file: str, begins: str, command: Run) -> None:
    pathlib.Path("stack.yaml").write_text(CONVERTIBLE)
    assert command("graph", "stack.yaml", "-o", file).status == 0
    assert begins in pathlib.Path(file).read_text()[:200]


def test_a_graph_is_not_written_as_a_picture_of_other_programs(command: Run) -> None:
    pathlib.Path("stack.yaml").write_text(CONVERTIBLE)
    ended = command("graph", "stack.yaml", "-o", "g.png")
    assert (ended.status, ended.err) == (2, "hot2tf: a graph is written as .svg, .dot or .mmd, not as .png\n")


def test_convert_of_a_directory_names_migrate(command: Run) -> None:
    ended = command("convert", ".")
    assert (ended.status, ended.err) == (2, "hot2tf: . is a directory; hot2tf migrate . converts its templates\n")


@pytest.mark.parametrize("flag", ["-V", "--version"])
def test_the_version_has_a_short_flag(flag: str, command: Run) -> None:
    assert re.fullmatch(r"hot2tf \d+\.\d+\.\d+\S*\n", command(flag).out)


@pytest.mark.parametrize(
    ("words", "flags"),
    [(["help"], ["--help"]), (["help", "convert"], ["convert", "--help"]), (["version"], ["--version"])],
)
def test_words_that_people_try_are_understood(words: list[str], flags: list[str], command: Run) -> None:
    assert command(*words) == command(*flags)
    assert command(*words).status == 0
