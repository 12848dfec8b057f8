"""Writes where locations and candidates are, and the distances between them.

Invariant: only the distances that expressions need are computed.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator
from typing import Any, final

from emitters.hcl.homing import columns
from emitters.hcl.homing.columns import CandidateColumns
from emitters.hcl.homing.notes import ModuleNotes
from emitters.hcl.homing.parameters import ModuleParameters
from emitters.hcl.homing.shorthand import ID, OWN, local_reference, member_of, round_to_grid, variable_reference
from emitters.hcl.tree.nodes import (
    Argument,
    Attr,
    Block,
    Expr,
    Fn,
    ForObject,
    ForTuple,
    Index,
    Object,
    Op,
    Traversal,
    Tuple,
)
from transpile.diagnostics import codes
from transpile.homing import lowering
from transpile.homing.distance import RADIUS, TENTHS
from transpile.homing.model import LinkedHomingTemplate, TemplateLocation
from transpile.homing.scalars import finite_number

DEGREE = 0.017453292519943295
SINE_TERMS, ARC_TERMS = 15, 12
HALVINGS = 3
A, B, ROW, LENGTH, K, F = (Traversal((name,)) for name in ("a", "b", "row", "h", "k", "f"))
FROM, TO = Traversal(("p",)), Traversal(("q",))

TO_LOCATION, APART = "km_from", "km_between"


@final
class ModuleLocations:
    """`measured`: the locations that distances are measured to; `unknown`: those whose position is in the variable
    `locations`; `apart`: the demands between which distances are measured; `chosen`: those whose candidate is in the
    variable `chosen`.
    """

    def __init__(
        self, linked: LinkedHomingTemplate, table: CandidateColumns, parameters: ModuleParameters, notes: ModuleNotes
    ) -> None:
        self.linked, self.columns, self.parameters, self.notes = linked, table, parameters, notes
        self.measured: dict[str, None] = {}
        self.unknown: dict[str, None] = {}
        self.apart: dict[str, None] = {}
        self.chosen: Collection[str] = ()

    def distance_to_location(self, location: str, candidate: Expr = ID) -> Expr:
        """The kilometres from a location to a candidate. Terraform fails to compute it if a position is unknown."""
        self.measured[location] = None
        self.columns.point_columns()
        return Index(member_of(local_reference(TO_LOCATION), location), candidate)

    def distance_between(self, demands: Iterable[str], candidate: Expr, other: Expr) -> Expr:
        """The kilometres between the candidates of two demands."""
        self.apart.update(dict.fromkeys(demands))
        self.columns.point_columns()
        return Index(Index(local_reference(APART), candidate), other)

    def location_country(self, location: str) -> Expr:
        """The country of a location; None if nothing says it."""
        declared = self.linked.locations[location]
        if declared.country:
            return self.parameters.scalar_expression(("locations", location, "country"), declared.country)
        inventory_data = self.inventory_location(declared)
        if inventory_data is not None and inventory_data.get("country"):
            return str(inventory_data["country"])
        if declared.position is None and self.columns.inventory is None:
            self.unknown[location] = None
            return Attr(columns.lookup_key("locations", location), "country")
        return None

    def inventory_location(self, location: TemplateLocation) -> Any:
        """The inventory's entry for a location; None if there is none."""
        return (self.columns.inventory_section("locations") or {}).get(location.inventory_key)

    def location_position(self, name: str) -> tuple[Expr, Expr]:
        location = self.linked.locations[name]
        if location.position is not None:
            path = ("locations", name)
            latitude = self.parameters.number_expression((*path, "latitude"), location.position[0])
            return latitude, self.parameters.number_expression((*path, "longitude"), location.position[1])
        self.unknown[name] = None
        looked_up = columns.lookup_key("locations", name)
        return Attr(looked_up, "latitude"), Attr(looked_up, "longitude")

    # writing

    def distance_locals(self, candidates: Expr) -> Iterator[Argument]:
        """The locals with distances to locations."""
        if not self.measured and not self.apart:
            return
        yield from series_coefficients()
        latitude, longitude = member_of(OWN, "latitude"), member_of(OWN, "longitude")
        there = Op("&&", Op("!=", latitude, None), Op("!=", longitude, None))
        sites = ForObject(("id", "c"), candidates, ID, with_cosine(latitude, longitude), there)
        yield Argument("sites", sites)
        if self.measured:
            origins = tuple([(name, with_cosine(*self.location_position(name))) for name in self.measured])
            yield Argument("origins", Object(origins))
            words = "Kilometres from each location to each candidate."
            yield from distance_locals(TO_LOCATION, local_reference("origins"), local_reference("sites"), words)

    def pair_locals(self) -> Iterator[Argument]:
        """The locals with distances between the remaining candidates."""
        if not self.apart:
            return
        lists = tuple([self.measured_candidates(name) for name in self.apart])
        ids = Fn("toset", (Fn("concat", lists),))
        test = Fn("contains", (Fn("keys", (local_reference("sites"),)), ID))
        ends = ForObject(("id",), ids, ID, Index(local_reference("sites"), ID), test)
        yield Argument("ends", ends)
        words = "Kilometres between candidates that are left."
        yield from distance_locals(APART, local_reference("ends"), local_reference("ends"), words)

    def measured_candidates(self, demand: str) -> Expr:
        """The candidates of a demand that distances are measured from."""
        if demand in self.chosen:
            return Tuple((member_of(variable_reference("chosen"), demand),))
        return member_of(local_reference("left"), demand)

    def locations_variable(self) -> Block | None:
        """The variable for locations whose position the template does not have."""
        if not self.unknown:
            return None
        block = Block("variable", ("locations",))
        names = ", ".join(self.unknown)
        block.add_argument("description", f"Coordinates of locations in another form in the template: {names}.")
        number = Traversal(("number",))
        fields = (("latitude", number), ("longitude", number), ("country", Fn("optional", (Traversal(("string",)),))))
        block.add_argument("type", Fn("map", (Fn("object", (Object(fields),)),)))
        return block

    def locations_table(self) -> Argument | None:
        """The values of that variable that the inventory has."""
        rows: list[tuple[Expr, Expr]] = []
        for name in self.unknown:
            inventory_data = self.inventory_location(self.linked.locations[name])
            if inventory_data is None:
                message, place, hint = lowering.describe_unknown_position(self.linked.locations[name])
                message += " terraform.tfvars lacks it, so the plan fails."
                self.notes.report(codes.PROBLEM_CANNOT_BE_STATED, message, place, hint, "warning")
                continue
            fields: list[tuple[Expr, Expr]] = [
                (axis, finite_number(inventory_data[axis])) for axis in ("latitude", "longitude")
            ]
            if inventory_data.get("country"):
                fields.append(("country", str(inventory_data["country"])))
            rows.append((name, Object(tuple(fields))))
        return Argument("locations", Object(tuple(rows))) if rows else None


