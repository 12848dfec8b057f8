"""File names, values and arguments that are not UTF-8: every command ends in output or a diagnostic."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

import pytest

from tests.support.examples import sampled, thinned
from transpile.diagnostics.render import FORMS

BAD = os.fsdecode(b"caf\xe9")
TEMPLATE = """\
heat_template_version: 2021-04-16
parameters: {a: {type: string}}
resources: {n: {type: OS::Neutron::Net, properties: {nane: x}}}
"""
GOOD = "outputs: {}\nheat_template_version: 2021-04-16\ncapabilities: {a: b}\n"
COMMANDS = [
    ["check", f"{BAD}.yaml"],
    ["check", "."],
    ["convert", f"{BAD}.yaml"],
    ["convert", f"{BAD}_good.yaml", "-e", f"{BAD}.env"],
    ["convert", f"{BAD}_good.yaml", "-o", f"{BAD}/out", "--report", f"{BAD}.json"],
    ["convert", f"{BAD}_good.yaml", "--to", "tosca", "-o", f"{BAD}_out.yaml"],
    ["convert", f"{BAD}_good.yaml", "--to", "hot", "-o", f"{BAD}_out.hot"],
    ["convert", f"{BAD}_good.yaml", "--root", BAD, "--allow", BAD],
    ["convert", f"{BAD}_nowhere.yaml"],
    ["convert", f"{BAD}.yaml", "--parameter", f"a={BAD}", "--parameter", f"{BAD}=b"],
    ["fmt", "--check", f"{BAD}_good.yaml"],
    ["fmt", "--diff", "."],
    ["capabilities", "find", "-r", "-c", f"{BAD}={BAD}", "."],
    ["capabilities", "summary", f"{BAD}_good.yaml", "-e", f"{BAD}.env"],
]
OTHERS = [
    (["types", BAD], 1),
    (["explain", BAD], 1),
    ([BAD], 2),
    (["convert", f"--{BAD}"], 2),
    (["convert", "--to", BAD, f"{BAD}.yaml"], 2),
    (["convert", "--option", f"{BAD}=1", f"{BAD}.yaml"], 2),
]


def run(folder: pathlib.Path, *args: str) -> int:
    for name, text in {".yaml": TEMPLATE, "_good.yaml": GOOD, ".env": "parameters: {b: c}\n"}.items():
        (folder / f"{BAD}{name}").write_text(text)
    command = [sys.executable, "-m", "transpile.cli.process", *args]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    output = (done.stdout + done.stderr).decode()  # which is UTF-8
    assert "Traceback" not in output
    assert "HOT900" not in output
    return done.returncode


@pytest.mark.parametrize("form", sampled(thinned(FORMS, 3), len(FORMS)))
def test_names_that_are_not_utf_8(form: str, tmp_path: pathlib.Path) -> None:
    for command in COMMANDS:
        assert run(tmp_path, *command, "--diagnostics", form) in (0, 1), command


@pytest.mark.parametrize(("args", "status"), OTHERS)
def test_other_arguments_that_are_not_utf_8(args: list[str], status: int, tmp_path: pathlib.Path) -> None:
    assert run(tmp_path, *args) == status
