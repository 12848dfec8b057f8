"""Lowers functions of lists and maps.

Most of Heat's functions treat a missing list as empty. Terraform fails for one, and also if it joins null or searches
for it.
"""

from __future__ import annotations

from emitters.hcl.errors import CannotSay
from emitters.hcl.lowering import paths
from emitters.hcl.lowering.conditions import compare_values, has_mixed_items, report_loose_comparison
from emitters.hcl.lowering.lowering import HclLowering
from emitters.hcl.lowering.registry import lowers_intrinsic
from emitters.hcl.lowering.rewrites import or_default, try_alternatives
from emitters.hcl.tree.nodes import Cond, Expr, Fn, ForObject, ForTuple, Not, Object, Op, Traversal, Tuple
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
    HclType,
    TypedValue,
    is_scalar_literal,
)
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.schema.parameters import str_to_num

NOTHING = TypedValue(Tuple(()), HclType("tuple", STRING))
EMPTY = Object(())
UNTYPED = "Items that are null, lists or maps fail here; Heat would turn them into text."


def lower_list_argument(lowering: HclLowering, expr: ir.Expr, want: HclType) -> TypedValue:
    """An argument that must be a list, with an empty list in place of null."""
    value = lowering.lower_value(expr, want)
    if is_scalar_literal(value.expr) and not value.expr:
        return NOTHING
    if value.type.kind in SCALARS:
        raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, "a list is required here, but this is not one", expr)
    if (alternatives := try_alternatives(value.expr)) != (value.expr,):
        return value._replace(expr=Fn("try", (*alternatives, Tuple(()))), null=False)
    return value._replace(expr=or_default(value, Tuple(())), null=False)


def lower_map_argument(lowering: HclLowering, expr: ir.Expr | None) -> Expr:
    """An argument that must be a map, with an empty map in place of null."""
    value = TypedValue(None) if expr is None else lowering.lower_value(expr)
    if value.is_null:
        return EMPTY
    if value.null and (alternatives := try_alternatives(value.expr)) != (value.expr,):
        return Fn("try", (*alternatives, EMPTY))
    return Fn("coalesce", (value.expr, EMPTY)) if value.null else value.expr


def lower_list_to_join(lowering: HclLowering, expr: ir.Expr) -> Expr | None:
    """A list in the form that `join` takes, with strings as items; None for an empty list."""
    if isinstance(expr, ir.Seq) and not any(map(ir.is_optional, expr.items)):
        return (
            Tuple(tuple(lowering.compose_text(lowering.lower_text_parts(item)).expr for item in expr.items))
            if expr.items
            else None
        )
    value = lower_list_argument(lowering, expr, STRINGS)
    if value == NOTHING:
        return None
    inner = value.type.of if value.type.kind in LISTS else ANY
    if inner == STRING or isinstance(expr, ir.Seq):
        return value.expr
    if isinstance(inner, HclType) and inner.kind in COLLECTIONS:
        item = Traversal((lowering.free_variable("item"),))
        return ForTuple(item.parts, value.expr, lowering.json_of_value(TypedValue(item, inner)))
    members = [
        member for values in paths.values_of_expression(lowering, expr) if isinstance(values, list) for member in values
    ]
    if any(member is None or isinstance(member, (list, dict)) for member in members):
        item = Traversal((lowering.free_variable("item"),))
        lowering.json_of_value(TypedValue(item, ANY))  # only to report that the JSON differs
        text = Fn("try", (Fn("tostring", (item,)), Fn("jsonencode", (item,))))
        return ForTuple(item.parts, value.expr, Cond(Op("==", item, None), "", text))
    if not members or not isinstance(expr, ir.AttrRef):
        report_untyped_items(lowering, expr, value)
    return value.expr


def report_untyped_items(lowering: HclLowering, expr: ir.Expr, value: TypedValue) -> None:
    """Reports that the items of a list may not be strings, if nothing is known about them."""
    if isinstance(expr, ir.ParamRef):
        lowering.report_untyped(expr, ANY)
    elif value.type.kind in OPEN or isinstance(expr, ir.AttrRef):
        lowering.differs(codes.UNTYPED_VALUE_AS_TEXT, UNTYPED, expr)


