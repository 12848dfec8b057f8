"""Finds the place of a value in the output: an expression for a test, and the value that Terraform finds there.

Invariant: the path of an argument is read by the provider's schema, so sets, lists and maps are distinguished.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from emitters.hcl.evaluation.functions import UnknownValue
from emitters.hcl.tables.provider import parse_type
from emitters.hcl.tree.nodes import Attr, Expr, Fn, ForTuple, Index, Op, Traversal
from emitters.hcl.tree.types import ANY, HclType

ONE = Traversal(("one",))


class OutputPlace(NamedTuple):
    """The place of a value in the output.

    type: the type of the argument. computed: the provider sets the argument if the configuration does not.
    make_condition: makes a condition from a check: it applies the check to the value, or to any item of a set. direct:
    the argument is not inside a nested block or a set.
    """

    type: HclType
    computed: bool
    make_condition: Callable[[Callable[[Expr], Expr]], Expr]
    direct: bool


def locate_argument(base: Expr, facts: Mapping[str, Any], path: Sequence[str]) -> OutputPlace | None:
    """The place of an argument in a resource; None if the schema has no such argument, or it means several places."""
    name, *rest = path
    if name in facts.get("arguments", {}):
        about = facts["arguments"][name]
        return locate_inside(
            Attr(base, name), parse_type(about.get("type", "dynamic")), rest, bool(about.get("computed"))
        )
    block = facts.get("blocks", {}).get(name)
    if block is None or not rest:
        return None
    result: OutputPlace | None
    match block["nesting"]:
        case "single" | "group":
            result = locate_argument(Attr(base, name), block, rest)
        case "list" if rest[0].isdigit() and len(rest) > 1:
            result = locate_argument(Index(Attr(base, name), int(rest[0])), block, rest[1:])
        case "set" if rest[0].isdigit() and len(rest) > 1:
            inner = locate_argument(ONE, block, rest[1:])
            if inner is None:
                return None
            among = Attr(base, name)

            def any_of(check: Callable[[Expr], Expr]) -> Expr:
                return Fn("anytrue", (ForTuple(("one",), among, inner.make_condition(check)),))

            result = inner._replace(make_condition=any_of)
        case _:
            return None
    return result._replace(direct=False) if result is not None else None


def locate_inside(expr: Expr, kind: HclType, rest: Sequence[str], computed: bool) -> OutputPlace | None:
    """The place at a path inside the value of an argument."""
    if not rest:
        return OutputPlace(kind, computed, lambda check: check(expr), True)
    match kind.kind:
        case "map":
            return locate_inside(Index(expr, ".".join(rest)), kind.of or ANY, (), computed)
        case "list" if rest[0].isdigit():
            return locate_inside(Index(expr, int(rest[0])), kind.of or ANY, rest[1:], computed)
        case "set" if rest[0].isdigit() and len(rest) == 1:

            def check_any_item(check: Callable[[Expr], Expr]) -> Expr:
                condition = check(ONE)
                match condition:
                    case Op("==", left, right) if left == ONE:
                        return Fn("contains", (expr, right))
                return Fn("anytrue", (ForTuple(("one",), expr, condition),))

            return OutputPlace(kind.of or ANY, computed, check_any_item, False)
    return None


def value_at_path(value: Any, path: Sequence[str]) -> Any:
    """The part of a value at a path. Keys may contain dots. Raises UnknownValue if nothing has this path."""
    if not path:
        return value
    if isinstance(value, list) and path[0].isdigit() and int(path[0]) < len(value):
        return value_at_path(value[int(path[0])], path[1:])
    if isinstance(value, dict):
        for length in range(len(path), 0, -1):
            key = ".".join(path[:length])
            if key in value:
                return value_at_path(value[key], path[length:])
    raise UnknownValue("nothing at that path")
