"""`hot2tf home` and `transpile.home`: decisions, assumptions, and diagnostics of bad input."""

from __future__ import annotations

import json
import pathlib
from collections.abc import Callable
from typing import Any

import pytest
import yaml

import transpile
from tests.conftest import Run
from transpile.homing import comparison, evaluation, inventory
from transpile.homing.distance import GeoPoint, PointSet, great_circle_kilometres, make_limit
from transpile.homing.expressions import FlavorScore
from transpile.homing.home import WrongAssumption
from transpile.model.budget import Budget

CHICAGO = {"candidate_id": "chicago", "inventory_type": "cloud", "latitude": 41.88, "longitude": -87.63}
DALLAS = {"candidate_id": "dallas", "inventory_type": "cloud", "latitude": 32.78, "longitude": -96.8}
TORONTO = {"candidate_id": "toronto", "inventory_type": "cloud", "latitude": 43.65, "longitude": -79.38}
EVERY = [CHICAGO, DALLAS, TORONTO]


def template(constraints: str = "", *, demands: str = "web", more: str = "", optimization: str = "") -> str:
    text = 'homing_template_version: "2017-10-10"\nlocations:\n  home: {latitude: 41.88, longitude: -87.63}\ndemands:\n'
    for name in demands.split():
        text += f"  {name}:\n  - {{inventory_provider: aai, inventory_type: cloud{more}}}\n"
    return text + (f"constraints:\n{constraints}" if constraints else "") + optimization


def evaluated(evaluate: str, data: list[dict[str, Any]]) -> list[str]:
    """The candidates that an attribute constraint leaves."""
    rule = f"  c:\n    type: attribute\n    demands: [web]\n    properties:\n      evaluate: {evaluate}\n"
    placement = transpile.home(template(rule), data)
    assert placement.answer is not None, placement.diagnostics
    return [candidate.id for candidate in placement.answer.domains[0].candidates]


def codes(placement: transpile.Placement) -> list[str]:
    return [diagnostic.code for diagnostic in placement.diagnostics if diagnostic.code < "HOT850"]


# decisions by the inventory


@pytest.mark.parametrize(
    ("evaluate", "left"),
    [
        ("{tier: {eq: 2}}", ["dallas"]),
        ('{tier: {eq: "2"}}', ["dallas"]),
        ("{tier: {ne: 2}}", ["chicago", "toronto"]),
        ("{tier: {gt: 1.5}}", ["dallas"]),
        ("{tier: {lte: 2, gte: 1}}", ["chicago", "dallas"]),
        ("{kind: {regex: /^SRIOV$/i}}", ["chicago"]),
        ("{kind: {regex: RIO}}", ["dallas"]),
        ("{kind: {any: [sriov, other]}}", ["chicago"]),
        ("{tags: {any: [a]}}", ["chicago", "dallas"]),
        ("{tags: {all: [a, b]}}", ["dallas"]),
        ("{country: {any: [USA]}}", ["chicago", "dallas"]),
    ],
)
def test_operators_of_attributes(evaluate: str, left: list[str]) -> None:
    """The operators are those of the texts; a candidate that lacks the attribute passes `ne` alone."""
    data = [
        CHICAGO | {"tier": 1, "kind": "sriov", "tags": ["a"], "country": "USA"},
        DALLAS | {"tier": "2", "kind": "SRIOV2", "tags": ["b", "a"], "country": "USA"},
        TORONTO | {"country": "CAN"},
    ]
    assert evaluated(evaluate, data) == left


COLUMNS: dict[str, Any] = {
    "text": "dpdk", "list": ["dpdk"], "lists": ["dpdk", "sriov"], "none": [], "missing": None, "map": {"dpdk": 1},
    "whole": 2, "float": 2.0, "number": "2.0", "numbers": [1, "2"], "yes": True, "true": "True", "flag": [True],
}  # fmt: skip


