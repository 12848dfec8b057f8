"""The inventory as variables: the columns of `candidates`, and their values from an inventory file.

Invariant: a column is there if an expression reads it. Its value in terraform.tfvars is what the solver sees, as far as
the column's type has it; what has not is left out, and fails the tests that ask for it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, final

from emitters.hcl import namespace
from emitters.hcl.homing.parameters import plain
from emitters.hcl.homing.shorthand import OWN, member, var
from emitters.hcl.tree.nodes import Argument, Block, Expr, Fn, Name, Object, Tuple, data_of
from transpile.homing import demand_candidates, filters, relations
from transpile.homing.inventory import COSTS
from transpile.homing.problem import Candidate
from transpile.homing.scalars import number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from transpile.homing.inventory import Inventory, Row

STRING, NUMBER, STRINGS = "string", "number", "strings"
TYPES: dict[str, Expr] = {
    STRING: Name(("string",)),
    NUMBER: Name(("number",)),
    STRINGS: Fn("list", (Name(("string",)),)),
    "numbers": Fn("map", (Name(("number",)),)),
}
OURS = ("rank", "capacity", "demands", "latitude", "longitude")  # columns that are no attributes
SHARED = ("inventory_type", "location_id", "latitude", "longitude")  # columns that attributes may be, too
ALWAYS = ("order", "inventory_type", "location_id", "cost")


@final
class Columns:
    """`inventory`: None if none is given. `types`: of the columns that are read, by name."""

    def __init__(self, inventory: Inventory | None) -> None:
        self.inventory = inventory
        self.types: dict[str, str] = {}
        self.names: dict[str, str] = {}  # of columns, by attribute
        self.taken = namespace.Names((*ALWAYS, *OURS))
        self.values: dict[str, Callable[[Row], Any]] = {}

    @property
    def rows(self) -> Iterable[Row]:
        return self.inventory.rows if self.inventory is not None else ()

    def section(self, name: str) -> Any:
        """A section of the inventory; None without one."""
        return self.inventory.sections.get(name) if self.inventory is not None else None

    # reading a column

    def attribute(self, name: str, *, number: bool = False) -> tuple[Expr, str]:
        """An attribute of the candidate `c`, and the type of its column."""
        name = filters.RENAMED.get(name, name)
        return self.column(name, lambda row: filters.value_of(bare(row), name), number)

    def selector(self, name: str) -> tuple[Expr, str]:
        """The same for an attribute that demands select by."""
        return self.column(name, lambda row: demand_candidates.attribute(row, name), False)

    def column(self, name: str, value: Callable[[Row], Any], number: bool) -> tuple[Expr, str]:
        column = self.name(name)
        lists = any(isinstance(value(row), (list, tuple)) for row in self.rows)
        wanted = STRINGS if lists else NUMBER if number else STRING
        known = self.types.get(column)
        if known is None or (known == NUMBER and wanted != NUMBER):
            self.types[column] = wanted
        self.values.setdefault(column, value)
        return member(OWN, column), self.types[column]

    def name(self, attribute: str) -> str:
        """The name of an attribute's column, which Terraform takes only in ASCII."""
        key = attribute.replace("-", "_")
        if key in SHARED:
            return key
        if key not in self.names:
            self.names[key] = self.taken.take(re.sub(r"[^A-Za-z0-9_]|^(?=[0-9])", "_", key) or "_")
        return self.names[key]

    def settle(self, attribute: str) -> str:
        """The type of an attribute's column as far as it is known."""
        return self.types.get(self.name(attribute), STRING)

    def zone(self, category: str) -> str:
        """The name of the column with the zone of a category."""
        name = relations.KEYS.get(category) or relations.SPELLED.get(category, category)
        if name not in ALWAYS:
            self.column(name, lambda row: relations.zone_of(bare(row), category), False)
        return self.name(name)

    def capacity(self) -> Expr:
        self.types.setdefault("capacity", "numbers")
        self.values.setdefault("capacity", capacities)
        return member(OWN, "capacity")

    def serves(self) -> Expr | None:
        """The demands that a candidate is for, if the inventory says it of any."""
        if not any("demands" in row.data for row in self.rows):
            return None
        self.types["demands"] = STRINGS
        self.values["demands"] = lambda row: row.data.get("demands")
        return member(OWN, "demands")

    def points(self) -> None:
        for axis in ("latitude", "longitude"):
            self.types[axis] = NUMBER
            self.values[axis] = lambda row, axis=axis: row.point and getattr(row.point, axis)  # type: ignore[misc]

    def has(self, name: str, kind: str) -> bool:
        """Whether any candidate of a type has an attribute that demands select by."""
        return any(demand_candidates.attribute(row, name) is not None for row in self.rows if row.kind == kind)

    def says(self, name: str, kind: str) -> bool:
        return any(name in row.data for row in self.rows if row.kind == kind)

    # writing

    def variable(self) -> Block:
        block = Block("variable", ("candidates",))
        block.set("description", "The inventory: places to choose from, by candidate_id.")
        optional = [(name, Fn("optional", (TYPES[kind],))) for name, kind in sorted(self.types.items())]
        optional = [(name, kind) for name, kind in optional if name not in ALWAYS]
        fields: list[tuple[Expr, Expr]] = [
            ("order", Fn("optional", (Name(("number",)), 0))),
            ("inventory_type", TYPES[STRING]),
            ("location_id", TYPES[STRING]),
            ("cost", Fn("optional", (TYPES[NUMBER],))),
            *optional,
        ]
        block.set("type", Fn("map", (Fn("object", (Object(tuple(fields)),)),)))
        return block

    def table(self) -> Argument:
        """The candidates of the inventory, for terraform.tfvars."""
        entries = [(row.id, self.candidate(row, order)) for order, row in enumerate(self.rows)]
        words = " In the order of the inventory, which decides between equals (`order`)."
        return Argument("candidates", Object(tuple(entries)), comments=[words])

    def candidate(self, row: Row, order: int) -> Object:
        fields: list[tuple[Expr, Expr]] = [
            ("order", order),
            ("inventory_type", row.kind),
            ("location_id", str(row.data.get("location_id", row.id))),
        ]
        if row.cost is not None:
            fields.append(("cost", plain(row.cost)))
        for name, kind in sorted(self.types.items()):
            if name not in ALWAYS and (value := typed(self.values[name](row), kind)) is not None:
                fields.append((name, value))
        return Object(tuple(fields))


