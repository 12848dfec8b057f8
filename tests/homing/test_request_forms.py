"""Forms that the specification or real requests have, and that HAS in its last version refuses: they are read."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import pytest

import transpile
from tests.conftest import Run
from transpile.homing import resolve
from transpile.homing.model import CapabilityProperties, HpaProperties, LinkedHomingTemplate, ZoneProperties
from transpile.model.budget import Budget
from transpile.model.source import Source
from transpile.text.source import Root

HEAD = """homing_template_version: "2017-10-10"
demands:
  web:
  - {inventory_provider: aai, inventory_type: cloud}
  db:
  - {inventory_provider: aai, inventory_type: cloud}
constraints:
"""
CLOUD = {"inventory_type": "cloud", "latitude": 40, "longitude": -74}


def linked(text: str, engine: str = "", root: Root | None = None) -> tuple[LinkedHomingTemplate, dict[str, str]]:
    """The template, and the severities of its findings by code."""
    template, diagnostics = resolve.load_homing_template(Source("homing.yaml", text, budget=Budget()), {}, root, engine)
    assert template is not None, diagnostics
    return template, {each.code: each.severity for each in diagnostics if each.severity != "info"}


@pytest.mark.parametrize(
    ("word", "category"), [("disaster_zone", "disaster"), ("time_zone", "time"), ("maintenance_zone", "maintenance")]
)
def test_names_of_zones_in_the_notes_of_the_specification(word: str, category: str) -> None:
    text = HEAD + f"  z: {{type: zone, demands: [web, db], properties: {{qualifier: same, category: {word}}}}}\n"
    template, severities = linked(text)
    assert template.constraints["z"].properties == ZoneProperties("same", category)
    assert severities == {"HOT883": "warning"}
    assert linked(text, "has")[1] == {"HOT883": "error"}
    rows = [{**CLOUD, "candidate_id": name, "zones": {category: name}} for name in ("a", "b")]
    answer = transpile.home(text, rows).answer
    assert answer is not None
    assert len({candidate.id for candidate in answer.solutions[0].assignment.values()}) == 1


def test_the_example_of_get_file(tmp_path: pathlib.Path) -> None:
    """The example has the type `capacity`, and no specification."""
    (tmp_path / "stack_template.yaml").write_text("heat_template_version: 2016-10-14\n", encoding="utf-8")
    text = HEAD + (
        "  check_for_fit:\n    type: capacity\n    demands: [web, db]\n    properties:\n"
        "      template: {get_file: stack_template.yaml}\n"
        "      environment: {get_file: http://hostname/environment.yaml}\n"
    )
    template, severities = linked(text, "", Root(tmp_path, tmp_path))
    properties = template.constraints["check_for_fit"].properties
    assert isinstance(properties, CapabilityProperties)
    assert (properties.specification, properties.stack is not None) == ("heat", True)
    assert "error" not in severities.values()
    _, diagnostics = resolve.load_homing_template(
        Source("homing.yaml", text, budget=Budget()), {}, Root(tmp_path, tmp_path)
    )
    assert any("the type capacity" in each.message for each in diagnostics if each.code == "HOT878")
    (tmp_path / "homing.yaml").write_text(text, encoding="utf-8")
    done = transpile.convert(tmp_path / "homing.yaml", to="tosca")
    assert done.ok
    assert "specification: heat" in str(done.files["main.yaml"])


def test_another_specification_is_an_error() -> None:
    text = HEAD + "  c: {type: capability, demands: [web], properties: {specification: tosca, template: x}}\n"
    template, diagnostics = resolve.load_homing_template(Source("homing.yaml", text, budget=Budget()))
    assert template is None
    assert [each.code for each in diagnostics if each.severity == "error"] == ["HOT876"]


def request(template: dict[str, Any], **members: Any) -> str:
    return json.dumps({"name": "request", "template": {"homing_template_version": "2017-10-10", **template}} | members)


DEMANDS = {"web": [{"inventory_provider": "aai", "inventory_type": "cloud"}]}


def test_the_number_of_solutions_in_a_request() -> None:
    text = request({"demands": DEMANDS}, num_solutions="all")
    _, diagnostics = resolve.load_homing_template(Source("request.json", text, budget=Budget()))
    assert [each.severity for each in diagnostics if each.code == "HOT896"] == ["info"]
    _, diagnostics = resolve.load_homing_template(Source("request.json", text, budget=Budget()), engine="has")
    assert [each.severity for each in diagnostics if each.code == "HOT896"] == ["error"]


def test_features_with_a_label_of_the_flavor() -> None:
    """Requests until 2018 have `flavorLabel` for `id`, and neither type nor directives nor mandatory."""
    sockets = {"hpa-attribute-key": "sockets", "hpa-attribute-value": "2", "operator": ">=", "unit": ""}
    feature = {"hpa-feature": "cpuTopology", "hpa-version": "v1", "architecture": "generic"}
    entry = {"flavorLabel": "label_1", "flavorProperties": [{**feature, "hpa-feature-attributes": [sockets]}]}
    rule = {"type": "hpa", "demands": ["web"], "properties": {"evaluate": [entry]}}
    text = request({"demands": DEMANDS, "constraints": {"h": rule}})
    template, severities = linked(text)
    assert severities == {"HOT883": "warning"}
    assert linked(text, "has")[1] == {"HOT883": "error"}
    properties = template.constraints["h"].properties
    assert isinstance(properties, HpaProperties)
    assert [(each.id, [own.mandatory for own in each.features]) for each in properties.entries] == [("label_1", [True])]
    own = {"hpa-attribute-key": "sockets", "hpa-attribute-value": '{"value": "4"}'}
    capability = {**feature, "hpa-feature-attributes": [own]}
    flavors = {"flavor": [{"hpa-capabilities": {"hpa-capability": [capability]}}]}
    rows = [{**CLOUD, "candidate_id": "without"}, {**CLOUD, "candidate_id": "with", "flavors": flavors}]
    answer = transpile.home(text, rows).answer
    assert answer is not None
    assert [candidate.id for candidate in answer.domains[0].candidates] == ["with"]


def test_an_entry_with_neither_an_id_nor_a_label_is_an_error() -> None:
    rule = {"type": "hpa", "demands": ["web"], "properties": {"evaluate": [{"flavorProperties": [{}]}]}}
    template, _ = resolve.load_homing_template(
        Source("request.json", request({"demands": DEMANDS, "constraints": {"h": rule}}), budget=Budget())
    )
    assert template is None


@pytest.mark.parametrize(("written", "cost"), [("50 USD", 50), ("50", 50), (50, 50), ("0.5USD", 0.5)])
def test_a_default_cost_in_dollars(written: Any, cost: float) -> None:
    demands = {"web": [{**DEMANDS["web"][0], "default_cost": written}]}
    text = request({"demands": demands})
    assert linked(text)[1] == {"HOT873": "warning"}
    answer = transpile.home(text, [{**CLOUD, "candidate_id": "a"}]).answer
    assert answer is not None
    assert answer.solutions[0].cost == cost


@pytest.mark.parametrize("written", ["< 50 USD", "50 km", "1-5 USD", "much"])
def test_values_that_are_no_costs_are_reported(written: str) -> None:
    demands = {"web": [{**DEMANDS["web"][0], "default_cost": written}]}
    assert linked(request({"demands": demands}))[1]["HOT871"] == "warning"


ADDRESS = """homing_template_version: "2017-10-10"
locations:
  office: {thoroughfare: ATT Way, locality: Bedminster, postal_code: 07921-2694}
