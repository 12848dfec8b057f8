"""Builds the members of groups, and evaluates their attributes: resource groups, chains, scaling and instance groups.

Invariant: members are built from resolved properties, which Heat reads as a template again. The index is therefore
inserted after functions are evaluated, and a value that looks like a call of a function becomes a call.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Protocol, final

from transpile.evaluate.interpreter import ABSENT
from transpile.evaluate.pure import EvaluationError, NoValue
from transpile.front import template as templates
from transpile.model import heat_types, ir
from transpile.model.attribute_paths import (
    Addresses,
    AttributeList,
    AttributeMap,
    GroupMember,
    MemberCount,
    ReferenceList,
    ReferenceMap,
    ResourceAttribute,
    Selection,
)
from transpile.model.budget import Budget
from transpile.model.intrinsics import HEAT_CFN, Version, look_up_template_version
from transpile.model.source import Source
from transpile.stack_evaluation import plugin_properties

if TYPE_CHECKING:
    from transpile.stack_evaluation.protocol import StackValues

MOST_MEMBERS = 1000  # resources in one template, Heat's default limit
HOT = look_up_template_version("2015-04-30")
CFN = look_up_template_version("2012-12-12", HEAT_CFN)
ALIASES = {heat_types.SCALED_RESOURCE: heat_types.AWS_INSTANCE}  # only in the registry of instance groups' stacks
Definitions = dict[str, dict[str, Any]]


class GroupType(Protocol):
    """A resource type that makes several resources, its members.

    `outputs`: the name of the output of its nested stack that maps members to references, or an empty text.
    """

    version: Version
    outputs: str

    def define_members(self, group: GroupPropertyValues) -> Definitions:
        """The definitions of the members by name, as a template would declare them."""
        ...

    def attribute(self, inside: StackValues, selection: Selection) -> Any:
        """An attribute of the group; raises EvaluationError if Heat refuses it."""
        ...


@final
class GroupPropertyValues:
    """The properties of one group, each read on demand."""

    def __init__(self, owner: StackValues, name: str) -> None:
        self.owner, self.name = owner, name

    def read_property(self, key: str, kind: str, default: Any = None) -> Any:
        """The value of a property as its plug-in reads it. Null becomes the default or the zero of the type; a property
        that is not set becomes `default`.
        """
        value = self.owner.evaluate_property(self.name, key)
        return default if value is ABSENT else plugin_properties.convert_property(kind, value, default)

    def require_property(self, key: str, kind: str) -> Any:
        """The value of a required property; raises EvaluationError if it has none."""
        value = self.read_property(key, kind)
        if value is None:
            raise EvaluationError(f"Property {key} not assigned")
        return value

    def find_expression(self, key: str) -> ir.Expr | None:
        return self.owner.stack.template.resources[self.name].find_property(key)


@final
class ResourceGroup:
    version, outputs = HOT, "refs_map"

    def define_members(self, group: GroupPropertyValues) -> Definitions:
        expr = group.find_expression("resource_def")
        if expr is None:
            raise EvaluationError("Property resource_def not assigned")
        resource_def = plugin_properties.convert_property("map", evaluate_with_nulls(group.owner, expr))
        definition = {key: resource_def.get(key) for key in ("type", "properties", "metadata")}
        if definition["properties"] is not None:
            properties = plugin_properties.convert_property("map", definition["properties"])
            definition["properties"] = {k: v for k, v in properties.items() if v is not None}
        index = group.read_property("index_var", "string", "%index%")
        out: Definitions = {}
        for name in itertools.islice(
            self.member_names(group), check_member_count(group.read_property("count", "integer", 1))
        ):
            out[name] = {**definition, "properties": insert_index(definition["properties"], index, name)}
        return out

    def member_names(self, group: GroupPropertyValues) -> Iterator[str]:
        """Yields the names of members without end: 0, 1, 2 and so on, except those that removal_policies lists."""
        removed = set()
        for policy in group.read_property("removal_policies", "list", []):
            listed = plugin_properties.convert_property("map", policy).get("resource_list", [])
            removed |= {str(name) for name in plugin_properties.convert_property("list", listed)}
        return (name for name in map(str, itertools.count()) if name not in removed)

    def attribute(self, inside: StackValues, selection: Selection) -> Any:
        return (
            [] if isinstance(selection, ResourceAttribute) else evaluate_group_attribute(inside, selection)
        )  # no member is removed yet


@final
class ResourceChain:
    version, outputs = HOT, ""

    def define_members(self, group: GroupPropertyValues) -> Definitions:
        types = group.require_property("resources", "list")
        check_member_count(len(types))
        concurrent = group.read_property("concurrent", "boolean", False)
        properties = group.read_property("resource_properties", "map")
        out: Definitions = {}
        for number, kind in enumerate(types):
            needs = [str(number - 1)] if number and not concurrent else []
            out[str(number)] = {"type": kind, "properties": properties, "depends_on": needs}
        return out

    def attribute(self, inside: StackValues, selection: Selection) -> Any:
        return evaluate_group_attribute(inside, selection)


@final
class AutoScalingGroup:
    version, outputs = HOT, "references"

    def define_members(self, group: GroupPropertyValues) -> Definitions:
        definition = group.require_property("resource", "map")
        size = group.read_property("desired_capacity", "integer") or group.require_property("min_size", "integer")
        return {group.owner.outside.member(): definition for _ in range(check_member_count(size))}

    def attribute(self, inside: StackValues, selection: Selection) -> Any:
        match selection:
            case MemberCount():
                return len(inside.resource_names)
            case ReferenceList():  # Heat ignores a path
                return evaluate_group_attribute(inside, ReferenceList())
            case GroupMember(index, path, number):
                if number is None or not -len(inside.resource_names) <= number < len(inside.resource_names):
                    raise EvaluationError(f"Member '{index}' not found in group resource")
                return evaluate_member_attribute(inside, GroupMember(inside.resource_names[number], path))
        return evaluate_group_attribute(inside, selection)


@final
class InstanceGroup:
    """A group of instances with one launch configuration. `aws`: whether it is the AWS type, which has a desired
    capacity.
    """

    version, outputs = CFN, "references"

    def __init__(self, *, aws: bool) -> None:
        self.aws = aws

    def define_members(self, group: GroupPropertyValues) -> Definitions:
        if self.aws:
            size = group.read_property("DesiredCapacity", "integer") or group.require_property("MinSize", "integer")
        else:
            size = group.require_property("Size", "integer")
        name = self.find_launch_configuration(group)
        owner = group.owner
        schemas = owner.resource_facts(name)["properties"]
        properties = {
            key: plugin_properties.convert_property(schemas[key]["type"], value, schemas[key].get("default"))
            for key, value in owner.evaluate_properties(name).items()
            if key in schemas
        }
        if "InstanceId" in properties:
            raise EvaluationError("The instance of this launch configuration is known only to the cloud")
        properties["Tags"] = self.build_tags(group)
        if self.aws and (subnets := group.read_property("VPCZoneIdentifier", "list")):
            properties["SubnetId"] = subnets[0]
        definition = {
            "type": heat_types.SCALED_RESOURCE,
            "properties": properties,
            "metadata": owner.evaluate_metadata(name) or None,
        }
        return {owner.outside.member(): definition for _ in range(check_member_count(size))}

    def find_launch_configuration(self, group: GroupPropertyValues) -> str:
        """The name of the launch configuration: the resource whose reference is the group's LaunchConfigurationName."""
        reference = group.require_property("LaunchConfigurationName", "string")
        owner = group.owner
        for name in owner.resource_names:
            if owner.resource_kind(name) == heat_types.AWS_LAUNCH_CONFIGURATION and owner.reference(name) == reference:
                return name
        raise EvaluationError(f"There is no launch configuration {reference}")

    def build_tags(self, group: GroupPropertyValues) -> list[Any]:
        tags = list(group.read_property("Tags", "list") or [])
        names = [str(plugin_properties.convert_property("map", tag).get("Key")) for tag in tags]
        group_reference = group.owner.reference(group.name)
        if not any(name.startswith("metering.") for name in names):
            tags.append({"Key": "metering.groupname", "Value": group_reference})
        return [*tags, {"Key": "metering.AutoScalingGroupName", "Value": group_reference}] if self.aws else tags

    def attribute(self, inside: StackValues, selection: Selection) -> Any:
        if not isinstance(selection, Addresses):
            return evaluate_group_attribute(inside, selection)
        addresses = [str(inside.attribute(name, ("PublicIp",)) or "0.0.0.0") for name in inside.resource_names]
        return plugin_properties.follow_path(",".join(addresses) or None, convert_path(selection.path))


