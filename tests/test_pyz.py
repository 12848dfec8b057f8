"""`hot2tf.pyz`: one file that runs where nothing is installed, and writes the same output as the installed hot2tf."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import types
import zipfile

import pytest

import transpile
from tests.docs.blocks import ROOT
from tests.support.files import write_files

EXAMPLE = ROOT / "docs" / "example" / "stack.yaml"


def load_builder() -> types.ModuleType:
    spec = importlib.util.spec_from_file_location("pyz_builder", ROOT / ".ci" / "pyz.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


BUILDER = load_builder()


def installed_packages() -> dict[str, bytes]:
    """The Python files of the packages of the lock file, as they are installed here: the test has no network."""
    files = {}
    for name in re.findall(r"^([\w.-]+)==", BUILDER.LOCK.read_text(encoding="utf-8"), re.M):
        for path in importlib.metadata.files(name) or ():
            text = path.as_posix()
            left_out = text.startswith(("..", *BUILDER.WITHOUT)) or text.endswith(BUILDER.COMPILED)
            if not left_out and "__pycache__" not in text:
                files[text] = path.read_binary()
    return files


@pytest.fixture(scope="module")
def pyz(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    path = tmp_path_factory.mktemp("pyz") / "hot2tf.pyz"
    path.write_bytes(BUILDER.make_pyz({**installed_packages(), **BUILDER.own_files()}))
    return path


def run(pyz: pathlib.Path, cache: pathlib.Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Runs the file with Python's own modules alone: -I leaves out the environment and -S the installed packages."""
    command = [sys.executable, "-I", "-S", str(pyz), *words]
    env = {"HOT2TF_PYZ_CACHE": str(cache), "PATH": os.environ["PATH"], "HOME": str(cache)}
    return subprocess.run(command, env=env, capture_output=True, text=True, timeout=120, check=False)


def test_it_writes_the_same_as_the_installed_one(pyz: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """A second run finds the unpacked files of the first one. Terraform files that are there already are read, too."""
    write_files(tmp_path, {"out/mine.tf": 'variable "mine" {}\n'})
    for _ in range(2):
        done = run(pyz, tmp_path / "cache", "convert", str(EXAMPLE), "-o", str(tmp_path / "out"))
        assert done.returncode == 0, done.stderr
    for name, content in transpile.convert(EXAMPLE).files.items():
        if name.endswith(".tf"):
            written = (tmp_path / "out" / name).read_text(encoding="utf-8")
            assert written.split("\n")[1:] == str(content).split("\n")[1:], name  # the first line has the command
    assert len(list((tmp_path / "cache").iterdir())) == 1


def test_names_that_clash_are_found(pyz: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """The command reads Terraform by python-hcl2, which imports a package that the file does not contain."""
    write_files(tmp_path, {"out/mine.tf": 'variable "key_name" {}\n'})
    done = run(pyz, tmp_path / "cache", "convert", str(EXAMPLE), "-o", str(tmp_path / "out"))
    assert done.returncode == 1
    assert "var.key_name" in done.stderr


def test_patterns_run_in_processes(pyz: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """The process that guards them finds its modules, too: the finding says that the default does not match."""
    (tmp_path / "a.yaml").write_text(
        f"heat_template_version: 2018-08-31\nparameters:\n  a:\n    type: string\n    default: {'a' * 24}\n"
        "    constraints:\n      - allowed_pattern: (a|aa)*b\n"
    )
    done = run(pyz, tmp_path / "cache", "check", str(tmp_path / "a.yaml"))
    assert "HOT302" in done.stdout + done.stderr, done


def test_equal_checkouts_give_equal_bytes(pyz: pathlib.Path) -> None:
    again = BUILDER.make_pyz({**installed_packages(), **BUILDER.own_files()})
    assert pyz.read_bytes() == again
    with zipfile.ZipFile(pyz) as archive:
        assert not [name for name in archive.namelist() if name.endswith(BUILDER.COMPILED)]


def test_it_runs_without_a_cache(pyz: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """A cache that cannot be written: the file unpacks for this run alone."""
    (tmp_path / "cache").write_text("a file")
    done = run(pyz, tmp_path / "cache", "--version")
    assert done.stdout == f"hot2tf {transpile.__version__}\n", done.stderr
