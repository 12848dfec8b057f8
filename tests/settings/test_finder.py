"""The configuration that holds for a file, and the settings in its sections."""

from __future__ import annotations

import os
import pathlib

import pytest

from tests.support.files import write_files
from transpile import settings
from transpile.settings import Finder, finder


def level(path: pathlib.Path, **how: object) -> str:
    return str(Finder(**how).for_file(path).get("level"))  # type: ignore[arg-type]


def test_the_nearest_one_holds_alone(tmp_path: pathlib.Path) -> None:
    write_files(
        tmp_path,
        {
            "hot2tf.toml": 'level = "create"\nstrict = true',
            "web/hot2tf.toml": 'prefer = "native"',
            "web/deep/er/a.yaml": "",
            "db/a.yaml": "",
        },
    )
    assert level(tmp_path / "db" / "a.yaml") == "create"
    near = Finder().for_file(tmp_path / "web/deep/er/a.yaml")
    assert (near.get("prefer"), near.get("strict"), near.get("level")) == ("native", False, "template")


def test_nothing_above_the_repository_is_looked_at(tmp_path: pathlib.Path) -> None:
    write_files(
        tmp_path, {"hot2tf.toml": 'level = "create"', "in/a.yaml": "", "repo/.git/config": "", "repo/x/a.yaml": ""}
    )
    assert level(tmp_path / "in/a.yaml") == "create"
    assert level(tmp_path / "repo/x/a.yaml") == "template"
    write_files(tmp_path, {"repo/hot2tf.toml": 'level = "create"'})
    assert level(tmp_path / "repo/x/a.yaml") == "create"


def test_hot2tf_toml_wins_over_pyproject_in_one_directory(tmp_path: pathlib.Path) -> None:
    write_files(tmp_path, {"pyproject.toml": '[tool.hot2tf]\nlevel = "create"'})
    assert level(tmp_path / "a.yaml") == "create"
    write_files(tmp_path, {"hot2tf.toml": ""})
    assert level(tmp_path / "a.yaml") == "template"


@pytest.mark.parametrize("text", ["[tool.other]\nx = 1", "not toml at all", "[project]\nname = 'hot2tf'", ""])
def test_a_pyproject_of_others_does_not_count(text: str, tmp_path: pathlib.Path) -> None:
    write_files(tmp_path, {"hot2tf.toml": 'level = "create"', "in/pyproject.toml": text, "in/a.yaml": ""})
    assert level(tmp_path / "in/a.yaml") == "create"


@pytest.mark.parametrize(
    "text",
    ['[tool]\nhot2tf = {level = "create"}', 'tool = {hot2tf = {level = "create"}}', '[tool."hot2tf"]\nlevel="create"'],
)
def test_all_spellings_of_the_table_count(text: str, tmp_path: pathlib.Path) -> None:
    write_files(tmp_path, {"pyproject.toml": text})
    assert level(tmp_path / "a.yaml") == "create"


def test_a_mistake_in_a_pyproject_has_its_place(tmp_path: pathlib.Path) -> None:
    write_files(tmp_path, {"pyproject.toml": "[project]\nname = 'x'\n[tool.hot2tf]\nlevel = 'all'\n"})
    (diagnostic,) = Finder().for_file(tmp_path / "a.yaml").diagnostics
    assert diagnostic.source is not None
    assert diagnostic.source.line_and_column(diagnostic.at) == (4, 9)


def test_a_named_one_holds_for_all_and_isolated_means_none(tmp_path: pathlib.Path) -> None:
    write_files(tmp_path, {"a/hot2tf.toml": 'level = "create"', "b/mine.toml": 'prefer = "native"'})
    file_settings = Finder(str(tmp_path / "b/mine.toml")).for_file(tmp_path / "a/x.yaml")
    assert (file_settings.get("level"), file_settings.get("prefer")) == ("template", "native")
    assert level(tmp_path / "a/x.yaml", isolated=True) == "template"


