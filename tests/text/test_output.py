"""Output files: nothing of others is touched, nothing is written through links, and no end of a run blocks the next."""

from __future__ import annotations

import json
import os
import pathlib
from functools import partial
from typing import Any

import pytest

from tests.support import forks
from tests.support.files import write_files
from transpile.text import manifest, output, places

pytestmark = pytest.mark.skipif(os.name != "posix", reason="links, pipes and processes of POSIX")

OLD = {"main.tf": "# hot2tf\nold\n", "same.tf": "# hot2tf\n", "files/a.sh": "# hot2tf\n", "m/x/y.tf": "# hot2tf 1\n"}
NEW = {"main.tf": "# hot2tf\nnew\n", "same.tf": "# hot2tf\n", "m/z.tf": "# hot2tf 2\n", "data.tf": "# hot2tf\n"}


def listed(files: dict[str, str]) -> dict[str, str]:
    return {**files, manifest.MANIFEST: manifest.print_manifest(files)}


def tree(where: pathlib.Path) -> dict[str, str]:
    """All files of a folder: links by their targets, directories as such."""
    return {
        str(path.relative_to(where)): str(path.readlink())
        if path.is_symlink()
        else path.read_text()
        if path.is_file()
        else ""
        for path in sorted(where.rglob("*"))
    }


def codes(where: pathlib.Path, files: dict[str, str], **more: Any) -> list[str]:
    return [d.code for d in output.write_directory(where, files, **more)]


# killed and failed runs

STEPS = [(os, name) for name in ("open", "replace", "unlink", "mkdir", "rmdir", "chmod")]


@pytest.mark.parametrize("before", [None, OLD], ids=["first run", "second run"])
def test_after_a_kill_at_any_step_the_next_run_ends_as_if_undisturbed(
    before: dict[str, str] | None, tmp_path: pathlib.Path
) -> None:
    def fresh(name: str) -> pathlib.Path:
        where = tmp_path / name
        if before is not None:
            assert output.write_directory(where, listed(before)) == []
        return where

    calm = fresh("calm")
    assert output.write_directory(calm, listed(NEW)) == []
    step = 1
    while True:
        where = fresh(str(step))
        if not forks.is_killed_at(step, STEPS, partial(output.write_directory, where, listed(NEW)), after=True):
            break
        for files in (NEW, OLD, NEW):  # the next run may be of another version of the template
            assert output.write_directory(where, listed(files)) == []
        assert tree(where) == tree(calm)
        step += 1
    assert step > 20