@pytest.mark.parametrize(
    ("test", "passing"),
    [
        ("{eq: dpdk}", "text list"),
        ("{ne: dpdk}", "lists none missing map whole float number numbers yes true flag"),
        ("{any: [dpdk, other]}", "text list lists"),
        ("{any: []}", "text list lists none whole float number numbers yes true flag"),
        ("{all: [dpdk, sriov]}", "lists"),
        ("{all: [dpdk]}", "text list lists"),
        ("{eq: 2}", "whole float number"),
        ('{eq: "2"}', "whole float number"),
        ("{any: [2]}", "whole float number numbers"),
        ("{gte: 2}", "whole float number"),
        ("{eq: true}", "yes true flag"),
        ('{any: ["TRUE"]}', "yes true flag"),
        ("{eq: 1}", ""),
        ("{eq: [dpdk, sriov]}", "lists"),
        ("{eq: [dpdk]}", "text list"),
        ("{eq: {dpdk: 1}}", "map"),
        ("{eq: null}", ""),
        ("{regex: ^dp}", "text list"),
        ("{regex: ^true$}", "yes flag"),
    ],
)
def test_the_table_of_comparisons(test: str, passing: str) -> None:
    """A value is the same as a list of it alone; any and all look into lists; a boolean is no number."""
    data = [{**CHICAGO, "candidate_id": name, "c": value} for name, value in COLUMNS.items()]
    assert " ".join(evaluated(f"{{c: {test}}}", data)) == passing


PLAIN = "  c: {type: attribute, demands: [web], properties: {evaluate: {country: CAN}}}\n"


def chosen(placement: transpile.Placement, demand: str = "web") -> str:
    assert placement.answer is not None, placement.diagnostics
    return placement.answer.solutions[0].assignment[demand].id


@pytest.mark.parametrize("assume", ["fit", "unfit"])
@pytest.mark.parametrize("column", ["column", "attributes"])
def test_a_plain_value_is_compared_where_the_inventory_has_the_column(assume: str, column: str) -> None:
    """A plain value means eq. `--assume` decides nothing then, and a candidate that lacks the value does not pass."""
    rows = [CHICAGO | {"country": "USA"}, DALLAS, TORONTO | {"country": "CAN"}]
    if column == "attributes":
        rows = [CHICAGO | {"attributes": {"country": "USA"}}, DALLAS, TORONTO | {"attributes": {"country": "CAN"}}]
    placement = transpile.home(template(PLAIN), rows, assume=assume)
    assert placement.answer is not None
    assert [candidate.id for candidate in placement.answer.domains[0].candidates] == ["toronto"]
    assert codes(placement) == []


def test_a_plain_value_of_no_column_is_assumed() -> None:
    fit, unfit = (transpile.home(template(PLAIN), [CHICAGO, TORONTO], assume=how) for how in ("fit", "unfit"))
    assert fit.answer is not None
    assert len(fit.answer.domains[0].candidates) == 2
    assert codes(fit) == ["HOT845", "HOT849"]
    assert not unfit.ok


def test_has_ignores_tests_that_it_does_not_evaluate() -> None:
    """A plain value, an operator of the texts, and an attribute that HAS does not know; it evaluates the last one."""
    rows = [CHICAGO | {"country": "USA", "tier": 1}, TORONTO | {"country": "CAN", "tier": 2}]
    for evaluate in ("{country: CAN}", "{country: {eq: CAN}}", "{tier: {any: [2]}}"):
        rule = f"  c: {{type: attribute, demands: [web], properties: {{evaluate: {evaluate}}}}}\n"
        assert chosen(transpile.home(template(rule), rows)) == "toronto", evaluate
        assert chosen(transpile.home(template(rule), rows, engine="has")) == "chicago", evaluate
    known = "  c: {type: attribute, demands: [web], properties: {evaluate: {country: {any: [CAN]}}}}\n"
    assert chosen(transpile.home(template(known), rows, engine="has")) == "toronto"


# the objective: distance alone, or with the cost that HAS adds

NEAREST = "optimization: {minimize: {sum: [{distance_between: [home, web]}]}}\n"


def difference(placement: transpile.Placement) -> list[tuple[str, str]]:
    """The severity and the message of the diagnostic about costs."""
    return [(each.severity, each.message) for each in placement.diagnostics if "adds the cost" in each.message]


def test_distance_alone_decides_and_the_choice_of_has_is_reported() -> None:
    """Chicago is where the customer is, and costs 2000; Toronto is 701 km away and costs 1."""
    rows = [CHICAGO | {"cost": 2000}, TORONTO | {"cost": 1}]
    text, engine = (transpile.home(template(optimization=NEAREST), rows, engine=how) for how in ("", "has"))
    assert (chosen(text), chosen(engine)) == ("chicago", "toronto")
    assert text.answer is not None
    assert engine.answer is not None
    assert text.answer.solutions[0].value == 0
    assert engine.answer.solutions[0].value == pytest.approx(702.294, abs=0.001)
    ((severity, message),) = difference(text)
    assert (severity, "would choose toronto for web" in message) == ("warning", True)
    ((severity, message),) = difference(engine)
    assert (severity, "the best is chicago for web" in message) == ("warning", True)


