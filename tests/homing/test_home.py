"""`hot2tf home` and `transpile.home`: what is decided, what is assumed, and what is said about bad input."""

from __future__ import annotations

import json
import pathlib
import xml.dom.minidom
from collections.abc import Callable
from typing import Any

import pytest
import yaml

import transpile
from tests.conftest import Run
from transpile.homing import demand_candidates, filters, inventory
from transpile.homing.distance import PointSet, great_circle_kilometres
from transpile.homing.home import WrongAssumption
from transpile.homing.problem import GeoPoint, make_limit

CHICAGO = {"candidate_id": "chicago", "inventory_type": "cloud", "latitude": 41.88, "longitude": -87.63}
DALLAS = {"candidate_id": "dallas", "inventory_type": "cloud", "latitude": 32.78, "longitude": -96.8}
TORONTO = {"candidate_id": "toronto", "inventory_type": "cloud", "latitude": 43.65, "longitude": -79.38}
EVERY = [CHICAGO, DALLAS, TORONTO]


def template(constraints: str = "", *, demands: str = "web", more: str = "", optimization: str = "") -> str:
    found = (
        'homing_template_version: "2017-10-10"\nlocations:\n  home: {latitude: 41.88, longitude: -87.63}\ndemands:\n'
    )
    for name in demands.split():
        found += f"  {name}:\n  - {{inventory_provider: aai, inventory_type: cloud{more}}}\n"
    return found + (f"constraints:\n{constraints}" if constraints else "") + optimization


def evaluated(evaluate: str, data: list[dict[str, Any]]) -> list[str]:
    """The candidates that an attribute constraint leaves."""
    rule = f"  c:\n    type: attribute\n    demands: [web]\n    properties:\n      evaluate: {evaluate}\n"
    found = transpile.home(template(rule), data)
    assert found.answer is not None, found.diagnostics
    return [one.id for one in found.answer.domains[0].candidates]


def codes(found: transpile.Placement) -> list[str]:
    return [one.code for one in found.diagnostics if one.code < "HOT850"]


# what the inventory decides


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
    """As the texts propose them; a candidate that lacks the attribute passes `ne` alone."""
    data = [
        CHICAGO | {"tier": 1, "kind": "sriov", "tags": ["a"], "country": "USA"},
        DALLAS | {"tier": "2", "kind": "SRIOV2", "tags": ["b", "a"], "country": "USA"},
        TORONTO | {"country": "CAN"},
    ]
    assert evaluated(evaluate, data) == left


def test_a_plain_value_is_said_not_to_be_compared() -> None:
    rule = "  c: {type: attribute, demands: [web], properties: {evaluate: {country: CAN}}}\n"
    data = [CHICAGO | {"country": "USA"}, TORONTO | {"country": "CAN"}]
    fit, unfit = (transpile.home(template(rule), data, assume=how) for how in ("fit", "unfit"))
    assert fit.answer is not None
    assert unfit.answer is not None
    assert len(fit.answer.domains[0].candidates) == 2
    assert [one.id for one in unfit.answer.domains[0].candidates] == ["toronto"]
    assert codes(fit) == ["HOT845", "HOT849"]


@pytest.mark.parametrize(("assume", "left"), [("fit", 3), ("unfit", 1)])
def test_room_is_decided_from_capacity_and_assumed_without_it(assume: str, left: int) -> None:
    """8 of 16 fit, 8 of 4 do not; nothing is known of toronto, and not all of chicago."""
    rule = "  c: {type: region_fit, demands: [web], properties: {controller: x, request: {vCPU: 8, Memory: 1}}}\n"
    data = [CHICAGO | {"capacity": {"vCPU": 16}}, DALLAS | {"capacity": {"vCPU": 16, "Memory": 2}}, TORONTO]
    small = {**CHICAGO, "candidate_id": "small", "capacity": {"vCPU": 4}}
    found = transpile.home(template(rule), [*data, small], assume=assume)
    assert found.answer is not None
    assert len(found.answer.domains[0].candidates) == left
    assert "small" not in [one.id for one in found.answer.domains[0].candidates]
    assert "HOT845" in codes(found)


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
        found = transpile.home(template(rule, demands="web db", optimization=goal), data)
        assert found.answer is not None
        chosen_ = {name: one.id for name, one in found.answer.solutions[0].assignment.items()}
        assert chosen_ == {"web": "chicago", "db": chosen}


def test_a_zone_that_the_inventory_does_not_have_is_assumed() -> None:
    rule = "  z: {type: zone, demands: [web, db], properties: {qualifier: different, category: maintenance}}\n"
    found = transpile.home(template(rule, demands="web db"), EVERY)
    assert found.ok
    assert "HOT845" in codes(found)
    assert not transpile.home(template(rule, demands="web db"), EVERY, assume="unfit").ok


