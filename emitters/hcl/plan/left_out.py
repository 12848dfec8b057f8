"""Resources without a counterpart that `--prefer native` leaves out, because nothing else needs them.

Invariant: only what is left out too refers to them. The planner sees to it that they refer to nothing that stays with
Heat: what runs in Heat anyway loses nothing.
"""

from __future__ import annotations

import fnmatch
from typing import TYPE_CHECKING

from emitters.hcl.tables.mapping import Kind
from transpile.model import ir

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from emitters.hcl.tables.tables import Tables
    from transpile.resolve.stack import Stack

HOOK, UNSCALED = "left_out", "unscaled"
POLICY, GROUP = "OS::Heat::ScalingPolicy", "OS::Heat::ResourceGroup"


def kinds(stack: Stack, tables: Tables, taken: Collection[str], mute: Collection[str] = ()) -> dict[str, Kind]:
    """What is left out. taken: resources that have another conversion. mute: those of them that read nothing then."""
    found: dict[str, Kind] = {}
    for name, resource in stack.template.resources.items():
        kind = tables.find(member(stack, resource))
        if name in taken or resource.external_id is not None or kind is None or kind.other is None:
            continue
        if kind.other.hook == HOOK or (kind.other.hook == UNSCALED and kind.name != POLICY):
            found[name] = Kind(kind.name, "folded", hook=HOOK, why=f"{kind.why}, and nothing else needs it")
    quiet = {*mute}
    while (
        read := {
            need for name, needs in stack.needs.items() if name not in found and name not in quiet for need in needs
        }
        & found.keys()
    ):
        found = {name: kind for name, kind in found.items() if name not in read}
    return found


def member(stack: Stack, resource: ir.Resource) -> str:
    """The type of a resource, or of the members of a group."""
    kind = stack.types[resource.name]
    definition = resource.properties.get("resource_def") if resource.properties is not None else None
    inner = definition.get("type") if isinstance(definition, ir.Map) else None
    if kind != GROUP or not isinstance(inner, ir.Lit) or (resource.name, str(inner.value)) in stack.nested:
        return kind
    return stack.type_of(str(inner.value))


def kept(stack: Stack, names: Collection[str], keep: Sequence[str]) -> set[str]:
    """Those of the resources whose type the user wants to keep with Heat. keep: types, or patterns like OS::Aodh::*."""
    return {
        name
        for name in names
        for kind in {stack.types[name], stack.template.resources[name].type}
        if any(fnmatch.fnmatchcase(kind, pattern) for pattern in keep)
    }
