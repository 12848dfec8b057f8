"""The tutorial, as a person follows it: its own first command, then each further one in the same shell."""

from __future__ import annotations

import importlib.util
import os
import pathlib
import subprocess
import sys

import pytest

from tests.docs.blocks import ROOT, blocks

ELSEWHERE = ("needs", "not run")  # commands that need Terraform or a cloud


def list_commands(text: str) -> list[str]:
    """The commands that a reader types, in order: the block that makes the copy, then the lines behind a prompt."""
    shells = [block for block in blocks(text) if block.language == "sh"]
    commands = [shells[0].text.strip()]
    for block in blocks(text):
        if block.language == "console" and not any(word in block.directive_map for word in ELSEWHERE):
            commands += [line[2:] for line in block.text.splitlines() if line.startswith("$ ")]
    return commands


def test_it_works_as_printed(tmp_path: pathlib.Path) -> None:
    """The tutorial runs in a home of its own, with the installed hot2tf; only `check` on the repository with its
    mistakes may fail.
    """
    if importlib.util.find_spec("hot2tf") is None:
        pytest.skip("hot2tf is not installed here: pip install -e .")
    (tmp_path / "bin").mkdir()
    (tmp_path / "home").mkdir()
    program = tmp_path / "bin" / "hot2tf"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m hot2tf "$@"\n')
    program.chmod(0o755)
    lines = [f"{command} || echo 'FAILED: {' '.join(command.split()[:2])}' >&3" for command in
             list_commands((ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8"))]  # fmt: skip
    environment = {"HOME": str(tmp_path / "home"), "PATH": f"{program.parent}:{os.environ['PATH']}", "LANG": "C.UTF-8"}
    script = "exec 3>&1 >/dev/null 2>&1\n" + "\n".join(lines)
    ran = subprocess.run(["bash", "-c", script], cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert ran.stdout.splitlines() == ["FAILED: hot2tf check"]
    assert [path.name for path in (tmp_path / "home").iterdir()] == ["first-afternoon"]
