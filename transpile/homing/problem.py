"""A placement problem as plain data: demands with candidates, constraints, and an objective.

Invariant: nothing here depends on how a template or an inventory spells things. Numbers are in base units (kilometres),
every demand and location that is named is declared, and a demand has each candidate at most once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, final

from transpile.model.records import EMPTY, field, node

if TYPE_CHECKING:
    from fractions import Fraction

CLOSE = 1e-9  # what two lengths may differ by and still be equal, absolute and relative
CLOUD, SERVICE = "cloud", "service"
OPERATORS = ("eq", "ne", "lt", "gt", "lte", "gte", "any", "all", "regex")  # of attributes


@final
@node
class GeoPoint:
    """A point on the globe, in degrees."""

    latitude: float
    longitude: float


@final
@node
class PlacementLocation:
    """A location of the template. `point` and `country` are None if nothing says them."""

    name: str
    point: GeoPoint | None = None
    country: str | None = None


@final
@node
class PlacementCandidate:
    """A candidate of the inventory. `data`: everything that the inventory says about it, `location_id` and `cost`
    included.
    """

    id: str
    kind: str  # the inventory type: cloud, service …
    cost: Fraction
    point: GeoPoint | None
    data: Mapping[str, Any] = field(compare=False)


@final
@node
class PlacementDemand:
    """A demand and its candidates, in the order of the inventory.

    `filtered`: the candidates of the inventory that the demand itself does not accept, with the reasons; `unique`:
    whether each candidate may be in one solution only, None if the template does not say it.
    """

    name: str
    candidates: tuple[PlacementCandidate, ...]
    filtered: Mapping[str, str] = EMPTY
    unique: bool | None = None


@final
@node
class DistanceLimit:
    """An interval of lengths in kilometres. Open ends do not belong to it. `text`: as people write it."""

    low: float
    high: float
    low_open: bool
    high_open: bool
    text: str = field(default="", compare=False)

    def holds(self, length: float) -> bool:
        """Whether a length in kilometres is within the limit."""
        above = length > self.low if self.low_open else length >= self.low
        return above and (length < self.high if self.high_open else length <= self.high)


def make_limit(operator: str, value: float, high: float | None = None, text: str = "") -> DistanceLimit:
    """A limit from an operator (= < > <= >=) and a value, or from both ends of a range, in kilometres."""
    if high is not None:
        return DistanceLimit(min(value, high), max(value, high), False, False, text)
    if operator in ("<", "<="):
        return DistanceLimit(float("-inf"), value, False, operator == "<", text)
    if operator in (">", ">="):
        return DistanceLimit(value, float("inf"), operator == ">", False, text)
    margin = CLOSE * max(1.0, abs(value))
    return DistanceLimit(value - margin, value + margin, False, False, text)


# constraints: `name` as in the template, `demands` in its order


@final
@node
class DistanceToLocation:
    """Each demand is within a limit of distance from a location."""

    name: str
    demands: tuple[str, ...]
    location: str
    limit: DistanceLimit


@final
@node
class DistanceBetweenDemands:
    """Each pair of the demands is within a limit of distance."""

    name: str
    demands: tuple[str, ...]
    limit: DistanceLimit


@final
@node
class ZoneConstraint:
    """Each pair of the demands is in the same zone (`same`), or in different ones. `location`: each demand must also be
    in the country of this location, or in another country.
    """

    name: str
    demands: tuple[str, ...]
    category: str
    same: bool
    location: str | None = None


@final
@node
class GroupConstraint:
    """The candidates of two demands must be one of the pairs of the inventory."""

    name: str
    demands: tuple[str, ...]
    pairs: frozenset[frozenset[str]]


@final
@node
class AttributeTest:
    """A test of one attribute of a candidate. `operator`: one of OPERATORS, or `is` for a plain value, whose meaning
    the texts leave to the inventory provider.
    """

    attribute: str
    operator: str
    operand: Any


@final
@node
class AttributeConstraint:
    """The candidate of each demand passes all tests.

    `roles`: by network role, the ids of the clouds that have it; `hosts`: the role of each host.
    """

    name: str
    demands: tuple[str, ...]
    tests: tuple[AttributeTest, ...]
    roles: Mapping[str, Sequence[str]] = EMPTY
    hosts: Mapping[str, str] = EMPTY


@final
@node
class ThresholdConstraint:
    """The attributes of each demand's candidate satisfy comparisons with numbers (operators: lt, lte, gt, gte, eq)."""

    name: str
    demands: tuple[str, ...]
    tests: tuple[AttributeTest, ...]


@final
@node
class FitConstraint:
    """The candidate of each demand has room. `kind`: vim_fit, region_fit or instance_fit; `only`: the inventory type
    that is asked; `needs`: quantities by name, None if the request is not made of numbers; `stated`: by demand, the ids
    that fit according to the inventory, if it lists them.
    """

    name: str
    kind: str
    demands: tuple[str, ...]
    only: str
    needs: Mapping[str, float] | None = None
    stated: Mapping[str, frozenset[str]] = EMPTY


@final
@node
class HpaConstraint:
    """The cloud of each demand has, for each entry of `evaluate`, a flavor with all mandatory features. `evaluate` is
    as in the template.
    """

    name: str
    demands: tuple[str, ...]
    evaluate: tuple[Mapping[str, Any], ...] = field(compare=False)


@final
@node
class UndecidedConstraint:
    """A constraint that no inventory decides. `why`: what would decide it, as a phrase."""

    name: str
    kind: str
    demands: tuple[str, ...]
    why: str


Constraint: TypeAlias = (
    DistanceToLocation
    | DistanceBetweenDemands
    | ZoneConstraint
    | GroupConstraint
    | AttributeConstraint
    | ThresholdConstraint
    | FitConstraint
    | HpaConstraint
    | UndecidedConstraint
)

# objectives


@final
@node
class NumberTerm:
    """A number in an objective."""

    value: Fraction


@final
@node
class DistanceTerm:
    """The distance in kilometres from the demand's candidate to a location. `priced`: with the candidate's cost added,
    as HAS measures in objectives of the old arrangement.
    """

    demand: str
    location: str
    priced: bool


@final
@node
class AttributeTerm:
    """The number that the demand's candidate has for an attribute."""

    demand: str
    attribute: str


@final
@node
class HpaScoreTerm:
    """The score of the demand's cloud for a constraint of type hpa: the sum over its entries of the best flavor's
    score.
    """

    demand: str
    constraint: str


@final
@node
class SumTerm:
    """The sum of terms."""

    terms: tuple[Term, ...]


@final
@node
class ProductTerm:
    """The product of factors."""

    factors: tuple[Term, ...]


@final
@node
class MinTerm:
    """The least of the terms."""

    terms: tuple[Term, ...]


@final
@node
class MaxTerm:
    """The largest of the terms."""

    terms: tuple[Term, ...]


Term: TypeAlias = NumberTerm | DistanceTerm | AttributeTerm | HpaScoreTerm | SumTerm | ProductTerm | MinTerm | MaxTerm


@final
@node
class PlacementObjective:
    """The objective: the least value of `term` is best, or with `maximize` the largest."""

    term: Term
    maximize: bool = False


@final
@node
class PlacementProblem:
    """A whole problem. `fit`: what is assumed where the inventory does not decide."""

    demands: tuple[PlacementDemand, ...]
    locations: Mapping[str, PlacementLocation] = EMPTY
    constraints: tuple[Constraint, ...] = ()
    objective: PlacementObjective | None = None
    fit: bool = True
