"""The summary of a migration: failures with reasons, stacks that need Heat, and the next commands; equal in every
place.
"""

from __future__ import annotations

import json
import pathlib

import pytest

from tests.conftest import Ended, Run
from tests.support.repositories import ALONE, BROKEN, make, put, tree
from transpile.migrate.overview import group_causes

MISSING = "heat_template_version: 2018-08-31\nresources:\n  v: {type: OS::Heat::Value, properties: {value: %s}}\n"


@pytest.fixture
def src(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """A repository with two stacks that lack a file, and one with two mistakes, of which this is one."""
    monkeypatch.chdir(tmp_path)
    where = make(tmp_path / "src")
    put(where, "bad/one.yaml", MISSING % "{get_file: gone.sh}")
    put(
        where, "bad/two.yaml", MISSING % "{get_file: gone.sh}" + "  w: {type: OS::Neutron::Net, properties: {nam: n}}\n"
    )
    put(where, "bad/three.yaml", BROKEN)
    return where


def migrate(command: Run, *words: str) -> Ended:
    return command("migrate", "src", *words, "--progress", "none")


def test_failures_are_grouped_by_cause(src: pathlib.Path, command: Run) -> None:
    """The cause of most stacks that fail for nothing else comes first, with its first place from the working
    directory.
    """
    ended = migrate(command, "out")
    assert ended.status == 1
    lines = ended.err.splitlines()
    assert lines[0] == "8 stacks: 4 converted, 1 copied, 3 failed."
    assert lines[1] == "4 of 5 need no Heat; 1 shared module."
    assert lines[2].startswith("--prefer native frees 1 more. They need Heat because of OS::Heat::WaitCondition (1)")
    start = lines.index("To do (out/TODO.md has all, with places):")
    assert lines[start + 1 : start + 4] == [
        "  fix 2: problems that stop a conversion or a plan",
        "    bad/one.yaml:3: HOT206 get_file cannot include gone.sh: gone.sh does not exist. (and 1 more)",
        "    bad/three.yaml:3: HOT301 OS::Neutron::Net has no property nam. (and 1 more)",
    ]
    assert "    waits.yaml:3: HOT450" in ended.err
    assert [line.split("  #")[0].strip() for line in lines[lines.index("Next:") :]] == [
        "Next:",
        "hot2tf migrate src --diagnostics text",
        "hot2tf migrate src out --missing stub",
        "hot2tf migrate src out --prefer native",
    ]


def test_stacks_that_native_frees_are_free_after_it(src: pathlib.Path, command: Run) -> None:
    assert "5 of 5 need no Heat" in migrate(command, "out", "--prefer", "native").err


def test_a_second_run_reports_remaining_faults(src: pathlib.Path, command: Run) -> None:
    first = migrate(command, "out").err
    again = migrate(command, "out").err
    assert again.splitlines()[0] == "8 stacks: 5 unchanged, 3 failed."
    assert again.splitlines()[1:] == first.splitlines()[1:]


def test_without_a_destination_nothing_is_written(src: pathlib.Path, command: Run) -> None:
    before = tree(src.parent)
    ended = migrate(command)
    assert ended.status == 1
    assert ended.err.splitlines()[0] == "8 stacks: 4 converted, 1 copied, 3 failed."
    assert "hot2tf migrate src DEST " in ended.err
    assert tree(src.parent) == before
    for name in ("one", "two", "three"):
        (src / f"bad/{name}.yaml").unlink()
    assert migrate(command).status == 0


def test_the_list_and_the_summary_have_the_causes(src: pathlib.Path, command: Run) -> None:
    ended = migrate(command, "out", "--summary", "ticket.txt")
    assert pathlib.Path("ticket.txt").read_text() == ended.err
    places = "(`bad/one.yaml:3`, `bad/two.yaml:3`)"
    box = f"- [ ] HOT206 get_file cannot include gone.sh: gone.sh does not exist. {places} "
    assert box in pathlib.Path("out/TODO.md").read_text().replace("\\", "")
    assert (
        "[TODO.md](TODO.md) lists what you have to do**: fix 2, decide 1." in pathlib.Path("out/README.md").read_text()
    )


@pytest.mark.parametrize("form", ["concise", "github", "json", "gitlab", "junit", "sarif", "text", "grouped"])
def test_errors_come_in_every_form(form: str, src: pathlib.Path, command: Run) -> None:
    """On standard output, each once, with paths that a terminal and an editor can open."""
    ended = migrate(command, "--diagnostics", form)
    assert "HOT206" in ended.out
    assert "src/bad/one.yaml" in ended.out
    assert "3 failed." in ended.err


def test_the_json_has_every_finding_of_every_stack(src: pathlib.Path, command: Run) -> None:
    rows = json.loads(migrate(command, "--diagnostics", "json").out)
    errors = [(row["file"], row["line"], row["column"], row["code"]) for row in rows if row["severity"] == "error"]
    assert sorted(errors) == [
        ("src/bad/one.yaml", 3, 50, "HOT206"),
        ("src/bad/three.yaml", 3, 46, "HOT301"),
        ("src/bad/two.yaml", 3, 50, "HOT206"),
        ("src/bad/two.yaml", 4, 44, "HOT301"),
    ]
    assert any(row["severity"] == "info" for row in rows)
    assert "info" not in migrate(command, "--diagnostics", "concise").out
    assert " info " in migrate(command, "--diagnostics", "concise", "-v").out


def test_a_stack_that_could_not_be_written_is_not_counted_as_converted(src: pathlib.Path, command: Run) -> None:
    """The person's edit stays, and so does the status."""
    migrate(command, "out")
    main = pathlib.Path("out/net/alone/main.tf")
    main.write_text(main.read_text().replace('"n"', '"mine"'))
    put(src, "net/alone.yaml", ALONE.replace("name: n", "name: other"))
    migrate(command, "out")
    first = next(line for line in migrate(command, "out").err.splitlines() if line.startswith("8 stacks"))
    assert first == "8 stacks: 4 unchanged, 1 not written, 3 failed."


def test_causes_are_sorted_by_the_stacks_that_their_end_frees() -> None:
    causes = group_causes([["HOT301", "HOT206"], ["HOT301", "HOT206"], ["HOT217"]])
    assert [(cause.code, cause.stacks, cause.alone) for cause in causes] == [
        ("HOT217", 1, 1),
        ("HOT206", 2, 0),
        ("HOT301", 2, 0),
    ]


def test_placeholders_are_to_be_set(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, command: Run) -> None:
    monkeypatch.chdir(tmp_path)
    stack = (
        "heat_template_version: 2018-08-31\nparameters: {a: {type: string}, b: {type: string, default: TODO}}\n"
        "resources: {n: {type: OS::Neutron::Net, properties: {name: {get_param: a}, dns_domain: {get_param: b}}}}\n"
    )
    put(tmp_path / "src", "one.yaml", stack)
    put(tmp_path / "src", "one.env", "parameters: {a: <name>}\n")
    put(tmp_path / "src", "two.yaml", stack.replace("TODO", "x.org."))
    assert "  set 2: variables without a value\n    a, b\n" in migrate(command).err
    assert "  set 1: variables without a value\n    a\n" in migrate(command, "--placeholders", "keep").err


def test_a_stub_takes_the_place_of_a_missing_file(src: pathlib.Path, command: Run) -> None:
    """The stack that fails for nothing else is written, and the next commands no longer name the option."""
    ended = migrate(command, "out", "--missing", "stub", "--diagnostics", "text")
    assert ended.err.splitlines()[0] == "8 stacks: 5 converted, 1 copied, 2 failed."
    assert "src/bad/one.yaml:3:50: warning HOT206" in ended.out
    assert "exit 1" in (src.parent / "out/bad/one/files/gone.sh").read_text(encoding="utf-8")
    assert "--missing" not in ended.err


def test_environments_that_only_the_user_can_pair_are_named(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, command: Run
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("app", "db", "lb", "web"):
        put(tmp_path / "src", f"{name}.yaml", "heat_template_version: 2018-08-31\nresources: {s: {type: My::Part}}\n")
    put(tmp_path / "src", "part.yaml", ALONE)
    for name in ("one", "two"):
        put(tmp_path / "src", f"env/{name}.yaml", "resource_registry: {My::Part: ../part.yaml}\n")
    lines = migrate(command).err.splitlines()
    assert "    env/one.yaml: An environment is left out: it fits several templates. (and 1 more)" in lines
    assert any(line.strip().startswith("hot2tf migrate src --plan ") for line in lines)