GROUPS: Mapping[str, GroupType] = {
    heat_types.RESOURCE_GROUP: ResourceGroup(),
    heat_types.RESOURCE_CHAIN: ResourceChain(),
    heat_types.AUTO_SCALING_GROUP: AutoScalingGroup(),
    heat_types.INSTANCE_GROUP: InstanceGroup(aws=False),
    heat_types.AWS_AUTO_SCALING_GROUP: InstanceGroup(aws=True),
}


def evaluate_group_attribute(inside: StackValues, selection: Selection) -> Any:
    """The values that an attribute of a group selects from its members; any other raises EvaluationError."""
    match selection:
        case GroupMember():
            return evaluate_member_attribute(inside, selection)
        case ReferenceList(path):
            return plugin_properties.follow_path(
                [inside.reference(name) for name in inside.resource_names], convert_path(path)
            )
        case ReferenceMap():
            return {name: inside.reference(name) for name in inside.resource_names}
        case AttributeMap((_, *_) as path):
            return {name: inside.attribute(name, convert_path(path)) for name in inside.resource_names}
        case AttributeList((_, *_) as path):
            return [inside.attribute(name, convert_path(path)) for name in inside.resource_names]
    raise EvaluationError("The Referenced Attribute is incorrect.")


def evaluate_member_attribute(inside: StackValues, member: GroupMember) -> Any:
    """An attribute of a member for `resource.NAME.ATTRIBUTE`, its reference for `resource.NAME`."""
    if not inside.has_resource(member.name):
        raise EvaluationError(f"Member '{member.name}' not found in group resource")
    return inside.attribute(member.name, convert_path(member.path)) if member.path else inside.reference(member.name)


