"""Generated homing templates with inventories: ties, contradictions, and candidates that lack something."""

from __future__ import annotations

import json
import random
from typing import Any

CITIES = ((32.78, -96.8), (40.71, -74.01), (41.88, -87.63), (39.74, -104.99), (-33.87, 151.21), (-18.14, 178.44))
LIMITS = ("< 500 km", "<= 1500 km", "> 800 mi", "500-2500 km", ">= 0 km", "= 0 km")


def generated(rng: random.Random) -> tuple[str, dict[str, Any]]:
    """A template, as JSON, and an inventory."""
    names = [f"d{number}" for number in range(rng.randint(1, 3))]
    candidates = [candidate(rng, f"c{number}") for number in range(rng.randint(3, 7))]
    rng.shuffle(candidates)
    new = rng.random() < 0.3
    template: dict[str, Any] = {
        "homing_template_version": "2020-08-13" if new else "2017-10-10",
        "parameters": {"far": "< 2000 km", "weight": 3, "load": 2, "home": "USA"},
        "locations": {
            "home": {"latitude": 41.88, "longitude": -87.63},
            "away": {"latitude": rng.uniform(-60, 60), "longitude": rng.uniform(-179, 179)},
        },
        "demands": {name: demand(rng, candidates) for name in names},
        "constraints": {f"k{number}": constraint(rng, names) for number in range(rng.choice((0, 0, 1, 1, 2, 3)))},
    }
    if rng.random() < 0.9:
        template["optimization"] = newer(rng, names) if new else older(rng, names)
    inventory: dict[str, Any] = {"candidates": candidates}
    ids = [homing_candidate["candidate_id"] for homing_candidate in candidates]
    if rng.random() < 0.7:
        inventory["groups"] = [rng.choices(ids, k=2) for _ in range(rng.randint(1, 5))]
    inventory["network_roles"] = {"edge": rng.sample(ids, rng.randint(0, len(ids)))}
    inventory["host_roles"] = {"h1": "ACTIVE", "h2": "STANDBY"}
    if rng.random() < 0.5:
        inventory["sdnc"] = {"k0": rng.sample(ids, rng.randint(0, len(ids)))}
    return json.dumps(template), inventory


# a column in each form in which inventories have it: texts, numbers, numbers as texts, booleans, lists, nothing, an
# empty text, a map; and what tests compare it with
FORMS: dict[str, tuple[Any, ...]] = {
    "features": (["dpdk"], ["dpdk", "sriov"], [], "dpdk", ["sriov"], None, ["2", 3, True], "sriov"),
    "tier": (1, "1", 1.0, "1.0", 2, "2.50", 2.5, None, "gold", "", "-1", "1e1", " 1", "1_0", "+1", ".5", "٣"),
    "pinned": (True, False, "true", "True", "FALSE", "yes", None, 1, 0, "1"),
    "tags": ([1, "2"], [True, "no"], "2", 2, [2.0], ["a", "b"], None, [["a"]], ["a", None], {"a": "b"}, {}),
    "size": (10, 20, 30, 10, 20, 10**20, "100000000000000000001", 0.1, "0.10", None),
    "host_id": ("h1", "h2", "-", "", None, "h3"),
    "a-b": ("u", "v", None),
}
OPERANDS = (
    "dpdk",
    "sriov",
    "gold",
    "a",
    1,
    "1",
    2,
    2.5,
    True,
    False,
    "true",
    "FALSE",
    10,
    "10",
    0.1,
    "u",
    "",
    10**20,
    3,
)


def attributes(rng: random.Random) -> dict[str, Any]:
    """Columns in their forms, some of them as members of `attributes`, or in both places."""
    columns: dict[str, Any] = {}
    for name, forms in FORMS.items():
        value = rng.choice(forms)
        where = rng.choice(("column", "column", "column", "attributes", "both", "underscore"))
        if where in ("attributes", "both"):
            columns.setdefault("attributes", {})[name] = value
        if where == "underscore" and rng.random() < 0.5:
            columns[name.replace("-", "_")] = value
        elif where != "attributes":
            columns[name] = rng.choice(forms) if where == "both" else value
    return columns


