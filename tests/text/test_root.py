"""The files that a template may read: those of the repository around it, else of its own directory."""

from __future__ import annotations

import pathlib

import pytest

import transpile
from tests.conftest import Run
from transpile.text import source

TEMPLATE = "heat_template_version: 2021-04-16\noutputs: {o: {value: {get_file: %s}}}\n"


@pytest.fixture
def tree(tmp_path: pathlib.Path) -> pathlib.Path:
    """A repository with a template in `stacks/web`, a file beside it and one in `common`; a file outside."""
    (tmp_path / "repository" / "stacks" / "web").mkdir(parents=True)
    for name in ("repository/common", "repository/.git", "elsewhere"):
        (tmp_path / name).mkdir()
    for name in ("repository/stacks/web/a.txt", "repository/common/a.txt", "repository/.git/config", "elsewhere/a.txt"):
        (tmp_path / name).write_text("the content\n")
    return tmp_path / "repository" / "stacks" / "web"


def reads(folder: pathlib.Path, name: str, root: pathlib.Path | None = None) -> bool:
    """Whether a template gets a file."""
    (folder / "stack.yaml").write_text(TEMPLATE % name)
    done = transpile.convert(folder / "stack.yaml", root=root)
    assert {d.code for d in done.diagnostics} <= {"HOT581"}
    return not done.diagnostics


def test_the_repository_around_a_template_may_be_read(tree: pathlib.Path) -> None:
    assert reads(tree, "a.txt")
    assert reads(tree, "../../common/a.txt")
    assert not reads(tree, "../../common/a.txt", root=tree)


@pytest.mark.parametrize("name", ["../../../elsewhere/a.txt", "../../.git/config", "link/a.txt", "link.txt"])
def test_nothing_outside_of_it_and_nothing_of_git(name: str, tree: pathlib.Path) -> None:
    (tree / "link").symlink_to("../../../elsewhere")
    (tree / "link.txt").symlink_to("../../.git/config")
    assert not reads(tree, name)


def test_without_a_repository_only_the_directory_of_the_template(tree: pathlib.Path) -> None:
    (tree.parents[1] / ".git" / "config").unlink()
    (tree.parents[1] / ".git").rmdir()
    assert reads(tree, "a.txt")
    assert not reads(tree, "../../common/a.txt")


def test_a_home_directory_is_no_repository(tree: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some people keep their home directory in a repository; templates shall not read their keys."""
    assert source.find_repository(tree) == str(tree.parents[1])
    for home in (tree.parents[1], tree.parent):
        monkeypatch.setenv("HOME", str(home))
        assert source.find_repository(tree) == ""


def test_a_repository_inside_another_is_the_nearest(tree: pathlib.Path) -> None:
    (tree / ".git").write_text("gitdir: ../../.git/worktrees/web\n")
    assert source.find_repository(tree) == str(tree)
    assert not reads(tree, "../../common/a.txt")


def test_a_text_reads_nothing_unless_a_root_is_given(tree: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tree)
    done = transpile.convert(TEMPLATE % "a.txt")
    assert [d.code for d in done.diagnostics] == ["HOT581"]
    assert transpile.convert(TEMPLATE % "a.txt", root=tree).diagnostics == []


def test_the_hint_names_the_root_that_works(tree: pathlib.Path, command: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tree)
    (tree / "stack.yaml").write_text(TEMPLATE % "../../../elsewhere/a.txt")
    printed = command("convert", "stack.yaml").err
    assert "Use --root ../../.. to allow it" in printed
    assert "HOT581" not in command("convert", "stack.yaml", "--root", "../../..").err
    (tree / "stack.yaml").write_text(TEMPLATE % "/etc/hostname")
    assert "Use --allow /etc to allow it" in command("convert", "stack.yaml").err


def test_check_reads_the_same_files(tree: pathlib.Path, command: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """And names a file outside of the template's directory as the user would."""
    (tree.parents[1] / "common" / "nested.yaml").write_text("heat_template_version: 2021-04-16\nparameters: {a: }\n")
    types = "resources: {a: {type: ../../common/nested.yaml}}\n"
    (tree / "stack.yaml").write_text(f"heat_template_version: 2021-04-16\n{types}")
    monkeypatch.chdir(tree.parents[1])
    ended = command("check", "stacks/web/stack.yaml")
    assert ended.status == 1
    assert "common/nested.yaml:2:" in ended.err + ended.out
