"""Selects the resources without a counterpart that `--prefer native` leaves out, because nothing else needs them.

Invariant: only resources that are left out too refer to them. The planner also makes sure that they refer to no
resource that stays with Heat: Heat runs that one anyway, and can run both.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from emitters.hcl.plan.scaling import POLICIES, UNSCALED
from emitters.hcl.plan.signals import HOLDERS
from emitters.hcl.tables.mapping import TypeMapping
from emitters.hcl.tables.tables import Tables
from transpile.model import heat_types, ir
from transpile.resolve.stack import Stack

HOOK = "left_out"


def select_left_out(
    stack: Stack,
    tables: Tables,
    taken: Collection[str],
    idle: Mapping[str, str],
    mute: Collection[str] = (),
    unheard: Collection[str] = (),
) -> dict[str, TypeMapping]:
    """The resources that are left out, with their conversion. taken: resources that have another conversion; mute:
    those of them that read nothing when converted; unheard: those whose values nobody receives any more. idle:
    resources that do nothing, and why.
    """
    conversions: dict[str, TypeMapping] = {}
    for name, resource in stack.template.resources.items():
        kind = tables.find_mapping(own_or_member_type(stack, resource))
        if name in idle and not resource.is_existing and kind.other is not None:
            conversions[name] = TypeMapping(kind.name, "folded", hook=HOOK, why=idle[name])
            continue
        if name in taken or resource.is_existing:
            continue
        if kind.preferred_hook == HOOK or (kind.preferred_hook == UNSCALED and kind.name not in POLICIES):
            conversions[name] = TypeMapping(
                kind.name, "folded", hook=HOOK, why=f"{kind.why}, and nothing else needs it"
            )
    conversions |= select_value_holders(stack, tables, conversions.keys() | taken)
    while lost := find_still_needed(stack, conversions, mute, unheard):
        conversions = {name: kind for name, kind in conversions.items() if name not in lost}
    return conversions


def select_value_holders(stack: Stack, tables: Tables, taken: Collection[str]) -> dict[str, TypeMapping]:
    """The candidates among resources that only hold values of others. taken: resources with another conversion."""
    conversions = {}
    for name, resource in stack.template.resources.items():
        kind = tables.find_mapping(stack.types[name])
        holds = kind.name in HOLDERS and stack.needs.get(name) and not resource.is_existing
        if holds and name not in taken:
            conversions[name] = TypeMapping(
                kind.name, "folded", hook=HOOK, why="it only holds values of resources that are left out"
            )
    return conversions


def find_still_needed(
    stack: Stack, conversions: Mapping[str, TypeMapping], mute: Collection[str], unheard: Collection[str]
) -> set[str]:
    """The candidates that must stay after all: another resource refers to them, or they hold values only of resources
    that are not left out.
    """
    readers = stack.needs.keys() - conversions.keys() - set(mute)
    read = {need for name in readers for need in stack.needs[name]} & conversions.keys()
    return read | {
        name
        for name, kind in conversions.items()
        if kind.name in HOLDERS and not any(need in conversions or need in unheard for need in stack.needs[name])
    }


def own_or_member_type(stack: Stack, resource: ir.Resource) -> str:
    """The type of a resource; for a group, that of its members, unless they are a nested template."""
    kind = resource.kind
    definition = resource.find_property("resource_def")
    inner = definition.get("type") if isinstance(definition, ir.Map) else None
    if (
        kind != heat_types.RESOURCE_GROUP
        or not isinstance(inner, ir.Lit)
        or (resource.name, str(inner.value)) in stack.nested
    ):
        return kind
    return stack.canonical_type(str(inner.value))
