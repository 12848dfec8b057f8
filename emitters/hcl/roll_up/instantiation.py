"""What an expression of a rolled-up block is for one key, as an expression without `each` and `count`."""

from __future__ import annotations

from typing import final

from emitters.hcl.roll_up.families import Family, join_names
from emitters.hcl.roll_up.values import COUNT_INDEX, EACH_KEY, EACH_VALUE, flatten_parts
from emitters.hcl.tree.nodes import Expr, Fn, Index, Object, Op, StringTemplate, Traversal
from emitters.hcl.tree.rebuilding import REBUILD
from transpile.model.records import node


@final
@node
class KeyBinding:
    """One key of a family. values: the expression of `for_each`."""

    family: Family
    place: int
    values: Expr

    @property
    def key(self) -> int | str:
        return self.family.key_of(self.place)

    @property
    def each_value(self) -> Expr:
        """The value of the key in `for_each`."""
        entries = self.values.entries if isinstance(self.values, Object) else ()
        return next((value for key, value in entries if key == self.key), self.key)


def instantiate(expr: Expr, binding: KeyBinding) -> Expr:
    """An expression for one key."""
    if isinstance(expr, Traversal):
        if expr in (COUNT_INDEX, EACH_KEY):
            return binding.key
        if expr.parts[:2] == EACH_VALUE.parts:
            return read_column(binding.each_value, expr.parts[2:])
        return expr
    if isinstance(expr, Fn) and expr.name == "lookup" and expr.args[0] == EACH_VALUE:
        entries = binding.each_value.entries if isinstance(binding.each_value, Object) else ()
        return next((value for key, value in entries if key == expr.args[1]), expr.args[2])
    expr = join_names(expr)
    rebuild = REBUILD.get(type(expr))
    return simplify(rebuild(expr, lambda inner: instantiate(inner, binding))) if rebuild is not None else expr


def read_column(value: Expr, names: tuple[str, ...]) -> Expr:
    for name in names:
        entries = value.entries if isinstance(value, Object) else ()
        value = next((cell for key, cell in entries if key == name), None)
    return value


def simplify(expr: Expr) -> Expr:
    """The value of the few forms by which a block computes with its key."""
    match expr:
        case Op("+", int(left), int(right)):
            return left + right
        case Op("-", int(left), int(right)):
            return left - right
        case Fn("tonumber", (str(text),)) if text.isdecimal():
            return int(text)
        case StringTemplate(parts):
            flat = flatten_parts([str(part) if type(part) is int else part for part in parts])
            if all(isinstance(part, str) for part in flat):
                return "".join(part for part in flat if isinstance(part, str))
            return StringTemplate(flat)
        case Index(Object(entries), str(label)):
            return next((value for key, value in entries if key == label), expr)
        case Index(of, int(key)) if type(key) is int:
            return Index(of, key)
    return expr
