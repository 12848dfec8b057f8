"""A placement problem as plain data: demands with candidates, constraints, and an objective.

Invariant: the problem does not depend on the spelling of a template or an inventory. Numbers are in base units
(kilometres), every demand and location that is named is declared, and a demand has each candidate at most once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, final

from transpile.homing.distance import GeoPoint
from transpile.homing.expressions import Term, Test
from transpile.model.records import EMPTY, field, node

if TYPE_CHECKING:
    from fractions import Fraction

CLOUD, SERVICE = "cloud", "service"


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
class PlacementConstraint:
    """A constraint on demands, in the order of the template. `alone`: a test of each of them; `pair`: a test of each
    two of them; None if there is none.
    """

    name: str
    demands: tuple[str, ...]
    alone: Test | None = None
    pair: Test | None = None


@final
@node
class PlacementObjective:
    """The objective: the least value of `term` is best, or with `maximize` the largest."""

    term: Term
    maximize: bool = False


@final
@node
class PlacementProblem:
    """A whole problem. `fit`: the assumption where the inventory does not decide; `sections`: those of the inventory,
    as data; `absent`: the names of attributes that no candidate has.
    """

    demands: tuple[PlacementDemand, ...]
    locations: Mapping[str, PlacementLocation] = EMPTY
    constraints: tuple[PlacementConstraint, ...] = ()
    objective: PlacementObjective | None = None
    fit: bool = True
    sections: Mapping[str, Any] = field(default=EMPTY, compare=False)
    absent: frozenset[str] = frozenset()
