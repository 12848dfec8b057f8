"""The codes that a preference causes are known by their rules, and the summaries say what they change."""

from __future__ import annotations

import pathlib

import pytest

from tests.conftest import Run
from tests.support.repositories import put
from transpile.diagnostics import explain
from transpile.diagnostics.rules import RULES

STACK = """\
heat_template_version: 2021-04-16
parameters: {network: {type: string}, image: {type: string}}
resources:
  queue: {type: OS::Zaqar::Queue, properties: {name: q}}
  port: {type: OS::Neutron::Port, properties: {name: p, network: {get_param: network}}}
  server:
    type: OS::Nova::Server
    properties: {name: s, flavor: f, image: {get_param: image}, networks: [{port: {get_resource: port}}]}
"""
RESULT = """\
heat_template_version: 2018-08-31
resources:
  server: {type: OS::Nova::Server, properties: {image: i, flavor: f, networks: [{network: n}], user_data_format: %s}}
  config: {type: OS::Heat::SoftwareConfig, properties: {group: script, outputs: [{name: r}], config: "#!/bin/sh\\n"}}
  deploy:
    type: OS::Heat::SoftwareDeployment
    properties: {config: {get_resource: config}, server: {get_resource: server}}
outputs:
  r: {value: {get_attr: [deploy, r]}}
"""


@pytest.mark.parametrize("code", sorted(RULES))
def test_a_code_that_needs_a_preference_says_what_it_changes(code: str) -> None:
    """The explanation of such a code says so."""
    note = explain.find_explanation(code)
    words = f"{RULES[code].why} {note.note if note is not None else ''}"
    if "Only with --prefer" in words or RULES[code].why.startswith("With --prefer"):
        assert RULES[code].change


def test_convert_names_them_before_the_closing_lines(command: Run) -> None:
    pathlib.Path("stack.yaml").write_text(STACK)
    lines = command("convert", "stack.yaml", "--prefer", "native", "-o", "out").err.splitlines()
    start = lines.index("To do (out/TODO.md has all, with places):")
    assert lines[start + 1] == "  decide 1: differences from Heat, and rules that let everybody in"
    assert lines[start + 2].startswith("    stack.yaml:4: HOT589 queue (OS::Zaqar::Queue) is left out")
    assert lines[-3].startswith("3 resources: 2 native, 1 left out; ")
    assert lines[-1].startswith("Next: ")
    assert not any("HOT413" in line for line in lines), "infos are no tasks"
    assert "To do" not in command("convert", "stack.yaml", "--prefer", "native", "--quiet", "-o", "quiet").err


def test_a_lost_output_is_in_the_list_of_a_migration(command: Run, tmp_path: pathlib.Path) -> None:
    put(tmp_path / "src", "db.yaml", RESULT % "SOFTWARE_CONFIG")
    ended = command("migrate", str(tmp_path / "src"), "out", "--prefer", "native", "--progress", "none")
    assert "db.yaml:9: HOT513" in ended.err
    assert "HOT513" in pathlib.Path("out/TODO.md").read_text()


def test_equal_losses_of_many_stacks_are_one_line_with_all_places(command: Run, tmp_path: pathlib.Path) -> None:
    for name in ("one", "two"):
        put(tmp_path / "src", f"{name}/stack.yaml", STACK)
    command("migrate", str(tmp_path / "src"), "out", "--prefer", "native", "--progress", "none")
    (line,) = [line for line in pathlib.Path("out/TODO.md").read_text().splitlines() if "HOT589" in line]
    assert "(`one/stack.yaml:4`, `two/stack.yaml:4`)" in line