def test_another_value_of_the_same_choice_is_an_info() -> None:
    rows = [CHICAGO | {"cost": 5}, TORONTO | {"cost": 1}]
    text, engine = (transpile.home(template(optimization=NEAREST), rows, engine=how) for how in ("", "has"))
    assert (chosen(text), chosen(engine)) == ("chicago", "chicago")
    ((severity, message),) = difference(text)
    assert (severity, message.endswith("with the value 5.")) == ("info", True)
    ((severity, message),) = difference(engine)
    assert (severity, message.endswith("with the value 0.")) == ("info", True)


def test_where_costs_decide_nothing_nothing_is_reported() -> None:
    """Costs of zero, no objective, no solution, and the new arrangement, in which HAS adds nothing."""
    free = [CHICAGO | {"cost": 0}, TORONTO | {"cost": 0}]
    assert difference(transpile.home(template(optimization=NEAREST), free)) == []
    assert difference(transpile.home(template(), EVERY)) == []
    nowhere = "  c: {type: distance_to_location, demands: [web], properties: {distance: '> 9000 km', location: home}}\n"
    assert difference(transpile.home(template(nowhere, optimization=NEAREST), EVERY)) == []
    operand = "{function: distance_between, params: {demand: web, location: home}}"
    new = f"optimization: {{goal: minimize, operation_function: {{operator: sum, operands: [{operand}]}}}}\n"
    text = template(optimization=new).replace("2017-10-10", "2020-08-13")
    rows = [CHICAGO | {"cost": 2000}, TORONTO | {"cost": 1}]
    for engine in ("", "has"):
        placement = transpile.home(text, rows, engine=engine)
        assert (chosen(placement), difference(placement)) == ("chicago", [])


SIX = [f"d{number}" for number in range(6)]
NINE = [
    CHICAGO | {"candidate_id": f"c{number}", "latitude": number * 5, "cost": (number * 37) % 11 * 100}
    for number in range(9)
]


def spread(constraint: str) -> str:
    """A template with six demands, of which each pair meets a constraint."""
    terms = ", ".join(f"{{distance_between: [home, {name}]}}" for name in SIX)
    apart = f"  z: {{demands: [{', '.join(SIX)}], {constraint}}}\n"
    return template(apart, demands=" ".join(SIX), optimization=f"optimization: {{minimize: {{sum: [{terms}]}}}}\n")


DIFFERENT = spread("type: zone, properties: {qualifier: different, category: region}")
FAR = spread("type: distance_between_demands, properties: {distance: > 1000 km}")  # five of the nine at most


def test_a_comparison_that_stops_is_a_warning() -> None:
    """One unit of work is left after the search, which is too little for the other one."""
    whole = transpile.home(DIFFERENT, NINE)
    assert whole.answer is not None
    placement = transpile.home(DIFFERENT, NINE, limits={"placements": whole.answer.work + 1})
    assert placement.answer is not None
    assert placement.answer.proven
    ((severity, message),) = difference(placement)
    assert (severity, message.endswith("The search stopped before it was known.")) == ("warning", True)


@pytest.mark.parametrize(
    ("text", "work", "code", "severity", "message"),
    [
        (DIFFERENT, 1, "HOT847", "warning", "this is the best solution so far, and there may be a better one"),
        (DIFFERENT, 50, "HOT847", "warning", "there may be more solutions than these"),
        (FAR, 1, "HOT846", "error", "no solution was found, but there may be one"),
    ],
)
def test_a_search_that_stops_says_what_it_leaves_open(
    text: str, work: int, code: str, severity: str, message: str
) -> None:
    placement = transpile.home(text, NINE, limits={"placements": work}, top=3)
    (stopped,) = [d for d in placement.diagnostics if d.code == code]
    assert (stopped.severity, stopped.message) == (
        severity,
        f"The search stopped at the limit placements: {message}.",
    )


