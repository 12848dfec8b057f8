"""One resource for each item of a list: projects with access, groups of a user, volume types with a QoS.

Invariant: the value of `for_each` is known before the apply. For a literal list there is one block for each item.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, final

from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import property_hook
from emitters.hcl.namespace import snake
from emitters.hcl.tree.nodes import Argument, Block, Cond, Expr, Fn, Name, Op, Tuple, choose, condition_of, one_if
from emitters.hcl.tree.types import STRINGS, Value
from transpile.model import ir
from transpile.model.records import node
from transpile.report import fate

if TYPE_CHECKING:
    from emitters.hcl.resources.writer import Writer
    from emitters.hcl.tables.mapping import Lookup, Rule


@final
@node
class Member:
    """How an item is written: the resource type, the argument for the item and the argument for the list's owner."""

    kind: str
    item: str
    owner: str
    lookup: str = ""
    why: str = "one resource for each item of the list"


def word(expr: ir.Expr, lookup: Lookup | None, index: int) -> str:
    """The part of a label that identifies an item: its name, or else its index."""
    if isinstance(expr, (ir.ParamRef, ir.ResourceRef, ir.AttrRef)):
        return expr.name
    if isinstance(expr, ir.Lit) and isinstance(expr.value, str) and lookup is not None:
        text = re.sub(r"\W+", "_", expr.value).strip("_")
        if text and not re.search(lookup.ids, expr.value.lower()):
            return text
    return str(index)


def each(writer: Writer, entry: ir.Entry, member: Member, owner: Expr | None = None) -> None:
    """Writes the resources for a list. owner: used instead of the ID of the resource itself."""
    expr = entry.value
    lookup = writer.lookups[member.lookup] if member.lookup else None
    if expr in (ir.NULL, ir.Seq(())):
        writer.fate(entry.key, fate("implied", why="the list is empty"))
    elif isinstance(expr, ir.Seq) and not any(isinstance(i, ir.If) and i.orelse is None for i in expr.items):
        for i, item in enumerate(expr.items):
            if item == ir.NULL:
                raise known_later(writer, expr)
            label = snake(f"{writer.block.labels[1]}_{word(item, lookup, i)}")
            block = writer.beside(member.kind, label, item)
            found, how = one(writer, item, lookup)
            block.set(member.owner, writer.self_reference("id") if owner is None else owner)
            block.set(member.item, found.expr, item)
            writer.is_value(f"{entry.key}.{i}", member.item, how, ".".join(block.labels))
    else:
        at_run_time(writer, entry, member, owner)


def known_later(writer: Writer, expr: ir.Expr) -> CannotSay:
    why = f"the items of {writer.resource.name} are known only at run time"
    return CannotSay("HOT404", why, expr)


def one(writer: Writer, item: ir.Expr, lookup: Lookup | None) -> tuple[Value, str]:
    if lookup is not None:
        return writer.emission.data.one(writer.lowering, item, lookup, "id", snake(lookup.what))
    how = "reference" if isinstance(item, (ir.ResourceRef, ir.AttrRef)) else "value"
    return writer.lowering.value(item), how


def at_run_time(writer: Writer, entry: ir.Entry, member: Member, owner: Expr | None) -> None:
    """Writes one resource with `for_each` over the IDs."""
    expr, emission, lowering = entry.value, writer.emission, writer.lowering
    outer = lowering.scope.repeated
    grouped = lowering.scope.bound or (outer is not None and condition_of(outer) is None)
    if grouped or writer.emission.unit.unknown(expr):
        raise known_later(writer, expr)
    if member.lookup:
        lookup = writer.lookups[member.lookup]
        value, _ = emission.data.many(lowering, expr, lookup, "id", snake(lookup.what))
    else:
        value = lowering.value(expr, STRINGS)
    over: Expr = Fn("toset", (emission.data.shown(lowering, value.expr),))
    if outer is not None:
        over = choose(condition_of(outer), over, Fn("toset", (Tuple(()),)))
    block = writer.beside(member.kind, writer.block.labels[1], entry)
    block.body[:] = [Argument("for_each", over)]
    block.set(member.owner, writer.self_reference("id") if owner is None else owner)
    block.set(member.item, Name(("each", "value")))
    writer.is_value(entry.key, "for_each", "derived", ".".join(block.labels), member.why)


def only_if(writer: Writer, blocks: list[Block], test: Expr) -> None:
    """Adds a condition to blocks that are already written, keeping their `count` or `for_each`."""
    for block in blocks:
        first = block.body[0]
        if isinstance(first, Argument) and first.name == "for_each":
            first.value = choose(test, first.value, Fn("toset", (Tuple(()),)))
        elif isinstance(first, Argument) and first.name == "count":
            if not isinstance(first.value, Cond):
                raise CannotSay(
                    "HOT404", "the members of the group depend on another condition", writer.resource.name_span
                )
            block.body[0] = Argument("count", one_if(Op("&&", first.value.test, test)))
        else:
            block.body.insert(0, Argument("count", one_if(test)))


MEMBERS = {
    "user_groups": Member("openstack_identity_user_membership_v3", "group_id", "user_id", "group"),
    "volume_type_projects": Member(
        "openstack_blockstorage_volume_type_access_v3", "project_id", "volume_type_id", "project"
    ),
    "image_members": Member("openstack_images_image_access_v2", "member_id", "image_id"),
}


@property_hook(*MEMBERS)
def members(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    each(writer, entry, MEMBERS[rule.hook])
