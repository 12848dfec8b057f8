"""Bytecode that one visit leaves to the next: it is used as it is, and nothing is compiled again."""

from __future__ import annotations

import io
import pathlib
import subprocess
import sys
import zipfile

from tests.support.files import write_files
from transpile.playground import bytecode

SHOW = "import sys; sys.path.insert(0, sys.argv[1]); import a.b; print(a.b.VALUE)"


def write_packages(folder: pathlib.Path, value: int) -> None:
    write_files(folder, {"a/__init__.py": "", "a/b.py": f"VALUE = {value}\n"})
    bytecode.settle_times(str(folder))


def run(folder: pathlib.Path) -> str:
    return subprocess.check_output([sys.executable, "-I", "-c", SHOW, str(folder)], text=True).strip()


def test_cached_bytecode_is_used(tmp_path: pathlib.Path) -> None:
    """Another value of the same length, under the old bytecode: Python believes that, and compiles nothing."""
    write_packages(tmp_path / "first", 1)
    assert run(tmp_path / "first") == "1"
    kept = bytecode.collect(str(tmp_path / "first"))
    assert bytecode.collect(str(tmp_path / "first")) == kept
    write_packages(tmp_path / "second", 2)
    with zipfile.ZipFile(io.BytesIO(kept)) as archive:
        assert sorted(name.split(".")[0] for name in archive.namelist()) == [
            "a/__pycache__/__init__",
            "a/__pycache__/b",
        ]
        archive.extractall(tmp_path / "second")
    assert run(tmp_path / "second") == "1"
