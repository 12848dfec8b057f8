"""Writes the inventory as variables: the columns of `candidates`, and their values from an inventory file.

Invariant: the variable has exactly the columns that expressions read. The values in terraform.tfvars are those that the
solver sees, as far as they fit the column's type. A value that does not fit is left out, and then fails the tests that
need it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any, final

from emitters.hcl import namespace
from emitters.hcl.homing.parameters import plain_scalar
from emitters.hcl.homing.shorthand import OWN, member_of, variable_reference
from emitters.hcl.tree.nodes import Argument, Block, Expr, Fn, Object, Traversal, Tuple, expression_from_data
from transpile.homing import columns, comparison
from transpile.homing.columns import read_column
from transpile.homing.expressions import CAPACITY, SCHEMA, Column
from transpile.homing.inventory import COSTS, Inventory, InventoryRow

STRING, NUMBER, STRINGS, NUMBERS = "string", "number", "strings", "numbers"
TYPES: dict[str, Expr] = {
    STRING: Traversal(("string",)),
    NUMBER: Traversal(("number",)),
    STRINGS: Fn("list", (Traversal(("string",)),)),
    NUMBERS: Fn("map", (Traversal(("number",)),)),
}
OURS = ("rank", "capacity", "demands", "latitude", "longitude")  # columns that are no attributes
SHARED = ("inventory_type", "location_id", "latitude", "longitude")  # columns that attributes may be, too
LARGE = 10**30  # whole numbers are written with a point from here on
ALWAYS = ("order", "inventory_type", "location_id", "cost")


@final
class CandidateColumns:
    """The columns of the variable `candidates`. `inventory`: None if there is no file; `declared`: the candidates that
    the template declares, by id; `types`: by name, the types of the columns that are read; `readings`: by the name in
    the schema, the columns by their names here.
    """

    def __init__(self, inventory: Inventory | None, declared: Mapping[str, InventoryRow]) -> None:
        self.inventory, self.declared = inventory, declared
        self.types: dict[str, str] = {}
        self.readings: dict[str, dict[str, Column]] = {}
        self.taken = namespace.UniqueNames((*ALWAYS, *OURS))
        self.values: dict[str, Callable[[InventoryRow], Any]] = {}

    @property
    def inventory_rows(self) -> Sequence[InventoryRow]:
        return self.inventory.rows if self.inventory is not None else ()

    @property
    def all_rows(self) -> Sequence[InventoryRow]:
        return [*self.inventory_rows, *self.declared.values()]

    def inventory_section(self, name: str) -> Any:
        """A section of the inventory; None if there is none."""
        return self.inventory.sections.get(name) if self.inventory is not None else None

    # reading a column

    def use_column(self, column: Column, *, number: bool = False) -> tuple[str, str]:
        """The name of a column, and its type. `number`: whether it is read as a number."""
        if column.reading == CAPACITY:
            self.types["capacity"], self.values["capacity"] = NUMBERS, numeric_capacities
            return "capacity", NUMBERS
        if column.name == columns.COST or column.reading == SCHEMA:
            return column.name, NUMBER if column.name == columns.COST else STRING
        name = self.column_name(column)
        lists = any(isinstance(read_column(column, row), (list, tuple)) for row in self.all_rows)
        kind = STRINGS if lists else NUMBER if number else STRING
        settled = self.types.get(name)
        if settled is None or (settled == NUMBER and kind != NUMBER):
            self.types[name] = kind
        self.values.setdefault(name, lambda row: read_column(column, row))
        return name, self.types[name]

    def column_name(self, column: Column) -> str:
        """The name of a column, which is ASCII, as Terraform wants it. Readings that give equal values share one."""
        schema = columns.schema_column(column)
        key = schema.replace("-", "_")
        if key in SHARED:
            return key
        for name, other in self.readings.get(key, {}).items():
            if all(read_column(column, row) == read_column(other, row) for row in self.all_rows):
                return name
        name = self.taken.reserve_name(re.sub(r"[^A-Za-z0-9_]|^(?=[0-9])", "_", key) or "_")
        self.readings.setdefault(key, {})[name] = column
        return name

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
            self.values[axis] = lambda row, axis=axis: getattr(row.point, axis, None)  # type: ignore[misc]

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

    def candidate_object(self, row: InventoryRow, order: int, *, complete: bool = False) -> Object:
        """A candidate. `complete`: with null for attributes that it lacks."""
        fields: list[tuple[Expr, Expr]] = [
            ("order", order),
            ("inventory_type", row.kind),
            ("location_id", comparison.text_of(row.data.get("location_id", row.id))),
        ]
        if row.cost is not None:
            fields.append(("cost", plain_scalar(row.cost)))
        for name, kind in sorted(self.types.items()):
            if name not in ALWAYS and ((value := typed_value(self.values[name](row), kind)) is not None or complete):
                fields.append((name, value))
        return Object(tuple(fields))


def typed_value(value: Any, kind: str) -> Expr:
    """A value in the type of its column; None if it does not fit."""
    if kind == NUMBERS:
        return expression_from_data(value)
    items = comparison.items_of(value)
    if kind == STRINGS:
        return None if items is None else Tuple(tuple([comparison.text_of(item) for item in items]))
    item = comparison.only_item(value)
    number = comparison.number_of(item)
    return comparison.text_of(item) if kind == STRING else None if number is None else plain_number(number)


def plain_number(number: Decimal) -> int | float:
    """A number as HCL writes it: a whole one without a point."""
    return int(number) if abs(number) < LARGE and number == number.to_integral_value() else float(number)


def numeric_capacities(row: InventoryRow) -> dict[str, Any] | None:
    """The capacities of a candidate that are numbers."""
    capacity = row.data.get("capacity")
    if not isinstance(capacity, dict):
        return None
    numbers = {str(name): comparison.number_of(value) for name, value in capacity.items()}
    return {name: plain_number(number) for name, number in numbers.items() if number is not None}


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
