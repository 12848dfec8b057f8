"""The addresses that expressions refer to.

An output of a module is an address of its own (`module.x.y`), as it is a node of its own in Terraform's graph. Any
other reference to a module (`module.x`, a splat, a computed index) means all of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from emitters.hcl.tree.nodes import CHILDREN, Argument, Attr, Block, Expr, Index, Note, Traversal


def addresses_in_expression(expr: Expr) -> Iterator[str]:
    """The variables, locals, resources, data sources and modules in an expression."""
    stack = [expr]
    while stack:
        current = stack.pop()
        if isinstance(current, str):  # most are
            continue
        if isinstance(current, Traversal):
            if address := address_of_traversal(current.parts):
                yield address
        elif isinstance(current, Attr) and (call := called_module(current.of)):
            yield f"{call}.{current.name}"
        elif (inside := CHILDREN.get(type(current))) is not None:
            stack += inside(current)


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


def addresses_in_body(items: Iterable[Argument | Block | Note]) -> set[str]:
    """The addresses in a body."""
    addresses: set[str] = set()
    stack = list(items)
    while stack:
        item = stack.pop()
        if isinstance(item, Argument):
            if type(item.value) is not str:  # most are
                addresses.update(addresses_in_expression(item.value))
        elif isinstance(item, Block):
            stack += item.body
    return addresses


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
    waiting = [*addresses_in_body(items), *more]
    addresses = set(waiting)
    while waiting:
        current = waiting.pop()
        if current not in memo:
            item = holder(current)
            memo[current] = addresses_in_body([item]) if item is not None else set()
        for address in memo[current] - addresses:
            addresses.add(address)
            waiting.append(address)
    return addresses