def bare(row: Row) -> Candidate:
    """A candidate as the tests of the solver take it, but for its cost."""
    from fractions import Fraction

    return Candidate(row.id, row.kind, Fraction(0), row.point, row.data)


def typed(value: Any, kind: str) -> Expr:
    """A value in the type of its column; None if it has none."""
    if value is None:
        return None
    if kind == NUMBER:
        found = number(value)
        return None if found is None else plain(found)
    if kind == STRINGS:
        return Tuple(tuple([str(one) for one in filters.listed(value)]))
    if kind == "numbers":
        return data_of(value)
    return text(value)


def text(value: Any) -> Expr:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, (str, int, float)) else None


def capacities(row: Row) -> dict[str, Any] | None:
    """What a candidate has room for, as far as it is numbers."""
    given = row.data.get("capacity")
    if not isinstance(given, dict):
        return None
    return {str(k): plain(n) for k, v in given.items() if (n := number(v)) is not None}


def default_cost(kind: str) -> int:
    return int(COSTS.get(kind, 1.0))


def section_variable(name: str, words: str, kind: Expr, default: Expr) -> Block:
    """A variable for a section of the inventory."""
    block = Block("variable", (name,))
    block.set("description", words)
    block.set("type", kind)
    block.set("default", default)
    return block


def lookup(name: str, key: str) -> Expr:
    """What a variable that is a map has for a key."""
    return member(var(name), key)
