"""Type definitions: the node types in use, limited to what is used, and their base types.

Only forms that all tools accept are used: own types with a normative parent where there is one, optional requirements,
no metadata on policy, group and relationship types.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from emitters.tosca import hotjson
from emitters.tosca.model import PARENTS, PORT, ROOT, NodeType
from emitters.tosca.references import CONDITION, EXPRESSION
from emitters.tosca.shapes import TEXT, Shape
from transpile.model import heat_types, ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from emitters.tosca.inputs import Inputs

MANY, ONE = [0, "UNBOUNDED"], [0, 1]


def requirement(name: str, relationship: str, occurrences: list[Any], node: str, capability: str) -> dict[str, Any]:
    return {
        name: {
            "capability": capability,
            "node": node,
            "relationship": relationship,
            "occurrences": list(occurrences),
        }
    }


def reference() -> dict[str, Any]:
    return requirement("reference", "hot.relationships.References", MANY, "tosca.nodes.Root", "tosca.capabilities.Node")


def conditioned() -> dict[str, Any]:
    return requirement("condition", "hot.relationships.ConditionedOn", ONE, CONDITION, "tosca.capabilities.Node")


RELATIONSHIPS = {
    "hot.relationships.References": {
        "derived_from": "tosca.relationships.DependsOn",
        "description": "a dependency implied by get_resource or get_attr",
    },
    "hot.relationships.ConditionedOn": {
        "derived_from": "tosca.relationships.DependsOn",
        "description": "the source exists only if the condition is true",
    },
    "hot.relationships.Multiplies": {
        "derived_from": "tosca.relationships.Root",
        "description": "the target is the prototype of the source group's members",
    },
}
MEMBER = {
    "hot.capabilities.Member": {
        "derived_from": "tosca.capabilities.Root",
        "description": "a node template that a group creates copies of",
    }
}
LIFECYCLE = {
    "openstack.interfaces.heat.Lifecycle": {
        "derived_from": "tosca.interfaces.Root",
        "description": "Heat actions for which the Standard interface has no operation",
        "operations": {
            "update": {"description": "UPDATE"},
            "suspend": {"description": "SUSPEND"},
            "resume": {"description": "RESUME"},
        },
    }
}
MEMBERS = {
    "hot.groups.Members": {
        "derived_from": "tosca.groups.Root",
        "description": "the members of a ResourceGroup or an AutoScalingGroup",
    }
}
ABOUT = {
    "hot.policies.Deletion": "what happens to the resource when the stack is deleted",
    "hot.policies.Update": "the resource's update_policy",
    "hot.policies.Scaling": "the number of its targets, for orchestrators that do not support Heat's groups",
}


def data_types(records: Iterable[tuple[str, Shape]]) -> dict[str, Any]:
    return {name: data_type(shape) for name, shape in records}


def data_type(shape: Shape) -> dict[str, Any]:
    out: dict[str, Any] = {"derived_from": "tosca.datatypes.Root"}
    if shape.fields:
        out["properties"] = {key: prop(field, key in shape.required) for key, field in shape.fields.items()}
    return out


def prop(shape: Shape, required: bool) -> dict[str, Any]:
    out = shape.definition()
    if not required:
        out["required"] = False
    if shape.allowed:
        out["constraints"] = [{"valid_values": shape.allowed}]
    return out


def root(conditions: bool, external: bool) -> dict[str, Any]:
    out: dict[str, Any] = {"derived_from": "tosca.nodes.Root"}
    if external:
        out["properties"] = {"external_id": external_id()}
    out["attributes"] = {"id": {"type": "string", "description": "the value of get_resource"}}
    out["requirements"] = [reference(), *([conditioned()] if conditions else [])]
    return out


def external_id() -> dict[str, Any]:
    return {"type": "string", "description": "the ID of an existing resource", "required": False}


def expression() -> dict[str, Any]:
    return {
        "derived_from": "tosca.nodes.Root",
        "description": (
            "The value of a HOT function that TOSCA 1.3 has no counterpart for. `expression` is its JSON text; each "
            "get_param, get_attr, get_resource, get_file and condition name in it finds its TOSCA value in `arguments`."
        ),
        "properties": {
            "expression": {"type": "string"},
            "arguments": {"type": "map", "entry_schema": {"type": "string"}, "required": False},
        },
        "attributes": {"value": {"type": "string"}},
        "requirements": [reference()],
    }


def condition() -> dict[str, Any]:
    return {
        "derived_from": EXPRESSION,
        "description": "a condition of the template; its value is 'true' or 'false'",
    }


def group() -> dict[str, Any]:
    about = "a resource that creates several copies of another one, the template of its members"
    member = requirement("member", "hot.relationships.Multiplies", ONE, "tosca.nodes.Root", "hot.capabilities.Member")
    return {"derived_from": ROOT, "description": about, "requirements": [member]}


def nested_stack() -> dict[str, Any]:
    about = "a nested stack; its type's properties are the parameters, its attributes the outputs"
    return {"derived_from": ROOT, "description": about}


def node_type(one: NodeType, conditions: bool, stacks: Mapping[int, Inputs]) -> dict[str, Any]:
    """The definition of a node type."""
    if one.alias_of is not None:
        return {"derived_from": one.parent, "metadata": {"hot.type": one.hot_type}}
    parent = one.parent
    if one.kind == heat_types.SOFTWARE_DEPLOYMENT and one.hosted:
        parent = "tosca.nodes.SoftwareComponent"
    elif one.member_property and parent == ROOT:
        parent = "hot.nodes.Group"
    out: dict[str, Any] = {"derived_from": parent, "metadata": {"hot.type": one.hot_type}}
    if one.member_property:
        out["metadata"]["hot.member_property"] = one.member_property
    inside = None if one.nested is None else stacks[id(one.nested.stack)]
    if one.nested is not None:
        out["metadata"]["hot.template"] = one.nested.file
        if one.nested.stack.template.capabilities:
            out["metadata"]["hot.capabilities"] = hotjson.claimed(one.nested.stack.template)
    properties = {key: prop(shape, required(one, key)) for key, shape in one.shapes.items()}
    if inside is not None:
        properties = parameters(inside, one)
    own_root = parent in (ROOT, "hot.nodes.Group", "hot.nodes.Stack")
    if one.external and not own_root:
        properties = {"external_id": external_id()} | properties
    if one.metadata:
        about = "the resource's metadata section, as JSON"
        properties["resource_metadata"] = {"type": "string", "description": about, "required": False}
    if properties:
        out["properties"] = properties
    attributes: dict[str, Any] = {} if own_root and "id" not in one.shapes else {"id": {"type": "string"}}
    for name in one.outputs:
        attributes.setdefault(name, {"type": "string"})
    for name, shape in one.attributes.items():
        attributes[name] = {"type": "string"} if shape is None else shape.definition()
    if attributes:
        out["attributes"] = attributes
    if one.member:
        out["capabilities"] = {"member": {"type": "hot.capabilities.Member"}}
    requirements = [] if own_root else [reference(), *([conditioned()] if conditions else [])]
    if one.kind == PORT and one.links:
        requirements.append(
            requirement(
                "link",
                "tosca.relationships.network.LinksTo",
                ONE,
                "tosca.nodes.network.Network",
                "tosca.capabilities.network.Linkable",
            )
        )
    if requirements:
        out["requirements"] = requirements
    if one.operated:
        out["interfaces"] = {"Heat": {"type": "openstack.interfaces.heat.Lifecycle"}}
    return out


def required(one: NodeType, key: str) -> bool:
    """Whether a property is required: Heat requires it, and all nodes set it."""
    facts = one.facts.get("properties", {}).get(key, {})
    uses = one.uses.get(key, [])
    return bool(facts.get("required")) and len(uses) == one.nodes and ir.NULL not in uses


def parameters(inputs: Inputs, by: NodeType | None) -> dict[str, Any]:
    """The parameters of a nested template as properties, with the types of its inputs; json parameters have the types
    of their values.

    `by`: the node type that supplies values, or None for the nested template's own type.
    """
    out: dict[str, Any] = {}
    shapes = by.shapes if by is not None else {}
    for name, one in inputs.all.items():
        if one.param is None:
            continue
        shape = one.shape
        if by is not None:
            shape = shapes.get(name, shape)
            if one.param.type != "json" and fits(one.shape, shape):
                shape = one.shape
            elif name not in shapes and any(True for _ in one.shape.records()):
                shape = Shape(shape.kind, TEXT) if shape.kind in ("list", "map") else TEXT
        out[name] = shape.definition()
        optional = one.param.default is not None or name in inputs.stack.bindings
        if optional or (by is not None and not (name in shapes and len(by.uses[name]) == by.nodes)):
            out[name]["required"] = False
        if shape is one.shape and isinstance(one.definition.get("default"), (str, int, float)) and not one.json:
            out[name]["default"] = one.definition["default"]
    return out | {name: prop(shape, False) for name, shape in shapes.items() if name not in out}


def fits(shape: Shape, wanted: Shape) -> bool:
    """Whether a value written for `shape` is valid where `wanted` is declared."""
    return shape.kind == wanted.kind and (shape.entry is None or shape.entry.kind == wanted.entry.kind)  # type: ignore[union-attr]


def policy_types(policies: Mapping[str, Mapping[str, Any]], updates: Mapping[str, Shape]) -> dict[str, Any]:
    """The types of the policies in use."""
    used = {p["type"] for p in policies.values()}
    out: dict[str, Any] = {}
    if "hot.policies.Deletion" in used:
        out["hot.policies.Deletion"] = {
            "derived_from": "tosca.policies.Root",
            "description": ABOUT["hot.policies.Deletion"],
            "properties": {
                "policy": {"type": "string", "constraints": [{"valid_values": ["Delete", "Retain", "Snapshot"]}]}
            },
        }
    if "hot.policies.Update" in used:
        out["hot.policies.Update"] = {
            "derived_from": "tosca.policies.Update",
            "description": ABOUT["hot.policies.Update"],
        }
        if updates:
            out["hot.policies.Update"]["properties"] = {key: prop(shape, False) for key, shape in updates.items()}
    if "hot.policies.Scaling" in used:
        words = ("min_instances", "max_instances", "default_instances", "increment", "cooldown")
        out["hot.policies.Scaling"] = {
            "derived_from": "tosca.policies.Scaling",
            "description": ABOUT["hot.policies.Scaling"],
            "properties": {word: {"type": "integer", "required": False} for word in words},
        }
    return out


def parents_used(types: Iterable[NodeType]) -> set[str]:
    """The base types that these node types derive from."""
    out = set()
    for one in types:
        if one.alias_of is not None:
            continue
        if one.member_property:
            out |= {"hot.nodes.Group", ROOT}
        elif one.nested is not None:
            out |= {"hot.nodes.Stack", ROOT}
        elif one.kind not in PARENTS and not one.hosted:
            out.add(ROOT)
    return out
