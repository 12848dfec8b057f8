"""Translates parameters to inputs: types, defaults, constraints, and metadata for the rest.

Invariant: no part of a parameter is lost. The input has every part that TOSCA can express, and its metadata has the
rest with HOT's keywords.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, final

from emitters.tosca import hotjson, names
from emitters.tosca.patterns import is_python_only_pattern
from emitters.tosca.shapes import NoFit, Shape, ShapeInference, call_like, fit_scalar, read_number, to_float
from transpile.model import ir
from transpile.model.records import field, record
from transpile.resolve.stack import Stack
from transpile.resolve.stack_name import STACK_NAME
from transpile.schema import parameters

PSEUDO = {
    "OS::stack_name": "the name of the stack (a Heat pseudo parameter)",
    "OS::stack_id": "the ID of the stack (a Heat pseudo parameter)",
    "OS::project_id": "the ID of the project (a Heat pseudo parameter)",
}


@final
@record
class TemplateInput:
    """An input of the service template. `definition`: its declaration in TOSCA; `extra`: parts of the parameter for its
    metadata; `keys`: the place in the output for each key of the parameter, by the path of the key.
    """

    param: ir.Param | None
    shape: Shape
    definition: dict[str, Any]
    extra: dict[str, Any]
    json: bool = False  # the value is the JSON text of a json parameter
    keys: dict[str, str] = field(default_factory=dict)


@final
class TemplateInputs:
    """The inputs of one template."""

    def __init__(self, stack: Stack, *, nests: bool = False) -> None:
        self.stack = stack
        self.data_types: dict[str, Shape] = {}
        self.names = names.ReservedNames()
        self.floats: set[str] = set()  # numbers that are used where a float is required
        self.shapes = ShapeInference(lambda expr: "", stack.template.source.budget, nests=nests)
        self.by_name = {name: self.declare_parameter(param) for name, param in stack.template.parameters.items()}

    def declare_pseudo_parameter(self, name: str) -> None:
        """Declares a pseudo parameter that the template uses."""
        if name not in self.by_name and name in PSEUDO:
            definition = {"type": "string", "description": PSEUDO[name]}
            if name == STACK_NAME and self.stack.name:
                definition["default"] = self.stack.name
            self.by_name[name] = TemplateInput(None, Shape("string"), definition, {})

    def widen_to_float(self, names: Iterable[str]) -> bool:
        """Turns the inputs in `names` into floats. Returns whether any input changed."""
        integers = [name for name in names if self.shape_kind(name) == "integer"]
        for name in integers:
            self.floats.add(name)
            self.by_name[name] = self.declare_parameter(self.stack.template.parameters[name])
        return bool(integers)

    def shape_kind(self, name: str) -> str:
        """The shape kind of an input's value, or "" if the value is JSON text."""
        declaration = self.by_name.get(name)
        return "" if declaration is None or declaration.json else declaration.shape.kind

    def declare_parameter(self, param: ir.Param) -> TemplateInput:
        default = None if param.default is None else ir.to_data(param.default)
        shape, value, as_text = self.shape_and_default(param, default)
        definition = shape.schema_definition()
        if param.description is not None:
            definition["description"] = param.description
        if value is not None:
            definition["default"] = value
        extra: dict[str, Any] = {"type": "json"} if param.type == "json" else {}
        for key, setting in (("label", param.label), ("hidden", param.hidden), ("immutable", param.immutable)):
            if setting:
                extra[key] = setting
        if param.tags is not None:
            extra["tags"] = hotjson.expression_data(param.tags)
        if value in ("", [], {}, False, 0) and not (param.type == "json" and default == ""):
            extra["default"] = value  # heat-translator loses empty values
        elif (
            param.type == "comma_delimited_list"
            and isinstance(default, str)
            and any(item != item.strip() for item in value or ())
        ):
            extra["default"] = default  # whitespace is part of the pattern
        declaration = TemplateInput(param, shape, definition, extra, as_text)
        self.write_constraints(declaration, param)
        return declaration

    def shape_and_default(self, param: ir.Param, default: Any) -> tuple[Shape, Any, bool]:
        """Returns the shape of a parameter, its default in that shape, and whether the value is JSON text."""
        try:
            value = None if default is None else parameters.convert_value(param.type, default)
        except (ValueError, TypeError):
            value = None
        if param.type == "json":
            return self.json_shape(param.name, value)
        if param.type == "comma_delimited_list":
            return Shape("list", Shape("string")), value, False
        if param.type == "number":
            shape = self.number_shape(param, value)
            return shape, value if value is None else self.spell_number(shape, value), False
        return Shape("boolean" if param.type == "boolean" else "string"), value, False

    def number_shape(self, param: ir.Param, default: Any) -> Shape:
        """Returns integer, or float if the default, a limit, a given value or a use of the parameter is a float."""
        if param.name in self.floats:
            return Shape("float")
        values = [default]
        for constraint in param.constraints:
            if constraint.kind in ("range", "allowed_values"):
                values += [parameters.read_limit(child) for child in ir.children(constraint.value)]
        binding = self.stack.bindings.get(param.name)
        values += [binding.value] if binding is not None and not binding.wrong else []
        return Shape("float" if any(isinstance(v, float) for v in values) else "integer")

    def spell_number(self, shape: Shape, value: int | float) -> int | float:
        """Returns a number as its shape wants it: 1 → 1.0 for a float. An integer too large for a float is kept."""
        try:
            return to_float(value) if shape.kind == "float" else value
        except NoFit:
            return value

    def json_shape(self, name: str, value: Any) -> tuple[Shape, Any, bool]:
        """Returns a list or map if the default is uniform, else a string of JSON."""
        expr, nests = ir.from_data(value), self.shapes.nests
        if isinstance(value, dict) and value and not nests and all(isinstance(v, dict) for v in value.values()):
            shape = Shape("map", self.shapes.infer_shape(None, [e.value for e in expr.entries], True))  # type: ignore[union-attr]
        else:
            shape = self.shapes.infer_shape(None, [expr])
        if shape.kind in ("list", "map", *(("record",) if nests else ())) and value not in (None, ""):
            try:
                written = fit_literal(shape, expr)
            except NoFit:
                pass
            else:
                self.name_data_types(name, shape)
                return shape, written, False
        if value == "":
            return Shape("map", Shape("string")), {}, False
        return Shape("string"), None if value is None else hotjson.to_json_line(value), True

    def name_data_types(self, name: str, shape: Shape) -> None:
        """Gives names to the data types of an input's records."""
        for path, data_type in [*shape.inner_records(), *([("", shape)] if shape.kind == "record" else [])]:
            data_type.name = self.names.reserve_tosca_name(
                names.data_type_name(f"hot.nodes.{names.camel_case(name)}", path)
            )
            self.data_types[data_type.name] = data_type

    # constraints

    def write_constraints(self, declaration: TemplateInput, param: ir.Param) -> None:
        native: list[dict[str, Any]] = []
        kept: list[dict[str, Any]] = []
        for i, constraint in enumerate(param.constraints):
            clauses = self.translate_constraint(declaration, constraint)
            native += clauses
            entry_wise = constraint.kind == "allowed_values" and declaration.shape.kind == "list" and bool(clauses)
            if entry_wise:
                declaration.definition["entry_schema"] = {
                    **declaration.definition["entry_schema"],
                    "constraints": clauses,
                }
                native = native[: -len(clauses)]
            exact = bool(clauses) and constraint.description is None and not entry_wise
            if not exact:
                hot_constraint = {constraint.kind: hotjson.expression_data(constraint.value)}
                kept.append(
                    hot_constraint
                    if constraint.description is None
                    else {**hot_constraint, "description": constraint.description}
                )
            for key in constraint.keys or (f"constraints.{i}",):
                declaration.keys[key] = "constraints" if clauses else "metadata"
        if native:
            declaration.definition["constraints"] = native
        if kept:
            declaration.extra["constraints"] = kept

    def translate_constraint(self, declaration: TemplateInput, constraint: ir.Constraint) -> list[dict[str, Any]]:
        """Translates a constraint. Returns an empty list if TOSCA cannot express it."""
        value, shape = constraint.value, declaration.shape
        if constraint.kind == "length" and isinstance(value, ir.Map) and shape.kind in ("string", "list"):
            if declaration.json:
                return []
            limits = [(e.key, parameters.read_limit(e.value)) for e in value.entries]
            if all(isinstance(n, int) and n >= 0 for _, n in limits):
                return [{f"{key}_length": n} for key, n in limits]
        if constraint.kind == "range" and isinstance(value, ir.Map) and shape.kind in ("integer", "float"):
            return self.translate_range(shape, value)
        if constraint.kind == "allowed_values" and isinstance(value, ir.Seq) and not declaration.json:
            kind = shape.shape_at().kind if shape.kind == "list" else shape.kind
            try:
                allowed = [fit_scalar(kind, i.value) for i in value.items if isinstance(i, ir.Lit)]
            except NoFit:
                return []
            return [{"valid_values": allowed}] if len(allowed) == len(value.items) and allowed else []
        if constraint.kind == "allowed_pattern" and isinstance(value, ir.Lit) and isinstance(value.value, str):
            portable = not declaration.json and not is_python_only_pattern(value.value, self.shapes.budget)
            return [{"pattern": value.value}] if portable else []
        return []

    def translate_range(self, shape: Shape, value: ir.Map) -> list[dict[str, Any]]:
        limits: dict[str, Any] = {}
        for entry in value.entries:
            limit = read_number(entry.value.value) if isinstance(entry.value, ir.Lit) else None
            if limit is None:
                return []
            limits[entry.key] = self.spell_number(shape, limit)
        if set(limits) == {"min", "max"} and limits["min"] <= limits["max"]:
            return [{"in_range": [limits["min"], limits["max"]]}]
        words = {"min": "greater_or_equal", "max": "less_or_equal"}
        return [{words[key]: bound} for key, bound in limits.items() if key in words]

    # values

    def fit_environment_value(self, name: str, value: Any) -> Any:
        """Returns a value from an environment in the form of the input. Raises NoFit if it does not fit."""
        declaration = self.by_name[name]
        if declaration.json:
            return value if isinstance(value, str) else hotjson.to_json_line(value)
        return fit_literal(declaration.shape, ir.from_data(value))


def fit_literal(shape: Shape, expr: ir.Expr) -> Any:
    """Returns the value of a literal in its shape. Raises NoFit if a part of it does not fit."""
    if isinstance(expr, ir.Lit):
        return fit_scalar(shape.kind, expr.value)
    if isinstance(expr, ir.Seq) and shape.kind == "list":
        return [fit_literal(shape.shape_at(), item) for item in expr.items]
    if isinstance(expr, ir.Map) and not call_like(expr) and shape.accepts_keys(expr):
        return {e.key: fit_literal(shape.shape_at(e.key), e.value) for e in expr.entries}
    raise NoFit