def test_deferred_constraints_are_assumed() -> None:
    rule = "  c: {type: license, demands: [web], properties: {id: a, key: b}}\n"
    found = transpile.home(template(rule), EVERY)
    assert found.ok
    assert "HOT845" in codes(found)
    assert not transpile.home(template(rule), EVERY, assume="unfit").ok


def test_patterns_take_bounded_time() -> None:
    data = [CHICAGO | {"kind": "a" * 40 + "!"}]
    rule = "  c:\n    type: attribute\n    demands: [web]\n    properties: {evaluate: {kind: {regex: '(a|aa)+$'}}}\n"
    found = transpile.home(template(rule), data)
    assert found.answer is not None
    assert found.answer.work < 100


def test_coordinates_of_a_location_may_come_from_the_inventory() -> None:
    goal = "optimization: {minimize: {sum: [{distance_between: [home, web]}]}}\n"
    text = template(optimization=goal).replace("latitude: 41.88, longitude: -87.63", "clli_code: DLLSTX55")
    places = {"DLLSTX55": {"latitude": "32.78", "longitude": "-96.8"}}
    found = transpile.home(text, {"candidates": EVERY, "locations": places})
    assert found.answer is not None
    assert found.answer.solutions[0].assignment["web"].id == "dallas"
    assert "HOT848" in codes(transpile.home(text, EVERY))


def test_parameters_given_go_before_those_of_the_template() -> None:
    properties = "{distance: {get_param: reach}, location: home}"
    rule = f"  c: {{type: distance_to_location, demands: [web], properties: {properties}}}\n"
    text = template(rule) + 'parameters: {reach: "< 100 km"}\n'
    first, second = transpile.home(text, EVERY), transpile.home(text, EVERY, parameters={"reach": "< 900 km"})
    assert first.answer is not None
    assert second.answer is not None
    assert [len(one.answer.domains[0].candidates) for one in (first, second) if one.answer is not None] == [1, 2]


# no solution


def test_why_there_is_no_solution() -> None:
    rules = (
        "  near: {type: distance_to_location, demands: [web], properties: {distance: '< 10 km', location: home}}\n"
        "  land: {type: attribute, demands: [web], properties: {evaluate: {country: {any: [CAN]}}}}\n"
        "  idle: {type: threshold, demands: [web],\n"
        "    properties: {evaluate: [{attribute: load, operator: lt, threshold: 9}]}}\n"
    )
    data = [CHICAGO | {"country": "USA", "load": 1}, TORONTO | {"country": "CAN", "load": 1}]
    found = transpile.home(template(rules), data)
    assert not found.ok
    assert found.clash is not None
    assert found.clash.constraints == ("land", "near")
    assert codes(found) == ["HOT846"]
    assert "fewest constraints that cannot hold together: land, near" in found.as_text()


def test_candidates_without_a_value_for_the_objective() -> None:
    """They cannot be compared, so they are left out, and the objective is named."""
    goal = "optimization: {minimize: {sum: [{distance_between: [home, web]}]}}\n"
    found = transpile.home(template(optimization=goal), [{"candidate_id": "x", "inventory_type": "cloud"}])
    assert found.clash is not None
    assert found.clash.constraints == ("optimization",)


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
        ("- {candidate_id: a, inventory_type: cloud, latitude: 1}\n", "HOT841", (1, 3)),
        ("- {candidate_id: a, inventory_type: cloud, cost: .nan}\n", "HOT841", (1, 50)),
        ("- {candidate_id: a, inventory_type: cloud, capacity: 7}\n", "HOT841", (1, 54)),
        ("- {candidate_id: a, inventory_type: cloud}\n- {candidate_id: a, inventory_type: cloud}\n", "HOT842", (2, 18)),
        ("- {candidate_id: a, inventory_type: cloud, lattitude: 7}\n", "HOT843", (1, 55)),
        ("candidates: [{candidate_id: a, inventory_type: cloud}]\ngroup: []\n", "HOT843", (2, 8)),
        ("candidates: [{candidate_id: a, inventory_type: cloud}]\ngroups: [a]\n", "HOT840", (2, 9)),
        ("candidate_id,inventory_type\na\n", "HOT841", (2, 1)),
        ("candidate_id,inventory_type\na,cloud,b\n", "HOT840", (2, 9)),
        ("candidate_id,inventory_type,latitude,longitude\na,cloud,x,1\n", "HOT841", (2, 9)),
    ],
)
def test_bad_inventories(text: str, code: str, place: tuple[int, int]) -> None:
    found = transpile.home(template(), text)
    said = [one for one in found.diagnostics if one.code == code]
    assert said, found.diagnostics
    assert said[0].source is not None
    assert said[0].source.line_and_column(said[0].at) == place


