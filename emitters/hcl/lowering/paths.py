"""Lowers the paths of get_param and get_attr.

Heat differs from Terraform: a path without a target is no error, and a negative index counts from the end. get_param
accepts a numeric string as a list index, get_attr does not. A number is never a key of a map.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from emitters.hcl.tree.nodes import Attr, Cond, Expr, Fn, Index, Name, Op
from emitters.hcl.tree.types import ANY, JSON, LISTS, MAPS, NULL, NUMBER, STRING, STRINGS, Type, Value, simple
from transpile.diagnostics import codes
from transpile.model import heat_types, ir
from transpile.model.records import replace
from transpile.schema import parameters

if TYPE_CHECKING:
    from collections.abc import Sequence

    from emitters.hcl.lowering.lowering import Lowering


REFS = (ir.ParamRef, ir.AttrRef)


def parameter(lowering: Lowering, ref: ir.ParamRef, value: Value) -> Value:
    """The value at the path of a get_param; "" if the path leads nowhere. value: the whole parameter."""
    if value.type.kind in ("number", "bool"):
        return Value("", STRING)
    if value.type.kind == "string":
        return Value(character(lowering, value.expr, ref.path), STRING)
    for one in ref.path:
        if isinstance(one, ir.Lit) and isinstance(one.value, str) and lowering.placed(one.value) is not None:
            lowering.differs(
                codes.PLACEHOLDER_INSIDE_VALUE,
                f"Heat looks up {one.value} in {ref.name} before it replaces the placeholder, and finds nothing.",
                one,
            )
            return Value("", STRING)
    if ref.name in lowering.unit.shapes:
        return in_shape(lowering, ref, value)
    known = [] if value.type == STRINGS else lowering.unit.known_values(ref.name)
    if value.type == STRINGS and len(ref.path) > 1:  # the path goes on into the characters of an item
        ways, _ = select(lowering, value, ref.path[:1], [])
        return Value(character(lowering, Fn("try", (*ways, "")), ref.path[1:]) if ways else "", STRING)
    for i in range(1, len(ref.path) if value.type == JSON else 0):
        before = known_values(lowering, replace(ref, path=ref.path[:i]))
        if before and all(isinstance(v, str) for v in before):
            ways, _ = select(lowering, value, ref.path[:i], known)
            return Value(character(lowering, Fn("try", (*ways, "")), ref.path[i:]), STRING)
    if value.type == JSON:
        unlike(lowering, ref)
    ways, left = select(lowering, value, ref.path, known)
    if not ways:
        return Value("", STRING)
    found = Fn("try", (*ways, ""))
    return Value(found, STRING if value.type == STRINGS and len(ref.path) == 1 else kind_of(left))


def in_shape(lowering: Lowering, ref: ir.ParamRef, value: Value) -> Value:
    """The value at a path into a parameter whose shape is known: its keys always exist."""
    kind: Any = lowering.unit.shapes[ref.name]
    base, done = value.expr, 0
    while done < len(ref.path) and not isinstance(kind, Type):
        step = ref.path[done]
        assert isinstance(step, ir.Lit)
        base, kind, done = selected(base, step.value), kind[str(step.value)].type, done + 1
    if done == len(ref.path):
        return Value(base, kind)
    if kind == STRING:
        return Value(character(lowering, base, ref.path[done:]), STRING)
    if kind.kind in ("number", "bool"):
        return Value("", STRING)
    known = lowering.unit.known_at(replace(ref, path=ref.path[:done]))
    if kind == ANY and known and all(isinstance(v, str) for v in known):
        return Value(Fn("try", (character(lowering, base, ref.path[done:]), "")), STRING)
    if kind == ANY:
        unlike(lowering, ref)
    ways, left = select(lowering, Value(base, kind), ref.path[done:], known)
    found = Fn("try", (*ways, "")) if ways else ""
    return Value(found, STRING if kind == STRINGS or not ways else kind_of(left))


def unlike(lowering: Lowering, ref: ir.ParamRef) -> None:
    """Reports a number in a path if the value is not known to be a list: Heat treats maps and strings differently."""
    for i, one in enumerate(ref.path):
        if isinstance(one, ir.Lit) and parameters.index(one.value) is None:
            continue
        before = known_values(lowering, replace(ref, path=ref.path[:i]))
        if not before or not all(isinstance(v, (list, dict)) for v in before):
            message = "Treated as a list: {}. In a string, Heat selects a character; in a map, it finds nothing."
            lowering.gather(codes.UNTYPED_VALUE_AS_TEXT, message, ref.name, ref)
            return


def attribute(lowering: Lowering, value: Value, path: Sequence[ir.Expr], known: Sequence[Any] = ()) -> Value:
    """The value at the path of a get_attr; null if the path leads nowhere. known: known values of the attribute."""
    if known and (text := beyond(list(known), path)) is not NotImplemented:
        return Value(text, STRING if isinstance(text, str) else NULL, text is None)
    ways, _ = select(lowering, value, path, list(known), strict=True)
    if not ways:
        return Value(None, NULL, True)
    return Value(Fn("try", (*ways, None)), value.type.of or ANY, True)


def beyond(known: list[Any], path: Sequence[ir.Expr]) -> Any:
    """The constant result of a path that leads into a string or nowhere: a character or None. NotImplemented for other
    paths, because None is a result.
    """
    inside = False
    for one in path:
        if not isinstance(one, ir.Lit):
            return NotImplemented
        if not all(isinstance(v, (list, dict, str)) for v in known):
            return None
        inside |= all(isinstance(v, str) for v in known)
        if any(isinstance(v, (list, str)) for v in known) and not isinstance(one.value, int):
            return None
        known = reached(known, one.value)
        if not known:
            return None
    return known[0] if inside else NotImplemented


def evidence(lowering: Lowering, expr: ir.Expr) -> list[Any]:
    """The known values of a parameter or of an OS::Heat::Value."""
    if isinstance(expr, ir.ParamRef):
        return known_values(lowering, expr)
    if not isinstance(expr, ir.AttrRef) or not all(isinstance(one, ir.Lit) for one in expr.path):
        return []
    found = held(lowering, expr.name)
    for one in expr.path[1:]:
        found = reached(found, one.value) if isinstance(one, ir.Lit) else []
    return found


def held(lowering: Lowering, name: str) -> list[Any]:
    """The value of an OS::Heat::Value as a list of one item, if it is literal; otherwise an empty list."""
    resource = lowering.template.resources.get(name)
    if resource is None or resource.kind != heat_types.VALUE or resource.condition or resource.properties is None:
        return []
    value = resource.properties.get("value")
    return [ir.data(value)] if value is not None and ir.literal(value) and len(resource.properties.entries) == 1 else []


def known_values(lowering: Lowering, ref: ir.ParamRef) -> list[Any]:
    """The known values of a get_param with its path."""
    found = lowering.unit.known_values(ref.name)
    for one in ref.path:
        listed = bool(found) and all(isinstance(v, list) for v in found)
        found = reached(found, parameters.index(one.value) if listed else one.value) if isinstance(one, ir.Lit) else []
    return found


def select(
    lowering: Lowering, value: Value, path: Sequence[ir.Expr], known: list[Any], strict: bool = False
) -> tuple[tuple[Expr, ...], list[Any]]:
    """The alternative expressions for the value at a path, to be tried in order; none if there is surely no value. Also
    returns the known values there.

    A step that is known only at run time may be a key, or an index that counts from the end. Terraform has another
    expression for each, so a path has several alternatives: `xs[i]`, `xs[i < 0 ? length(xs) + i : i]`.

    known: the known values of the whole. strict: a string is not a list index, as in get_attr.
    """
    ways: tuple[Expr, ...] = (value.expr,)
    kind, computed = value.type.kind, 0
    for one in path:
        listed = kind in LISTS or bool(known and all(isinstance(v, list) for v in known))
        mapped = kind in MAPS or bool(known and all(isinstance(v, dict) for v in known))
        kind = "any"
        if isinstance(one, ir.Lit) and not (isinstance(one.value, str) and lowering.placed(one.value) is not None):
            key = parameters.index(one.value) if listed and not strict else one.value
            if listed and (not isinstance(key, int) or isinstance(key, bool)):
                return (), []
            if mapped and not isinstance(key, str):
                return (), []
            ways = tuple(selected(base, key) for base in ways)
            known = reached(known, key)
            continue
        known = []
        computed += 1
        if computed > 1:
            ways = together(lowering, value.expr, ways)
        number = lowering.value(one)
        if listed and strict and number.type == STRING:
            return (), []
        at = named(lowering, one, number.expr)
        if mapped or not counts_back(lowering, one):
            ways = tuple(Index(base, at) for base in ways)
        elif listed:
            ways = tuple(Index(base, counted(base, at)) for base in ways)
        else:
            ways = tuple(way for b in ways for way in (Index(b, at), Index(b, counted(b, at))))
    return ways, known


def together(lowering: Lowering, whole: Expr, ways: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """Combines the alternatives so far into one local, if the scope allows that. Otherwise their number, and the size
    of each, would grow exponentially with the path.
    """
    named = isinstance(whole, Name) and whole.parts[0] in ("var", "local")  # no group member or loop variable
    if lowering.scope.fixed or not named or (len(ways) == 1 and simple(ways[0])):
        return ways
    assert isinstance(whole, Name)
    return (lowering.blocks.local(f"{whole.parts[-1]}_item", Fn("try", (*ways, None))),)


def named(lowering: Lowering, key: ir.Expr, expr: Expr) -> Expr:
    """Moves a key that is itself the result of a path to a local, because each alternative would repeat it. Such a key
    never fails, so it may be evaluated outside.
    """
    if not (isinstance(expr, Fn) and expr.name == "try") or simple(expr) or lowering.scope.fixed:
        return expr
    words = [key.name, *(str(p.value) for p in key.path if isinstance(p, ir.Lit))] if isinstance(key, REFS) else []
    return lowering.blocks.local("_".join([*words, "key"]), expr)


def counted(base: Expr, index: Expr) -> Expr:
    """An index expression in which negative values count from the end."""
    return Cond(Op("<", index, 0), Op("+", Fn("length", (base,)), index), index)


def counts_back(lowering: Lowering, key: ir.Expr) -> bool:
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
            known = [parameters.index(v) for v in lowering.unit.known_values(key.name)]
            return any(v is not None and v < 0 for v in known)
    known = [parameters.index(v) for v in lowering.unit.known_values(key.name)]
    return param.type != "string" or not known or any(v is not None for v in known)


def reached(known: list[Any], key: ir.Scalar | None) -> list[Any]:
    """The values after one step from each known value; empty if the step fails for one of them."""
    try:
        return [v[key] for v in known]
    except (LookupError, TypeError):
        return []


def kind_of(known: list[Any]) -> Type:
    """The common type of known values; any if there is none."""
    if not known:
        return ANY
    if all(isinstance(v, (list, dict)) for v in known):
        return JSON
    if all(isinstance(v, str) for v in known):
        return STRING
    return NUMBER if all(isinstance(v, int) and not isinstance(v, bool) for v in known) else ANY


def character(lowering: Lowering, text: Expr, path: Sequence[ir.Expr]) -> Expr:
    """A path into a string: the first step selects a character, and further steps may select it again."""
    first, *more = path
    if any(not isinstance(one, ir.Lit) or parameters.index(one.value) not in (0, -1) for one in more):
        return ""
    if isinstance(first, ir.Lit):
        index = parameters.index(first.value)
        if index is None:
            return ""
        found = Fn("substr", (text, index, 1))
        return found if index >= 0 else Cond(Op("<", Fn("length", (text,)), -index), "", found)
    at = lowering.expr(first)
    one = Fn("substr", (text, at, 1))
    if not counts_back(lowering, first):
        return Fn("try", (one, ""))
    return Fn("try", (Cond(Op("<", Op("+", Fn("length", (text,)), at), 0), "", one), ""))


def selected(base: Expr, key: ir.Scalar) -> Expr:
    """One literal step of a path: `base.name`, `base["a-b"]`, `base[0]`, `base[length(base) - 1]`."""
    if isinstance(key, int) and not isinstance(key, bool) and key < 0:
        return Index(base, Op("-", Fn("length", (base,)), -key))
    if isinstance(key, str):
        if key.isdigit() and key.isascii():
            return Index(base, int(key))
        return Attr(base, key) if key.isidentifier() and key.isascii() else Index(base, key)
    return Index(base, key)
