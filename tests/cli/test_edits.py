"""Output that a person edited: each edit × each output of the next run × each option, for convert and for migrate."""

from __future__ import annotations

import json
import pathlib
import shutil
from typing import NamedTuple

import pytest

from tests.conftest import Run
from tests.support.repositories import put

TEMPLATE = """\
heat_template_version: 2018-08-31
resources:
  first: {type: OS::Neutron::Net, properties: {name: one}}
  second: {type: OS::Neutron::Net, properties: {name: two}}
  third: {type: OS::Neutron::Net, properties: {name: three}}
"""
TEMPLATES = {
    "same": TEMPLATE,
    "elsewhere": TEMPLATE.replace("name: three", "name: drei"),
    "same line": TEMPLATE.replace("name: one", "name: eins"),
}
EDITS = ("none", "line", "removed", "own file")
OPTIONS = ((), ("--conflicts",), ("--force",), ("--diff",))
COMMANDS = ("convert", "migrate")
MINE = 'name = "mine"'


class Outcome(NamedTuple):
    """The expected outcome of a run. main: the names in main.tf, in order; None if the file is not there."""

    status: int
    main: list[str] | None
    markers: bool = False


def expected(edit: str, change: str, option: str) -> Outcome:
    """The expected outcome by the description of the options, case by case."""
    before = {"line": ["mine", "two", "three"], "removed": None}.get(edit, ["one", "two", "three"])
    new = {"same": ["one", "two", "three"], "elsewhere": ["one", "two", "drei"], "same line": ["eins", "two", "three"]}
    refused = (edit, change) in {("line", "same line"), ("removed", "same line"), ("removed", "elsewhere")}
    if option == "--force":
        return Outcome(0, new[change])
    if option == "--diff":
        return Outcome(int(refused), before)
    if edit == "line" and change == "same line" and option == "--conflicts":
        return Outcome(1, ["mine", "eins", "two", "three"], markers=True)
    if refused:
        return Outcome(1, before)
    if edit == "line":
        return Outcome(0, {"same": before, "elsewhere": ["mine", "two", "drei"]}[change])
    return Outcome(0, before if edit == "removed" else new[change])


def folder(command: str) -> pathlib.Path:
    return pathlib.Path("out") if command == "convert" else pathlib.Path("out/stack")


def run_command(run: Run, command: str, *more: str) -> tuple[int, str, str]:
    words = {
        "convert": ["convert", "src/stack.yaml", "-o", "out"],
        "migrate": ["migrate", "src", "out", "--progress", "none", "--jobs", "1"],
    }[command]
    ended = run(*words, *more)
    assert "HOT900" not in ended.err
    return ended.status, ended.out, ended.err


def edit_output(main: pathlib.Path, edit: str) -> None:
    if edit == "line":
        main.write_text(main.read_text().replace('name = "one"', MINE))
    elif edit == "removed":
        main.unlink()
    elif edit == "own file":
        (main.parent / "own.tf").write_text("# mine\n")


def names_in(main: pathlib.Path) -> list[str] | None:
    if not main.exists():
        return None
    lines = [line.strip() for line in main.read_text().splitlines()]
    return [line.split('"')[1] for line in lines if line.startswith("name")]


def all_bytes() -> dict[str, bytes]:
    return {
        str(path): path.read_bytes()
        for path in pathlib.Path("out").rglob("*")
        if path.is_file() and ".hot2tf" not in path.parts
    }


@pytest.mark.parametrize("option", OPTIONS, ids=lambda words: words[0] if words else "plain")
@pytest.mark.parametrize("change", TEMPLATES)
@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("command_name", COMMANDS)
def test_an_edit_and_a_change(
    command_name: str, edit: str, change: str, option: tuple[str, ...], command: Run, tmp_path: pathlib.Path
) -> None:
    put(tmp_path, "src/stack.yaml", TEMPLATE)
    assert run_command(command, command_name)[0] == 0
    main = folder(command_name) / "main.tf"
    edit_output(main, edit)
    put(tmp_path, "src/stack.yaml", TEMPLATES[change])
    before = all_bytes()
    status, out, err = run_command(command, command_name, *option)
    outcome = expected(edit, change, option[0] if option else "")
    assert (status, names_in(main)) == (outcome.status, outcome.main)
    assert (main.exists() and "<<<<<<< yours" in main.read_text()) == outcome.markers
    assert (folder(command_name) / "own.tf").exists() == (edit == "own file")
    if option == ("--diff",) or (status and not outcome.markers):
        changed = {name for name, data in all_bytes().items() if before.get(name) != data}
        assert changed <= {"out/README.md", "out/TODO.md"}  # of a migration, which say what failed
    if option == ("--diff",):
        assert "Nothing was written" in err or status
        assert ("+" in out) == (change != "same" and edit != "removed")
        if change == "same line" and edit == "line":
            assert "+<<<<<<< yours" in out
    elif status:
        assert "HOT901" in err
        left = command_name == "migrate" and edit == "line" and not outcome.markers
        assert ("Edited by hand, and left: stack: main.tf." in err) == left
    if edit == "line" and status == 0 and option == () and change == "elsewhere":
        assert "Merged with your changes" in err
    # the second run has nothing to do, and says the same
    between = all_bytes()
    again, _, err = run_command(command, command_name, *(option if option == ("--diff",) else ()))
    assert again == status
    assert all_bytes() == between


