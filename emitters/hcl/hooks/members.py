"""Writes a resource for each item of a list: projects that may use something, groups of a user.

Invariant: the value of `for_each` is known before the apply. For a literal list there is one block for each item.
"""

from __future__ import annotations

import re

from emitters.hcl.errors import CannotSay, only_at_run_time
from emitters.hcl.hooks import property_hook
from emitters.hcl.resources.rules import write_resources
from emitters.hcl.resources.writer import Writer
from emitters.hcl.resources.written import Written
from emitters.hcl.tables.mapping import ArgumentRule, EachRule, NameLookup, looks_like_id
from emitters.hcl.tree.nodes import Argument, Block, Cond, Expr, Fn, Op, Tuple, count_if, make_conditional
from emitters.hcl.tree.types import ANY
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.model.budget import Budget


def item_label(expr: ir.Expr, lookup: NameLookup | None, index: int, budget: Budget) -> str:
    """The part of a label that identifies an item: its name, or else its index. `{get_param: project}` -> `project`."""
    if isinstance(expr, (ir.ParamRef, ir.ResourceRef, ir.AttrRef)):
        return expr.name
    if isinstance(expr, ir.Lit) and isinstance(expr.value, str) and lookup is not None:
        text = re.sub(r"\W+", "_", expr.value).strip("_")
        if text and not looks_like_id(lookup, expr.value, budget):
            return text
    return str(index)


def write_list_members(
    writer: Writer, entry: ir.Entry, resource: str, item: str, owner: str, lookup_key: str = ""
) -> Written:
    """Writes the resources for a list, labelled by their items. item, owner: the arguments for an item and for the ID
    of the main resource.
    """
    expr, lookup = entry.value, writer.lookups[lookup_key] if lookup_key else None
    if isinstance(expr, ir.Seq) and ir.NULL in expr.items:
        raise only_at_run_time(f"the items of {writer.resource.name} are", expr)
    rule = EachRule(resource, ArgumentRule(item, ANY, lookup=lookup), owner={owner: "id"})
    return write_resources(
        writer, entry.key, rule, entry, lambda expr, i: item_label(expr, lookup, i, writer.emission.unit.budget)
    )


def restrict_blocks(writer: Writer, blocks: list[Block], test: Expr) -> None:
    """Adds a condition to blocks that are already written, keeping their `count` or `for_each`."""
    for block in blocks:
        first = block.body[0]
        if isinstance(first, Argument) and first.name == "for_each":
            first.value = make_conditional(test, first.value, Fn("toset", (Tuple(()),)))
        elif isinstance(first, Argument) and first.name == "count":
            if not isinstance(first.value, Cond):
                raise CannotSay(
                    codes.ONLY_AT_RUN_TIME,
                    "the members of the group depend on another condition",
                    writer.resource.name_span,
                )
            block.body[0] = Argument("count", count_if(Op("&&", first.value.test, test)))
        else:
            block.body.insert(0, Argument("count", count_if(test)))


MEMBERS = {
    "user_groups": ("openstack_identity_user_membership_v3", "group_id", "user_id", "group"),
    "volume_type_projects": ("openstack_blockstorage_volume_type_access_v3", "project_id", "volume_type_id", "project"),
    "image_members": ("openstack_images_image_access_v2", "member_id", "image_id"),
}


@property_hook("user_groups", "volume_type_projects", "image_members")
def write_member_resources(writer: Writer, entry: ir.Entry) -> Written:
    """Writes the resources of one of `MEMBERS`, by the name of the hook."""
    return write_list_members(writer, entry, *MEMBERS[writer.rule.hook])
