"""Infers the types of values from Heat's schema and from the values in the template.

Invariant: every shape can be written in TOSCA 1.3 in a form that all tools accept, with one level of `entry_schema`. A
value that does not fit its shape becomes a node; it is never altered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from emitters.tosca.schema_notes import SchemaNotes, describe_schema
from transpile.model import ir
from transpile.model.budget import Budget
from transpile.model.intrinsics import INTRINSICS
from transpile.model.records import field, record
from transpile.schema import catalog

SCALARS = ("string", "integer", "float", "boolean")
# A map with one of these keys looks like a function call to TOSCA tools, or like a leftover HOT function.
TOSCA_FUNCTIONS = (
    "get_input",
    "get_property",
    "get_attribute",
    "get_artifact",
    "get_operation_output",
    "get_nodes_of_type",
)
FUNCTIONS = frozenset((*TOSCA_FUNCTIONS, "concat", "join", "token", *INTRINSICS))
BIG = 1 << 63
KINDS: Mapping[type, str] = {ir.Seq: "list", ir.Map: "map", ir.Lit: "any"}


class NoFit(ValueError):
    """The value cannot be written in its shape."""


@record
class Shape:
    """The type of a value.

    `kind`: string, integer, float, boolean, list, map, record or any. `entry`: the shape of the entries of a list or
    map. `fields`, `required`: the fields of a record, and the keys that Heat requires and every value sets. `allowed`:
    the values that Heat allows. `name`: the name of a record's data type. `notes`: the notes of a plug-in's schema.
    """

    kind: str
    entry: Shape | None = None
    fields: dict[str, Shape] = field(default_factory=dict)
    required: set[str] = field(default_factory=set)
    allowed: list[Any] = field(default_factory=list)
    name: str = ""
    notes: SchemaNotes = field(default_factory=SchemaNotes)

    def type_name(self) -> str:
        return self.name if self.kind == "record" else "string" if self.kind == "any" else self.kind

    def shape_at(self, key: str = "") -> Shape:
        """The shape of a field of a record, or of any entry of another value."""
        return self.fields[key] if self.kind == "record" else self.entry or ANY

    def accepts_keys(self, mapping: ir.Map) -> bool:
        """Whether a map may have these keys."""
        return self.kind in ("map", "any") or (
            self.kind == "record" and all(entry.key in self.fields for entry in mapping.entries)
        )

    def schema_definition(self) -> dict[str, Any]:
        """The declaration of a property or an attribute with this shape."""
        out: dict[str, Any] = {"type": self.type_name()}
        if self.kind in ("list", "map"):
            out["entry_schema"] = self.shape_at().schema_definition()
        return out

    def inner_records(self) -> Iterable[tuple[str, Shape]]:
        """Yields the records inside, inner ones first, with the keys that lead to them."""
        if self.entry is not None:
            yield from self.entry.inner_records()
            if self.entry.kind == "record":
                yield "", self.entry
        for key, shape in self.fields.items():
            for inner, data_type in shape.inner_records():
                yield (f"{key}.{inner}" if inner else key), data_type
            if shape.kind == "record":
                yield key, shape


TEXT, ANY = Shape("string"), Shape("any")


class ShapeInference:
    """Infers shapes.

    `kind_of`: returns the shape kind of a function's value, or "" if unknown. `nests`: lists and maps may be nested, as
    in TOSCA 2.0. `floats`: parameters that are used where a float is required. `budget`: pays for patterns.
    """

    def __init__(self, kind_of: Callable[[ir.Expr], str], budget: Budget, *, nests: bool = False) -> None:
        self.kind_of, self.budget, self.nests = kind_of, budget, nests
        self.floats: dict[str, None] = {}

    def infer_shape(
        self,
        facts: catalog.PropertySchema | None,
        uses: Sequence[ir.Expr],
        inside: bool = False,
        *,
        annotates: bool = False,
    ) -> Shape:
        """Returns a shape that fits all values in `uses`.

        `inside`: the values are entries of a list or map, so they cannot be lists or maps themselves in TOSCA 1.3.
        `annotates`: the shape and those inside get the notes of their schemas.
        """
        shape = self.choose_shape(facts, uses, inside and not self.nests, annotates)
        if annotates and facts:
            shape.notes = describe_schema(facts, shape.kind, uses, fit_scalar, self.budget)
        return shape

    def choose_shape(
        self, facts: catalog.PropertySchema | None, uses: Sequence[ir.Expr], inside: bool, annotates: bool
    ) -> Shape:
        kind = facts.get("type", "any") if facts else "any"
        literals = [u for u in uses if isinstance(u, (ir.Lit, ir.Seq, ir.Map)) and u != ir.NULL]
        if kind in ("string", "integer", "number", "boolean"):
            return self.infer_scalar(kind, uses, facts)
        if kind == "any" and literals:  # the most frequent kind
            node_classes = [type(u) for u in literals]
            kind = KINDS[max(node_classes, key=node_classes.count)]
        if kind == "list":
            return self.infer_list(facts or {}, uses, inside, annotates)
        return (
            self.infer_map(facts or {}, uses, inside, annotates) if kind == "map" else self.infer_without_schema(uses)
        )

    # scalars

    def infer_scalar(self, kind: str, uses: Sequence[ir.Expr], facts: catalog.PropertySchema | None) -> Shape:
        values = [u.value for u in uses if isinstance(u, ir.Lit) and u.value is not None]
        if kind == "integer" or kind == "number":
            reference_kinds = [self.kind_of(u) for u in uses if not isinstance(u, ir.Lit)]
            numbers = [read_number(v) for v in values]
            if any(n is None for n in numbers):
                return Shape("string")
            if all(isinstance(n, int) and abs(n) < BIG for n in numbers) and "float" not in reference_kinds:
                return Shape("integer")
            self.floats |= {u.name: None for u in uses if isinstance(u, ir.ParamRef) and not u.path}
            return Shape("float")
        if kind == "boolean":
            return Shape("boolean" if all(read_boolean(v) is not None for v in values) else "string")
        shape = Shape("string")
        for name, limits, *_ in (facts or {}).get("constraints", ()):
            allowed = [str(limit) for limit in limits] if name == "allowed_values" else []
            if allowed and len(values) == len(uses) and all(heat_string(v) in allowed for v in values):
                shape.allowed = allowed
        return shape

    def infer_without_schema(self, uses: Sequence[ir.Expr]) -> Shape:
        """Returns the shape of scalars without a schema: the kind that all scalars have, else string."""
        kinds = {kind_of_scalar(u.value) for u in uses if isinstance(u, ir.Lit) and u.value is not None}
        kinds |= {k for u in uses if not isinstance(u, ir.Lit) and (k := self.kind_of(u)) in SCALARS}
        if kinds == {"integer", "float"}:
            return Shape("float")
        return Shape(kinds.pop()) if len(kinds) == 1 else Shape("string")

    # collections

    def infer_list(
        self, facts: catalog.PropertySchema, uses: Sequence[ir.Expr], inside: bool, annotates: bool
    ) -> Shape:
        if inside:
            return Shape("string")
        items = [item for u in uses if isinstance(u, ir.Seq) for item in u.items]
        return Shape("list", self.infer_shape(facts.get("items"), items, True, annotates=annotates))

    def infer_map(self, facts: catalog.PropertySchema, uses: Sequence[ir.Expr], inside: bool, annotates: bool) -> Shape:
        maps = [u for u in uses if isinstance(u, ir.Map) and not call_like(u)]
        values: dict[str, list[ir.Expr]] = {}
        for mapping in maps:
            for entry in mapping.entries:
                values.setdefault(entry.key, []).append(entry.value)
        if "fields" in facts:
            fields = facts["fields"]
            if not values:
                return Shape("string") if inside else Shape("map", TEXT)
            inner = {k: self.infer_shape(fields.get(k), v, annotates=annotates) for k, v in values.items()}
            shape = Shape("record", fields=inner)
            shape.required = {
                k
                for k, v in values.items()
                if fields.get(k, {}).get("required") and len(v) == len(maps) and ir.NULL not in v
            }
            return shape
        flat = [v for uses_of_key in values.values() for v in uses_of_key]
        if not inside and not any(isinstance(v, (ir.Seq, ir.Map)) for v in flat):
            kinds = {kind_of_scalar(v.value) for v in flat if isinstance(v, ir.Lit)}
            if len(kinds) <= 1 and "null" not in kinds:
                return Shape("map", self.infer_without_schema(flat))
        if not values:
            return Shape("string") if inside else Shape("map", TEXT)
        return Shape("record", fields={k: self.infer_shape(None, v) for k, v in values.items()})


def call_like(expr: ir.Map) -> bool:
    """Whether TOSCA tools would read a map of data as a function call."""
    return len(expr.entries) == 1 and expr.entries[0].key in FUNCTIONS


def kind_of_scalar(value: ir.Scalar) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    return "integer" if isinstance(value, int) else "float" if isinstance(value, float) else "string"


def read_number(value: ir.Scalar) -> int | float | None:
    """Returns a number, also from a string that Heat and YAML both read as a number; else None."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, (int, float)):
        return value if value == value and value not in (float("inf"), float("-inf")) else None
    try:
        return int(value) if value.strip() == value and "_" not in value else None
    except ValueError:
        try:
            result = float(value) if "_" not in value else None
        except ValueError:
            return None
        return result if result is not None and result == result and abs(result) != float("inf") else None