demands:
  web:
  - {inventory_provider: aai, inventory_type: cloud}
optimization: {minimize: {sum: [{distance_between: [office, web]}]}}
"""


def test_the_inventory_says_where_an_address_is() -> None:
    """The inventory has the address by the name of the location, as the hint says."""
    rows = [{**CLOUD, "candidate_id": "a"}]
    refused = transpile.home(ADDRESS, rows)
    (error,) = [each for each in refused.diagnostics if each.code == "HOT848"]
    assert "locations: {office: {…}}" in error.hint
    stock = {"candidates": rows, "locations": {"office": {"latitude": 40, "longitude": -75}}}
    answer = transpile.home(ADDRESS, stock).answer
    assert answer is not None
    assert answer.solutions[0].value == pytest.approx(85.18, abs=0.01)
    done = transpile.convert(ADDRESS, to="hcl", options={"inventory": stock})
    assert "office" in str(done.files["terraform.tfvars"])
    assert "HOT848" not in [each.code for each in done.diagnostics]


def test_a_module_whose_values_lack_a_location_says_so() -> None:
    done = transpile.convert(ADDRESS, to="hcl", options={"inventory": [{**CLOUD, "candidate_id": "a"}]})
    (warning,) = [each for each in done.diagnostics if each.code == "HOT848"]
    assert (warning.severity, "terraform.tfvars lacks it" in warning.message) == ("warning", True)
    assert "office" not in str(done.files["terraform.tfvars"])
    open_ = transpile.convert(ADDRESS, to="hcl")
    assert "HOT848" not in [each.code for each in open_.diagnostics]


def test_a_file_without_its_version_is_told_all_kinds_of_versions() -> None:
    text = ADDRESS.partition("\n")[2]
    (error,) = [each for each in transpile.convert(text).diagnostics if each.severity == "error"]
    assert error.code == "HOT103"
    for key in ("heat_template_version", "AWSTemplateFormatVersion", "homing_template_version"):
        assert key in error.message


@pytest.mark.parametrize(
    "place",
    [
        "latitude: 1, longitude: 2}\nparameters: {x: %s}",
        "latitude: %s, longitude: 2}",
        "latitude: 1, longitude: 2, country: [a, {b: %s}]}",
        "latitude: 1, longitude: 2}\nconstraints:\n  c0: {type: distance_to_location, demands: [], properties: "
        "{distance: '< 2000 km', location: %s}}",
        "latitude: 1, longitude: 2}\nconstraints:\n  c0: {type: attribute, demands: [], properties: "
        "{evaluate: {a: [%s]}}}",
    ],
)
def test_a_number_with_too_many_digits_is_an_error_at_its_place(
    command: Run, tmp_path: pathlib.Path, place: str
) -> None:
    """5,000 digits: Python reads 4,300."""
    text = ADDRESS.replace(
        "thoroughfare: ATT Way, locality: Bedminster, postal_code: 07921-2694}", place % ("9" * 5000)
    )
    findings = [transpile.convert(text, to=to).diagnostics for to in ("hcl", "tosca", "homing")]
    for diagnostics in (transpile.home(text, []).diagnostics, *findings):
        assert {each.code for each in diagnostics if each.severity == "error"} == {"HOT110"}
    path = tmp_path / "homing.yaml"
    path.write_text(text, encoding="utf-8")
    status, _, err = command("fmt", str(path))
    assert (status != 0, "HOT110" in err, "HOT900" in err) == (True, True, False)
    assert path.read_text(encoding="utf-8") == text
