"""The session of the playground: the same bytes as the command that it names, and refusals in words."""

from __future__ import annotations

import io
import json
import pathlib
import shlex
import zipfile
from typing import Any

import pytest

from tests.conftest import Run
from tests.support.cases import Case, all_cases
from tests.support.playground import SAMPLE, request_of_case
from transpile import targets
from transpile.guarded import process
from transpile.playground.command import command_line, describe_switches
from transpile.playground.session import PlaygroundSession, as_bytes
from transpile.settings.table import CONVERT, OF_TARGETS, OPTIONS
from transpile.text.base_store import BASE

CASES = [(case, target) for case in all_cases() for target in case.targets]
STACK = "heat_template_version: 2018-08-31\nresources:\n  net: {type: OS::Neutron::Net}\n"


@pytest.fixture
def session(tmp_path: pathlib.Path) -> PlaygroundSession:
    return PlaygroundSession(tmp_path / "session")


def ask(session: PlaygroundSession, request: dict[str, Any]) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(session.answer(json.dumps(request)))
    process.answer_in_this_process(False)
    return answer


def write_input(folder: pathlib.Path, files: dict[str, Any]) -> None:
    (folder / ".git").mkdir()
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(as_bytes(content))


def read_output(folder: pathlib.Path, written: dict[str, Any]) -> dict[str, bytes]:
    """The files that a command wrote as `out`, by the names of the conversion."""
    if (folder / "out").is_file():
        first = next(iter(written))
        beside = folder / "out.files"
        files = {f"out.files/{p.relative_to(beside).as_posix()}": p for p in beside.rglob("*") if p.is_file()}
        return {first: (folder / "out").read_bytes(), **{name: path.read_bytes() for name, path in files.items()}}
    paths = [path for path in (folder / "out").rglob("*") if path.is_file() and BASE not in path.parts]
    return {path.relative_to(folder / "out").as_posix(): path.read_bytes() for path in paths if path.name != BASE}


@pytest.mark.parametrize(
    ("case", "target"),
    [
        pytest.param(*case, id=f"{case[0].name}-{case[1]}", marks=() if case[0].name in SAMPLE else pytest.mark.long)
        for case in CASES
    ],
)
def test_the_command_of_the_page_writes_the_files_of_the_page(
    case: Case, target: str, session: PlaygroundSession, command: Run, tmp_path: pathlib.Path
) -> None:
    """For every golden case: the command that the page shows, run on the same folder, writes the same bytes."""
    request = request_of_case(case, target)
    answer = ask(session, request)
    assert answer["ok"], answer
    write_input(tmp_path, request["files"])
    values = tmp_path / "values.json"  # --render takes texts, or a file with other values
    words = shlex.split(command_line({**request, "render": None}))[1:]
    if request["render"] is not None:
        values.write_text(json.dumps(request["render"]))
        words += ["--render", str(values)]
    done = command(*words)
    assert done.status == 0, done.err
    assert read_output(tmp_path, answer["files"]) == {name: as_bytes(c) for name, c in answer["files"].items()}


def test_the_archive_has_the_files(session: PlaygroundSession) -> None:
    answer = ask(session, {"files": {"stack.yaml": STACK}, "template": "stack.yaml"})
    archive = session.archive()
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        files = {name: opened.read(name).decode() for name in opened.namelist()}
    assert files == {f"out/{name}": content for name, content in answer["files"].items()}
    assert session.archive() == archive


def test_lines_on_both_sides_belong_to_a_resource(session: PlaygroundSession) -> None:
    """A template in a folder: its links and diagnostics name it by its path in the page."""
    answer = ask(session, {"files": {"a/stack.yaml": STACK}, "template": "a/stack.yaml"})
    (item,) = answer["items"]
    assert (item["kind"], item["name"]) == ("resource", "net")
    assert item["place"] == {"file": "a/stack.yaml", "first": 3, "last": 3}
    (place,) = item["to"]
    lines = answer["files"][place["file"]].split("\n")
    assert lines[place["first"] - 1] == 'resource "openstack_networking_network_v2" "net" {'
    assert lines[place["last"] - 1] == "}"
    assert [d["path"] for d in answer["diagnostics"]] == ["a/stack.yaml"]
    assert all(d["title"] and d["why"] for d in answer["diagnostics"])


