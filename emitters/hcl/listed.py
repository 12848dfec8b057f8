"""Lists that functions work on: what is none of them, what their items are, and whether one is among them.

The easy rule to break: to Heat what is not there is an empty list to most functions, and to Terraform an error, as is a
null that is looked for, or joined.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emitters.hcl import paths
from emitters.hcl.conditions import equal, loose, mixed
from emitters.hcl.forms import ways
from emitters.hcl.lower import CannotSay
from emitters.hcl.tree import Cond, Expr, Fn, ForTuple, Name, Object, Op, Tuple
from emitters.hcl.types import ANY, COLLECTIONS, LISTS, MAPS, OPEN, SCALARS, STRING, STRINGS, Type, Value, literal
from transpile import ir

if TYPE_CHECKING:
    from emitters.hcl.lower import Lowering

NOTHING = Value(Tuple(()), Type("tuple", STRING))
EMPTY = Object(())
UNTYPED = "Items that are null, lists or maps fail here, of which Heat makes texts."


def listed(lowering: Lowering, expr: ir.Expr, want: Type) -> Value:
    """An argument that is a list; what leads nowhere is an empty one."""
    value = lowering.value(expr, want)
    if literal(value.expr) and not value.expr:
        return NOTHING
    if value.type.kind in SCALARS:
        raise CannotSay(
            "HOT550", "a list is wanted here, and this is none", getattr(expr, "at", -1), getattr(expr, "end", -1)
        )
    if (found := ways(value.expr)) != (value.expr,):
        return value._replace(expr=Fn("try", (*found, Tuple(()))), null=False)
    return value._replace(expr=Fn("coalesce", (value.expr, Tuple(()))), null=False) if value.null else value


def mapped(lowering: Lowering, expr: ir.Expr | None) -> Expr:
    """An argument that is a map; what leads nowhere is an empty one."""
    value = Value(None) if expr is None else lowering.value(expr)
    if value.expr is None:
        return EMPTY
    if value.null and (found := ways(value.expr)) != (value.expr,):
        return Fn("try", (*found, EMPTY))
    return Fn("coalesce", (value.expr, EMPTY)) if value.null else value.expr


def joined(lowering: Lowering, expr: ir.Expr) -> Expr | None:
    """A list as `join` takes it: texts all the way; None for one without items."""
    if isinstance(expr, ir.Seq) and not any(isinstance(i, ir.If) and i.orelse is None for i in expr.items):
        return Tuple(tuple(lowering.compose(lowering.text(item)).expr for item in expr.items)) if expr.items else None
    value = listed(lowering, expr, STRINGS)
    if value == NOTHING:
        return None
    inner = value.type.of if value.type.kind in LISTS else ANY
    if inner == STRING or isinstance(expr, ir.Seq):
        return value.expr
    if isinstance(inner, Type) and inner.kind in COLLECTIONS:
        item = Name((lowering.unbound("item"),))
        return ForTuple(item.parts, value.expr, lowering.as_json(Value(item, inner)))
    known = [one for found in paths.evidence(lowering, expr) if isinstance(found, list) for one in found]
    if any(one is None or isinstance(one, (list, dict)) for one in known):
        item = Name((lowering.unbound("item"),))
        lowering.as_json(Value(item, ANY))
        text = Fn("try", (Fn("tostring", (item,)), Fn("jsonencode", (item,))))
        return ForTuple(item.parts, value.expr, Cond(Op("==", item, None), "", text))
    if not known or not isinstance(expr, ir.AttrRef):
        unlike(lowering, expr, value)
    return value.expr


def unlike(lowering: Lowering, expr: ir.Expr, value: Value) -> None:
    """Says that the items of a list may be no texts, where nothing tells what they are."""
    if isinstance(expr, ir.ParamRef):
        lowering.untyped(expr, ANY)
    elif value.type.kind in OPEN or isinstance(expr, ir.AttrRef):
        lowering.directory.differs("HOT579", UNTYPED, expr.at, expr.end)


def among(lowering: Lowering, where: Value, value: Value, call: ir.Expr) -> Expr:
    """Whether a value is an item of a list. `contains` fails where it looks for null."""
    if where == NOTHING:
        return False
    if not mixed(where) and value.type.kind in ("number", "bool", *MAPS, *LISTS):
        return False  # a text equals nothing but a text
    if value.null or value.expr is None:
        item = Name((lowering.unbound("item"),))
        same = equal(lowering, Value(item, STRING if not mixed(where) else ANY), value, call)
        return Fn("anytrue", (ForTuple(item.parts, where.expr, same),))
    number = isinstance(value.expr, (int, float)) and value.expr not in (0, 1)  # which no boolean equals
    if mixed(where) and value.type not in (STRING, where.type.of) and not number:
        loose(lowering, call)
    return Fn("contains", (where.expr, value.expr))
