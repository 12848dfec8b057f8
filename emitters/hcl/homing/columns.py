"""Writes the inventory as variables: the columns of `candidates`, and their values from an inventory file.

Invariant: the variable has exactly the columns that expressions read. The values in terraform.tfvars are those that the
solver sees, as far as they fit the column's type. A value that does not fit is left out, and then fails the tests that
need it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, final

from emitters.hcl import namespace
from emitters.hcl.homing.parameters import plain_scalar
from emitters.hcl.homing.shorthand import OWN, member_of, variable_reference
from emitters.hcl.tree.nodes import Argument, Block, Expr, Fn, Object, Traversal, Tuple, expression_from_data
from transpile.homing import demand_candidates, filters, relations
from transpile.homing.inventory import COSTS, Inventory, InventoryRow
from transpile.homing.problem import PlacementCandidate
from transpile.homing.scalars import finite_number

STRING, NUMBER, STRINGS = "string", "number", "strings"
TYPES: dict[str, Expr] = {
    STRING: Traversal(("string",)),
    NUMBER: Traversal(("number",)),
    STRINGS: Fn("list", (Traversal(("string",)),)),
    "numbers": Fn("map", (Traversal(("number",)),)),
}
OURS = ("rank", "capacity", "demands", "latitude", "longitude")  # columns that are no attributes
SHARED = ("inventory_type", "location_id", "latitude", "longitude")  # columns that attributes may be, too
ALWAYS = ("order", "inventory_type", "location_id", "cost")


@final
class CandidateColumns:
    """The columns of the variable `candidates`. `inventory`: None if there is no file; `types`: by name, the types of
    the columns that are read.
    """

    def __init__(self, inventory: Inventory | None) -> None:
        self.inventory = inventory
        self.types: dict[str, str] = {}
        self.names: dict[str, str] = {}  # of columns, by attribute
        self.taken = namespace.UniqueNames((*ALWAYS, *OURS))
        self.values: dict[str, Callable[[InventoryRow], Any]] = {}

    @property
    def inventory_rows(self) -> Iterable[InventoryRow]:
        return self.inventory.rows if self.inventory is not None else ()

    def inventory_section(self, name: str) -> Any:
        """A section of the inventory; None if there is none."""
        return self.inventory.sections.get(name) if self.inventory is not None else None

    # reading a column

    def attribute_column(self, name: str, *, number: bool = False) -> tuple[Expr, str]:
        """The expression for an attribute of the candidate `c`, and the type of its column."""
        name = filters.RENAMED.get(name, name)
        return self.typed_column(name, lambda row: filters.attribute_value(bare_candidate(row), name), number)

    def selector_column(self, name: str) -> tuple[Expr, str]:
        """The same for an attribute that demands filter by."""
        return self.typed_column(name, lambda row: demand_candidates.row_attribute(row, name), False)

    def typed_column(self, name: str, value: Callable[[InventoryRow], Any], number: bool) -> tuple[Expr, str]:
        column = self.column_name(name)
        lists = any(isinstance(value(row), (list, tuple)) for row in self.inventory_rows)
        column_type = STRINGS if lists else NUMBER if number else STRING
        settled = self.types.get(column)
        if settled is None or (settled == NUMBER and column_type != NUMBER):
            self.types[column] = column_type
        self.values.setdefault(column, value)
        return member_of(OWN, column), self.types[column]

    def column_name(self, attribute: str) -> str:
        """The name of an attribute's column. Terraform accepts ASCII only."""
        key = attribute.replace("-", "_")
        if key in SHARED:
            return key
        if key not in self.names:
            self.names[key] = self.taken.reserve_name(re.sub(r"[^A-Za-z0-9_]|^(?=[0-9])", "_", key) or "_")
        return self.names[key]

    def settle_type(self, attribute: str) -> str:
        """Decides the type of an attribute's column, by the values in the inventory."""
        return self.types.get(self.column_name(attribute), STRING)

    def zone_column(self, category: str) -> str:
        """The name of the column with the zone of a category."""
        name = relations.KEYS.get(category) or relations.SPELLED.get(category, category)
        if name not in ALWAYS:
            self.typed_column(name, lambda row: relations.zone_of(bare_candidate(row), category), False)
        return self.column_name(name)

    def capacity_column(self) -> Expr:
        self.types.setdefault("capacity", "numbers")
        self.values.setdefault("capacity", numeric_capacities)
        return member_of(OWN, "capacity")

    def demands_column(self) -> Expr | None:
        """The column with the demands that a candidate is for, if any candidate of the inventory has it."""
        if not any("demands" in row.data for row in self.inventory_rows):
            return None
        self.types["demands"] = STRINGS
        self.values["demands"] = lambda row: row.data.get("demands")
        return member_of(OWN, "demands")

    def point_columns(self) -> None:
        for axis in ("latitude", "longitude"):
            self.types[axis] = NUMBER
            self.values[axis] = lambda row, axis=axis: row.point and getattr(row.point, axis)  # type: ignore[misc]

    def has_attribute(self, name: str, kind: str) -> bool:
        """Whether any candidate of a type has an attribute that demands filter by."""
        return any(
            demand_candidates.row_attribute(row, name) is not None for row in self.inventory_rows if row.kind == kind
        )

    def has_column(self, name: str, kind: str) -> bool:
        return any(name in row.data for row in self.inventory_rows if row.kind == kind)

    # writing

    def candidates_variable(self) -> Block:
        block = Block("variable", ("candidates",))
        block.add_argument("description", "The inventory: places to choose from, by candidate_id.")
        optional = [(name, Fn("optional", (TYPES[kind],))) for name, kind in sorted(self.types.items())]
        optional = [(name, kind) for name, kind in optional if name not in ALWAYS]
        fields: list[tuple[Expr, Expr]] = [
            ("order", Fn("optional", (Traversal(("number",)), 0))),
            ("inventory_type", TYPES[STRING]),
            ("location_id", TYPES[STRING]),
            ("cost", Fn("optional", (TYPES[NUMBER],))),
            *optional,
        ]
        block.add_argument("type", Fn("map", (Fn("object", (Object(tuple(fields)),)),)))
        return block

    def candidates_table(self) -> Argument:
        """The candidates of the inventory, as an argument for terraform.tfvars."""
        entries = [(row.id, self.candidate_object(row, order)) for order, row in enumerate(self.inventory_rows)]
        words = " In the order of the inventory, which decides between equals (`order`)."
        return Argument("candidates", Object(tuple(entries)), comments=[words])

    def candidate_object(self, row: InventoryRow, order: int) -> Object:
        fields: list[tuple[Expr, Expr]] = [
            ("order", order),
            ("inventory_type", row.kind),
            ("location_id", str(row.data.get("location_id", row.id))),
        ]
        if row.cost is not None:
            fields.append(("cost", plain_scalar(row.cost)))
        for name, kind in sorted(self.types.items()):
            if name not in ALWAYS and (value := typed_value(self.values[name](row), kind)) is not None:
                fields.append((name, value))
        return Object(tuple(fields))


