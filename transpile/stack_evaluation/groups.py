"""Builds the members of groups, and evaluates their attributes: resource groups, chains, scaling and instance groups.

Invariant: members are built from resolved properties, which Heat reads as a template again. The index is therefore
inserted after functions are evaluated, and a value that looks like a call of a function becomes a call.
"""

from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING, Any, Protocol, final

from transpile.evaluate.interpreter import ABSENT
from transpile.evaluate.pure import EvaluationError, NoValue
from transpile.front import template as templates
from transpile.model import heat_types, ir
from transpile.model.attribute_paths import (
    Addresses,
    Attribute,
    AttributeList,
    AttributeMap,
    Member,
    MemberCount,
    ReferenceMap,
    References,
)
from transpile.model.intrinsics import HEAT_CFN, version
from transpile.model.source import Source
from transpile.stack_evaluation import plugin_properties

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from transpile.model.attribute_paths import Selection
    from transpile.model.intrinsics import Version
    from transpile.stack_evaluation.protocol import StackValues

MOST = 1000  # resources in one template, Heat's default limit
HOT = version("2015-04-30")
CFN = version("2012-12-12", HEAT_CFN)
ALIASES = {heat_types.SCALED_RESOURCE: heat_types.AWS_INSTANCE}  # only in the registry of instance groups' stacks
Definitions = dict[str, dict[str, Any]]


class Group(Protocol):
    """A resource type that makes several resources, its members.

    `outputs`: the name of the output of its nested stack that maps members to references, or an empty text.
    """

    version: Version
    outputs: str

    def members(self, group: Properties) -> Definitions:
        """The definitions of the members by name, as a template would declare them."""
        ...

    def attribute(self, inside: StackValues, selection: Selection) -> Any:
        """An attribute of the group; raises EvaluationError if Heat refuses it."""
        ...


@final
class Properties:
    """The properties of one group, each read on demand."""

    def __init__(self, owner: StackValues, name: str) -> None:
        self.owner, self.name = owner, name

    def get(self, key: str, kind: str, default: Any = None) -> Any:
        """The value of a property as its plug-in reads it. Null becomes the default or the zero of the type; a property
        that is not set becomes `default`.
        """
        found = self.owner.property(self.name, key)
        return default if found is ABSENT else plugin_properties.read(kind, found, default)

    def needed(self, key: str, kind: str) -> Any:
        """The value of a required property; raises EvaluationError if it has none."""
        found = self.get(key, kind)
        if found is None:
            raise EvaluationError(f"Property {key} not assigned")
        return found

    def expression(self, key: str) -> ir.Expr | None:
        properties = self.owner.stack.template.resources[self.name].properties
        return properties.get(key) if properties is not None else None


@final
class ResourceGroup:
    version, outputs = HOT, "refs_map"

    def members(self, group: Properties) -> Definitions:
        expr = group.expression("resource_def")
        if expr is None:
            raise EvaluationError("Property resource_def not assigned")
        given = plugin_properties.read("map", without_values(group.owner, expr))
        definition = {key: given.get(key) for key in ("type", "properties", "metadata")}
        if definition["properties"] is not None:
            kept = plugin_properties.read("map", definition["properties"])
            definition["properties"] = {k: v for k, v in kept.items() if v is not None}
        index = group.get("index_var", "string", "%index%")
        out: Definitions = {}
        for name in itertools.islice(self.names(group), limited(group.get("count", "integer", 1))):
            out[name] = {**definition, "properties": indexed(definition["properties"], index, name)}
        return out

    def names(self, group: Properties) -> Iterator[str]:
        """Yields the names of members without end: 0, 1, 2 and so on, except those that removal_policies lists."""
        removed = set()
        for policy in group.get("removal_policies", "list", []):
            listed = plugin_properties.read("map", policy).get("resource_list", [])
            removed |= {str(name) for name in plugin_properties.read("list", listed)}
        return (name for name in map(str, itertools.count()) if name not in removed)

    def attribute(self, inside: StackValues, selection: Selection) -> Any:
        return [] if isinstance(selection, Attribute) else of_members(inside, selection)  # no member is removed yet


@final
class ResourceChain:
    version, outputs = HOT, ""

    def members(self, group: Properties) -> Definitions:
        types = group.needed("resources", "list")
        limited(len(types))
        concurrent = group.get("concurrent", "boolean", False)
        properties = group.get("resource_properties", "map")
        out: Definitions = {}
        for number, kind in enumerate(types):
            needs = [str(number - 1)] if number and not concurrent else []
            out[str(number)] = {"type": kind, "properties": properties, "depends_on": needs}
        return out

    def attribute(self, inside: StackValues, selection: Selection) -> Any:
        return of_members(inside, selection)


