"""The place of a value in the output: an expression that a test can ask, and what Terraform will find there.

Invariant: the path of an argument is read by the provider's schema, so sets, lists and maps are told apart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from emitters.hcl.evaluation.functions import Unknown, plain
from emitters.hcl.evaluation.values import Evaluation
from emitters.hcl.tables.provider import parse_type
from emitters.hcl.tree.nodes import Argument, Attr, Block, Expr, Fn, ForTuple, Index, Op, Traversal
from emitters.hcl.tree.types import ANY, HclType

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from emitters.hcl.evaluation.instances import Instance

ONE = Traversal(("one",))


class Place(NamedTuple):
    """Where a value stands. type: that of the argument. computed: the provider sets it if nothing else does. asked: a
    condition that the value at this place passes, made of a check of an expression. direct: no block is around it.
    """

    type: HclType
    computed: bool
    asked: Callable[[Callable[[Expr], Expr]], Expr]
    direct: bool


def place(base: Expr, facts: Mapping[str, Any], path: Sequence[str]) -> Place | None:
    """The place of an argument in a resource; None if the schema has no such argument, or it is more than one place."""
    name, *rest = path
    if name in facts.get("arguments", {}):
        about = facts["arguments"][name]
        return inside(Attr(base, name), parse_type(about.get("type", "dynamic")), rest, bool(about.get("computed")))
    block = facts.get("blocks", {}).get(name)
    if block is None or not rest:
        return None
    found: Place | None
    match block["nesting"]:
        case "single" | "group":
            found = place(Attr(base, name), block, rest)
        case "list" if rest[0].isdigit() and len(rest) > 1:
            found = place(Index(Attr(base, name), int(rest[0])), block, rest[1:])
        case "set" if rest[0].isdigit() and len(rest) > 1:
            inner = place(ONE, block, rest[1:])
            if inner is None:
                return None
            among = Attr(base, name)

            def any_of(check: Callable[[Expr], Expr]) -> Expr:
                return Fn("anytrue", (ForTuple(("one",), among, inner.asked(check)),))

            found = inner._replace(asked=any_of)
        case _:
            return None
    return found._replace(direct=False) if found is not None else None


def inside(expr: Expr, kind: HclType, rest: Sequence[str], computed: bool) -> Place | None:
    """The place in the value of an argument."""
    if not rest:
        return Place(kind, computed, lambda check: check(expr), True)
    match kind.kind:
        case "map":
            return inside(Index(expr, ".".join(rest)), kind.of or ANY, (), computed)
        case "list" if rest[0].isdigit():
            return inside(Index(expr, int(rest[0])), kind.of or ANY, rest[1:], computed)
        case "set" if rest[0].isdigit() and len(rest) == 1:

            def among(check: Callable[[Expr], Expr]) -> Expr:
                condition = check(ONE)
                match condition:
                    case Op("==", left, right) if left == ONE:
                        return Fn("contains", (expr, right))
                return Fn("anytrue", (ForTuple(("one",), expr, condition),))

            return Place(kind.of or ANY, computed, among, False)
    return None


def value(instance: Instance, path: Sequence[str]) -> Any:
    """What Terraform computes for an argument; None if it is not given. Raises Unknown or Failed."""
    body: Sequence[object] = instance.block.body
    rest = list(path)
    while rest:
        name = rest.pop(0)
        given = next((a for a in body if isinstance(a, Argument) and a.name == name), None)
        if given is not None:
            found = plain(Evaluation(instance.directory, instance.bound).of(given.value))
            return dig(found, rest)
        blocks = [b for b in body if isinstance(b, Block) and b.type == name]
        if any(isinstance(b, Block) and b.type == "dynamic" and b.labels == (name,) for b in body):
            raise Unknown(f"{name}, which is dynamic")
        if not blocks:
            return None
        number = int(rest.pop(0)) if rest and rest[0].isdigit() else 0
        if number >= len(blocks):
            raise Unknown(f"{name}, of which there are fewer")
        body = blocks[number].body
    raise Unknown("a whole block")


def dig(found: Any, path: Sequence[str]) -> Any:
    """What stands at a path in a value. Keys may hold dots. Raises Unknown where there is nothing."""
    if not path:
        return found
    if isinstance(found, list) and path[0].isdigit() and int(path[0]) < len(found):
        return dig(found[int(path[0])], path[1:])
    if isinstance(found, dict):
        for length in range(len(path), 0, -1):
            key = ".".join(path[:length])
            if key in found:
                return dig(found[key], path[length:])
    raise Unknown("nothing at that path")