def convert_path(path: tuple[ir.Expr, ...]) -> tuple[Any, ...]:
    """A path of literals as plain data."""
    return tuple([ir.to_data(step) for step in path])


def check_member_count(size: int) -> int:
    """Returns the number of members unchanged; raises EvaluationError if Heat allows no such number."""
    if not 0 <= size <= MOST_MEMBERS:
        raise EvaluationError(f"A group can have at most {MOST_MEMBERS} members, not {size}")
    return size


def evaluate_with_nulls(owner: StackValues, expr: ir.Expr) -> Any:
    """The value of an expression, with null for each function that reads a parameter without a value. Heat plans the
    members of a group before all parameters have values.
    """
    if isinstance(expr, ir.Map):
        values = {e.key: evaluate_with_nulls(owner, e.value) for e in expr.entries}
        return {key: value for key, value in values.items() if value is not ABSENT}
    if isinstance(expr, ir.Seq):
        return [value for item in expr.items if (value := evaluate_with_nulls(owner, item)) is not ABSENT]
    try:
        return owner.interpreter.evaluate(expr)
    except NoValue:
        return None


def insert_index(value: Any, index: str, name: str) -> Any:
    """A value with the index inserted into its texts, but not into keys."""
    if isinstance(value, str):
        return value.replace(index, name)
    if isinstance(value, dict):
        return {key: insert_index(item, index, name) for key, item in value.items()}
    if isinstance(value, list):
        return [insert_index(item, index, name) for item in value]
    return value


# members as declarations


def build_member_template(definitions: Definitions, template_version: Version, source: Source) -> ir.Template:
    """Builds the template that Heat writes for the members; raises EvaluationError if Heat could not read it again."""
    resources = {
        name: build_member(name, definition, template_version, source.budget)
        for name, definition in definitions.items()
    }
    return ir.Template(template_version, source, resources=resources)


def build_member(name: str, definition: Mapping[str, Any], template_version: Version, budget: Budget) -> ir.Resource:
    """A member as a resource. Only a definition with calls, unusual keys or an unusual `depends_on` is written as text
    and parsed, which is slow.
    """
    kind, properties, metadata = (definition.get(key) for key in ("type", "properties", "metadata"))
    if not isinstance(kind, str) or not isinstance(properties, (dict, type(None))):
        raise EvaluationError("The definition of the members requires a type and a map of properties")
    others = definition.get("depends_on") or []
    if (
        has_other_keys(definition)
        or not (isinstance(others, list) and all(isinstance(other, str) for other in others))
        or any(contains_call(part, template_version.functions) for part in (properties, metadata))
    ):
        return parse_member(name, definition, template_version, budget)
    return ir.Resource(
        name,
        kind,
        ir.as_map(ir.from_data(properties)),
        ir.from_data(metadata) if metadata is not None else None,
        tuple(map(ir.Name, others)),
    )


def has_other_keys(definition: Mapping[str, Any]) -> bool:
    return not set(definition) <= {"type", "properties", "metadata", "depends_on"}


def contains_call(value: Any, functions: frozenset[str]) -> bool:
    """Whether a value contains a map that looks like a call of a function: `{get_param: x}`."""
    if isinstance(value, dict):
        return (len(value) == 1 and next(iter(value)) in functions) or any(
            contains_call(v, functions) for v in value.values()
        )
    return isinstance(value, list) and any(contains_call(item, functions) for item in value)


def parse_member(name: str, definition: Mapping[str, Any], template_version: Version, budget: Budget) -> ir.Resource:
    """A member whose definition is written as a template and parsed, as Heat does."""
    cfn_keys = {"type": "Type", "properties": "Properties", "metadata": "Metadata", "depends_on": "DependsOn"}
    body = {
        key if template_version.is_hot else cfn_keys.get(key, key): v for key, v in definition.items() if v is not None
    }
    section = "resources" if template_version.is_hot else "Resources"
    text = json.dumps({template_version.key: template_version.name, section: {name: body}})
    template, sink = templates.read_template(Source("member", text, budget=budget))
    messages = [d.message for d in sink.diagnostics if d.severity == "error"]
    if template is None or messages:
        raise EvaluationError(f"The definition of the members is invalid: {messages[0] if messages else ''}")
    return template.resources[name]