def point_object(latitude: Expr, longitude: Expr) -> Object:
    return Object((("latitude", latitude), ("longitude", longitude)))


def series_coefficients() -> Iterator[Argument]:
    """The locals with the coefficients of both series."""
    sine: list[Expr] = [1]
    for n in range(1, SINE_TERMS):
        sine.append(Op("/", (-1) ** n, math.factorial(2 * n + 1)))
    arc: list[Expr] = [1]
    for n in range(1, ARC_TERMS):
        top, bottom = math.factorial(2 * n), 4**n * math.factorial(n) ** 2 * (2 * n + 1)
        shared = math.gcd(top, bottom)
        arc.append(Op("/", top // shared, bottom // shared))
    first = " Great circles on a sphere of 6371 km. Terraform has no sine: it is a power series here, and so is the arc"
    words = [first, " sine, for an eighth of the angle. Lengths are right to a tenth of a millimetre."]
    yield Argument("sine", Tuple(tuple(sine)), comments=words)
    yield Argument("arc_sine", Tuple(tuple(arc)))
    yield Argument("degree", DEGREE)


def sine_expression(degrees: Expr) -> Expr:
    """The sine of an angle from -180 to 180 degrees."""
    power = Fn("pow", (Op("*", degrees, local_reference("degree")), Op("+", Op("*", 2, K), 1)))
    return Fn("sum", (ForTuple(("k", "f"), local_reference("sine"), Op("*", F, power)),))


def cosine_expression(latitude: Expr) -> Expr:
    return sine_expression(Op("-", 90, latitude))


def half_chord_square(axis: str) -> Expr:
    """The square of the sine of half the difference of two coordinates."""
    return Fn("pow", (sine_expression(Op("/", Op("-", Attr(TO, axis), Attr(FROM, axis)), 2)), 2))


def distance_locals(name: str, origins: Expr, places: Expr, comment: str) -> Iterator[Argument]:
    """Locals of which the last, `name`, has the kilometres from each origin to each place. Both are maps of points with
    the cosines of their latitudes.
    """
    haversine = Op(
        "+",
        half_chord_square("latitude"),
        Op("*", Op("*", Attr(FROM, "cosine"), Attr(TO, "cosine")), half_chord_square("longitude")),
    )
    inner = ForObject(("b", "q"), places, B, Fn("min", (1, haversine)))
    previous = f"{name}_haversine"
    yield Argument(previous, ForObject(("a", "p"), origins, A, inner), comments=[f" {comment}"])
    for halving in range(1, HALVINGS + 1):
        root = Fn("pow", (Op("-", 1, LENGTH), 0.5))
        value = Op("/", LENGTH, Op("*", 2, Op("+", 1, root)))
        yield Argument(f"{name}_half_{halving}", map_distances(previous, value))
        previous = f"{name}_half_{halving}"
    series = Fn("sum", (ForTuple(("k", "f"), local_reference("arc_sine"), Op("*", F, Fn("pow", (LENGTH, K)))),))
    factor = int(2 * RADIUS * 2**HALVINGS)
    value = Op("*", Op("*", factor, Fn("pow", (LENGTH, 0.5))), series)
    yield Argument(name, map_distances(previous, round_to_grid(value, TENTHS)))


def map_distances(name: str, value: Expr) -> Expr:
    """A map of maps in which an expression of `h` replaces each value `h`."""
    inner = ForObject(("b", "h"), ROW, B, value)
    return ForObject(("a", "row"), local_reference(name), A, inner)


def with_cosine(latitude: Expr, longitude: Expr) -> Object:
    return Object((*point_object(latitude, longitude).entries, ("cosine", cosine_expression(latitude))))