def to_float(value: int | float) -> float:
    """Returns a number as a float. Raises NoFit if it is too large for a float."""
    try:
        return float(value)
    except OverflowError:
        raise NoFit from None


def read_boolean(value: ir.Scalar) -> bool | None:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.lower() in ("true", "false"):
        return value.lower() == "true"
    return None


def fit_scalar(kind: str, value: ir.Scalar) -> Any:
    """Returns a scalar as a value of this kind. Raises NoFit if it cannot be such a value."""
    if kind == "any":
        return value
    if value is None or kind not in SCALARS:
        raise NoFit
    if kind == "string":
        return value if isinstance(value, str) else heat_string(value)
    if kind == "boolean":
        fitted: Any = read_boolean(value)
    else:
        fitted = read_number(value)
        if kind == "integer" and (not isinstance(fitted, int) or abs(fitted) >= BIG):
            raise NoFit
        if kind == "float" and fitted is not None:
            fitted = to_float(fitted)
    if fitted is None:
        raise NoFit
    return fitted


def heat_string(value: bool | int | float | str) -> str:
    """Converts a scalar to a string as Heat does."""
    return str(value)


def shape_of_paths(
    paths: Iterable[tuple[Any, ...]], facts: Mapping[str, str | None], name: str, nests: bool = False
) -> Shape:
    """The shape of an attribute that is read with these paths; ANY if no other shape supports all of them."""
    tree: dict[Any, Any] = {}
    for path in paths:
        node = tree
        for step in path:
            node = node.setdefault(step, {})
    if tree:
        return shape_of_branch(tree, False, nests)
    kind = facts.get(name) or "string"
    if kind in ("map", "list"):
        return Shape(kind, TEXT)
    return Shape({"number": "float"}.get(kind, kind) if kind in (*SCALARS, "number") else "string")


def shape_of_branch(tree: Mapping[Any, Any], inside: bool, nests: bool) -> Shape:
    """The shape of a value that is accessed with these steps."""
    if not tree:
        return Shape("string")
    if all(isinstance(step, int) for step in tree):
        if inside:
            return ANY
        merged: dict[Any, Any] = {}
        for child in tree.values():
            merge_trees(merged, child)
        entry = shape_of_branch(merged, not nests, nests)
        return ANY if entry is ANY else Shape("list", entry)
    if not all(isinstance(step, str) for step in tree):
        return ANY
    if not inside and not any(tree.values()):
        return Shape("map", TEXT)
    fields = {step: shape_of_branch(child, False, nests) for step, child in tree.items()}
    return ANY if ANY in fields.values() else Shape("record", fields=fields)


def merge_trees(into: dict[Any, Any], other: Mapping[Any, Any]) -> None:
    for step, child in other.items():
        merge_trees(into.setdefault(step, {}), child)
