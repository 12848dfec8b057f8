"""Compares the written expressions with the types of the provider's arguments.

Invariant: a mismatch is reported only if Terraform could not convert any value that the expression may have.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from emitters.hcl.emission import Emission
from emitters.hcl.tables import provider
from emitters.hcl.tree.nodes import (
    Argument,
    Attr,
    Block,
    Cond,
    Expr,
    Fn,
    ForObject,
    ForTuple,
    Not,
    Object,
    Op,
    Splat,
    StringTemplate,
    Traversal,
    Tuple,
)
from emitters.hcl.tree.types import (
    ANY,
    BOOL,
    LISTS,
    MAPS,
    NUMBER,
    SCALARS,
    STRING,
    HclType,
    TypedValue,
    convert_to_type,
    is_scalar_literal,
)
from transpile.model.records import EMPTY

WORDS = {"string": "a text", "number": "a number", "bool": "true or false", **dict.fromkeys(LISTS, "a list")}
WORDS |= dict.fromkeys(MAPS, "a map")
RESULTS = {  # of functions; all others may return anything
    **dict.fromkeys(("base64encode", "file", "filebase64", "format", "jsonencode", "join", "lower", "md5"), STRING),
    **dict.fromkeys(("replace", "sha256", "substr", "templatefile", "title", "tostring", "upper"), STRING),
    **dict.fromkeys(("ceil", "floor", "length", "max", "min", "tonumber"), NUMBER),
    **dict.fromkeys(("alltrue", "anytrue", "can", "contains", "tobool"), BOOL),
    **dict.fromkeys(("compact", "concat", "distinct", "flatten", "keys", "range", "reverse", "sort"), HclType("tuple")),
    **dict.fromkeys(("split", "tolist", "toset", "values"), HclType("tuple")),
    **dict.fromkeys(("merge", "tomap", "zipmap"), HclType("object")),
}
OWN_TYPES: Mapping[type, HclType] = {  # of expressions, for all contents
    **dict.fromkeys((bool, Not), BOOL),
    **dict.fromkeys((int, float), NUMBER),
    **dict.fromkeys((str, StringTemplate), STRING),
    **dict.fromkeys((Tuple, ForTuple, Splat), HclType("tuple")),
    **dict.fromkeys((Object, ForObject), HclType("object")),
}
OF_SCALARS = ("lower", "title", "tobool", "tonumber", "tostring", "upper")
LOGICAL = ("==", "!=", "<", "<=", ">", ">=", "&&", "||")


def find_misfits(emission: Emission, block: Block) -> Iterator[tuple[Argument, str]]:
    """The arguments of a resource block, and of the blocks in it, whose values the provider cannot take, each with the
    reason.
    """
    yield from misfits_in_block(emission, block, emission.unit.tables.providers.find_schema(block.schema_key))


def misfits_in_block(emission: Emission, block: Block, facts: Mapping[str, Any]) -> Iterator[tuple[Argument, str]]:
    """The misfits of one block. facts: its entry in the provider's schema."""
    for item in block.body:
        if type(item) is Argument:
            about = facts.get("arguments", EMPTY).get(item.name)
            if not about:
                continue
            if why := why_unconvertible(emission, item.value, provider.parse_type(about["type"])):
                yield item, f"{item.name} {why}"
            elif not is_scalar_literal(item.value) and (why := why_value_refused(emission, item.value, about)):
                yield item, why
        elif type(item) is Block:
            dynamic = item.type == "dynamic"
            inner = facts.get("blocks", EMPTY).get(item.labels[0] if dynamic else item.type, EMPTY)
            for content in [b for b in item.body if type(b) is Block][:1] if dynamic else [item]:
                yield from misfits_in_block(emission, content, inner)


def find_parameter(emission: Emission, expr: Expr) -> str:
    """The parameter whose value an argument gets; empty for any other expression."""
    return emission.symbols.parameter_of(expr.args[0] if isinstance(expr, Fn) and expr.name == "lower" else expr)


def why_value_refused(emission: Emission, expr: Expr, about: Mapping[str, Any]) -> str:
    """Why the provider would reject the present value of a parameter, or the literal in a local; empty if it would not,
    or if the value is unknown.
    """
    name = find_parameter(emission, expr)
    if not name:
        literal = follow_locals(emission, expr)
        is_known = literal is not expr and isinstance(literal, (bool, int, float, str))
        reason = provider.find_refusal(about, literal) if is_known else ""
        return f"the value {literal!r} does not suit: {reason}" if reason else ""
    now, want = emission.unit.root_parameter_value(name), provider.parse_type(about["type"])
    if now is None or isinstance(now, (dict, list)) or want.kind not in SCALARS:
        return ""
    value = convert_to_type(TypedValue(now, expression_type(emission, now)), want).expr
    if is_convertible(value, expression_type(emission, value), want):
        why = provider.find_refusal(about, value)
    else:
        why = f"it must be {WORDS[want.kind]}"
    return why and f"the value of the parameter {name} does not suit: {why}"


