"""Tracked files are not ignored; the index of git is read in each of its versions."""

from __future__ import annotations

import pathlib
import shutil
import subprocess

import pytest

from transpile.repository.ignoring import IgnoreRules, read_tracked_paths

NAMES = ("top.yaml", "private/lib.yaml", "private/deep/er/a.yaml", f"{'long' * 30}/{'name' * 40}.yaml", "ünï/cödé.yaml")
needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def make_repository(folder: pathlib.Path, *arguments: str) -> None:
    for name in (*NAMES, "private/untracked.yaml"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("x")
    (folder / ".gitignore").write_text("private\nlong*\n")
    for command in (("init", "-q"), ("add", "-f", *NAMES), arguments):
        if command:
            subprocess.run(["git", *command], cwd=folder, check=True, capture_output=True)


@needs_git
@pytest.mark.parametrize("version", ["2", "3", "4"])
def test_the_index_names_tracked_files(version: str, tmp_path: pathlib.Path) -> None:
    make_repository(tmp_path, "update-index", "--index-version", version)
    if version != "2":  # an entry with more flags
        subprocess.run(["git", "add", "-N", "-f", "private/untracked.yaml"], cwd=tmp_path, check=True)
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=tmp_path, check=True, capture_output=True, text=True)
    files = {name for name in read_tracked_paths(str(tmp_path)) if not name.endswith("/")}
    assert files == set(listed.stdout.split("\0")) - {""}
    assert {"private/", "private/deep/", "private/deep/er/"} <= read_tracked_paths(str(tmp_path))


@needs_git
@pytest.mark.parametrize("inside", ["", "private"])
def test_tracked_files_are_not_left_out(inside: str, tmp_path: pathlib.Path) -> None:
    make_repository(tmp_path)
    rules = IgnoreRules(str(tmp_path / inside), ())
    own = rules.read_ignore_file(str(tmp_path / ".gitignore"), "") if not inside else None
    inner = [(0, own)] if own is not None else []
    for name in ("private/lib.yaml", "private/deep/", "private/deep/er/a.yaml"):
        assert not rules.is_left_out(name.removeprefix(f"{inside}/"), inner)
    if not inside:
        assert rules.is_left_out("private/untracked.yaml", inner)


@pytest.mark.parametrize("data", [b"", b"DIRC", b"DIRC\0\0\0\2\0\0\0\5", b"DIRC\0\0\0\x09\0\0\0\0", b"x" * 100])
def test_a_broken_index_tells_nothing(data: bytes, tmp_path: pathlib.Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "index").write_bytes(data)
    assert read_tracked_paths(str(tmp_path)) == frozenset()