@final
class AutoScalingGroup:
    version, outputs = HOT, "references"

    def members(self, group: Properties) -> Definitions:
        definition = group.needed("resource", "map")
        size = group.get("desired_capacity", "integer") or group.needed("min_size", "integer")
        return {group.owner.outside.member(): definition for _ in range(limited(size))}

    def attribute(self, inside: StackValues, selection: Selection) -> Any:
        match selection:
            case MemberCount():
                return len(inside.names)
            case References():  # Heat ignores a path
                return of_members(inside, References())
            case Member(index, path, number):
                if number is None or not -len(inside.names) <= number < len(inside.names):
                    raise EvaluationError(f"Member '{index}' not found in group resource")
                return of_member(inside, Member(inside.names[number], path))
        return of_members(inside, selection)


@final
class InstanceGroup:
    """A group of instances with one launch configuration. `aws`: whether it is the AWS type, which has a desired
    capacity.
    """

    version, outputs = CFN, "references"

    def __init__(self, *, aws: bool) -> None:
        self.aws = aws

    def members(self, group: Properties) -> Definitions:
        if self.aws:
            size = group.get("DesiredCapacity", "integer") or group.needed("MinSize", "integer")
        else:
            size = group.needed("Size", "integer")
        name = self.launch(group)
        owner = group.owner
        known = owner.facts(name)["properties"]
        properties = {
            key: plugin_properties.read(known[key]["type"], value, known[key].get("default"))
            for key, value in owner.properties(name).items()
            if key in known
        }
        if "InstanceId" in properties:
            raise EvaluationError("The instance of this launch configuration is known only to the cloud")
        properties["Tags"] = self.tags(group)
        if self.aws and (subnets := group.get("VPCZoneIdentifier", "list")):
            properties["SubnetId"] = subnets[0]
        definition = {
            "type": heat_types.SCALED_RESOURCE,
            "properties": properties,
            "metadata": owner.metadata(name) or None,
        }
        return {owner.outside.member(): definition for _ in range(limited(size))}

    def launch(self, group: Properties) -> str:
        """The name of the launch configuration: the resource whose reference is the group's LaunchConfigurationName."""
        wanted = group.needed("LaunchConfigurationName", "string")
        owner = group.owner
        for name in owner.names:
            if owner.kind(name) == heat_types.AWS_LAUNCH_CONFIGURATION and owner.reference(name) == wanted:
                return name
        raise EvaluationError(f"There is no launch configuration {wanted}")

    def tags(self, group: Properties) -> list[Any]:
        tags = list(group.get("Tags", "list") or [])
        names = [str(plugin_properties.read("map", tag).get("Key")) for tag in tags]
        named = group.owner.reference(group.name)
        if not any(name.startswith("metering.") for name in names):
            tags.append({"Key": "metering.groupname", "Value": named})
        return [*tags, {"Key": "metering.AutoScalingGroupName", "Value": named}] if self.aws else tags

    def attribute(self, inside: StackValues, selection: Selection) -> Any:
        if not isinstance(selection, Addresses):
            return of_members(inside, selection)
        addresses = [str(inside.attribute(name, ("PublicIp",)) or "0.0.0.0") for name in inside.names]
        return plugin_properties.select(",".join(addresses) or None, data_of(selection.path))


GROUPS: Mapping[str, Group] = {
    heat_types.RESOURCE_GROUP: ResourceGroup(),
    heat_types.RESOURCE_CHAIN: ResourceChain(),
    heat_types.AUTO_SCALING_GROUP: AutoScalingGroup(),
    heat_types.INSTANCE_GROUP: InstanceGroup(aws=False),
    heat_types.AWS_AUTO_SCALING_GROUP: InstanceGroup(aws=True),
}


def of_members(inside: StackValues, selection: Selection) -> Any:
    """The values that an attribute of a group selects from its members; any other raises EvaluationError."""
    match selection:
        case Member():
            return of_member(inside, selection)
        case References(path):
            return plugin_properties.select([inside.reference(name) for name in inside.names], data_of(path))
        case ReferenceMap():
            return {name: inside.reference(name) for name in inside.names}
        case AttributeMap((_, *_) as path):
            return {name: inside.attribute(name, data_of(path)) for name in inside.names}
        case AttributeList((_, *_) as path):
            return [inside.attribute(name, data_of(path)) for name in inside.names]
    raise EvaluationError("The Referenced Attribute is incorrect.")