def test_after_a_failure_at_any_step_the_next_run_ends_as_if_undisturbed(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk, say. The failure is told."""

    def full() -> None:
        raise OSError(28, "No space left on device", "somewhere")

    calm = tmp_path / "calm"
    for files in (OLD, NEW):
        output.write_directory(calm, listed(files))
    failures = 0
    for step in range(1, 60):
        where = tmp_path / str(step)
        output.write_directory(where, listed(OLD))
        with monkeypatch.context() as patch:
            forks.stop_at(step, STEPS, full, after=True, change=patch.setattr)
            diagnostics = output.write_directory(where, listed(NEW))
        failures += [d.code for d in diagnostics] == ["HOT902"]
        assert output.write_directory(where, listed(NEW)) == []
        assert tree(where) == tree(calm)
    assert failures > 20


def test_files_beside_a_killed_run_of_one_file_are_completed(tmp_path: pathlib.Path) -> None:
    files = {"service.yaml": "a: 1\n", "service.files/x.sh": "echo\n"}
    for step in range(1, 40):
        where = tmp_path / str(step) / "service.yaml"
        forks.is_killed_at(step, STEPS, partial(output.write_file_set, where, files), after=True)
        assert output.write_file_set(where, files) == []
        assert tree(where.parent) == {"service.files": "", **dict(sorted(files.items()))}


# links, pipes and devices


def test_nothing_is_written_through_a_link(tmp_path: pathlib.Path) -> None:
    """The link may be at the end of a path or on the way, within the directory or out of it, dangling or not."""
    for number, (link, target) in enumerate(
        [
            ("main.tf", "../victim/new"),
            ("main.tf", "same.tf"),
            ("m", "../victim"),
            ("m", "files"),
            (".hot2tf.json", "../victim/new"),
        ]
    ):
        where = tmp_path / str(number) / "out"
        (where / "files").mkdir(parents=True)
        (where.parent / "victim").mkdir()
        (where / link).symlink_to(target)
        for force in (False, True):
            before = tree(where.parent)
            assert set(codes(where, listed(NEW), force=force)) == {"HOT902"}
            assert tree(where.parent) == before


@pytest.mark.parametrize("target", ["../victim", "../victim/nothing"])
def test_one_file_and_those_beside_it_are_not_written_through_links(target: str, tmp_path: pathlib.Path) -> None:
    where = tmp_path / "out"
    for folder in (where, tmp_path / "victim"):
        folder.mkdir()
    (where / "service.files").symlink_to(target)
    files = {"service.yaml": "a: 1\n", "service.files/authorized_keys": "mine\n"}
    for force in (False, True):
        diagnostics = output.write_file_set(where / "service.yaml", files, force=force)
        assert [d.code for d in diagnostics] == ["HOT902"]
    (where / "service.files").unlink()
    (where / "service.yaml").symlink_to(target)
    assert [d.code for d in output.write_file_set(where / "service.yaml", files)] == ["HOT902"]
    assert tree(tmp_path / "victim") == {}


@pytest.mark.parametrize("name", ["main.tf", ".hot2tf.json", "files/a.sh"])
def test_a_pipe_does_not_hang_it(name: str, tmp_path: pathlib.Path) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    os.mkfifo(path)
    for force in (False, True):
        assert codes(tmp_path, listed(OLD), force=force) == ["HOT902"]
    assert [p for p in tmp_path.rglob("*") if p.is_file()] == []


def test_a_path_that_leads_through_a_link_is_refused_unless_it_ends_with_a_slash(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    pathlib.Path("real/deep").mkdir(parents=True)
    pathlib.Path("link").symlink_to("real")
    pathlib.Path("nowhere").symlink_to("elsewhere")
    for named in ("link", "link/deep", "nowhere", str(tmp_path / "link"), "link/new"):
        diagnostic = output.refuse_links(named)
        assert diagnostic is not None
        assert diagnostic.code == "HOT902"
    for named in ("link/", "real/deep", "new", str(tmp_path / "link" / "deep")):
        assert output.refuse_links(named) is None


# manifests that lie


def test_files_of_others_are_neither_removed_nor_replaced(tmp_path: pathlib.Path) -> None:
    mine = {".git/HEAD": "ref\n", "backend.tf": "mine\n", "sub/.terraform/lock": "# hot2tf\n", "main.tf": "mine\n"}
    write_files(tmp_path, mine)
    forged = {**mine, "../outside": "", "/etc/passwd": "", "a\0b": ""}
    (tmp_path / manifest.MANIFEST).write_text(manifest.print_manifest(forged))
    before = tree(tmp_path)
    assert codes(tmp_path, listed(NEW)) == ["HOT901"]  # main.tf has no first line of ours
    assert tree(tmp_path) == before
    (tmp_path / "main.tf").unlink()
    diagnostics = output.write_directory(tmp_path, listed(NEW))
    assert {d.code for d in diagnostics} == {"HOT908"}
    assert {d.severity for d in diagnostics} == {"warning"}
    assert len(diagnostics) == len(forged) - 1
    after = tree(tmp_path)
    assert {name: after[name] for name in mine if name != "main.tf"} == {
        k: v for k, v in mine.items() if k != "main.tf"
    }


@pytest.mark.parametrize(
    "content",
    [
        b"\0",
        b"[" * 100_000,
        b'{"files": {"\\ud800": "x"}}',
        b'{"files": 1}',
        b'{"files": {}, "before": 1}',
        b"\xff",
        b'{"files": {"main.tf": ["x"]}}',
    ],
)
def test_a_broken_manifest_is_none(content: bytes, tmp_path: pathlib.Path) -> None:
    (tmp_path / manifest.MANIFEST).write_bytes(content)
    assert codes(tmp_path, listed(NEW)) in ([], ["HOT908"])
    assert json.loads((tmp_path / manifest.MANIFEST).read_text())["files"].keys() == NEW.keys()


def test_permissions_of_a_replaced_file_are_kept(tmp_path: pathlib.Path) -> None:
    (tmp_path / "a.yaml").write_text("old")
    (tmp_path / "a.yaml").chmod(0o640)
    assert output.replace_file(tmp_path / "a.yaml", "new") is None
    assert ((tmp_path / "a.yaml").read_text(), (tmp_path / "a.yaml").stat().st_mode & 0o777) == ("new", 0o640)


def test_a_file_that_another_process_writes_is_not_taken_from_it(tmp_path: pathlib.Path) -> None:
    """Two runs write the same file at once: both files appear whole, one after the other, and nothing is left."""
    path = tmp_path / "a"
    with places.open_replacement(path) as first:
        first.write("first")
        places.write_atomically(path, b"second")
        assert path.read_bytes() == b"second"
    assert path.read_bytes() == b"first"
    assert [entry.name for entry in tmp_path.iterdir()] == ["a"]


def test_the_unfinished_file_of_a_killed_run_is_replaced(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "a"
    places.temporary_path(path).write_bytes(b"half")
    places.write_atomically(path, b"whole")
    assert [(entry.name, entry.read_bytes()) for entry in tmp_path.iterdir()] == [("a", b"whole")]
