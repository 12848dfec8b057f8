"""Writes great-circle distances without trigonometry.

Terraform has no sine. Here it is its power series, with an error below 1e-18 for angles up to 180 degrees. The arc sine
is its power series after the angle has been halved three times, with an error below 1e-16. What remains is the error of
floating point, as in `hot2tf home`; both round to a tenth of a millimetre, so their lengths are equal.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from emitters.hcl.homing.shorthand import local_reference, round_to_grid
from emitters.hcl.tree.nodes import Argument, Attr, Expr, Fn, ForObject, ForTuple, Object, Op, Traversal, Tuple
from transpile.homing.distance import RADIUS, TENTHS

DEGREE = 0.017453292519943295
SINE_TERMS, ARC_TERMS = 15, 12
HALVINGS = 3
A, B, ROW, LENGTH, K, F = (Traversal((name,)) for name in ("a", "b", "row", "h", "k", "f"))
FROM, TO = Traversal(("p",)), Traversal(("q",))


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
