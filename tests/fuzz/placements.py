"""Inputs of `hot2tf home`: a homing template with constraints and objectives of all kinds, and an inventory."""

from __future__ import annotations

import random
from typing import Any

from tests.fuzz.case import Case, File
from tests.fuzz.mutations import Mutator, copied

CITIES = (("dallas", 32.78, -96.8), ("chicago", 41.88, -87.63), ("toronto", 43.65, -79.38), ("fiji", -17, 178))
SPELLINGS = ("lines", "flow", "json")
VALUES: tuple[Any, ...] = (
    *(0, -1, 1e308, float("inf"), float("nan"), "1e999", 10**400, True, None, "", "x", [], {}, "< 10 km", "10-20 mi"),
    *("different", "same", "(a+)+$", "/[/i", "nowhere", "all", {"get_param": "w"}, {"get_param": ["w", 0]}, -8000),
)


def template(rng: random.Random) -> dict[str, Any]:
    names = [f"d{number}" for number in range(rng.randint(1, 5))]
    constraints = {}
    for number in range(rng.randint(0, 6)):
        some = rng.sample(names, rng.randint(1, len(names)))
        kind, properties = rng.choice(CONSTRAINTS)
        constraints[f"c{number}"] = {"type": kind, "demands": some, "properties": copied(properties)}
    demand = [{"inventory_provider": "aai", "inventory_type": "cloud"}]
    homing_template: dict[str, Any] = {
        "homing_template_version": "2017-10-10",
        "parameters": {"w": 2},
        "locations": {"home": {"latitude": 41.0, "longitude": -87.0}, "away": {"clli_code": "DLLSTX55"}},
        "demands": {name: [dict(source) for source in demand] for name in names},
        "constraints": constraints,
    }
    if rng.random() < 0.5:
        terms = [{"product": [rng.choice((1, -2, 0.1)), {"distance_between": ["home", name]}]} for name in names]
        homing_template["optimization"] = {"minimize": {"sum": terms}}
    elif rng.random() < 0.8:
        homing_template["homing_template_version"] = "2020-08-13"
        leaf = {"function": "attribute", "weight": 0.5, "normalization": {"start": 0, "end": 7}}
        operands = [{**copied(leaf), "params": {"demand": name, "attribute": "load"}} for name in names]
        inner = {"operator": rng.choice(("sum", "min", "max")), "operands": operands}
        outer = [{"operation_function": inner, "weight": 2}, copied(operands[0])]
        operation = {"operator": rng.choice(("sum", "min", "max")), "operands": outer}
        homing_template["optimization"] = {
            "goal": rng.choice(("minimize", "maximize")),
            "operation_function": operation,
        }
    return homing_template


CONSTRAINTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("distance_to_location", {"distance": "< 2000 km", "location": "home"}),
    ("distance_between_demands", {"distance": ">= 100 km"}),
    ("zone", {"qualifier": "different", "category": "complex"}),
    ("zone", {"qualifier": "same", "category": "disaster"}),
    ("inventory_group", {}),
    ("attribute", {"evaluate": {"country": {"any": ["USA"]}, "kind": {"regex": "^(a|aa)+$"}, "load": {"gt": 1}}}),
    ("threshold", {"evaluate": [{"attribute": "load", "operator": "lte", "threshold": 3}]}),
    ("region_fit", {"controller": "SDN-C", "request": {"vCPU": 4}}),
    ("vim_fit", {"controller": "m", "request": {"vCPU": 4, "Memory": {"quantity": "8", "unit": "GB"}}}),
    ("hpa", {"evaluate": [{"id": "v", "type": "t", "directives": [1], "flavorProperties": []}]}),
    ("license", {"id": "a", "key": "b"}),
)


def inventory(rng: random.Random) -> Any:
    candidates: list[dict[str, Any]] = [
        {
            "candidate_id": f"{city}{number}",
            "inventory_type": "cloud",
            "latitude": latitude,
            "longitude": longitude,
            "country": rng.choice(("USA", "CAN")),
            "complex_name": city,
            "load": rng.randint(0, 5),
            "kind": "a" * rng.choice((1, 40)),
            "capacity": {"vCPU": rng.randint(1, 9), "Memory": 8},
            "zones": {"disaster": rng.choice("xyz")},
            "flavors": {"flavor": []},
        }
        for number in range(rng.randint(1, 4))
        for city, latitude, longitude in CITIES
    ]
    if rng.random() < 0.4:
        return candidates
    pairs = [["dallas0", "chicago0"], ["toronto0", "dallas0"]]
    places = {"DLLSTX55": {"latitude": 32.8, "longitude": "-97"}}
    return {"candidates": candidates, "groups": pairs, "locations": places, "sdnc": {"c0": ["dallas0"]}}


def bent(rng: random.Random, tree: Any) -> Any:
    """Some values replaced by others, or anything done anywhere."""
    mutator = Mutator(rng, tree, tree)
    if rng.random() < 0.4:
        return mutator.mutate(rng.choice((0, 1, 2)))
    for _ in range(rng.choice((0, 0, 1, 2))):
        holder = tree
        while isinstance(holder, (dict, list)) and holder:
            key = rng.choice(list(holder)) if isinstance(holder, dict) else rng.randrange(len(holder))
            inner = holder[key]
            if not isinstance(inner, (dict, list)) or not inner or rng.random() < 0.1:
                holder[key] = copied(rng.choice(VALUES))
                break
            holder = inner
    return tree


def home(rng: random.Random) -> Case:
    files = {"placement.yaml": File(bent(rng, template(rng)), rng.choice(SPELLINGS))}
    files["inventory.yaml"] = File(bent(rng, inventory(rng)), rng.choice(SPELLINGS))
    argv = ["home", "placement.yaml", "--inventory", "inventory.yaml"]
    argv += rng.choice(([], ["--explain"], ["--top", "3"], ["--assume", "unfit"], ["--format=json"]))
    argv += ["-o", "out"] if rng.random() < 0.2 else []
    return Case(argv, files)
