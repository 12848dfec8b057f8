"""The .gitignore of a directory: git ignores Terraform's own files there, and nothing that hot2tf writes."""

from __future__ import annotations

import json
import pathlib
import shutil
import subprocess

import pytest

import transpile
from emitters.hcl.assemble import gitignore
from tests.support.cases import all_cases
from transpile.text import output

STACK = """
heat_template_version: 2018-08-31
resources:
  net: {type: OS::Neutron::Net}
"""
KEPT = (
    *(".terraform/providers/x", "modules/a/.terraform/x", "terraform.tfstate", "terraform.tfstate.backup"),
    *(".terraform.tfstate.lock.info", "web.tfplan", "secrets.auto.tfvars", "crash.log", "crash.123.log"),
    *("override.tf", "dev_override.tf"),
)


def ignored(folder: pathlib.Path, names: list[str]) -> set[str]:
    """The names that git ignores in a directory."""
    subprocess.run(["git", "init", "-q", str(folder)], check=True, capture_output=True)
    done = subprocess.run(
        ["git", "-C", str(folder), "check-ignore", "--no-index", "--stdin"],
        input="\n".join(names),
        capture_output=True,
        text=True,
        check=False,
    )
    return set(done.stdout.splitlines())


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not on the PATH")
def test_git_ignores_files_of_terraform_and_none_of_ours(tmp_path: pathlib.Path) -> None:
    every = {name for case in all_cases() for name in case.convert().files}
    mine = [".terraform.lock.hcl", "terraform.tfvars", "values.auto.tfvars", *sorted(every)]
    (tmp_path / gitignore.NAME).write_text(str(transpile.convert(STACK).files[gitignore.NAME]), encoding="utf-8")
    assert ignored(tmp_path, [*KEPT, *mine]) == set(KEPT)


def write(folder: pathlib.Path, done: transpile.Conversion) -> list[str]:
    target = transpile.targets.find_target("hcl")
    assert target.owns is not None
    left = output.find_foreign_files(folder, target.optional, target.owns)
    diagnostics = output.write_directory(folder, done.files, owns=target.owns, left=left)
    assert diagnostics == []
    return left


def test_one_of_the_users_stays(tmp_path: pathlib.Path) -> None:
    """The user's file stays even if the manifest lists it: its first line is not ours."""
    (tmp_path / ".gitignore").write_text("mine\n", encoding="utf-8")
    for _ in range(2):
        assert write(tmp_path, transpile.convert(STACK)) == [".gitignore"]
        assert (tmp_path / ".gitignore").read_text(encoding="utf-8") == "mine\n"
    listed = json.loads((tmp_path / ".hot2tf.json").read_text(encoding="utf-8"))
    assert ".gitignore" in listed["files"]


def test_ours_is_replaced_and_removed(tmp_path: pathlib.Path) -> None:
    assert write(tmp_path, transpile.convert(STACK)) == []
    assert write(tmp_path, transpile.convert(STACK, name="other.yaml")) == []
    assert "from other.yaml" in (tmp_path / ".gitignore").read_text(encoding="utf-8")
    assert write(tmp_path, transpile.convert(STACK, options={"content_names": True})) == []
    assert not (tmp_path / ".gitignore").exists()


def test_no_other_hidden_file_is_removed(tmp_path: pathlib.Path) -> None:
    """A manifest of a stranger names them; deep ones that are called .gitignore are not ours either."""
    text = "# Made by hot2tf: hot2tf convert x -o DIR\n"
    names = [".bashrc", "deep/.gitignore"]
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / ".hot2tf.json").write_text(
        json.dumps({"generator": "hot2tf", "files": dict.fromkeys(names, "0" * 64)}), encoding="utf-8"
    )
    target = transpile.targets.find_target("hcl")
    assert target.owns is not None
    diagnostics = output.write_directory(tmp_path, transpile.convert(STACK).files, owns=target.owns)
    assert [diagnostic.code for diagnostic in diagnostics] == ["HOT908", "HOT908"]
    assert all((tmp_path / name).read_text(encoding="utf-8") == text for name in names)


def test_a_migration_has_one_for_all_stacks() -> None:
    """The top directory has the file; a stack's own directory has none."""
    assert gitignore.NAME not in transpile.convert(STACK, options={"content_names": True}).files
    assert transpile.targets.find_target("hcl").ignored == gitignore.PATTERNS