def test_membership(lowering: HclLowering, where: TypedValue, value: TypedValue, call: ir.Expr) -> Expr:
    """A test whether a value is in a list. Terraform's `contains` fails for null, so that is compared item by item."""
    if where == NOTHING:
        return False
    if not has_mixed_items(where) and value.type.kind in ("number", "bool", *MAPS, *LISTS):
        return False  # a string only equals a string
    if value.null or value.is_null:
        item = Traversal((lowering.free_variable("item"),))
        same = compare_values(lowering, TypedValue(item, STRING if not has_mixed_items(where) else ANY), value, call)
        return Fn("anytrue", (ForTuple(item.parts, where.expr, same),))
    if has_mixed_items(where) and value.type not in (STRING, where.type.of) and not is_unambiguous_literal(value.expr):
        report_loose_comparison(lowering, call)
    return Fn("contains", (where.expr, value.expr))


def call_arguments(call: ir.Call) -> tuple[ir.Expr, ...]:
    """The arguments of a call that takes a list."""
    if not isinstance(call.arg, ir.Seq):
        raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, f"the arguments of {call.fn} are known only at run time", call)
    return call.arg.items


def is_unambiguous_literal(expr: Expr) -> bool:
    """Whether a literal equals the same values in Heat and Terraform. 0, 1 and booleans do not."""
    return is_scalar_literal(expr) and not (isinstance(expr, (int, float)) and expr in (0, 1))


# the functions


@lowers_intrinsic("map_merge")
def lower_map_merge(lowering: HclLowering, call: ir.Call, want: HclType) -> TypedValue:
    if not isinstance(call.arg, ir.Seq):
        raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, "the maps to merge are known only at run time", call)
    return TypedValue(
        Fn("merge", tuple(lowering.lower_expression(item, OBJECT) for item in call.arg.items if item != ir.NULL)),
        OBJECT,
    )


@lowers_intrinsic("map_replace")
def lower_map_replace(lowering: HclLowering, call: ir.Call, want: HclType) -> TypedValue:
    source, how = call_arguments(call)
    if not isinstance(how, ir.Map):
        raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, "the replacements of map_replace are known only at run time", call)
    if (replaced_map := replace_in_literal_map(lowering, source, how)) is not None:
        return lowering.lower_value(replaced_map)
    if (renamed := lower_map_argument(lowering, source)) == EMPTY:
        return TypedValue(EMPTY, OBJECT)
    key, value = Traversal(("k",)), Traversal(("v",))
    keys, values = (
        lower_map_argument(lowering, replacements) for word in ("keys", "values") for replacements in (how.get(word),)
    )
    new_key: Expr = Fn("lookup", (keys, key, key)) if keys != EMPTY else key
    if isinstance(names := how.get("keys"), ir.Map) and any(lowering.lower_value(e.value).null for e in names.entries):
        new_key = Cond(Op("==", new_key, None), key, new_key)  # a new name of null keeps the key
    new_value: Expr = Fn("try", (Fn("lookup", (values, value, value)), value)) if values != EMPTY else value
    if values != EMPTY and may_match_lookalike(lowering, source, how.get("values")):
        message = "Here a number or boolean is replaced like the string that looks the same; in Heat they differ."
        lowering.differs(codes.COMPARISON_OF_MIXED_TYPES, message, call)
    return TypedValue(ForObject(("k", "v"), renamed, new_key, new_value), OBJECT)


def replace_in_literal_map(lowering: HclLowering, source: ir.Expr, how: ir.Map) -> ir.Map | None:
    """The result of map_replace, if the template shows it: all keys are literal, and so are the values that are looked
    up. None if they are not, or if two entries might get the same key.
    """
    keys, values = (how.get(word) or ir.Map(()) for word in ("keys", "values"))
    if not isinstance(source, ir.Map) or not isinstance(keys, ir.Map) or not isinstance(values, ir.Map):
        return None
    if lowering.scope.bound or any(isinstance(e.value, ir.If) for e in (*source.entries, *keys.entries)):
        return None
    entries: list[ir.Entry] = []
    for entry in source.entries:
        key, value = keys.get(entry.key) or ir.Lit(entry.key), entry.value
        if values.entries and not (isinstance(value, ir.Lit) and isinstance(value.value, str)):
            return None
        if values.entries and isinstance(value, ir.Lit) and (other := values.get(str(value.value))) is not None:
            if lowering.lower_value(other).null:
                return None
            value = other
        if not isinstance(key, ir.Lit) or not isinstance(key.value, str):
            return None
        entries.append(ir.Entry(key.value, value, entry.at))
    names = [e.key for e in entries]
    kept = {e.key for e in source.entries}
    fresh = all(new == old.key or new not in kept for new, old in zip(names, source.entries, strict=True))
    return ir.Map(tuple(entries), source.span) if fresh and len(set(names)) == len(names) else None


