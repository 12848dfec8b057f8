"""The parameters of a homing template as variables.

Invariant: a variable stands for its parameter wherever the template names it. Where an expression has no place for it,
its value is written, which is said once for each parameter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, final

from emitters.hcl import namespace
from emitters.hcl.homing.shorthand import variable_reference
from emitters.hcl.tree.nodes import Block, Expr, Fn, Index, Name, data_of
from transpile.homing.model import RANGE
from transpile.homing.scalars import finite_number
from transpile.model.ir import Lit, ParamRef

if TYPE_CHECKING:
    from emitters.hcl.homing.notes import ModuleNotes
    from transpile.homing.model import LinkedHomingTemplate, Path, QuantityThreshold

LOW, HIGH = "low", "high"
TYPES: dict[type, str] = {bool: "bool", int: "number", float: "number", str: "string"}


@final
class ModuleParameters:
    """`names`: those of all variables; `blocks`: the variables that are used, by name; `of`: by parameter."""

    def __init__(self, linked: LinkedHomingTemplate, names: namespace.Names, notes: ModuleNotes) -> None:
        self.linked, self.names, self.notes = linked, names, notes
        self.blocks: dict[str, Block] = {}
        self.of: dict[str, list[str]] = {}
        self.known: dict[tuple[str, str], str] = {}
        self.seen: set[Path] = set()

    def parameter_reference(self, path: Path) -> ParamRef | None:
        """The call of get_param that stood at a path, if its parameter has a value."""
        found = self.linked.references.get(path)
        if isinstance(found, ParamRef) and found.name in self.linked.parameters:
            self.seen.add(path)
            return found
        return None

    def number_expression(self, path: Path, value: float) -> Expr:
        """A number, or the variable that has it."""
        ref = self.parameter_reference(path)
        if ref is None:
            return plain_scalar(value)
        found = self.parameter_variable(ref)
        return Fn("tonumber", (found,)) if isinstance(self.parameter_value(ref), str) else found

    def scalar_expression(self, path: Path, value: Any) -> Expr:
        """A scalar, or the variable that has it."""
        ref = self.parameter_reference(path)
        return plain_scalar(value) if ref is None else self.parameter_variable(ref)

    def threshold_end(self, given: QuantityThreshold, side: str) -> Expr:
        """An end of a threshold, in its base unit. The variable of a parameter has the number alone."""
        value = given.low if side == LOW else given.high
        assert value is not None
        ref = self.parameter_reference(given.path)
        if ref is None:
            return plain_scalar(value)
        if ref.path:
            self.seen.discard(given.path)
            return plain_scalar(value)
        suffix = given.unit if given.operator != RANGE else f"{'min' if side == LOW else 'max'}_{given.unit}"
        key = ref.name, suffix
        if key not in self.known:
            name = self.names.take(namespace.variable(f"{ref.name}_{suffix}"))
            self.known[key] = name
            words = f'Parameter {ref.name} ("{given.text or value}"): the number, in {given.unit}.'
            self.declare_variable(ref.name, name, words, "number", plain_scalar(value))
        return variable_reference(self.known[key])

    def parameter_value(self, ref: ParamRef) -> Any:
        """The value of a parameter, at the path of a call."""
        found = self.linked.parameters[ref.name]
        for one in ref.path:
            key = one.value if isinstance(one, Lit) else None
            found = found[int(str(key))] if isinstance(found, list) else found[str(key)]
        return found

    def parameter_variable(self, ref: ParamRef) -> Expr:
        key = ref.name, ""
        if key not in self.known:
            name = self.names.take(namespace.variable(ref.name))
            self.known[key] = name
            value = self.linked.parameters[ref.name]
            kind = TYPES.get(type(value), "any")
            self.declare_variable(ref.name, name, f"Parameter {ref.name} of the template.", kind, data_of(value))
        found: Expr = variable_reference(self.known[key])
        for one in ref.path:
            step = one.value if isinstance(one, Lit) else None
            index = finite_number(step)
            found = Index(found, int(index) if index is not None else str(step))
        return found

    def declare_variable(self, parameter: str, name: str, words: str, kind: str, default: Expr) -> None:
        block = Block("variable", (name,))
        block.set("description", words)
        block.set("type", Name((kind,)))
        block.set("default", default)
        self.blocks[name] = block
        self.of.setdefault(parameter, []).append(name)

    def report_fixed_parameters(self) -> None:
        """Says which parameters became their values."""
        for path, ref in self.linked.references.items():
            if isinstance(ref, ParamRef) and path[0] != "parameters" and path not in self.seen:
                message = f"The value of the parameter {ref.name} is written in place of it."
                self.notes.report("HOT850", message, ref)


def plain_scalar(value: Any) -> Expr:
    """A scalar; a whole number without its point."""
    if isinstance(value, float) and value == int(value) and abs(value) < 1e15:
        return int(value)
    assert value is None or isinstance(value, (bool, int, float, str))
    return value
