"""A baseline: an old repository is green from the first day, and new findings fail."""

from __future__ import annotations

import json
import pathlib

import pytest

from tests.conftest import Run
from transpile.checking import baseline

HOT = "heat_template_version: 2018-08-31\n"
WRONG = HOT + "resources:\n  n: {type: OS::Neutron::Net, properties: {nam: a}}\n"
AGAIN = "  m: {type: OS::Neutron::Net, properties: {nam: b}}\n"


@pytest.fixture
def repository(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """A repository with two files that have the same finding."""
    monkeypatch.chdir(tmp_path)
    for name in ("a.yaml", "sub/b.yaml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(WRONG)
    return tmp_path


def test_known_findings_are_counted_and_not_reported(repository: pathlib.Path, command: Run) -> None:
    written = command("check", ".", "--write-baseline", "known.json")
    assert (written.status, written.out, written.err) == (0, "", "2 findings in known.json.\n")
    ended = command("check", ".", "--baseline", "known.json")
    assert (ended.status, ended.out) == (0, "")
    assert ended.err == "2 files checked: 0 errors, 0 warnings, 2 in the baseline.\n"


def test_the_second_of_two_equal_findings_is_new(repository: pathlib.Path, command: Run) -> None:
    command("check", ".", "--write-baseline", "known.json")
    (repository / "a.yaml").write_text(WRONG + AGAIN)
    ended = command("check", ".", "--baseline", "known.json", "--diagnostics", "concise")
    assert (ended.status, len(ended.out.splitlines())) == (1, 1)


def test_a_baseline_holds_when_lines_move_and_from_any_directory(
    repository: pathlib.Path, command: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    command("check", ".", "--write-baseline", "known.json")
    (repository / "sub/b.yaml").write_text(WRONG.replace("resources:", "# a comment\n\nresources:"))
    monkeypatch.chdir(repository / "sub")
    assert command("check", "b.yaml", "--baseline", "../known.json").status == 0
    assert command("check", str(repository), "--baseline", str(repository / "known.json")).status == 0


def test_mended_findings_are_reported_for_the_checked_files(repository: pathlib.Path, command: Run) -> None:
    command("check", ".", "--write-baseline", "known.json")
    (repository / "a.yaml").write_text(WRONG.replace("nam:", "name:"))
    gone = "1 of the baseline no longer occurs"
    assert gone in command("check", ".", "--baseline", "known.json").err
    assert gone in command("check", "a.yaml", "--baseline", "known.json").err
    assert gone not in command("check", "sub", "--baseline", "known.json").err
    assert gone not in command("check", ".", "--baseline", "known.json", "--select", "HOT6").err


def test_the_configuration_names_the_baseline(repository: pathlib.Path, command: Run) -> None:
    assert command("check", ".", "--write-baseline", "known.json").status == 0
    (repository / "hot2tf.toml").write_text('baseline = "known.json"\n')
    assert command("check", ".").status == 0
    (repository / "a.yaml").write_text(WRONG + AGAIN)
    assert command("check", ".").status == 1
    assert command("check", ".", "--write-baseline", "known.json").status == 0  # it is written anew, with all findings
    assert command("check", ".").status == 0
    assert command("check", ".", "--isolated").status == 1


def test_a_file_that_cannot_be_read_is_in_no_baseline(repository: pathlib.Path, command: Run) -> None:
    """Nothing is known about it: its mistakes may be any."""
    (repository / "a.yaml").write_text(HOT + "resources: [\n")
    written = command("check", ".", "--write-baseline", "known.json")
    assert (written.status, "HOT101" in written.out) == (1, True)
    assert "HOT101" not in pathlib.Path("known.json").read_text()
    ended = command("check", ".", "--baseline", "known.json")
    assert (ended.status, "HOT101" in ended.out) == (1, True)


def test_all_forms_leave_out_known_findings(repository: pathlib.Path, command: Run) -> None:
    command("check", ".", "--write-baseline", "known.json")
    for form in ("json", "sarif", "github", "gitlab", "junit"):
        assert "HOT301" not in command("check", ".", "--baseline", "known.json", "--diagnostics", form).out
    assert command("check", ".", "--baseline", "known.json", "--statistics").out == ""


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"format": 2, "findings": {}}',
        '{"format": 1}',
        '{"format": 1, "findings": []}',
        '{"format": 1, "findings": {"a.yaml": 1}}',
        '{"format": 1, "findings": {"a.yaml": [{"code": "HOT301", "message": "m"}]}}',
        '{"format": 1, "findings": {"a.yaml": [{"code": "HOT301", "message": "m", "count": "1"}]}}',
        '{"format": 1, "findings": ' + "[" * 100_000,
    ],
)
def test_a_malformed_baseline_is_an_error(text: str, repository: pathlib.Path, command: Run) -> None:
    (repository / "known.json").write_text(text)
    ended = command("check", ".", "--baseline", "known.json")
    assert (ended.status, "HOT929" in ended.err, ended.out) == (1, True, "")


def test_a_missing_baseline_is_an_error(repository: pathlib.Path, command: Run) -> None:
    ended = command("check", ".", "--baseline", "known.json")
    assert (ended.status, "known.json does not exist" in ended.err) == (1, True)


@pytest.mark.parametrize("flag", ["--fix", "--diff", "--watch"])
def test_writing_a_baseline_goes_with_nothing_that_changes(flag: str, repository: pathlib.Path, command: Run) -> None:
    assert command("check", ".", "--write-baseline", "known.json", flag).status == 2
    assert not (repository / "known.json").exists()


def test_a_baseline_is_the_same_in_any_order(repository: pathlib.Path, command: Run) -> None:
    command("check", "a.yaml", "sub", "--write-baseline", "one.json")
    command("check", "sub", "a.yaml", "--write-baseline", "two.json")
    assert (repository / "one.json").read_bytes() == (repository / "two.json").read_bytes()
    assert json.loads((repository / "one.json").read_text())["findings"].keys() == {"a.yaml", "sub/b.yaml"}
    assert baseline.read_baseline("one.json").size == 2
