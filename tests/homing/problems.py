"""Generated placement problems, and every solution of a small one by trying all assignments."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from transpile.homing import distance
from transpile.homing.distance import DistanceLimit, GeoPoint, limit_between, make_limit
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
    Literal,
    Maximum,
    Minimum,
    Normalized,
    Number,
    Paired,
    Product,
    Sum,
    Weighted,
    Within,
    term_operands,
)
from transpile.homing.problem import (
    PlacementCandidate,
    PlacementConstraint,
    PlacementDemand,
    PlacementLocation,
    PlacementObjective,
    PlacementProblem,
)

CLOSE = 1e-6
CITIES = ((32.78, -96.8), (40.71, -74.01), (41.88, -87.63), (39.74, -104.99), (47.61, -122.33), (33.75, -84.39))


def reference(placement_problem: PlacementProblem) -> list[dict[str, str]]:
    """All best assignments: those of least value, or all that are possible without an objective."""
    best: list[tuple[float, dict[str, str]]] = []
    for chosen in possible(placement_problem):
        objective_value = valued(placement_problem, chosen)
        key = (
            0.0
            if objective_value is None
            else -objective_value
            if placement_problem.objective is not None and placement_problem.objective.maximize
            else objective_value
        )
        best.append((key, {name: candidate.id for name, candidate in chosen.items()}))
    least = min((key for key, _ in best), default=0.0)
    return [ids for key, ids in best if key - least <= CLOSE]


def possible(placement_problem: PlacementProblem) -> Iterator[dict[str, PlacementCandidate]]:
    for combination in itertools.product(*(demand.candidates for demand in placement_problem.demands)):
        chosen = {
            demand.name: candidate for demand, candidate in zip(placement_problem.demands, combination, strict=True)
        }
        if all(holds(placement_problem, constraint, chosen) for constraint in placement_problem.constraints):
            yield chosen


def holds(placement_problem: PlacementProblem, constraint: Any, chosen: Mapping[str, PlacementCandidate]) -> bool:
    """Whether a constraint holds, said in other words than the solver's."""
    own = [chosen[name] for name in constraint.demands]
    pairs = list(itertools.combinations(own, 2))
    match constraint.alone or constraint.pair:
        case Within(DistanceTo(_, location), limit):
            at = placement_problem.locations[location].point
            assert at is not None
            return all(within(limit, between(candidate.point, at)) for candidate in own)
        case Within(_, limit):
            return all(within(limit, between(candidate.point, other.point)) for candidate, other in pairs)
        case Compare(operator, Column(_, name), Column()):
            key = {"region": "location_id", "complex": "complex_name", "country": "country"}[name]
            return all((each.data[key] == other.data[key]) is (operator == SAME) for each, other in pairs)
        case Paired():
            groups = [set(pair) for pair in placement_problem.sections["groups"]]
            return all({each.id, other.id} in groups for each, other in pairs)
        case Compare(operator, Column(_, name), Literal(bound)):
            have = [candidate.data[name] for candidate in own]
            return all({"lt": value < bound, "gte": value >= bound}[operator] for value in have)
    raise AssertionError(constraint)


def within(limit: DistanceLimit, length: float) -> bool:
    if length == limit.low:
        return not limit.low_open
    if length == limit.high:
        return not limit.high_open
    return limit.low < length < limit.high


def between(point: GeoPoint | None, other: GeoPoint | None) -> float:
    """The angle between two vectors, another formula than the solver's."""
    assert point is not None
    assert other is not None
    first, second = distance.unit_vector(point), distance.unit_vector(other)
    cross = (
        first[1] * second[2] - first[2] * second[1],
        first[2] * second[0] - first[0] * second[2],
        first[0] * second[1] - first[1] * second[0],
    )
    return 6371.0 * math.atan2(math.hypot(*cross), sum(a * b for a, b in zip(first, second, strict=True)))


def valued(placement_problem: PlacementProblem, chosen: Mapping[str, PlacementCandidate]) -> float | None:
    return (
        None
        if placement_problem.objective is None
        else term(placement_problem, placement_problem.objective.term, chosen)
    )


def term(placement_problem: PlacementProblem, objective_term: Any, chosen: Mapping[str, PlacementCandidate]) -> float:
    if isinstance(objective_term, Number):
        return float(objective_term.value)
    if isinstance(objective_term, DistanceTo):
        place = placement_problem.locations[objective_term.location]
        return between(chosen[str(objective_term.of)].point, place.point)
    if isinstance(objective_term, Column):
        candidate = chosen[str(objective_term.of)]
        return float(candidate.cost if objective_term.name == "cost" else candidate.data[objective_term.name])
    operands = [term(placement_problem, each, chosen) for each in term_operands(objective_term)]
    if isinstance(objective_term, Normalized):
        return (operands[0] - float(objective_term.first)) / float(objective_term.last - objective_term.first)
    if isinstance(objective_term, (Product, Weighted)):
        return math.prod(operands)
    if isinstance(objective_term, Sum):
        return sum(operands)
    return min(operands) if isinstance(objective_term, Minimum) else max(operands)


# generating


