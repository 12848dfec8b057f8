"""The module for a homing template minimizes distance alone; with `--engine has` it adds the costs that HAS adds."""

from __future__ import annotations

import pathlib
from typing import Any

import pytest
import yaml

import transpile
from tests.support import oracles

TEXT = """homing_template_version: "2017-10-10"
locations:
  home: {latitude: 41.88, longitude: -87.63}
demands:
  web:
  - {inventory_provider: aai, inventory_type: cloud}
optimization: {minimize: {sum: [{product: [2, {distance_between: [home, web]}]}, {distance_between: [home, web]}]}}
"""
NEAR = {"candidate_id": "near", "inventory_type": "cloud", "latitude": 41.88, "longitude": -87.63}
FAR = {"candidate_id": "far", "inventory_type": "cloud", "latitude": 43.65, "longitude": -79.38}


def notes(done: transpile.Conversion) -> list[tuple[str, str]]:
    return [(each.code, each.severity) for each in done.diagnostics if "adds the cost" in each.message]


@pytest.mark.parametrize("engine", [{}, {"engine": "has"}])
@pytest.mark.parametrize(("cost", "severity"), [(5000, "warning"), (3, "info")])
def test_a_module_says_whether_the_costs_decide(engine: dict[str, str], cost: int, severity: str) -> None:
    rows = [{**NEAR, "cost": cost}, {**FAR, "cost": 1}]
    done = transpile.convert(TEXT, to="hcl", options={"inventory": rows, **engine})
    assert notes(done) == [("HOT885", severity)]
    assert ("adds the cost" in str(done.files["main.tf"])) is (severity == "warning")
    assert (".cost)" in str(done.files["locals.tf"]).partition("scores =")[2].partition("assignments_")[0]) is bool(
        engine
    )


def test_where_the_costs_are_zero_a_module_says_nothing() -> None:
    rows = [{**NEAR, "cost": 0}, {**FAR, "cost": 0}]
    assert notes(transpile.convert(TEXT, to="hcl", options={"inventory": rows})) == []


@pytest.mark.parametrize("target", ["hcl", "tosca"])
@pytest.mark.parametrize("engine", [{}, {"engine": "has"}])
def test_without_an_inventory_it_is_an_info(target: str, engine: dict[str, str]) -> None:
    assert notes(transpile.convert(TEXT, to=target, options=engine)) == [("HOT885", "info")]
    assert notes(transpile.convert(TEXT.partition("optimization")[0], to=target, options=engine)) == []


@pytest.mark.parametrize("version", ["1.3", "2.0"])
def test_the_policy_of_tosca_has_the_costs_for_has(version: str) -> None:
    """Each distance has a term with the cost and the same weight."""
    for engine in ({}, {"engine": "has"}):
        done = transpile.convert(TEXT, to="tosca", options={"tosca_version": version, **engine})
        document = yaml.safe_load(str(done.files["main.yaml"]))
        policies: list[dict[str, Any]] = document["service_template" if version == "2.0" else "topology_template"][
            "policies"
        ]
        (terms,) = [policy["optimization"]["properties"]["sum"] for policy in policies if "optimization" in policy]
        written = [(term["function"], term["weight"], term.get("attribute")) for term in terms]
        distances = [("distance_between", 2.0, None), ("distance_between", 1.0, None)]
        costs = [("attribute", weight, "cost") for _, weight, _ in distances]
        expected = [term for pair in zip(distances, costs, strict=True) for term in pair] if engine else distances
        assert written == expected


PLAIN = """homing_template_version: "2017-10-10"
demands:
  web:
  - {inventory_provider: aai, inventory_type: cloud}
constraints:
  c: {type: attribute, demands: [web], properties: {evaluate: {tier: gold}}}
"""


@oracles.needs_terraform
def test_a_module_compares_a_plain_value_where_its_candidates_have_the_column(tmp_path: pathlib.Path) -> None:
    """The module is made without an inventory, and runs with and without the column; without it, candidates are assumed
    to fit.
    """
    done = transpile.convert(PLAIN, to="hcl")
    (tmp_path / "placing").mkdir()
    for name, content in done.files.items():
        (tmp_path / "placing" / name).write_text(str(content), encoding="utf-8")
    row = '{} = {{ inventory_type = "cloud", location_id = "x", order = {}{} }}'
    calls = {
        "has": [row.format("a", 0, ', tier = "silver"'), row.format("b", 1, ', tier = "gold"')],
        "lacks": [row.format("a", 0, ""), row.format("b", 1, "")],
    }
    newline = "\n"
    text = "".join(
        f'module "{name}" {{\n source = "./placing"\n candidates = {{\n {newline.join(rows)}\n }}\n}}\n'
        f'output "{name}" {{\n value = module.{name}.placement["web"].id\n}}\n'
        for name, rows in calls.items()
    )
    (tmp_path / "main.tf").write_text(text, encoding="utf-8")
    assert not oracles.unformatted(tmp_path / "placing")
    oracles.run(tmp_path, "init", "-input=false")
    assert oracles.outputs(tmp_path) == {"has": "b", "lacks": "a"}
