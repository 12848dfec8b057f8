"""Packages beside hot2tf: installed in a directory, used by a process, and entry points that lead to anything."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import sys
import tomllib
from typing import Any

from tests.conftest import Ended

ROOT = pathlib.Path(__file__).parents[2]


def install_package(package: pathlib.Path, module: str, where: pathlib.Path) -> None:
    """Installs a package as an installer would: its module, and the metadata that its pyproject.toml asks for. No
    build tool is needed, which a machine without network may not have.
    """
    project = tomllib.loads((package / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (shutil.copytree if (package / module).is_dir() else shutil.copy)(package / module, where / module)
    info = where / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    points = [
        f"[{group}]\n{name} = {to}\n" for group, all_ in project["entry-points"].items() for name, to in all_.items()
    ]
    (info / "entry_points.txt").write_text("\n".join(points))


class Installed:
    """The command in a process that has packages on its path. site: where they are installed; where: it runs there."""

    def __init__(self, site: pathlib.Path, where: pathlib.Path) -> None:
        self.site, self.where = site, where

    def run(self, *words: str) -> Ended:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(self.site), str(ROOT)])}
        command = [sys.executable, *words]
        done = subprocess.run(command, cwd=self.where, env=environment, capture_output=True, text=True, check=False)
        return Ended(done.returncode, done.stdout, done.stderr)

    def __call__(self, *words: str) -> Ended:
        return self.run("-m", "transpile.cli.process", *words)


class Entry:
    """An entry point that leads to something, or cannot be loaded."""

    def __init__(self, offered: Any, value: str) -> None:
        self.name, self.value, self.offered = "odd", value, offered

    def load(self) -> Any:
        if isinstance(self.offered, BaseException):
            raise self.offered
        return self.offered
