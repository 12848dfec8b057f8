"""A missing file of `get_file`: the diagnostic says where it was looked for, and a stub that fails may stand for it."""

from __future__ import annotations

import json
import pathlib
import subprocess

import pytest
import yaml

import transpile
from transpile.diagnostics import codes
from transpile.resolve.missing_files import make_stub

TEMPLATE = """\
heat_template_version: 2018-08-31
resources:
  server:
    type: OS::Nova::Server
    properties:
      image: debian
      flavor: small
      user_data_format: RAW
      user_data: {str_replace: {template: {get_file: scripts/boot.sh}, params: {$name: web}}}
  other:
    type: OS::Nova::Server
    properties: {image: debian, flavor: small, user_data_format: RAW, user_data: {get_file: scripts/boot.sh}}
"""


@pytest.fixture
def stack(tmp_path: pathlib.Path) -> pathlib.Path:
    path = tmp_path / "stacks/web.yaml"
    path.parent.mkdir()
    path.write_text(TEMPLATE, encoding="utf-8")
    return path


def test_a_missing_file_is_an_error_that_says_where_others_of_its_name_are(stack: pathlib.Path) -> None:
    root = stack.parent.parent
    first = transpile.convert(stack, root=root)
    assert not first.files
    errors = [d for d in first.diagnostics if d.code == codes.FILE_NOT_FOUND]
    assert [d.severity for d in errors] == ["error", "error"]
    assert errors[0].hint == ("It was looked for in stacks/scripts, and no file below the root has this name.")
    (root / "lib").mkdir()
    (root / "lib/boot.sh").write_text("#!/bin/sh\n", encoding="utf-8")
    second = transpile.convert(stack, root=root).diagnostics[0]
    assert second.hint == "It was looked for in stacks/scripts; there is lib/boot.sh."


def test_a_stub_stands_for_it_and_one_warning_says_so(stack: pathlib.Path) -> None:
    made = transpile.convert(stack, options={"missing": "stub"})
    assert made.ok, made.diagnostics
    warnings = [d for d in made.diagnostics if d.code == codes.FILE_NOT_FOUND]
    assert [(d.severity, d.source.start_and_end(d)[0] if d.source else 0) for d in warnings] == [("warning", 9)]
    text = made.files["files/scripts/boot.sh"]
    assert (text if isinstance(text, bytes) else text.encode()) == make_stub("scripts/boot.sh")
    assert str(made.files["main.tf"]).count("files/scripts/boot.sh") == 2


@pytest.mark.parametrize("name", ["boot.sh", "it's $(touch x) `id`\n; exit 0 #.sh", "ä.sh"])
def test_a_stub_fails_visibly_under_any_name(name: str, tmp_path: pathlib.Path) -> None:
    script = tmp_path / "stub"
    script.write_bytes(make_stub(name))
    ended = subprocess.run(["sh", str(script)], capture_output=True, check=False, cwd=tmp_path)
    assert ended.returncode == 1
    assert b"is missing" in ended.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["stub"]  # nothing in the name was run


def test_a_stub_is_no_data() -> None:
    with pytest.raises(json.JSONDecodeError):
        json.loads(make_stub("data.json"))
    try:
        data = yaml.safe_load(make_stub("data.yaml"))
    except yaml.YAMLError:
        return
    assert not isinstance(data, (dict, list))


def test_other_errors_of_get_file_stay_errors(stack: pathlib.Path) -> None:
    (stack.parent / "scripts/boot.sh").mkdir(parents=True)
    made = transpile.convert(stack, options={"missing": "stub"})
    assert {d.severity for d in made.diagnostics if d.code == codes.FILE_NOT_FOUND} == {"error"}


def test_a_missing_template_is_an_error(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "top.yaml"
    path.write_text("heat_template_version: 2018-08-31\nresources: {n: {type: nested.yaml}}\n", encoding="utf-8")
    made = transpile.convert(path, options={"missing": "stub"})
    assert [d.code for d in made.diagnostics if d.severity == "error"] == ["HOT215"]
