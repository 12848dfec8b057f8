"""Lowers functions of lists and maps.

Most of Heat's functions treat a missing list as empty. Terraform fails for one, and also if it joins null or searches
for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emitters.hcl.errors import CannotSay
from emitters.hcl.lowering import paths
from emitters.hcl.lowering.conditions import equal, loose, mixed
from emitters.hcl.lowering.registry import lowers
from emitters.hcl.lowering.rewrites import ways
from emitters.hcl.tree.nodes import Cond, Expr, Fn, ForObject, ForTuple, Name, Not, Object, Op, Tuple
from emitters.hcl.tree.types import (
    ANY,
    BOOL,
    COLLECTIONS,
    LISTS,
    MAPS,
    OBJECT,
    OPEN,
    SCALARS,
    STRING,
    STRINGS,
    TUPLE,
    Type,
    Value,
    literal,
)
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.schema.parameters import str_to_num

if TYPE_CHECKING:
    from emitters.hcl.lowering.lowering import Lowering

NOTHING = Value(Tuple(()), Type("tuple", STRING))
EMPTY = Object(())
UNTYPED = "Items that are null, lists or maps fail here; Heat would turn them into text."


def listed(lowering: Lowering, expr: ir.Expr, want: Type) -> Value:
    """An argument that must be a list, with an empty list in place of null."""
    value = lowering.value(expr, want)
    if literal(value.expr) and not value.expr:
        return NOTHING
    if value.type.kind in SCALARS:
        raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, "a list is required here, but this is not one", expr)
    if (found := ways(value.expr)) != (value.expr,):
        return value._replace(expr=Fn("try", (*found, Tuple(()))), null=False)
    return value._replace(expr=Fn("coalesce", (value.expr, Tuple(()))), null=False) if value.null else value


def mapped(lowering: Lowering, expr: ir.Expr | None) -> Expr:
    """An argument that must be a map, with an empty map in place of null."""
    value = Value(None) if expr is None else lowering.value(expr)
    if value.expr is None:
        return EMPTY
    if value.null and (found := ways(value.expr)) != (value.expr,):
        return Fn("try", (*found, EMPTY))
    return Fn("coalesce", (value.expr, EMPTY)) if value.null else value.expr


def joined(lowering: Lowering, expr: ir.Expr) -> Expr | None:
    """A list in the form that `join` takes, with strings as items; None for an empty list."""
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
        lowering.as_json(Value(item, ANY))  # only to report that the JSON differs
        text = Fn("try", (Fn("tostring", (item,)), Fn("jsonencode", (item,))))
        return ForTuple(item.parts, value.expr, Cond(Op("==", item, None), "", text))
    if not known or not isinstance(expr, ir.AttrRef):
        unlike(lowering, expr, value)
    return value.expr


def unlike(lowering: Lowering, expr: ir.Expr, value: Value) -> None:
    """Reports that the items of a list may not be strings, if nothing is known about them."""
    if isinstance(expr, ir.ParamRef):
        lowering.untyped(expr, ANY)
    elif value.type.kind in OPEN or isinstance(expr, ir.AttrRef):
        lowering.differs(codes.UNTYPED_VALUE_AS_TEXT, UNTYPED, expr)


def among(lowering: Lowering, where: Value, value: Value, call: ir.Expr) -> Expr:
    """A test whether a value is in a list. Terraform's `contains` fails for null, so that is compared item by item."""
    if where == NOTHING:
        return False
    if not mixed(where) and value.type.kind in ("number", "bool", *MAPS, *LISTS):
        return False  # a string only equals a string
    if value.null or value.expr is None:
        item = Name((lowering.unbound("item"),))
        same = equal(lowering, Value(item, STRING if not mixed(where) else ANY), value, call)
        return Fn("anytrue", (ForTuple(item.parts, where.expr, same),))
    if mixed(where) and value.type not in (STRING, where.type.of) and not plain(value.expr):
        loose(lowering, call)
    return Fn("contains", (where.expr, value.expr))


def items(call: ir.Call) -> tuple[ir.Expr, ...]:
    """The arguments of a call that takes a list."""
    if not isinstance(call.arg, ir.Seq):
        raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, f"the arguments of {call.fn} are known only at run time", call)
    return call.arg.items


def plain(expr: Expr) -> bool:
    """Whether a literal equals the same values in Heat and Terraform. 0, 1 and booleans do not."""
    return literal(expr) and not (isinstance(expr, (int, float)) and expr in (0, 1))


# the functions


@lowers("map_merge")
def map_merge(lowering: Lowering, call: ir.Call, want: Type) -> Value:
    if not isinstance(call.arg, ir.Seq):
        raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, "the maps to merge are known only at run time", call)
    return Value(Fn("merge", tuple(lowering.expr(item, OBJECT) for item in call.arg.items if item != ir.NULL)), OBJECT)


@lowers("map_replace")
def map_replace(lowering: Lowering, call: ir.Call, want: Type) -> Value:
    source, how = items(call)
    if not isinstance(how, ir.Map):
        raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, "the replacements of map_replace are known only at run time", call)
    if (known := replaced(lowering, source, how)) is not None:
        return lowering.value(known)
    if (renamed := mapped(lowering, source)) == EMPTY:
        return Value(EMPTY, OBJECT)
    key, value = Name(("k",)), Name(("v",))
    keys, values = (mapped(lowering, found) for word in ("keys", "values") for found in (how.get(word),))
    new_key: Expr = Fn("lookup", (keys, key, key)) if keys != EMPTY else key
    if isinstance(names := how.get("keys"), ir.Map) and any(lowering.value(e.value).null for e in names.entries):
        new_key = Cond(Op("==", new_key, None), key, new_key)  # a new name of null keeps the key
    new_value: Expr = Fn("try", (Fn("lookup", (values, value, value)), value)) if values != EMPTY else value
    if values != EMPTY and looks_up_more(lowering, source, how.get("values")):
        message = "Here a number or boolean is replaced like the string that looks the same; in Heat they differ."
        lowering.differs(codes.COMPARISON_OF_MIXED_TYPES, message, call)
    return Value(ForObject(("k", "v"), renamed, new_key, new_value), OBJECT)