@pytest.mark.parametrize(("assume", "left"), [("fit", 3), ("unfit", 1)])
def test_room_is_decided_from_capacity_and_assumed_without_it(assume: str, left: int) -> None:
    """8 of 16 fit, 8 of 4 do not; nothing is known of toronto, and not all of chicago."""
    rule = "  c: {type: region_fit, demands: [web], properties: {controller: x, request: {vCPU: 8, Memory: 1}}}\n"
    data = [CHICAGO | {"capacity": {"vCPU": 16}}, DALLAS | {"capacity": {"vCPU": 16, "Memory": 2}}, TORONTO]
    small = {**CHICAGO, "candidate_id": "small", "capacity": {"vCPU": 4}}
    placement = transpile.home(template(rule), [*data, small], assume=assume)
    assert placement.answer is not None
    assert len(placement.answer.domains[0].candidates) == left
    assert "small" not in [candidate.id for candidate in placement.answer.domains[0].candidates]
    assert "HOT845" in codes(placement)


@pytest.mark.parametrize(("qualifier", "chosen"), [("same", "chicago"), ("different", "dallas")])
def test_zones_of_every_category(qualifier: str, chosen: str) -> None:
    """Zones under `zones`, and in columns: time is disaster's neighbour here, and decides the same."""
    data = [
        CHICAGO | {"zones": {"disaster": "z1"}, "time_zone": "a"},
        DALLAS | {"zones": {"disaster": "z2"}, "time_zone": "b"},
    ]
    web, db = "{product: [2, {distance_between: [home, web]}]}", "{distance_between: [home, db]}"
    goal = f"optimization: {{minimize: {{sum: [{web}, {db}]}}}}\n"
    for category in ("disaster", "time"):
        rule = (
            f"  z: {{type: zone, demands: [web, db], properties: {{qualifier: {qualifier}, category: {category}}}}}\n"
        )
        placement = transpile.home(template(rule, demands="web db", optimization=goal), data)
        assert placement.answer is not None
        chosen_ = {name: candidate.id for name, candidate in placement.answer.solutions[0].assignment.items()}
        assert chosen_ == {"web": "chicago", "db": chosen}


@pytest.mark.parametrize(
    "rule",
    [
        "zone, demands: [web, db], properties: {qualifier: different, category: maintenance}",
        "license, demands: [web], properties: {id: a, key: b}",
    ],
    ids=["a zone that the inventory does not have", "a deferred constraint"],
)
def test_an_undecidable_constraint_is_assumed(rule: str) -> None:
    text = template(f"  c: {{type: {rule}}}\n", demands="web db")
    placement = transpile.home(text, EVERY)
    assert placement.ok
    assert "HOT845" in codes(placement)
    assert not transpile.home(text, EVERY, assume="unfit").ok


def test_patterns_take_bounded_time() -> None:
    data = [CHICAGO | {"kind": "a" * 40 + "!"}]
    rule = "  c:\n    type: attribute\n    demands: [web]\n    properties: {evaluate: {kind: {regex: '(a|aa)+$'}}}\n"
    placement = transpile.home(template(rule), data)
    assert placement.answer is not None
    assert placement.answer.work < 100


def test_coordinates_of_a_location_may_come_from_the_inventory() -> None:
    goal = "optimization: {minimize: {sum: [{distance_between: [home, web]}]}}\n"
    text = template(optimization=goal).replace("latitude: 41.88, longitude: -87.63", "clli_code: DLLSTX55")
    places = {"DLLSTX55": {"latitude": "32.78", "longitude": "-96.8"}}
    placement = transpile.home(text, {"candidates": EVERY, "locations": places})
    assert placement.answer is not None
    assert placement.answer.solutions[0].assignment["web"].id == "dallas"
    assert "HOT848" in codes(transpile.home(text, EVERY))


def test_parameters_given_go_before_those_of_the_template() -> None:
    properties = "{distance: {get_param: reach}, location: home}"
    rule = f"  c: {{type: distance_to_location, demands: [web], properties: {properties}}}\n"
    text = template(rule) + 'parameters: {reach: "< 100 km"}\n'
    first, second = transpile.home(text, EVERY), transpile.home(text, EVERY, parameters={"reach": "< 900 km"})
    assert first.answer is not None
    assert second.answer is not None
    assert [
        len(placement.answer.domains[0].candidates) for placement in (first, second) if placement.answer is not None
    ] == [1, 2]