def follow_locals(emission: Emission, expr: Expr) -> Expr:
    """The value of a local, if an expression is one; any other expression itself."""
    while isinstance(expr, Traversal) and len(expr.parts) == 2 and expr.parts[0] == "local":
        if (local := emission.blocks.locals.get(expr.parts[1])) is None:
            break
        expr = local.value
    return expr


def why_unconvertible(emission: Emission, expr: Expr, want: HclType) -> str:
    """Why Terraform could not convert an expression to a type; empty if it could, or if that depends on its value."""
    if expr is None or want.kind in ("any", "dynamic"):
        return ""
    if type(expr) is str and want.kind == "string":  # most are
        return ""
    expr = follow_locals(emission, expr)
    ways: tuple[Expr, ...] = ()
    if type(expr) is Cond:
        ways = (expr.yes, expr.no)
    elif type(expr) is Fn and expr.name in ("try", "coalesce"):
        ways = expr.args
    if ways:  # one of them may never be taken
        reasons = [why_unconvertible(emission, way, want) for way in ways if way is not None]
        return reasons[0] if reasons and all(reasons) else ""
    operands, of = operands_of(expr)
    if why := next((why for operand in operands if (why := why_unconvertible(emission, operand, of))), ""):
        return why
    parts: tuple[Expr, ...] | None = None
    if isinstance(expr, (Tuple, ForTuple)):
        parts = expr.items if type(expr) is Tuple else items_of_iteration(expr)
    elif isinstance(expr, (Object, ForObject)):
        parts = tuple(value for _, value in expr.entries) if type(expr) is Object else (expr.value,)
    kind = expression_type(emission, expr)
    if not is_convertible(expr, kind, want):
        return f"must be {WORDS[want.kind]}, and this is {WORDS[kind.kind]}"
    inner = want.of
    if parts is None or inner is None:
        return ""
    wrong = next((why for part in parts if (why := why_unconvertible(emission, part, inner))), "")
    return wrong and f"has an item that {wrong}"


def items_of_iteration(expr: ForTuple) -> tuple[Expr, ...]:
    """The items that an iteration may make: those that it goes through if it takes some of them, unchanged."""
    if isinstance(expr.over, Tuple) and expr.value == Traversal(expr.names[-1:]):
        return expr.over.items
    return (expr.value,)


def operands_of(expr: Expr) -> tuple[tuple[Expr, ...], HclType]:
    """The operands of an operation, and the type that it needs them to have; no operands for other expressions."""
    if type(expr) is Op and expr.sign not in LOGICAL:
        return (expr.left, expr.right), NUMBER
    if type(expr) is Fn and expr.name in ("ceil", "floor"):
        return expr.args, NUMBER
    return (expr.args, STRING) if type(expr) is Fn and expr.name in OF_SCALARS else ((), ANY)


def is_convertible(expr: Expr, kind: HclType, want: HclType) -> bool:
    """Whether Terraform converts some value of a type to another one."""
    if kind.kind not in WORDS or want.kind not in WORDS:
        return True
    if want.kind not in SCALARS:
        group = LISTS if want.kind in LISTS else MAPS
        return kind.kind in group
    if kind.kind not in SCALARS:
        return False
    if isinstance(expr, str) and want.kind == "number":
        return is_number(expr)
    if isinstance(expr, str) and want.kind == "bool":
        return expr in ("true", "false", "1", "0")
    return {kind.kind, want.kind} != {"bool", "number"}


def is_number(text: str) -> bool:
    """Whether Terraform converts a text to a number. Unlike Python, it allows no spaces around it."""
    try:
        float(text)
    except ValueError:
        return False
    return text == text.strip()


def expression_type(emission: Emission, expr: Expr) -> HclType:
    """The type of an expression, as far as it is known before Terraform runs; otherwise `any`."""
    if (own := OWN_TYPES.get(type(expr))) is not None:
        return own
    if isinstance(expr, Traversal):
        return type_of_name(emission, expr.parts)
    if isinstance(expr, Op):
        return BOOL if expr.sign in LOGICAL else NUMBER
    if isinstance(expr, Fn):
        return RESULTS.get(expr.name, ANY)
    if isinstance(expr, Attr) and isinstance(expr.of, Traversal):
        return type_of_attribute(emission, (*expr.of.parts, expr.name))
    return ANY


def type_of_name(emission: Emission, parts: tuple[str, ...]) -> HclType:
    """The type of a variable, a local, or an attribute of a resource."""
    if parts[0] == "var" and len(parts) == 2:
        return emission.symbols.variable_types.get(parts[1], ANY)
    if parts[0] == "local" and len(parts) == 2:
        value = follow_locals(emission, Traversal(parts))
        return expression_type(emission, value) if value != Traversal(parts) else ANY
    return type_of_attribute(emission, parts)


def type_of_attribute(emission: Emission, parts: tuple[str, ...]) -> HclType:
    """The type of an attribute of a resource or data source, from the provider's schema."""
    kind = ".".join(parts[:2]) if parts[0] == "data" else parts[0]
    if len(parts) != (4 if parts[0] == "data" else 3):
        return ANY
    return provider.parse_type(emission.unit.tables.providers.find_argument(kind, parts[-1]).get("type", "any"))
