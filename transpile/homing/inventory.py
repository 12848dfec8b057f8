"""Reads an inventory file: the candidates that a homing template chooses from, and further data about them.

It has a list of candidates, or a map with the list `candidates` and other sections. The columns are those of the
candidate schema; any other column is an attribute.

Invariant: a candidate that is read has an id, an inventory type, a finite cost and, if it has coordinates, both of them
and on the globe. Each mistake has a diagnostic at its place.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, final

from yaml.nodes import MappingNode, ScalarNode, SequenceNode

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, Sink, TooManyErrors
from transpile.diagnostics.spelling import Guess
from transpile.front import documents, nodes
from transpile.front.nodes import span_of
from transpile.homing import words
from transpile.homing.distance import GeoPoint
from transpile.homing.scalars import finite_number
from transpile.model.records import field, record
from transpile.model.source import Source
from transpile.model.span import START, Span, WithSpan

if TYPE_CHECKING:
    from yaml.nodes import Node


SCHEMA = tuple(column for column in words.CANDIDATE if column != "flavors")
OURS = ("capacity", "flavors", "zones", "attributes", "demands")  # columns beside the schema
KNOWN = (*SCHEMA, *OURS)
MAPS = ("capacity", "flavors", "zones", "attributes")
SECTIONS = ("candidates", "groups", "network_roles", "host_roles", "sdnc", "locations", "latency")
ID, TYPE, COST = "candidate_id", "inventory_type", "cost"
COSTS = {"cloud": 2.0}  # of a candidate that states none; 1 for other types
ALIKE = 0.8  # how much a column must look like a known one to be taken for a typo


@final
@record
class InventoryRow(WithSpan):
    """A candidate of the file. `data`: its columns, with numbers as numbers; `span`: its place."""

    id: str
    kind: str
    cost: float | None
    point: GeoPoint | None
    data: Mapping[str, Any]
    span: Span = START


@final
@record
class Inventory:
    """The content of an inventory file. `sections`: the sections besides the candidates, as data."""

    source: Source
    rows: list[InventoryRow] = field(default_factory=list)
    sections: dict[str, Any] = field(default_factory=dict)


def read_inventory(source: Source) -> tuple[Inventory, list[Diagnostic]]:
    """The inventory in a text, and its diagnostics."""
    sink = Sink(source)
    inventory = Inventory(source)
    with contextlib.suppress(nodes.UnreadableDocument, TooManyErrors):
        InventoryReader(sink, inventory).read_rows()
    return inventory, sink.diagnostics


@final
class InventoryReader:
    """Reads one inventory."""

    def __init__(self, sink: Sink, inventory: Inventory) -> None:
        self.sink, self.inventory = sink, inventory
        self.ids: dict[str, int] = {}
        self.columns: dict[str, None] = {}

    def read_rows(self) -> None:
        root = documents.compose_document(self.sink, self.inventory.source.name)
        every: Node | None = root
        if isinstance(root, MappingNode):
            every = self.read_sections(root)
        if every is None or not isinstance(every, SequenceNode):
            place = every or root
            self.report(
                codes.NOT_AN_INVENTORY,
                "An inventory is a list of candidates, or a map with the list `candidates`.",
                place,
            )
            return
        for node in every.value:
            if not isinstance(node, MappingNode):
                self.report(codes.NOT_AN_INVENTORY, "A candidate is a map of columns.", node)
                continue
            data, places = {}, {}
            for key, value in self.unique_members(node):
                data[key] = self.node_data(value)
                places[key] = span_of(value)
            self.add_row(data, places, span_of(node))

    def read_sections(self, root: MappingNode) -> Node | None:
        """Reads the sections of a map; returns the node of the candidates."""
        every = None
        for key, node in self.unique_members(root):
            if key == "candidates":
                every = node
            elif key in SECTIONS:
                self.inventory.sections[key] = self.node_data(node)
            else:
                hint = self.sink.guess_name(key, SECTIONS)
                self.report(codes.UNKNOWN_INVENTORY_COLUMN, f"An inventory has no section {key}.", node, hint)
        self.check_shapes(root)
        return every

    def check_shapes(self, root: MappingNode) -> None:
        """Checks the shapes of the sections, and drops those that are wrong."""
        sections = self.inventory.sections
        shapes = {
            "groups": ("a list of lists of two candidates", is_list_of_pairs),
            "network_roles": ("a map of lists of candidates", is_map_of_lists),
            "sdnc": ("a map of lists of candidates", is_map_of_lists),
            "host_roles": ("a map of roles", lambda value: isinstance(value, dict)),
            "locations": ("a map of locations with coordinates", is_map_of_locations),
        }
        for key, node in self.unique_members(root):
            if key in shapes and not shapes[key][1](sections.get(key)):
                self.report(codes.NOT_AN_INVENTORY, f"{key} must be {shapes[key][0]}.", node)
                sections.pop(key, None)

    def add_row(self, data: dict[str, Any], places: Mapping[str, Span], span: Span) -> None:
        """Adds a candidate, unless it has errors."""
        self.sink.budget.check_time()
        before = self.sink.errors
        for column in data:
            if column not in self.columns:
                self.columns[column] = None
                hint = self.sink.guess_name(column, KNOWN, ALIKE) if column not in KNOWN else ""
                if hint:
                    message = f"{column} is no column of the candidate schema; it is taken as an attribute."
                    self.sink.add(codes.UNKNOWN_INVENTORY_COLUMN, message, places[column], hint)
        name = data.get(ID)
        if isinstance(name, bool) or not isinstance(name, (str, int, float)) or name == "":
            self.sink.add(codes.INVALID_INVENTORY_CANDIDATE, "A candidate needs a candidate_id.", places.get(ID, span))
            return
        kind = data.get(TYPE) or data.get("candidate_type")
        if not isinstance(kind, str):
            self.sink.add(codes.INVALID_INVENTORY_CANDIDATE, f"{name} needs an inventory_type.", places.get(TYPE, span))
        cost = self.read_number(data, COST, str(name), places)
        point = self.read_point(data, str(name), places, span)
        for column in MAPS:
            if data.get(column) is not None and not isinstance(data[column], dict):
                self.sink.add(codes.INVALID_INVENTORY_CANDIDATE, f"{column} of {name} must be a map.", places[column])
        demands = data.get("demands")
        if demands is not None and not (isinstance(demands, list) and all(isinstance(item, str) for item in demands)):
            self.sink.add(
                codes.INVALID_INVENTORY_CANDIDATE, f"demands of {name} must be a list of names.", places["demands"]
            )
        if str(name) in self.ids:
            line = self.inventory.source.line_and_column(self.ids[str(name)])[0]
            message = f"There is another candidate {name}, in line {line}."
            self.sink.add(codes.DUPLICATE_INVENTORY_CANDIDATE, message, places.get(ID, span))
        if self.sink.errors > before:
            return
        self.ids[str(name)] = span.at
        data = {key: value for key, value in data.items() if value is not None}
        data[ID] = str(name)
        data.setdefault("location_id", str(name))
        self.inventory.rows.append(InventoryRow(str(name), str(kind), cost, point, data, span))

    def read_number(self, data: dict[str, Any], column: str, name: str, places: Mapping[str, Span]) -> float | None:
        """The number in a column, which may be spelled as a text; None if the column is empty or wrong."""
        value = data.get(column)
        if value is None or value == "":
            data.pop(column, None)
            return None
        number = finite_number(value)
        if number is None:
            self.sink.add(codes.INVALID_INVENTORY_CANDIDATE, f"{column} of {name} is a number.", places[column])
            return None
        data[column] = number
        return number

    def read_point(self, data: dict[str, Any], name: str, places: Mapping[str, Span], span: Span) -> GeoPoint | None:
        """The coordinates of a candidate; None if it has none."""
        latitude, longitude = (self.read_number(data, column, name, places) for column in ("latitude", "longitude"))
        if latitude is None and longitude is None:
            return None
        if latitude is None or longitude is None:
            lacks = "latitude" if latitude is None else "longitude"
            if lacks not in places or data.get(lacks) is None:
                self.sink.add(
                    codes.INVALID_INVENTORY_CANDIDATE, f"{name} needs both coordinates, and has no {lacks}.", span
                )
            return None
        for column, value, most in (("latitude", latitude, 90), ("longitude", longitude, 180)):
            if not -most <= value <= most:
                self.sink.add(
                    codes.INVALID_INVENTORY_CANDIDATE,
                    f"{column} of {name} is not between {-most} and {most}.",
                    places[column],
                )
        return GeoPoint(latitude, longitude)

    def unique_members(self, node: MappingNode) -> Iterator[tuple[str, Node]]:
        """The entries of a map, with an error for a key that occurs again."""
        seen = set()
        for key, value in node.value:
            name = key.value if isinstance(key, ScalarNode) else None
            if name is None:
                self.report(codes.NOT_AN_INVENTORY, "A key is a name.", key)
            elif name in seen:
                self.report(codes.NOT_AN_INVENTORY, f"{name} stands here twice.", key)
            else:
                seen.add(name)
                yield name, value

    def node_data(self, node: Node) -> Any:
        """A node as plain data."""
        if isinstance(node, MappingNode):
            return {key: self.node_data(value) for key, value in self.unique_members(node)}
        if isinstance(node, SequenceNode):
            return [self.node_data(child) for child in node.value]
        assert isinstance(node, ScalarNode)
        try:
            value = nodes.read_scalar_node(node)
        except ValueError:
            self.report(codes.INVALID_INVENTORY_CANDIDATE, "This value cannot be read.", node)
            return None
        return value

    def report(self, code: str, message: str, node: Node, hint: str | Guess = "") -> None:
        self.sink.add(code, message, span_of(node), hint)


def is_list_of_pairs(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, list) and len(item) == 2 for item in value)


def is_map_of_lists(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(item, list) for item in value.values())


def is_map_of_locations(value: Any) -> bool:
    return isinstance(value, dict) and all(
        isinstance(item, dict) and all(on_globe(item, *axis) for axis in (("latitude", 90), ("longitude", 180)))
        for item in value.values()
    )


def on_globe(location: Mapping[str, Any], axis: str, most: float) -> bool:
    degrees = finite_number(location.get(axis))
    return degrees is not None and -most <= degrees <= most
