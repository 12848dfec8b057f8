"""Measures the time of placements: 20 demands with 500 candidates each, easy and hard, and their ratio to the first
one.

python -m benchmarks.homing
"""

from __future__ import annotations

import random
import sys
import time
from fractions import Fraction
from typing import Any

from transpile.homing import solver
from transpile.homing.distance import GeoPoint, make_limit
from transpile.homing.expressions import (
    DIFFERENT,
    OTHER,
    OWN,
    SAME,
    ZONE,
    Column,
    Compare,
    DistanceBetween,
    DistanceTo,
    Maximum,
    Number,
    Sum,
    Weighted,
    Within,
)
from transpile.homing.problem import (
    PlacementCandidate,
    PlacementConstraint,
    PlacementDemand,
    PlacementLocation,
    PlacementObjective,
    PlacementProblem,
)
from transpile.model.budget import Budget

DEMANDS, CANDIDATES = 20, 500


def pool(rng: random.Random, prefix: str = "c", *, sites: int = 60) -> tuple[PlacementCandidate, ...]:
    """Clouds at some sites of a continent; several share a site, a complex and a country."""
    places = [GeoPoint(rng.uniform(25, 50), rng.uniform(-125, -70)) for _ in range(sites)]
    candidates = []
    for number in range(CANDIDATES):
        at = rng.randrange(sites)
        data = {"location_id": f"{prefix}{number}", "complex_name": f"x{at}", "country": f"k{at % 3}", "load": at}
        cost = Fraction(rng.choice((2, 2, 2, 40)))
        data["cost"] = float(cost)
        candidates.append(PlacementCandidate(f"{prefix}{number}", "cloud", cost, places[at], data))
    return tuple(candidates)


def demands(rng: random.Random, *, own: bool = False, sites: int = 60) -> tuple[PlacementDemand, ...]:
    """The demands, with the same candidates or with candidates of their own."""
    shared = pool(rng, sites=sites)
    return tuple(
        [
            PlacementDemand(f"d{number}", pool(rng, f"c{number}-", sites=sites) if own else shared)
            for number in range(DEMANDS)
        ]
    )


NAMES = tuple([f"d{number}" for number in range(DEMANDS)])


def nearest(
    rng: random.Random, *, places: int, weights: bool = False
) -> tuple[dict[str, PlacementLocation], PlacementObjective]:
    """Demands that are each near one of some locations."""
    locations = {
        f"l{n}": PlacementLocation(f"l{n}", GeoPoint(rng.uniform(28, 47), rng.uniform(-120, -75)))
        for n in range(places)
    }
    terms = []
    for number, name in enumerate(NAMES):
        priced = Sum((DistanceTo(name, f"l{number % places}"), Column(name, "cost")))
        terms.append(Weighted(Number(Fraction(rng.randint(1, 9) if weights else 1)), priced))
    return locations, PlacementObjective(Sum(tuple(terms)))


def problems() -> dict[str, PlacementProblem]:
    """The problems by name, from easy to hard."""
    problems_by_name: dict[str, PlacementProblem] = {}
    for name, (places, weights, own, sites, constraints) in KINDS.items():
        rng = random.Random(name)
        every = demands(rng, own=own, sites=sites)
        locations, goal = nearest(rng, places=places, weights=weights)
        problems_by_name[name] = PlacementProblem(every, locations, tuple(constraints), goal)
    rng = random.Random("largest")
    locations, _ = nearest(rng, places=3)
    most = Maximum(tuple([DistanceTo(name, "l0") for name in NAMES]))
    problems_by_name["largest distance"] = PlacementProblem(
        demands(rng), locations, (near("l1", 1500), apart(NAMES, "complex")), PlacementObjective(most)
    )
    loads = Sum(tuple([Column(name, "load") for name in NAMES]))
    problems_by_name["no objective"] = PlacementProblem(
        demands(rng), locations, (near("l0", 1500), apart(NAMES, "complex")), None
    )
    problems_by_name["most load"] = PlacementProblem(
        demands(rng), locations, (between(NAMES, "<", 900),), PlacementObjective(loads, True)
    )
    return problems_by_name


