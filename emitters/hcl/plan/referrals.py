"""References between the resources and outputs of a stack, in both directions."""

from __future__ import annotations

from transpile.model import ir
from transpile.resolve.stack import Stack

Referrers = dict[str, list["ir.Resource | ir.Output"]]


def names_of_type(stack: Stack, kind: str) -> list[str]:
    """The names of the resources of a type, in template order."""
    return [name for name in stack.template.resources if stack.types[name] == kind]


def is_created(stack: Stack, name: str) -> bool:
    """Whether the stack creates a resource, rather than adopting an existing one (`external_id`)."""
    return not stack.template.resources[name].is_existing


def referred_names(owner: ir.Resource | ir.Output) -> set[str]:
    """The resources that a resource or output refers to."""
    return {r.name for r in owner.refs if isinstance(r, (ir.ResourceRef, ir.AttrRef))}


def find_referrers(stack: Stack) -> Referrers:
    """Maps each resource to the resources and outputs that refer to it, in template order."""
    referrers: Referrers = {}
    owners: list[ir.Resource | ir.Output] = [*stack.template.resources.values(), *stack.template.outputs.values()]
    for owner in owners:
        for name in referred_names(owner):
            referrers.setdefault(name, []).append(owner)
    return referrers


def name_in_property(stack: Stack, name: str, word: str) -> str:
    """The resource that a property refers to by `get_resource`; empty for any other value."""
    value = stack.template.resources[name].find_property(word)
    return value.name if isinstance(value, ir.ResourceRef) else ""