def test_an_inventory_in_csv_is_the_same_as_in_json() -> None:
    csv = (
        "candidate_id,inventory_type,latitude,longitude,cost,capacity.vCPU,demands,note\r\n"
        'chicago,cloud,41.88,-87.63,"2",16,,"a ""b"", c"\r\n'
        "dallas,cloud,32.78,-96.8,,4,web db,\r\n\r\n"
    )
    data = [
        CHICAGO | {"cost": "2", "capacity": {"vCPU": "16"}, "note": 'a "b", c'},
        DALLAS | {"capacity": {"vCPU": "4"}, "demands": ["web", "db"]},
    ]
    first, second = transpile.home(template(), csv), transpile.home(template(), data)
    assert first.problem is not None
    assert first.problem == second.problem
    assert second.problem is not None
    pairs = zip(first.problem.demands[0].candidates, second.problem.demands[0].candidates, strict=True)
    assert all(one.data == other.data for one, other in pairs)


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
                one = make_limit(operator, length)
                row = PointSet([*points, None]).points_within(centre, one)
                wanted = sum(
                    1 << at for at, point in enumerate(points) if one.holds(great_circle_kilometres(centre, point))
                )
                assert row == wanted, (centre, to, operator)


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
        "web  chicago  cloud, cost 2\n  web - home: 0 km\nvalue 2, cost 2; the least value there is\n"
    )
    status, out, _ = command(*argv, "--format", "json", "--top", "2")
    found = json.loads(out)
    assert status == 0
    assert (found["status"], found["goal"], found["tie"]) == ("solved", "minimize", False)
    assert [one["assignment"]["web"]["candidate_id"] for one in found["solutions"]] == ["chicago", "toronto"]
    map_ = tmp_path / "map.svg"
    status, out, _ = command(*argv, "--svg", str(map_), "-o", str(tmp_path / "answer.txt"))
    assert (status, out) == (0, "")
    assert map_.read_text(encoding="utf-8").startswith("<svg ")


def test_exit_status(command: Run, tmp_path: pathlib.Path) -> None:
    near = "  c: {type: distance_to_location, demands: [web], properties: {distance: '< 1 km', location: home}}\n"
    argv = files(tmp_path, template(near), [DALLAS])
    target = tmp_path / "answer"
    assert command(*argv, "-o", str(target))[0] == 1
    assert not target.exists()
    for wrong in (["--assume", "x"], ["--format", "x"], ["--top", "0"], ["--time-limit", "-1"], ["-p", "x"]):
        assert command(*argv, *wrong)[0] == 2, wrong
    assert command("home", "placement.yaml")[0] == 2
    with pytest.raises(WrongAssumption):
        transpile.home("", [], assume="x")


def test_names_of_others_are_printable_and_escaped() -> None:
    """In the terminal nothing of them moves the cursor, and in the map nothing of them is markup."""
    evil = CHICAGO | {"candidate_id": "<script>\x1b[2J&'\"", "location_id": "\u202e"}
    found = transpile.home(template(), [evil])
    assert found.ok
    assert not set("\x1b\u202e") & set(found.as_text(explain=True))
    svg = found.as_svg()
    assert "<script" not in svg
    assert xml.dom.minidom.parseString(svg).getElementsByTagName("svg")


def test_a_map_across_the_date_line() -> None:
    """Fiji and Samoa are neighbours on it."""
    data = [
        CHICAGO | {"candidate_id": "a", "latitude": -17, "longitude": 178},
        CHICAGO | {"latitude": -14, "longitude": -172},
    ]
    text = template().replace("latitude: 41.88, longitude: -87.63", "latitude: -16, longitude: 179")
    circles = xml.dom.minidom.parseString(transpile.home(text, data).as_svg()).getElementsByTagName("circle")
    xs = [float(one.getAttribute("cx")) for one in circles]
    assert len(xs) == 2
    assert all(0 < x < 960 for x in xs)
    assert xs[0] != xs[1]


@pytest.mark.parametrize(
    "source", ["", "[]", "homing_template_version: 7", "\x00", "heat_template_version: 2021-04-16\n"]
)
def test_other_texts_are_diagnosed(source: str) -> None:
    found = transpile.home(source, EVERY)
    assert not found.ok
    assert any(one.severity == "error" for one in found.diagnostics)
    assert found.as_json()["status"] == "invalid"
    assert found.as_text() == ""
    assert found.as_svg().startswith("<svg ")


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
    [(inventory.InventoryReader, "add_row"), (demand_candidates, "is_selected"), (filters, "passes_test")],
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
    (error,) = [one for one in done.diagnostics if one.severity == "error"]
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
