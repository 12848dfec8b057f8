"""Finds arguments that change in another way than in Heat: Terraform replaces the object that Heat would update.

Invariant: each is found once for each block, also if `ignore_changes` hides it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from emitters.hcl.emission import Emission
from emitters.hcl.tables.replacements import is_replaced
from emitters.hcl.tree.nodes import Block, Traversal
from transpile.model.span import Span
from transpile.resolve.groups import GROUPS, member_types
from transpile.resolve.stack import Stack


class WrittenArgument(NamedTuple):
    """An argument of a block that a property became. property, argument: the first steps of their paths."""

    address: str
    property: str
    argument: str
    ignored: bool
    span: Span


def find_object_type(stack: Stack, name: str) -> str:
    """The type of the objects that a resource stands for: that of its members, if it is a group."""
    kind = stack.types[name]
    members = (
        [written for written, _, _ in member_types(stack.template.resources[name], kind)] if kind in GROUPS else []
    )
    return stack.canonical_type(members[0]) if members else kind


def name_property(path: str) -> str:
    """The property at a path of the report: `networks` of `networks.0.port`, and of a member's
    `resource_def.properties.networks.0.port`.
    """
    first, *inner = path.split(".")
    return inner[1] if first in GROUPS.values() and inner[:1] == ["properties"] and len(inner) > 1 else first


def find_replaced_arguments(emission: Emission) -> Iterator[WrittenArgument]:
    """The arguments of the blocks, in their order, with the properties that they come from."""
    unit = emission.unit
    for block, owner in emission.blocks.walk_owned():
        report, resource = emission.log.report.resources.get(owner), block.labels[0]
        kind = find_object_type(unit.stack, owner)
        mapping = unit.tables.find_mapping(kind)
        if report is None or mapping.resource != resource:
            continue  # a part of a resource, such as a rule of a security group: Heat creates it again, too
        ignored, address = ignored_names(block), block.address
        written = {
            (name, fate["argument"].partition(".")[0])
            for path, fate in report.properties.items()
            if fate.get("to") == address
            and is_replaced(unit.tables.catalog, kind, name := name_property(path), resource, fate.get("argument", ""))
        }
        at = max(block.at, 0)
        for name, argument in sorted(written):
            yield WrittenArgument(address, name, argument, argument in ignored, Span(at, at + 1))


def ignored_names(block: Block) -> set[str]:
    """The names in `lifecycle.ignore_changes`."""
    return {item.parts[0] for item in block.ignored_changes if isinstance(item, Traversal)}
