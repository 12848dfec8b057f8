"""hot2tf migrate --sarif: all diagnostics of all stacks, each once, at places in the source."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import jsonschema

from tests.conftest import Run
from tests.diagnostics.test_render import PART
from tests.support.repositories import BROKEN, put

PORT = """\
heat_template_version: 2018-08-31
resources:
  port: {type: OS::Neutron::Port, properties: {network: private}}
"""


def log(path: str) -> list[dict[str, Any]]:
    """The results of a log that keeps to the format; the rule that each names is the one at its index."""
    read = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    jsonschema.validate(read, PART)
    (run,) = read["runs"]
    results: list[dict[str, Any]] = run["results"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert rules == sorted({result["ruleId"] for result in results})
    assert all(rules[result["ruleIndex"]] == result["ruleId"] for result in results)
    return results


def place(result: dict[str, Any]) -> tuple[str, int]:
    (location,) = result["locations"]
    physical = location["physicalLocation"]
    return physical["artifactLocation"]["uri"], physical["region"]["startLine"]


def test_each_diagnostic_is_one_result(src: pathlib.Path, command: Run) -> None:
    put(src, "lib/server.yaml", (src / "lib/server.yaml").read_text().replace("cirros", "cirros, name: [a]"))
    put(src, "deep/er/broken one.yaml", BROKEN)
    put(src, "port.yaml", PORT)
    assert command("migrate", "src", "out", "--quiet", "--sarif", "all.sarif", "--report", "r.json").status == 1
    results = log("all.sarif")
    assert len({json.dumps(result) for result in results}) == len(results)
    assert ("HOT301", "deep/er/broken%20one.yaml", 3) in [(result["ruleId"], *place(result)) for result in results]
    nested = [result for result in results if "locations" in result and place(result)[0] == "lib/server.yaml"]
    rows = [
        row
        for stack in json.loads(pathlib.Path("r.json").read_text())["stacks"]
        for row in stack["report"]["diagnostics"]
        if row.get("file") == "lib/server.yaml"
    ]
    assert len(rows) == 2 * len(nested) > 0  # two stacks use it


def test_files_outside_the_source_have_relative_paths(tmp_path: pathlib.Path, command: Run) -> None:
    put(tmp_path, "lib/broken.yaml", BROKEN)
    put(tmp_path, "src/a/top.yaml", PORT.replace("OS::Neutron::Port", "../../lib/broken.yaml"))
    assert command("migrate", "src", "out", "--quiet", "--root", ".", "--sarif", "all.sarif").status == 1
    assert ("../lib/broken.yaml", 3) in [place(result) for result in log("all.sarif") if "locations" in result]


def test_without_diagnostics_the_log_is_empty(tmp_path: pathlib.Path, command: Run) -> None:
    put(
        tmp_path,
        "src/a.yaml",
        "heat_template_version: 2018-08-31\nresources: {n: {type: OS::Neutron::Net, properties: {name: n}}}\n",
    )
    assert command("migrate", "src", "out", "--quiet", "--sarif", "all.sarif").status == 0
    assert log("all.sarif") == []