def test_only_clouds_have_scores_of_flavors() -> None:
    """HAS does the same; a service that has flavors counts 0."""
    feature = {"hpa-feature": "numa", "hpa-version": "v1", "architecture": "x"}
    flavors = {"flavor": [{"hpa-capabilities": {"hpa-capability": [feature]}}]}
    entry = {"flavorProperties": [feature | {"mandatory": "False", "score": "7"}]}
    leaf = FlavorScore("web", "fast", (entry,))
    for kind, score in (("cloud", 7), ("service", 0)):
        row = inventory.InventoryRow("x", kind, None, None, {"flavors": flavors})
        assert evaluation.RowEvaluator(None, Budget()).measure(leaf, {"web": evaluation.Choice("web", row)}) == score


def test_weights_are_the_numbers_that_the_template_writes() -> None:
    """0.1 x 1 + 0.2 x 1 and 0.3 x 1 tie, as they would not with the nearest binary numbers."""
    terms = "".join(
        f"{{function: attribute, params: {{demand: web, attribute: {name}}}, weight: {weight}}}, "
        for name, weight in (("a", 0.1), ("b", 0.2), ("c", 0.3))
    )
    goal = f"optimization: {{goal: minimize, operation_function: {{operator: sum, operands: [{terms}]}}}}\n"
    rows = [CHICAGO | {"a": 1, "b": 1, "c": 0}, DALLAS | {"a": 0, "b": 0, "c": 1}]
    placement = transpile.home(template(optimization=goal).replace("2017-10-10", "2020-08-13"), rows)
    assert placement.answer is not None
    assert placement.answer.tie is True


# no solution


def test_explaining_says_what_each_constraint_asks_for() -> None:
    rules = (
        "  near: {type: distance_to_location, demands: [web], properties: {distance: '< 10 km', location: home}}\n"
        "  land: {type: attribute, demands: [web],\n"
        "    properties: {evaluate: {country: {any: [USA, MEX]}, tier: {ne: 2}, kind: {regex: /a/i}, plain: x}}}\n"
        "  room: {type: vim_fit, demands: [web], properties: {controller: c, request: {vCPU: 8}}}\n"
    )
    data = [CHICAGO | {"country": "USA", "kind": "A"}, TORONTO | {"country": "CAN", "capacity": {"vCPU": 4}}]
    text = transpile.home(template(rules), data).as_text(explain=True)
    assert "  removed by near (distance to home < 10 km): toronto\n" in text
    land = "country has any of USA, MEX and not tier = 2 and kind matches /a/i"
    plain = "(plain = x or (assumed and no candidate has plain))"
    assert f"  removed by land ({land} and {plain}): toronto\n" in text
    room = "inventory_type is not cloud or sdnc lists it for room, else vCPU >= 8"
    assert f"  removed by room ({room}): toronto\n" in text


def test_more_demands_than_complexes_are_refused_at_once() -> None:
    """20 demands in different complexes, of which there are 19: a matching shows it, and that nothing else clashes."""
    names = [f"d{number}" for number in range(20)]
    apart = (
        f"  z: {{type: zone, demands: [{', '.join(names)}], properties: {{qualifier: different, category: complex}}}}\n"
    )
    rows = [CHICAGO | {"candidate_id": f"c{number}", "complex_name": f"x{number % 19}"} for number in range(57)]
    placement = transpile.home(template(apart, demands=" ".join(names)), rows, limits={"placements": 20_000})
    assert placement.clash is not None
    assert (placement.clash.constraints, placement.clash.smallest) == (("z",), True)


def test_why_there_is_no_solution() -> None:
    rules = (
        "  near: {type: distance_to_location, demands: [web], properties: {distance: '< 10 km', location: home}}\n"
        "  land: {type: attribute, demands: [web], properties: {evaluate: {country: {any: [CAN]}}}}\n"
        "  idle: {type: threshold, demands: [web],\n"
        "    properties: {evaluate: [{attribute: load, operator: lt, threshold: 9}]}}\n"
    )
    data = [CHICAGO | {"country": "USA", "load": 1}, TORONTO | {"country": "CAN", "load": 1}]
    placement = transpile.home(template(rules), data)
    assert not placement.ok
    assert placement.clash is not None
    assert placement.clash.constraints == ("land", "near")
    assert codes(placement) == ["HOT846"]
    assert "fewest constraints that cannot hold together: land, near" in placement.as_text()


