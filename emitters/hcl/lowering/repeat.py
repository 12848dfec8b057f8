"""Lowers `repeat`: its loops, and the collections that they iterate over."""

from __future__ import annotations

from emitters.hcl.errors import CannotSay
from emitters.hcl.lowering import paths
from emitters.hcl.lowering.lowering import HclLowering
from emitters.hcl.lowering.rewrites import loop_names, or_default, replace_in_text, try_alternatives
from emitters.hcl.tree.nodes import Expr, Fn, ForTuple, Index, Object, Traversal, Tuple
from emitters.hcl.tree.types import ANY, LISTS, MAPS, OPEN, SCALARS, STRING, TUPLE, HclType, TypedValue
from transpile.diagnostics import codes
from transpile.model import ir


def lower_repeat(lowering: HclLowering, expr: ir.Repeat, want: HclType) -> TypedValue:
    """`repeat` as a `for` expression. Heat replaces text in the resolved template; here the loop variables are put in
    place of the placeholders.
    """
    together = expr.permutations == ir.Lit(False)
    if expr.permutations is not None and not isinstance(expr.permutations, ir.Lit):
        raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, "whether repeat uses permutations is known only at run time", expr)
    if any(not entry.key for entry in expr.for_each):  # Heat finds it between all characters
        raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, "a placeholder of repeat is empty", expr)
    lists = [lower_collection(lowering, entry) for entry in expr.for_each]
    if together and Tuple(()) in lists:
        return TypedValue(Tuple(()), TUPLE)
    report_nested_placeholders(lowering, expr)
    names = loop_names(
        [entry.key for entry in expr.for_each],
        {n for _, b in lowering.scope.bound if isinstance(b, Traversal) for n in b.parts},
    )
    if together and len(lists) > 1:
        pairs: list[tuple[str, Expr]] = [(expr.for_each[0].key, Traversal((names[0],)))]
        pairs += [
            (entry.key, Index(over, Traversal(("i",))))
            for entry, over in zip(expr.for_each[1:], lists[1:], strict=True)
        ]
        body = lowering.with_bindings(*pairs).lower_expression(expr.template)
        return TypedValue(ForTuple(("i", names[0]), lists[0], body), TUPLE)
    loop = lowering.with_bindings(
        *[(entry.key, Traversal((name,))) for entry, name in zip(expr.for_each, names, strict=True)]
    )
    value = loop.lower_value(expr.template)
    if isinstance(expr.template, ir.ParamRef) and value.type == STRING:
        values = lowering.unit.values_of_parameter(expr.template.name)
        value = TypedValue(value.expr if values else replace_in_text(value.expr, loop.scope.bound), STRING)
    result: Expr = value.expr
    for depth, (name, over) in enumerate(reversed(list(zip(names, lists, strict=True)))):
        if depth:
            result = (
                Fn("concat", (Tuple(()), ForTuple((name,), over, result)), expand=True)
                if value.type.kind in LISTS
                else Fn("flatten", (ForTuple((name,), over, result),))
            )
        else:
            result = ForTuple((name,), over, result)
    return TypedValue(result, HclType("tuple", value.type) if not value.null and value.type != ANY else TUPLE)


def report_nested_placeholders(lowering: HclLowering, expr: ir.Repeat) -> None:
    """Reports a value of `repeat` that contains a later placeholder, which Heat replaces in there too."""
    keys = [entry.key for entry in expr.for_each]
    for i, entry in enumerate(expr.for_each):
        for value in (part.value for part in ir.walk(entry.value) if isinstance(part, ir.Lit)):
            placeholder = next((key for key in keys[i + 1 :] if isinstance(value, str) and key in value), None)
            if placeholder is not None:
                message = f"Heat also replaces {placeholder} inside the values of {entry.key}; Terraform does not."
                lowering.differs(codes.PLACEHOLDER_INSIDE_VALUE, message, entry.value)


def lower_collection(lowering: HclLowering, entry: ir.Entry) -> Expr:
    """The collection that a loop iterates over; for a map, its keys."""
    value, over = lowering.lower_value(entry.value), entry.value
    if value.is_null:
        return Tuple(())
    if isinstance(value.expr, Object) and isinstance(over, ir.Map):  # keeps the order of the template
        return Tuple(tuple(key for key, _ in value.expr.entries))
    if value.null and (alternatives := try_alternatives(value.expr)) != (value.expr,):
        return Fn("try", (*alternatives, Tuple(())))
    kind = value.type.kind
    if kind in SCALARS and not isinstance(over, ir.AttrRef):
        raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, f"{entry.key} of for_each has no list, which Heat refuses", over)
    if kind in OPEN:
        values = paths.values_of_expression(lowering, over)
        if values and all(isinstance(v, (list, str)) for v in values):
            return value.expr
        kind = "map" if values and all(isinstance(v, dict) for v in values) else kind
        shape = lowering.unit.collection_shape(over)
        if shape == "list":
            return value.expr
        kind = shape or kind
    if kind == "any":
        message = "This is treated as a list; for a map, Heat iterates over the keys."
        lowering.say(codes.KEYS_ORDERED_DIFFERENTLY, message, entry.value)
    if kind in MAPS or kind == "json":
        lowering.differs(
            codes.KEYS_ORDERED_DIFFERENTLY,
            "Terraform iterates over the keys of a map in alphabetical order, Heat in their original order.",
            entry.value,
        )
        keys = Fn("keys", (value.expr,))
        return keys if kind in MAPS else Fn("try", (keys, value.expr))
    return or_default(value, Tuple(()))
