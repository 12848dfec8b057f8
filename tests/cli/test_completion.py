"""Completion: a line in real shells after the tab key, the offered words, and their cost."""

from __future__ import annotations

import pathlib
import subprocess
import sys
from collections.abc import Iterator

import pytest
import typer

from tests.conftest import Run
from tests.support import shells
from transpile.cli import command_tree
from transpile.cli.application import make_application
from transpile.cli.completion import scripts, values, words
from transpile.diagnostics import registry
from transpile.schema.catalog import HEAT

TREE = command_tree.read_command(typer.main.get_command(make_application()), "hot2tf")

LINES = {  # each with the arguments after the tab key
    "hot2tf migr": ["migrate"],
    "hot2tf capabilities fi": ["capabilities", "find"],
    "hot2tf check --lev": ["check", "--level"],
    "hot2tf convert --force --to to": ["convert", "--force", "--to", "tosca"],
    "hot2tf convert --diagnostics=sa": ["convert", "--diagnostics=sarif"],
    "hot2tf convert --option prefer=na": ["convert", "--option", "prefer=native"],
    "hot2tf types OS::Nova::ServerG": ["types", "OS::Nova::ServerGroup"],
    'hot2tf types "OS::Nova::ServerG': ["types", "OS::Nova::ServerGroup"],
    "hot2tf convert --keep OS::Zaqar::SignedQ": ["convert", "--keep", "OS::Zaqar::SignedQueueURL"],
    "hot2tf explain HOT90": ["explain", "HOT90"],  # several begin so
    "hot2tf check st": ["check", "stack.yaml"],
    "hot2tf check my": ["check", "my own.yaml"],
    'hot2tf check "my o': ["check", "my own.yaml"],
    "hot2tf check my\\ o": ["check", "my own.yaml"],
    "hot2tf check ~/st": ["check", "~/stack.yaml"],
    "hot2tf check deep/w": ["check", "deep/web.hot"],  # the picture beside it is no template
    "hot2tf convert --report=no": ["convert", "--report=notes.txt"],
    "hot2tf convert --root=de": ["convert", "--root=deep/"],
}


