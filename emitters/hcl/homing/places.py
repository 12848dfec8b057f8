"""Where locations and candidates are, and the distances between them.

Invariant: only distances that an expression asks for are computed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, final

from emitters.hcl.homing import columns, distances
from emitters.hcl.homing.shorthand import ID, OWN, local, member, var
from emitters.hcl.tree.nodes import Argument, Attr, Block, Expr, Fn, ForObject, Index, Name, Object, Op, Tuple
from transpile.homing.scalars import number

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from emitters.hcl.homing.columns import Columns
    from emitters.hcl.homing.parameters import Parameters
    from transpile.homing.model import Linked, Location

TO_LOCATION, APART = "km_from", "km_between"


@final
class Places:
    """`measured`: the locations that distances are measured to; `unknown`: those whose position is in the variable
    `locations`; `apart`: the demands between which distances are measured; `chosen`: those whose
    candidate is in the variable `chosen`.
    """

    def __init__(self, linked: Linked, table: Columns, parameters: Parameters) -> None:
        self.linked, self.columns, self.parameters = linked, table, parameters
        self.measured: dict[str, None] = {}
        self.unknown: dict[str, None] = {}
        self.apart: dict[str, None] = {}
        self.chosen: Collection[str] = ()

    def distance(self, location: str, one: Expr = ID) -> Expr:
        """The kilometres from a location to a candidate; computing it fails where nobody knows them."""
        self.measured[location] = None
        self.columns.points()
        return Index(member(local(TO_LOCATION), location), one)

    def between(self, demands: Iterable[str], one: Expr, other: Expr) -> Expr:
        """The kilometres between the candidates of two demands."""
        self.apart.update(dict.fromkeys(demands))
        self.columns.points()
        return Index(Index(local(APART), one), other)

    def country(self, location: str) -> Expr:
        """The country of a location; None if nobody says it."""
        one = self.linked.locations[location]
        if one.country is not None:
            return self.parameters.text(("locations", location, "country"), one.country)
        known = self.known(one)
        if known is not None and known.get("country"):
            return str(known["country"])
        if one.position is None and self.columns.inventory is None:
            self.unknown[location] = None
            return Attr(columns.lookup("locations", location), "country")
        return None

    def known(self, one: Location) -> Any:
        """What the inventory says about a location."""
        key = one.host_name or one.clli_code
        return (self.columns.section("locations") or {}).get(key) if key is not None else None

    def position(self, name: str) -> tuple[Expr, Expr]:
        one = self.linked.locations[name]
        if one.position is not None:
            path = ("locations", name)
            latitude = self.parameters.number((*path, "latitude"), one.position[0])
            return latitude, self.parameters.number((*path, "longitude"), one.position[1])
        self.unknown[name] = None
        found = columns.lookup("locations", name)
        return Attr(found, "latitude"), Attr(found, "longitude")

    # writing

    def arguments(self, candidates: Expr) -> Iterator[Argument]:
        """The locals with distances to locations."""
        if not self.measured and not self.apart:
            return
        yield from distances.constants()
        latitude, longitude = member(OWN, "latitude"), member(OWN, "longitude")
        there = Op("&&", Op("!=", latitude, None), Op("!=", longitude, None))
        sites = ForObject(("id", "c"), candidates, ID, distances.with_cosine(latitude, longitude), there)
        yield Argument("sites", sites)
        if self.measured:
            origins = tuple([(name, distances.with_cosine(*self.position(name))) for name in self.measured])
            yield Argument("origins", Object(origins))
            words = "Kilometres from each location to each candidate."
            yield from distances.lengths(TO_LOCATION, local("origins"), local("sites"), words)

    def pairs(self) -> Iterator[Argument]:
        """The locals with distances between candidates that are left."""
        if not self.apart:
            return
        lists = tuple([self.ids(name) for name in self.apart])
        ids = Fn("toset", (Fn("concat", lists),))
        test = Fn("contains", (Fn("keys", (local("sites"),)), ID))
        ends = ForObject(("id",), ids, ID, Index(local("sites"), ID), test)
        yield Argument("ends", ends)
        words = "Kilometres between candidates that are left."
        yield from distances.lengths(APART, local("ends"), local("ends"), words)

    def ids(self, demand: str) -> Expr:
        """The candidates of a demand that lengths are asked for."""
        if demand in self.chosen:
            return Tuple((member(var("chosen"), demand),))
        return member(local("left"), demand)

    def variable(self) -> Block | None:
        """The variable for locations whose position the template does not give."""
        if not self.unknown:
            return None
        block = Block("variable", ("locations",))
        names = ", ".join(self.unknown)
        block.set("description", f"Where the locations are that the template names otherwise: {names}.")
        number = Name(("number",))
        fields = (("latitude", number), ("longitude", number), ("country", Fn("optional", (Name(("string",)),))))
        block.set("type", Fn("map", (Fn("object", (Object(fields),)),)))
        return block

    def table(self) -> Argument | None:
        """The values of that variable, as far as the inventory has them."""
        found: list[tuple[Expr, Expr]] = []
        for name in self.unknown:
            known = self.known(self.linked.locations[name])
            if known is None:
                continue
            fields: list[tuple[Expr, Expr]] = [(axis, number(known[axis])) for axis in ("latitude", "longitude")]
            if known.get("country"):
                fields.append(("country", str(known["country"])))
            found.append((name, Object(tuple(fields))))
        return Argument("locations", Object(tuple(found))) if found else None
