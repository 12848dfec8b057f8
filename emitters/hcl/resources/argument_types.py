"""Compares the written expressions with the types of the provider's arguments.

Invariant: a mismatch is reported only if Terraform could not convert any value that the expression may have.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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
    Name,
    Not,
    Object,
    Op,
    Splat,
    Text,
    Tuple,
)
from emitters.hcl.tree.types import ANY, BOOL, LISTS, MAPS, NUMBER, SCALARS, STRING, Type, Value, fit

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from emitters.hcl.emission import Emission

WORDS = {"string": "a text", "number": "a number", "bool": "true or false", **dict.fromkeys(LISTS, "a list")}
WORDS |= dict.fromkeys(MAPS, "a map")
RESULTS = {  # of functions; all others may return anything
    **dict.fromkeys(("base64encode", "file", "filebase64", "format", "jsonencode", "join", "lower", "md5"), STRING),
    **dict.fromkeys(("replace", "sha256", "substr", "templatefile", "title", "tostring", "upper"), STRING),
    **dict.fromkeys(("ceil", "floor", "length", "max", "min", "tonumber"), NUMBER),
    **dict.fromkeys(("alltrue", "anytrue", "can", "contains", "tobool"), BOOL),
    **dict.fromkeys(("compact", "concat", "distinct", "flatten", "keys", "range", "reverse", "sort"), Type("tuple")),
    **dict.fromkeys(("split", "tolist", "toset", "values"), Type("tuple")),
    **dict.fromkeys(("merge", "tomap", "zipmap"), Type("object")),
}
OF_SCALARS = ("lower", "title", "tobool", "tonumber", "tostring", "upper")
LOGICAL = ("==", "!=", "<", "<=", ">", ">=", "&&", "||")


def misfits(emission: Emission, block: Block) -> Iterator[tuple[Argument, str]]:
    """The arguments of a resource block, and of the blocks in it, whose values the provider cannot take, each with the
    reason.
    """
    yield from inside(emission, block, emission.unit.tables.providers.find(block.facts) or {})


def inside(emission: Emission, block: Block, facts: Mapping[str, Any]) -> Iterator[tuple[Argument, str]]:
    """The same for one block. facts: what the provider's schema says about it."""
    for item in block.body:
        if isinstance(item, Argument):
            about = facts.get("arguments", {}).get(item.name)
            if about is None:
                continue
            if why := misfit(emission, item.value, provider.type_of(about["type"])):
                yield item, f"{item.name} {why}"
            elif why := refused_value(emission, item.value, about):
                yield item, why
        elif isinstance(item, Block):
            dynamic = item.type == "dynamic"
            inner = facts.get("blocks", {}).get(item.labels[0] if dynamic else item.type)
            content = next((b for b in item.body if isinstance(b, Block)), None) if dynamic else item
            if inner is not None and content is not None:
                yield from inside(emission, content, inner)


def refused_value(emission: Emission, expr: Expr, about: Mapping[str, Any]) -> str:
    """Why the provider would reject the present value of a parameter; empty if it would not, or if the value is
    unknown.
    """
    variable = expr.args[0] if isinstance(expr, Fn) and expr.name == "lower" else expr
    name = emission.symbols.parameter_of(variable)
    if name is None:
        return ""
    now, want = emission.unit.value_now(name), provider.type_of(about["type"])
    if now is None or isinstance(now, (dict, list)) or want.kind not in SCALARS:
        return ""
    value = fit(Value(now, type_of(emission, now)), want).expr
    if convertible(value, type_of(emission, value), want):
        why = provider.refuses(about, value) or ""
    else:
        why = f"it must be {WORDS[want.kind]}"
    return why and f"the value of the parameter {name} does not suit: {why}"


