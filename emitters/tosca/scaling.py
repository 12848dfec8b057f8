"""Writes scaling policies: group sizes and their changes, for orchestrators that do not know Heat's types.

The nodes hold all data. The policies repeat only values that are numbers or inputs. There are no triggers, because no
form of them is accepted by all tools.
"""

from __future__ import annotations

from typing import Any

from emitters.tosca.model import NodeModel, PlannedNode
from emitters.tosca.v1_3.nodes import NodeWriter
from transpile.model import heat_types, ir

SIZES = {
    heat_types.RESOURCE_GROUP: {"default_instances": "count"},
    heat_types.AUTO_SCALING_GROUP: {
        "min_instances": "min_size",
        "max_instances": "max_size",
        "default_instances": "desired_capacity",
        "cooldown": "cooldown",
    },
}
CFN_SIZES = {
    "min_instances": "MinSize",
    "max_instances": "MaxSize",
    "default_instances": "DesiredCapacity",
    "cooldown": "Cooldown",
}
SIZES |= dict.fromkeys((heat_types.INSTANCE_GROUP, heat_types.AWS_AUTO_SCALING_GROUP), CFN_SIZES)
CHANGES = {
    heat_types.SCALING_POLICY: ("auto_scaling_group_id", "adjustment_type", "scaling_adjustment", "cooldown"),
    heat_types.AWS_SCALING_POLICY: ("AutoScalingGroupName", "AdjustmentType", "ScalingAdjustment", "Cooldown"),
}
ABSOLUTE = ("change_in_capacity", "ChangeInCapacity")


def add_scaling_policies(model: NodeModel, nodes: NodeWriter) -> None:
    """Adds the scaling policies of a template."""
    groups: dict[str, str] = {}  # the TOSCA groups with exactly one member, by that member
    for name, members_group in nodes.groups.items():
        if len(members_group["members"]) == 1:
            groups.setdefault(members_group["members"][0], name)
    for node in model.nodes.values():
        kind = node.type.aliased_type.kind
        if kind in SIZES:
            add_scaling_policy(
                model, nodes, node, policy_target(groups, node), policy_properties(model, node, SIZES[kind])
            )
            add_scalable_capability(nodes, node, SIZES[kind])
        elif kind in CHANGES:
            which, how, much, cooldown = CHANGES[kind]
            group = property_value(node, which)
            adjusts = property_value(node, how)
            if not isinstance(group, ir.ResourceRef) or group.name not in model.nodes:
                continue
            words = {"cooldown": cooldown}
            if isinstance(adjusts, ir.Lit) and adjusts.value in ABSOLUTE:
                words = {"increment": much, **words}
            add_scaling_policy(
                model,
                nodes,
                node,
                policy_target(groups, model.nodes[group.name]),
                policy_properties(model, node, words),
            )


def add_scaling_policy(
    model: NodeModel, nodes: NodeWriter, node: PlannedNode, to: str, properties: dict[str, Any]
) -> None:
    if properties:
        name = model.names.reserve_tosca_name(f"{node.name}_scaling")
        nodes.policies[name] = {"type": "hot.policies.Scaling", "properties": properties, "targets": [to]}


def policy_target(groups: dict[str, str], group: PlannedNode) -> str:
    """Returns the TOSCA group of the members, or the group node itself if its members are unknown."""
    return groups.get(group.member.name, group.name) if group.member is not None else group.name


def policy_properties(model: NodeModel, node: PlannedNode, words: dict[str, str]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for word, key in words.items():
        value = property_value(node, key)
        if (size := literal_integer(value)) is not None:
            out[word] = size
        elif isinstance(value, ir.ParamRef) and not value.path and model.inputs.shape_kind(value.name) == "integer":
            out[word] = {"get_input": value.name}
    return out


def add_scalable_capability(nodes: NodeWriter, node: PlannedNode, words: dict[str, str]) -> None:
    """Adds the `scalable` capability to a server in a group if all sizes are literal."""
    member = node.member
    if member is None or member.type.aliased_type.parent != "tosca.nodes.Compute":
        return
    sizes = {word: literal_integer(property_value(node, key)) for word, key in words.items() if word != "cooldown"}
    if len(sizes) == 3 and None not in sizes.values():
        nodes.templates[member.name]["capabilities"] = {"scalable": {"properties": sizes}}


def property_value(node: PlannedNode, key: str) -> ir.Expr | None:
    return next((e.value for e in node.properties if e.key == key), None)


def literal_integer(value: ir.Expr | None) -> int | None:
    if not isinstance(value, ir.Lit) or isinstance(value.value, (bool, float)) or value.value is None:
        return None
    text = str(value.value)
    return int(text) if text.removeprefix("-").isdecimal() else None
