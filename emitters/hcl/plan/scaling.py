"""Selects the scaling groups that Terraform can keep at a size of the user's choice, with their policies and alarms.

Invariant: a group is selected only if the template says what its members are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from emitters.hcl.plan import referrals
from transpile.model import heat_types, ir
from transpile.model.records import replace

if TYPE_CHECKING:
    from collections.abc import Mapping

    from emitters.hcl.tables.tables import Tables
    from transpile.resolve.stack import Stack


class Words(NamedTuple):
    """How a type of scaling group spells its properties: initial size, limits, and the definition of a member."""

    first: str
    least: str
    most: str
    members: str


LAUNCH, LAUNCHED = "LaunchConfigurationName", heat_types.AWS_LAUNCH_CONFIGURATION
BALANCER, BALANCERS = heat_types.AWS_LOAD_BALANCER, "LoadBalancerNames"
GROUPS: Mapping[str, Words] = {
    heat_types.AUTO_SCALING_GROUP: Words("desired_capacity", "min_size", "max_size", "resource"),
    heat_types.AWS_AUTO_SCALING_GROUP: Words("DesiredCapacity", "MinSize", "MaxSize", LAUNCH),
    heat_types.INSTANCE_GROUP: Words("Size", "", "", LAUNCH),
}
POLICIES: Mapping[str, str] = {  # the property with the group
    heat_types.SCALING_POLICY: "auto_scaling_group_id",
    heat_types.AWS_SCALING_POLICY: "AutoScalingGroupName",
}
ACTIONS = (
    *("alarm_actions", "ok_actions", "insufficient_data_actions"),
    *("AlarmActions", "OKActions", "InsufficientDataActions"),
)
UNSCALED = "unscaled"  # the hook of policies and their alarms


def fixed_size(stack: Stack, tables: Tables) -> set[str]:
    """Groups that can have a fixed size, with their launch configurations, their load balancers, their policies and the
    alarms that only serve these. A policy without a group acts on nothing, in Heat too.
    """
    groups = {name for name, kind in stack.types.items() if kind in GROUPS and convertible(stack, name)}
    configs = {name for name in referrals.of_type(stack, LAUNCHED) if referrals.plain(stack, name)}
    policies = {
        name
        for name, kind in stack.types.items()
        if kind in POLICIES
        and referrals.plain(stack, name)
        and (group := referrals.refers(stack, name, POLICIES[kind])) in {*groups, None}
        and (group is not None or not unclear(stack, name))
    }
    alarms = {name for name in stack.template.resources if serves(stack, tables, name, policies)}
    balancers = {
        name
        for name in referrals.of_type(stack, BALANCER)
        if referrals.plain(stack, name) and groups.issuperset(balanced(stack, name))
    }
    found = groups | configs | policies | alarms | balancers
    read = {need for name, needs in stack.needs.items() if name not in found for need in needs}
    return found - (read & alarms)


def convertible(stack: Stack, name: str) -> bool:
    """Whether the template says what the members of a group are."""
    if not referrals.plain(stack, name):
        return False
    if GROUPS[stack.types[name]].members != LAUNCH:
        return True
    config, group = launch(stack, name), stack.template.resources[name]
    if config is None or config.condition is not None or not referrals.plain(stack, config.name):
        return False
    subnets = given(group, "VPCZoneIdentifier")
    copied = given(config, "InstanceId") is not None or given(group, "InstanceId") is not None
    return not copied and (subnets is None or (isinstance(subnets, ir.Seq) and len(subnets.items) < 2))


def balanced(stack: Stack, balancer: str) -> list[str]:
    """The groups of instances whose members a load balancer serves."""
    found = []
    for name, resource in stack.template.resources.items():
        listed = given(resource, BALANCERS) if stack.types[name] in GROUPS else None
        if any(isinstance(one, ir.ResourceRef) and one.name == balancer for one in ir.walk(listed or ir.Seq(()))):
            found.append(name)
    return found


def given(resource: ir.Resource, word: str) -> ir.Expr | None:
    """The value of a property; None if it is not set, or null."""
    found = resource.properties.get(word) if resource.properties is not None else None
    return None if found == ir.NULL else found


def unclear(stack: Stack, policy: str) -> bool:
    """Whether the group of a policy may be one of the template although the property is no plain reference to it."""
    found = given(stack.template.resources[policy], POLICIES[stack.types[policy]])
    return any(isinstance(one, (ir.ResourceRef, ir.AttrRef)) for one in ir.walk(found)) if found is not None else True


def launch(stack: Stack, group: str) -> ir.Resource | None:
    """The launch configuration of a group."""
    config = referrals.refers(stack, group, LAUNCH)
    resource = stack.template.resources.get(config or "")
    return resource if resource is not None and resource.kind == LAUNCHED else None


def instance(stack: Stack, group: ir.Resource) -> ir.Resource | None:
    """A member of a group that has a launch configuration: an instance with the name of the group. Its properties come
    from both, its metadata from the launch configuration. None for groups without one.
    """
    config = launch(stack, group.name)
    if GROUPS.get(group.kind) is None or config is None:
        return None
    entries = list(config.properties.entries) if config.properties is not None else []
    own = {entry.key: entry for entry in group.properties.entries} if group.properties is not None else {}
    if (tags := own.get("Tags")) is not None:
        entries.append(tags)
    if (zone := subnet(group)) is not None:
        entries.append(ir.Entry("SubnetId", zone, zone.at))
    properties = ir.Map(tuple(entries), config.span)
    return replace(group, type=heat_types.AWS_INSTANCE, properties=properties, metadata=config.metadata)


def member(stack: Stack, group: ir.Resource) -> ir.Resource | None:
    """A member of a scaling group, as a resource with the name of the group; None if its type is not known."""
    words = GROUPS.get(group.kind)
    if words is None or words.members == LAUNCH:
        return instance(stack, group)
    definition = given(group, words.members)
    kind = definition.get("type") if isinstance(definition, ir.Map) else None
    if not isinstance(definition, ir.Map) or not isinstance(kind, ir.Lit):
        return None
    properties = definition.get("properties")
    inner = properties if isinstance(properties, ir.Map) else None
    return replace(group, type=str(kind.value), properties=inner, metadata=definition.get("metadata"))


def subnet(group: ir.Resource) -> ir.Expr | None:
    """The subnet of a group's members: the only item of a list."""
    listed = given(group, "VPCZoneIdentifier")
    return listed.items[0] if isinstance(listed, ir.Seq) and listed.items else None


def serves(stack: Stack, tables: Tables, name: str, policies: set[str]) -> bool:
    """Whether an alarm only triggers these policies."""
    kind = tables.find(stack.types[name])
    if kind is None or kind.other is None or kind.other.hook != UNSCALED or stack.types[name] in POLICIES:
        return False
    asked = actions(stack, name)
    return bool(asked) and referrals.plain(stack, name) and asked <= policies


def actions(stack: Stack, name: str) -> set[str]:
    """The policies that an alarm triggers; "" is among them if it has other actions too."""
    properties = stack.template.resources[name].properties
    found = set()
    for word in ACTIONS:
        listed = properties.get(word) if properties is not None else None
        for item in listed.items if isinstance(listed, ir.Seq) else () if listed in (None, ir.NULL) else (listed,):
            asked = {e.name for e in ir.walk(item) if isinstance(e, (ir.ResourceRef, ir.AttrRef))}
            found |= {name if stack.types.get(name) in POLICIES else "" for name in asked} or {""}
    return found