def test_a_merged_directory_has_the_manifest_of_the_unmerged_output(command: Run, tmp_path: pathlib.Path) -> None:
    """So the next change is merged with the same edit."""
    put(tmp_path, "src/stack.yaml", TEMPLATE)
    run_command(command, "convert")
    main = pathlib.Path("out/main.tf")
    edit_output(main, "line")
    for number in ("drei", "tres", "trois"):
        put(tmp_path, "src/stack.yaml", TEMPLATE.replace("name: three", f"name: {number}"))
        assert run_command(command, "convert")[0] == 0
        assert names_in(main) == ["mine", "two", number]
        merged = pathlib.Path("out").rename("merged")
        assert command("convert", "src/stack.yaml", "-o", "out").status == 0
        for name in (".hot2tf.json", ".hot2tf.base"):
            assert (merged / name).read_bytes() == pathlib.Path("out", name).read_bytes()
        shutil.rmtree("out")
        merged.rename("out")


def test_conflicts_are_resolved_by_hand_and_the_next_run_is_quiet(command: Run, tmp_path: pathlib.Path) -> None:
    put(tmp_path, "src/stack.yaml", TEMPLATE)
    run_command(command, "migrate")
    main = folder("migrate") / "main.tf"
    edit_output(main, "line")
    put(tmp_path, "src/stack.yaml", TEMPLATES["same line"])
    status, _, err = run_command(command, "migrate", "--conflicts")
    assert (status, "Written, with conflicts that are marked: stack: main.tf." in err) == (1, True)
    assert "1 stack: 1 converted." in err
    status, _, err = run_command(command, "migrate")
    assert (status, "still has the markers" in err) == (1, True)
    lines = main.read_text().splitlines(keepends=True)
    start, middle, end = (
        next(i for i, line in enumerate(lines) if line.startswith(mark)) for mark in ("<<<", "===", ">>>")
    )
    main.write_text("".join([*lines[:start], *lines[start + 1 : middle], *lines[end + 1 :]]))
    assert names_in(main) == ["mine", "two", "three"]
    status, _, err = run_command(command, "migrate")
    assert (status, "Edited by hand, and left: stack: main.tf." in err) == (0, True)


def test_hidden_values_are_in_no_diff(command: Run, tmp_path: pathlib.Path) -> None:
    """A diff has neither secrets of the template, before and after, nor a value that a person typed for a hidden
    parameter.
    """
    hidden = TEMPLATE.replace(
        "resources:",
        "parameters:\n  pin: {type: string, hidden: true, default: old-s3cret}\n"
        "  n: {type: string, default: x}\nresources:",
    ).replace("name: one", "name: {get_param: n}, value_specs: {pin: {get_param: pin}}")
    put(tmp_path, "src/stack.yaml", hidden)
    put(tmp_path, "src/stack.env", "parameters: {n: first}\n")
    for name in COMMANDS:
        more = ["-e", "src/stack.env"] if name == "convert" else []
        put(tmp_path, "src/stack.yaml", hidden)
        assert run_command(command, name, *more, *(["--force"] if pathlib.Path("out").exists() else []))[0] == 0
        values = folder(name) / "terraform.tfvars"
        values.write_text(values.read_text() + 'pin = "typed-s3cret"\nadmin_password = "typed-s3cret"\n')
        put(tmp_path, "src/stack.yaml", hidden.replace("old-s3cret", "new-s3cret").replace("three", "drei"))
        put(tmp_path, "src/stack.env", "parameters: {n: second}\n")
        status, out, err = run_command(command, name, "--diff", *more)
        assert (status, "+<<<<<<< yours" in out) == (1, True)  # in terraform.tfvars
        assert "s3cret" not in out + err
        assert "variables.tf: changes. It holds hidden values" in out
        assert '+  name = "drei"' in out
        pathlib.Path("src/stack.env").write_text("parameters: {n: first}\n")


def test_a_fresh_clone_without_the_state_is_merged_too(command: Run, tmp_path: pathlib.Path) -> None:
    put(tmp_path, "src/stack.yaml", TEMPLATE)
    run_command(command, "migrate")
    main = folder("migrate") / "main.tf"
    edit_output(main, "line")
    before = all_bytes()
    shutil.rmtree("out/.hot2tf")
    status, _, err = run_command(command, "migrate")
    assert (status, all_bytes(), "Edited by hand, and left: stack: main.tf." in err) == (0, before, True)
    shutil.rmtree("out/.hot2tf")
    put(tmp_path, "src/stack.yaml", TEMPLATES["elsewhere"])
    assert run_command(command, "migrate")[0] == 0
    assert names_in(main) == ["mine", "two", "drei"]


def test_the_report_says_what_was_merged(command: Run, tmp_path: pathlib.Path) -> None:
    put(tmp_path, "src/stack.yaml", TEMPLATE)
    run_command(command, "convert")
    edit_output(pathlib.Path("out/main.tf"), "line")
    put(tmp_path, "src/stack.yaml", TEMPLATES["elsewhere"])
    run_command(command, "convert", "--report", "report.json")
    edits = json.loads(pathlib.Path("report.json").read_text())["edits"]
    assert edits == {"merged": ["main.tf"], "kept": [], "conflicts": []}


@pytest.mark.parametrize(
    "words",
    [
        ("convert", "src/stack.yaml", "--diff"),
        ("convert", "src/stack.yaml", "-o", "out", "--force", "--conflicts"),
        ("migrate", "src", "--diff"),
        ("migrate", "src", "out", "--force", "--conflicts"),
        ("migrate", "src", "out", "--diff", "--validate"),
    ],
)
def test_wrong_usage(words: tuple[str, ...], command: Run, tmp_path: pathlib.Path) -> None:
    put(tmp_path, "src/stack.yaml", TEMPLATE)
    assert command(*words).status == 2
    assert not pathlib.Path("out").exists()
