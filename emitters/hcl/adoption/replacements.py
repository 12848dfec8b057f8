"""Which arguments of an adopted configuration do not change as in Heat: Terraform replaces the object, or does nothing.

Invariant: every one of them is named before the import, once for each block, also if `ignore_changes` hides it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from emitters.hcl.adoption.settling import settling_names
from emitters.hcl.adoption.takeover import walk_owned_blocks
from emitters.hcl.adoption.unread import find_ignored_names
from emitters.hcl.emission import Emission
from emitters.hcl.tables.replacements import is_replaced
from transpile.adoption.adoption import Adoption, ReplacedArgument, UnseenArguments
from transpile.diagnostics import codes
from transpile.model.span import Span
from transpile.resolve.groups import GROUPS, member_types
from transpile.resolve.stack import Stack

MESSAGE = "Terraform replaces where Heat would update: {}."
HINT = (
    "A plan shows it as `forces replacement`. To be safe, add `lifecycle { prevent_destroy = true }`; "
    "docs/replaced-arguments.md has all such arguments."
)


class WrittenArgument(NamedTuple):
    """An argument of a block that a property became. property, argument: the first steps of their paths."""

    address: str
    property: str
    argument: str
    ignored: bool
    span: Span


def report_replacements(emission: Emission) -> None:
    """Reports the arguments of a directory, unless `ignore_changes` hides their changes."""
    for written in find_replaced_arguments(emission):
        if not written.ignored:
            what, name = written.address, f"{written.argument} from {written.property}"
            emission.log.gather_name(codes.REPLACED_INSTEAD_OF_UPDATED, MESSAGE, what, name, written.span, HINT)


def record_replacements(adoption: Adoption, emission: Emission) -> None:
    """Records them for ADOPT.md, with what Terraform never compares."""
    where = emission.unit.module.folder
    for written in find_replaced_arguments(emission):
        adoption.replaced.append(
            ReplacedArgument(where, written.address, written.property, written.argument, written.ignored)
        )
    for block, _ in walk_owned_blocks(emission):
        ignored, settling = emission.blocks.ignored_of.get(id(block), {}), settling_names(emission, block)
        if reasons := {name: why for name, why in ignored.items() if name not in settling}:
            adoption.unseen.append(UnseenArguments(where, block.address, reasons))


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
    for block, owner in walk_owned_blocks(emission):
        report, resource = emission.log.report.resources.get(owner), block.labels[0]
        kind = find_object_type(unit.stack, owner)
        mapping = unit.tables.find_mapping(kind)
        if report is None or mapping is None or mapping.resource != resource:
            continue  # a part of a resource, such as a rule of a security group: Heat makes it anew, too
        ignored = find_ignored_names(block)
        written = {
            (name, fate["argument"].partition(".")[0])
            for path, fate in report.properties.items()
            if fate.get("to") == block.address
            and is_replaced(unit.tables.catalog, kind, name := name_property(path), resource, fate.get("argument", ""))
        }
        at = max(block.at, 0)
        for name, argument in sorted(written):
            yield WrittenArgument(block.address, name, argument, argument in ignored, Span(at, at + 1))