def bare_candidate(row: InventoryRow) -> PlacementCandidate:
    """A candidate as the tests of the solver take it, without its cost."""
    from fractions import Fraction

    return PlacementCandidate(row.id, row.kind, Fraction(0), row.point, row.data)


def typed_value(value: Any, kind: str) -> Expr:
    """A value in the type of its column; None if it does not fit."""
    if value is None:
        return None
    if kind == NUMBER:
        number = finite_number(value)
        return None if number is None else plain_scalar(number)
    if kind == STRINGS:
        return Tuple(tuple([str(item) for item in filters.as_list(value)]))
    if kind == "numbers":
        return expression_from_data(value)
    return column_text(value)


def column_text(value: Any) -> Expr:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, (str, int, float)) else None


def numeric_capacities(row: InventoryRow) -> dict[str, Any] | None:
    """The capacities of a candidate that are numbers."""
    capacity = row.data.get("capacity")
    if not isinstance(capacity, dict):
        return None
    return {str(k): plain_scalar(n) for k, v in capacity.items() if (n := finite_number(v)) is not None}


def default_cost(kind: str) -> int:
    return int(COSTS.get(kind, 1.0))


def section_variable(name: str, words: str, kind: Expr, default: Expr) -> Block:
    """The variable for a section of the inventory."""
    block = Block("variable", (name,))
    block.add_argument("description", words)
    block.add_argument("type", kind)
    block.add_argument("default", default)
    return block


def lookup_key(name: str, key: str) -> Expr:
    """The value of a key in a variable that is a map."""
    return member_of(variable_reference(name), key)
