"""References between the resources and outputs of a stack, in both directions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from transpile.model import ir

if TYPE_CHECKING:
    from transpile.resolve.stack import Stack

Readers = dict[str, list["ir.Resource | ir.Output"]]


def of_type(stack: Stack, kind: str) -> list[str]:
    """The names of the resources of a type, in template order."""
    return [name for name in stack.template.resources if stack.types[name] == kind]


def plain(stack: Stack, name: str) -> bool:
    """Whether the stack creates a resource, rather than adopting an existing one (`external_id`)."""
    return stack.template.resources[name].external_id is None


def referred(owner: ir.Resource | ir.Output) -> set[str]:
    """The resources that a resource or output refers to."""
    return {r.name for r in owner.refs if isinstance(r, (ir.ResourceRef, ir.AttrRef))}


def readers(stack: Stack) -> Readers:
    """Maps each resource to the resources and outputs that refer to it, in template order."""
    found: Readers = {}
    owners: list[ir.Resource | ir.Output] = [*stack.template.resources.values(), *stack.template.outputs.values()]
    for owner in owners:
        for name in referred(owner):
            found.setdefault(name, []).append(owner)
    return found


def refers(stack: Stack, name: str, word: str) -> str | None:
    """The resource that a property refers to by `get_resource`; None for any other value."""
    properties = stack.template.resources[name].properties
    value = properties.get(word) if properties is not None else None
    return value.name if isinstance(value, ir.ResourceRef) else None
