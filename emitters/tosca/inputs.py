"""Parameters as inputs: types, defaults, constraints, and metadata for the rest.

Invariant: what TOSCA can express is in the input. Its metadata holds the rest with HOT's keywords. Together they are
the complete parameter.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, final

from emitters.tosca import hotjson, names
from emitters.tosca.shapes import NoFit, Shape, Shapes, call_like, number, real, scalar
from transpile.model import ir
from transpile.model.records import field, record
from transpile.schema import parameters

if TYPE_CHECKING:
    from collections.abc import Iterable

    from transpile.resolve.stack import Stack

PSEUDO = {
    "OS::stack_name": "the name of the stack (a Heat pseudo parameter)",
    "OS::stack_id": "the ID of the stack (a Heat pseudo parameter)",
    "OS::project_id": "the ID of the project (a Heat pseudo parameter)",
}
# Regular expression syntax that Go lacks. puccini rejects such patterns.
FOREIGN = re.compile(r"\(\?(?:[=!>#(]|<[=!]|P[=>])|\\[1-9Zg]|[*+?}]\+|\{\d{4,}")


@final
@record
class Input:
    """One input: its definition, its shape, its extra metadata, and where each key of the parameter went, by path."""

    param: ir.Param | None
    shape: Shape
    definition: dict[str, Any]
    extra: dict[str, Any]
    json: bool = False  # the value is the JSON text of a json parameter
    keys: dict[str, str] = field(default_factory=dict)


@final
class Inputs:
    """The inputs of one template."""

    def __init__(self, stack: Stack, *, nests: bool = False) -> None:
        self.stack = stack
        self.data_types: dict[str, Shape] = {}
        self.names = names.Names()
        self.floats: set[str] = set()  # numbers that are used where a float is required
        self.shapes = Shapes(lambda expr: "", nests=nests)
        self.all = {name: self.declare(param) for name, param in stack.template.parameters.items()}

    def pseudo(self, name: str) -> None:
        """Declares a pseudo parameter that the template uses."""
        if name not in self.all and name in PSEUDO:
            self.all[name] = Input(None, Shape("string"), {"type": "string", "description": PSEUDO[name]}, {})

    def widen(self, wanted: Iterable[str]) -> bool:
        """Turns the inputs in `wanted` into floats. Returns whether any input changed."""
        found = [name for name in wanted if self.kind(name) == "integer"]
        for name in found:
            self.floats.add(name)
            self.all[name] = self.declare(self.stack.template.parameters[name])
        return bool(found)

    def kind(self, name: str) -> str:
        """The shape kind of an input's value, or "" if the value is JSON text."""
        found = self.all.get(name)
        return "" if found is None or found.json else found.shape.kind

    def declare(self, param: ir.Param) -> Input:
        default = None if param.default is None else ir.to_data(param.default)
        shape, value, as_text = self.typed(param, default)
        definition = shape.definition()
        if param.description is not None:
            definition["description"] = param.description
        if value is not None:
            definition["default"] = value
        extra: dict[str, Any] = {"type": "json"} if param.type == "json" else {}
        for key, found in (("label", param.label), ("hidden", param.hidden), ("immutable", param.immutable)):
            if found:
                extra[key] = found
        if param.tags is not None:
            extra["tags"] = hotjson.data(param.tags)
        if value in ("", [], {}, False, 0) and not (param.type == "json" and default == ""):
            extra["default"] = value  # heat-translator loses empty values
        elif shape.kind == "list" and isinstance(default, str) and any(v != v.strip() for v in value or ()):
            extra["default"] = default  # whitespace is part of the pattern
        made = Input(param, shape, definition, extra, as_text)
        self.constrain(made, param)
        return made

    def typed(self, param: ir.Param, default: Any) -> tuple[Shape, Any, bool]:
        """Returns the shape of a parameter, its default in that shape, and whether the value is JSON text."""
        try:
            value = None if default is None else parameters.convert_value(param.type, default)
        except (ValueError, TypeError):
            value = None
        if param.type == "json":
            return self.json(param.name, value)
        if param.type == "comma_delimited_list":
            return Shape("list", Shape("string")), value, False
        if param.type == "number":
            shape = self.number(param, value)
            return shape, value if value is None else self.sized(shape, value), False
        return Shape("boolean" if param.type == "boolean" else "string"), value, False

    def number(self, param: ir.Param, default: Any) -> Shape:
        """Returns integer, or float if the default, a limit, a given value or a use of the parameter is a float."""
        if param.name in self.floats:
            return Shape("float")
        said = [default]
        for constraint in param.constraints:
            if constraint.kind in ("range", "allowed_values"):
                said += [parameters.read_limit(child) for child in ir.children(constraint.value)]
        given = self.stack.bindings.get(param.name)
        said += [given.value] if given is not None and not given.wrong else []
        return Shape("float" if any(isinstance(v, float) for v in said) else "integer")

    def sized(self, shape: Shape, value: int | float) -> int | float:
        """A number in the spelling of its shape; one that no float can hold stays an integer."""
        try:
            return real(value) if shape.kind == "float" else value
        except NoFit:
            return value

    def json(self, name: str, value: Any) -> tuple[Shape, Any, bool]:
        """Returns a list or map if the default is uniform, else a string of JSON."""
        expr, nests = ir.from_data(value), self.shapes.nests
        if isinstance(value, dict) and value and not nests and all(isinstance(v, dict) for v in value.values()):
            shape = Shape("map", self.shapes.infer(None, [e.value for e in expr.entries], True))  # type: ignore[union-attr]
        else:
            shape = self.shapes.infer(None, [expr])
        if shape.kind in ("list", "map", *(("record",) if nests else ())) and value not in (None, ""):
            try:
                written = literal(shape, expr)
            except NoFit:
                pass
            else:
                self.register(name, shape)
                return shape, written, False
        if value == "":
            return Shape("map", Shape("string")), {}, False
        return Shape("string"), None if value is None else hotjson.dumps(value), True

    def register(self, name: str, shape: Shape) -> None:
        """Names the data types of an input."""
        for path, data_type in [*shape.records(), *([("", shape)] if shape.kind == "record" else [])]:
            data_type.name = self.names.take(names.of_data(f"hot.nodes.{names.camel(name)}", path))
            self.data_types[data_type.name] = data_type

    # constraints

    def constrain(self, made: Input, param: ir.Param) -> None:
        native: list[dict[str, Any]] = []
        kept: list[dict[str, Any]] = []
        for i, constraint in enumerate(param.constraints):
            found = self.constraint(made, constraint)
            native += found
            entry_wise = constraint.kind == "allowed_values" and made.shape.kind == "list" and bool(found)
            if entry_wise:
                made.definition["entry_schema"] = {**made.definition["entry_schema"], "constraints": found}
                native = native[: -len(found)]
            exact = bool(found) and constraint.description is None and not entry_wise
            if not exact:
                said = {constraint.kind: hotjson.data(constraint.value)}
                kept.append(said if constraint.description is None else {**said, "description": constraint.description})
            for key in constraint.keys or (f"constraints.{i}",):
                made.keys[key] = "constraints" if found else "metadata"
        if native:
            made.definition["constraints"] = native
        if kept:
            made.extra["constraints"] = kept

    def constraint(self, made: Input, constraint: ir.Constraint) -> list[dict[str, Any]]:
        """Translates a constraint. Returns an empty list if TOSCA cannot express it."""
        value, shape = constraint.value, made.shape
        if constraint.kind == "length" and isinstance(value, ir.Map) and shape.kind in ("string", "list"):
            if made.json:
                return []
            limits = [(e.key, parameters.read_limit(e.value)) for e in value.entries]
            if all(isinstance(n, int) and n >= 0 for _, n in limits):
                return [{f"{key}_length": n} for key, n in limits]
        if constraint.kind == "range" and isinstance(value, ir.Map) and shape.kind in ("integer", "float"):
            return self.range(shape, value)
        if constraint.kind == "allowed_values" and isinstance(value, ir.Seq) and not made.json:
            kind = shape.entry.kind if shape.kind == "list" and shape.entry is not None else shape.kind
            try:
                allowed = [scalar(kind, i.value) for i in value.items if isinstance(i, ir.Lit)]
            except NoFit:
                return []
            return [{"valid_values": allowed}] if len(allowed) == len(value.items) and allowed else []
        if constraint.kind == "allowed_pattern" and isinstance(value, ir.Lit) and isinstance(value.value, str):
            return [] if made.json or foreign(value.value) else [{"pattern": value.value}]
        return []

    def range(self, shape: Shape, value: ir.Map) -> list[dict[str, Any]]:
        limits: dict[str, Any] = {}
        for entry in value.entries:
            found = number(entry.value.value) if isinstance(entry.value, ir.Lit) else None
            if found is None:
                return []
            limits[entry.key] = self.sized(shape, found)
        if set(limits) == {"min", "max"} and limits["min"] <= limits["max"]:
            return [{"in_range": [limits["min"], limits["max"]]}]
        words = {"min": "greater_or_equal", "max": "less_or_equal"}
        return [{words[key]: found} for key, found in limits.items() if key in words]

    # values

    def given(self, name: str, value: Any) -> Any:
        """A value from an environment, in the form of the input. Raises NoFit."""
        made = self.all[name]
        if made.json:
            return value if isinstance(value, str) else hotjson.dumps(value)
        return literal(made.shape, ir.from_data(value))


def foreign(pattern: str) -> bool:
    """Whether other regex engines than Python's reject a pattern or read it differently."""
    if FOREIGN.search(pattern):
        return True
    try:
        re.compile(pattern)
    except re.error:
        return True
    return False


def literal(shape: Shape, expr: ir.Expr) -> Any:
    """A literal in its shape. Raises NoFit if a part of it does not fit."""
    if isinstance(expr, ir.Lit):
        return scalar(shape.kind, expr.value)
    if isinstance(expr, ir.Seq) and shape.kind == "list" and shape.entry is not None:
        return [literal(shape.entry, item) for item in expr.items]
    if isinstance(expr, ir.Map) and shape.kind in ("map", "record"):
        if call_like(expr):
            raise NoFit
        if shape.kind == "map" and shape.entry is not None:
            return {e.key: literal(shape.entry, e.value) for e in expr.entries}
        if all(e.key in shape.fields for e in expr.entries):
            return {e.key: literal(shape.fields[e.key], e.value) for e in expr.entries}
    raise NoFit
