"""Scaling groups that can have a fixed size: those that only their policies and the alarms of these would change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emitters.hcl.plan import referrals
from transpile.model import ir

if TYPE_CHECKING:
    from collections.abc import Iterable

    from emitters.hcl.tables.tables import Tables
    from transpile.resolve.stack import Stack

GROUP, POLICY = "OS::Heat::AutoScalingGroup", "OS::Heat::ScalingPolicy"
ACTIONS = ("alarm_actions", "ok_actions", "insufficient_data_actions")


def fixed_size(stack: Stack, tables: Tables) -> set[str]:
    """Scaling groups that can have a fixed size, with the policies and alarms that only serve them."""
    groups = {name for name in referrals.of_type(stack, GROUP) if referrals.plain(stack, name)}
    found: set[str] = set()
    while True:
        policies = {
            n for n in referrals.of_type(stack, POLICY) if referrals.refers(stack, n, "auto_scaling_group_id") in groups
        }
        alarms = {name for name in stack.template.resources if serves(stack, tables, name, policies)}
        found = groups | policies | alarms
        read = set(users(stack, policies | alarms, found))
        for name in read & alarms:
            read |= actions(stack, name)
        lost = {referrals.refers(stack, name, "auto_scaling_group_id") for name in read & policies}
        if not lost:
            return found
        groups -= {name for name in lost if name is not None}


def serves(stack: Stack, tables: Tables, name: str, policies: set[str]) -> bool:
    """Whether an alarm only triggers these policies."""
    kind = tables.find(stack.types[name])
    if kind is None or kind.other is None or kind.other.hook != "unscaled" or stack.types[name] == POLICY:
        return False
    asked = actions(stack, name)
    return bool(asked) and referrals.plain(stack, name) and asked <= policies


def actions(stack: Stack, name: str) -> set[str]:
    """The policies that an alarm triggers; "" is among them if it has other actions too."""
    properties = stack.template.resources[name].properties
    found = set()
    for word in ACTIONS:
        given = properties.get(word) if properties is not None else None
        for item in given.items if isinstance(given, ir.Seq) else () if given in (None, ir.Lit(None)) else (given,):
            asked = {e.name for e in ir.walk(item) if isinstance(e, (ir.ResourceRef, ir.AttrRef))}
            found |= {name if stack.types.get(name) == POLICY else "" for name in asked} or {""}
    return found


def users(stack: Stack, wanted: set[str], among: set[str]) -> Iterable[str]:
    """The resources in `wanted` that a resource outside `among` refers to."""
    for name, resource in stack.template.resources.items():
        if name not in among:
            yield from referrals.referred(resource) & wanted
