"""Lowers the paths of get_param and get_attr.

Heat differs from Terraform: a path without a target is no error, and a negative index counts from the end. get_param
accepts a numeric string as a list index, get_attr does not. A number is never a key of a map.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from emitters.hcl.lowering.lowering import HclLowering
from emitters.hcl.tree.nodes import Attr, Cond, Expr, Fn, Index, Op, Traversal
from emitters.hcl.tree.types import (
    ANY,
    JSON,
    LISTS,
    MAPS,
    NULL,
    NUMBER,
    STRING,
    STRINGS,
    HclType,
    TypedValue,
    is_simple_expression,
)
from transpile.diagnostics import codes
from transpile.model import heat_types, ir
from transpile.model.records import replace
from transpile.schema import parameters

REFS = (ir.ParamRef, ir.AttrRef)


def lower_parameter_path(lowering: HclLowering, ref: ir.ParamRef, value: TypedValue) -> TypedValue:
    """The value at the path of a get_param; "" if the path leads nowhere. value: the whole parameter."""
    if value.type.kind in ("number", "bool"):
        return TypedValue("", STRING)
    if value.type.kind == "string":
        return TypedValue(lower_character(lowering, value.expr, ref.path), STRING)
    for step in ref.path:
        if isinstance(step, ir.Lit) and isinstance(step.value, str) and lowering.replace_placeholders(step.value):
            lowering.differs(
                codes.PLACEHOLDER_INSIDE_VALUE,
                f"Heat looks up {step.value} in {ref.name} before it replaces the placeholder, and finds nothing.",
                step,
            )
            return TypedValue("", STRING)
    if ref.name in lowering.unit.parameter_shapes:
        return lower_path_in_shape(lowering, ref, value)
    values = [] if value.type == STRINGS else lowering.unit.values_of_parameter(ref.name)
    if value.type == STRINGS and len(ref.path) > 1:  # the path goes on into the characters of an item
        ways, _ = select_path(lowering, value, ref.path[:1], [])
        return TypedValue(lower_character(lowering, Fn("try", (*ways, "")), ref.path[1:]) if ways else "", STRING)
    for i in range(1, len(ref.path) if value.type == JSON else 0):
        before = values_of_parameter(lowering, replace(ref, path=ref.path[:i]))
        if before and all(isinstance(v, str) for v in before):
            ways, _ = select_path(lowering, value, ref.path[:i], values)
            return TypedValue(lower_character(lowering, Fn("try", (*ways, "")), ref.path[i:]), STRING)
    if value.type == JSON:
        report_unclear_index(lowering, ref)
    ways, left = select_path(lowering, value, ref.path, values)
    if not ways:
        return TypedValue("", STRING)
    result = Fn("try", (*ways, ""))
    of = STRING if value.type == STRINGS and len(ref.path) == 1 else common_type_of(left)
    return TypedValue(result, of, any(known is None for known in left))


def lower_path_in_shape(lowering: HclLowering, ref: ir.ParamRef, value: TypedValue) -> TypedValue:
    """The value at a path into a parameter whose shape is known: its keys always exist."""
    kind: Any = lowering.unit.parameter_shapes[ref.name]
    base, done = value.expr, 0
    while done < len(ref.path) and not isinstance(kind, HclType):
        step = ref.path[done]
        assert isinstance(step, ir.Lit)
        base, kind, done = select_literal_step(base, step.value), kind[str(step.value)].type, done + 1
    if done == len(ref.path):
        return TypedValue(base, kind, kind == ANY and None in lowering.unit.values_at_path(ref))
    if kind == STRING:
        return TypedValue(lower_character(lowering, base, ref.path[done:]), STRING)
    if kind.kind in ("number", "bool"):
        return TypedValue("", STRING)
    values = lowering.unit.values_at_path(replace(ref, path=ref.path[:done]))
    if kind == ANY and values and all(isinstance(v, str) for v in values):
        return TypedValue(Fn("try", (lower_character(lowering, base, ref.path[done:]), "")), STRING)
    if kind == ANY:
        report_unclear_index(lowering, ref)
    ways, left = select_path(lowering, TypedValue(base, kind), ref.path[done:], values)
    result = Fn("try", (*ways, "")) if ways else ""
    of = STRING if kind == STRINGS or not ways else common_type_of(left)
    return TypedValue(result, of, bool(ways) and any(known is None for known in left))


def report_unclear_index(lowering: HclLowering, ref: ir.ParamRef) -> None:
    """Reports a number in a path if the value is not known to be a list: Heat treats maps and strings differently."""
    for i, step in enumerate(ref.path):
        if isinstance(step, ir.Lit) and parameters.read_index(step.value) is None:
            continue
        before = values_of_parameter(lowering, replace(ref, path=ref.path[:i]))
        if not before or not all(isinstance(v, (list, dict)) for v in before):
            message = "Treated as a list: {}. In a string, Heat selects a character; in a map, it finds nothing."
            lowering.gather(codes.UNTYPED_VALUE_AS_TEXT, message, ref.name, ref)
            return


def lower_attribute_path(
    lowering: HclLowering, value: TypedValue, path: Sequence[ir.Expr], values: Sequence[Any] = ()
) -> TypedValue:
    """The value at the path of a get_attr; null if the path leads nowhere. known: known values of the attribute."""
    if values and (text := constant_at_path(list(values), path)) is not NotImplemented:
        return TypedValue(text, STRING if isinstance(text, str) else NULL, text is None)
    ways, _ = select_path(lowering, value, path, list(values), strict=True)
    if not ways:
        return TypedValue(None, NULL, True)
    return TypedValue(Fn("try", (*ways, None)), value.type.of or ANY, True)


def constant_at_path(values: list[Any], path: Sequence[ir.Expr]) -> Any:
    """The constant result of a path that leads into a string or nowhere: a character or None. NotImplemented for other
    paths, because None is a result.
    """
    inside = False
    for step in path:
        if not isinstance(step, ir.Lit):
            return NotImplemented
        if not all(isinstance(v, (list, dict, str)) for v in values):
            return None
        inside |= all(isinstance(v, str) for v in values)
        if any(isinstance(v, (list, str)) for v in values) and not isinstance(step.value, int):
            return None
        values = step_into_values(values, step.value)
        if not values:
            return None
    return values[0] if inside else NotImplemented


def values_of_expression(lowering: HclLowering, expr: ir.Expr) -> list[Any]:
    """The known values of a parameter or of an OS::Heat::Value."""
    if isinstance(expr, ir.ParamRef):
        return values_of_parameter(lowering, expr)
    if not isinstance(expr, ir.AttrRef) or not all(isinstance(step, ir.Lit) for step in expr.path):
        return []
    values = values_of_heat_value(lowering, expr.name)
    for step in expr.path[1:]:
        values = step_into_values(values, step.value) if isinstance(step, ir.Lit) else []
    return values


def values_of_heat_value(lowering: HclLowering, name: str) -> list[Any]:
    """The value of an OS::Heat::Value as a list of one item, if it is literal; otherwise an empty list."""
    resource = lowering.template.resources.get(name)
    if resource is None or resource.kind != heat_types.VALUE or resource.is_conditional or len(resource.entries) != 1:
        return []
    (entry,) = resource.entries
    return [ir.to_data(entry.value)] if entry.key == "value" and ir.is_plain_data(entry.value) else []


def values_of_parameter(lowering: HclLowering, ref: ir.ParamRef) -> list[Any]:
    """The known values of a get_param with its path."""
    values = lowering.unit.values_of_parameter(ref.name)
    for step in ref.path:
        listed = bool(values) and all(isinstance(v, list) for v in values)
        values = (
            step_into_values(values, parameters.read_index(step.value) if listed else step.value)
            if isinstance(step, ir.Lit)
            else []
        )
    return values


def select_path(
    lowering: HclLowering, value: TypedValue, path: Sequence[ir.Expr], values: list[Any], strict: bool = False
) -> tuple[tuple[Expr, ...], list[Any]]:
    """The alternative expressions for the value at a path, to be tried in order; none if there is surely no value. Also
    returns the known values there.

    A step that is known only at run time may be a key, or an index that counts from the end. Terraform has another
    expression for each, so a path has several alternatives: `xs[i]`, `xs[i < 0 ? length(xs) + i : i]`.

    values: the known values of the whole. strict: a string is not a list index, as in get_attr.
    """
    ways: tuple[Expr, ...] = (value.expr,)
    kind, computed = value.type.kind, 0
    for step in path:
        listed = kind in LISTS or bool(values and all(isinstance(v, list) for v in values))
        mapped = kind in MAPS or bool(values and all(isinstance(v, dict) for v in values))
        kind = "any"
        if isinstance(step, ir.Lit) and not (isinstance(step.value, str) and lowering.replace_placeholders(step.value)):
            key = parameters.read_index(step.value) if listed and not strict else step.value
            if listed and (not isinstance(key, int) or isinstance(key, bool)):
                return (), []
            if mapped and not isinstance(key, str):
                return (), []
            ways = tuple(select_literal_step(base, key) for base in ways)
            values = step_into_values(values, key)
            continue
        values = []
        computed += 1
        if computed > 1:
            ways = combine_alternatives(lowering, value.expr, ways)
        number = lowering.lower_value(step)
        if listed and strict and number.type == STRING:
            return (), []
        at = key_as_local(lowering, step, number.expr)
        if mapped or not may_be_negative(lowering, step):
            ways = tuple(Index(base, at) for base in ways)
        elif listed:
            ways = tuple(Index(base, wrap_negative_index(base, at)) for base in ways)
        else:
            ways = tuple(way for b in ways for way in (Index(b, at), Index(b, wrap_negative_index(b, at))))
    return ways, values


def combine_alternatives(lowering: HclLowering, whole: Expr, ways: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """Combines the alternatives so far into one local, if the scope allows that. Otherwise their number, and the size
    of each, would grow exponentially with the path.
    """
    named = isinstance(whole, Traversal) and whole.parts[0] in ("var", "local")  # no group member or loop variable
    if lowering.scope.fixed or not named or (len(ways) == 1 and is_simple_expression(ways[0])):
        return ways
    assert isinstance(whole, Traversal)
    return (lowering.blocks.share_local(f"{whole.parts[-1]}_item", Fn("try", (*ways, None))),)


def key_as_local(lowering: HclLowering, key: ir.Expr, expr: Expr) -> Expr:
    """Moves a key that is itself the result of a path to a local, because each alternative would repeat it. Such a key
    never fails, so it may be evaluated outside.
    """
    if not (isinstance(expr, Fn) and expr.name == "try") or is_simple_expression(expr) or lowering.scope.fixed:
        return expr
    words = [key.name, *(str(p.value) for p in key.path if isinstance(p, ir.Lit))] if isinstance(key, REFS) else []
    return lowering.blocks.share_local("_".join([*words, "key"]), expr)


def wrap_negative_index(base: Expr, index: Expr) -> Expr:
    """An index expression in which negative values count from the end."""
    return Cond(Op("<", index, 0), Op("+", Fn("length", (base,)), index), index)


def may_be_negative(lowering: HclLowering, key: ir.Expr) -> bool:
    """Whether a step that is known only at run time may be negative."""
    if not isinstance(key, ir.ParamRef) or key.path:
        return not isinstance(key, (ir.Lit, ir.ResourceRef))
    param = lowering.template.parameters.get(key.name)
    if param is None or lowering.unit.counts_up(key.name):
        return False
    for constraint in param.constraints:
        if constraint.kind == "range" and isinstance(constraint.value, ir.Map):
            least = constraint.value.get("min")
            if isinstance(least, ir.Lit) and isinstance(least.value, (int, float)) and least.value >= 0:
                return False
        if constraint.kind == "allowed_values":
            indexes = [parameters.read_index(v) for v in lowering.unit.values_of_parameter(key.name)]
            return any(v is not None and v < 0 for v in indexes)
    indexes = [parameters.read_index(v) for v in lowering.unit.values_of_parameter(key.name)]
    return param.type != "string" or not indexes or any(v is not None for v in indexes)


def step_into_values(values: list[Any], key: ir.Scalar | None) -> list[Any]:
    """The values after one step from each known value; empty if the step fails for one of them."""
    try:
        return [v[key] for v in values]
    except (LookupError, TypeError):
        return []


def common_type_of(values: list[Any]) -> HclType:
    """The common type of known values; any if there is none."""
    if not values:
        return ANY
    if all(isinstance(v, (list, dict)) for v in values):
        return JSON
    if all(isinstance(v, str) for v in values):
        return STRING
    return NUMBER if all(isinstance(v, int) and not isinstance(v, bool) for v in values) else ANY


def lower_character(lowering: HclLowering, text: Expr, path: Sequence[ir.Expr]) -> Expr:
    """A path into a string: the first step selects a character, and further steps may select it again."""
    first, *more = path
    if any(not isinstance(step, ir.Lit) or parameters.read_index(step.value) not in (0, -1) for step in more):
        return ""
    if isinstance(first, ir.Lit):
        index = parameters.read_index(first.value)
        if index is None:
            return ""
        substring = Fn("substr", (text, index, 1))
        return substring if index >= 0 else Cond(Op("<", Fn("length", (text,)), -index), "", substring)
    at = lowering.lower_expression(first)
    letter = Fn("substr", (text, at, 1))
    if not may_be_negative(lowering, first):
        return Fn("try", (letter, ""))
    return Fn("try", (Cond(Op("<", Op("+", Fn("length", (text,)), at), 0), "", letter), ""))


def select_literal_step(base: Expr, key: ir.Scalar) -> Expr:
    """Lowers a literal step of a path: `base.name`, `base["a-b"]`, `base[0]`, `base[length(base) - 1]`."""
    if isinstance(key, int) and not isinstance(key, bool) and key < 0:
        return Index(base, Op("-", Fn("length", (base,)), -key))
    if isinstance(key, str):
        if key.isdigit() and key.isascii():
            return Index(base, int(key))
        return Attr(base, key) if key.isidentifier() and key.isascii() else Index(base, key)
    return Index(base, key)