def test_candidates_without_a_value_for_the_objective() -> None:
    """Such candidates cannot be compared, so they are left out, and the objective is named."""
    goal = "optimization: {minimize: {sum: [{distance_between: [home, web]}]}}\n"
    placement = transpile.home(template(optimization=goal), [{"candidate_id": "x", "inventory_type": "cloud"}])
    assert placement.clash is not None
    assert placement.clash.constraints == ("optimization",)


# inventories


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ("7\n", "HOT840", (1, 1)),
        ("- 7\n", "HOT840", (1, 3)),
        ("clouds: []\n", "HOT840", (1, 1)),
        ("- {inventory_type: cloud}\n", "HOT841", (1, 3)),
        ("- {candidate_id: a}\n", "HOT841", (1, 3)),
        ("- {candidate_id: a, inventory_type: cloud, latitude: 91, longitude: 0}\n", "HOT841", (1, 54)),
        ("- {candidate_id: a, inventory_type: cloud, latitude: x, longitude: 0}\n", "HOT841", (1, 54)),
        ("- {candidate_id: a, inventory_type: cloud, latitude: -90, longitude: 180.5}\n", "HOT841", (1, 70)),
        ("- {candidate_id: a, inventory_type: cloud, latitude: 1}\n", "HOT841", (1, 3)),
        ("- {candidate_id: a, inventory_type: cloud, cost: .nan}\n", "HOT841", (1, 50)),
        ("- {candidate_id: a, inventory_type: cloud, capacity: 7}\n", "HOT841", (1, 54)),
        ("- {candidate_id: a, inventory_type: cloud, demands: web}\n", "HOT841", (1, 53)),
        ("- {candidate_id: a, inventory_type: cloud}\n- {candidate_id: a, inventory_type: cloud}\n", "HOT842", (2, 18)),
        ("- {candidate_id: a, inventory_type: cloud, lattitude: 7}\n", "HOT843", (1, 55)),
        ("candidates: [{candidate_id: a, inventory_type: cloud}]\ngroup: []\n", "HOT843", (2, 8)),
        ("candidates: [{candidate_id: a, inventory_type: cloud}]\ngroups: [a]\n", "HOT840", (2, 9)),
    ],
)
def test_bad_inventories(text: str, code: str, place: tuple[int, int]) -> None:
    placement = transpile.home(template(), text)
    diagnostics = [diagnostic for diagnostic in placement.diagnostics if diagnostic.code == code]
    assert diagnostics, placement.diagnostics
    assert diagnostics[0].source is not None
    assert diagnostics[0].source.line_and_column(diagnostics[0].at) == place


FEATURE = (
    "{hpa-feature: f, hpa-version: v1, architecture: x, mandatory: 'True', directives: [], hpa-feature-attributes: []}"
)
HPA = f"[{{id: i, type: flavor, directives: [x], flavorProperties: [{FEATURE}]}}]"


@pytest.mark.parametrize(
    ("kind", "evaluate", "message"),
    [
        ("hpa", HPA, "No candidate of the inventory has flavors: no candidate has the features."),
        ("attribute", "{tier: {any: [2]}}", "No candidate of the inventory has tier: nothing satisfies c."),
    ],
)
def test_a_constraint_on_a_column_that_no_candidate_has(kind: str, evaluate: str, message: str) -> None:
    rule = f"  c: {{type: {kind}, demands: [web], properties: {{evaluate: {evaluate}}}}}\n"
    diagnostics = [(d.code, d.severity, d.message) for d in transpile.home(template(rule), EVERY).diagnostics]
    assert ("HOT844", "warning", message) in diagnostics


def test_an_objective_that_no_inventory_decides() -> None:
    text = template(optimization="optimization: {minimize: {sum: [{product: [1, {aic_version: [web]}]}]}}\n")
    (error,) = [d for d in transpile.home(text, EVERY).diagnostics if d.severity == "error"]
    assert (error.code, error.message) == ("HOT848", "aic_version cannot be computed from an inventory.")
    assert text[error.at :].startswith("aic_version")


def test_an_inventory_of_objects_is_refused() -> None:
    placement = transpile.home(template(), [object()])
    (missing,) = transpile.home(template(), pathlib.Path("none.yaml")).diagnostics
    assert (missing.code, missing.message) == ("HOT113", "The file cannot be read: none.yaml does not exist.")
    assert [(d.code, d.message.startswith("The inventory is not plain data: ")) for d in placement.diagnostics] == [
        ("HOT840", True)
    ]


