"""Modules of homing templates make the same choice as `hot2tf home`, from the same inventory."""

from __future__ import annotations

import json
import pathlib
import random
import re
import shutil
from typing import Any

import pytest

import transpile
from tests.support import homing_modules, homing_templates, oracles

CASES = oracles.SHARED / "homing" / "solver_cases.jsonl"
ALL = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()] if CASES.is_file() else []
CANNOT: dict[str, str] = {}
NO_ASSIGNMENT = "No assignment meets all constraints. Left by the constraints on each demand alone: "


@pytest.mark.long
@oracles.needs_terraform
@pytest.mark.skipif(not ALL, reason="HOT2TF_SHARED leads to no homing problems")
def test_terraform_makes_the_choice_of_home(tmp_path: pathlib.Path) -> None:
    cases = [(case["id"].replace("-", "_"), case["template"], case["inventory"]) for case in ALL]
    done = homing_modules.directory(tmp_path, cases)
    assert {name for name, conversion in done.items() if not conversion.ok} == set(CANNOT)
    assert not oracles.unformatted(tmp_path.joinpath(cases[0][0]))
    choices = homing_modules.chosen(tmp_path)
    wrong = [text for case in cases if done[case[0]].ok and (text := difference(*case, choices[case[0]]))]
    assert not wrong, "\n".join(wrong)


@oracles.needs_terraform
def test_some_generated_templates_choose_the_same(tmp_path: pathlib.Path) -> None:
    """A sample of the cases of `python -m benchmarks.homing_choices`."""
    cases = [(f"case_{number}", *homing_templates.generated(random.Random(f"3 {number}"))) for number in range(16)]
    done = homing_modules.directory(tmp_path, cases)
    assert [name for name, conversion in done.items() if not conversion.ok] == []
    choices = homing_modules.chosen(tmp_path)
    assert [text for case in cases if (text := difference(*case, choices[case[0]]))] == []


@pytest.mark.long
@oracles.needs_terraform
@pytest.mark.parametrize(("seed", "engine"), [(0, ""), (1, ""), (2, "has")])
def test_generated_templates_choose_the_same(seed: int, engine: str, tmp_path: pathlib.Path) -> None:
    """Ties, contradictions and missing data included. A template that HAS refuses is not converted for it."""
    rng = random.Random(seed)
    cases = [(f"case_{number}", *homing_templates.generated(rng)) for number in range(60)]
    done = homing_modules.directory(tmp_path, cases, engine)
    if engine:
        assert sum(conversion.ok for conversion in done.values()) > 10
        cases = [case for case in cases if done[case[0]].ok]
    assert [conversion.diagnostics for name, conversion in done.items() if not conversion.ok and not engine] == []
    choices = homing_modules.chosen(tmp_path)
    wrong = [text for case in cases if (text := difference(*case, choices[case[0]], engine))]
    assert not wrong, "\n".join(wrong)
    assert sum(isinstance(choice, str) for choice in choices.values()) < len(cases) * 0.8


def difference(name: str, template: str, inventory: Any, choice: Any, engine: str = "") -> str:
    """The difference between terraform's choice and home's, and the variables that are left open."""
    answer = transpile.home(template, inventory, engine=engine).answer
    assert answer is not None
    left = {domain.demand.name: [each.id for each in domain.candidates] for domain in answer.domains}
    if isinstance(choice, str):
        lists = choice.removeprefix(NO_ASSIGNMENT).removesuffix(".")
        if lists == choice or answer.has_solution:
            return f"{name}: {choice}"
        return "" if json.loads(lists) == left else f"{name}: {lists} is left instead of {left}"
    if not answer.has_solution:
        return f"{name}: {choice} instead of no solution"
    best = answer.solutions[0]
    expected = {demand: candidate.id for demand, candidate in best.assignment.items()}
    has = {demand: candidate["id"] for demand, candidate in choice["placement"].items()}
    if has != expected:
        return f"{name}: {has} instead of {expected}"
    if choice["left"] != left:
        return f"{name}: {choice['left']} is left instead of {left}"
    if best.value is not None and choice["value"] != pytest.approx(best.value, abs=1e-6):
        return f"{name}: {choice['value']} instead of {best.value}"
    return ""


@oracles.needs_providers
def test_the_example_of_the_docs_plans_both_zones(tmp_path: pathlib.Path) -> None:
    """The files and commands of docs/homing.md, as they stand there."""
    docs = pathlib.Path(__file__).parents[2] / "docs"
    text = (docs / "homing.md").read_text(encoding="utf-8")
    shutil.copytree(docs / "example-homing", tmp_path, dirs_exist_ok=True)
    for name, content in re.findall(r"^`([\w.]+)`:\n\n```\w+\n(.*?)^```$", text, re.M | re.S):
        (tmp_path / name).write_text(content, encoding="utf-8")
    inventory = str(tmp_path / "inventory.yaml")
    for source, folder, options in (("homing", "placement", {"inventory": inventory}), ("stack", "service", {})):
        done = transpile.convert(tmp_path / f"{source}.yaml", to="hcl", options=options)
        (tmp_path / folder).mkdir()
        for name, content in done.files.items():
            where = tmp_path if name == "terraform.tfvars" else tmp_path / folder
            (where / name).write_text(str(content), encoding="utf-8")
    assert oracles.invalid(tmp_path) == []
    done_ = oracles.terraform(tmp_path, "plan", "-input=false", "-no-color")
    assert sorted(re.findall(r"\+ availability_zone += \"([\w-]+)\"", done_.stdout)) == ["chi-1", "tor-1"], done_.stderr
    answer = transpile.home(tmp_path / "homing.yaml", tmp_path / "inventory.yaml")
    assert answer.as_text() in text


