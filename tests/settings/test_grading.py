"""Findings as a configuration wants them: chosen, ignored, and as severe as it says."""

from __future__ import annotations

import pathlib

import pytest

from tests.support.files import write_files
from transpile.diagnostics import explain
from transpile.diagnostics.model import Diagnostic
from transpile.model.budget import Budget
from transpile.model.source import Source
from transpile.settings import Finder, GradedDiagnostics, grade_diagnostics, grading

WARNINGS = ("HOT401", "HOT411", "HOT601", "HOT602")  # HOT411 is an info
ERROR, UNREAD = "HOT201", "HOT101"


def result(
    folder: pathlib.Path, config: str, *codes: str, command: str = "check", file: str = "web/a.yaml"
) -> GradedDiagnostics:
    """Grades findings in a file of a repository by a configuration."""
    (folder / "hot2tf.toml").write_text(config)
    path = folder / file
    path.parent.mkdir(exist_ok=True)
    finder = Finder()
    source = Source(str(path), "text", budget=Budget())
    return grade_diagnostics(
        [Diagnostic(code, code, source) for code in codes], finder.for_file(path), command, finder=finder
    )


def kept(folder: pathlib.Path, config: str, *codes: str, command: str = "check") -> list[str]:
    return [d.code for d in result(folder, config, *codes, command=command).kept]


@pytest.mark.parametrize(
    ("config", "left"),
    [
        ("", WARNINGS),
        ('ignore = ["HOT6"]', ("HOT401", "HOT411")),
        ('ignore = ["HOT6", "HOT411"]', ("HOT401",)),
        ('ignore = ["ALL"]', ()),
        ('select = ["HOT6"]', ("HOT601", "HOT602")),
        ('select = ["HOT6"]\nignore = ["HOT601"]', ("HOT602",)),
        ('select = ["HOT601"]\nignore = ["HOT6"]', ("HOT601",)),
        ('select = ["HOT601"]\nignore = ["HOT601"]', ()),
        ("select = []", ()),
        ('[per-file-ignores]\n"web/*" = ["HOT4"]', ("HOT601", "HOT602")),
        ('[per-file-ignores]\n"*.hot" = ["HOT4"]\n"/a.yaml" = ["HOT6"]', WARNINGS),
        ('[[overrides]]\npaths = ["web/"]\nignore = ["HOT6"]', ("HOT401", "HOT411")),
        ('[[overrides]]\npaths = ["db/"]\nignore = ["HOT6"]', WARNINGS),
    ],
)
def test_selected_codes(config: str, left: tuple[str, ...], tmp_path: pathlib.Path) -> None:
    assert tuple(kept(tmp_path, config, *WARNINGS)) == left


def test_ignored_findings_are_counted(tmp_path: pathlib.Path) -> None:
    assert result(tmp_path, 'ignore = ["HOT6"]', "HOT601", "HOT601", "HOT602", "HOT401").ignored == {
        "HOT601": 2,
        "HOT602": 1,
    }


def test_severities_are_those_that_the_longest_beginning_says(tmp_path: pathlib.Path) -> None:
    done = result(tmp_path, 'severity = {HOT6 = "error", HOT602 = "info"}', *WARNINGS)
    assert [d.severity for d in done.kept] == ["warning", "info", "error", "info"]


def test_check_can_ignore_an_error_and_others_cannot(tmp_path: pathlib.Path) -> None:
    """The output of a conversion would be wrong. A note at its place names the finding that was ignored in vain."""
    config = f'ignore = ["{ERROR}"]\nseverity = {{{ERROR} = "info"}}'
    assert kept(tmp_path, config, ERROR) == []
    for command in ("convert", "adopt", "graph"):
        done = result(tmp_path, config, ERROR, command=command)
        assert [(d.code, d.severity) for d in done.kept] == [(ERROR, "error"), ("HOT927", "info")]
        note = done.kept[1]
        assert note.source is not None
        assert note.source.text[note.at : note.end] == f'["{ERROR}"]'
        assert done.ignored == {}


def test_a_finding_that_prevents_reading_is_always_shown(tmp_path: pathlib.Path) -> None:
    assert kept(tmp_path, 'ignore = ["ALL"]\nseverity = {HOT101 = "info"}\nselect = []', UNREAD) == [UNREAD]


def test_findings_in_other_files_follow_the_settings_there(tmp_path: pathlib.Path) -> None:
    """A nested template has the same findings, whoever uses it."""
    write_files(tmp_path, {"lib/hot2tf.toml": 'ignore = ["HOT601"]', "hot2tf.toml": 'ignore = ["HOT602"]'})
    finder = Finder()
    diagnostics = [
        Diagnostic(c, c, Source(str(tmp_path / f), "", budget=Budget()))
        for c in ("HOT601", "HOT602")
        for f in ("a", "lib/a")
    ]
    done = grade_diagnostics(diagnostics, finder.for_file(tmp_path / "a"), "check", finder=finder)
    assert [(d.code, pathlib.Path(d.source.name).parent.name) for d in done.kept if d.source] == [
        ("HOT601", tmp_path.name),
        ("HOT602", "lib"),
    ]


def test_a_command_line_replaces_the_ignored_codes(tmp_path: pathlib.Path) -> None:
    (tmp_path / "hot2tf.toml").write_text('ignore = ["HOT6"]')
    settings = Finder(values_by_origin={"command line": {"ignore": ("HOT4",)}}).for_file(tmp_path / "a")
    diagnostics = [Diagnostic(code, code) for code in WARNINGS]
    assert [d.code for d in grade_diagnostics(diagnostics, settings, "check").kept] == ["HOT601", "HOT602"]


def test_check_finds_the_codes_that_comments_should_ignore_for_it() -> None:
    """Each example that `check` runs shows a code that it finds."""
    beginnings, others = grading.FOUND["check"]
    for explanation in explain.list_explanations():
        if (
            explanation.wrong is not None
            and explanation.wrong.command == "check"
            and not explanation.code.startswith("HOT9")
        ):
            assert explanation.code.startswith(beginnings), explanation.code
            assert explanation.code not in others, explanation.code
