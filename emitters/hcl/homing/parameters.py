"""Writes the parameters of a homing template as variables.

Invariant: the variable replaces its parameter at every place that refers to it. Where no expression is possible, the
value is written, and one diagnostic for each parameter says so.
"""

from __future__ import annotations

from typing import Any, final

from emitters.hcl import namespace
from emitters.hcl.homing.notes import ModuleNotes
from emitters.hcl.homing.shorthand import variable_reference
from emitters.hcl.tree.nodes import Block, Expr, Fn, Index, Traversal, expression_from_data
from transpile.diagnostics import codes
from transpile.homing.model import RANGE, LinkedHomingTemplate, Path, QuantityThreshold
from transpile.homing.scalars import finite_number
from transpile.model.ir import Lit, ParamRef

LOW, HIGH = "low", "high"
TYPES: dict[type, str] = {bool: "bool", int: "number", float: "number", str: "string"}


@final
class ModuleParameters:
    """`names`: the names of all variables; `blocks`: the variables that are used, by name; `of`: by parameter."""

    def __init__(self, linked: LinkedHomingTemplate, names: namespace.UniqueNames, notes: ModuleNotes) -> None:
        self.linked, self.names, self.notes = linked, names, notes
        self.blocks: dict[str, Block] = {}
        self.of: dict[str, list[str]] = {}
        self.variable_names: dict[tuple[str, str], str] = {}
        self.seen: set[Path] = set()

    def parameter_reference(self, path: Path) -> ParamRef | None:
        """The get_param that was replaced at a path, if its parameter has a value."""
        reference = self.linked.references.get(path)
        if isinstance(reference, ParamRef) and reference.name in self.linked.parameters:
            self.seen.add(path)
            return reference
        return None

    def number_expression(self, path: Path, value: float) -> Expr:
        """The number at a path, or the variable for it."""
        ref = self.parameter_reference(path)
        if ref is None:
            return plain_scalar(value)
        variable = self.parameter_variable(ref)
        return Fn("tonumber", (variable,)) if isinstance(self.parameter_value(ref), str) else variable

    def scalar_expression(self, path: Path, value: Any) -> Expr:
        """The scalar at a path, or the variable for it."""
        ref = self.parameter_reference(path)
        return plain_scalar(value) if ref is None else self.parameter_variable(ref)

    def threshold_end(self, threshold: QuantityThreshold, side: str) -> Expr:
        """An end of a threshold, in its base unit. The variable of a parameter has the number only."""
        value = threshold.low if side == LOW else threshold.high
        ref = self.parameter_reference(threshold.path)
        if ref is None:
            return plain_scalar(value)
        if ref.path:
            self.seen.discard(threshold.path)
            return plain_scalar(value)
        suffix = (
            threshold.unit if threshold.operator != RANGE else f"{'min' if side == LOW else 'max'}_{threshold.unit}"
        )
        key = ref.name, suffix
        if key not in self.variable_names:
            name = self.names.reserve_name(namespace.variable_name(f"{ref.name}_{suffix}"))
            self.variable_names[key] = name
            words = f'Parameter {ref.name} ("{threshold.text or value}"): the number, in {threshold.unit}.'
            self.declare_variable(ref.name, name, words, "number", plain_scalar(value))
        return variable_reference(self.variable_names[key])

    def parameter_value(self, ref: ParamRef) -> Any:
        """The value of a parameter, at the path of a call."""
        value = self.linked.parameters[ref.name]
        for step in ref.path:
            key = step.value if isinstance(step, Lit) else None
            value = value[int(str(key))] if isinstance(value, list) else value[str(key)]
        return value

    def parameter_variable(self, ref: ParamRef) -> Expr:
        key = ref.name, ""
        if key not in self.variable_names:
            name = self.names.reserve_name(namespace.variable_name(ref.name))
            self.variable_names[key] = name
            value = self.linked.parameters[ref.name]
            kind = TYPES.get(type(value), "any")
            self.declare_variable(
                ref.name, name, f"Parameter {ref.name} of the template.", kind, expression_from_data(value)
            )
        expression: Expr = variable_reference(self.variable_names[key])
        for key_part in ref.path:
            step = key_part.value if isinstance(key_part, Lit) else None
            index = finite_number(step)
            expression = Index(expression, int(index) if index is not None else str(step))
        return expression

    def declare_variable(self, parameter: str, name: str, words: str, kind: str, default: Expr) -> None:
        block = Block("variable", (name,))
        block.add_argument("description", words)
        block.add_argument("type", Traversal((kind,)))
        block.add_argument("default", default)
        self.blocks[name] = block
        self.of.setdefault(parameter, []).append(name)

    def report_fixed_parameters(self) -> None:
        """Reports the parameters whose values are written in place of them."""
        for path, ref in self.linked.references.items():
            if isinstance(ref, ParamRef) and path[0] != "parameters" and path not in self.seen:
                message = f"The value of the parameter {ref.name} is written in place of it."
                self.notes.report(codes.TARGET_TAKES_ONLY_VALUE, message, ref)


def plain_scalar(value: Any) -> Expr:
    """A scalar; a whole number without a decimal point."""
    if isinstance(value, float) and value == int(value) and abs(value) < 1e15:
        return int(value)
    assert value is None or isinstance(value, (bool, int, float, str))
    return value