def attribute_evaluation(rng: random.Random) -> dict[str, Any]:
    """Tests of one or two attributes, by each operator and without one."""
    evaluate: dict[str, Any] = {}
    for name in rng.sample((*FORMS, "cost", "location_id", "inventory_type", "latitude", "a_b"), rng.choice((1, 1, 2))):
        own = [*FORMS.get(name, ()), *OPERANDS]
        operand = rng.choice([each for each in own if not isinstance(each, dict)])
        few = rng.choices([each for each in own if not isinstance(each, (list, dict)) and each is not None], k=3)
        number = rng.choice((1, 2, 2.5, 10, 0.1, "20"))
        tests: list[Any] = [
            {"eq": operand},
            {"ne": operand},
            {rng.choice(("lt", "gt", "lte", "gte")): number},
            {"any": few[: rng.randint(0, 3)]},
            {"all": few[: rng.randint(0, 2)]},
            {"regex": rng.choice(("^1", "dp", "/DPDK/i", "e$", "^$", "^(?!dp)"))},
        ]
        if isinstance(operand, (str, int, float)):
            tests.append(operand)
        evaluate[name] = rng.choice(tests)
    return evaluate


def candidate(rng: random.Random, name: str) -> dict[str, Any]:
    place = rng.choice(CITIES) if rng.random() < 0.7 else (rng.uniform(-80, 80), rng.uniform(-179, 179))
    out = {
        "candidate_id": name,
        "inventory_type": rng.choice(("cloud", "cloud", "cloud", "service")),
        "location_id": rng.choice("rst"),
        "latitude": place[0],
        "longitude": place[1],
        "complex_name": rng.choice(("cx-x", "CX-Y", "z")),
        "country": rng.choice(("USA", "CAN", "USA")),
        "cost": rng.choice((1, 2, 2, 2, 0.1, 40)),
        "load": rng.choice((0, 1, 2, 5, "2")),
        "latency": rng.choice((5, 7.5, 5)),
        "disaster_zone": rng.choice((1, 2)),
        "capacity": {"vCPU": rng.choice((4, 8, 16)), "Memory": 32},
    }
    for key in ("country", "cost", "load", "disaster_zone", "capacity", "complex_name"):
        if rng.random() < 0.1:
            del out[key]
    if rng.random() < 0.1:
        del out["latitude"], out["longitude"]
    return out | attributes(rng)


def demand(rng: random.Random, candidates: list[dict[str, Any]]) -> list[dict[str, Any]]:
    rules = []
    for _ in range(rng.choice((1, 1, 2))):
        rule: dict[str, Any] = {
            "inventory_provider": "aai",
            "inventory_type": rng.choice(("cloud", "cloud", "cloud", "service")),
        }
        ids = rng.sample([each["candidate_id"] for each in candidates], rng.randint(1, len(candidates)))
        named = {"inventory_type": rule["inventory_type"], "candidate_id": ids}
        key = rng.choice(("", "", "", "required_candidates", "excluded_candidates", "existing_placement"))
        if key:
            rule[key] = {**named, "candidate_id": ids[:1]} if key == "existing_placement" else [named]
        if rng.random() < 0.3:
            rule["filtering_attributes"] = {"country": rng.choice((["USA"], {"not": ["CAN"]}, "USA"))}
        elif rng.random() < 0.4:
            values = rng.choices([each for each in OPERANDS if each != ""], k=rng.randint(1, 3))
            form = rng.choice((values, {"not": values}, {"any": values}, values[0]))
            rule["filtering_attributes"] = {rng.choice((*FORMS, "cost")): form}
        if rng.random() < 0.2:
            rule["default_cost"] = 7
        rules.append(rule)
    return rules