@pytest.fixture
def place(tmp_path: pathlib.Path) -> pathlib.Path:
    """A directory with templates and other files."""
    for name in ("stack.yaml", "my own.yaml", "notes.txt", "deep/web.hot", "deep/web.png"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    return tmp_path


@pytest.mark.parametrize(
    "shell", [pytest.param(shell_name, marks=shells.needs(shell_name)) for shell_name in shells.START]
)
def test_the_tab_key_completes(shell: str, place: pathlib.Path) -> None:
    expected = [[argument.replace("~", str(place)) for argument in arguments] for arguments in LINES.values()]
    completions = shells.completed(shell, LINES, place)
    completions = [
        [argument.removesuffix("/") for argument in arguments] for arguments in completions
    ]  # zsh takes the slash back
    assert completions == [[argument.removesuffix("/") for argument in arguments] for arguments in expected]


@shells.needs("fish")
def test_fish_completes(place: pathlib.Path) -> None:
    lines = {line: arguments[-1] for line, arguments in LINES.items() if not line.endswith("HOT90")}
    completions = dict(zip(lines, shells.offered_by_fish(lines, place), strict=True))
    assert completions == {line: [word] for line, word in lines.items()}


@shells.needs("fish")
def test_fish_shows_what_codes_mean(place: pathlib.Path) -> None:
    (completions,) = shells.offered_by_fish(["hot2tf explain HOT"], place)
    assert sorted(completions) == sorted(code for code in registry.list_codes() if code.startswith("HOT"))


@pytest.mark.parametrize(
    ("tool", "shell"), [("shellcheck", "bash"), ("bash", "bash"), ("zsh", "zsh"), ("fish", "fish")]
)
def test_scripts_are_well_formed(tool: str, shell: str, tmp_path: pathlib.Path) -> None:
    if not shells.installed(tool):
        pytest.skip(f"{tool} is not installed")
    script = tmp_path / "script"
    script.write_text(scripts.SCRIPTS[shell])
    options = ["-s", "bash"] if tool == "shellcheck" else ["-n"]
    done = subprocess.run([tool, *options, str(script)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def offered(line: str) -> list[str]:
    return [word for word, _ in words.complete_line(TREE, words.split_line(line)[1:]).words]


def test_commands_and_their_options_are_offered() -> None:
    assert offered("hot2tf ") == [command.name for command in TREE.commands]
    assert offered("hot2tf capabilities ") == ["find", "summary"]
    assert offered("hot2tf --") == ["--version", "--help"]
    assert offered("hot2tf targets ") == ["--help"]
    assert set(offered("hot2tf explain -")) == {"-h", "--help"}
    assert offered("hot2tf nonsense ") == []


def test_values_are_offered() -> None:
    assert offered("hot2tf check --level ") == ["template", "create"]
    assert offered("hot2tf check --level=c") == ["--level=create"]
    assert offered("hot2tf graph --to ") == ["mermaid", "dot", "svg"]
    assert offered("hot2tf types --to t") == ["tosca"]
    assert set(offered("hot2tf types ")) >= set(HEAT.type_names())
    assert offered("hot2tf convert --to tosca --option tosca_v") == ["tosca_version=1.3", "tosca_version=2.0"]
    assert offered("hot2tf convert --to hot --option hot_version=2018-0") == [
        "hot_version=2018-03-02",
        "hot_version=2018-08-31",
    ]
    assert offered("hot2tf fmt --limit mem") == ["members="]


def test_options_are_offered_once_unless_they_can_be_repeated() -> None:
    left = offered("hot2tf convert --strict -e a.yaml --to=hcl -")
    assert not {"--strict", "--to"} & set(left)
    assert {"-e", "--environment", "--force"} <= set(left)


def test_after_two_hyphens_there_are_only_arguments() -> None:
    assert words.complete_line(TREE, ["check", "--", "--lev"]) == values.A_TEMPLATE
    assert words.complete_line(TREE, ["check", "--level", "create", "a.yaml", ""]) == values.A_TEMPLATE
    assert words.complete_line(TREE, ["convert", "a.yaml", ""]) == values.NOTHING


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("hot2tf ", ["hot2tf", ""]),
        ("hot2tf a", ["hot2tf", "a"]),
        ("hot2tf 'a b", ["hot2tf", "a b"]),
        ("hot2tf 'a b'", ["hot2tf", "a b"]),
        ('hot2tf "a b" ', ["hot2tf", "a b", ""]),
        ("hot2tf a\\ ", ["hot2tf", "a "]),
        ("hot2tf a\\", ["hot2tf", "a"]),
        ("hot2tf a#b ", ["hot2tf", "a#b", ""]),
        ("", [""]),
    ],
)
def test_lines_are_split_as_a_shell_does(line: str, expected: list[str]) -> None:
    assert words.split_line(line) == expected


def parameters(command: command_tree.CommandNode) -> Iterator[tuple[command_tree.CommandNode, command_tree.Parameter]]:
    yield from ((command, parameter) for parameter in (*command.options, *command.arguments))
    for below in command.commands:
        yield from parameters(below)


def test_completion_knows_the_values_of_each_parameter() -> None:
    """Each word in capitals in a metavar is a kind of value that completion knows, if only as nothing to offer."""
    unknown = [
        f"{command.name} {parameter.key}: {word}"
        for command, parameter in parameters(TREE)
        for word in parameter.takes.split("|")
        if word.isupper() and word not in values.KINDS
    ]
    assert unknown == []


def test_closer_completions_are_for_existing_parameters() -> None:
    there = {(command.name, parameter.key) for command, parameter in parameters(TREE)}
    there |= {("*", key) for _, key in there}
    assert set(values.CLOSER) <= there


def test_a_word_of_several_lines_has_no_answer(command: Run) -> None:
    assert command("completion", "zsh", "--", "types", "OS::\n").out == ""
    assert command("completion", "bash", "--", "hot2tf types 'a\nb").out == ""


def test_an_unknown_shell_is_wrong_usage(command: Run) -> None:
    done = command("completion", "csh")
    assert (done.status, done.out, done.err) == (2, "", "hot2tf: completion takes bash, zsh or fish, not csh\n")


@pytest.mark.parametrize("line", ["hot2tf ", "hot2tf types OS::", "hot2tf explain HOT", "hot2tf check --l"])
def test_answers_load_no_emitter(line: str) -> None:
    """A shell waits for each answer, so it must not cost the imports of a conversion's larger half."""
    program = (
        "import sys\nfrom transpile.cli import app\n"
        f"sys.argv = ['hot2tf', 'completion', 'bash', '--', {line!r}]\n"
        "try:\n    app.main()\nexcept SystemExit:\n    pass\n"
        "print(*sorted(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert done.stdout
    heavy = {"emitters.hcl.attempt", "emitters.tosca.model", "rich.console", "lark", "hcl2"}
    assert heavy.isdisjoint(done.stderr.split())


def test_other_commands_do_not_import_completion() -> None:
    program = (
        "import sys; from transpile.cli.application import make_application; make_application()\n"
        "names = 'transpile.cli.completion', 'transpile.cli.command_tree'\n"
        "print([one for one in sys.modules if one.startswith(names)])"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert done.stdout == "[]\n"


def test_the_package_runs_as_the_command() -> None:
    done = subprocess.run([sys.executable, "-m", "transpile", "--version"], check=True, capture_output=True, text=True)
    assert done.stdout.startswith("hot2tf ")