def test_a_template_with_errors_has_diagnostics_and_no_files(session: PlaygroundSession) -> None:
    answer = ask(session, {"files": {"stack.yaml": "heat_template_version: ["}, "template": "stack.yaml"})
    assert (answer["ok"], answer["files"], answer["items"]) == (False, {}, [])
    assert answer["diagnostics"][0]["code"] == "HOT101"


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        ({"files": {"../x": ""}, "template": "../x"}, "../x is no name of a file"),
        ({"files": {"/etc/x": ""}, "template": "/etc/x"}, "/etc/x is no name of a file"),
        ({"files": {".git/config": "", "a": ""}, "template": "a"}, ".git/config is no name of a file"),
        ({"files": {"a": ""}, "template": "b"}, "There is no file b"),
        ({"files": {"a": ""}, "template": "a", "options": {"to": "no"}}, "no"),
        ({"files": {"a": ""}, "template": "a", "options": {"prefer": "no"}}, "prefer takes faithful"),
        ({"files": {"a": ""}, "template": "a", "options": {"allow": ["/"]}}, "does not know the option allow"),
        ({"files": {"a": ""}, "template": "a", "options": {"root": "/"}}, "does not know the option root"),
    ],
)
def test_impossible_requests_are_refused_in_words(
    session: PlaygroundSession, request_: dict[str, Any], words: str
) -> None:
    assert words in ask(session, request_)["refused"]


def test_nothing_of_an_earlier_request_is_left(session: PlaygroundSession) -> None:
    text = STACK.replace("OS::Neutron::Net}", "OS::Heat::SoftwareConfig, properties: {config: {get_file: x.sh}}}")
    assert ask(session, {"files": {"a.yaml": text, "x.sh": "true"}, "template": "a.yaml"})["ok"]
    assert not ask(session, {"files": {"a.yaml": text}, "template": "a.yaml"})["ok"]


def test_an_archive_is_no_text(session: PlaygroundSession) -> None:
    request = {"files": {"a.yaml": STACK}, "template": "a.yaml", "options": {"to": "tosca", "csar": True}}
    answer = ask(session, request)
    (content,) = answer["files"].values()
    assert as_bytes(content)[:2] == b"PK"


def test_every_option_of_a_target_is_a_switch() -> None:
    """An option that `convert` gets later becomes a switch by itself."""
    names = {row["name"] for row in describe_switches()["switches"]}
    asked = {row.field for row in OPTIONS if row.field in OF_TARGETS and CONVERT in row.commands}
    assert names == {name for name in asked if any(takes(target, name) for target in targets.BUILT_IN)}


def takes(target: str, name: str) -> bool:
    return name in targets.find_target(target).options_by_name


def test_requests_are_answered_here_only_for_a_caller_that_can_end_this_process(
    session: PlaygroundSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without processes, as in a browser: a pattern that may take long is compared if the page guards the worker, and
    is left out with a diagnostic if not.
    """

    def refuse(*_: Any, **__: Any) -> None:
        raise OSError("there are no processes")

    monkeypatch.setattr(process, "GuardedProcess", refuse)
    monkeypatch.setattr(process, "_idle", {})
    text = (
        "heat_template_version: 2018-08-31\nparameters:\n  name:\n    type: string\n    default: NAME\n"
        "    constraints:\n      - allowed_pattern: (a|aa)*b\n"
    ).replace("NAME", "a" * 24)
    request = {"files": {"a.yaml": text}, "template": "a.yaml"}
    compared = [d["code"] for d in ask(session, {**request, "guarded": True})["diagnostics"]]
    left_out = [d["code"] for d in ask(session, request)["diagnostics"]]
    assert (compared, left_out) == (["HOT302"], ["HOT119"])