def test_a_configuration_of_another_user_is_not_used(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As git does with repositories. A file of the owner of the templates is used, whoever runs the command."""
    write_files(tmp_path, {"hot2tf.toml": 'level = "create"', "in/a.yaml": ""})
    real = os.stat
    monkeypatch.setattr(finder, "USER", os.lstat(tmp_path).st_uid + 1)
    assert level(tmp_path / "in/a.yaml") == "create"

    def other(path: str) -> os.stat_result:
        status = list(real(path))
        status[4] += 2
        return os.stat_result(status)

    monkeypatch.setattr(os, "stat", other)
    file_settings = Finder().for_file(tmp_path / "in/a.yaml")
    assert (file_settings.get("level"), [d.code for d in file_settings.diagnostics], file_settings.ok) == (
        "template",
        ["HOT928"],
        True,
    )


def test_later_sections_win_and_only_ignore_adds(tmp_path: pathlib.Path) -> None:
    write_files(
        tmp_path,
        {
            "env/a.yaml": "",
            "env/b.yaml": "",
            "hot2tf.toml": """
ignore = ["HOT6"]
environments = ["env/a.yaml"]
parameters = {x = "1", y = "1"}
[[overrides]]
paths = ["web/*.yaml"]
ignore = ["HOT4"]
environments = ["env/b.yaml"]
parameters = {y = "2"}
[[overrides]]
paths = ["web/one.yaml", "!web/two.yaml"]
environments = []
level = "create"
""",
        },
    )
    find = Finder().for_file
    outer, web, exact = find(tmp_path / "a.yaml"), find(tmp_path / "web/b.yaml"), find(tmp_path / "web/one.yaml")
    assert [pathlib.Path(p).name for p in outer.text_values("environments")] == ["a.yaml"]
    assert [pathlib.Path(p).name for p in web.text_values("environments")] == ["b.yaml"]
    assert exact.text_values("environments") == ()
    assert web.get("ignore") == ("HOT6", "HOT4")
    assert web.get("parameters") == {"x": "1", "y": "2"}
    assert [each.get("level") for each in (outer, web, exact)] == ["template", "template", "create"]
    assert [str(web.value_of("parameters").origin)[-2:], web.value_of("to").origin] == [":9", "default"]


def test_paths_are_relative_to_the_configuration(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_files(tmp_path, {"hot2tf.toml": 'environments = ["env/a.yaml"]', "env/a.yaml": "", "x/y/t.yaml": ""})
    monkeypatch.chdir(tmp_path / "x")
    (path,) = Finder().for_file("y/t.yaml").text_values("environments")
    assert path == str(pathlib.Path("..", "env", "a.yaml"))
    assert Finder().for_file("y/t.yaml").value_of("environments").origin == "../hot2tf.toml:1".replace("/", os.sep)


def test_others_win_over_a_configuration_and_maps_are_merged(tmp_path: pathlib.Path) -> None:
    write_files(tmp_path, {"hot2tf.toml": 'level = "create"\nkeep = ["A"]\nparameters = {a = "1", b = "1"}'})
    values_by_origin: dict[str, dict[str, object]] = {
        "VARIABLE": {"keep": ("V",), "prefer": "native"},
        "line": {"keep": ["L"], "parameters": {"b": "2"}, "level": None},
    }
    file_settings = Finder(values_by_origin=values_by_origin).for_file(tmp_path / "a.yaml")
    assert [file_settings.get(name) for name in ("level", "keep", "prefer")] == ["create", ["L"], "native"]
    assert file_settings.get("parameters") == {"a": "1", "b": "2"}
    assert [file_settings.value_of(name).origin for name in ("keep", "prefer")] == ["line", "VARIABLE"]


def test_the_function_for_others_reads_once_until_told_to_forget(tmp_path: pathlib.Path) -> None:
    settings.forget_configurations()
    write_files(tmp_path, {"hot2tf.toml": 'level = "create"'})
    assert settings.settings_for_file(tmp_path / "a.yaml").get("level") == "create"
    write_files(tmp_path, {"hot2tf.toml": ""})
    assert settings.settings_for_file(tmp_path / "b.yaml").get("level") == "create"
    settings.forget_configurations()
    assert settings.settings_for_file(tmp_path / "b.yaml").get("level") == "template"
