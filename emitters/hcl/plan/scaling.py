"""Selects the scaling groups that Terraform can keep at a size of the user's choice, with their policies and alarms.

Invariant: a group is selected only if the template defines its members.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from emitters.hcl.plan import referrals
from emitters.hcl.tables.tables import Tables
from transpile.model import heat_types, ir
from transpile.model.records import replace
from transpile.resolve.stack import Stack


class GroupWords(NamedTuple):
    """The names of the properties in a type of scaling group: initial size, limits, and the definition of a member."""

    first: str
    least: str
    most: str
    members: str


LAUNCH, LAUNCHED = "LaunchConfigurationName", heat_types.AWS_LAUNCH_CONFIGURATION
BALANCER, BALANCERS = heat_types.AWS_LOAD_BALANCER, "LoadBalancerNames"
GROUPS: Mapping[str, GroupWords] = {
    heat_types.AUTO_SCALING_GROUP: GroupWords("desired_capacity", "min_size", "max_size", "resource"),
    heat_types.AWS_AUTO_SCALING_GROUP: GroupWords("DesiredCapacity", "MinSize", "MaxSize", LAUNCH),
    heat_types.INSTANCE_GROUP: GroupWords("Size", "", "", LAUNCH),
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


def select_fixed_size(stack: Stack, tables: Tables) -> set[str]:
    """Groups that can have a fixed size, with their launch configurations, their load balancers, their policies and the
    alarms that only serve these. A policy without a group acts on nothing, in Heat too.
    """
    groups = {name for name, kind in stack.types.items() if kind in GROUPS and has_clear_members(stack, name)}
    configs = {name for name in referrals.names_of_type(stack, LAUNCHED) if referrals.is_created(stack, name)}
    policies = {
        name
        for name, kind in stack.types.items()
        if kind in POLICIES
        and referrals.is_created(stack, name)
        and (group := referrals.name_in_property(stack, name, POLICIES[kind])) in {*groups, ""}
        and (group or not has_unclear_group(stack, name))
    }
    alarms = {name for name in stack.template.resources if triggers_only(stack, tables, name, policies)}
    balancers = {
        name
        for name in referrals.names_of_type(stack, BALANCER)
        if referrals.is_created(stack, name) and groups.issuperset(groups_of_balancer(stack, name))
    }
    names = groups | configs | policies | alarms | balancers
    read_names = {need for name, needs in stack.needs.items() if name not in names for need in needs}
    return names - (read_names & alarms)


def has_clear_members(stack: Stack, name: str) -> bool:
    """Whether the template defines the members of a group."""
    if not referrals.is_created(stack, name):
        return False
    if GROUPS[stack.types[name]].members != LAUNCH:
        return True
    config, group = launch_configuration_of(stack, name), stack.template.resources[name]
    if config is None or config.is_conditional or not referrals.is_created(stack, config.name):
        return False
    subnets = property_value(group, "VPCZoneIdentifier")
    copied = property_value(config, "InstanceId") is not None or property_value(group, "InstanceId") is not None
    return not copied and (subnets is None or (isinstance(subnets, ir.Seq) and len(subnets.items) < 2))


def groups_of_balancer(stack: Stack, balancer: str) -> list[str]:
    """The groups of instances whose members a load balancer serves."""
    groups = []
    for name, resource in stack.template.resources.items():
        listed = property_value(resource, BALANCERS) if stack.types[name] in GROUPS else None
        if any(isinstance(part, ir.ResourceRef) and part.name == balancer for part in ir.walk(listed or ir.Seq(()))):
            groups.append(name)
    return groups


def property_value(resource: ir.Resource, word: str) -> ir.Expr | None:
    """The value of a property; None if it is not set, or null."""
    value = resource.find_property(word)
    return None if value == ir.NULL else value


def has_unclear_group(stack: Stack, policy: str) -> bool:
    """Whether the group of a policy may be one of the template although the property is no plain reference to it."""
    value = property_value(stack.template.resources[policy], POLICIES[stack.types[policy]])
    return value is None or any(isinstance(part, (ir.ResourceRef, ir.AttrRef)) for part in ir.walk(value))


def launch_configuration_of(stack: Stack, group: str) -> ir.Resource | None:
    """The launch configuration of a group."""
    resource = stack.template.resources.get(referrals.name_in_property(stack, group, LAUNCH))
    return resource if resource is not None and resource.kind == LAUNCHED else None


def instance_of_group(stack: Stack, group: ir.Resource) -> ir.Resource | None:
    """A member of a group that has a launch configuration: an instance with the name of the group. Its properties come
    from both, its metadata from the launch configuration. None for groups without one.
    """
    config = launch_configuration_of(stack, group.name)
    if group.kind not in GROUPS or config is None:
        return None
    entries = [*config.entries, *(entry for entry in group.entries if entry.key == "Tags")]
    if (zone := subnet_of_members(group)) is not None:
        entries.append(ir.Entry("SubnetId", zone, zone.at))
    properties = ir.Map(tuple(entries), config.span)
    return replace(group, type=heat_types.AWS_INSTANCE, properties=properties, metadata=config.metadata)


def member_of_scaling_group(stack: Stack, group: ir.Resource) -> ir.Resource | None:
    """A member of a scaling group, as a resource with the name of the group; None if its type is not known."""
    words = GROUPS.get(group.kind)
    if words is None or words.members == LAUNCH:
        return instance_of_group(stack, group)
    definition = property_value(group, words.members)
    kind = definition.get("type") if isinstance(definition, ir.Map) else None
    if not isinstance(definition, ir.Map) or not isinstance(kind, ir.Lit):
        return None
    properties = ir.as_map(definition.get("properties"))
    return replace(group, type=str(kind.value), properties=properties, metadata=definition.get("metadata"))


def subnet_of_members(group: ir.Resource) -> ir.Expr | None:
    """The subnet of a group's members: the only item of a list."""
    listed = property_value(group, "VPCZoneIdentifier")
    return listed.items[0] if isinstance(listed, ir.Seq) and listed.items else None


def triggers_only(stack: Stack, tables: Tables, name: str, policies: set[str]) -> bool:
    """Whether an alarm only triggers these policies."""
    kind = tables.find_mapping(stack.types[name])
    if kind.preferred_hook != UNSCALED or stack.types[name] in POLICIES:
        return False
    triggered = triggered_policies(stack, name)
    return bool(triggered) and referrals.is_created(stack, name) and triggered <= policies


def triggered_policies(stack: Stack, name: str) -> set[str]:
    """The policies that an alarm triggers; "" is among them if it has other actions too."""
    policies = set()
    for word in ACTIONS:
        listed = stack.template.resources[name].find_property(word)
        for item in listed.items if isinstance(listed, ir.Seq) else () if listed in (None, ir.NULL) else (listed,):
            names = {e.name for e in ir.walk(item) if isinstance(e, (ir.ResourceRef, ir.AttrRef))}
            policies |= {name if stack.types.get(name) in POLICIES else "" for name in names} or {""}
    return policies
