"""The values of a homing template: as written (`HomingDocument`), and as plain data with all references replaced
(`LinkedHomingTemplate`).

Invariant: records are immutable, equality ignores places in the text, and the numbers of a linked template are in base
units: km, ms, USD, Mbps. A name or a word that the template does not have is an empty text.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, TypeAlias, final

from transpile.homing.objective_records import Normalization as Normalization
from transpile.homing.objective_records import ObjectiveFunction as ObjectiveFunction
from transpile.homing.objective_records import ObjectiveNumber as ObjectiveNumber
from transpile.homing.objective_records import ObjectiveOperator as ObjectiveOperator
from transpile.homing.objective_records import TemplateObjective as TemplateObjective
from transpile.homing.objective_records import Term as Term
from transpile.homing.objective_records import term_functions as term_functions
from transpile.homing.places import Path as Path
from transpile.homing.places import path_field, place_field
from transpile.model.ir import Comment, Entry, FileRef, Map, ParamRef, Template
from transpile.model.records import EMPTY, field, node
from transpile.model.source import Source
from transpile.model.span import Span, WithSpan

OLD, NEW = "old", "new"  # arrangements of the objective
HAS = "has"  # the engine, as the option --engine names it
RANGE = "-"  # the operator of a threshold with two ends
CLOSE = 1e-9


@final
@node
class HomingDocument:
    """A homing template as written.

    `root`: the template as data, in which a call is a map with one key. `sections`: the known sections by name,
    `unknown`: the others; in them a call is a `ParamRef` or `FileRef`. `request`: the members of the API request around
    the template, if there is one.
    """

    source: Source = field(compare=False)
    version: str
    root: Map
    parameters: Mapping[str, Entry] = EMPTY
    sections: Mapping[str, Entry] = EMPTY
    unknown: Mapping[str, Entry] = EMPTY
    request: Mapping[str, Entry] = EMPTY
    comments: tuple[Comment, ...] = field(default=(), compare=False)

    @property
    def arrangement(self) -> str:
        """The arrangement of the objective. OLD: minimize a sum. NEW: goal and operation_function, since 2020-08-13."""
        return NEW if self.version >= "2020-08-13" else OLD


@final
@node
class QuantityThreshold(WithSpan):
    """A comparison of a quantity with a number. `operator`: = < > <= >=, or RANGE; `low`, `high`: the ends, of which
    one is infinite with < > <= >=; `unit`: km, ms, USD or Mbps; `text`: as written.
    """

    operator: str
    low: float
    high: float
    unit: str
    text: str = field(default="", compare=False)
    span: Span = place_field()
    path: Path = path_field()

    def holds(self, value: float) -> bool:
        """Whether a quantity in the same unit satisfies the threshold. A range includes both ends, and = allows for
        rounding.
        """
        if self.operator == "=":
            return math.isclose(value, self.low, abs_tol=CLOSE)
        above = value > self.low if self.operator == ">" else value >= self.low
        return above and (value < self.high if self.operator == "<" else value <= self.high)

    @property
    def number(self) -> float:
        """The number of a threshold that is not a range."""
        return self.high if self.operator in ("<", "<=") else self.low


@final
@node
class TemplateLocation(WithSpan):
    """A location. If it has several descriptions, coordinates count before host_name, and host_name before clli_code.
    `placemark`: the parts of an address.
    """

    name: str
    latitude: float | None = None
    longitude: float | None = None
    host_name: str = ""
    clli_code: str = ""
    country: str = ""
    placemark: Mapping[str, str] = EMPTY
    span: Span = place_field()

    @property
    def inventory_key(self) -> str:
        """The key of the location in an inventory: its host name or CLLI code, and for an address the location's
        name.
        """
        return self.host_name or self.clli_code or self.name

    @property
    def position(self) -> tuple[float, float] | None:
        """Latitude and longitude, if the template has both."""
        return None if self.latitude is None or self.longitude is None else (self.latitude, self.longitude)


@final
@node
class AttributeFilter:
    """A filter by an attribute of candidates, which must be one of `values`, or with `negated` none of them."""

    attribute: str
    values: tuple[Any, ...]
    negated: bool = False


@final
@node
class CandidateSelection(WithSpan):
    """Candidates that the template names: their ids, and their inventory type if it is stated."""

    inventory_type: str
    ids: tuple[str, ...]
    span: Span = place_field()


@final
@node
class DeclaredCandidate(WithSpan):
    """A candidate that the template itself declares. `fields`: all its members as data, `candidate_id` included."""

    id: str
    fields: Mapping[str, Any] = EMPTY
    span: Span = place_field()


@final
@node
class DemandRequirement(WithSpan):
    """One way to satisfy a demand. `required`: the only candidates that may be taken, or None for all; `unique`:
    whether a candidate may be in one solution only; `other`: keys that do not influence the choice.
    """

    provider: str
    inventory_type: str
    filters: tuple[AttributeFilter, ...] = ()
    customer_id: Any = None
    service_type: tuple[Any, ...] = ()
    service_id: tuple[Any, ...] = ()
    region: str = ""
    complex: str = ""
    default_cost: float | None = None
    unique: bool = True
    candidates: tuple[DeclaredCandidate, ...] = ()
    required: tuple[CandidateSelection, ...] | None = None
    excluded: tuple[CandidateSelection, ...] = ()
    existing: CandidateSelection | None = None
    passthrough: Mapping[str, Any] = EMPTY
    other: Mapping[str, Any] = EMPTY
    span: Span = place_field()
    path: Path = path_field()


@final
@node
class TemplateDemand(WithSpan):
    """A demand. Its candidates are those of all its requirements."""

    name: str
    requirements: tuple[DemandRequirement, ...]
    span: Span = place_field()


@final
@node
class DistanceProperties:
    """The properties of distance_to_location and, without a location, of distance_between_demands. The threshold is
    None if it cannot be read.
    """

    threshold: QuantityThreshold
    location: str = ""


@final
@node
class AttributeEvaluation(WithSpan):
    """A test of one attribute. `operator`: eq, ne, lt, gt, lte, gte, any, all or regex; `operand`: a number for
    comparisons, a list for any and all, a pattern for regex (with `flags`), any data for eq and ne; `plain`: whether
    the template has a value without an operator, which means eq; `ignored`: whether HAS ignores the test.
    """

    attribute: str
    operator: str
    operand: Any
    flags: str = ""
    plain: bool = False
    ignored: bool = False
    span: Span = place_field()
    path: Path = path_field()


@final
@node
class AttributeProperties:
    """The properties of a constraint of type attribute: all tests must hold."""

    evaluations: tuple[AttributeEvaluation, ...]


@final
@node
class ThresholdEntry(WithSpan):
    """One entry of a threshold constraint: an attribute, an operator (eq, lt, gt, lte or gte) and a value."""

    attribute: str
    operator: str
    value: float
    unit: str = ""
    span: Span = place_field()
    path: Path = path_field()


@final
@node
class ThresholdProperties:
    """The properties of a constraint of type threshold: all entries must hold."""

    limits: tuple[ThresholdEntry, ...]


@final
@node
class ZoneProperties:
    """The properties of a zone. `qualifier`: same or different; `category`: disaster, region, complex, country, time or
    maintenance.
    """

    qualifier: str
    category: str
    location: str = ""


@final
@node
class GroupProperties:
    """The properties of an inventory_group: the first `size` demands must be a group of the inventory."""

    size: int = 2


@final
@node
class FitProperties:
    """The properties of instance_fit, region_fit and vim_fit: a controller decides whether a request fits."""

    controller: str
    request: Any = None


@final
@node
class HpaAttribute:
    """An attribute of a feature. `operator`: = < > <= >= or ALL."""

    key: str
    value: Any
    operator: str
    unit: str = ""


@final
@node
class HpaFeature:
    """A feature that a flavor must have (`mandatory`), or that adds to its score."""

    feature: str
    version: str
    architecture: str
    mandatory: bool
    score: float
    attributes: tuple[HpaAttribute, ...]
    directives: tuple[Any, ...] = ()


@final
@node
class HpaEntry:
    """Features that a single flavor must have together."""

    id: str
    type: str
    features: tuple[HpaFeature, ...]
    directives: tuple[Any, ...] = ()


@final
@node
class HpaProperties:
    """The properties of a constraint of type hpa."""

    entries: tuple[HpaEntry, ...]


@final
@node
class LicenseProperties:
    """The properties of a license, a type that the texts defer."""

    id: Any
    key: Any


@final
@node
class NetworkProperties:
    """The properties of network_between_demands and, with a location, of network_to_location. The texts defer both
    types.
    """

    bandwidth: QuantityThreshold | None = None
    distance: QuantityThreshold | None = None
    latency: QuantityThreshold | None = None
    location: str = ""


@final
@node
class CapabilityProperties:
    """The properties of a capability, a type that the texts defer. `template`, `environment`: their names or texts;
    `stack`: the Heat template, if it could be read.
    """

    specification: str
    template: Any
    environment: Any = None
    stack: Template | None = field(default=None, compare=False)


@final
@node
class OpaqueProperties:
    """The properties of a type that no text describes, as data."""

    data: Any = None


Properties: TypeAlias = (
    "DistanceProperties | AttributeProperties | ThresholdProperties | ZoneProperties | GroupProperties | FitProperties "
    "| HpaProperties | LicenseProperties | NetworkProperties | CapabilityProperties | OpaqueProperties"
)


@final
@node
class TemplateConstraint(WithSpan):
    """A constraint on demands, in the order in which it names them."""

    name: str
    type: str
    demands: tuple[str, ...]
    properties: Properties
    span: Span = place_field()
    path: Path = path_field()


@final
@node
class TemplateReservation(WithSpan):
    """A reservation for demands. `type`: instance_reservation in the texts, "" in the form that HAS reads;
    `properties`: as data.
    """

    name: str
    type: str
    demands: tuple[str, ...]
    controller: str = ""
    request: Any = None
    properties: Any = None
    span: Span = place_field()


@final
@node
class LinkedHomingTemplate:
    """A homing template without references. `parameters`: their values as data, those from outside included;
    `references`: by path, the reference that was replaced there; `data`: the sections as data; `service_model`: of the
    reservation; `overlaid`: the parameters whose value came from outside; `engine`: whose reading counts, ""
    for that of the texts or HAS.
    """

    document: HomingDocument
    parameters: Mapping[str, Any] = EMPTY
    locations: Mapping[str, TemplateLocation] = EMPTY
    demands: Mapping[str, TemplateDemand] = EMPTY
    constraints: Mapping[str, TemplateConstraint] = EMPTY
    reservations: tuple[TemplateReservation, ...] = ()
    service_model: str = ""
    objective: TemplateObjective | None = None
    references: Mapping[Path, ParamRef | FileRef] = field(default=EMPTY, compare=False)
    data: Mapping[str, Any] = EMPTY
    overlaid: Mapping[str, Any] = EMPTY
    engine: str = ""

    @property
    def distance_differs_in_has(self) -> bool:
        """Whether the texts and HAS read the objective differently. HAS adds the cost of the candidate to each distance
        of the old arrangement; the texts minimize distance alone.
        """
        return (
            self.objective is not None
            and self.document.arrangement == OLD
            and any(function.name == "distance_between" for function in term_functions(self.objective.term))
        )

    @property
    def adds_costs(self) -> bool:
        """Whether a distance in the objective includes the cost of the candidate."""
        return self.engine == HAS and self.document.arrangement == OLD

    def evaluations(self, properties: AttributeProperties) -> list[AttributeEvaluation]:
        """The tests of a constraint that count: all of them, or those that HAS makes if its reading counts."""
        return [test for test in properties.evaluations if not (test.ignored and self.engine == HAS)]

    @property
    def measured_locations(self) -> set[str]:
        """The names of the locations that distances are measured to."""
        names = {
            constraint.properties.location
            for constraint in self.constraints.values()
            if isinstance(constraint.properties, DistanceProperties)
        }
        functions = term_functions(self.objective.term) if self.objective else []
        return {name for name in (*names, *(function.location for function in functions)) if name}

    @property
    def files(self) -> bool:
        """Whether the template includes files, which only its own directory has."""
        return any(hasattr(ref, "name") and not hasattr(ref, "path") for ref in self.references.values()) or any(
            isinstance(constraint.properties, CapabilityProperties) for constraint in self.constraints.values()
        )

    @property
    def moves(self) -> bool:
        """Whether recommendations are moves, by the parameter `request_type: speed changed`. No other parameter has a
        fixed meaning.
        """
        return "speed changed" in (self.parameters.get("request_type"), self.parameters.get("REQUEST_TYPE"))