def replaced(lowering: Lowering, source: ir.Expr, how: ir.Map) -> ir.Map | None:
    """The result of map_replace, if the template shows it: all keys are literal, and so are the values that are looked
    up. None if they are not, or if two entries might get the same key.
    """
    keys, values = (how.get(word) or ir.Map(()) for word in ("keys", "values"))
    if not isinstance(source, ir.Map) or not isinstance(keys, ir.Map) or not isinstance(values, ir.Map):
        return None
    if lowering.scope.bound or any(isinstance(e.value, ir.If) for e in (*source.entries, *keys.entries)):
        return None
    found: list[ir.Entry] = []
    for entry in source.entries:
        key, value = keys.get(entry.key) or ir.Lit(entry.key), entry.value
        if values.entries and not (isinstance(value, ir.Lit) and isinstance(value.value, str)):
            return None
        if values.entries and isinstance(value, ir.Lit) and (other := values.get(str(value.value))) is not None:
            if lowering.value(other).null:
                return None
            value = other
        if not isinstance(key, ir.Lit) or not isinstance(key.value, str):
            return None
        found.append(ir.Entry(key.value, value, entry.at))
    names = [e.key for e in found]
    kept = {e.key for e in source.entries}
    fresh = all(new == old.key or new not in kept for new, old in zip(names, source.entries, strict=True))
    return ir.Map(tuple(found), source.span) if fresh and len(set(names)) == len(names) else None


def looks_up_more(lowering: Lowering, source: ir.Expr, replaced: ir.Expr | None) -> bool:
    """Whether a number or boolean may match a key that looks like it: in Terraform, 1 finds the key "1"."""
    if isinstance(source, ir.Map) and all(lowering.value(e.value).type == STRING for e in source.entries):
        return False
    return not isinstance(replaced, ir.Map) or any(
        e.key in ("true", "false") or str_to_num(e.key) is not None for e in replaced.entries
    )


@lowers("list_concat")
def list_concat(lowering: Lowering, call: ir.Call, want: Type) -> Value:
    if not isinstance(call.arg, ir.Seq):
        raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, "the lists to join are known only at run time", call)
    values = [listed(lowering, item, want if want.kind in LISTS else ANY) for item in call.arg.items]
    values = [value for value in values if value != NOTHING]
    if not values:
        return NOTHING
    inner = {v.type.of for v in values}
    return Value(Fn("concat", tuple(v.expr for v in values)), Type("tuple", inner.pop()) if len(inner) == 1 else TUPLE)


@lowers("list_concat_unique")
def list_concat_unique(lowering: Lowering, call: ir.Call, want: Type) -> Value:
    """Lowers to `distinct`, which is exact for strings but converts mixed values to strings."""
    found = list_concat(lowering, call, want)
    assert isinstance(call.arg, ir.Seq)
    for item in call.arg.items:
        if isinstance(item, ir.Seq) and any(isinstance(i, ir.Lit) and not isinstance(i.value, str) for i in item.items):
            raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, "distinct() would convert mixed values to strings", item)
    if mixed(found):
        lowering.differs(codes.COMPARISON_OF_MIXED_TYPES, "distinct() converts mixed values to strings.", call)
    return Value(Fn("distinct", (found.expr,)), found.type)


@lowers("filter")
def filter_(lowering: Lowering, call: ir.Call, want: Type) -> Value:
    taken, source = items(call)
    found, given = lowering.value(source), listed(lowering, taken, ANY)
    if found.expr is None or found.expr == "" or given == NOTHING:
        return found
    if found.type.kind in SCALARS:
        raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, "the value that filter applies to is not a list", call)
    if found.null or ways(found.expr) != (found.expr,):
        found = listed(lowering, source, ANY)
        message = "Heat returns a missing value unchanged; this returns an empty list."
        lowering.differs(codes.COMPARISON_OF_MIXED_TYPES, message, call)
    if mixed(found) and mixed(given) and not (isinstance(given.expr, Tuple) and all(map(plain, given.expr.items))):
        loose(lowering, call)
    wanted, name = given.expr, Name((lowering.unbound("v"),))
    if isinstance(wanted, Tuple) and not mixed(found):
        texts = (item for item in wanted.items if isinstance(item, str) or not literal(item))
        wanted = Tuple(tuple(texts))  # a number never equals a string
    test: Expr = Not(Fn("contains", (wanted, name)))
    if mixed(found):  # contains() fails for null
        test = Fn("try", (test, not mixed(given) or (isinstance(wanted, Tuple) and None not in wanted.items)))
    return Value(ForTuple(name.parts, found.expr, name, test), found.type if found.type.kind in LISTS else TUPLE)


@lowers("contains")
def contains(lowering: Lowering, call: ir.Call, want: Type) -> Value:
    value, where = (lowering.value(item) for item in items(call))
    if where.type.kind == "string" and value.type.kind == "string" and not value.null:
        return Value(Fn("strcontains", (where.expr, value.expr)), BOOL)
    if where.type.kind == "any":
        raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, "whether this is a list or a string is known only at run time", call)
    if where.type.kind not in (*LISTS, *OPEN):
        raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, "whether this contains the other is known only at run time", call)
    return Value(among(lowering, where, value, call), BOOL)