ODD = 'a "${x}" %{y} \n z'


@oracles.needs_terraform
def test_names_are_data(tmp_path: pathlib.Path) -> None:
    """Names of demands, locations, parameters, columns and candidates may be any text."""
    cloud = [{"inventory_provider": "aai", "inventory_type": "cloud"}]
    tests = {"x-y é": {"any": ["${a}"]}, "null": {"gte": {"get_param": "count"}}, "order": {"eq": "1"}}
    far = {"distance": {"get_param": "p ${q}"}, "location": ODD}
    template = {
        "homing_template_version": "2017-10-10",
        "parameters": {"p ${q}": "< 50000 km", "count": 3, "candidates": 2},
        "locations": {ODD: {"latitude": 1, "longitude": 2}},
        "demands": {f"{ODD} d": cloud, "for": cloud},
        "constraints": {
            ODD: {"type": "distance_to_location", "demands": [f"{ODD} d", "for"], "properties": far},
            "objective": {"type": "attribute", "demands": ["for"], "properties": {"evaluate": tests}},
            "z": {
                "type": "zone",
                "demands": [f"{ODD} d", "for"],
                "properties": {"qualifier": "different", "category": "region"},
            },
        },
        "optimization": {
            "minimize": {"sum": [{"product": [{"get_param": "candidates"}, {"distance_between": [ODD, f"{ODD} d"]}]}]}
        },
    }
    rows = [
        {"candidate_id": f'c "{i}" ${{k}}', "inventory_type": "cloud", "latitude": i, "longitude": i}
        | {"x-y é": "${a}", "null": 5, "order": 1}
        for i in range(3)
    ]
    case = "odd", json.dumps(template), {"candidates": rows}
    done = homing_modules.directory(tmp_path, [case])
    assert done["odd"].ok
    assert not oracles.unformatted(tmp_path / "odd")
    assert difference(*case, homing_modules.chosen(tmp_path)["odd"]) == ""


def test_an_attribute_and_a_zone_of_one_name_are_different_columns() -> None:
    """The attribute `region` is the column of its name, the zone `region` is location_id, `disaster` disaster_zone."""
    cloud = [{"inventory_provider": "aai", "inventory_type": "cloud"}]
    zone = {"type": "zone", "demands": ["a", "b"]}
    template = {
        "homing_template_version": "2017-10-10",
        "demands": {"a": cloud, "b": cloud},
        "constraints": {
            "where": {"type": "attribute", "demands": ["a"], "properties": {"evaluate": {"region": {"any": ["east"]}}}},
            "apart": zone | {"properties": {"qualifier": "different", "category": "region"}},
            "safe": zone | {"properties": {"qualifier": "different", "category": "disaster"}},
        },
    }
    row = {"inventory_type": "cloud", "region": "east", "disaster_zone": "z"}
    rows = [row | {"candidate_id": name, "location_id": f"r{name}"} for name in "xy"]
    done = transpile.convert(json.dumps(template), options={"inventory": {"candidates": rows}})
    locals_ = str(done.files["locals.tf"])
    assert 'contains(["east"], c.region)' in locals_
    assert re.findall(r"\]\.(\w+) !=", locals_) == ["location_id", "disaster_zone"]


def test_candidates_of_a_heat_template_have_no_effect_and_that_is_said() -> None:
    stack = "heat_template_version: 2021-04-16\nresources: {}\n"
    done = transpile.convert(stack, options={"inventory": {"candidates": []}})
    assert [diagnostic.code for diagnostic in done.diagnostics] == ["HOT859"]


@pytest.mark.parametrize(("regions", "code"), [(9, "HOT855"), (4, "HOT857")])
def test_a_large_part_has_its_choice_computed(regions: int, code: str) -> None:
    """Five demands in different regions, nine sites: 59,049 assignments are not listed. None fits into four regions."""
    demand = [{"inventory_provider": "aai", "inventory_type": "cloud"}]
    names = [f"d{number}" for number in range(5)]
    apart = {"type": "zone", "demands": names, "properties": {"qualifier": "different", "category": "region"}}
    template = {
        "homing_template_version": "2017-10-10",
        "demands": dict.fromkeys(names, demand),
        "constraints": {"apart": apart},
    }
    rows = [
        {"candidate_id": f"s{number}", "inventory_type": "cloud", "location_id": f"r{number % regions}"}
        for number in range(9)
    ]
    done = transpile.convert(json.dumps(template), options={"inventory": {"candidates": rows}})
    assert [d.severity for d in done.diagnostics if d.code == code] == ["warning"]
    assert "setproduct" not in str(done.files["locals.tf"])
    sites = ["s0", "s1", "s2", "s3", "s4"] if regions == 9 else []
    assert re.findall(r"d\d = \"(s\d)\"", str(done.files["variables.tf"])) == sites


def test_an_inventory_that_cannot_be_read_is_named(tmp_path: pathlib.Path) -> None:
    template = {"homing_template_version": "2017-10-10", "demands": {"d": [{"inventory_provider": "aai"}]}}
    done = transpile.convert(json.dumps(template), options={"inventory": tmp_path / "none.yaml"})
    assert ("HOT113", "The file cannot be read: none.yaml does not exist.") in [
        (d.code, d.message) for d in done.diagnostics
    ]