def of_member(inside: StackValues, member: Member) -> Any:
    """An attribute of a member for `resource.NAME.ATTRIBUTE`, its reference for `resource.NAME`."""
    if member.name not in inside.names:
        raise EvaluationError(f"Member '{member.name}' not found in group resource")
    return inside.attribute(member.name, data_of(member.path)) if member.path else inside.reference(member.name)


def data_of(path: tuple[ir.Expr, ...]) -> tuple[Any, ...]:
    """A path of literals as plain data."""
    return tuple([ir.data(step) for step in path])


def limited(size: int) -> int:
    """Returns the number of members unchanged; raises EvaluationError if Heat allows no such number."""
    if not 0 <= size <= MOST:
        raise EvaluationError(f"A group can have at most {MOST} members, not {size}")
    return size


def without_values(owner: StackValues, expr: ir.Expr) -> Any:
    """The value of an expression, with null for each function that reads a parameter without a value. Heat plans the
    members of a group before all parameters have values.
    """
    if isinstance(expr, ir.Map):
        found = {e.key: without_values(owner, e.value) for e in expr.entries}
        return {key: value for key, value in found.items() if value is not ABSENT}
    if isinstance(expr, ir.Seq):
        return [value for item in expr.items if (value := without_values(owner, item)) is not ABSENT]
    try:
        return owner.interpreter.value(expr)
    except NoValue:
        return None


def indexed(value: Any, index: str, name: str) -> Any:
    """A value with the index inserted into its texts, but not into keys."""
    if isinstance(value, str):
        return value.replace(index, name)
    if isinstance(value, dict):
        return {key: indexed(item, index, name) for key, item in value.items()}
    if isinstance(value, list):
        return [indexed(item, index, name) for item in value]
    return value


# members as declarations


def declared(definitions: Definitions, spoken: Version, source: Source) -> ir.Template:
    """The template that Heat makes of the members; raises EvaluationError if Heat could not read it again."""
    resources = {name: declaration(name, one, spoken) for name, one in definitions.items()}
    return ir.Template(spoken, source, resources=resources)


def declaration(name: str, definition: Mapping[str, Any], spoken: Version) -> ir.Resource:
    """A member as a resource. Only a definition with calls or unusual keys is written as text and parsed, which is
    slow.
    """
    kind, properties, metadata = (definition.get(key) for key in ("type", "properties", "metadata"))
    if not isinstance(kind, str) or not isinstance(properties, (dict, type(None))):
        raise EvaluationError("The definition of the members requires a type and a map of properties")
    if others(definition) or any(calls(part, spoken.functions) for part in (properties, metadata)):
        return read_again(name, definition, spoken)
    return ir.Resource(
        name,
        kind,
        literal_map(properties),
        ir.from_data(metadata) if metadata is not None else None,
        tuple(ir.Name(other) for other in definition.get("depends_on") or ()),
    )


def literal_map(value: dict[str, Any] | None) -> ir.Map | None:
    found = ir.from_data(value) if value is not None else None
    return found if isinstance(found, ir.Map) else None


def others(definition: Mapping[str, Any]) -> bool:
    return not set(definition) <= {"type", "properties", "metadata", "depends_on"}


def calls(value: Any, functions: frozenset[str]) -> bool:
    """Whether a value contains a map that looks like a call of a function: `{get_param: x}`."""
    if isinstance(value, dict):
        return (len(value) == 1 and next(iter(value)) in functions) or any(calls(v, functions) for v in value.values())
    return isinstance(value, list) and any(calls(item, functions) for item in value)


def read_again(name: str, definition: Mapping[str, Any], spoken: Version) -> ir.Resource:
    """A member whose definition is written as a template and parsed, as Heat does."""
    words = {"type": "Type", "properties": "Properties", "metadata": "Metadata", "depends_on": "DependsOn"}
    body = {key if spoken.hot else words.get(key, key): v for key, v in definition.items() if v is not None}
    section = "resources" if spoken.hot else "Resources"
    text = json.dumps({spoken.key: spoken.name, section: {name: body}})
    template, sink = templates.read(Source("member", text))
    wrong = [d.message for d in sink.found if d.severity == "error"]
    if template is None or wrong:
        raise EvaluationError(f"The definition of the members is invalid: {wrong[0] if wrong else ''}")
    return template.resources[name]
