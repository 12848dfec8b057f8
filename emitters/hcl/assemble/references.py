"""The addresses that expressions refer to.

An output of a module is an address of its own (`module.x.y`), as it is a node of its own in Terraform's graph. Any
other reference to a module (`module.x`, a splat, a computed index) means all of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emitters.hcl.tree.nodes import CHILDREN, Argument, Attr, Block, Expr, Index, Name, Note

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator


def references(expr: Expr) -> Iterator[str]:
    """The variables, locals, resources, data sources and modules in an expression."""
    stack = [expr]
    while stack:
        one = stack.pop()
        if isinstance(one, Name):
            if address := named(one.parts):
                yield address
        elif isinstance(one, Attr) and (call := called(one.of)):
            yield f"{call}.{one.name}"
        elif (inside := CHILDREN.get(type(one))) is not None:
            stack += inside(one)


def named(parts: tuple[str, ...]) -> str:
    """The address at the beginning of a name; empty for loop variables and the like."""
    first = parts[0]
    if first in ("module", "data"):
        return ".".join(parts[:3]) if len(parts) > (first == "data") + 1 else ""
    return ".".join(parts[:2]) if len(parts) > 1 and (first in ("local", "var") or "_" in first) else ""


def called(expr: Expr) -> str:
    """The address of a module call, if an expression is one, or a fixed instance of it: `module.node[0]`."""
    if isinstance(expr, Index) and isinstance(expr.key, (int, str)):
        expr = expr.of
    return ".".join(expr.parts) if isinstance(expr, Name) and expr.parts[0] == "module" and len(expr.parts) == 2 else ""


def inside(items: Iterable[Argument | Block | Note]) -> set[str]:
    """The addresses in a body."""
    found: set[str] = set()
    stack = list(items)
    while stack:
        item = stack.pop()
        if isinstance(item, Argument):
            found.update(references(item.value))
        elif isinstance(item, Block):
            stack += item.body
    return found


def reached(
    items: Iterable[Argument | Block | Note], holder: Callable[[str], Argument | Block | None], more: Iterable[str] = ()
) -> set[str]:
    """The addresses that items refer to, directly or through other items, and those in `more`. holder: returns the item
    at an address, or None.
    """
    waiting = [*inside(items), *more]
    found = set(waiting)
    while waiting:
        one = holder(waiting.pop())
        for address in inside([one]) - found if one is not None else ():
            found.add(address)
            waiting.append(address)
    return found
