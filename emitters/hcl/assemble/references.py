"""The addresses that expressions refer to.

An output of a module is an address of its own (`module.x.y`), as it is a node of its own in Terraform's graph. Any
other reference to a module (`module.x`, a splat, a computed index) means all of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from emitters.hcl.tree.nodes import CHILDREN, Argument, Attr, Block, Expr, Index, Note, Traversal


def list_addresses(*parts: Argument | Block | Note | Expr) -> list[str]:
    """The variables, locals, resources, data sources and modules in expressions, arguments and blocks."""
    addresses: list[str] = []
    stack: list[Argument | Block | Note | Expr] = [*parts]
    while stack:
        current = stack.pop()
        if type(current) is str:  # most are
            continue
        if type(current) is Argument:
            stack.append(current.value)
        elif type(current) is Traversal:
            if address := address_of_traversal(current.parts):
                addresses.append(address)
        elif type(current) is Attr and (call := called_module(current.of)):
            addresses.append(f"{call}.{current.name}")
        elif type(current) is Block:
            stack += current.body
        elif (inside := CHILDREN.get(type(current))) is not None:
            stack += inside(current)
    return addresses


def address_of_traversal(parts: tuple[str, ...]) -> str:
    """The address at the beginning of a name; empty for loop variables and the like."""
    first = parts[0]
    if first in ("module", "data"):
        return ".".join(parts[:3]) if len(parts) > (first == "data") + 1 else ""
    return ".".join(parts[:2]) if len(parts) > 1 and (first in ("local", "var") or "_" in first) else ""


def called_module(expr: Expr) -> str:
    """The address of a module call, if an expression is one, or a fixed instance of it: `module.node[0]`."""
    if isinstance(expr, Index) and isinstance(expr.key, (int, str)):
        expr = expr.of
    return (
        ".".join(expr.parts)
        if isinstance(expr, Traversal) and expr.parts[0] == "module" and len(expr.parts) == 2
        else ""
    )


def find_reachable_addresses(
    items: Iterable[Argument | Block | Note],
    holder: Callable[[str], Argument | Block | None],
    more: Iterable[str] = (),
    memo: dict[str, set[str]] | None = None,
) -> set[str]:
    """The addresses that items refer to, directly or through other items, and those in `more`. `holder`: returns the
    item at an address, or None. `memo`: the addresses that the item at an address refers to directly. Callers that ask
    often keep it, for many outputs may refer to one large local.
    """
    memo = {} if memo is None else memo
    waiting = [*list_addresses(*items), *more]
    addresses = set(waiting)
    while waiting:
        current = waiting.pop()
        if current not in memo:
            item = holder(current)
            memo[current] = set(list_addresses(item)) if item is not None else set()
        for address in memo[current] - addresses:
            addresses.add(address)
            waiting.append(address)
    return addresses
