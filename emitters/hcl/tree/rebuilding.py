"""Rebuilds expressions and bodies with some of their parts changed.

Invariant: an unchanged node is the same object afterwards, so that tables by `id()` stay right.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from emitters.hcl.tree.nodes import (
    Argument,
    Attr,
    Block,
    Cond,
    Expr,
    Fn,
    ForObject,
    ForTuple,
    Index,
    Not,
    Note,
    Object,
    Op,
    Splat,
    StringTemplate,
    Tuple,
)
from transpile.model.records import replace

Change = Callable[[Expr], Expr]  # returns its argument itself if it does not change that node
Item = Argument | Block | Note


def rebuild_expression(expr: Expr, change: Change) -> Expr:
    """An expression in which `change` has replaced nodes, from the outside to the inside. The replacement of a node
    is not visited again.
    """
    changed = change(expr)
    if changed is not expr:
        return changed
    rebuild = REBUILD.get(type(expr))
    return rebuild(expr, lambda inner: rebuild_expression(inner, change)) if rebuild is not None else expr


def rebuild_items(items: Sequence[Expr], inside: Change) -> tuple[Expr, ...]:
    return tuple([inside(item) for item in items])


def keep_if_equal(expr: Any, parts: Sequence[Any], rebuilt: Sequence[Any], make: Callable[[], Expr]) -> Expr:
    """The expression itself if all its parts are the same objects as before."""
    return expr if all(new is old for new, old in zip(rebuilt, parts, strict=True)) else make()


def rebuild_template(expr: StringTemplate, inside: Change) -> Expr:
    parts = rebuild_items(expr.parts, inside)
    return keep_if_equal(expr, expr.parts, parts, lambda: StringTemplate(parts))


def rebuild_attribute(expr: Attr, inside: Change) -> Expr:
    of = inside(expr.of)
    return expr if of is expr.of else Attr(of, expr.name)


def rebuild_index(expr: Index, inside: Change) -> Expr:
    of, key = inside(expr.of), inside(expr.key)
    return keep_if_equal(expr, (expr.of, expr.key), (of, key), lambda: Index(of, key))


def rebuild_splat(expr: Splat, inside: Change) -> Expr:
    of = inside(expr.of)
    return expr if of is expr.of else Splat(of, expr.names)


def rebuild_call(expr: Fn, inside: Change) -> Expr:
    args = rebuild_items(expr.args, inside)
    return keep_if_equal(expr, expr.args, args, lambda: Fn(expr.name, args, expr.expand))


def rebuild_operation(expr: Op, inside: Change) -> Expr:
    left, right = inside(expr.left), inside(expr.right)
    return keep_if_equal(expr, (expr.left, expr.right), (left, right), lambda: Op(expr.sign, left, right))


def rebuild_negation(expr: Not, inside: Change) -> Expr:
    of = inside(expr.of)
    return expr if of is expr.of else Not(of)


def rebuild_conditional(expr: Cond, inside: Change) -> Expr:
    test, yes, no = inside(expr.test), inside(expr.yes), inside(expr.no)
    return keep_if_equal(expr, (expr.test, expr.yes, expr.no), (test, yes, no), lambda: Cond(test, yes, no))


def rebuild_tuple(expr: Tuple, inside: Change) -> Expr:
    items = rebuild_items(expr.items, inside)
    return keep_if_equal(expr, expr.items, items, lambda: Tuple(items))


def rebuild_object(expr: Object, inside: Change) -> Expr:
    parts = [part for entry in expr.entries for part in entry]
    rebuilt = rebuild_items(parts, inside)
    return keep_if_equal(expr, parts, rebuilt, lambda: Object(tuple(zip(rebuilt[::2], rebuilt[1::2], strict=True))))


def rebuild_for_tuple(expr: ForTuple, inside: Change) -> Expr:
    over, value, test = inside(expr.over), inside(expr.value), inside(expr.test)
    return keep_if_equal(
        expr, (expr.over, expr.value, expr.test), (over, value, test), lambda: ForTuple(expr.names, over, value, test)
    )


def rebuild_for_object(expr: ForObject, inside: Change) -> Expr:
    parts = expr.over, expr.key, expr.value, expr.test
    over, key, value, test = (inside(part) for part in parts)
    return keep_if_equal(expr, parts, (over, key, value, test), lambda: ForObject(expr.names, over, key, value, test))


REBUILD: dict[type, Callable[[Any, Change], Expr]] = {
    StringTemplate: rebuild_template,
    Attr: rebuild_attribute,
    Index: rebuild_index,
    Splat: rebuild_splat,
    Fn: rebuild_call,
    Op: rebuild_operation,
    Not: rebuild_negation,
    Cond: rebuild_conditional,
    Tuple: rebuild_tuple,
    Object: rebuild_object,
    ForTuple: rebuild_for_tuple,
    ForObject: rebuild_for_object,
}


def rebuild_body(items: Sequence[Item], change: Callable[[Argument], Expr]) -> list[Item]:
    """A body in which `change` has replaced the values of arguments, also in nested blocks."""
    out: list[Item] = []
    for item in items:
        if isinstance(item, Argument):
            value = change(item)
            out.append(item if value is item.value else replace(item, value=value))
        elif isinstance(item, Block):
            out.append(rebuild_block(item, change))
        else:
            out.append(item)
    return out


def rebuild_block(block: Block, change: Callable[[Argument], Expr]) -> Block:
    """A block in which `change` has replaced the values of arguments."""
    body = rebuild_body(block.body, change)
    return block if all(new is old for new, old in zip(body, block.body, strict=True)) else replace(block, body=body)