def near(location: str, length: float) -> PlacementConstraint:
    test = Within(DistanceTo(OWN, location), make_limit("<", length))
    return PlacementConstraint(f"near-{location}", NAMES, test)


def between(names: tuple[str, ...], operator: str, length: float) -> PlacementConstraint:
    test = Within(DistanceBetween(OWN, OTHER), make_limit(operator, length))
    return PlacementConstraint(f"between-{names[0]}-{operator}-{length}", names, None, test)


def apart(names: tuple[str, ...], category: str) -> PlacementConstraint:
    test = Compare(DIFFERENT, Column(OWN, category, ZONE), Column(OTHER, category, ZONE))
    return PlacementConstraint(f"apart-{names[0]}-{category}", names, None, test)


def together(names: tuple[str, ...], category: str) -> PlacementConstraint:
    test = Compare(SAME, Column(OWN, category, ZONE), Column(OTHER, category, ZONE))
    return PlacementConstraint(f"together-{names[0]}-{category}", names, None, test)


CHAIN = [between(NAMES[at : at + 2], "<", 700) for at in range(DEMANDS - 1)]
KINDS: dict[str, tuple[int, bool, bool, int, list[Any]]] = {
    "no constraints": (5, True, False, 60, []),
    "distances and zones": (
        5,
        True,
        False,
        60,
        [
            near("l0", 2500),
            between(NAMES[:6], "<", 1500),
            apart(NAMES[6:12], "complex"),
            together(NAMES[12:16], "country"),
        ],
    ),
    "all near each other": (5, True, False, 60, [between(NAMES, "<", 1200)]),
    "all near each other, own candidates": (5, True, True, 60, [between(NAMES, "<", 1200)]),
    "all in different complexes, one customer": (1, False, False, 60, [apart(NAMES, "complex")]),
    "all in different complexes, weights": (1, True, False, 60, [apart(NAMES, "complex")]),
    "all in different complexes, five customers": (5, True, False, 60, [apart(NAMES, "complex")]),
    "all in different regions": (5, True, False, 60, [apart(NAMES, "region")]),
    "different complexes and near": (5, True, False, 60, [apart(NAMES, "complex"), between(NAMES, "<", 2500)]),
    "chain of distances": (5, True, False, 60, CHAIN),
    "chain, far and near in turn": (
        5,
        True,
        False,
        60,
        [between(NAMES[at : at + 2], "<>"[at % 2], 900) for at in range(DEMANDS - 1)],
    ),
    "same country, different complexes": (5, True, False, 60, [together(NAMES, "country"), apart(NAMES, "complex")]),
    "pairs together, all near": (
        7,
        True,
        False,
        60,
        [*(together(NAMES[at : at + 2], "complex") for at in range(0, DEMANDS, 2)), between(NAMES, "<", 2500)],
    ),
    "all 300 km apart, one customer": (1, False, False, 60, [between(NAMES, ">", 300)]),
    "all 300 km apart, five customers": (5, True, False, 60, [between(NAMES, ">", 300)]),
    "all 300 km apart, 400 sites": (5, True, False, 400, [between(NAMES, ">", 300)]),
    "more demands than complexes": (5, True, False, 15, [apart(NAMES, "complex")]),
    "no room: all 1500 km apart": (5, True, False, 60, [between(NAMES, ">", 1500)]),
}


def main() -> None:
    base = 0.0
    for name, placement in problems().items():
        if len(sys.argv) > 1 and sys.argv[1] not in name:
            continue
        start = time.perf_counter()
        answer = solver.solve_problem(placement, budget=Budget(), seconds=8)
        took = time.perf_counter() - start
        base = base or took
        outcome = "solved" if answer.has_solution else "no solution"
        state = outcome if answer.proven else f"{outcome}, not proven"
        tie = {None: ", tie unknown", True: ", a tie", False: ""}[answer.tie]
        print(f"{name:45} {took:6.2f} s  {took / base:6.1f}  {answer.work:9,} nodes  {state}{tie}", flush=True)


if __name__ == "__main__":
    main()
