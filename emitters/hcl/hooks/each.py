"""Lists whose items become one resource each, by a rule `each`.

Invariant: a literal list gives one block for each item. The keys of `for_each` are known before the apply.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import property_hook
from emitters.hcl.lowering.rewrites import without_null
from emitters.hcl.namespace import snake
from emitters.hcl.tree.nodes import Argument, Block, Expr, Fn, ForObject, Name, Tuple, choose, condition_of
from emitters.hcl.tree.types import STRINGS
from transpile.model import ir
from transpile.model.records import replace
from transpile.report import fate

if TYPE_CHECKING:
    from emitters.hcl.resources.writer import Writer
    from emitters.hcl.tables.mapping import Rule

WHY = "one resource for each item of the list"
VALUE = Name(("each", "value"))


@property_hook("each_item")
def write(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """Writes the resources for a property that is a list."""
    expr, path = entry.value, entry.key
    if expr in (ir.NULL, ir.Seq(())):
        writer.fate(path, fate("implied", why="the list is empty"))
    elif isinstance(expr, ir.Seq) and ir.NULL in expr.items:
        why = f"an item of {path} of {writer.resource.name} is null"
        raise CannotSay("HOT450", why, expr, writer.resource.name)
    elif isinstance(expr, ir.Seq) and all(plain(item, rule) for item in expr.items):
        for i, item in enumerate(expr.items):
            block = writer.beside(rule.each, snake(f"{writer.block.labels[1]}_{i}"), item)
            owned(writer, rule, block)
            one = onto(writer, block)
            if isinstance(item, ir.Map) and rule.fields is not None:
                one.fields(block, f"{path}.{i}", rule, item, "")
            else:
                inner = replace(rule, each="", to=rule.item)
                one.argument(block, f"{path}.{i}", inner, replace(entry, value=item), rule.item)
    else:
        at_run_time(writer, path, rule, entry)


def plain(item: ir.Expr, rule: Rule) -> bool:
    """Whether an item is surely there, and has fields if it must."""
    if rule.fields is not None:
        return isinstance(item, ir.Map)
    return item != ir.NULL and not isinstance(item, ir.If)


def owned(writer: Writer, rule: Rule, block: Block) -> None:
    """Writes the arguments that do not depend on the item."""
    for argument, attribute in (rule.owner or {}).items():
        block.set(argument, writer.self_reference(attribute))
    for argument, value in (rule.constants or {}).items():
        block.set(argument, writer.constant(value))


def onto(writer: Writer, block: Block) -> Writer:
    """A writer for another block of the same resource."""
    other = copy.copy(writer)
    other.block, other.address, other.to = block, (block.labels[0], block.labels[1]), ".".join(block.labels)
    return other


def at_run_time(writer: Writer, path: str, rule: Rule, entry: ir.Entry) -> None:
    """Writes one resource with `for_each`, by the index of items with fields and by the value of others."""
    expr, emission, lowering = entry.value, writer.emission, writer.lowering
    outer = lowering.scope.repeated
    grouped = lowering.scope.bound or (outer is not None and condition_of(outer) is None)
    if grouped or emission.unit.unknown(expr):
        why = f"the items of {path} of {writer.resource.name} are known only at run time"
        raise CannotSay("HOT404", why, expr)
    test = condition_of(outer) if outer is not None else None
    if rule.fields is not None:
        listed = lowering.value(without_null(expr)).expr
        shown = emission.data.shown(lowering, listed)
        over: Expr = ForObject(("index", "member"), shown, Name(("index",)), Name(("member",)), test)
    else:
        if rule.lookup is not None:
            listed = emission.data.many(lowering, expr, rule.lookup, rule.result, snake(rule.lookup.what))[0].expr
        else:
            listed = lowering.value(without_null(expr), STRINGS).expr
        over = Fn("toset", (emission.data.shown(lowering, listed),))
        over = choose(test, over, Fn("toset", (Tuple(()),))) if test is not None else over
    block = writer.beside(rule.each, writer.block.labels[1], entry)
    if outer is not None:
        block.body.pop(0)
    block.body.insert(0, Argument("for_each", over))
    owned(writer, rule, block)
    for field, inner in (rule.fields or {}).items():
        if inner.drop:
            message = f"{field} of {path} of {writer.resource.name} is dropped, if an item has it: {inner.drop}."
            emission.log.say(inner.code, message, entry, note=f"{field} is dropped: {inner.drop}.")
    if rule.fields is not None:
        onto(writer, block).fields_of_item(block, path, rule, expr, listed, VALUE)
    else:
        block.set(rule.item, VALUE)
    writer.is_value(path, "for_each", "derived", ".".join(block.labels), WHY)
