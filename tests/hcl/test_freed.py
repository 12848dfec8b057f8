"""Resources that another preference frees by the report: the conversion with that preference has them outside Heat.

The report asks the plan of that preference and writes nothing, so this converts again and compares.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

import transpile
from emitters.hcl import attempts
from emitters.hcl.attempt import Attempt
from emitters.hcl.unit import Unit
from tests.support.cases import Case, template_cases

GROUP = """heat_template_version: 2018-08-31
resources:
  group:
    type: OS::Heat::AutoScalingGroup
    properties:
      min_size: 1
      max_size: 3
      resource:
        type: MEMBER
        properties: {}
"""


def freed(case: Case) -> dict[str, list[str]]:
    path = case.folder / "hcl.report.json"
    report = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    names: dict[str, list[str]] = report.get("freed", {})
    return names


@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in template_cases() if freed(case)])
def test_freed_resources_are_outside_heat_with_the_preference(case: Case) -> None:
    for preference, names in freed(case).items():
        result = transpile.convert(
            case.input,
            prefer=preference,
            environments=case.environments,
            parameters=case.parameters,
            plugin_dirs=case.plugin_dirs,
            options={"verify": "off"},
        )
        assert result.ok
        staying = {name for name, row in result.report["resources"].items() if row["treatment"] == "embedded"}
        assert staying.isdisjoint(names), preference


@pytest.mark.parametrize(("member", "expected"), [("OS::Nova::KeyPair", True), ("Cloud::Custom::Type", False)])
def test_a_group_is_freed_only_if_its_members_can_be_repeated(member: str, expected: bool) -> None:
    text = GROUP.replace("MEMBER", member)
    report = transpile.convert(text).report
    assert ("group" in report.get("freed", {}).get("native", ())) is expected
    with_preference = transpile.convert(text, prefer="native").report["resources"]["group"]
    assert (with_preference["treatment"] != "embedded") is expected


def test_nothing_is_written_to_find_out(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []

    def record(unit: Unit) -> Attempt:
        written.append(unit.policy.prefer)
        return Attempt(unit)

    patched: Any = attempts
    monkeypatch.setattr(patched, "Attempt", record)
    report = transpile.convert(GROUP.replace("MEMBER", "OS::Nova::KeyPair")).report
    assert report["freed"]["native"] == ["group"]
    assert written == ["faithful"]