def generated(rng: random.Random, demands: int = 4, candidates: int = 5, *, linear: bool = False) -> PlacementProblem:
    """A problem with ties, contradictions and parts that do not depend on each other."""
    pool = [candidate(rng, f"c{number}") for number in range(rng.randint(1, candidates + 2))]
    names = [f"d{number}" for number in range(rng.randint(1, demands))]
    locations = {name: PlacementLocation(name, GeoPoint(*rng.choice(CITIES))) for name in ("home", "away")}
    own = [PlacementDemand(name, tuple(rng.sample(pool, min(len(pool), rng.randint(1, candidates))))) for name in names]
    if rng.random() < 0.4:
        own = [PlacementDemand(name, own[0].candidates) for name in names]
    constraints = tuple([constraint(rng, f"k{number}", names, pool) for number in range(rng.randint(0, 4))])
    goal = objective(rng, names, linear=linear) if rng.random() < 0.9 else None
    sections = {"groups": [rng.choices([each.id for each in pool], k=2) for _ in range(rng.randint(1, 5))]}
    return PlacementProblem(tuple(own), locations, constraints, goal, sections=sections)


def candidate(rng: random.Random, name: str) -> PlacementCandidate:
    if rng.random() < 0.7:
        place = rng.choice(CITIES)
    else:
        place = rng.uniform(-80, 80), rng.uniform(-179, 179)
    data = {
        "location_id": rng.choice("rst"),
        "complex_name": rng.choice("xyz"),
        "country": rng.choice(("USA", "CAN")),
        "load": rng.choice((0, 1, 2, 5)),
    }
    cost = Fraction(rng.choice((1, 2, 2, 2, 40, -8000)))
    return PlacementCandidate(name, "cloud", cost, GeoPoint(*place), {**data, "cost": float(cost)})


def constraint(rng: random.Random, name: str, demands: list[str], pool: list[PlacementCandidate]) -> Any:
    some = tuple(rng.sample(demands, rng.randint(1, len(demands))))
    limit = rng.choice(
        (
            make_limit("<", rng.choice((500.0, 1500.0, 3000.0))),
            make_limit(">=", rng.choice((300.0, 1000.0, 2500.0))),
            limit_between(500.0, 2500.0),
        )
    )
    kind = rng.randrange(6)
    if kind == 0:
        return near(name, some, rng.choice(("home", "away")), limit)
    if kind == 1:
        comparison = Compare(rng.choice(("lt", "gte")), Column(OWN, "load"), Literal(rng.choice((1, 2))))
        return PlacementConstraint(name, some, comparison)
    if len(demands) < 2 or kind == 2:
        return apart(name, some, limit)
    if kind == 3:
        return PlacementConstraint(name, tuple(rng.sample(demands, 2)), None, Paired(OWN, OTHER))
    return zone(name, some, rng.choice(("region", "complex", "country")), same=rng.random() < 0.4)


def near(name: str, demands: tuple[str, ...], location: str, limit: DistanceLimit) -> PlacementConstraint:
    return PlacementConstraint(name, demands, Within(DistanceTo(OWN, location), limit))


def apart(name: str, demands: tuple[str, ...], limit: DistanceLimit) -> PlacementConstraint:
    return PlacementConstraint(name, demands, None, Within(DistanceBetween(OWN, OTHER), limit))


def zone(name: str, demands: tuple[str, ...], category: str, *, same: bool) -> PlacementConstraint:
    columns = Column(OWN, category, ZONE), Column(OTHER, category, ZONE)
    return PlacementConstraint(name, demands, None, Compare(SAME if same else DIFFERENT, *columns))


def priced(demand: str, location: str) -> Sum:
    """A distance with the cost of the candidate, as HAS measures it."""
    return Sum((DistanceTo(demand, location), Column(demand, "cost")))


def objective(rng: random.Random, demands: list[str], *, linear: bool) -> PlacementObjective:
    def leaf() -> Any:
        if rng.random() < 0.6:
            make = priced if rng.random() < 0.7 else DistanceTo
            return make(rng.choice(demands), rng.choice(("home", "away")))
        return Column(rng.choice(demands), "load")

    def number() -> Number:
        return Number(Fraction(rng.choice((-1, 0, 1, 2, 3))) / rng.choice((1, 1, 2, 3)))

    def any_term(depth: int) -> Any:
        roll = rng.random()
        if depth == 0 or roll < 0.3:
            return leaf() if rng.random() < 0.9 else number()
        if roll < 0.4:
            return Normalized(any_term(depth - 1), Fraction(rng.choice((0, 10))), Fraction(5))
        if roll < 0.5:
            return Weighted(number(), any_term(depth - 1))
        some = tuple([any_term(depth - 1) for _ in range(rng.randint(1, 3))])
        return rng.choice((Sum, Sum, Product, Minimum, Maximum))(some)

    if linear or rng.random() < 0.6:
        return PlacementObjective(
            Sum(tuple([Product((number(), leaf())) for _ in range(rng.randint(1, 4))])), rng.random() < 0.3
        )
    return PlacementObjective(any_term(3), rng.random() < 0.4)
