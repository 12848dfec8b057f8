"""The report on all stacks: the stacks that count as free of Heat, and the names after the migration."""

from __future__ import annotations

import json
import pathlib
from typing import Any

from tests.conftest import Run
from tests.support.files import write_files
from tests.support.repositories import put

READ = """\
heat_template_version: 2018-08-31
resources:
  disk: {type: OS::Cinder::Volume, properties: {size: 1}}
outputs:
  status: {value: {get_attr: [disk, status]}}
"""
OUTER = """\
heat_template_version: 2018-08-31
resources:
  inner: {type: server.yaml, properties: {network: deep}}
outputs:
  address: {value: {get_attr: [inner, address]}}
"""
TOP = """\
heat_template_version: 2018-08-31
resources:
  outer: {type: ../lib/outer.yaml}
outputs:
  address: {value: {get_attr: [outer, address]}}
"""


def report(command: Run, *options: str) -> dict[str, Any]:
    assert command("migrate", "src", "out", "--quiet", "--report", "r.json", *options).status == 0
    fleet_report: dict[str, Any] = json.loads(pathlib.Path("r.json").read_text(encoding="utf-8"))
    return fleet_report


def test_a_stack_that_only_reads_through_heat_needs_heat(src: pathlib.Path, command: Run) -> None:
    put(src, "read.yaml", READ)
    fleet_report = report(command)
    assert fleet_report["summary"]["without_heat"] == 4  # not read, nor waits
    (stack,) = [entry for entry in fleet_report["stacks"] if entry["output"] == "read"]
    assert stack["treatments"] == {"native": 1}
    assert stack["kept"] == [
        {"type": "OS::Cinder::Volume", "code": "HOT457", "why": "the provider does not read status", "resources": 1}
    ]
    (address,) = stack["report"]["heat"]
    kind, name = address.split(".")
    assert f'resource "{kind}" "{name}" {{' in pathlib.Path("out/read/main.tf").read_text(encoding="utf-8")
    (kept,) = [entry for entry in fleet_report["summary"]["kept_types"] if entry["type"] == "OS::Cinder::Volume"]
    assert kept == {"type": "OS::Cinder::Volume", "stacks": 1, "free_without": 1}


def test_modules_name_their_template_and_their_calls(src: pathlib.Path, command: Run) -> None:
    write_files(src, {"lib/outer.yaml": OUTER, "top/top.yaml": TOP})
    assert report(command)["modules"] == [
        {"module": "outer", "template": "lib/outer.yaml", "stacks": ["top/top"], "calls": ["server"]},
        {"module": "server", "template": "lib/server.yaml", "stacks": ["db/db", "top/top", "web/web"], "calls": []},
    ]


def test_reports_have_the_names_of_the_output(src: pathlib.Path, command: Run) -> None:
    write_files(src, {"lib/outer.yaml": OUTER, "top/top.yaml": TOP})
    for stack in report(command)["stacks"]:
        here = {path.name for path in pathlib.Path("out", stack["output"]).iterdir() if path.is_file()}
        assert {name for name in stack["report"]["files"] if "/" not in name} == here
        inner = stack["report"]
        while inner["modules"]:
            ((name, module),) = inner["modules"].items()
            assert pathlib.Path("out/modules", name, "main.tf").is_file()
            assert name in stack["modules"]
            assert (src / module["source"]).is_file()
            inner = module["report"]


def test_codes_count_diagnostics_and_stacks(src: pathlib.Path, command: Run) -> None:
    fleet_report = report(command)
    codes_by_stack = [[row["code"] for row in stack["report"]["diagnostics"]] for stack in fleet_report["stacks"]]
    counted = {
        code: (sum(codes.count(code) for codes in codes_by_stack), sum(code in codes for codes in codes_by_stack))
        for codes in codes_by_stack
        for code in codes
    }
    assert {row["code"]: (row["diagnostics"], row["stacks"]) for row in fleet_report["summary"]["codes"]} == counted
    assert len(counted) > 1