WITH_REGION = template(
    "  c: {type: attribute, demands: [web], properties: {evaluate: {region: {get_param: region}}}}\n"
).replace("locations:", "parameters: {region: {}}\nlocations:")


@pytest.mark.parametrize(
    ("values", "findings"),
    [
        ("region: [north\n", ["HOT101"]),
        ("region: south\nregion: [north]\n", ["HOT112"]),
        ("- north\n", ["HOT898"]),
        ("parameters:\n", []),  # as in an environment
        ("parameters: {region: [north]}\n", []),
    ],
)
def test_findings_in_a_file_of_values(values: str, findings: list[str]) -> None:
    done = transpile.convert(WITH_REGION, environments=[values], to="hcl")
    assert [d.code for d in done.diagnostics if d.source is not None and d.source.name == "values"] == findings


def test_a_file_of_values_that_cannot_be_read_is_named(tmp_path: pathlib.Path) -> None:
    """The other files count, wherever the lost one stands."""
    (tmp_path / "values.yaml").write_text("region: [north]\n")
    for files in (["lost.yaml", "values.yaml"], ["values.yaml", "lost.yaml"]):
        done = transpile.convert(WITH_REGION, environments=[tmp_path / name for name in files], to="hcl")
        errors = [(d.code, "lost.yaml" in d.message) for d in done.diagnostics if d.severity == "error"]
        assert errors == [("HOT113", True)]


# distances


def test_distances() -> None:
    """A quarter of the equator, half of it, and no distance at all."""
    assert great_circle_kilometres(GeoPoint(0, 0), GeoPoint(0, 90)) == pytest.approx(6371 * 3.141592653589793 / 2)
    assert great_circle_kilometres(GeoPoint(90, 0), GeoPoint(-90, 17)) == pytest.approx(6371 * 3.141592653589793)
    assert great_circle_kilometres(GeoPoint(52, 13), GeoPoint(52, 13)) == 0


def test_rows_agree_with_the_distance_at_the_limit_itself() -> None:
    points = [GeoPoint(0, step / 7) for step in range(-180, 181, 7)] + [GeoPoint(-60, 179.99), GeoPoint(1e-7, 0)]
    for centre in (GeoPoint(0, 0), GeoPoint(0, 1e-6), GeoPoint(60, -0.01), GeoPoint(-90, 0)):
        for to in points:
            length = great_circle_kilometres(centre, to)
            for operator in ("<", "<=", ">", ">=", "="):
                limit = make_limit(operator, length)
                row = PointSet([*points, None]).points_within(centre, limit)
                expected = sum(
                    1 << at for at, point in enumerate(points) if limit.holds(great_circle_kilometres(centre, point))
                )
                assert row == expected, (centre, to, operator)


# the command


def files(where: pathlib.Path, text: str, inventory: Any) -> list[str]:
    (where / "placement.yaml").write_text(text, encoding="utf-8")
    (where / "inventory.json").write_text(json.dumps(inventory), encoding="utf-8")
    return ["home", str(where / "placement.yaml"), "--inventory", str(where / "inventory.json")]


def test_the_command(command: Run, tmp_path: pathlib.Path) -> None:
    goal = "optimization: {minimize: {sum: [{distance_between: [home, web]}]}}\n"
    argv = files(tmp_path, template(optimization=goal), EVERY)
    status, out, _ = command(*argv)
    assert status == 0
    assert out.startswith(
        "web  chicago  cloud, cost 2\n  web - home: 0 km\nvalue 0, cost 2; the least value there is\n"
    )
    status, out, _ = command(*argv, "--engine", "has")
    assert (status, out.splitlines()[-1]) == (0, "value 2, cost 2; the least value there is")
    status, out, _ = command(*argv, "--format", "json", "--top", "2")
    answer = json.loads(out)
    assert status == 0
    assert (answer["status"], answer["goal"], answer["tie"]) == ("solved", "minimize", False)
    assert [solution["assignment"]["web"]["candidate_id"] for solution in answer["solutions"]] == ["chicago", "toronto"]
    status, out, _ = command(*argv, "-o", str(tmp_path / "answer.txt"))
    assert (status, out) == (0, "")
    assert (tmp_path / "answer.txt").read_text(encoding="utf-8").startswith("web  chicago  cloud, cost 2\n")