def may_match_lookalike(lowering: HclLowering, source: ir.Expr, replaced: ir.Expr | None) -> bool:
    """Whether a number or boolean may match a key that looks like it: in Terraform, 1 finds the key "1"."""
    if isinstance(source, ir.Map) and all(lowering.lower_value(e.value).type == STRING for e in source.entries):
        return False
    return not isinstance(replaced, ir.Map) or any(
        e.key in ("true", "false") or str_to_num(e.key) is not None for e in replaced.entries
    )


@lowers_intrinsic("list_concat")
def lower_list_concat(lowering: HclLowering, call: ir.Call, want: HclType) -> TypedValue:
    if not isinstance(call.arg, ir.Seq):
        raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, "the lists to join are known only at run time", call)
    values = [lower_list_argument(lowering, item, want if want.kind in LISTS else ANY) for item in call.arg.items]
    values = [value for value in values if value != NOTHING]
    if not values:
        return NOTHING
    inner = {v.type.of for v in values}
    return TypedValue(
        Fn("concat", tuple(v.expr for v in values)), HclType("tuple", inner.pop()) if len(inner) == 1 else TUPLE
    )


@lowers_intrinsic("list_concat_unique")
def lower_list_concat_unique(lowering: HclLowering, call: ir.Call, want: HclType) -> TypedValue:
    """Lowers to `distinct`, which is exact for strings but converts mixed values to strings."""
    concatenated = lower_list_concat(lowering, call, want)
    assert isinstance(call.arg, ir.Seq)
    for item in call.arg.items:
        if isinstance(item, ir.Seq) and any(isinstance(i, ir.Lit) and not isinstance(i.value, str) for i in item.items):
            raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, "distinct() would convert mixed values to strings", item)
    if has_mixed_items(concatenated):
        lowering.differs(codes.COMPARISON_OF_MIXED_TYPES, "distinct() converts mixed values to strings.", call)
    return TypedValue(Fn("distinct", (concatenated.expr,)), concatenated.type)


@lowers_intrinsic("filter")
def lower_filter(lowering: HclLowering, call: ir.Call, want: HclType) -> TypedValue:
    taken, source = call_arguments(call)
    filtered, removed = lowering.lower_value(source), lower_list_argument(lowering, taken, ANY)
    if filtered.is_null or filtered.expr == "" or removed == NOTHING:
        return filtered
    if filtered.type.kind in SCALARS:
        raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, "the value that filter applies to is not a list", call)
    if filtered.null or try_alternatives(filtered.expr) != (filtered.expr,):
        filtered = lower_list_argument(lowering, source, ANY)
        message = "Heat returns a missing value unchanged; this returns an empty list."
        lowering.differs(codes.COMPARISON_OF_MIXED_TYPES, message, call)
    if (
        has_mixed_items(filtered)
        and has_mixed_items(removed)
        and not (isinstance(removed.expr, Tuple) and all(map(is_unambiguous_literal, removed.expr.items)))
    ):
        report_loose_comparison(lowering, call)
    removed_items, name = removed.expr, Traversal((lowering.free_variable("v"),))
    if isinstance(removed_items, Tuple) and not has_mixed_items(filtered):
        texts = (item for item in removed_items.items if isinstance(item, str) or not is_scalar_literal(item))
        removed_items = Tuple(tuple(texts))  # a number never equals a string
    test: Expr = Not(Fn("contains", (removed_items, name)))
    if has_mixed_items(filtered):  # contains() fails for null
        test = Fn(
            "try",
            (
                test,
                not has_mixed_items(removed) or (isinstance(removed_items, Tuple) and None not in removed_items.items),
            ),
        )
    return TypedValue(
        ForTuple(name.parts, filtered.expr, name, test), filtered.type if filtered.type.kind in LISTS else TUPLE
    )


@lowers_intrinsic("contains")
def lower_contains(lowering: HclLowering, call: ir.Call, want: HclType) -> TypedValue:
    value, where = (lowering.lower_value(item) for item in call_arguments(call))
    if where.type.kind == "string" and value.type.kind == "string" and not value.null:
        return TypedValue(Fn("strcontains", (where.expr, value.expr)), BOOL)
    if where.type.kind == "any":
        raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, "whether this is a list or a string is known only at run time", call)
    if where.type.kind not in (*LISTS, *OPEN):
        raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, "whether this contains the other is known only at run time", call)
    return TypedValue(test_membership(lowering, where, value, call), BOOL)