def misfit(emission: Emission, expr: Expr, want: Type) -> str:
    """Why Terraform could not convert an expression to a type; empty if it could, or if that depends on its value."""
    if expr is None or want.kind in ("any", "dynamic"):
        return ""
    ways: tuple[Expr, ...] = ()
    if isinstance(expr, Cond):
        ways = (expr.yes, expr.no)
    elif isinstance(expr, Fn) and expr.name in ("try", "coalesce"):
        ways = expr.args
    if ways:  # one of them may never be taken
        found = [misfit(emission, one, want) for one in ways if one is not None]
        return found[0] if found and all(found) else ""
    operands, of = operation(expr)
    if why := next((why for one in operands if (why := misfit(emission, one, of))), ""):
        return why
    parts: tuple[Expr, ...] | None = None
    if isinstance(expr, (Tuple, ForTuple)):
        parts = expr.items if isinstance(expr, Tuple) else (expr.value,)
    elif isinstance(expr, (Object, ForObject)):
        parts = tuple(value for _, value in expr.entries) if isinstance(expr, Object) else (expr.value,)
    kind = type_of(emission, expr)
    if not convertible(expr, kind, want):
        return f"must be {WORDS[want.kind]}, and this is {WORDS[kind.kind]}"
    inner = want.of
    if parts is None or inner is None:
        return ""
    wrong = next((why for one in parts if (why := misfit(emission, one, inner))), "")
    return wrong and f"has an item that {wrong}"


def operation(expr: Expr) -> tuple[tuple[Expr, ...], Type]:
    """The operands of an operation, and the type that it needs them to have; no operands for other expressions."""
    if isinstance(expr, Op) and expr.sign not in LOGICAL:
        return (expr.left, expr.right), NUMBER
    if isinstance(expr, Fn) and expr.name in ("ceil", "floor"):
        return expr.args, NUMBER
    return (expr.args, STRING) if isinstance(expr, Fn) and expr.name in OF_SCALARS else ((), ANY)


def convertible(expr: Expr, kind: Type, want: Type) -> bool:
    """Whether Terraform converts some value of a type to another one."""
    if kind.kind not in WORDS or want.kind not in WORDS:
        return True
    if want.kind not in SCALARS:
        group = LISTS if want.kind in LISTS else MAPS
        return kind.kind in group
    if kind.kind not in SCALARS:
        return False
    if isinstance(expr, str) and want.kind == "number":
        return number(expr)
    if isinstance(expr, str) and want.kind == "bool":
        return expr in ("true", "false", "1", "0")
    return {kind.kind, want.kind} != {"bool", "number"}


def number(text: str) -> bool:
    """Whether Terraform converts a text to a number. Unlike Python, it allows no spaces around it."""
    try:
        float(text)
    except ValueError:
        return False
    return text == text.strip()


def type_of(emission: Emission, expr: Expr) -> Type:
    """The type of an expression, as far as it is known before Terraform runs; otherwise `any`."""
    if isinstance(expr, (bool, Not)) or (isinstance(expr, Op) and expr.sign in LOGICAL):
        return BOOL
    if isinstance(expr, (int, float, Op)):
        return NUMBER
    if isinstance(expr, (str, Text)):
        return STRING
    if isinstance(expr, (Tuple, ForTuple, Splat)):
        return Type("tuple")
    if isinstance(expr, (Object, ForObject)):
        return Type("object")
    if isinstance(expr, Fn):
        return RESULTS.get(expr.name, ANY)
    if isinstance(expr, Name):
        return named(emission, expr.parts)
    if isinstance(expr, Attr) and isinstance(expr.of, Name):
        return attribute(emission, (*expr.of.parts, expr.name))
    return ANY


def named(emission: Emission, parts: tuple[str, ...]) -> Type:
    """The type of a variable, a local, or an attribute of a resource."""
    if parts[0] == "var" and len(parts) == 2:
        return emission.symbols.types.get(parts[1], ANY)
    if parts[0] == "local" and len(parts) == 2:
        found = emission.blocks.locals.get(parts[1])
        return type_of(emission, found.value) if found is not None else ANY
    return attribute(emission, parts)


def attribute(emission: Emission, parts: tuple[str, ...]) -> Type:
    """The type of an attribute of a resource or data source, from the provider's schema."""
    kind = ".".join(parts[:2]) if parts[0] == "data" else parts[0]
    facts = (
        emission.unit.tables.providers.argument(kind, parts[-1])
        if len(parts) == (4 if parts[0] == "data" else 3)
        else None
    )
    return provider.type_of(facts["type"]) if facts is not None else ANY