def test_exit_status(command: Run, tmp_path: pathlib.Path) -> None:
    near = "  c: {type: distance_to_location, demands: [web], properties: {distance: '< 1 km', location: home}}\n"
    argv = files(tmp_path, template(near), [DALLAS])
    target = tmp_path / "answer"
    assert command(*argv, "-o", str(target))[0] == 1
    assert not target.exists()
    for wrong in (
        ["--assume", "x"],
        ["--format", "x"],
        ["--top", "0"],
        ["--time-limit", "-1"],
        ["-p", "x"],
        ["--engine", "x"],
    ):
        assert command(*argv, *wrong)[0] == 2, wrong
    assert command("home", "placement.yaml")[0] == 2
    with pytest.raises(WrongAssumption):
        transpile.home("", [], assume="x")
    with pytest.raises(WrongAssumption):
        transpile.home("", [], engine="x")


def test_names_of_others_are_printable() -> None:
    """No character of a stranger's name moves the cursor of the terminal."""
    evil = CHICAGO | {"candidate_id": "<script>\x1b[2J&'\"", "location_id": "\u202e"}
    placement = transpile.home(template(), [evil])
    assert placement.ok
    assert not set("\x1b\u202e") & set(placement.as_text(explain=True))


@pytest.mark.parametrize(
    "source", ["", "[]", "homing_template_version: 7", "\x00", "heat_template_version: 2021-04-16\n"]
)
def test_other_texts_are_diagnosed(source: str) -> None:
    placement = transpile.home(source, EVERY)
    assert not placement.ok
    assert any(diagnostic.severity == "error" for diagnostic in placement.diagnostics)
    assert placement.as_json()["status"] == "invalid"
    assert placement.as_text() == ""


class FakeClock:
    """A clock that stands still but for the seconds that a patched function takes."""

    def __init__(self) -> None:
        self.now, self.calls = 0.0, 0

    def __call__(self) -> float:
        return self.now

    def slowed(self, function: Callable[..., Any], seconds: float) -> Callable[..., Any]:
        def slow(*args: Any, **kwargs: Any) -> Any:
            self.now += seconds
            self.calls += 1
            return function(*args, **kwargs)

        return slow


@pytest.mark.parametrize(
    ("owner", "name"),
    [(inventory.InventoryReader, "add_row"), (evaluation.RowEvaluator, "text"), (comparison, "values_equal")],
    ids=["reading the inventory", "drawing the candidates", "filtering them by constraints"],
)
def test_the_time_limit_ends_slow_preparation(owner: Any, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit counts from the beginning: with 5 seconds, a step of one second for each of 40 candidates is not done
    for all of them, and the run ends with an error that says why there is no answer.
    """
    clock = FakeClock()
    monkeypatch.setattr("time.monotonic", clock)
    more = ", excluded_candidates: [{inventory_type: cloud, candidate_id: [none]}]"
    rule = "  c: {type: attribute, demands: [web], properties: {evaluate: {state: {eq: IL}}}}\n"
    stock = [{**CHICAGO, "candidate_id": f"c{number}", "state": "IL"} for number in range(40)]
    monkeypatch.setattr(owner, name, clock.slowed(getattr(owner, name), 1.0))
    done = transpile.home(template(rule, more=more), stock, time_limit=5)
    (error,) = [diagnostic for diagnostic in done.diagnostics if diagnostic.severity == "error"]
    assert (error.code, error.message.startswith("The time limit was reached before the search")) == ("HOT846", True)
    assert 5 <= clock.calls <= 7
    assert transpile.home(template(rule, more=more), stock, time_limit=50).ok


@pytest.mark.parametrize("reader", ["yaml", "json"])
def test_the_time_limit_ends_the_reading_of_a_long_text(reader: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """libyaml composes a text in one call; each of its values looks at the clock."""
    clock = FakeClock()
    monkeypatch.setattr("time.monotonic", lambda: clock.slowed(clock, 1.0)())
    candidates = [{"candidate_id": f"c{number}", "inventory_type": "cloud"} for number in range(1000)]
    text = json.dumps({"candidates": candidates}) if reader == "json" else yaml.safe_dump(candidates)
    done = transpile.home(template(), text, time_limit=100)
    assert codes(done) == ["HOT846"]
    assert clock.calls < 150