def constraint(rng: random.Random, names: list[str]) -> dict[str, Any]:
    some = rng.sample(names, rng.randint(1, len(names)))
    several = len(names) > 1
    limit = rng.choice((*LIMITS, {"get_param": "far"}))
    tests = {
        "country": rng.choice(
            ({"any": ["USA", "MEX"]}, {"eq": {"get_param": "home"}}, {"ne": "USA"}, {"all": ["USA"]}, "USA")
        ),
        "complex": rng.choice(({"regex": "/^cx-/i"}, {"regex": "x|y"}, {"any": ["z"]})),
        "load": rng.choice(({"lt": 2}, {"eq": 2}, {"gte": {"get_param": "load"}}, {"any": [1, "2", "x"]})),
        "network_roles": {"any": ["edge"]},
        "tier": "gold",  # which no candidate has
    }
    key = rng.choice(list(tests))
    kinds: list[tuple[str, Any]] = [
        ("distance_to_location", {"distance": limit, "location": rng.choice(("home", "away"))}),
        ("attribute", {"evaluate": {key: tests[key]}}),
        *[("attribute", {"evaluate": attribute_evaluation(rng)})] * 3,
        ("attribute", {"evaluate": {"replication_role": "active"}}),
        ("attribute", {"evaluate": {"cloud-region": {"cloud-requests": ["r", "s"], "service-requests": ["t"]}}}),
        ("license", {"id": "a", "key": "b"}),
        (
            "threshold",
            {
                "evaluate": [
                    {"attribute": rng.choice(("tier", "tags", "size", "cost")), "operator": "gte", "threshold": 2}
                ]
            },
        ),
        (
            "threshold",
            {"evaluate": [{"attribute": "load", "operator": rng.choice(("lt", "gte", "eq")), "threshold": 2}]},
        ),
        ("vim_fit", {"controller": "multicloud", "request": {"vCPU": 8, "Memory": {"quantity": "16", "unit": "GB"}}}),
        (rng.choice(("region_fit", "instance_fit")), {"controller": "SDN-C", "request": {"a": "b"}}),
    ]
    if several:
        category = rng.choice(("region", "complex", "country", "disaster", "time"))
        kinds += [
            ("distance_between_demands", {"distance": limit}),
            ("zone", {"qualifier": rng.choice(("same", "different")), "category": category}),
            ("inventory_group", None),
        ] * 2
    kind, properties = rng.choice(kinds)
    if kind in ("distance_between_demands", "zone", "inventory_group"):
        some = rng.sample(names, 2 if kind == "inventory_group" else rng.randint(2, len(names)))
    return {"type": kind, "demands": some, **({"properties": properties} if properties is not None else {})}


def older(rng: random.Random, names: list[str]) -> dict[str, Any]:
    def term() -> dict[str, Any]:
        distance = {"distance_between": [rng.choice(("home", "away")), rng.choice(names)]}
        weight = rng.choice((1, 2, 0.5, -1, 0, {"get_param": "weight"}))
        return distance if rng.random() < 0.4 else {"product": [weight, distance]}

    return {"minimize": {"sum": [term() for _ in range(rng.randint(1, 3))]}}


def newer(rng: random.Random, names: list[str]) -> dict[str, Any]:
    def operand(depth: int) -> dict[str, Any]:
        out: dict[str, Any]
        if depth and rng.random() < 0.3:
            out = {"operation_function": operation(depth - 1)}
        elif rng.random() < 0.5:
            location = rng.choice(("home", "away"))
            out = {"function": "distance_between", "params": {"demand": rng.choice(names), "location": location}}
        else:
            attribute = rng.choice(("load", "latency"))
            out = {"function": "attribute", "params": {"demand": rng.choice(names), "attribute": attribute}}
        if rng.random() < 0.4:
            out["weight"] = rng.choice((2, 0.25, -1))
        if rng.random() < 0.3:
            out["normalization"] = {"start": rng.choice((0, 10)), "end": 5}
        return out

    def operation(depth: int) -> dict[str, Any]:
        operator = rng.choice(("sum", "sum", "min", "max"))
        return {"operator": operator, "operands": [operand(depth) for _ in range(rng.randint(1, 3))]}

    return {"goal": rng.choice(("minimize", "maximize")), "operation_function": operation(2)}
